"""Replicates drawn on a device: here the devices of the CPU, which take the same path."""

from __future__ import annotations

import jax
import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.stats import chi2, ks_2samp

import iaa_jax as iaa
from iaa_jax.engine import Clusters, PatternTable, Prepared, Resampling, bootstrap
from iaa_jax.engine.compiled import TRACES
from iaa_jax.engine.devices import HeldOnEach, local_devices
from iaa_jax.engine.drawing.halving import Halving, Halvings, key_words, steps_of, width_of
from iaa_jax.engine.drawing.tables import roots_of
from iaa_jax.engine.on_device import bootstrap_on, drawn_rows
from iaa_jax.engine.padding import bucket
from iaa_jax.engine.precision import scope
from iaa_jax.measure.resolver import Resolver
from tests.engine.drawing.test_multinomial import refined
from tests.engine.drawing.test_reference import CASES, check_alike, plain
from tests.engine.real import made
from tests.engine.test_studentized import every_problem
from tests.oracles.resampling import outcome_probability, outcomes

ANNOTATORS = Resampling(annotators=True)

REPLICATES = 1024
"""Fewer than of the host: here the CPU draws as a device would, which takes its time."""


def rows_of(
    tables: tuple[PatternTable, ...], numbers: np.ndarray, seed: int = 21
) -> list[np.ndarray]:
    """Weights (replicate, pattern) of each table, without what fills it up."""
    with scope("float64"):
        key = jax.random.wrap_key_data(jax.numpy.asarray(key_words(seed)))
        root_of = tuple(roots_of(tables)[1])
        rows = drawn_rows(key, numbers, Halvings.of(tables), root_of, "float64")
        assert all(
            np.all(np.asarray(part)[:, len(table.count) :] == 0)
            for part, table in zip(rows, tables, strict=True)
        )
        return [
            np.asarray(part)[:, : len(table.count)]
            for part, table in zip(rows, tables, strict=True)
        ]


@pytest.mark.slow
@pytest.mark.parametrize("root", [False, True], ids=["given coarse counts", "from the total"])
@pytest.mark.parametrize("case", [case for case in CASES if case != "many equal"])
def test_the_distribution_is_that_of_the_host(case: str, root: bool) -> None:
    fine = refined(CASES[case])
    if root:
        fine = PatternTable(fine.count)
    (rows,) = rows_of((fine,), np.arange(REPLICATES))
    np.testing.assert_allclose(rows.sum(axis=1), fine.items, rtol=1e-12)
    assert np.all(rows[:, fine.count == 0] == 0)
    assert np.all(rows >= 0)
    draws = max(round(fine.items), 1)
    counts = rows * (draws / fine.items)
    np.testing.assert_allclose(counts, np.rint(counts), atol=1e-9 * draws)
    sums = np.eye(len(fine.count))
    if len(sums) > 100:
        sums = 1.0 * (np.random.default_rng(2).random((40, len(sums))) < 0.1)
    check_alike(rows @ sums.T, plain(fine.count, REPLICATES) @ sums.T)


@pytest.mark.slow
def test_every_outcome_has_its_probability() -> None:
    """Chi-square against the multinomial's probabilities, with groups and without."""
    groups = [[2.0, 1.0], [0.0], [3.5]]
    fine = refined(groups)
    for table in (fine, PatternTable(fine.count)):
        (rows,) = rows_of((table,), np.arange(6_000))
        seen_rows = np.rint(rows * 6 / fine.items).astype(int)
        every = list(outcomes(6, 4))
        seen = np.array([np.all(seen_rows == outcome, axis=1).sum() for outcome in every])
        assert seen.sum() == 6_000
        expected = np.array([6_000 * outcome_probability(outcome, fine.count) for outcome in every])
        common = expected >= 5
        statistic = np.sum((seen[common] - expected[common]) ** 2 / expected[common])
        assert 1e-3 < chi2.sf(statistic, common.sum() - 1) < 1 - 1e-3
        assert np.all(seen[expected == 0] == 0)


@pytest.mark.parametrize("patterns", [1, 2, 63, 64, 65, 1000, 5000])
@pytest.mark.parametrize("share", [0.0, 0.02, 0.5, 1.0])
def test_halves_give_each_pattern_its_share(patterns: int, share: float) -> None:
    """With shares in place of draws, the counts of the table come back, group by group."""
    rng = np.random.default_rng(patterns)
    groups = max(1, round(share * patterns))
    group = rng.integers(0, groups, patterns)
    count = rng.integers(0, 5, patterns).astype(float)
    halving = Halving.of(count, group, groups)
    assert halving.share.shape == (steps_of(bucket(patterns)), width_of(bucket(patterns)))
    totals = np.bincount(group, weights=count, minlength=groups)
    at = np.append(totals, 0.0)[halving.group]
    for first, second, part in zip(halving.first, halving.second, halving.share, strict=True):
        both = np.concatenate([first, second])
        within = both[both < patterns]
        assert len(np.unique(within)) == len(within)  # nothing is written twice in one step
        left = at[first] * part
        at[second] = at[first] - left
        at[first] = left
    np.testing.assert_allclose(at[:patterns], count, atol=1e-12)
    assert np.all(at[patterns:] == 0)


@pytest.mark.slow
def test_what_else_is_asked_changes_nothing() -> None:
    fine = refined(CASES["rare and common"])
    other = refined(CASES["equal"])
    assert fine.coarse is not None
    numbers = np.arange(40)
    (alone,) = rows_of((fine.coarse,), numbers)
    coarse, parts, _ = rows_of((fine.coarse, fine, other), numbers)
    assert np.array_equal(alone, coarse)
    for group in range(len(coarse[0])):
        assert np.array_equal(parts[:, fine.pattern_of == group].sum(axis=1), coarse[:, group])


def test_a_replicate_has_numbers_of_its_own() -> None:
    """Whatever else is under way; another seed has others, and so has one of any size."""
    (table,) = (PatternTable(np.arange(1.0, 90.0)),)
    (rows,) = rows_of((table,), np.arange(50))
    (some,) = rows_of((table,), np.array([49, 7, 30]))
    assert np.array_equal(some, rows[[49, 7, 30]])
    for seed in (22, 2**80 + 21):
        assert not np.array_equal(rows_of((table,), np.arange(50), seed)[0], rows)
    assert len(np.unique(rows, axis=0)) == 50


@pytest.fixture(scope="module")
def several() -> dict[str, Prepared]:
    problems = dict(every_problem(made(30, 4)))
    told_apart = ["conger_kappa", "mean_pairwise_cohen_kappa"]
    return {
        "items": Prepared(list(problems.values())),
        "both": Prepared([problems[name] for name in told_apart]),
    }


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("way", ["items", "both"])
def test_estimates_are_distributed_as_from_the_host(
    several: dict[str, Prepared], way: str, dtype: str
) -> None:
    resampling = Resampling() if way == "items" else ANNOTATORS
    chosen = {"replicates": 1500, "seed": 4, "resampling": resampling, "dtype": dtype}
    there = bootstrap_on(jax.local_devices(), several[way], **chosen)
    here = bootstrap(several[way], **chosen)
    for first, second in zip(there, here, strict=True):
        assert first.shape == second.shape
        for one, two in zip(first.reshape(1500, -1).T, second.reshape(1500, -1).T, strict=True):
            undefined = [np.isnan(replicates).mean() for replicates in (one, two)]
            np.testing.assert_allclose(*undefined, atol=0.03)
            # equal values have to be equal in both precisions
            defined = (np.round(each[~np.isnan(each)].astype(float), 4) for each in (one, two))
            assert ks_2samp(*defined).pvalue > 1e-4


@pytest.mark.slow
@pytest.mark.parametrize("way", ["items", "both"])
def test_how_many_are_under_way_changes_no_draw(several: dict[str, Prepared], way: str) -> None:
    resampling = Resampling() if way == "items" else ANNOTATORS

    def drawn(replicates: int, rows_at_once: int | None = None) -> list[np.ndarray]:
        return bootstrap_on(
            jax.local_devices(),
            several[way],
            replicates=replicates,
            seed=4,
            resampling=resampling,
            rows_at_once=rows_at_once,
        )

    for all_at_once, by_64, fewer in zip(drawn(200), drawn(200, 64), drawn(70), strict=True):
        np.testing.assert_allclose(by_64, all_at_once, atol=1e-14)
        np.testing.assert_allclose(fewer, all_at_once[:70], atol=1e-14)


def test_other_data_of_a_bucket_compile_nothing() -> None:
    jax.clear_caches()
    table = PatternTable(np.arange(1.0, 71.0))
    fine = refined([[3.0] * 70, [2.0, 5.0]])
    rows_of((table, fine), np.arange(8))
    assert TRACES["drawn_rows"] > 0
    before = dict(TRACES)
    rows_of((PatternTable(np.ones(95)), refined([[1.0], [4.0] * 64])), np.arange(8, 16), seed=5)
    assert dict(TRACES) == before


def test_annotators_of_anonymous_patterns_are_refused() -> None:
    problem = Resolver(made(30, 4)).request("fleiss_kappa").problem
    with pytest.raises(ValueError, match="tell them apart"):
        bootstrap_on(
            jax.local_devices(), Prepared([problem]), replicates=2, seed=0, resampling=ANNOTATORS
        )


def test_a_stream_of_single_items_alone() -> None:
    problem = next(iter(dict(every_problem(made(30, 2))).values()))
    clusters = Clusters([problem.table], [csr_array(np.diag(problem.table.count))])
    for resampling in (
        Resampling("dirichlet"),
        Resampling(fraction=0.5),
        Resampling(clusters=clusters),
    ):
        with pytest.raises(ValueError, match="single items, and annotators beside them"):
            bootstrap_on(
                jax.local_devices(),
                Prepared([problem]),
                replicates=5,
                seed=0,
                resampling=resampling,
            )


def with_cpu_as_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("iaa_jax.engine.drivers.devices_of", lambda kind: jax.local_devices())


@pytest.mark.slow
def test_the_device_is_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    with_cpu_as_gpu(monkeypatch)
    ratings = made(60, 3)
    here, there = (
        iaa.agreement(ratings, interval="percentile", replicates=400, device=device)
        for device in (None, "gpu")
    )
    assert there.attrs["device"] == "gpu"
    assert "device" not in here.attrs
    assert np.array_equal(there.estimate, here.estimate, equal_nan=True)
    np.testing.assert_allclose(there.ci_low, here.ci_low, atol=0.08)
    assert not np.array_equal(there.ci_low, here.ci_low, equal_nan=True)
    automatic = iaa.agreement(ratings, ["fleiss_kappa"], replicates=100, device="gpu")
    assert automatic.interval.item() == automatic.attrs["interval"] == "bca"  # whole items alone
    kept = iaa.bootstrap(ratings, ["krippendorff_alpha"], replicates=50, device="gpu")
    assert kept.attrs["device"] == "gpu"


def test_the_cpu_by_name_has_the_digits_of_the_host(monkeypatch: pytest.MonkeyPatch) -> None:
    ratings = made(60, 3)
    monkeypatch.setattr("iaa_jax._thresholds.NUMPY_CELLS", -1)
    chosen: list[list[jax.Device]] = []

    def watched(constants: object, devices: object = None) -> HeldOnEach:
        chosen.append(list(local_devices()))
        return HeldOnEach(constants, devices)

    monkeypatch.setattr("iaa_jax.engine.evaluators.HeldOnEach", watched)
    with jax.default_device(jax.devices()[-1]):
        here, there = (
            iaa.krippendorff_alpha(ratings, interval="percentile", replicates=100, device=device)
            for device in (None, "cpu")
        )
    assert chosen == [[jax.devices()[-1]], jax.local_devices(backend="cpu")]
    assert there.attrs["device"] == "cpu"
    assert float(there.ci_low) == float(here.ci_low)


def test_without_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(backend: str | None = None) -> list[jax.Device]:
        raise RuntimeError("Unknown backend gpu")

    ratings = made(60, 3)
    monkeypatch.setattr(jax, "local_devices", none)
    with pytest.raises(iaa.IaaError, match="JAX finds no GPU here: install JAX for it"):
        iaa.krippendorff_alpha(ratings, device="gpu")


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"sampling": iaa.Sampling(bayesian=True)}, "bayesian"),
        ({"sampling": iaa.Sampling(population=1000)}, "population"),
        ({"interval": "studentized"}, "interval"),
        ({"interval": "posterior"}, "interval"),
    ],
)
def test_what_no_device_draws(options: dict[str, object], named: str) -> None:
    with pytest.raises(iaa.IaaError, match=f"device.* draws single items.*{named}"):
        iaa.krippendorff_alpha(made(60, 3), device="gpu", **options)
