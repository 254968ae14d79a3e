"""Gamma: published figures, what must not change it, documents, and what its draws leave open."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.measure import functions
from tests.analyses.marked import marked, units
from tests.oracles import gamma as oracle
from tests.reference.spans import span_cases

ONE = {"d": {"ann": [(0, 6, "x"), (9, 12, "y")], "bob": [(1, 6, "x"), (9, 12, "x")]}}


def figure(made: dict[str, Any] | xr.Dataset, **options: Any) -> float:
    spans = made if isinstance(made, xr.Dataset) else iaa.from_spans(made)
    return float(iaa.gamma(spans, interval=None, **options).estimate)


def test_the_published_example() -> None:
    """Any seed lies in the range of the peer, whose own draws give 0.44 to 0.47."""
    (case,) = [case for case in span_cases("gamma") if case.id == "aps__gamma_published"]
    spans = iaa.from_spans({"d": {k: [tuple(s) for s in v] for k, v in _aps().items()}})
    found = [iaa.gamma(spans, interval=None, unaligned=True, seed=seed) for seed in range(8)]
    for name, key in (("estimate", "gamma_range"), ("gamma_cat", "gamma_cat_published_range")):
        low, high = case.expected[key]
        figures = [float(result[name]) for result in found]
        assert low <= min(figures) < max(figures) <= high
    assert len({float(result.estimate) for result in found}) == 8
    result = found[0]
    assert result.observed_disorder == pytest.approx(0.960625)
    wanted = {"1": 1, "2": 0, "3": 0, "4": 0, "5": 1, "6": 0.37}
    for label, value in wanted.items():
        assert float(result.gamma_k.sel(label=label)) == pytest.approx(value, abs=0.03)


def _aps() -> dict[str, list[list[Any]]]:
    (case,) = [case for case in span_cases() if case.id == "aps__gamma_disorder"]
    return case.record["annotators"]


def test_a_draw_is_the_same_again_and_another_seed_another() -> None:
    assert figure(ONE) == figure(ONE)
    assert figure(ONE) != figure(ONE, seed=1)


def test_the_disorder_of_a_corpus_is_that_of_its_documents() -> None:
    """Documents count by the mean number of units of their annotators."""
    made = units(6, 3)
    result = iaa.gamma(iaa.from_spans(made), interval=None)
    weight = np.array([sum(map(len, each.values())) / len(each) for each in made.values()])
    of_documents = result.sel(document=list(made))
    wanted = [oracle.disorder(each) for each in made.values() if _small(each)]
    small = [_small(each) for each in made.values()]
    np.testing.assert_allclose(of_documents.document_observed_disorder[small], wanted, atol=1e-9)
    sums = [
        float(weight @ of_documents[f"document_{name}_disorder"].values)
        for name in ("observed", "expected")
    ]
    assert float(result.estimate) == pytest.approx(1 - sums[0] / sums[1])
    assert float(result.observed_disorder) == pytest.approx(sums[0] / weight.sum())


def _small(document: dict[str, list[Any]]) -> bool:
    return max(map(len, document.values())) <= 3


def test_orders_do_not_matter() -> None:
    made = units(12, 4)
    turned = {
        name: {who: document[who][::-1] for who in sorted(document, reverse=True)}
        for name, document in reversed(made.items())
    }
    assert figure(turned) == figure(made)


def test_other_names_of_labels_and_annotators_do_not_matter() -> None:
    made = units(12, 4)
    label = {"LOC": "zone", "ORG": "body", "PER": "who"}
    renamed = {
        name: {f"x{who}": [(s, e, label[k]) for s, e, k in each] for who, each in document.items()}
        for name, document in made.items()
    }
    assert figure(renamed) == pytest.approx(figure(made), abs=1e-12)


def test_a_shift_does_not_matter() -> None:
    made = units(12, 4)
    shifted = {
        name: {who: [(s + 70, e + 70, k) for s, e, k in each] for who, each in document.items()}
        for name, document in made.items()
    }
    assert figure(shifted) == pytest.approx(figure(made), abs=1e-12)


def test_an_annotator_left_out_is_as_if_he_had_not_been_there() -> None:
    made = units(10, 5)
    without = {n: {w: e for w, e in each.items() if w != "cleo"} for n, each in made.items()}
    kept = iaa.data.keep_annotators(iaa.from_spans(made), ["ann", "bob"])
    assert figure(kept) == figure(without)


def test_a_document_twice_counts_twice() -> None:
    made = units(5, 6)
    twice = made | {f"again {name}": each for name, each in made.items()}
    assert figure(twice) == pytest.approx(figure(made), abs=1e-12)


def test_perfect_agreement_is_1() -> None:
    same = {f"d{k}": {"ann": [(k, k + 4, "x"), (k + 6, k + 9, "y")]} for k in range(12)}
    same = {name: {**each, "bob": each["ann"]} for name, each in same.items()}
    result = iaa.gamma(iaa.from_spans(same))
    assert result.attrs["conclusion"] == "perfect"
    assert float(result.estimate) == float(result.gamma_cat) == 1.0


def test_labels_by_chance_alone_are_told_apart_from_places() -> None:
    """Places agree and labels are drawn: gamma-cat is near 0, and gamma is not."""
    rng = np.random.default_rng(1)
    made = {
        f"d{k}": {
            who: [(10 * j, 10 * j + 6, str(rng.choice(list("xy")))) for j in range(10)]
            for who in ("ann", "bob")
        }
        for k in range(30)
    }
    result = iaa.gamma(iaa.from_spans(made))
    assert abs(float(result.gamma_cat)) < 0.2 < 0.4 < float(result.estimate)


def test_precision_is_reached_and_said() -> None:
    result = iaa.gamma(iaa.from_spans(ONE), precision=0.01, interval=None)
    rough = iaa.gamma(iaa.from_spans(ONE), precision=0.5, interval=None)
    assert int(rough.samples) == 30 < int(result.samples)
    assert float(result.chance_precision) <= 0.01 < float(rough.chance_precision)
    error = float(result.chance_error)
    assert error == pytest.approx((1 - float(result.estimate)) * result.chance_precision / 1.96)
    assert abs(float(rough.estimate) - float(result.estimate)) < 4 * float(rough.chance_error)
    assert "standard error" in str(iaa.page(result))


def test_the_error_of_the_draws_is_that_between_seeds() -> None:
    spans = iaa.from_spans(ONE)
    drawn = [iaa.gamma(spans, interval=None, precision=0.9, seed=seed) for seed in range(60)]
    between = np.std([float(each.estimate) for each in drawn])
    said = np.mean([float(each.chance_error) for each in drawn])
    assert 0.7 < said / between < 1.4


def test_one_document_has_no_interval_over_documents() -> None:
    result = iaa.gamma(iaa.from_spans(ONE))
    assert np.isnan(result.ci_low)
    assert float(result.chance_error) > 0


def test_nothing_marked_is_undefined() -> None:
    result = iaa.gamma(iaa.from_spans({**ONE, "d": {"ann": [], "bob": []}}, labels=["x"]))
    assert result.attrs["conclusion"] == "undefined"
    assert np.isnan(result.estimate)
    assert "nobody marked anything" in str(result.reason.item())


def test_a_document_without_marks_changes_nothing() -> None:
    made = units(6, 7)
    more = {**made, "empty": {"ann": [], "bob": []}, "one": {"ann": [(0, 4, "PER")]}}
    assert figure(more) == pytest.approx(figure(made), abs=1e-12)


def test_places_are_those_of_the_document_where_its_length_is_known() -> None:
    longer = iaa.gamma(iaa.from_spans(ONE, lengths={"d": 500}), interval=None)
    within = iaa.gamma(iaa.from_spans(ONE), interval=None)
    assert float(longer.observed_disorder) == float(within.observed_disorder)
    assert float(longer.expected_disorder) > float(within.expected_disorder)


def test_by_name_it_has_the_usual_parameters() -> None:
    spans = marked(20, 1)
    alone = iaa.gamma(spans, replicates=200)
    others = iaa.agreement(spans, ["span_f1", "gamma", "gamma_cat"], replicates=200)
    beside = others.sel(coefficient="gamma")
    assert float(alone.estimate) == float(beside.estimate)
    for end in ("ci_low", "ci_high"):  # from sums of several coefficients in one product
        assert float(alone[end]) == pytest.approx(float(beside[end]), rel=1e-13)
    assert float(alone.gamma_cat) == float(others.estimate.sel(coefficient="gamma_cat"))
    np.testing.assert_array_equal(alone.gamma_k, functions.gamma_k(spans, replicates=200).estimate)
    assert "gamma" not in iaa.agreement(spans, interval=None).coefficient


def test_labels_that_are_alike() -> None:
    spans = iaa.from_spans(ONE)
    alike = figure(spans, label_dissimilarity=[[0, 0.1], [0.1, 0]])
    apart = iaa.gamma(spans, label_dissimilarity=[[0, 1], [1, 0]], interval=None)
    assert float(apart.estimate) == figure(spans)
    assert alike > figure(spans)


def test_progress_counts_chance_continua() -> None:
    told: list[tuple[int, int]] = []
    iaa.gamma(marked(10, 1), interval=None, progress=lambda *each: told.append(each))
    assert told[-1] == (300, 300)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"alpha": -1}, "alpha"),
        ({"beta": "1"}, "beta"),
        ({"alpha": 0, "beta": 0}, "all units would be equal"),
        ({"delta_empty": 0}, "delta_empty"),
        ({"precision": 1}, "precision"),
        ({"draws": 1}, "draws"),
        ({"label_dissimilarity": [[0, 1]]}, "symmetric table of 2 x 2"),
        ({"label_dissimilarity": [[0, 1], [2, 0]]}, "symmetric table of 2 x 2"),
        ({"sampling": iaa.Sampling(annotators="random")}, "enter this figure together"),
    ],
)
def test_what_does_not_fit_is_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises((iaa.IaaError, TypeError), match=said):
        iaa.gamma(marked(12, 1) if "sampling" in options else iaa.from_spans(ONE), **options)
