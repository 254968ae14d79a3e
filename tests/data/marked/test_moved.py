"""Spans after operations of xarray: what is chosen goes along, and what cannot be is refused."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax import IaaError
from iaa_jax.data.as_ratings import span_ratings
from tests.data.marked.documents import as_python, ordered, random_documents

DOCUMENTS = {name: by for name, by in random_documents(1).items() if by}
LENGTHS = {name: 20 + k for k, name in enumerate(DOCUMENTS)}


@pytest.fixture
def spans() -> xr.Dataset:
    return iaa.from_spans(DOCUMENTS, lengths=LENGTHS)


def test_documents_that_are_chosen_take_their_spans_along(spans: xr.Dataset) -> None:
    chosen = spans.isel(document=[5, 2, 7])
    names = [*DOCUMENTS]
    wanted = {names[k]: DOCUMENTS[names[k]] for k in (5, 2, 7)}
    ratings = span_ratings(chosen)
    assert as_python(ratings) == ordered(wanted)
    assert ratings["item"].values.tolist() == [*wanted]
    known = ratings["length"].values[ratings["marked"].values.max(axis=1)]
    assert known.tolist() == [LENGTHS[name] for name in wanted]
    expected = iaa.span_f1(iaa.from_spans(wanted), interval=None).estimate
    assert iaa.span_f1(chosen, interval=None).estimate == pytest.approx(float(expected))


def test_annotators_that_are_chosen_take_theirs(spans: xr.Dataset) -> None:
    names = spans["annotator"].values[[2, 0]].tolist()
    ratings = span_ratings(spans.sel(annotator=names))
    wanted = {
        name: {who: x for who, x in by.items() if who in names} for name, by in DOCUMENTS.items()
    }
    assert as_python(ratings) == {
        name: {who: sorted(spans) for who, spans in by.items()} for name, by in wanted.items()
    }


def test_a_document_that_stands_there_twice_counts_twice(spans: xr.Dataset) -> None:
    twice = spans.isel(document=[0, 1, 1, 2])
    once = {f"{k}": DOCUMENTS[[*DOCUMENTS][k]] for k in range(3)}
    expected = iaa.from_spans(once | {"again": once["1"]})
    figures = [float(iaa.span_f1(x, interval=None).estimate) for x in (twice, expected)]
    assert figures[0] == pytest.approx(figures[1])


def test_a_part_that_nobody_saw_is_refused(spans: xr.Dataset) -> None:
    for empty in (spans.isel(document=[]), spans.assign(seen=spans["seen"] & False).isel(span=[])):
        with pytest.raises(IaaError, match="nothing can be measured"):
            iaa.span_f1(empty)
    with pytest.raises(IaaError, match="only one annotator"):
        iaa.span_f1(spans.isel(annotator=[0]))


def test_order_does_not_matter(spans: xr.Dataset) -> None:
    other = spans.isel(document=slice(None, None, -1), annotator=slice(None, None, -1))
    figures = [float(iaa.span_f1(x, interval=None).estimate) for x in (spans, other)]
    assert figures[0] == pytest.approx(figures[1], abs=1e-12)


def test_parts_are_joined_again(spans: xr.Dataset) -> None:
    parts = [spans.isel(document=slice(4)), spans.isel(document=slice(4, None))]
    whole = xr.concat(parts, dim="document", data_vars="minimal", join="outer", compat="equals")
    assert as_python(span_ratings(whole)) == as_python(span_ratings(spans))


def test_other_spans_are_joined_by_merge_alone(spans: xr.Dataset) -> None:
    joined = xr.concat([spans, spans], dim="document", data_vars="all", join="outer")
    with pytest.raises(IaaError, match=r"joined with `data.merge`, not by xarray"):
        iaa.span_f1(joined)
    with pytest.raises(IaaError, match="start"):
        iaa.span_f1(spans.drop_vars("start"))


@pytest.mark.parametrize("form", ["spans", "ratings"])
def test_codes_of_labels_do_not_follow(spans: xr.Dataset, form: str) -> None:
    data = spans if form == "spans" else span_ratings(spans)
    for wrong in (data.isel(label=[0, 1]), data.isel(label=[2, 1, 0])):
        with pytest.raises(IaaError, match="codes do not follow when labels are moved"):
            iaa.span_f1(wrong)
    renamed = data.assign_coords(label=["x", "y", "z"])
    assert float(iaa.span_f1(renamed, interval=None).estimate) == pytest.approx(
        float(iaa.span_f1(spans, interval=None).estimate)
    )


def test_who_has_not_seen_a_document_has_marked_nothing_in_it(spans: xr.Dataset) -> None:
    seen = spans["seen"].values.copy()
    row, column = (int(x[0]) for x in np.nonzero(seen))
    seen[row, column] = False
    with pytest.raises(IaaError, match="have not seen the document"):
        iaa.span_f1(spans.assign(seen=(("document", "annotator"), seen)))


def test_ratings_of_other_markings_are_not_joined_by_xarray(spans: xr.Dataset) -> None:
    ratings = span_ratings(spans)
    longer = {
        name: {who: [(start, end + 1, label) for start, end, label in x] for who, x in by.items()}
        for name, by in DOCUMENTS.items()
    }
    other = span_ratings(iaa.from_spans(longer, lengths=LENGTHS))
    part, rest = ratings.isel(item=slice(3)), ratings.isel(item=slice(3, None))

    def together(*several: xr.Dataset) -> xr.Dataset:
        minimal = {"data_vars": "minimal", "coords": "minimal"}
        return xr.concat(several, dim="item", join="outer", compat="override", **minimal)

    assert as_python(together(part, rest)) == as_python(ratings)
    joined = together(ratings, other)
    with pytest.raises(IaaError, match="other spans, labels or annotators"):
        iaa.span_f1(joined)


def test_rated_says_who_saw_what(spans: xr.Dataset) -> None:
    np.testing.assert_array_equal(iaa.data.rated(spans), spans["seen"].values)
