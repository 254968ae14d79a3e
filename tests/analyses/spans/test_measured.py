"""Spans whose places are real numbers, as seconds: measured, so that the unit does not count."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax import IaaError, from_spans
from iaa_jax.analyses.gold.spans import gold_spans

Marked = dict[str, dict[str, list[tuple[float, float, str]]]]

TALK: Marked = {
    "d1": {
        "ann": [(0.25, 1.5, "A"), (2.125, 3.5, "B"), (6.0, 7.75, "A")],
        "bob": [(0.5, 1.625, "A"), (2.125, 3.5, "B"), (5.875, 7.5, "B")],
        "cleo": [(0.25, 1.5, "A"), (3.0, 4.25, "B")],
    },
    "d2": {
        "ann": [(1.1, 2.3, "B"), (4.0, 4.4, "A")],
        "bob": [(1.1, 2.3, "B")],
        "cleo": [(1.0, 2.2, "A"), (4.1, 4.4, "A")],
    },
}
LENGTHS = {"d1": 9.5, "d2": 5.3}
FIGURES = {
    **{
        match: lambda spans, match=match: iaa.span_f1(spans, match=match, interval=None)
        for match in ("strict", "partial", "boundary", "half_credit", "token")
    },
    **{
        form: lambda spans, form=form: iaa.unitizing_alpha(spans, form=form, interval=None)
        for form in ("alpha_u", "u", "cu", "ku")
    },
    "gamma": lambda spans: iaa.gamma(spans, interval=None),
    "gamma_cat": lambda spans: iaa.gamma(spans, interval=None).gamma_cat,
}


def estimate(name: str, spans: xr.Dataset) -> np.ndarray:
    found = FIGURES[name](spans)
    return np.asarray(found.estimate if "estimate" in found else found)


def talk(times: float = 1.0, digits: int = 12) -> xr.Dataset:
    """Return spans of a talk, with times in another unit."""

    def in_unit(place: float) -> float:
        return round(place * times, digits)

    marked = {
        document: {
            who: [(in_unit(start), in_unit(end), label) for start, end, label in spans]
            for who, spans in by.items()
        }
        for document, by in TALK.items()
    }
    return from_spans(marked, lengths={name: in_unit(n) for name, n in LENGTHS.items()})


@pytest.mark.parametrize("name", FIGURES)
def test_the_unit_does_not_count(name: str) -> None:
    found = [estimate(name, talk(times)) for times in (1.0, 10.0, 1 / 60, 1.7)]
    assert np.isfinite(found[0]).all()
    for other in found[1:]:
        np.testing.assert_allclose(other, found[0], rtol=1e-9)


@pytest.mark.parametrize("name", FIGURES)
def test_many_whole_places_come_near(name: str) -> None:
    """Places that are counted are so many that single ones hardly matter."""
    measured = estimate(name, talk())
    counted = estimate(name, talk(100_000, digits=0))
    within = 0.05 if name.startswith("gamma") else 1e-4  # other chance continua
    np.testing.assert_allclose(measured, counted, atol=within)


def test_u_alpha_of_measured_places_by_hand() -> None:
    """Two annotators: [0, 2) and [0.5, 2) of one label, in a continuum of 4."""
    spans = from_spans({"d": {"ann": [(0, 2, "x")], "bob": [(0.5, 2, "x")]}}, lengths={"d": 4})
    # values "x" and gap: coincidences by length, both ways
    lengths = np.array([3.5, 4.5])
    observed = 2 * 0.5 / lengths.sum()
    pairs = lengths.sum() ** 2 - (2**2 + 1.5**2)
    expected = 2 * lengths.prod() / pairs
    estimate = iaa.unitizing_alpha(spans, form="u", interval=None).estimate
    assert float(estimate) == pytest.approx(1 - observed / expected, abs=1e-12)


def test_places_stay_as_they_are_given() -> None:
    spans = talk()
    assert spans.start.dtype == np.float64
    assert spans.start.values[:3].tolist() == [0.25, 2.125, 6.0]
    assert spans.length.values.tolist() == [9.5, 5.3]
    whole = from_spans({"d": {"ann": [(0.0, 2.0, "x")], "bob": [(1, 2, "x")]}})
    assert whole.start.dtype == np.int64


def test_passages_and_gold_spans_have_the_times() -> None:
    passages = iaa.span_f1.passages(talk(), 9)
    assert {0.25, 2.125} <= set(passages["start"].values.tolist())
    assert {0.25, 1.5} <= {*passages["mark_start"].values, *passages["mark_end"].values}
    gold = gold_spans(talk())
    assert 0.25 in gold["start"].values.tolist()
    assert "0.25 to 1.5" in gold["places"].values.tolist()


def test_what_counts_places_is_refused() -> None:
    for function in (iaa.boundary_similarity, iaa.window_diff, iaa.pk):
        with pytest.raises(IaaError, match="counts places, and these places are measured"):
            function(talk())
    with pytest.raises(IaaError, match="and not tokens"):
        iaa.data.token_ratings(talk())


def test_a_file_holds_them(tmp_path: Path) -> None:
    path = tmp_path / "spans.csv"
    rows = [
        f"{document},{who},{start},{end},{label}"
        for document, by in TALK.items()
        for who, spans in by.items()
        for start, end, label in spans
    ]
    path.write_text("document,annotator,start,end,label\n" + "\n".join(rows))
    spans = iaa.read_spans(path)
    assert float(iaa.span_f1(spans).estimate) == float(iaa.span_f1(talk()).estimate)
    long = iaa.read_long(path)
    assert long["start"].tolist()[:2] == [0.25, 2.125]
    assert from_spans(long).start.equals(spans.start)


def test_ends_that_are_hardly_ever_equal_are_told() -> None:
    apart = {"d": {"ann": [(0.5, 2, "x"), (3, 4.5, "x")], "bob": [(0.6, 2.1, "x"), (3.1, 4, "x")]}}
    said = str(iaa.page(iaa.span_f1(from_spans(apart), interval=None)))
    assert "strict F1 is near 0 however well annotators agree" in " ".join(said.split())
    for spans in (talk(), from_spans({"d": {"ann": [(0, 4, "x")], "bob": [(0, 5, "x")]}})):
        assert "hardly ever equal" not in str(iaa.page(iaa.span_f1(spans, interval=None)))
