"""The posterior of a difference: exact laws, the same alone and beside others, and its p."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax import Interval
from iaa_jax.analyses.compare.posterior import not_within, two_sided
from iaa_jax.catalog import CATALOG
from iaa_jax.kernels import intervals
from tests.oracles import intervals as oracle
from tests.taken import one_of

DRAWN = 20_000
ENDS = [0.025, 0.975]


def rated(rows: list[str], prefix: str = "") -> xr.Dataset:
    ratings = iaa.from_wide([list(row) for row in rows], labels=sorted({*"".join(rows)}))
    return ratings.assign_coords(item=[f"{prefix}{index}" for index in range(len(rows))])


def compared(a: xr.Dataset, b: xr.Dataset, name: str = "percent_agreement", **how: object):
    usual = {"replicates": DRAWN, "permutations": 50, "interval": "empirical_bayes"}
    return iaa.compare(a, b, name, **(usual | how))


def ends(found: xr.Dataset) -> list[float]:
    return [float(found.ci_low[0]), float(found.ci_high[0])]


FIRST = rated(["aa"] * 12 + ["bb"] * 4 + ["ab"] * 2 + ["ba"] * 3)
SECOND = rated(["aa"] * 9 + ["ab"] * 3 + ["bb"] * 5 + ["ab"] + ["bb"] * 2 + ["ba"])


def test_shares_of_independent_sets_are_betas() -> None:
    """Two labels, two annotators: half an item of agreement and half of disagreement to each."""
    other = SECOND.assign_coords(item=[f"q{index}" for index in range(21)])
    found = compared(FIRST, other)
    rng = np.random.default_rng(1)
    less = 20 / 21  # of items, which count as one less
    drawn = [
        np.diff(rng.beta(16 * less + half, 5 * less + half, (2, 400_000)), axis=0)[0]
        for half in (0.5, 0.0)
    ]
    assert ends(found) == pytest.approx(oracle.farther_quantiles(*drawn, ENDS), abs=0.01)


def test_paired_shares_have_a_pseudo_item_each() -> None:
    """Weights of items are those of pairs; the pseudo-item of a set is none of the other."""
    found = compared(FIRST, SECOND, paired=True)
    agree = [np.diff(each.primary.values)[:, 0] == 0 for each in (FIRST, SECOND)]
    table = np.array([[(~agree[0] & ~agree[1]).sum(), (~agree[0] & agree[1]).sum()],
                      [(agree[0] & ~agree[1]).sum(), (agree[0] & agree[1]).sum()]])  # fmt: skip
    rng = np.random.default_rng(2)
    pairs = rng.standard_gamma((table * 20 / 21).ravel(), (400_000, 4))
    both = pairs.sum(axis=1)
    shares = pairs[:, 2] + pairs[:, 3], pairs[:, 1] + pairs[:, 3]
    with_prior = []
    for share in shares:
        agreed, differed = rng.standard_gamma(0.5, (2, 400_000))
        with_prior.append((share + agreed) / (both + agreed + differed))
    without = (shares[1] - shares[0]) / both
    expected = oracle.farther_quantiles(with_prior[1] - with_prior[0], without, ENDS)
    assert ends(found) == pytest.approx(expected, abs=0.01)


@pytest.mark.parametrize("name", one_of(2, ["krippendorff_alpha", "conger_kappa"]))
@pytest.mark.parametrize("paired", one_of(2, [True, False]))
def test_without_a_prior_items_have_dirichlet_weights(name: str, paired: bool) -> None:
    found = compared(
        FIRST, SECOND, name, paired=paired, interval=Interval("empirical_bayes", prior=0)
    )
    kernel, rng = CATALOG[name].measure.kernel, np.random.default_rng(3)
    masses = [np.eye(2)[each.primary.values] for each in (FIRST, SECOND)]
    weights = rng.dirichlet(np.ones(21), (2, DRAWN)) * 21
    if paired:
        weights[1] = weights[0]
    a, b = (
        [float(kernel(mass, item_weight=row).estimate) for row in rows[:4000]]
        for mass, rows in zip(masses, weights, strict=True)
    )
    expected = np.subtract(b, a)
    error = 4 * float(np.std(expected)) / np.sqrt(4000) * 2.7  # of a quantile of 2.5 %
    assert ends(found) == pytest.approx(np.quantile(expected, ENDS), abs=error)


@pytest.mark.parametrize("paired", [True, False])
def test_alone_and_beside_others_it_is_the_same(paired: bool) -> None:
    three = [
        rated([row + row[turn] for row, turn in zip(rows, [0, 1, 1] * 7, strict=True)])
        for rows in (["aa"] * 9 + ["bb"] * 6 + ["ab"] * 6, ["aa"] * 7 + ["bb"] * 8 + ["ba"] * 6)
    ]
    names = ["conger_kappa", "krippendorff_alpha", "mean_pairwise_cohen_kappa"]
    together = compared(*three, names, paired=paired, replicates=200)
    assert together.interval.values.tolist() == ["empirical_bayes"] * 3
    for index, name in enumerate(names):
        alone = compared(*three, name, paired=paired, replicates=200)
        beside = [float(together[end][index]) for end in ("ci_low", "ci_high")]
        assert ends(alone) == pytest.approx(beside, rel=1e-12)


def test_p_is_small_just_where_the_interval_leaves_0_out() -> None:
    rng = np.random.default_rng(5)
    for shift in np.linspace(-3, 3, 61):
        draws = np.round(rng.normal(shift, 1, 400), 1)  # many are 0
        for confidence in (0.8, 0.95):
            low, high = intervals.percentile(draws, confidence)
            assert (two_sided(draws) <= 1 - confidence) == (low > 0 or high < 0)
    assert two_sided(np.full(99, 2.0)) == pytest.approx(0.02)
    assert not_within(np.linspace(-1, 1, 201), 0.9) == pytest.approx(0.05)


@pytest.mark.slow
def test_the_conclusion_is_that_of_the_posterior() -> None:
    """Its p, its interval and what is concluded never contradict one another."""
    rng = np.random.default_rng(6)
    seen = set()
    for _ in range(30):
        a, b = (
            rated(["aa" if one else "ab" for one in rng.random(25) < share] + ["bb"], prefix)
            for share, prefix in ((0.6, "p"), (0.85, "q"))
        )
        found = compared(a, b, "gwet_ac1", replicates=200, interval="auto")
        low, high = ends(found)
        shown = low > 0 or high < 0
        assert (
            shown == (float(found.p_value[0]) <= 0.05) == (found.attrs["conclusion"] != "not_shown")
        )
        seen.add(shown)
    assert seen == {True, False}


def test_rows_of_a_crowd_keep_their_bootstrap() -> None:
    """Pairwise means of a crowd have no prior, and stand beside others that have."""
    rng = np.random.default_rng(7)
    crowds = []
    for prefix in "ab":
        truth = rng.integers(0, 2, 120)
        table = np.where(rng.random((120, 4)) < 0.85, truth[:, None], 1 - truth[:, None]).astype(
            float
        )
        table[np.arange(120), rng.integers(0, 4, 120)] = np.nan
        names = [f"{prefix}{index}" for index in range(120)]
        crowds.append(iaa.from_wide(table).assign_coords(item=names))
    found = compared(*crowds, ["krippendorff_alpha", "mean_pairwise_cohen_kappa"],
                     interval="auto", replicates=100)  # fmt: skip
    assert found.interval.values.tolist() == ["empirical_bayes", "bca"]
    assert np.isfinite(found.adjusted_p_value).all()
    assert "other rows: " in str(iaa.page(found)).lower().replace("\n  ", " ")


def test_labels_have_a_posterior_when_asked() -> None:
    found = compared(FIRST, SECOND, "krippendorff_alpha", per_label=True, paired=True)
    assert {*found.interval.values.tolist()} == {"empirical_bayes"}
    usual = iaa.compare(FIRST, SECOND, per_label=True, paired=True, permutations=200)
    assert {*usual.interval.values.tolist()} == {"permutations"}


@pytest.mark.parametrize("why", ["panels", "weights", "none_asked"])
@pytest.mark.parametrize("paired", [True, False])
def test_labels_that_cannot_be_exchanged_have_a_posterior(why: str, paired: bool) -> None:
    """Of two labels alpha of each is alpha of both, and so are its interval and p."""
    other = SECOND if paired else SECOND.assign_coords(item=[f"q{place}" for place in range(21)])
    sets, how = [FIRST, other], {"paired": paired, "interval": "auto", "replicates": 2000}
    if why == "panels":
        rows = np.array(["a", "b"])[FIRST.primary.values]
        sets[0] = rated(["".join(row) + row[0] for row in rows])
    elif why == "weights":
        sets = [each.assign(item_weight=("item", np.full(21, 1.5))) for each in sets]
    else:
        how |= {"permutations": 0}
    whole = compared(*sets, "krippendorff_alpha", **how)
    found = compared(*sets, "krippendorff_alpha", per_label=True, **how)
    assert {*found.interval.values.tolist()} == {"empirical_bayes"}
    for name in ("difference", "standard_error"):
        np.testing.assert_allclose(found[name], [float(whole[name][0])] * 2, rtol=1e-9)
    for name in ("ci_low", "ci_high", "p_value"):
        np.testing.assert_allclose(found[name], [float(whole[name][0])] * 2, atol=0.03)


def test_all_labels_together_count_by_their_tails() -> None:
    """Labels are drawn each by itself: of the smallest p that is 1 - (1 - p)^3, however skewed."""
    five = ["aaaaa"] * 30 + ["bbbbb"] * 7 + ["ccccc"] * 5 + ["aaaab"] * 3 + ["aaacc"]
    two = ["aa"] * 30 + ["bb"] * 6 + ["cc"] * 2 + ["ab"] * 4 + ["ac"] * 3
    how = {"interval": "auto", "per_label": True, "paired": False}
    found = compared(rated(five), rated(two, "q"), "krippendorff_alpha", **how)
    p_values, adjusted = found.p_value.values, found.adjusted_p_value.values
    wanted = 1 - (1 - p_values.min()) ** 3
    assert 0.01 < wanted < 0.3
    assert adjusted.min() == pytest.approx(wanted, abs=0.01)
    assert (adjusted >= p_values).all()
    low, high = found.band_low.values, found.band_high.values
    assert ((low < found.ci_low) & (found.ci_high < high)).all()
    # a row alone reaches the same share of its own draws to both sides
    alone = compared(
        *(rated(five), rated(two, "q"), "krippendorff_alpha"), **how, confidence=0.95 ** (1 / 3)
    )
    np.testing.assert_allclose(low, alone.ci_low, atol=0.03)
    np.testing.assert_allclose(high, alone.ci_high, atol=0.03)


def test_sets_without_a_prior_keep_their_bootstrap() -> None:
    """Of numbers, and where a set has more label sets than items, whatever the other set has."""
    rng = np.random.default_rng(7)

    def sets(items: int) -> xr.Dataset:
        given = [[[*rng.permutation(list("abcdefgh"))[: rng.integers(1, 4)]] for _ in range(5)]
                 for _ in range(items)]  # fmt: skip
        return iaa.from_sets(given, labels=list("abcdefgh"))

    numbers = [iaa.from_values(rng.normal(size=(12, 2))) for _ in range(2)]
    for a, b, how in ((sets(25), sets(200), "auto"), (*numbers, "empirical_bayes")):
        found = compared(a, b, "krippendorff_alpha", paired=False, interval=how, replicates=200)
        assert found.interval.values.tolist() == ["bca"]
        assert found.attrs["interval"] == "bca"


def test_bounds_of_their_own_share_the_error() -> None:
    same = rated(["aa"] * 12 + ["bb"] * 4, "q")
    found = compared(FIRST, same, ["percent_agreement", "gwet_ac1"], permutations=0, replicates=100)
    assert found.interval.values.tolist() == ["square_and_add"] * 2
    assert found.attrs["family"] == "bonferroni"
    np.testing.assert_allclose(found.adjusted_p_value, 2 * found.p_value)
    assert (found.band_low < found.ci_low).all()


def test_more_labels_together_than_a_prior_counts_have_no_posterior() -> None:
    """Of 300 labels each set takes a prior, of the 600 of both there is none."""
    sets = []
    for prefix in "pq":
        labels = [f"{prefix}{index}" for index in range(300)]
        rows = [[labels[k], labels[k if k % 4 else k - 1]] for k in range(300)] * 2
        items = [f"{prefix}{index}" for index in range(600)]
        sets.append(iaa.from_wide(rows).assign_coords(item=items))
    found = compared(*sets, "krippendorff_alpha", replicates=100)
    assert found.interval.values.tolist() == ["bca"]
