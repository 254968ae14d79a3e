"""Items: agreement, entropy, Gini, and their order."""

from __future__ import annotations

import math

import numpy as np
import pytest

import iaa_jax as iaa
from iaa_jax._errors import IaaError
from tests.analyses.made import by_slot, random_rows, wide
from tests.oracles.diagnosis import entropy_in_nats, gini, item_agreement


@pytest.mark.parametrize("form", [wide, by_slot])
def test_rb11_every_item_against_the_oracle(form) -> None:
    rows = random_rows(1)
    found = iaa.items(form(rows))
    entropy = [entropy_in_nats(row) / math.log(3) for row in rows]
    np.testing.assert_allclose(found.entropy.values, entropy, atol=1e-12)
    np.testing.assert_allclose(found.gini.values, [gini(row, 3) for row in rows], atol=1e-12)
    agreement = [item_agreement(row) for row in rows]
    np.testing.assert_allclose(found.agreement.values, agreement, atol=1e-12)
    panel = [sum(label is not None for label in row) for row in rows]
    assert found.ratings.values.tolist() == panel


def test_the_influence_is_that_of_the_coefficient_asked_for() -> None:
    ratings = wide(random_rows(3))
    for coefficient in ("conger_kappa", "gwet_ac1"):
        found = iaa.items(ratings, coefficient)
        alone = iaa.influence(ratings, coefficient)
        np.testing.assert_array_equal(found.influence.values, alone.influence.values)
        assert found.attrs["coefficient"] == coefficient
        assert found.attrs["estimate"] == float(alone.estimate)


def test_the_most_frequent_label_its_share_and_ties() -> None:
    found = iaa.items(wide([["b", "a", None, "b"], ["c", "a", "c", "a"], [None, None, None, "c"]]))
    assert found.most_frequent.values.tolist() == ["b", "a", "c"]
    np.testing.assert_allclose(found.share.values, [2 / 3, 1 / 2, 1])
    assert found.tied.values.tolist() == [1, 2, 1]
    assert np.isnan(found.agreement.values[2])


def test_an_item_that_nobody_rated() -> None:
    found = iaa.items(wide([["a", "b"], [None, None], ["b", "b"]]))
    assert found.ratings.values.tolist() == [2, 0, 2]
    assert np.isnan(found.entropy.values[1])
    assert found.most_frequent.values[1] == ""
    assert found.influence.values[1] == 0


def test_top_and_sort() -> None:
    ratings = wide(random_rows(4))
    whole = iaa.items(ratings)
    assert whole.item.values.tolist() == ratings.item.values.tolist()
    top = iaa.items(ratings, top=5)
    assert top.influence.values.tolist() == sorted(whole.influence.values)[:5]
    uneven = iaa.items(ratings, top=3, sort="entropy")
    assert uneven.entropy.values.tolist() == sorted(whole.entropy.values, reverse=True)[:3]
    even = iaa.items(ratings, top=3, sort="-entropy")
    assert even.entropy.values.tolist() == sorted(whole.entropy.values)[:3]
    by_label = iaa.items(ratings, sort="most_frequent")
    assert by_label.most_frequent.values.tolist() == sorted(whole.most_frequent.values)


def test_what_is_undefined_stands_last() -> None:
    ratings = wide([["a", None], ["a", "b"], ["b", "b"]])
    for sort in ("agreement", "-agreement"):
        assert iaa.items(ratings, sort=sort).item.values[-1] == 0


def test_own_coordinates_stay_and_give_way_to_the_results_names() -> None:
    ratings = wide(random_rows(5, items=3)).assign_coords(
        text=("item", ["one", "two", "three"]), share=("item", [7, 8, 9])
    )
    found = iaa.items(ratings, sort="-item")
    assert found.text.values.tolist() == ["three", "two", "one"]
    assert found.own_share.values.tolist() == [9, 8, 7]
    assert found.share.values.max() <= 1


def test_label_sets_are_labels_of_their_own() -> None:
    ratings = iaa.from_sets([[["a"], ["a", "b"]], [["a"], ["a"]], [[], ["b"]]])
    found = iaa.items(ratings, distance="masi")
    # masi of {a} and {a, b}: a third
    np.testing.assert_allclose(found.agreement.values, [1 / 3, 1, 0])
    assert found.most_frequent.values[1] == "a"


def test_primary_and_secondary_labels_share_an_item() -> None:
    rows = [
        ["x", "a", "a", "b"],
        ["x", "b", "a", None],
        ["y", "a", "a", None],
        ["y", "b", "b", None],
    ]
    ratings = iaa.from_long(
        [dict(zip(("item", "annotator", "label", "second"), row, strict=True)) for row in rows],
        secondary="second",
    )
    found = iaa.items(ratings, p=0.6)
    # 0.6 a + 0.4 b against a
    assert float(found.agreement[0]) == pytest.approx(0.6)
    assert float(found.share[0]) == pytest.approx(0.8)


def test_numbers_have_a_mean_and_a_distance() -> None:
    found = iaa.items(iaa.from_values([[1.0, 2.0, 4.0], [3.0, 3.0, np.nan], [1.0, np.nan, np.nan]]))
    np.testing.assert_allclose(found["mean"].values, [7 / 3, 3, 1])
    np.testing.assert_allclose(found.disagreement.values, [(1 + 4 + 9) / 3, 0, np.nan])
    assert "entropy" not in found


def test_rows_that_stand_for_several_items() -> None:
    table = iaa.from_contingency([[20, 5], [10, 15]])
    found = iaa.items(table, "cohen_kappa")
    assert abs(float((found.influence * found.item_weight).sum())) < 1e-10


def test_refusals() -> None:
    ratings = wide(random_rows(6))
    with pytest.raises(IaaError, match="sort must be one of ratings, agreement"):
        iaa.items(ratings, sort="spread")
    with pytest.raises(IaaError, match="top must be a whole number"):
        iaa.items(ratings, top=0)
    with pytest.raises(IaaError, match="one estimate per label"):
        iaa.items(ratings, "specific_agreement")
