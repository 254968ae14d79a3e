"""Places in documents that two annotators marked with different labels."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from iaa_jax._types import Integers, Values
from iaa_jax.data.marked.documents import Documents
from iaa_jax.data.marked.excerpts import around
from iaa_jax.data.marked.overlaps import partners
from iaa_jax.measure.ratings.rated import Rated

_BY = ["document", "place"]


def places_with_both(
    tables: Rated, first: int, second: int, most: int
) -> tuple[NDArray[np.intp], float, dict[str, Values]]:
    """Return the documents of places marked with both labels, the number of places, and columns.

    Partners are overlapping spans of two annotators; they share a place. Places with the most
    partners that have the labels ``first`` and ``second`` come first. The columns hold the text of
    each place, and who marked which span.
    """
    marks = _marks(tables, first, second)
    size = marks.groupby(_BY, sort=False).size()
    size = size.iloc[np.argsort(-size.to_numpy(), kind="stable")]
    of_item = tables.identified.pattern_of
    number = float(tables.identified.count[size.index.get_level_values("document")].sum())
    texts = tables.coordinate("text") if "text" in tables.along("item") else None
    rows: list[tuple[int, str, str]] = []
    for document, place in size.index[:most]:
        at_place = marks[(marks["document"] == document) & (marks["place"] == place)]
        start, end = int(at_place["start"].min()), int(at_place["end"].max())
        votes = _votes(tables, at_place.drop_duplicates(["annotator", "unit"]))
        for item in np.flatnonzero(of_item == document).tolist():
            text = "" if texts is None else around(str(texts[item]), start, end).text.strip()
            rows.append((item, text, votes))
    items, shown, given = (list(column) for column in zip(*rows[:most], strict=True))
    columns = {"case_text": shown, "case_votes": given}
    return (
        np.array(items, dtype=np.intp),
        number,
        {name: np.array(texts, dtype=object) for name, texts in columns.items()},
    )


def _marks(tables: Rated, first: int, second: int) -> pd.DataFrame:
    """Return every span with a partner of the other label, and the number of its place.

    A span with several such partners occurs several times.
    """
    codes = tables.compact_codes
    documents = Documents(codes.codes, tables.spans.markings)
    markings, pairs = documents.markings.distinct, documents.pairs
    couples = partners(documents, "partial")
    label_of = markings.units.label_of
    labels = np.sort(np.stack([label_of[couples.first], label_of[couples.second]]), axis=0)
    couples = couples.take((labels == [[min(first, second)], [max(first, second)]]).all(axis=0))
    document = pairs.document[couples.pair]
    annotators: list[Integers] = [
        column[couples.pair]
        if codes.annotator_of is None
        else codes.annotator_of[document, column[couples.pair]]
        for column in (pairs.first_column, pairs.second_column)
    ]
    units = np.concatenate([couples.first, couples.second])
    start, end = markings.extents
    marks = pd.DataFrame(
        {
            "document": np.tile(document, 2),
            "annotator": np.concatenate(annotators),
            "unit": units,
            "label": label_of[units],
            "start": start[units],
            "end": end[units],
        }
    ).sort_values(["document", "start", "end", "label", "annotator"], kind="stable")
    last_end = marks.groupby("document")["end"].cummax().groupby(marks["document"]).shift()
    return marks.assign(place=(last_end.isna() | (marks["start"] >= last_end)).cumsum())


def _votes(tables: Rated, marks: pd.DataFrame) -> str:
    as_given = tables.spans.markings.as_given
    parts = []
    for label in np.unique(marks["label"]).tolist():
        of_label = marks[marks["label"] == label]
        names = tables.annotator_names[of_label["annotator"].to_numpy()].tolist()
        ends = (as_given(of_label[name].to_numpy()).tolist() for name in ("start", "end"))
        spans = [f"{name} ({a}-{b})" for name, a, b in zip(names, *ends, strict=True)]
        parts.append(f"{tables.label_names[label]}: {', '.join(spans)}")
    return "; ".join(parts)
