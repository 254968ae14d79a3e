"""Small random documents as plain Python, and what a Dataset says of them as plain Python."""

from __future__ import annotations

import numpy as np
import xarray as xr

Span = tuple[int, int, str]
Documents = dict[str, dict[str, list[Span]]]

LABELS = ("LOC", "ORG", "PER")


def random_documents(
    seed: int, documents: int = 12, annotators: int = 4, name: str = "d", most: int = 4
) -> Documents:
    """Documents that some annotators saw, with few places, so that spans often meet."""
    rng = np.random.default_rng(seed)
    made: Documents = {}
    for document in range(documents):
        seen = np.flatnonzero(rng.random(annotators) < 0.7)
        made[f"{name}{document}"] = {
            f"ann{annotator}": [
                (int(start), int(start + rng.integers(1, 3)), str(rng.choice(LABELS)))
                for start in rng.choice(8, rng.integers(0, most + 1), replace=False)
            ]
            for annotator in seen
        }
    made[f"{name}both"] = {f"ann{k}": [(0, 2, label)] for k, label in enumerate(LABELS)}
    return made


def as_python(ratings: xr.Dataset) -> dict[str, dict[str, list[Span]]]:
    """What ratings say was marked, document by document."""
    marked = ratings["marked"].values
    slots = ratings["annotator_of"].values if "annotator_of" in ratings else None
    names, labels = ratings["annotator"].values, ratings["label"].values
    columns = ("marking_of", "start", "end", "label_of")
    spans = list(zip(*(ratings[name].values.tolist() for name in columns), strict=True))
    said: dict[str, dict[str, list[Span]]] = {}
    for row, document in enumerate(ratings["item"].values):
        of_document: dict[str, list[Span]] = {}
        for column, code in enumerate(marked[row].tolist()):
            if code >= 0:
                who = names[column if slots is None else slots[row, column]]
                of_marking = [
                    (start, end, str(labels[label]))
                    for marking, start, end, label in spans
                    if marking == code
                ]
                of_document[str(who)] = of_marking
        said[str(document)] = of_document
    return said


def ordered(documents: Documents) -> Documents:
    """The same documents with the spans of each in order, and without those that nobody saw."""
    return {
        document: {who: sorted(spans) for who, spans in by_annotator.items()}
        for document, by_annotator in documents.items()
        if by_annotator
    }
