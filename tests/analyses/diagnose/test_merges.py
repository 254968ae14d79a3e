"""Which labels to merge: what merges bring, and that chance is not taken for confusion."""

from __future__ import annotations

import math
from itertools import combinations

import jax
import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax._errors import IaaError
from iaa_jax.kernels.confusing import chances
from tests.noted import notes_of
from tests.taken import one_of

NAMES = "abcdef"
QUICK = {"replicates": 200}


def made(
    shares: list[float],
    seed: int,
    items: int = 300,
    swap: float = 0.0,
    error: float = 0.3,
    even: bool = True,
) -> xr.Dataset:
    """Three annotators; each errs by itself, and the last two labels are swapped by some."""
    rng = np.random.default_rng(seed)
    labels = len(shares)
    truth = rng.choice(labels, items, p=shares)
    drawn = rng.choice(labels, (items, 3), p=None if even else shares)
    codes = np.where(rng.random((items, 3)) < error, drawn, truth[:, None])
    if swap:
        last = codes >= labels - 2
        turned = last & (rng.random(codes.shape) < swap)
        codes = np.where(turned, 2 * labels - 3 - codes, codes)
    return iaa.from_wide(np.array(list(NAMES))[codes], labels=list(NAMES[:labels]))


def test_every_merge_is_what_recoding_gives_and_loses_the_entropy_that_goes():
    ratings = made([0.4, 0.3, 0.2, 0.1], 1)
    result = iaa.labels.merges(ratings, "gwet_ac1", **QUICK)
    whole = float(iaa.gwet_ac1(ratings, interval=None).estimate)
    assert float(result.estimate) == pytest.approx(whole)
    assert result.sizes["pair"] == 6
    codes = ratings["primary"].values.ravel()

    def entropy(values):
        shares = np.unique(values, return_counts=True)[1] / len(values)
        return -sum(share * math.log2(share) for share in shares)

    assert float(result.entropy) == pytest.approx(entropy(codes))
    for at in range(6):
        pair = result.isel(pair=at)
        first, second = (str(pair[name].item()) for name in ("first", "second"))
        merged = iaa.data.recode(ratings, {first: second})
        of_merge = float(iaa.gwet_ac1(merged, interval=None).estimate)
        assert float(pair.agreement) == pytest.approx(of_merge)
        assert float(pair.gain) == pytest.approx(of_merge - whole)
        left = np.where(codes == NAMES.index(first), NAMES.index(second), codes)
        assert float(pair.bits_lost) == pytest.approx(entropy(codes) - entropy(left))


@pytest.mark.slow
def test_gains_have_the_standard_error_of_paired_replicates():
    ratings = made([0.4, 0.3, 0.2, 0.1], 2)
    result = iaa.labels.merges(ratings, **QUICK).isel(pair=0)
    pair = {str(result["first"].item()): str(result["second"].item())}
    rng = np.random.default_rng(0)
    items, gains = ratings.sizes["item"], []
    for _ in range(400):
        drawn = ratings.isel(item=rng.integers(0, items, items))
        drawn = drawn.assign_coords(item=np.arange(items))
        figures = [
            float(iaa.krippendorff_alpha(each, interval=None).estimate)
            for each in (drawn, iaa.data.recode(drawn, pair))
        ]
        gains.append(figures[1] - figures[0])
    width = float(result.gain_ci_high - result.gain_ci_low) / 2 / 1.96
    assert width == pytest.approx(np.std(gains), rel=0.15)


def test_chances_by_plain_loops():
    rng = np.random.default_rng(0)
    table = rng.random((5, 5)) * 10 + np.diag([40.0, 30, 20, 10, 5])
    table = (table + table.T) / 2
    found = chances(table)
    pairs = [*combinations(range(5), 2)]
    share = table.sum(axis=1) / table.sum()
    confused = sum(2 * table[a, b] for a, b in pairs)
    by_share = sum(2 * share[a] * share[b] for a, b in pairs)
    drawn = table.sum(axis=1) - np.diag(table)
    for a, b in pairs:
        expected = confused * share[a] * share[b] / by_share
        assert float(found.by_share[a, b]) == pytest.approx(expected)
    for fitted in (found.factors, found.terms):
        np.testing.assert_allclose(fitted.sum(axis=1), drawn, rtol=1e-6)
        np.testing.assert_allclose(np.diag(fitted), 0)
    # products: cross ratios are 1; sums: cross differences are 0
    f, u = found.factors, found.terms
    assert f[0, 1] * f[2, 3] == pytest.approx(f[0, 2] * f[1, 3])
    assert u[0, 1] + u[2, 3] == pytest.approx(u[0, 2] + u[1, 3])


def test_even_errors_make_even_confusions():
    """The table that two annotators' even errors make in the long run is explained in full."""
    shares, error = np.array([0.5, 0.3, 0.15, 0.05]), 0.4
    given = (1 - error) * np.eye(4) + error / 4
    table = 1000 * given.T @ np.diag(shares) @ given
    apart = ~np.eye(4, dtype=bool)
    np.testing.assert_allclose(chances(table).even[apart], table[apart])
    skewed = (1 - error) * np.eye(4) + error * shares
    table = 1000 * skewed.T @ np.diag(shares) @ skewed
    np.testing.assert_allclose(chances(table).by_share[apart], table[apart])


def test_the_kernel_runs_compiled_and_mapped():
    table = np.random.default_rng(1).random((3, 4, 4))
    table += table.transpose(0, 2, 1)
    with jax.enable_x64():
        for one, two, three in zip(
            chances(table), jax.jit(chances)(table), jax.vmap(chances)(table), strict=True
        ):
            np.testing.assert_allclose(one, two, atol=1e-12)
            np.testing.assert_allclose(one, three, atol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("even", [True, False])
@pytest.mark.parametrize("shares", [[0.6, 0.3, 0.1], [0.4, 0.3, 0.2, 0.05, 0.05]])
def test_nothing_is_suggested_where_nothing_is_confused(shares, even):
    found = [
        iaa.labels.merges(made(shares, seed, even=even), **QUICK).attrs["conclusion"]
        for seed in range(40)
    ]
    assert found.count("merge") <= 6  # 5 %, and three standard errors


@pytest.mark.parametrize("labels", one_of(3, [3, 4, 6]))
def test_two_confused_labels_are_found_again(labels):
    shares = [1 / labels] * labels
    for seed in range(5):
        result = iaa.labels.merges(made(shares, seed, items=500, swap=0.4, error=0.15), **QUICK)
        assert result["merged"].values.tolist() == [f"{NAMES[labels - 2]} / {NAMES[labels - 1]}"]
        assert float(result.elsewhere) > 0


def test_the_recoding_is_what_the_steps_say():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 6, 600)
    codes = np.repeat(truth[:, None], 3, axis=1)
    for first in (0, 4):
        inside = (codes == first) | (codes == first + 1)
        codes = np.where(inside & (rng.random(codes.shape) < 0.4), 2 * first + 1 - codes, codes)
    noise = rng.random(codes.shape) < 0.1
    codes = np.where(noise, rng.integers(0, 6, codes.shape), codes)
    ratings = iaa.from_wide(np.array(list(NAMES))[codes])
    result = iaa.labels.merges(ratings, **QUICK)
    assert sorted(result["merged"].values.tolist()) == ["a / b", "e / f"]
    new = dict(part.split("=") for part in result.attrs["recode"].split(","))
    then = iaa.krippendorff_alpha(iaa.data.recode(ratings, new), interval=None).estimate
    assert float(result.agreement_then[-1]) == pytest.approx(float(then))
    assert notes_of(result, "further_merges")


def test_numbers_in_order_stay_in_order():
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 4, 200)
    rows = np.clip(truth[:, None] + rng.integers(-1, 2, (200, 3)), 0, 3)
    ratings = iaa.from_wide(rows)
    result = iaa.labels.merges(ratings, level="ordinal", **QUICK)
    pair = result.isel(pair=int(np.flatnonzero(result["first"].values == "1")[0]))
    new = {"1": "1", str(pair["second"].item()): "1"}
    merged = iaa.krippendorff_alpha(iaa.data.recode(ratings, new), level="ordinal", interval=None)
    assert float(pair.agreement) == pytest.approx(float(merged.estimate))
    with pytest.raises(IaaError, match="nominal or ordinal"):
        iaa.labels.merges(ratings, level="interval")


@pytest.mark.parametrize("seed", [11, 4])
def test_no_merge_is_suggested_that_gains_less_than_it_loses(seed):
    """Neighbours are confused for sure, as on any scale, and told apart in most of the ratings."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(4, 200, p=[0.15, 0.15, 0.35, 0.35])
    rows = truth[:, None] + rng.choice([-1, 0, 1], (200, 3), p=[0.2, 0.6, 0.2])
    ratings = iaa.from_wide(np.clip(rows, 0, 3))
    scale = iaa.labels.merges(ratings, level="ordinal", **QUICK)
    assert scale.attrs["conclusion"] == "keep"
    assert "neighbouring labels, as on any scale" in " ".join(str(iaa.page(scale)).split())
    result = iaa.labels.merges(ratings, level="nominal", **QUICK)
    worst = result.isel(pair=0)
    assert float(worst.p_value) < 0.05
    assert float(worst.gain) > 0
    # a third of the information for a tenth of the disagreement, or for a figure within its error
    assert float(worst.gain) / (1 - float(result.estimate)) < float(worst.share_lost)
    # only the confusion that costs most, and surely, is to be separated
    costs = float(worst.gain_ci_low) > 0
    assert result.attrs["conclusion"] == ("no_gain" if costs else "no_cost")
    text = " ".join(str(iaa.page(result)).split())
    assert ("gains too little" in text, "Separate them" in text) == (costs, costs)
    vague = np.where(rng.random(rows.shape) < 0.5, 3 - rows, rows)  # which of 1 and 2 is a guess
    rows = np.where((rows == 1) | (rows == 2), vague, rows)
    guessed = iaa.labels.merges(iaa.from_wide(np.clip(rows, 0, 3)), level="ordinal", **QUICK)
    first = guessed.isel(pair=int(np.argmin(guessed.p_value.values)))
    assert float(first.p_value) < 0.05
    assert (first["first"].item(), first["second"].item()) == ("1", "2")


def test_a_confusion_that_costs_nothing_is_not_to_be_separated():
    """Two rare neighbours are confused for sure; the frequent ones are as neighbours are."""
    rng = np.random.default_rng(0)
    truth = rng.choice(4, 600, p=[0.05, 0.05, 0.45, 0.45])[:, None]
    rows = np.clip(truth + rng.choice([-1, 0, 1], (600, 3), p=[0.12, 0.76, 0.12]), 0, 3)
    guessed = rng.integers(0, 2, rows.shape)
    rows = np.where(truth < 2, guessed, rows)
    result = iaa.labels.merges(iaa.from_wide(rows), level="ordinal", **QUICK)
    place = result.attrs["confused_place"]
    assert result.attrs["conclusion"] == "no_cost"
    pair = result.isel(pair=place)
    assert (pair["first"].item(), pair["second"].item()) == ("0", "1")
    text = " ".join(str(iaa.page(result)).split())
    assert "more of the errors fall on '0' and '1'" in text
    assert "Separate" not in text


def test_two_labels_and_too_many():
    two = iaa.labels.merges(iaa.from_wide([["a", "b"], ["a", "a"], ["b", "b"]]), **QUICK)
    assert two.attrs["conclusion"] == "two_labels"
    with pytest.raises(IaaError, match="merges need ratings with one label each"):
        iaa.labels.merges(iaa.from_values([[1.0, 2.0], [2.0, 2.0]]))
    sets = iaa.from_sets([[["a"], ["a", "b"]], [["b"], ["b"]]])
    with pytest.raises(IaaError, match=r"these ratings are sets of labels: .*iaa label-sets FILE"):
        iaa.labels.merges(sets)
    many = iaa.from_wide([[f"l{k}", f"l{k}"] for k in range(60)])
    with pytest.raises(IaaError, match="60 labels make too many merges"):
        iaa.labels.merges(many)


def test_the_command_says_what_to_do(request, folder):
    command = request.getfixturevalue("iaa")
    made([0.25] * 4, 0, 400, swap=0.45, error=0.1).primary.to_pandas().replace(
        dict(enumerate("abcd"))
    ).to_csv("r.csv", index_label="item")
    done = command("labels", "r.csv", "--suggest-merges", "--replicates", "200")
    text = " ".join(done.stdout.split())
    assert "Merge 'c / d'" in text
    assert "--recode 'c=c / d,d=c / d'" in text
    assert command("agree", "r.csv", "--recode", "c=c / d,d=c / d").exit_code == 0
    assert command("labels", "r.csv", "--suggest-merges", "--by", "x").exit_code == 2
