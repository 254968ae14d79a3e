"""Tests of zero agreement: published figures, all permutations, laws, and what they refuse."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import xarray as xr
from scipy.stats import norm

import iaa_jax as iaa
from iaa_jax.kernels import Agreement
from tests.analyses.made import LABELS, random_rows, wide
from tests.oracles import cohen_kappa, fleiss_kappa, single_labels
from tests.oracles.permutation import drawn_permutations, every_permutation, share_as_far
from tests.reference import all_cases

SHORT = [["a", "a"], ["a", "a"], ["b", "b"], ["b", "a"], ["b", None], [None, "b"]]


def by_cohen(rows: Any) -> float:
    return cohen_kappa(single_labels(rows), labels=["a", "b"]).estimate


def by_fleiss(rows: Any) -> float:
    return fleiss_kappa(single_labels(rows), labels=list(LABELS)).estimate


def one(found: xr.Dataset) -> dict[str, Any]:
    return {str(name): found[name].values.item() for name in found.data_vars}


def test_cohen_of_all_permutations() -> None:
    """Six ratings of one and five of the other: all their orders, gaps where they are."""
    ratings = iaa.from_wide(SHORT, labels=["a", "b"])
    values = [by_cohen(rows) for rows in every_permutation(SHORT)]
    for alternative in ("greater", "two-sided"):
        found = one(
            iaa.zero_agreement(
                ratings, "cohen_kappa", null="permutation", alternative=alternative,
                permutations=4999,
            )
        )  # fmt: skip
        known = [x for x in values if x == x]
        # drawn values lie about a mean of their own, which decides between -.5 and .5
        several = {
            share_as_far(known, by_cohen(SHORT), two_sided=alternative == "two-sided", moved=moved)
            for moved in (-0.01, 0.0, 0.01)
        }
        assert all(0.02 < exact < 0.98 for exact in several)
        assert any(
            found["p_value"] == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 4999))
            for exact in several
        )
        assert found["null_mean"] == pytest.approx(np.mean(known), abs=4 * np.std(known) / 70)
        assert found["null_standard_error"] == pytest.approx(np.std(known), rel=0.06)
        share = 1 - len(known) / len(values)
        assert found["undefined_permutations"] / 4999 == pytest.approx(share, abs=0.02)


def test_fleiss_of_drawn_permutations() -> None:
    """Among annotators with margins of their own: not the same as shuffling all ratings."""
    rows = [["a", "b", "b"]] * 6 + [["a", "a", "b"]] * 6 + [["a", "c", None]] * 3
    slow = [by_fleiss(one) for one in drawn_permutations(rows, 400, 3)]
    found = one(iaa.zero_agreement(wide(rows), "fleiss_kappa", null="permutation"))
    assert found["null_mean"] == pytest.approx(np.mean(slow), abs=4 * np.std(slow) / 20)
    assert found["null_standard_error"] == pytest.approx(np.std(slow), rel=0.2)
    pooled = iaa.from_counts([[1, 2, 0]] * 6 + [[2, 1, 0]] * 6 + [[1, 0, 1]] * 3)
    anonymous = one(iaa.zero_agreement(pooled, "fleiss_kappa", null="permutation"))
    assert anonymous["method"] == "permutation of all ratings"
    assert "counts without annotators" in anonymous["note"]
    assert anonymous["estimate"] == pytest.approx(found["estimate"])
    assert anonymous["null_mean"] > found["null_mean"] + 0.05
    for ratings, unknown in ((pooled, True), (iaa.from_wide([["a", "b"], ["b", "b"]] * 9), False)):
        found = iaa.agree(ratings, "fleiss_kappa", zero=True, level="nominal")
        answer = iaa.page(found).answer
        assert ("habits_unknown" in [note.code for note in answer]) == unknown


def test_kappa_against_hoeffdings_variance() -> None:
    """Of all orders, kappa has the analytic null variance times n / (n - 1), exactly."""
    ratings = iaa.from_contingency([[20, 9, 4], [5, 25, 6], [3, 8, 18]], labels=list("abc"))
    for weights in (None, "linear"):
        analytic = one(iaa.zero_agreement(ratings, "cohen_kappa", weights=weights, null="analytic"))
        assert analytic["method"] == "fleiss_cohen_everitt_1969"
        assert analytic["null_mean"] == 0
        assert analytic["z"] == pytest.approx(
            analytic["estimate"] / analytic["null_standard_error"]
        )
        assert analytic["p_value"] == pytest.approx(2 * norm.sf(analytic["z"]), rel=1e-9)
        drawn = one(
            iaa.zero_agreement(
                ratings, "cohen_kappa", weights=weights, null="permutation",
                permutations=3000,
            )
        )  # fmt: skip
        expected = analytic["null_standard_error"] * math.sqrt(98 / 97)
        assert drawn["null_standard_error"] == pytest.approx(expected, rel=4 / math.sqrt(6000))
        assert drawn["null_mean"] == pytest.approx(0, abs=4 * expected / math.sqrt(3000))
        assert drawn["p_value"] == 1 / 3001


def test_each_label_as_r_has_it() -> None:
    """R's irr, kappam.fleiss(diagnoses, detail = TRUE), and the whole."""
    cases = [case for case in all_cases() if case.table == "fleiss-1971" and "z" in case.expected]
    ratings = iaa.from_wide(cases[0].data)
    found = iaa.zero_agreement(ratings, per_label=True, null="analytic")
    by_label = {
        case.options["collapse_to_category"]: case
        for case in cases
        if "collapse_to_category" in case.options
    }
    assert sorted(by_label) == list(found.label.values) == [1, 2, 3, 4, 5]
    for label, case in by_label.items():
        mine = found.sel(label=label)
        assert float(mine.estimate) == pytest.approx(case.recomputed["estimate"], abs=1e-9)
        assert float(mine.z) == pytest.approx(case.recomputed["z"], abs=1e-9)
        assert float(mine.null_standard_error) == pytest.approx(math.sqrt(2 / (30 * 6 * 5)))
    assert float(found.adjusted_p_value.max()) == pytest.approx(2 * float(found.p_value.max()))
    assert found.attrs["coefficient"] == "fleiss_kappa"


def test_a_label_is_the_ratings_collapsed_to_it() -> None:
    rows = random_rows(2, items=25)
    collapsed = [[None if x is None else x if x == "b" else "rest" for x in row] for row in rows]
    given = {"null": "permutation", "permutations": 900, "seed": 3}
    for name in ("krippendorff_alpha", "conger_kappa"):
        by_label = one(iaa.zero_agreement(wide(rows), name, **given, per_label=True).sel(label="b"))
        alone = one(iaa.zero_agreement(iaa.from_wide(collapsed), name, **given))
        assert by_label["estimate"] == pytest.approx(alone["estimate"], rel=1e-12)
        # other patterns, so other draws
        spread = alone["null_standard_error"]
        assert by_label["null_standard_error"] == pytest.approx(spread, rel=4 / math.sqrt(900))
        assert by_label["null_mean"] == pytest.approx(alone["null_mean"], abs=6 * spread / 30)


def test_icc_has_the_f_test() -> None:
    table = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    ratings = iaa.from_values(table)
    given = {"null": "analytic"}
    found = iaa.zero_agreement(ratings, ["icc1", "icc3"], **given, alternative="greater")
    assert found.method.values.tolist() == ["F test", "F test"]
    assert found.p_value.values == pytest.approx([0.16476880834463953, 0.000134566516484335])
    assert "F = 11.03 on 5 and 15 degrees of freedom" in found.note.values[1]
    assert np.isnan(found.z).all()
    both = iaa.zero_agreement(ratings, ["icc1", "icc3"], **given)
    assert both.p_value.values == pytest.approx(2 * found.p_value.values)
    drawn = iaa.zero_agreement(ratings, "icc1", alternative="greater")
    # within annotators: their differing means are no disagreement by chance
    assert float(drawn.p_value[0]) < 0.05


def test_a_coefficient_of_the_callers() -> None:
    """One that no permutation changes: its spread is 0, and it is as far out as all others."""

    def share_of_a(mass: Any, *, item_weight: Any, annotator_weight: Any, **_: Any) -> Agreement:
        rated = ~np.isnan(np.asarray(mass)[..., 0]) if isinstance(mass, np.ndarray) else None
        if rated is not None:
            share = np.nansum(item_weight[:, None] * mass[..., 0]) / (item_weight @ rated).sum()
            return Agreement(share, share, 0 * share, np.int32(0))
        import jax.numpy as jnp

        known = ~jnp.isnan(mass[..., 0])
        share = jnp.nansum(item_weight[:, None] * mass[..., 0]) / jnp.sum(item_weight @ known)
        return Agreement(share, share, 0 * share, jnp.int32(0))

    ratings = wide(random_rows(4, items=20))
    found = one(iaa.zero_agreement(ratings, share_of_a, permutations=50))
    assert found["null_mean"] == pytest.approx(found["estimate"], abs=1e-12)
    assert found["p_value"] == 1
    assert math.isnan(found["z"])
    assert "the same figure" in found["note"]


def test_what_does_not_change_a_permutation() -> None:
    rows = random_rows(5, items=30)
    given = {"null": "permutation", "permutations": 130, "seed": 9}
    alone = iaa.zero_agreement(wide(rows), "fleiss_kappa", **given)
    both = iaa.zero_agreement(wide(rows), ["gwet_ac1", "fleiss_kappa"], **given)
    slots = iaa.zero_agreement(iaa.data.in_slots(wide(rows)), "fleiss_kappa", **given)
    again = iaa.zero_agreement(wide(rows), "fleiss_kappa", **{**given, "seed": 10})
    for name in ("estimate", "null_mean", "null_standard_error", "p_value"):
        expected = float(alone[name][0])
        assert float(both[name][1]) == expected
        assert float(slots[name][0]) == pytest.approx(expected, rel=1e-9)
    assert float(again.null_mean[0]) != float(alone.null_mean[0])
    assert float(alone.p_value[0]) == pytest.approx(1 / 131)
    assert alone.attrs["permutations"] == 130
    assert alone.attrs["seed"] == 9
    steps: list[tuple[int, int]] = []
    iaa.zero_agreement(wide(rows), "fleiss_kappa", **given, progress=lambda *now: steps.append(now))
    assert steps[-1] == (130, 130)


def test_all_that_apply() -> None:
    found = iaa.zero_agreement(wide(random_rows(7, items=20)), permutations=20)
    names = found.coefficient.values.tolist()
    assert "percent_agreement" not in names  # no chance is taken out
    assert {"fleiss_kappa", "krippendorff_alpha", "gwet_ac1"} <= set(names)
    assert set(found.method.values) == {"permutation within annotators"}
    assert set(found.note.values) == {""}
    asked = iaa.zero_agreement(wide(random_rows(7)), "percent_agreement", permutations=20)
    assert 0.2 < float(asked.null_mean[0]) < float(asked.estimate[0])


def test_undefined_figures_have_no_test() -> None:
    for null in ("auto", "analytic", "permutation"):
        ratings = iaa.from_wide([["a", "a"]] * 5, labels=["a", "b"])
        found = one(iaa.zero_agreement(ratings, "cohen_kappa", null=null))
        assert math.isnan(found["p_value"])
        assert found["code"] != 0
        assert found["reason"]
        assert found["method"] == ""


def test_items_that_are_no_whole_numbers() -> None:
    rows = iaa.from_wide([["a", "a"], ["b", "b"], ["a", "b"], ["b", "b"]])
    ratings = rows.assign(item_weight=("item", [1.0, 2.5, 1.0, 1.0]))
    found = iaa.zero_agreement(ratings, ["cohen_kappa", "conger_kappa"])
    assert found.p_value.values[0] > 0
    assert np.isnan(found.p_value.values[1])
    assert "needs whole numbers" in found.note.values[1]


@pytest.mark.parametrize("per_label", [True, False])
def test_three_unanimous_items_are_not_certain(per_label: bool) -> None:
    """One in nine of the 27 ways to shuffle is as unanimous; the normal p was .003."""
    ratings = iaa.from_wide([["a"] * 3, ["b"] * 3, ["a"] * 3])
    found = iaa.zero_agreement(
        ratings, "fleiss_kappa", per_label=per_label, alternative="greater", permutations=1999
    )
    np.testing.assert_allclose(found.p_value, 1 / 9, atol=0.03)
    assert found.attrs["conclusion"] == "not_shown"
    assert set(found.method.values) == {"permutation within annotators"}
    found = iaa.zero_agreement(ratings, "fleiss_kappa", per_label=per_label, null="analytic")
    assert "too certain for so few ratings (3 items" in found.note.values[0]


def test_counts_alone_are_tested_by_form_where_they_are_enough() -> None:
    rows = [[3, 0, 0]] * 30 + [[0, 3, 0]] * 30 + [[1, 2, 0]] * 9 + [[0, 0, 3]]
    ratings = iaa.from_counts(rows, labels=list("abc"))
    found = iaa.zero_agreement(ratings, per_label=True)
    methods = dict(zip(found.label.values.tolist(), found.method.values.tolist(), strict=True))
    assert methods == {
        "a": "null_fleiss_nee_landis_1979",
        "b": "null_fleiss_nee_landis_1979",
        "c": "permutation of all ratings",
    }
    asked = iaa.zero_agreement(ratings, per_label=True, null="analytic")
    assert len(set(asked.method.values)) == 1
    assert ["too certain" in note for note in asked.note.values] == [False, False, True]
    assert all("labels at equal rates" in " ".join(note.split()) for note in asked.note.values)


def habits(rng: np.random.Generator, items: int) -> np.ndarray:
    """Labels by chance alone, of annotators who each use labels in their own way."""
    shares = ([0.7, 0.2, 0.1], [0.2, 0.7, 0.1], [0.1, 0.2, 0.7])
    return np.stack([rng.choice(3, items, p=share) for share in shares], axis=1)


def test_statistics_2_annotators_with_habits_of_their_own_are_not_below_chance() -> None:
    """The analytic form takes their margins to be equal: nearly all such data were below chance."""
    rng = np.random.default_rng(8)
    found = [
        iaa.zero_agreement(
            iaa.from_wide(habits(rng, 60)), "fleiss_kappa", permutations=99, null=null
        ).p_value.item()
        for null in ("auto",) * 60 + ("analytic",) * 20
    ]
    assert sum(p <= 0.05 for p in found[:60]) <= 8  # 3 expected, 3 standard errors
    assert sum(p <= 0.05 for p in found[60:]) >= 10


def test_statistics_4_1_one_page_has_one_verdict() -> None:
    """Each shuffled figure of Fleiss, alpha and Conger is ordered alike, and so are the labels."""
    ratings = iaa.from_wide(habits(np.random.default_rng(9), 80))
    names = ["fleiss_kappa", "krippendorff_alpha", "conger_kappa"]
    found = iaa.zero_agreement(ratings, names, permutations=199)
    assert set(found.method.values) == {"permutation within annotators"}
    assert np.ptp(found.p_value.values) < 0.02
    by_label = iaa.zero_agreement(ratings, per_label=True, permutations=199)
    assert set(by_label.method.values) == {"permutation within annotators"}


def test_what_is_too_large_to_shuffle_has_a_form_and_a_caution(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("iaa_jax.analyses.agree.chance_tests.MOST_SHUFFLED", 100)
    rows = [["a", "a"]] * 20 + [["b", "b"]] * 20
    found = one(iaa.zero_agreement(iaa.from_wide(rows), "cohen_kappa"))
    assert found["method"] == "fleiss_cohen_everitt_1969"
    assert "999 permutations of 80 ratings would take long" in found["note"]
    asked = one(iaa.zero_agreement(iaa.from_wide(rows), "cohen_kappa", null="permutation"))
    assert asked["p_value"] == 0.001


def test_what_is_refused() -> None:
    ratings = wide(random_rows(1, items=8))
    for given, said in (
        ({"null": "bootstrap"}, "null must be one of"),
        ({"alternative": "less"}, "alternative must be one of"),
        ({"permutations": 0}, "permutations must be a whole number"),
        ({"seed": -1}, "seed must be a whole number"),
        ({"coefficients": "specific_agreement"}, "one estimate per label"),
        ({"coefficients": "conger_kappa", "null": "analytic"}, "cohen_kappa, scott_pi"),
    ):
        with pytest.raises(iaa.IaaError, match=said):
            iaa.zero_agreement(ratings, **given)  # type: ignore[arg-type]
    with pytest.raises(iaa.IaaError, match="numbers without labels"):
        iaa.zero_agreement(iaa.from_values([[1.5, 2.0], [2.0, 3.5]]), per_label=True)
    found = iaa.zero_agreement(ratings, ["conger_kappa", "fleiss_kappa"], null="analytic")
    assert np.isnan(found.p_value).all()
    assert found.note.values[0] == "no analytic form"
    assert "same number" in found.note.values[1]
