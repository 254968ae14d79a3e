"""Influences and replicates: derivatives, sums, and every coefficient that can be brought."""

from __future__ import annotations

import numpy as np
import pytest

import iaa_jax as iaa
from iaa_jax import kernels
from iaa_jax._errors import IaaError
from iaa_jax.kernels import Agreement
from iaa_jax.kernels.namespace import namespace
from tests.analyses.made import by_slot, random_rows, wide

COEFFICIENTS = (
    "percent_agreement",
    "fleiss_kappa",
    "conger_kappa",
    "mean_pairwise_cohen_kappa",
    "davies_fleiss_kappa",
    "gwet_ac1",
    "brennan_prediger",
    "krippendorff_alpha",
)


def share_of_first_label(mass, *, item_weight=None, annotator_weight=None):
    """A coefficient of a user's own: the mean mass on the first label, squared."""
    xp = namespace(mass, item_weight)
    first = xp.nanmean(mass[..., 0], axis=1)
    estimate = (item_weight @ first / item_weight.sum()) ** 2
    return Agreement(estimate, estimate, estimate * 0, xp.int32(0))


def own_fleiss(mass, *, item_weight=None, annotator_weight=None):
    return kernels.fleiss_kappa(mass, item_weight=item_weight, annotator_weight=annotator_weight)


@pytest.mark.parametrize("coefficient", [*COEFFICIENTS, share_of_first_label])
@pytest.mark.parametrize("form", [wide, by_slot])
def test_influences_sum_to_zero_and_are_the_derivative(coefficient, form) -> None:
    ratings = form(random_rows(1))
    found = iaa.influence(ratings, coefficient)
    assert abs(found.influence.values.sum()) < 1e-10
    # a finite difference: two items that count a little more and a little less
    step = 1e-5
    for item in (0, 7):
        moved = []
        for sign in (1, -1):
            weight = np.ones(ratings.sizes["item"])
            weight[item] += sign * step
            weighted = ratings.assign(item_weight=("item", weight))
            asked = iaa.agreement(weighted, coefficient, interval=None)
            moved.append(float(asked.estimate[0]))
        derivative = (moved[0] - moved[1]) / (2 * step)
        assert float(found.change[item]) == pytest.approx(-derivative, abs=1e-7)


def test_influence_along_labels() -> None:
    found = iaa.influence(wide(random_rows(4)), "specific_agreement")
    assert found.influence.dims == ("item", "label")
    assert np.abs(found.influence.values.sum(axis=0)).max() < 1e-10


def test_items_of_one_pattern_and_unrated_items() -> None:
    ratings = wide([["a", "a"], ["a", "b"], ["a", "a"], [None, None], ["b", "c"]])
    found = iaa.influence(ratings, "fleiss_kappa").influence.values
    assert found[0] == found[2]
    assert found[3] == 0


def test_an_undefined_coefficient_has_no_influence() -> None:
    found = iaa.influence(wide([["a", "a"], ["a", "a"]]), "cohen_kappa")
    assert np.isnan(found.influence.values).all()


def test_values_and_sets_have_influences() -> None:
    values = iaa.from_values(np.random.default_rng(0).normal(size=(20, 3)))
    sets = iaa.from_sets([[["a"], ["a", "b"]], [["b"], ["b"]], [["a"], []], [["a"], ["a"]]])
    for ratings, options in ((values, {}), (sets, {"distance": "masi"})):
        found = iaa.influence(ratings, "krippendorff_alpha", **options)
        assert abs(found.influence.values.sum()) < 1e-10


def test_a_users_kernel_gives_the_replicates_of_the_catalogues() -> None:
    ratings = wide(random_rows(7))
    one = iaa.bootstrap(ratings, own_fleiss, replicates=100)
    # a kernel that may ask who rated stands on identified patterns: other draws, same law
    assert one.sizes == {"replicate": 100}
    assert float(one.estimate) == pytest.approx(
        float(iaa.fleiss_kappa(ratings, interval=None).estimate), abs=1e-12
    )
    spread = float(iaa.fleiss_kappa(ratings, interval="normal").standard_error)
    assert float(one.replicates.std()) == pytest.approx(spread, rel=0.3)


def test_more_replicates_begin_alike() -> None:
    ratings = wide(random_rows(8))
    few = iaa.bootstrap(ratings, "gwet_ac1", replicates=50).replicates.values
    many = iaa.bootstrap(ratings, "gwet_ac1", replicates=130).replicates.values
    np.testing.assert_array_equal(few, many[:50])


def test_replicates_along_labels() -> None:
    found = iaa.bootstrap(wide(random_rows(9)), "specific_agreement", replicates=20)
    assert found.replicates.dims == ("replicate", "label")
    with pytest.raises(IaaError, match="ask for its replicates alone"):
        iaa.bootstrap(wide(random_rows(9)), ["specific_agreement", "gwet_ac1"])


def test_refusals() -> None:
    ratings = wide(random_rows(9))
    with pytest.raises(IaaError, match="replicates"):
        iaa.bootstrap(ratings, replicates=0)
    with pytest.raises(IaaError, match="unknown coefficient"):
        iaa.influence(ratings, "kapa")
