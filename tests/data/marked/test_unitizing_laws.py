"""Alpha for units against slow loops written from the papers, and the laws that it obeys."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import jax
import numpy as np
import pytest

import iaa_jax as iaa
from iaa_jax.catalog import CATALOG, Measure
from iaa_jax.data.as_ratings import span_ratings
from iaa_jax.measure.ratings.rated import Rated
from tests.data.marked.continua import LABELS, dataset, documents
from tests.oracles import units as oracle
from tests.taken import one_of

ORACLES: dict[str, Callable[..., float]] = {
    "alpha_u": oracle.alpha_u,
    "u": oracle.u_alpha,
    "ub": partial(oracle.u_alpha, binary=True),
    "cu": oracle.cu_alpha,
}
FORMS = CATALOG["unitizing_alpha"].variants["form"]
each_form = pytest.mark.parametrize("form", ORACLES)
SETS = [(seed, annotators) for annotators in (2, 3, 4) for seed in range(5)]
each_set = pytest.mark.parametrize(("seed", "annotators"), one_of(3, SETS))


def alpha(made: list[oracle.Document], form: str) -> float:
    return float(iaa.unitizing_alpha(dataset(made), form=form, interval=None).estimate)


@each_form
@each_set
def test_alpha_is_its_oracle(form: str, seed: int, annotators: int) -> None:
    made = documents(seed, 4, annotators)
    assert alpha(made, form) == pytest.approx(ORACLES[form](made), abs=1e-12, nan_ok=True)


@each_set
def test_labels_are_their_oracles(seed: int, annotators: int) -> None:
    made = documents(seed, 4, annotators)
    ku = iaa.unitizing_alpha(dataset(made), form="ku", interval=None)
    of_1995 = iaa.unitizing_alpha(dataset(made), per_label=True, interval=None)
    used = oracle.labels_of(oracle.with_pairs(made))
    for label in used:
        found = ku.sel(label=label)
        wanted = oracle.cu_alpha(made, label)
        assert float(found.estimate) == pytest.approx(wanted, abs=1e-12, nan_ok=True)
        assert float(found.coverage) == pytest.approx(oracle.coverage(made, label), abs=1e-12)
        observed, expected = oracle.alpha_u_of_label(made, label)
        one = of_1995.sel(label=label)
        assert 1 - float(one.observed) == pytest.approx(observed, abs=1e-12)
        assert 1 - float(one.expected) == pytest.approx(expected, abs=1e-12)
    for label in set(LABELS) - {*used}:
        assert np.isnan(of_1995.sel(label=label).estimate)


def measured(form: str) -> tuple[Measure, np.ndarray, list[oracle.Document]]:
    made = documents(7, 6, 3)
    tables = Rated(span_ratings(dataset(made)))
    measure = FORMS[form]
    order = tables.exchangeable.pattern_of[tables.identified.pattern_of]
    return measure, tables.mass(measure)[order], made


@pytest.mark.parametrize("form", FORMS)
def test_whole_weights_repeat_documents(form: str) -> None:
    measure, data, made = measured(form)
    times = np.random.default_rng(1).integers(0, 4, len(made))
    found = measure.kernel(data, item_weight=times.astype(float))
    again = measure.kernel(np.repeat(data, times, axis=0))
    np.testing.assert_allclose(found.estimate, again.estimate, rtol=0, atol=1e-12)
    if form in ORACLES:
        repeated = [document for document, k in zip(made, times, strict=True) for _ in range(k)]
        assert float(found.estimate) == pytest.approx(ORACLES[form](repeated), abs=1e-12)


@pytest.mark.parametrize("form", one_of(2, FORMS))
def test_compiled_is_eager_and_has_slopes(form: str) -> None:
    measure, data, _ = measured(form)
    weight = np.random.default_rng(2).uniform(0.5, 2, len(data))

    def estimate(weight: jax.Array) -> jax.Array:
        return measure.kernel(data, item_weight=weight).estimate.sum()

    with jax.enable_x64(True):
        compiled = jax.jit(estimate)(weight)
        slopes = np.asarray(jax.grad(estimate)(weight))
    plain = measure.kernel(data, item_weight=weight).estimate.sum()
    np.testing.assert_allclose(compiled, plain, rtol=0, atol=1e-12)
    for place in range(len(weight)):
        step = 1e-6 * (np.arange(len(weight)) == place)
        ends = [
            measure.kernel(data, item_weight=weight + each).estimate.sum() for each in (-step, step)
        ]
        assert slopes[place] == pytest.approx((ends[1] - ends[0]) / 2e-6, abs=1e-6)


@pytest.mark.parametrize("form", ["alpha_u", "u", "ub"])
def test_annotators_told_apart(form: str) -> None:
    """Of equal weight they give the same; of none they are as if they had seen nothing."""
    from dataclasses import replace

    made = documents(11, 8, 4)
    tables = Rated(span_ratings(dataset(made)))
    measure = replace(FORMS[form], identified=True)
    data = tables.mass(measure)
    count = tables.table(measure).count
    whole = measure.kernel(data, item_weight=count, annotator_weight=np.full(4, 1.0))
    assert float(whole.estimate) == pytest.approx(alpha(made, form), abs=1e-12)
    without = measure.kernel(data, item_weight=count, annotator_weight=np.array([1.0, 0, 1, 1]))
    left = [(n, {who: units for who, units in of.items() if who != "a1"}) for n, of in made]
    left = [each for each in left if each[1]]
    assert float(without.estimate) == pytest.approx(ORACLES[form](left), abs=1e-12)


@pytest.mark.slow
@each_form
def test_intervals_over_documents_are_those_of_a_plain_bootstrap(form: str) -> None:
    made = documents(5, 30, 3, longest=12)
    found = iaa.unitizing_alpha(
        dataset(made), form=form, interval="percentile", replicates=400, seed=1
    )
    rng = np.random.default_rng(0)
    drawn = [
        ORACLES[form]([made[place] for place in rng.integers(0, len(made), len(made))])
        for _ in range(40 if form.startswith("u") else 150)
    ]
    spread = float(np.std(drawn))
    assert float(found.standard_error) == pytest.approx(spread, rel=0.35)
    assert float(found.ci_low) < np.median(drawn) < float(found.ci_high)
    width = float(found.ci_high - found.ci_low)
    assert width == pytest.approx(2 * 1.96 * spread, rel=0.35)
