"""RB12: what the definition of sharpening promises, promise by promise."""

from __future__ import annotations

import numpy as np
import pytest

from iaa_jax.kernels import cohen_kappa
from iaa_jax.kernels.labelling.sharpening import Sharpening
from tests.kernels.labelling.masses import noise, one_hot, sharpened

KINDS = ("entropy", "variance", "none")
SEEDS = range(4)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("axis", ["annotators", "items", "labels"])
def test_RB12_reordering_reorders_the_result(axis: str, seed: int) -> None:
    mass = noise(seed)
    place = {"items": 0, "annotators": 1, "labels": 2}[axis]
    order = np.random.default_rng(seed).permutation(mass.shape[place])
    plain, moved = sharpened(mass).state, sharpened(np.take(mass, order, axis=place)).state
    skill, shares = plain.skill, plain.probability
    if axis == "annotators":
        skill = skill[order]
    else:
        shares = np.take(shares, order, axis=0 if axis == "items" else 1)
    assert moved.skill == pytest.approx(skill, abs=1e-8)
    assert moved.probability == pytest.approx(shares, abs=1e-8)


@pytest.mark.parametrize("prior", [0.0, 4.0])
@pytest.mark.parametrize("seed", SEEDS)
def test_RB12_a_whole_item_weight_is_repetition(seed: int, prior: float) -> None:
    mass = noise(seed)
    count = np.random.default_rng(seed).integers(0, 4, len(mass))
    weighted = sharpened(mass, item=count.astype(float), prior=prior)
    repeated = sharpened(np.repeat(mass, count, axis=0), prior=prior)
    assert weighted.state.skill == pytest.approx(repeated.state.skill, abs=1e-9)
    assert weighted.state.kappa == pytest.approx(repeated.state.kappa, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("seed", SEEDS)
def test_RB12_an_annotator_of_weight_0_is_left_out(seed: int) -> None:
    mass = noise(seed)
    weighted = sharpened(mass, annotator=np.array([1.0, 0, 1, 1]))
    without = sharpened(np.delete(mass, 1, axis=1))
    kept = [0, 2, 3]
    assert weighted.state.skill[kept] == pytest.approx(without.state.skill, abs=1e-9)
    assert np.isnan(weighted.state.kappa[1])
    assert weighted.state.skill[1] == 1


@pytest.mark.parametrize("seed", SEEDS)
def test_RB12_missing_ratings_are_a_mask(seed: int) -> None:
    mass = noise(seed)
    nobody = np.full((2, *mass.shape[1:]), np.nan)
    more = sharpened(np.concatenate([mass, nobody]))
    assert more.state.skill == pytest.approx(sharpened(mass).state.skill, abs=1e-12)
    assert (more.state.probability[-2:] == 0).all()


@pytest.mark.parametrize("seed", SEEDS)
def test_RB12_two_annotators_without_item_weights_have_cohens_kappa(seed: int) -> None:
    rng = np.random.default_rng(seed)
    mass = one_hot(rng.integers(0, 3, (20, 2)), 3)
    fit = sharpened(mass, Sharpening("none"))
    kappa = float(cohen_kappa(mass).estimate)
    assert fit.state.kappa == pytest.approx([kappa, kappa], abs=1e-12)
    assert fit.state.skill == pytest.approx([1, 1], abs=1e-12)
    assert fit.iterations == 1
    assert fit.state.probability == pytest.approx(mass.mean(axis=1), abs=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_RB12_full_agreement_on_two_labels_or_more(kind: str) -> None:
    mass = one_hot(np.repeat([[0], [1], [2], [1]], 3, axis=1), 3)
    fit = sharpened(mass, Sharpening(kind))
    assert fit.state.kappa == pytest.approx([1, 1, 1], abs=1e-12)
    assert fit.state.skill == pytest.approx([1, 1, 1], abs=1e-12)
    assert (fit.iterations, bool(fit.converged)) == (1, True)


@pytest.mark.parametrize("kind", KINDS)
def test_RB12_only_one_label_used(kind: str) -> None:
    fit = sharpened(one_hot(np.zeros((5, 3), dtype=int), 2), Sharpening(kind))
    assert (fit.state.kappa == 0).all()
    assert fit.state.skill == pytest.approx([1, 1, 1], abs=1e-12)


def panel(extra: str, seed: int) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """Three annotators who are mostly right, and one more."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, 60)
    good = np.where(rng.random((60, 3)) < 0.9, truth[:, None], 1 - truth[:, None])
    last = np.zeros(60, dtype=int) if extra == "constant" else 1 - truth
    return np.column_stack([good, last])


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("extra", ["constant", "adversary"])
def test_RB12_a_constant_annotator_and_an_adversary_end_on_the_floor(extra: str, seed: int) -> None:
    fit = sharpened(one_hot(panel(extra, seed), 2))
    kappa, skill = fit.state.kappa, fit.state.skill
    if extra == "constant":
        assert kappa[3] == pytest.approx(0, abs=1e-9)
    else:
        assert kappa[3] < -0.5
    scale = skill[0] / kappa[0]
    assert skill[3] == pytest.approx(0.01 * scale, rel=1e-6)
    # the same floor for both: what an adversary says is not turned round


@pytest.mark.parametrize("link", ["linear", "logodds"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", SEEDS)
def test_RB12_mean_1_above_0_and_shares_that_sum_to_1(seed: int, kind: str, link: str) -> None:
    mass = noise(seed, 12, 5)
    mass[0] = np.nan
    mass[0, :3] = [0, 1, 0]
    mass[1:, 4] = np.nan  # nobody shares an item with the last
    mass[0, 4] = np.nan
    alone = np.full((1, *mass.shape[1:]), np.nan)
    alone[0, 4] = [1, 0, 0]
    mass = np.concatenate([mass, alone])
    fit = sharpened(mass, Sharpening(kind, link))
    skill, kappa, shares = fit.state.skill, fit.state.kappa, fit.state.probability
    defined = ~np.isnan(kappa)
    assert defined.tolist() == [True] * 4 + [False]
    assert skill[defined].mean() == pytest.approx(1, abs=1e-12)
    assert skill[4] == 1
    assert (skill > 0).all()
    assert shares.sum(axis=1) == pytest.approx(np.ones(len(mass)), abs=1e-12)
    assert shares[0] == pytest.approx([0, 1, 0], abs=1e-12)
    assert shares[-1] == pytest.approx([1, 0, 0], abs=1e-12)


def test_RB12_nobody_above_the_floor_is_the_plain_vote() -> None:
    mass = one_hot(np.array([[0, 1], [1, 0], [0, 1], [1, 0]]), 2)
    fit = sharpened(mass)
    assert (fit.state.kappa < 0).all()
    assert fit.state.skill == pytest.approx([1, 1], abs=1e-12)
    assert fit.state.probability == pytest.approx(mass.mean(axis=1), abs=1e-12)


def test_RB12_a_label_that_nobody_gives_counts_in_the_entropy_alone() -> None:
    mass = noise(1)
    wider = np.concatenate([mass, np.where(np.isnan(mass[..., :1]), np.nan, 0.0)], axis=2)
    for kind, same in (("none", True), ("entropy", False)):
        plain = sharpened(mass, Sharpening(kind)).state.skill
        other = sharpened(wider, Sharpening(kind)).state.skill
        assert bool(np.allclose(plain, other, atol=1e-9)) == same


def test_RB12_converged_is_a_fixed_point() -> None:
    from iaa_jax.kernels.labelling.method import Weights
    from iaa_jax.kernels.labelling.sharpening import Numbers, next_weights
    from tests.kernels.labelling.masses import dense

    for seed in range(6):
        mass = noise(seed)
        fit = sharpened(mass)
        weights = Weights(np.ones(len(mass)), np.ones(mass.shape[1]))
        compared = Sharpening().compared(dense(mass), weights, fit.state.skill, Numbers())
        again = next_weights(compared, 3, "linear", Numbers())
        assert fit.converged
        assert again == pytest.approx(fit.state.skill, abs=1e-9)
