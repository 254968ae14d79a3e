"""Breakdown: groups of items, and groups of annotators."""

from __future__ import annotations

import numpy as np
import pytest

import iaa_jax as iaa
from iaa_jax import kernels
from iaa_jax._errors import IaaError
from tests.analyses.made import by_slot, random_rows, wide

NAMES = [
    "percent_agreement",
    "conger_kappa",
    "davies_fleiss_kappa",
    "gwet_ac1",
    "krippendorff_alpha",
]
FORMS = pytest.mark.parametrize("form", [wide, by_slot])


def own_coefficient(mass, *, item_weight=None, annotator_weight=None):
    return kernels.fleiss_kappa(mass, item_weight=item_weight, annotator_weight=annotator_weight)


@FORMS
def test_groups_of_items_equal_the_items_alone(form) -> None:
    batch = np.random.default_rng(0).choice(["x", "y"], 40)
    ratings = form(random_rows(1)).assign_coords(batch=("item", batch))
    found = iaa.agreement_by(ratings, "batch", [*NAMES, own_coefficient], replicates=70)
    assert found.group.values.tolist() == ["x", "y"]
    for group in ("x", "y"):
        part = ratings.isel(item=np.flatnonzero(batch == group))
        alone = iaa.agreement(part, [*NAMES, own_coefficient], replicates=70)
        one = found.sel(group=group)
        assert float(one.group_items) == part.sizes["item"]
        for name in ("estimate", "standard_error", "ci_low", "ci_high"):
            np.testing.assert_allclose(one[name].values, alone[name].values, atol=1e-12)


@FORMS
def test_groups_of_annotators_equal_the_annotators_alone(form) -> None:
    rows = random_rows(2)
    ratings = form(rows).assign_coords(team=("annotator", [1, 2, 1, 2]))
    found = iaa.agreement_by(ratings, "team", NAMES, interval="normal")
    for place, who in enumerate(([0, 2], [1, 3])):
        alone = iaa.agreement(
            wide([[row[a] for a in who] for row in rows]), NAMES, interval="normal"
        )
        for name in ("estimate", "standard_error"):
            np.testing.assert_allclose(
                found[name].values[place], alone[name].values, rtol=1e-10, atol=1e-12
            )
    assert found.attrs["axis"] == "annotator"


@pytest.mark.parametrize(("number", "named"), [(2, "'annotator 1', 'annotator 2'"), (7, "'NAMES'")])
def test_agreement_across_two_groups_of_annotators_is_said(number: int, named: str) -> None:
    """By whoever measures it; of a large group nobody is named, and in crowds nothing does."""
    rows = np.array(list("ab"))[np.random.default_rng(0).integers(0, 2, (30, 14))]
    team = ["p"] * number + ["q"] * (14 - number)
    ratings = iaa.from_wide(rows).assign_coords(team=("annotator", team))
    found = iaa.agreement_by(ratings, "team", "krippendorff_alpha", interval=None)
    said = " ".join(str(iaa.page(found)).split())
    assert f"Across the two groups: iaa.judge(ratings, [{named}])" in said
    crowds = "with the 7 annotators of 'p' measures how far each agrees with those of 'q' if"
    assert (crowds in said) == (number == 7)


def test_numbers_are_in_order_and_what_has_no_group_is_last() -> None:
    ratings = wide(random_rows(3, items=6)).assign_coords(
        week=("item", [10.0, 2.0, np.nan, 10.0, 2.0, np.nan])
    )
    found = iaa.agreement_by(ratings, "week", "percent_agreement", interval=None)
    assert found.group.values.tolist() == ["2", "10", "(none)"]


def test_a_group_with_nothing_to_pair_is_undefined() -> None:
    ratings = wide([["a", "a"], ["b", None], [None, None], ["a", "b"]]).assign_coords(
        batch=("item", ["x", "y", "z", "x"])
    )
    found = iaa.agreement_by(ratings, "batch", ["fleiss_kappa", "conger_kappa"], replicates=50)
    assert np.isnan(found.estimate.values[1:]).all()
    assert (found.code.values[1:] != 0).all()
    assert found.group_pairable_items.values.tolist() == [2, 0, 0]
    assert not np.isnan(found.estimate.values[0]).any()


def test_item_weights_and_values() -> None:
    ratings = iaa.from_values(np.random.default_rng(4).normal(size=(30, 3)))
    ratings = ratings.assign_coords(half=("item", np.arange(30) // 15))
    found = iaa.agreement_by(ratings, "half", "krippendorff_alpha", interval=None)
    alone = iaa.krippendorff_alpha(ratings.isel(item=slice(15, 30)), interval=None)
    assert float(found.estimate[1, 0]) == pytest.approx(float(alone.estimate), abs=1e-12)
    by_team = ratings.assign_coords(team=("annotator", ["p", "q", "p"]))
    found = iaa.agreement_by(by_team, "team", "krippendorff_alpha", interval=None)
    alone = iaa.krippendorff_alpha(ratings.isel(annotator=[0, 2]), interval=None)
    assert float(found.estimate[0, 0]) == pytest.approx(float(alone.estimate), abs=1e-12)


def test_refusals() -> None:
    ratings = wide(random_rows(5)).assign_coords(batch=("item", np.arange(40) % 2))
    with pytest.raises(IaaError, match=r"no coordinate along items or annotators: .*'batch'"):
        iaa.agreement_by(ratings, "week")
    with pytest.raises(IaaError, match="one estimate per label"):
        iaa.agreement_by(ratings, "batch", "specific_agreement")


def test_groups_of_one_are_no_breakdown() -> None:
    ratings = iaa.from_wide([["a", "a", "b"], ["b", "b", "b"], ["a", "b", "a"]])
    with pytest.raises(iaa.IaaError, match="'item' puts every item into a group of its own"):
        iaa.agreement_by(ratings, "item", interval=None)
    with pytest.raises(iaa.IaaError, match="needs two annotators"):
        iaa.agreement_by(ratings, "annotator", interval=None)


def test_dates_are_sent_to_drift() -> None:
    rows = [["a", "a", "b"], ["b", "b", "b"], ["a", "b", "a"]] * 4
    days = [f"{1 + k % 30:02}.03.2026 10:{k:02}" for k in range(36)]
    ratings = iaa.from_wide(rows).assign_coords(
        each=(("item", "annotator"), np.array(days, dtype=object).reshape(12, 3)),
        day=("item", days[:12]),
        stamp=("item", np.datetime64("2026-03-01") + np.arange(12)),
        text=("item", [f"text {k}" for k in range(12)]),
    )
    for by in ("each", "day", "stamp"):
        with pytest.raises(IaaError, match=rf"which iaa.drift\(ratings, by='{by}'\) follows$"):
            iaa.agreement_by(ratings, by, interval=None)
        assert iaa.drift(ratings, by=by, replicates=99).attrs["made_by"] == "drift"
    with pytest.raises(IaaError, match=r"fewer values$"):
        iaa.agreement_by(ratings, "text", interval=None)
