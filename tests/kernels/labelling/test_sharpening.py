"""Sharpening against reference values and an oracle, and in every form that it runs in."""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from iaa_jax.engine.computing import UNASKED
from iaa_jax.engine.fits import Tolerance
from iaa_jax.engine.fitted_rows import fit_rows
from iaa_jax.kernels.labelling.method import Weights
from iaa_jax.kernels.labelling.sharpening import Numbers, Sharpening, concentration_of
from tests.kernels.labelling.masses import (
    TIGHT,
    Floats,
    dense,
    listed,
    mass_of,
    noise,
    sharpened,
    votes_of,
    votes_of_case,
)
from tests.oracles.sharpening import sharpen
from tests.reference.aggregation import AggregationCase, aggregation_cases

KINDS = ("entropy", "variance", "none")
CASES = [
    case
    for case in aggregation_cases("sharpen", "sharpen_multilabel")
    if "ratings" not in case.options
]


def method_of(case: AggregationCase) -> Sharpening:
    sets = case.method == "sharpen_multilabel"
    return Sharpening(case.options["item_weight"], case.options.get("link", "linear"), sets)


@pytest.mark.parametrize("slots", [False, True], ids=["grid", "slots"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_reference_values(case: AggregationCase, slots: bool) -> None:
    names, mass = mass_of(votes_of_case(case))
    method = method_of(case)
    options = case.options
    fit = sharpened(mass, method, slots=slots, floor=options["eps"], least=options["omega"])
    expected, within = case.expected, case.abs_tol
    weights, kappas = expected["annotator_weights"], expected["kappa"]
    assert fit.state.skill == pytest.approx([weights[name] for name in names], abs=within)
    for name, kappa in zip(names, fit.state.kappa, strict=True):
        if kappas[name] is None:
            assert math.isnan(kappa)
        else:
            assert kappa == pytest.approx(kappas[name], abs=within)
    of_items = method.item_weight(fit.state.probability)
    for place, item in enumerate(votes_of_case(case)):
        posterior = [expected["posterior"][item][label] for label in options["labels"]]
        assert fit.state.probability[place] == pytest.approx(posterior, abs=within)
        known = expected.get("item_weights", {}).get(item)
        if known is not None:
            assert of_items[place] == pytest.approx(known, abs=within)
    assert bool(fit.converged) == (expected.get("status", "converged") == "converged")


@pytest.mark.parametrize("link", ["linear", "logodds"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("sets", [False, True], ids=["labels", "sets"])
@pytest.mark.parametrize("prior", [0.0, 3.0])
def test_the_oracle_says_the_same(kind: str, link: str, sets: bool, prior: float) -> None:
    for seed in range(3):
        mass = noise(seed)
        if sets:
            mass = np.where(np.isnan(mass), np.nan, (mass + np.roll(mass, 1, axis=0) > 0) * 1.0)
            mass[np.isnan(mass).any(axis=2)] = np.nan
        by_loops = sharpen(votes_of(mass), kind=kind, link=link, n0=prior, sets=sets, tol=TIGHT)
        method = Sharpening(kind, link, sets)
        for slots in (False, True):
            fit = sharpened(mass, method, prior=prior, slots=slots)
            assert (int(fit.iterations), bool(fit.converged)) == (
                by_loops.iterations,
                by_loops.status == "converged",
            )
            names = [str(number) for number in range(mass.shape[1])]
            weights = [by_loops.weights.get(name, 1.0) for name in names]
            assert fit.state.skill == pytest.approx(weights, abs=1e-8)
            posterior = [by_loops.posterior[str(item)] for item in range(len(mass))]
            assert fit.state.probability == pytest.approx(np.array(posterior), abs=1e-8)


def cycling() -> tuple[Floats, int]:
    """A table of noise whose undamped steps would go round in circles; and its steps."""
    for seed in range(1000):
        rng = np.random.default_rng(seed)
        codes = rng.integers(0, 2, (int(rng.integers(2, 6)), int(rng.integers(3, 6))))
        mass = np.eye(2)[codes]
        by_loops = sharpen(votes_of(mass), tol=TIGHT)
        if 40 < by_loops.iterations < 200:
            return mass, by_loops.iterations
    raise AssertionError


def test_damping_follows_the_residual_step_by_step() -> None:
    mass, steps = cycling()
    for most in (6, 12, 40, steps):
        by_loops = sharpen(votes_of(mass), tol=TIGHT, max_iter=most)
        fit = sharpened(mass, most=most)
        assert (int(fit.iterations), bool(fit.converged)) == (
            by_loops.iterations,
            by_loops.status == "converged",
        )
        assert fit.state.change == pytest.approx(by_loops.residuals[-1], abs=1e-9)
        assert fit.state.skill == pytest.approx(list(by_loops.weights.values()), abs=1e-8)


def test_without_convergence_the_weights_of_the_smallest_residual_are_kept() -> None:
    mass = noise(1)
    by_loops = sharpen(votes_of(mass), tol=0.0, max_iter=4)
    fit = sharpened(mass, most=4, accepted=0.0)
    assert not fit.converged
    place = int(np.argmin(by_loops.residuals))
    assert fit.state.skill == pytest.approx(list(by_loops.trace[place].values()), abs=1e-12)


def rows_of(mass: Floats, seed: int, rows: int = 5) -> Weights:
    rng = np.random.default_rng(seed)
    items = rng.integers(0, 3, (rows, len(mass))).astype(float)
    annotators = np.ones((rows, mass.shape[1]))
    annotators[1:3, 1:3] = [[0, 1], [1, 0]]
    return Weights(items, annotators)


@pytest.mark.parametrize("sets", [False, True], ids=["labels", "sets"])
@pytest.mark.parametrize("slots", [False, True], ids=["grid", "slots"])
def test_rows_compiled_are_single_fits_on_numpy(slots: bool, sets: bool) -> None:
    mass = noise(4, 12)
    method = Sharpening(sets=sets)
    weights = rows_of(mass, 2)
    ones = np.ones((len(mass), mass.shape[2]))
    numbers = Numbers(*(np.full(5, x) for x in (0.01, 0.02, 0.5, TIGHT)))
    data = listed(mass) if slots else dense(mass)
    (block,) = fit_rows(
        method, data, [(weights, numbers)], ones, Tolerance(TIGHT, 500), computing=UNASKED
    )
    for row in range(5):
        alone = sharpened(
            mass,
            method,
            item=weights.item[row],
            annotator=weights.annotator[row],
            slots=not slots,
            least=0.02,
            prior=0.5,
        )
        assert block.iterations[row] == alone.iterations
        assert block.state.skill[row] == pytest.approx(alone.state.skill, abs=1e-10)
        assert block.state.probability[row] == pytest.approx(alone.state.probability, abs=1e-10)
        assert block.state.kappa[row] == pytest.approx(alone.state.kappa, abs=1e-10, nan_ok=True)


@pytest.mark.slow
def test_a_gradient_of_the_step_is_finite() -> None:
    mass = noise(6)
    method, numbers = Sharpening(), Numbers()
    data = dense(mass)

    def kappas(at: jax.Array) -> jax.Array:
        weights = Weights(jnp.ones(len(mass)), jnp.ones(mass.shape[1]))
        return method.compared(data, weights, at, numbers).kappa

    with jax.enable_x64(True):
        slopes = jax.jacrev(kappas)(jnp.ones(mass.shape[1]))
    assert np.isfinite(np.asarray(slopes)).all()


CROWDS = [case for case in aggregation_cases("benchmark_accuracy") if case.expected["own"]]


@pytest.mark.parametrize("case", CROWDS, ids=lambda case: case.id)
def test_crowds_with_a_known_truth(case: AggregationCase) -> None:
    """Accuracy (ties share credit), steps, and the weights of some workers."""
    expected = case.expected["own"]["sharpen"]
    rows = sorted(set(case.rows))
    labels = sorted({row[2] for row in rows})
    items, names = (sorted({row[k] for row in rows}) for k in range(2))
    numbers = [{name: k for k, name in enumerate(each)} for each in (items, names, labels)]
    mass = np.zeros((len(items), len(names), len(labels)))
    for row in rows:
        mass[tuple(number[name] for number, name in zip(numbers, row, strict=True))] = 1
    count = mass.sum(axis=2, keepdims=True)
    mass = np.divide(mass, count, where=count > 0, out=np.full_like(mass, np.nan))
    for kind, name in (
        ("entropy", "entropy"),
        ("variance", "variance"),
        ("none", "no_item_weights"),
    ):
        fit = sharpened(mass, Sharpening(kind), slots=True, accepted=1e-6)
        in_front = fit.state.probability >= fit.state.probability.max(axis=1, keepdims=True) - 1e-9
        right = [
            in_front[numbers[0][item], numbers[2][label]] / in_front[numbers[0][item]].sum()
            for item, label in case.truth.items()
        ]
        assert np.mean(right) == pytest.approx(expected[name], abs=case.abs_tol["sharpen"])
        if kind == "entropy":
            assert int(fit.iterations) == expected["entropy_iterations"]
            for worker, weight in expected["weights_of_some_workers"].items():
                skill = fit.state.skill[numbers[1][worker]]
                assert skill == pytest.approx(weight, abs=1e-6)


@pytest.mark.parametrize("kind", ["entropy", "variance", "none"])
def test_referee_7_all_of_one_label_is_on_it(kind: str) -> None:
    np.testing.assert_array_equal(concentration_of(np.ones((3, 1)), kind), 1.0)
    np.testing.assert_array_equal(concentration_of(jnp.ones((3, 1)), kind), 1.0)
