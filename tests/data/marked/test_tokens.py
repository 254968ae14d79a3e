"""Ratings of places, against a loop over every place."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import xarray as xr
from hypothesis import given, settings, strategies as st

import iaa_jax as iaa
from iaa_jax import IaaError

Marked = dict[str, dict[str, list[tuple[int, int, str]]]]

LENGTHS = {"d1": 9, "d2": 6, "d3": 12}
ANNOTATORS = ("ann", "bob", "cid")


def place_by_place(documents: Marked, reading: str, labels: set[str]) -> dict[tuple[str, int], Any]:
    """What each annotator who saw a document said of each of its places, None of the others."""
    found = {}
    for document, length in LENGTHS.items():
        for place in range(length):
            row = []
            for annotator in ANNOTATORS:
                if annotator not in documents.get(document, {}):
                    row.append(None)
                    continue
                spans = documents[document][annotator]
                there = {label for start, end, label in spans if start <= place < end} & labels
                joined = " + ".join(sorted(there)) or "(unmarked)"
                any_mark = "marked" if there else "(unmarked)"
                row.append({"combined": joined, "any": any_mark, "sets": there}[reading])
            found[document, place] = row
    return found


def as_rows(ratings: xr.Dataset) -> dict[tuple[str, int], Any]:
    """The same of ratings, whose runs stand for each of their places."""
    found = {}
    label = ratings.label.values.tolist()
    for k, document in enumerate(ratings.document.values.tolist()):
        start, end = int(ratings.start[k]), int(ratings.end[k])
        assert end - start == ratings.item_weight[k] > 0
        assert ratings.item.values[k] == f"{document}:{start}-{end}"
        if "mass" in ratings:
            row = [
                None if np.isnan(mass).any() else {label[j] for j in np.flatnonzero(mass)}
                for mass in ratings.mass.values[k]
            ]
        else:
            row = [None if code < 0 else label[code] for code in ratings.primary.values[k]]
        found |= {(document, place): row for place in range(start, end)}
    return found


def spans_of(length: int) -> st.SearchStrategy[list[tuple[int, int, str]]]:
    places = st.tuples(st.integers(0, length - 1), st.integers(1, length), st.sampled_from("xyz"))
    return st.lists(
        places.map(lambda span: (min(span[:2]), max(span[0] + 1, span[1]), span[2])), max_size=6
    )


seen = st.fixed_dictionaries(
    {
        name: st.fixed_dictionaries(
            {"ann": spans_of(length), "bob": spans_of(length)}, optional={"cid": spans_of(length)}
        )
        for name, length in LENGTHS.items()
    }
)


@settings(max_examples=60, deadline=None)
@given(seen, st.sampled_from(["combined", "any", "sets"]), st.sampled_from(["xyz", "xy", "z"]))
def test_is_a_loop_over_places(documents: Marked, reading: str, labels: str) -> None:
    spans = iaa.from_spans(documents, lengths=LENGTHS, labels=[*"xyz"])
    ratings = iaa.data.token_ratings(spans, reading, labels=[*labels])
    names = ratings.annotator.values.tolist()
    wanted = place_by_place(documents, reading, {*labels})
    in_order = {key: [row[ANNOTATORS.index(name)] for name in names] for key, row in wanted.items()}
    assert as_rows(ratings) == in_order
    # runs are as long as they can be where annotators mark alike
    assert ratings.sizes["item"] <= sum(LENGTHS.values())


DOCUMENTS: Marked = {
    "d1": {"ann": [(0, 4, "x"), (2, 6, "x"), (2, 3, "y")], "bob": [(0, 6, "x")]},
    "d2": {"ann": [], "bob": [(5, 6, "y")]},
    "d3": {"bob": [(0, 12, "y")], "cid": [(0, 12, "y"), (0, 12, "y")]},
}


def test_order_of_documents_and_spans() -> None:
    def rows(documents: Marked) -> dict[tuple[str, int], Any]:
        spans = iaa.from_spans(documents, lengths=LENGTHS)
        ratings = iaa.data.token_ratings(spans).sel(annotator=[*ANNOTATORS])
        return as_rows(ratings)

    turned: Marked = {
        document: {who: by[who][::-1] for who in reversed(by)}
        for document, by in reversed(DOCUMENTS.items())
    }
    assert rows(turned) == rows(DOCUMENTS)


def test_one_label_against_the_rest() -> None:
    spans = iaa.from_spans(DOCUMENTS, lengths=LENGTHS)
    ratings = iaa.data.token_ratings(spans, labels=["y"])
    assert ratings.label.values.tolist() == ["(unmarked)", "y"]
    assert ratings.attrs["labels_declared"] == 1
    assert ratings.item.values.tolist() == [
        "d1:0-2",
        "d1:2-3",
        "d1:3-9",
        "d2:0-5",
        "d2:5-6",
        "d3:0-12",
    ]
    assert ratings.attrs["read_as"] == (
        "each place of 3 documents as an item (27 places in 6 runs of places with equal labels)"
    )
    with pytest.raises(IaaError, match="no label 'w'"):
        iaa.data.token_ratings(spans, labels=["w"])
    with pytest.raises(IaaError, match="reading"):
        iaa.data.token_ratings(spans, "all")


def test_intervals_draw_documents() -> None:
    spans = iaa.from_spans(DOCUMENTS, lengths=LENGTHS)
    found = iaa.krippendorff_alpha(iaa.data.token_ratings(spans), replicates=50)
    assert found.attrs["sampling_cluster"] == "document"
    alone = iaa.from_spans({"d1": DOCUMENTS["d1"]}, lengths=LENGTHS)
    assert "all places are from one document" in iaa.data.token_ratings(alone).attrs["notices"]


def test_coordinates_stay() -> None:
    spans = iaa.from_spans(DOCUMENTS, lengths=LENGTHS).assign_coords(
        batch=("document", ["b1", "b1", "b2"])
    )
    spans = spans.assign_coords(team=("annotator", ["t", "t", "u"]))
    ratings = iaa.data.token_ratings(spans, "any")
    assert ratings.team.values.tolist() == ["t", "t", "u"]
    assert dict(zip(ratings.document.values, ratings.batch.values, strict=True)) == {
        "d1": "b1",
        "d2": "b1",
        "d3": "b2",
    }


def test_needs_lengths() -> None:
    spans = iaa.from_spans(DOCUMENTS)
    with pytest.raises(IaaError, match=r"number of places that nobody marked.*lengths"):
        iaa.data.token_ratings(spans)
    assert as_rows(iaa.data.token_ratings(spans, lengths=LENGTHS)) == as_rows(
        iaa.data.token_ratings(iaa.from_spans(DOCUMENTS, lengths=LENGTHS))
    )
    with pytest.raises(IaaError, match="lengths lack the documents 'd2'"):
        iaa.data.token_ratings(spans, lengths={"d1": 9, "d3": 12})
    message = r"span from 2 to 6 ends beyond .*document 'd1', annotator 'ann'"
    with pytest.raises(IaaError, match=message):
        iaa.data.token_ratings(spans, lengths=LENGTHS | {"d1": 5})
    with pytest.raises(IaaError, match="ratings of whole items"):
        iaa.data.token_ratings(iaa.from_wide([["a", "b"]]))
    with pytest.raises(IaaError, match="no places"):
        iaa.data.token_ratings(iaa.from_spans({"d": {"a": [], "b": []}}, lengths={"d": 0}))


def test_labels_that_read_alike() -> None:
    documents: Marked = {"d1": {"a": [(0, 3, "x"), (0, 3, "y"), (4, 5, "x + y")], "b": []}}
    spans = iaa.from_spans(documents, lengths=LENGTHS)
    with pytest.raises(IaaError, match=r"both be 'x \+ y'"):
        iaa.data.token_ratings(spans)
    assert iaa.data.token_ratings(spans, "sets").sizes["label"] == 3


def test_crowds() -> None:
    """By slot, as many annotators have it, and place by place the same."""
    rng = np.random.default_rng(0)
    documents: Marked = {}
    for k in range(60):
        who = rng.choice(200, 3, replace=False)
        documents[f"d{k}"] = {
            f"w{w}": [(int(s), int(s) + 4, "x") for s in rng.integers(0, 20, 2)] for w in who
        }
    lengths = {name: 30 for name in documents}
    spans = iaa.from_spans(documents, lengths=lengths)
    ratings = iaa.data.token_ratings(spans)
    assert "slot" in ratings.dims
    rows = [
        [int(any(s <= place < e for s, e, _ in marked)) for marked in by.values()]
        for by in documents.values()
        for place in range(30)
    ]
    wanted = iaa.krippendorff_alpha(iaa.from_wide(rows), interval=None).estimate
    found = iaa.krippendorff_alpha(ratings, interval=None).estimate
    np.testing.assert_allclose(found, wanted, atol=1e-12)
