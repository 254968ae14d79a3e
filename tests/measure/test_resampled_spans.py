"""Intervals of F1 against loops over documents: repeated, left out, or weighted a little more."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
import xarray as xr
from scipy import stats

import iaa_jax as iaa
from tests.analyses.marked import as_spans, units
from tests.noted import notes_of
from tests.oracles import resampling, strict_f1
from tests.oracles.strict_f1 import Marks

NAMES = ("ann", "bob", "cleo", "dan")
MANY = 1500


@cache
def documents() -> list[Marks]:
    """Thirty documents that one or two of four annotators may not have seen."""
    return [*units(30, 7, NAMES, seen=0.7).values()]


@cache
def spans() -> xr.Dataset:
    made = as_spans(units(30, 7, NAMES, seen=0.7))
    return made.assign_coords(source=("document", np.arange(30) % 8))


@cache
def gradient() -> list[float]:
    """How F1 changes with the weight of each document."""
    step, found = 1e-6, []
    for place in range(len(documents())):
        up, down = (
            [1 + sign * step * (other == place) for other in range(len(documents()))]
            for sign in (1, -1)
        )
        difference = strict_f1.f1(documents(), up) - strict_f1.f1(documents(), down)
        found.append(difference / (2 * step))
    return found


def by_documents(places: list[int]) -> float:
    return strict_f1.f1([documents()[place] for place in places])


def without(name: str) -> float:
    return strict_f1.f1(documents(), annotators={who: float(who != name) for who in NAMES})


def interval(how: str | iaa.Interval, **options: object) -> tuple[float, float]:
    found = iaa.span_f1(spans(), interval=how, **options)
    return float(found.ci_low), float(found.ci_high)


def test_standard_errors_equal_plain_loops() -> None:
    infinitesimal = resampling.infinitesimal_jackknife_standard_error(gradient())
    found = iaa.span_f1(spans(), interval="normal")
    assert float(found.standard_error) == pytest.approx(infinitesimal, rel=1e-6)
    left_out = resampling.delete_one_estimates(by_documents, len(documents()))
    found = iaa.span_f1(spans(), interval=iaa.Interval("t", standard_error="jackknife"))
    slow = resampling.jackknife_standard_error(left_out)
    assert float(found.standard_error) == pytest.approx(slow, rel=1e-12)


def test_replicates_equal_figures_of_repeated_documents() -> None:
    drawn = iaa.bootstrap(spans(), "span_f1", replicates=MANY).replicates.values
    draws = np.random.default_rng(1).integers(0, 30, (MANY, 30))
    slow = np.array([by_documents(row.tolist()) for row in draws])
    assert stats.ks_2samp(drawn, slow).pvalue > 0.001
    assert drawn.std() == pytest.approx(slow.std(), rel=0.1)


def test_replicates_of_documents_and_annotators_equal_a_loop() -> None:
    both = iaa.Sampling(annotators="random")
    drawn = iaa.bootstrap(spans(), "span_f1", replicates=MANY, sampling=both).replicates.values
    rng = np.random.default_rng(2)
    slow = []
    for _ in range(MANY):
        weights = rng.multinomial(30, [1 / 30] * 30).tolist()
        counts = dict(zip(NAMES, rng.multinomial(4, [1 / 4] * 4).tolist(), strict=True))
        slow.append(strict_f1.f1(documents(), weights, counts))
    known, known_slow = drawn[~np.isnan(drawn)], np.array(slow)[~np.isnan(slow)]
    assert len(known) == pytest.approx(len(known_slow), abs=5 * math.sqrt(MANY * 0.02))
    assert stats.ks_2samp(known, known_slow).pvalue > 0.001


def test_errors_over_annotators_leave_each_out() -> None:
    found = iaa.span_f1(spans(), sampling=iaa.Sampling(annotators="random"))
    items = resampling.infinitesimal_jackknife_standard_error(gradient())
    annotators = resampling.jackknife_standard_error([*map(without, NAMES)])
    assert float(found.standard_error) == pytest.approx(math.hypot(items, annotators), rel=1e-6)


def test_bca_equals_a_plain_loop() -> None:
    drawn = iaa.bootstrap(spans(), "span_f1", replicates=1000, seed=3)
    influence = resampling.centred_influence(gradient())
    slow = resampling.bca_interval(
        drawn.replicates.values.tolist(), strict_f1.f1(documents()), influence
    )
    assert interval("bca", replicates=1000, seed=3) == pytest.approx(slow, rel=1e-6)


def test_abc_equals_finite_differences() -> None:
    slow = resampling.abc_numbers(lambda shares: strict_f1.f1(documents(), shares), 30)
    assert interval("abc") == pytest.approx(slow.ends, abs=1e-5)


def test_clusters_are_drawn_whole() -> None:
    groups = [[place for place in range(30) if place % 8 == source] for source in range(8)]
    sums = [sum(gradient()[place] for place in group) for group in groups]
    slow = resampling.infinitesimal_jackknife_standard_error(sums)
    how = iaa.Interval("t", transform="range")
    found = iaa.span_f1(spans(), interval=how, sampling=iaa.Sampling(cluster="source"))
    assert float(found.standard_error) == pytest.approx(slow, rel=1e-6)
    line = math.log(float(found.estimate) / (1 - float(found.estimate)))
    slope = 1 / float(found.estimate) + 1 / (1 - float(found.estimate))
    low, high = (line + sign * stats.t.ppf(0.975, 7) * slope * slow for sign in (-1, 1))
    assert [float(found.ci_low), float(found.ci_high)] == pytest.approx(
        [1 / (1 + math.exp(-end)) for end in (low, high)], abs=1e-6
    )


def test_a_sample_of_a_finite_population_varies_less() -> None:
    whole, part = iaa.span_f1(spans()), iaa.span_f1(spans(), sampling=iaa.Sampling(population=40))
    factor = math.sqrt(1 - 30 / 40)
    assert float(part.standard_error) == pytest.approx(factor * float(whole.standard_error))


def agreed(sizes: list[int]) -> xr.Dataset:
    """Two annotators who mark the same, so many units in each document."""
    marks = [[(10 * place, 10 * place + 3, "A") for place in range(size)] for size in sizes]
    return as_spans({f"d{number}": {"a": some, "b": some} for number, some in enumerate(marks)})


@pytest.mark.parametrize(
    ("sizes", "units_in_effect"), [([3] * 20, 20), ([0, 0, 3] * 7, 7), ([1, 9] * 10, 100**2 / 820)]
)
def test_an_f1_of_1_is_bounded_by_the_documents_that_hold_something(
    sizes: list[int], units_in_effect: float
) -> None:
    found = iaa.span_f1(agreed(sizes))
    assert float(found.ci_low) == pytest.approx(0.025 ** (1 / units_in_effect), rel=1e-6)
    assert float(found.ci_high) == 1.0
    (note,) = notes_of(found, "unanimous")
    assert note.values["chance"].code == "sizes_as_seen"


def disputed(documents: int) -> xr.Dataset:
    """A in all documents, alike; B in each third, alike; C in every other one, never alike."""
    made: dict[str, dict[str, list[tuple[int, int, str]]]] = {}
    for number in range(documents):
        both = [(0, 3, "A")] + [(5, 8, "B")] * (number % 3 == 0)
        ann, ben = ([(9 + shift, 12 + shift, "C")] * (number % 2) for shift in (0, 5))
        made[f"d{number}"] = {"ann": both + ann, "ben": both + ben}
    return as_spans(made)


def test_an_f1_of_1_or_0_of_a_label_is_bounded_by_the_documents_that_have_it() -> None:
    found = iaa.span_f1(disputed(30))
    assert found.label_f1.values.tolist() == [1.0, 1.0, 0.0]
    low, high = 0.025 ** (1 / np.array([30, 10])), 1 - 0.025 ** (1 / 15)
    assert found.label_f1_ci_low.values == pytest.approx([*low, 0], rel=1e-6)
    assert found.label_f1_ci_high.values == pytest.approx([1, 1, high], rel=1e-6)
    assert found.label_gap_ci_high.values == pytest.approx([*(1 - low), high], rel=1e-6)
    (note,) = notes_of(found, "at_bound")
    assert list(note.about) == ["A", "B", "C"]
    assert not [*notes_of(found, "perfect"), *notes_of(found, "no_width")]


def test_label_pages_and_stored_replicates_have_the_same_ends() -> None:
    spans_of_three = disputed(30)
    found, each = iaa.span_f1(spans_of_three), iaa.labels(spans_of_three, coefficient="span_f1")
    assert each.coefficient_ci_low.values == pytest.approx(found.label_f1_ci_low.values)
    assert each.coefficient_ci_high.values == pytest.approx(found.label_f1_ci_high.values)
    drawn = iaa.bootstrap(spans_of_three, "label_span_f1")
    again = iaa.bootstrap.intervals(drawn)
    assert again.ci_low.values == pytest.approx(found.label_f1_ci_low.values)
    assert again.ci_high.values == pytest.approx(found.label_f1_ci_high.values)


def test_a_rare_label_that_nobody_shares_is_not_blamed_on_replicates_without_it() -> None:
    rare = {"a": [(0, 3, "A"), (5, 8, "B")], "b": [(0, 3, "A")]}
    usual = {"a": [(0, 3, "A")], "b": [(0, 3, "A")]}
    found = iaa.span_f1(as_spans({f"d{k}": usual if k else rare for k in range(30)}))
    assert float(found.label_f1_ci_high.sel(label="B")) == pytest.approx(0.975)
    assert not notes_of(found, "many_undefined")


def test_an_f1_of_0_has_an_upper_end() -> None:
    nothing = {f"d{k}": {"a": [(0, 3, "A")], "b": [(5, 8, "A")]} for k in range(30)}
    found = iaa.span_f1(as_spans(nothing))
    for name in ("", "f1_", "macro_f1_", "gap_"):
        ends = float(found[f"{name}ci_low"]), float(found[f"{name}ci_high"])
        assert ends == pytest.approx((0, 1 - 0.025 ** (1 / 30)))
    assert notes_of(found, "at_bound")
    assert float(iaa.span_f1(as_spans(nothing), interval="bca").ci_high) == 0  # as asked for


def test_few_documents_are_in_doubt_even_if_all_agree() -> None:
    assert iaa.span_f1(agreed([3] * 9)).doubt.item() == "few_items"
    assert iaa.span_f1(agreed([3] * 10)).doubt.item() == ""


def test_few_documents_with_most_of_the_spread_are_in_doubt() -> None:
    """One document in forty disagrees, in all that it holds."""
    made = {
        f"d{place}": {
            "a": [(0, 3, "A"), (5, 8, "A")],
            "b": [(0, 3, "A"), (5, 8, "A")] if place else [(0, 2, "A"), (5, 9, "A")],
        }
        for place in range(40)
    }
    assert iaa.span_f1(as_spans(made)).doubt.item() == "few_carriers"
    assert iaa.span_f1(spans()).doubt.item() == ""
