"""The sweep over p: curves against direct evaluation, bands, ceilings, refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import iaa_jax as iaa
from iaa_jax import IaaError, kernels
from iaa_jax.catalog import CATALOG
from iaa_jax.engine.sweep import lagrange_basis, nodes_for
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.resolver import Resolver
from tests.analyses.doubles.made import TABLE_1, made, ratings_of
from tests.noted import notes_of
from tests.taken import one_of

GRID = np.array([0.5, 0.51, 0.6180339887, 2 / 3, 0.75, 0.8, 0.95, 0.999, 1.0])


def fitting(ratings: Any) -> list[str]:
    """Rows of the catalogue that take these ratings."""
    found = []
    for name in CATALOG:
        try:
            Resolver(Rated.of(ratings)).request(name)
        except IaaError:
            continue
        found.append(name)
    return found


CASES = {"two": made(50, 2, 4, seed=1), "three": made(50, 3, 5, seed=2, gaps=0.2)}
NAMES = sorted({name for ratings in CASES.values() for name in fitting(ratings)})


@pytest.mark.parametrize("case", one_of(2, CASES))
@pytest.mark.parametrize("name", NAMES)
def test_rb4_the_curve_is_the_coefficient_at_each_p(name: str, case: str) -> None:
    ratings = CASES[case]
    if name not in fitting(ratings):
        return
    curve = iaa.sweep(ratings, name, p=GRID, interval=None)
    for at, p in enumerate(GRID):
        direct = getattr(iaa, name)(ratings, p=float(p), interval=None)
        for figure in ("estimate", "observed", "expected"):
            np.testing.assert_allclose(
                curve[figure].values[at], direct[figure].values, rtol=3e-14, atol=3e-15
            )


@pytest.mark.parametrize(
    "options",
    [
        {"normalize": "ceiling"},
        {"pool": "components"},
        {"normalize": "ceiling", "pool": "components"},
        {"weights": "linear"},
        {"coefficient": "krippendorff_alpha", "level": "ordinal"},
        {"coefficient": "gwet_ac2", "weights": "quadratic"},
    ],
)
def test_rb4_options_reach_the_curve(options: dict[str, str]) -> None:
    ratings = CASES["three"]
    curve = iaa.sweep(ratings, p=GRID, interval=None, **options)
    name = options.get("coefficient", "augmented_kappa")
    given = {key: value for key, value in options.items() if key != "coefficient"}
    for at, p in enumerate(GRID):
        direct = getattr(iaa, name)(ratings, p=float(p), interval=None, **given)
        np.testing.assert_allclose(
            curve.estimate.values[at], float(direct.estimate), rtol=3e-14, atol=3e-15
        )


@pytest.mark.parametrize("name", ["augmented_kappa", "fleiss_kappa", "krippendorff_alpha"])
def test_rb4_errors_and_intervals_are_those_of_each_p(name: str) -> None:
    ratings = CASES["three"]
    curve = iaa.sweep(ratings, name, p=[0.5, 0.7, 1.0], replicates=300, seed=4)
    for at, p in enumerate(curve.p.values):
        direct = getattr(iaa, name)(ratings, p=float(p), interval="bca", replicates=300, seed=4)
        for figure in ("standard_error", "ci_low", "ci_high"):
            assert float(curve[figure][at]) == pytest.approx(float(direct[figure]), abs=1e-12)


def test_rb4_ends_maximum_and_change() -> None:
    ratings = CASES["three"]
    curve = iaa.sweep(ratings, p=51, replicates=300)
    assert curve.sizes["p"] == 51
    assert float(curve.at_half) == float(curve.estimate[0])
    assert float(curve.at_one) == float(curve.estimate[-1])
    assert float(curve.maximum) == float(curve.estimate.max())
    assert float(curve.p_at_maximum) == float(curve.p[int(np.argmax(curve.estimate.values))])
    inner = iaa.sweep(ratings, p=[0.6, 0.7], replicates=300)
    for name in ("at_half", "at_one", "change", "change_standard_error", "change_ci_low"):
        assert float(inner[name]) == pytest.approx(float(curve[name]), abs=1e-13)
    assert float(curve.change) == pytest.approx(float(curve.at_half - curve.at_one), abs=1e-15)


def test_rb4_the_change_is_resampled_as_a_difference() -> None:
    ratings = CASES["three"]
    drawn = [
        iaa.bootstrap(ratings, "augmented_kappa", p=p, replicates=400, seed=7).replicates.values
        for p in (0.5, 1.0)
    ]
    curve = iaa.sweep(ratings, p=3, replicates=400, seed=7, interval="percentile")
    low, high = np.quantile(drawn[0] - drawn[1], [0.025, 0.975])
    assert float(curve.change_ci_low) == pytest.approx(low, abs=1e-12)
    assert float(curve.change_ci_high) == pytest.approx(high, abs=1e-12)
    spread = np.std(drawn[0] - drawn[1])
    assert float(curve.change_standard_error) == pytest.approx(spread, rel=0.15)


def test_rb4_the_band_holds_whole_replicates() -> None:
    """Of the replicates of the curve, the confidence's share lies in the band at every p."""
    ratings = CASES["three"]
    how = {"replicates": 1000, "seed": 3, "confidence": 0.9, "interval": "normal"}
    curve = iaa.sweep(ratings, p=11, **how)
    inside = np.ones(1000, dtype=bool)
    for at, p in enumerate(curve.p.values):
        drawn = iaa.bootstrap(ratings, "augmented_kappa", p=float(p), replicates=1000, seed=3)
        inside &= (drawn.replicates >= float(curve.band_low[at]) - 1e-12).values
        inside &= (drawn.replicates <= float(curve.band_high[at]) + 1e-12).values
    assert inside.mean() == pytest.approx(0.9, abs=0.002)
    assert float(curve.band_factor) > 1.645


def test_rb2_the_ceiling_beside_the_curve() -> None:
    """1 - 2 d p (1 - p), d the share of doubles; and K' of annotators with themselves."""
    curve = iaa.sweep(ratings_of([[cell, cell] for cell in TABLE_1], "abcd"), p=GRID, interval=None)
    np.testing.assert_allclose(curve.ceiling, 1 - 2 * 0.6 * GRID * (1 - GRID), atol=1e-15)
    np.testing.assert_allclose(curve.estimate_at_ceiling, curve.estimate, atol=1e-15)
    ratings = CASES["two"]
    share = float((ratings.secondary >= 0).mean())
    both = iaa.sweep(ratings, p=GRID, interval=None)
    np.testing.assert_allclose(both.ceiling, 1 - 2 * share * GRID * (1 - GRID), atol=1e-14)
    assert (both.estimate <= both.estimate_at_ceiling).all()
    other = iaa.sweep(ratings, "fleiss_kappa", p=GRID, interval=None)
    np.testing.assert_allclose(other.ceiling, both.ceiling, atol=1e-14)


def test_the_conclusion_is_that_of_the_interval_of_the_change() -> None:
    same = [[("a", "b"), ("a", "b")], [("b", None), ("b", None)], [("c", "a"), ("c", "a")]] * 8
    crossed = [[("a", "b"), ("b", "a")], [("c", None), ("c", None)], [("b", "c"), ("c", "b")]] * 8
    for rows, conclusion in ((same, "falls"), (crossed, "rises")):
        curve = iaa.sweep(ratings_of(rows, "abc"), p=3, replicates=100)
        assert curve.attrs["conclusion"] == conclusion
        (reach,) = notes_of(curve, "within_reach")
        assert reach.values["reach"] == pytest.approx(float(curve.estimate_at_ceiling[0]))
        assert reach.values["share_at_one"] == pytest.approx(float(curve.at_one))
    curve = iaa.sweep(CASES["three"], p=3, interval=None)
    assert curve.attrs["conclusion"] == "estimated"
    labels = iaa.sweep(CASES["three"], "specific_agreement", p=3, interval=None)
    assert labels.attrs["conclusion"] == "per_label"


def test_the_coefficient_is_that_of_annotators_known_or_not() -> None:
    ratings = CASES["three"]
    assert iaa.sweep(ratings, p=3, interval=None).attrs["coefficient"] == "augmented_kappa"
    anonymous = iaa.sweep(ratings.assign_attrs(anonymous=1), p=3, interval=None)
    assert anonymous.attrs["coefficient"] == "fleiss_kappa"
    other = iaa.sweep(ratings, "fleiss_kappa", p=3, interval=None)
    (note,) = notes_of(other, "chance_of_items")
    assert note.values["coefficient"] == "Augmented kappa"


def test_number_of_doubles_and_classes() -> None:
    ratings = CASES["three"]
    curve = iaa.sweep(ratings, p=3, interval=None)
    assert float(curve.doubles) == int((ratings.secondary >= 0).sum())
    classes = iaa.doubles.item_classes(ratings)
    np.testing.assert_array_equal(curve.class_count, classes["count"])


def share_of_pairs(mass: Any, *, item_weight: Any = None, annotator_weight: Any = None) -> Any:
    """A coefficient of the user's: how much the first two annotators have in common."""
    xp = np if isinstance(mass, np.ndarray) and isinstance(item_weight, np.ndarray) else None
    if xp is None:
        import jax.numpy as xp
    rated = ~xp.isnan(mass[:, :2, 0]).any(axis=1)
    same = xp.where(rated, xp.sqrt(xp.abs((mass[:, 0] * mass[:, 1]).sum(axis=-1)) + 0.01), 0.0)
    weight = item_weight * rated
    figure = (weight * same).sum() / weight.sum()
    return kernels.Agreement(figure, figure, xp.zeros_like(figure), xp.zeros((), dtype=xp.int32))


def test_a_function_of_the_users_is_worked_out_at_every_p() -> None:
    """A square root: no polynomial in p."""
    ratings = CASES["two"]
    curve = iaa.sweep(ratings, share_of_pairs, p=[0.5, 0.7, 1.0], replicates=150, seed=2)
    assert curve.attrs["at_every_p_directly"] == 1
    for at, p in enumerate(curve.p.values):
        direct = iaa.agreement(ratings, share_of_pairs, p=float(p), replicates=150, seed=2)
        for figure in ("estimate", "standard_error", "ci_low", "ci_high"):
            assert float(curve[figure][at]) == pytest.approx(float(direct[figure][0]), abs=1e-12)
    assert np.isfinite(curve.band_low).all()


def test_a_figure_for_each_label() -> None:
    curve = iaa.sweep(CASES["three"], "specific_agreement", p=5, replicates=100)
    assert curve.estimate.dims == ("p", "label")
    assert curve.maximum.dims == ("label",)
    assert (curve.band_low <= curve.estimate).all()


def test_items_repeated_by_weight() -> None:
    ratings = made(20, 3, 3, seed=6)
    times = np.random.default_rng(0).integers(1, 4, 20)
    weighted = ratings.assign(item_weight=("item", times.astype(float)))
    repeated = ratings.isel(item=np.repeat(np.arange(20), times))
    repeated = repeated.assign_coords(item=np.arange(repeated.sizes["item"]))
    one, other = (iaa.sweep(each, p=5, replicates=100, seed=1) for each in (weighted, repeated))
    for name in ("estimate", "standard_error", "band_low", "ceiling", "class_count", "doubles"):
        np.testing.assert_allclose(one[name], other[name], atol=1e-13)


@pytest.mark.parametrize(
    ("ratings", "because"),
    [
        (iaa.from_wide([["a", "b"], ["b", "b"]]), "one label each"),
        (ratings_of([[("a", None), ("b", None)]] * 3, "ab"), "no rating has a secondary"),
        (iaa.from_sets([[["a"], ["a", "b"]], [["b"], []]]), "labels of a set are not ranked"),
        (iaa.from_ranked([[["a", "b"], ["a"]], [["b"], ["b"]]], p=0.6), "from_ranked"),
        (iaa.from_values([[1.0, 2.0], [3.0, 4.0]]), "numbers without labels"),
    ],
)
def test_nothing_to_sweep_over(ratings: Any, because: str) -> None:
    with pytest.raises(IaaError, match=f"the same at every p.*{because}"):
        iaa.sweep(ratings, "krippendorff_alpha")


def test_a_kind_of_ratings_that_is_none_is_named() -> None:
    with pytest.raises(IaaError, match="is 'mixed', not one of"):
        iaa.sweep(CASES["two"].assign_attrs(task="mixed"))


@pytest.mark.parametrize("p", [0, 1.5, [0.4], [0.6, 0.6], [], "0.6", [np.nan], True])
def test_grids_that_are_none(p: Any) -> None:
    with pytest.raises(IaaError, match=r"p must be a number of points|the same value twice"):
        iaa.sweep(CASES["two"], p=p)


def test_options_of_another_coefficient_are_refused() -> None:
    with pytest.raises(IaaError, match="fleiss_kappa has no option 'normalize'"):
        iaa.sweep(CASES["two"], "fleiss_kappa", normalize="ceiling")
    with pytest.raises(IaaError, match="tau must be"):
        iaa.sweep(CASES["two"], tau=-1)


def test_undefined_at_p_1() -> None:
    """All primary labels are the same: 0/0 at p = 1, a figure before."""
    rows = [[("a", "b"), ("a", None)], [("a", None), ("a", "b")], [("a", "b"), ("a", "b")]]
    curve = iaa.sweep(ratings_of(rows, "ab"), p=5, interval=None)
    assert np.isfinite(curve.estimate[:-1]).all()
    assert np.isnan(curve.estimate[-1])
    assert int(curve.code[-1]) == 4
    assert curve.attrs["conclusion"] == "undefined"
    (note,) = notes_of(curve, "undefined_points")
    assert note.values == {"points": 1, "of": 5, "reason": str(curve.reason[-1].values)}
    assert float(curve.maximum) == float(np.nanmax(curve.estimate))


@pytest.mark.parametrize(
    "name", one_of(3, ["augmented_kappa", "conger_kappa", "specific_agreement"])
)
def test_memory_changes_no_digit(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ratings = made(40, 4, 5, seed=3, gaps=0.2)
    wanted = iaa.sweep(ratings, name, p=150, replicates=130)
    monkeypatch.setattr("iaa_jax._thresholds.SWEEP_CELLS", 2000)
    found = iaa.sweep(ratings, name, p=150, replicates=130)
    for figure in ("estimate", "standard_error", "ci_low", "band_high", "change_ci_low"):
        np.testing.assert_allclose(found[figure], wanted[figure], atol=1e-13)


def test_single_precision() -> None:
    exact = iaa.sweep(CASES["three"], p=11, replicates=100)
    found = iaa.sweep(CASES["three"], p=11, replicates=100, dtype="float32")
    for figure in ("estimate", "standard_error", "ci_low", "band_high"):
        np.testing.assert_allclose(found[figure], exact[figure], atol=1e-4)


def test_interval_kinds() -> None:
    ratings = CASES["three"]
    none = iaa.sweep(ratings, p=5, interval=None)
    for name in ("standard_error", "ci_low", "band_low", "change_ci_low", "band_factor"):
        assert np.isnan(none[name]).all()
    normal = iaa.sweep(ratings, p=5, interval="normal", replicates=200)
    assert (normal.band_low < normal.ci_low).all()
    one = iaa.sweep(ratings.isel(item=[0]), p=5, replicates=50)
    assert np.isnan(one.ci_low).all()
    assert notes_of(one, "few_pairable")


def test_the_nodes_hold_the_ends() -> None:
    for degree in (1, 2, 4):
        nodes = nodes_for(degree)
        assert nodes[0] == 0.5
        assert nodes[-1] == 1.0
        np.testing.assert_array_equal(lagrange_basis(nodes, nodes), np.eye(degree + 1))
        p = np.linspace(0.5, 1, 101)
        np.testing.assert_allclose(lagrange_basis(nodes, p) @ nodes**degree, p**degree, rtol=1e-14)


IDENTICAL = {
    "percent_agreement": True,
    "fleiss_kappa": True,
    "conger_kappa": True,
    "gwet_ac1": True,
    "van_oest_ir2": True,
    "krippendorff_alpha": True,
    "augmented_kappa": True,
    "mean_pairwise_cohen_kappa": False,
    "davies_fleiss_kappa": False,
    "hubert_kappa": False,
}
"""Whether the ceiling of a coefficient is known."""


@pytest.mark.parametrize("doubles_on_large_panels", [True, False])
@pytest.mark.parametrize("name", IDENTICAL)
def test_identical_ratings_are_at_the_ceiling(name: str, doubles_on_large_panels: bool) -> None:
    """Items have two ratings or four; the doubles stand on those with four, or on the others."""
    rows = [
        (
            item,
            who,
            "abc"[item % 3],
            "abc"[(item + 1) % 3] if (item < 6) == doubles_on_large_panels else None,
        )
        for item in range(12)
        for who in range(4 if item < 6 else 2)
    ]
    names = ("item", "annotator", "label", "second")
    ratings = iaa.from_long(
        dict(zip(names, zip(*rows, strict=True), strict=True)), secondary="second"
    )
    found = iaa.sweep(ratings, name, p=[0.5, 0.75, 1.0], interval=None)
    if not IDENTICAL[name]:
        assert np.isnan(found.ceiling).all()
        assert np.isnan(found.share_of_ceiling).all()
        return
    if name != "augmented_kappa":  # its ceiling is that of pairs, which are averaged as kappas
        np.testing.assert_allclose(found.ceiling, found.observed, atol=1e-12)
    np.testing.assert_allclose(found.share_of_ceiling, 1.0, atol=1e-12)


def test_the_band_holds_the_intervals() -> None:
    rng = np.random.default_rng(5)
    rows = []
    for item in range(39):
        truth = rng.integers(3)
        for who in range(3):
            label = truth if rng.random() < 0.6 else rng.integers(3)
            rows.append(
                (item, who, int(label), int((label + 1) % 3) if rng.random() < 0.4 else None)
            )
    names = ("item", "annotator", "label", "second")
    ratings = iaa.from_long(
        dict(zip(names, zip(*rows, strict=True), strict=True)), secondary="second"
    )
    for interval in ("bca", "percentile", "normal"):
        found = iaa.sweep(ratings, p=6, replicates=300, interval=interval)
        assert (found.band_low <= found.ci_low).all()
        assert (found.band_high >= found.ci_high).all()


@pytest.mark.filterwarnings("error")
def test_a_label_that_never_varies_has_no_band_beside_one_that_does() -> None:
    item = [3 * k + i for k in range(4) for i in (1, 1, 2, 2, 3, 3)]
    columns = {
        "item": item,
        "annotator": ["x", "y"] * 12,
        "label": list("abbbcc") * 4,
        "secondary": ["b", "a", None, "a", "a", "a"] * 4,
    }
    ratings = iaa.from_long(columns, secondary="secondary")
    curve = iaa.sweep(ratings, "specific_agreement", p=3, replicates=60)
    reach = curve.band_factor.to_series()
    assert np.isnan(reach["c"])
    assert (reach[["a", "b"]] > 0).all()
