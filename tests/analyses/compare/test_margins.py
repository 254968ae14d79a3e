"""Labels that are not as frequent in both sets: said first, and both sets at common margins."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import xarray as xr
from scipy import stats

import iaa_jax as iaa
from tests.analyses.compare.compared import FIRST, SECOND, quick
from tests.analyses.made import wide
from tests.noted import notes_of
from tests.oracles import comparing

EVEN = [["x", "x"]] * 18 + [["y", "y"]] * 17 + [["x", "y"], ["y", "x"]] * 3
SKEWED = [["x", "x"]] * 40 + [["y", "y"]] * 6 + [["x", "y"], ["y", "x"]] * 4


def named(rows: list[list[str]], prefix: str) -> xr.Dataset:
    return iaa.from_wide(rows).assign_coords(
        item=[f"{prefix}{place}" for place in range(len(rows))]
    )


def pair(prefix: str = "b") -> tuple[Any, Any]:
    return named(EVEN, "a"), named(SKEWED, prefix)


def test_two_labels_by_hand() -> None:
    """Both figures from the weights that two annotators' patterns must have; errors by slopes."""
    found = quick(*pair())
    wanted = comparing.common_margins(EVEN, SKEWED)
    assert float(found.common_a[0]) == pytest.approx(wanted[0])
    assert float(found.common_b[0]) == pytest.approx(wanted[1])
    slopes = comparing.common_slopes(EVEN, SKEWED)
    parts = [comparing.paired_error([0.0] * len(one), one) for one in slopes]
    error = float(np.hypot(*parts))
    assert float(found.common_standard_error[0]) == pytest.approx(error, rel=1e-6)
    # of weights that are known the error would be another: they are estimated
    degrees = stats.ttest_ind(*slopes, equal_var=False).df
    t = abs(wanted[1] - wanted[0]) / error
    assert float(found.common_p_value[0]) == pytest.approx(2 * stats.t.sf(t, degrees))
    rows = EVEN[:40], SKEWED[:25] + SKEWED[-15:]
    paired = quick(*(named(one, "q") for one in rows), paired=True)
    one, two = comparing.common_slopes(*rows)
    error = comparing.paired_error([-slope for slope in one], two)
    assert float(paired.common_standard_error[0]) == pytest.approx(error, rel=1e-6)


def test_percent_agreement_stays_as_it_is() -> None:
    """Agreeing pairs are held: what moves is the agreement that is expected by chance."""
    found = quick(*pair(), ["krippendorff_alpha", "percent_agreement", "conger_kappa"])
    np.testing.assert_allclose(found.common_a[1], found.estimate_a[1])
    np.testing.assert_allclose(found.common_difference[1], found.difference[1])
    assert abs(float(found.common_difference[2])) < abs(float(found.difference[2])) / 2
    for letter, items in (("a", len(EVEN)), ("b", len(SKEWED))):
        assert 0.3 * items < found.attrs[f"effective_items_{letter}"] < items


@pytest.mark.slow
@pytest.mark.parametrize("paired", [True, False])
def test_three_annotators_by_weights_of_items(paired: bool) -> None:
    """The derivatives of what `compare` itself finds, item by item."""
    rng = np.random.default_rng(4)
    rows = [
        [
            [one if rng.random() < 0.8 else "abc"[rng.integers(3)] for _ in range(3)]
            for one in rng.choice(list("abc"), 30, p=share)
        ]
        for share in ([0.4, 0.3, 0.3], [0.8, 0.1, 0.1])
    ]
    a, b = (named(one, "q" if paired else prefix) for one, prefix in zip(rows, "ab", strict=True))
    names = ["krippendorff_alpha", "conger_kappa"]
    found = quick(a, b, names, paired=paired)
    step = 1e-4
    for place in range(2):
        slopes = np.zeros((2, 30))
        for item in range(30):
            weight = 1 + step * (np.arange(30) == item)
            heavier = [one.assign(item_weight=("item", weight)) for one in (a, b)]
            sets = [heavier] if paired else [(heavier[0], b), (a, heavier[1])]
            for side, one in enumerate(sets):
                moved = quick(*one, names, paired=paired).common_difference
                slopes[side, item] = float(moved[place] - found.common_difference[place]) / step
        squares = np.square(slopes - slopes.mean(axis=1, keepdims=True)).sum(axis=1)
        error = np.sqrt(30 / 29 * squares.sum())
        assert float(found.common_standard_error[place]) == pytest.approx(error, rel=2e-3)


def test_other_labels_are_said_beside_the_verdict() -> None:
    """.93 right in both files, one of them with few 'yes': alpha differs, and that is said."""
    rng = np.random.default_rng(0)
    files = []
    for share in (0.5, 0.05):
        truth = rng.random(300) < share
        wrong = rng.random((300, 2)) > 0.93
        files.append(np.where(truth[:, None] ^ wrong, "yes", "no").tolist())
    a, b = named(files[0], "a"), named(files[1], "b")
    found = iaa.compare(a, b, replicates=100, permutations=200, coefficients="krippendorff_alpha")
    assert found.attrs["conclusion"] == "a_higher"
    assert float(found.common_p_value[0]) > 0.05
    page = iaa.page(found)
    assert [note.code for note in page.answer[:2]] == ["a_higher", "not_shown_at_equal_rates"]
    text = " ".join(str(page).split())
    assert text.index("Coefficient") < text.index("Label rates differ: label 'no' is 5")
    assert "At equal label rates" in text


def test_the_answer_says_that_it_depends_on_how_often_labels_are_used() -> None:
    """Alpha is .59 in both, of annotators who are right in .97 and .885 of their ratings."""
    rng = np.random.default_rng(0)
    files = []
    for share, right in ((0.05, 0.97), (0.5, 0.885)):
        truth = rng.random(800) < share
        wrong = rng.random((800, 2)) > right
        files.append(np.where(truth[:, None] ^ wrong, "yes", "no").tolist())
    a, b = named(files[0], "a"), named(files[1], "b")
    found = iaa.compare(a, b, replicates=100, permutations=200, coefficients="krippendorff_alpha")
    assert found.attrs["conclusion"] == "not_shown"
    assert float(found.common_p_value[0]) < 0.05
    page = iaa.page(found)
    told = ["depends_on_rates", "as_rated_not_shown", "higher_at_equal_rates"]
    assert [note.code for note in page.answer] == told
    _, as_rated, even = page.answer
    assert as_rated.values["difference"] == float(found.difference[0])
    figures = (float(found.common_a[0]), float(found.common_b[0]))
    assert (even.values["low"], even.values["high"]) == tuple(sorted(figures))
    assert even.values["higher"] == ("B" if figures[1] > figures[0] else "A")
    assert page.blocks[-1].notes[-1].code == "next_on_labels"


def why(found: xr.Dataset) -> object:
    """Why there are no weights, as a code."""
    common = notes_of(found, "labels_occur_differently")[0].values["common"]
    return common.values["why"].code  # type: ignore[attr-defined]


def test_margins_that_cannot_be_met() -> None:
    a = iaa.from_wide([["x", "x"], ["y", "y"], ["x", "y"]] * 10)
    b = iaa.from_wide([["x", "x"], ["z", "z"], ["x", "x"]] * 10)
    found = quick(a, b, paired=False)
    assert np.isnan(found.common_difference).all()
    assert found.attrs["common_margins"] == 0
    assert why(found) == "label_alone"
    assert iaa.page(found).answer[1].code == "rates_differ"
    # of B only items that disagree have y
    few = named([["x", "x"]] * 40 + [["x", "y"]], "b")
    found = quick(named([["x", "x"]] * 5 + [["y", "y"]] * 30 + [["x", "y"]] * 5, "a"), few)
    assert np.isnan(found.common_difference).all()
    assert why(found) == "few_differ"


def test_labels_as_frequent_are_no_matter() -> None:
    found = quick(wide(FIRST), wide(SECOND))
    assert found.attrs["label_p_value"] > 0.05
    assert "common_a" not in found
    assert not notes_of(found, "labels_occur_differently")
    assert "common_a" not in quick(*pair(), None, per_label=True)


def test_whether_labels_occur_differently() -> None:
    """Of two labels: items' shares of x by their pooled spread; paired, by what moved."""
    shares = [np.array([row.count("x") / 2 for row in rows]) for rows in (EVEN, SKEWED)]
    both = np.concatenate(shares)
    spread = both.var() * sum(1 / len(one) for one in shares)
    z = abs(shares[1].mean() - shares[0].mean()) / np.sqrt(spread)
    found = quick(*pair()).attrs["label_p_value"]
    assert found == pytest.approx(2 * stats.norm.sf(z))
    rows = EVEN[:40], SKEWED[-20:] + SKEWED[:20]
    moved = np.array(
        [two.count("x") / 2 - one.count("x") / 2 for one, two in zip(*rows, strict=True)]
    )
    z = abs(moved.sum()) / np.sqrt(np.square(moved).sum())
    a, b = (named(one, "q") for one in rows)
    assert quick(a, b).attrs["label_p_value"] == pytest.approx(2 * stats.norm.sf(z))
    documents = np.arange(40) // 4
    a, b = (one.assign_coords(document=("item", documents)) for one in (a, b))
    by_document = np.bincount(documents, weights=moved)
    z = abs(moved.sum()) / np.sqrt(np.square(by_document).sum())
    found = quick(a, b, sampling=iaa.Sampling(cluster="document"), interval="auto")
    assert found.attrs["label_p_value"] == pytest.approx(2 * stats.norm.sf(z))
    own = np.arange(40)
    single = [one.assign_coords(document=("item", own)) for one in (a, b)]
    alone = {"paired": False, "sampling": iaa.Sampling(cluster="document"), "interval": "auto"}
    assert quick(*single, **alone).attrs["label_p_value"] == pytest.approx(
        quick(*single, paired=False).attrs["label_p_value"]
    )
