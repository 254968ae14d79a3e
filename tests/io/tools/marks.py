"""What was marked in documents, and folders of files to read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import xarray as xr

from iaa_jax.io.export.judgements import Export

Write = Callable[..., Path]

Answers = dict[tuple[str, str], list[tuple[int, int, str]]]


def spans_of(export: Export, name: str) -> list[tuple[int, int, str]]:
    question = export.questions[name]
    known = list(question.answers)
    return [span[:3] for code in question.values for span in known[code]]


def marked(spans: xr.Dataset) -> Answers:
    """The spans of each document and annotator who has seen it."""
    seen = spans.seen.stack(pair=("document", "annotator"))
    pairs = seen.pair.values[seen.values]
    found: Answers = {(str(document), str(annotator)): [] for document, annotator in pairs}
    names = (spans.document, spans.annotator, spans.label)
    for k in range(spans.sizes["span"]):
        of, by, label = (
            str(known.values[int(spans[along][k])])
            for known, along in zip(names, ("document_of", "annotator_of", "label_of"), strict=True)
        )
        found[of, by].append((int(spans.start[k]), int(spans.end[k]), label))
    return found


def folder(write: Write, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        path = write("", "x").parent / "files" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return path.parents[len(Path(name).parts) - 1]
