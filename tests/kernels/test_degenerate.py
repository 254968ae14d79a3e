"""Degenerate data: undefined is NaN with a code, exactly where the counts say so."""

from __future__ import annotations

import numpy as np
import pytest

from iaa_jax import _errors, kernels
from iaa_jax._errors import LABEL_NOT_USED, NO_EXPECTED_DISAGREEMENT, NO_PAIRABLE_ITEM, REASONS
from iaa_jax.catalog import CATALOG
from tests.kernels.cases import MEASURES, VALUES, agreement_matrix, allowed, run
from tests.taken import one_of

UNIFORM_CHANCE = ("brennan_prediger", "gwet", "van_oest")
"""Their chance term does not vanish when one of several labels took everything."""


def mass_of(rows: list[list[int | None]], labels: int) -> np.ndarray:
    eye = np.eye(labels)
    return np.array(
        [[np.full(labels, np.nan) if x is None else eye[x] for x in row] for row in rows]
    )


def test_every_code_has_a_reason() -> None:
    codes = {
        value
        for name, value in vars(_errors).items()
        if name.isupper() and isinstance(value, int) and not name.startswith("_")
    }
    assert codes == set(REASONS)
    assert all(REASONS[code] for code in codes - {0})


@pytest.mark.parametrize("jit", [False, True])
@pytest.mark.parametrize("name", one_of(4, MEASURES))
def test_one_label_only(name: str, jit: bool) -> None:
    """Undefined under any weights, decided exactly; also compiled, where sums are re-ordered."""
    import jax

    chance_free = name.startswith(("percent", "bangdiwala", *UNIFORM_CHANCE))
    kernel = jax.jit(run, static_argnums=0) if jit else run
    rng = np.random.default_rng(0)
    few, many = 5, 23
    for trial in range(12):
        annotators = 2 if not allowed(name, 3) else 3
        items = (few, many)[trial // 6]
        mass = mass_of([[1] * annotators] * items, 3)
        mass[0, 0] = np.nan
        given = {
            "item_weight": rng.dirichlet(np.ones(items)) * items,
            "annotator_weight": rng.uniform(0.2, 3, annotators),
        }
        if trial % 2 and not name.endswith("ordinal"):
            given["label_agreement"] = agreement_matrix(trial, 3, symmetric=True)
        if jit:  # one size compiles once; the engine fills up with items of weight 0 as well
            mass = np.concatenate([mass, np.repeat(mass[:1], many - items, axis=0)])
            given["item_weight"] = np.pad(given["item_weight"], (0, many - items))
        with jax.enable_x64(True):
            found = kernel(name, mass, **given)
            found = type(found)(*(np.asarray(part) for part in found))
        if name.startswith("specific_agreement"):
            assert found.code.tolist() == [LABEL_NOT_USED, 0, LABEL_NOT_USED]
            assert found.estimate[1] == 1.0
        elif name.endswith("=zero"):
            assert found.code == 0
            assert found.estimate == 0
        elif chance_free:
            assert found.code == 0
            assert abs(found.estimate - 1.0) < 1e-15
        else:
            assert np.isnan(found.estimate), (trial, found)
            assert found.code in (NO_EXPECTED_DISAGREEMENT, _errors.NO_DEFINED_PAIR)
            assert not np.isnan(found.observed) or name.startswith("mean_pairwise")


@pytest.mark.parametrize("level", VALUES)
def test_one_number_only(level: str) -> None:
    rng = np.random.default_rng(1)
    for number in (0.0, 0.1, 1e6 / 3):
        value = np.full((7, 3), number)
        value[0, 0] = np.nan
        found = VALUES[level].kernel(value, item_weight=rng.dirichlet(np.ones(7)) * 7)
        assert np.isnan(found.estimate)
        assert found.code == NO_EXPECTED_DISAGREEMENT
    # a replicate may hold one of several numbers only
    value[1] = 5.0
    alone = np.array([3.0, 0, 2, 1, 1, 0, 0])
    assert VALUES[level].kernel(value, item_weight=alone).code == NO_EXPECTED_DISAGREEMENT


@pytest.mark.parametrize("name", MEASURES)
def test_nothing_to_pair(name: str) -> None:
    two = not allowed(name, 3)
    rows = [[0, None], [None, 1], [None, None]] if two else [[0, None, None], [None, 1, None]]
    found = run(name, mass_of(rows, 2))
    assert np.all(np.isnan(found.estimate))
    assert np.all(found.code != 0)
    if name.split("/")[0] in ("fleiss_kappa", "krippendorff_alpha", "percent_agreement"):
        assert found.code == NO_PAIRABLE_ITEM


@pytest.mark.parametrize("name", MEASURES)
def test_one_pairable_item(name: str) -> None:
    two = not allowed(name, 3)
    rows = [[0, 1], [None, 1]] if two else [[0, 1, None], [None, None, 1]]
    found = run(name, mass_of(rows, 2))
    pairwise = MEASURES[name].identified and name.split("/")[0] in (
        "mean_pairwise_cohen_kappa",
        "davies_fleiss_kappa",
        "augmented_kappa",
    )
    wanted = _errors.NO_SHARED_ITEM if pairwise else 0
    wanted = {
        "hubert_kappa": _errors.NO_COMPLETE_ITEM,
        "bangdiwala_b": _errors.NO_COMMON_LABEL,
    }.get(name, wanted)
    assert np.all(found.code == wanted)


def test_one_constant_annotator() -> None:
    """Finite, with no code: five items, one annotator always a, the other b twice."""
    mass = mass_of([[0, 0], [0, 0], [0, 0], [0, 1], [0, 1]], 2)
    wanted = {"cohen_kappa": 0.0, "scott_pi": -0.25, "gwet_ac1": 0.4117647058823529}
    for name, estimate in wanted.items():
        found = run(name, mass)
        assert found.code == 0
        np.testing.assert_allclose(found.estimate, estimate, atol=1e-12)


def test_only_one_declared_label() -> None:
    mass = mass_of([[0, 0], [0, 0]], 1)
    for name in ("brennan_prediger", "gwet_ac1", "fleiss_kappa", "krippendorff_alpha"):
        assert run(name, mass).code == NO_EXPECTED_DISAGREEMENT


def test_zero_weights_leave_nothing() -> None:
    mass = mass_of([[0, 1], [1, 1]], 2)
    for name in MEASURES:
        found = run(name, mass, item_weight=np.zeros(2))
        assert np.all(np.isnan(found.estimate)), name
        assert np.all(found.code != 0), name


@pytest.mark.parametrize("name", MEASURES)
def test_label_sets_are_no_ratings_of_one_label(name: str) -> None:
    """Two ones in a row are no rating of one label, whichever row it is; rounded shares are."""
    mass = mass_of([[0, 1], [1, 1], [0, 0], [2, 1], [2, 2]], 3)
    whole = run(name, mass)
    rounded = run(name, mass * 1.001)
    np.testing.assert_allclose(rounded.estimate, whole.estimate, atol=0.02)
    assert np.all(whole.code == rounded.code)
    mass[0, 1, 0] = 1
    found = run(name, mass)
    if name.startswith(("am_agreement", "specific_agreement")):
        assert np.all(found.code == 0)
    else:
        assert found.code == _errors.SEVERAL_LABELS
        assert np.isnan([found.estimate, found.observed, found.expected]).all()


def test_each_label_of_sets_by_itself() -> None:
    """Where not rated stays so, and the empty set is a rating."""
    import jax
    import jax.numpy as jnp

    sets = [[{0, 1}, {0}], [set(), {1}], [{1}, None], [{0}, {0}]]
    rows = [
        [[np.nan] * 2 if x is None else [0.0 + (c in x) for c in (0, 1)] for x in row]
        for row in sets
    ]
    mass = jnp.array(rows)
    both = jnp.stack([mass, 1 - mass], -1)
    found = jax.vmap(lambda x: kernels.krippendorff_alpha(x).estimate, in_axes=2)(both)
    for label, estimate in enumerate(found):
        has = [[None if x is None else int(label in x) for x in row] for row in sets]
        wanted = kernels.krippendorff_alpha(mass_of(has, 2)).estimate
        np.testing.assert_allclose(estimate, wanted, atol=1e-6)
    assert jax.jit(kernels.krippendorff_alpha)(mass).code == _errors.SEVERAL_LABELS


def test_catalog_ranges_hold_perfect_and_opposite() -> None:
    mass = mass_of([[0, 1], [1, 0], [0, 1], [1, 0]], 2)
    for name in CATALOG:
        if name in MEASURES:
            assert np.all(run(name, mass).estimate <= 0), name


def test_many_labels_are_counted_as_few() -> None:
    """Beyond a number of labels sums replace a matrix; the figures and the zeros stay."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 60, (80, 3))
    codes[:40, 1:] = codes[:40, :1]
    rows = [[int(x) for x in row] for row in codes]
    for name in MEASURES:
        if (
            not allowed(name, 3)
            or name.endswith("ordinal")
            or name.startswith("specific_agreement")
        ):
            continue
        many = run(name, mass_of(rows, 60))
        given = run(name, mass_of(rows, 60), label_agreement=np.eye(60))
        np.testing.assert_allclose(many.estimate, given.estimate, atol=1e-13)
        same = run(name, mass_of([[7, 7, 7]] * 9, 60), item_weight=rng.uniform(0.5, 2, 9))
        assert (same.code == 0) == name.startswith(("percent", *UNIFORM_CHANCE)) or (
            name.endswith("=zero")
        )


@pytest.mark.parametrize("name", MEASURES)
def test_no_item_at_all_in_slots(name: str) -> None:
    found = run(
        name,
        np.zeros((0, 2, 3)),
        annotator_of=np.zeros((0, 2), dtype=int),
        annotator_weight=np.ones(2),
    )
    assert np.isnan(found.estimate).all()
    assert (np.asarray(found.code) > 0).all()
