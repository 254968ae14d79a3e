"""Words for coefficients: bands, their ends, and the probabilities behind the certain one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import xarray as xr
from scipy.stats import beta, truncnorm

import iaa_jax as iaa
from iaa_jax._errors import IaaError
from iaa_jax.analyses.agree.bands import (
    normal_shares,
    replicate_shares,
    words_of,
)
from iaa_jax.catalog.scales import SCALES

TABLE = iaa.from_contingency([[20, 5], [10, 15]], labels=["yes", "no"])

PRINTED = {
    "landis_koch": {
        "poor": (-1.0, -0.01),
        "slight": (0.0, 0.2),
        "fair": (0.21, 0.4),
        "moderate": (0.41, 0.6),
        "substantial": (0.61, 0.8),
        "almost perfect": (0.81, 1.0),
    },
    "altman": {
        "poor": (-1.0, 0.19),
        "fair": (0.21, 0.4),
        "moderate": (0.41, 0.6),
        "good": (0.61, 0.8),
        "very good": (0.81, 1.0),
    },
    "fleiss": {"poor": (-1.0, 0.39), "fair to good": (0.4, 0.75), "excellent": (0.76, 1.0)},
    "cicchetti": {
        "poor": (-1.0, 0.39),
        "fair": (0.4, 0.59),
        "good": (0.6, 0.74),
        "excellent": (0.75, 1.0),
    },
    "krippendorff": {
        "not reliable": (-1.0, 0.666),
        "tentative": (0.667, 0.799),
        "reliable": (0.8, 1.0),
    },
}
"""The bands as their authors print them, both ends counted in."""


def test_l2_landis_and_koch() -> None:
    """.4 is fair; bands close on the right; below 0 is poor; no gaps where the print has some."""
    assert words_of(0.4).item() == "fair"
    found = words_of([-1.0, -1e-9, 0.0, 0.2, 0.205, 0.4, 0.6, 0.8, 0.8000001, 1.0])
    assert found.tolist() == [
        "poor",
        "poor",
        "slight",
        "slight",
        "fair",
        "fair",
        "moderate",
        "substantial",
        "almost perfect",
        "almost perfect",
    ]
    assert words_of(np.nan).item() == ""
    assert iaa.in_words(iaa.cohen_kappa(TABLE, interval=None)).word.item() == "fair"


@pytest.mark.parametrize("name", SCALES)
def test_every_printed_band(name: str) -> None:
    assert SCALES[name].words == tuple(PRINTED[name])
    for word, ends in PRINTED[name].items():
        assert words_of(ends, name).tolist() == [word, word]


@pytest.mark.parametrize("name", SCALES)
def test_bands_cover_every_number_once(name: str) -> None:
    scale = SCALES[name]
    assert list(scale.bounds) == sorted(scale.bounds)
    assert len(scale.words) == len(scale.bounds) + 1 == len(scale.closed) + 1
    grid = np.linspace(-1, 1, 4001)
    places = [scale.band_of(x) for x in grid]
    assert places == sorted(places)
    assert set(places) == set(range(len(scale.words)))
    counted = replicate_shares(grid, name)
    assert counted.tolist() == [places.count(k) / len(grid) for k in range(len(scale.words))]


@pytest.mark.parametrize("name", SCALES)
@pytest.mark.parametrize(("estimate", "error"), [(0.4, 0.13), (0.97, 0.2), (-0.3, 0.5)])
def test_probabilities_of_a_cut_normal(name: str, estimate: float, error: float) -> None:
    edges = [-1.0, *SCALES[name].bounds, 1.0]
    cut = truncnorm((-1 - estimate) / error, (1 - estimate) / error, loc=estimate, scale=error)
    found = normal_shares(estimate, error, name)
    np.testing.assert_allclose(found, np.diff(cut.cdf(edges)), atol=1e-12)
    np.testing.assert_allclose(found.sum(), 1.0, rtol=1e-13)


def test_gwets_example() -> None:
    """AC1 .775 with standard error .143: moderate, moderate, intermediate to good."""
    for scale, word in (
        ("landis_koch", "moderate"),
        ("altman", "moderate"),
        ("fleiss", "fair to good"),
    ):
        found = iaa.in_words(0.77544, scale, standard_error=0.14295)
        assert found.reached.item() == word
        assert 0.95 < found.certain.item() < 1
        better = found.band.values.tolist().index(word) + 1
        assert found.at_least.values[better] < 0.95
        np.testing.assert_allclose(found.at_least[0], 1.0)
        assert np.all(np.diff(found.at_least) <= 0)


def test_replicates_of_ratings() -> None:
    names = ["cohen_kappa", "gwet_ac1"]
    by_shares = {"method": "replicates", "replicates": 500, "seed": 3}
    found = iaa.in_words(TABLE, coefficients=names, **by_shares)
    drawn = iaa.bootstrap(TABLE, names, replicates=500, seed=3)
    for name in names:
        one = drawn.replicates.sel(coefficient=name).values
        above = {word: (one > low).mean() for word, low in (("fair", 0.2), ("moderate", 0.4))}
        for word, share in above.items():
            np.testing.assert_allclose(
                found.at_least.sel(coefficient=name, band=word), share, rtol=1e-12
            )
    assert found.attrs["method"] == "replicates"
    assert (found.attrs["seed"], found.attrs["replicates"]) == (3, 500)
    again = iaa.in_words(drawn, method="replicates")
    np.testing.assert_array_equal(again.probability, found.probability)
    # Gwet's normal form is near
    normal = iaa.in_words(TABLE, coefficients=names, method="normal")
    np.testing.assert_allclose(normal.at_least, found.at_least, atol=0.1)
    assert normal.attrs["method"] == "normal"


def test_what_has_no_chance_term_has_no_word_unasked() -> None:
    found = iaa.in_words(TABLE, replicates=64)
    assert "percent_agreement" not in found.coefficient.values
    assert "cohen_kappa" in found.coefficient.values
    assert found.attrs["scale_source"].startswith("Landis and Koch 1977")
    along = iaa.in_words(iaa.specific_agreement(TABLE, replicates=64))
    assert along.reached.dims == ("label",)
    shares = iaa.in_words(iaa.specific_agreement(TABLE, replicates=64), method="normal")
    assert shares.probability.dims == ("label", "band")


def test_the_certain_word_is_that_of_the_lower_end() -> None:
    figures = iaa.agreement(TABLE, ["cohen_kappa", "gwet_ac1", "krippendorff_alpha"])
    found = iaa.in_words(figures)
    assert found.reached.values.tolist() == words_of(figures.ci_low).tolist()
    np.testing.assert_array_equal(found.ci_low, figures.ci_low)
    assert (found.certain == 0.95).all()
    assert (found.withheld == "").all()
    assert found.attrs["method"] == "interval"
    names = figures.coefficient.values.tolist()
    alone = iaa.in_words(TABLE, coefficients=names)
    assert alone.reached.values.tolist() == found.reached.values.tolist()
    from_prior = iaa.bootstrap(TABLE, names, sampling=iaa.Sampling(bayesian=True), prior="auto")
    np.testing.assert_allclose(iaa.in_words(from_prior).ci_low, figures.ci_low)
    bca = iaa.agreement(TABLE, names, interval="bca")
    np.testing.assert_allclose(iaa.in_words(iaa.bootstrap(TABLE, names)).ci_low, bca.ci_low)
    wider = iaa.in_words(TABLE, coefficients="cohen_kappa", confidence=0.99)
    assert wider.ci_low < figures.ci_low[0]
    with pytest.raises(IaaError, match="intervals of this result have 90 % confidence"):
        iaa.in_words(iaa.cohen_kappa(TABLE, confidence=0.9))


def test_three_unanimous_items_make_nothing_certain() -> None:
    perfect = iaa.from_wide([["a", "a"], ["b", "b"], ["a", "a"]])
    found = iaa.in_words(perfect)
    assert set(found.word.values) == {"almost perfect"}
    assert set(found.reached.values) == {""}
    assert set(found.withheld.values) == {"few_items"}
    assert np.isnan(found.certain).all()
    assert iaa.in_words(perfect, coefficients="krippendorff_alpha").conclusion == "unnamed"
    for method in ("replicates", "normal"):
        shares = iaa.in_words(perfect, coefficients="gwet_ac1", method=method, replicates=64)
        assert shares.reached.values.tolist() == [""]
        assert shares.withheld.values.tolist() == ["no_spread"]


def test_of_ten_unanimous_items_the_prior_says_what_is_certain() -> None:
    """The share that agrees is Beta(9 + 1/2, 1/2): ten items, one less, and a pseudo-item."""
    perfect = iaa.from_wide([["a", "a"], ["b", "b"]] * 5)
    found = iaa.in_words(perfect, coefficients="brennan_prediger", replicates=20_000)
    low = 2 * beta(9.5, 0.5).ppf(0.025) - 1
    assert float(found.ci_low[0]) == pytest.approx(low, abs=0.02)
    assert found.reached.values.tolist() == [str(words_of(low))]
    assert found.withheld.values.tolist() == [""]


def test_nothing_is_certain_of_an_interval_in_doubt() -> None:
    rows = [["a", "a"]] * 60 + [["b", "b"]] * 20 + [["a", "b"]]
    ratings = iaa.from_wide(rows)
    found = iaa.in_words(ratings, coefficients="krippendorff_alpha", interval="bca")
    assert found.word.values.tolist() == ["almost perfect"]
    assert found.reached.values.tolist() == [""]
    assert found.withheld.values.tolist() == ["few_telling_items"]


def nearly_reliable(items: int, stream: np.random.Generator) -> xr.Dataset:
    """Three annotators and two labels, with alpha .79."""
    truth, guess = (stream.integers(0, 2, shape) for shape in ((items, 1), (items, 3)))
    return iaa.from_wide(np.where(stream.random((items, 3)) < np.sqrt(0.79), truth, guess))


@pytest.mark.slow
@pytest.mark.parametrize("items", [20, 50])
def test_what_is_not_so_is_seldom_certain(items: int) -> None:
    """Normal shares called alpha .79 reliable (.8) in a tenth of the samples."""
    stream, certain, sets = np.random.default_rng(items), 0, 200
    for _ in range(sets):
        figures = iaa.krippendorff_alpha(nearly_reliable(items, stream), replicates=200)
        certain += iaa.in_words(figures, "krippendorff").reached.item() == "reliable"
    assert certain <= 0.04 * sets


def test_nothing_certain_without_a_spread() -> None:
    one = iaa.from_wide([["a", "b"], ["a", None]])
    found = iaa.in_words(one, coefficients="gwet_ac1", replicates=64)
    assert found.word.values.tolist() == ["poor"]
    assert found.reached.values.tolist() == [""]
    assert found.withheld.values.tolist() == ["no_interval"]
    shares = iaa.in_words(one, coefficients="gwet_ac1", replicates=64, method="replicates")
    assert np.isnan(shares.probability).all()
    undefined = iaa.in_words(
        iaa.from_wide([["a", "a"], ["a", "a"]]), coefficients="cohen_kappa", replicates=64
    )
    assert undefined.word.values.tolist() == [""]
    assert undefined.reached.values.tolist() == [""]
    assert undefined.withheld.values.tolist() == ["undefined"]
    without = iaa.in_words(iaa.cohen_kappa(TABLE, interval=None))
    assert (without.reached.item(), without.withheld.item()) == ("", "no_interval")
    alone = iaa.in_words(0.5)
    assert (alone.word.item(), alone.reached.item()) == ("moderate", "")


def test_figures_below_minus_one() -> None:
    assert iaa.in_words(-4.0, standard_error=1.0).reached.item() == "poor"
    np.testing.assert_allclose(normal_shares(-4.0, 1.0).sum(), 1.0)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: iaa.in_words(0.5, "munoz"), "scale must be one of landis_koch"),
        (lambda: iaa.in_words(0.5, method="exact"), "method must be one of"),
        (lambda: iaa.in_words(0.5, confidence=95), "confidence must lie between 0 and 1"),
        (lambda: iaa.in_words(0.5, coefficients="cohen_kappa"), "chosen for ratings"),
        (lambda: iaa.in_words(0.5, standard_error=-1.0), "from 0 up"),
        (lambda: iaa.in_words(float("nan")), "nan has no word"),
        (lambda: iaa.in_words(xr.Dataset({"x": 1})), "no estimate"),
        (lambda: iaa.in_words(0.5, method="replicates"), "no replicates"),
        (lambda: iaa.in_words(TABLE, coefficients="cohen_kapa"), "did you mean cohen_kappa"),
    ],
)
def test_refusals(call, message: str) -> None:
    with pytest.raises(IaaError, match=message):
        call()


def test_l4_the_ceiling_is_in_the_documentation() -> None:
    """L4 has no number of its own: human agreement is reported beside that of the model."""
    page = Path(iaa.__file__).parents[1] / "docs" / "scales.md"
    assert "Human agreement bounds" in page.read_text(encoding="utf-8")
