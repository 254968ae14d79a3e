"""Replicates drawn on a device; here CPU devices take the same code path."""

from __future__ import annotations

import jax
import numpy as np
import pytest
from scipy.stats import ks_2samp

import iaa_jax as iaa
from iaa_jax.engine import PatternTable, Prepared, Problem, Resampling, bootstrap
from iaa_jax.engine.compiled import TRACES
from iaa_jax.engine.computing import UNASKED, Computing
from iaa_jax.engine.devices import PerDevice
from iaa_jax.engine.on_device import bootstrap_on, computing_on, host_rows
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.resolver import Resolver
from tests.engine.drawing.test_multinomial import refined
from tests.engine.on_device.laws import cpu_as_gpu, errors_of_moments, rows_of
from tests.engine.real import made
from tests.engine.test_resampling import clusters_of, tables
from tests.engine.test_studentized import every_problem
from tests.taken import one_of

ANNOTATORS = Resampling(annotators=True)


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
    every = [problem for _, problem in every_problem(made(30, 4))]
    return {"items": Prepared(every), "both": Prepared(told_apart())}


def told_apart(computing: Computing = UNASKED) -> list[Problem]:
    """Coefficients for which annotators can be drawn too."""
    resolver = Resolver(Rated.of(made(30, 4), computing))
    names = ("conger_kappa", "mean_pairwise_cohen_kappa")
    return [resolver.request(name).problem for name in names]


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("weights", ["multinomial", "dirichlet"])
@pytest.mark.parametrize("way", ["items", "both"])
def test_estimates_are_distributed_as_from_the_host(
    several: dict[str, Prepared], way: str, weights: str, dtype: str
) -> None:
    resampling = Resampling(weights, annotators=way == "both")
    chosen = {"replicates": 1500, "seed": 4, "resampling": resampling, "dtype": dtype}
    there = bootstrap_on(cpu_as_gpu(), several[way], **chosen)
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
            cpu_as_gpu(),
            several[way],
            replicates=replicates,
            seed=4,
            resampling=resampling,
            rows_at_once=rows_at_once,
        )

    for all_at_once, by_64, fewer in zip(drawn(200), drawn(200, 64), drawn(70), strict=True):
        np.testing.assert_allclose(by_64, all_at_once, atol=1e-14)
        np.testing.assert_allclose(fewer, all_at_once[:70], atol=1e-14)


def test_the_cpu_can_go_the_way_of_a_gpu(several: dict[str, Prepared]) -> None:
    chosen = {"replicates": 64, "seed": 4}
    there, here = (
        bootstrap(Prepared(told_apart(computing)), **chosen)
        for computing in (cpu_as_gpu(), computing_on("cpu"))
    )
    expected = bootstrap_on(cpu_as_gpu(), several["both"], **chosen)
    for found, each in zip(there, expected, strict=True):
        np.testing.assert_array_equal(found, each)
    assert not np.array_equal(here[0], there[0])


@pytest.mark.parametrize("weights", one_of(2, ["multinomial", "dirichlet"]))
def test_other_data_of_a_bucket_compile_nothing(weights: str) -> None:
    jax.clear_caches()
    alone, refining = ([5.0] * 80, [5.0] * 95), ([3.0, 4.0], [2.0, 3.0])
    traces = []
    for number in range(2):  # of 385 to 512 items, in 65 to 96 patterns
        table = PatternTable(np.array(alone[number]))
        fine = refined([refining[number]] * (35 + 10 * number) + [[200.0]])
        rows_of((table, fine), np.arange(8), number, Resampling(weights))
        traces.append(dict(TRACES))
    assert traces[0]["drawn_rows"] > 0
    assert traces[0] == traces[1]


def test_annotators_of_anonymous_patterns_are_refused() -> None:
    problem = Resolver(Rated.of(made(30, 4))).request("fleiss_kappa").problem
    with pytest.raises(ValueError, match="identify them"):
        bootstrap_on(cpu_as_gpu(), Prepared([problem]), replicates=2, seed=0, resampling=ANNOTATORS)


@pytest.mark.parametrize("weights", one_of(2, ["multinomial", "dirichlet"]))
def test_clusters_are_drawn_whole(weights: str) -> None:
    both = tables()
    clusters = clusters_of(*both)
    rows = rows_of(both, np.arange(3_000), resampling=Resampling(weights, clusters=clusters))
    for drawn, table in zip(rows, both, strict=True):
        matrix = clusters.matrix_of(table).toarray()
        # of clusters: each count has a variance of 1 less 1 / 5, or that over 6
        spread = (np.eye(5) - 0.2) / (1 if weights == "multinomial" else 6 / 5)
        assert errors_of_moments(drawn, table.count, matrix.T @ spread @ matrix) < 5
        assert weights == "dirichlet" or np.array_equal(drawn, np.rint(drawn))


def test_a_finite_population_leaves_less_spread() -> None:
    both = tables()
    whole, part = (
        rows_of(both, np.arange(50), resampling=Resampling(fraction=fraction))
        for fraction in (0.0, 0.36)
    )
    for wide, narrow, table in zip(whole, part, both, strict=True):
        np.testing.assert_allclose(narrow - table.count, 0.8 * (wide - table.count), atol=1e-12)


def with_cpu_as_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host_rows, "devices_of", lambda kind: jax.devices()[:1])


def test_the_record_says_how_replicates_were_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    with_cpu_as_gpu(monkeypatch)
    here, there = (
        iaa.bootstrap(made(60, 3), ["fleiss_kappa"], replicates=50, device=device)
        for device in (None, "gpu")
    )
    assert there.attrs["device"] == "gpu"
    assert here.attrs["resampling"].endswith("Philox streams of 64 replicates")
    assert there.attrs["resampling"].endswith("a Threefry key for each replicate")


@pytest.mark.parametrize("weights", one_of(2, ["multinomial", "dirichlet"]))
def test_promotions_that_a_user_forbids_are_the_users_own(weights: str) -> None:
    both = tables()
    resampling = Resampling(weights, clusters=clusters_of(*both), fraction=0.5)
    with jax.numpy_dtype_promotion("strict"), jax.numpy_rank_promotion("raise"):
        for each in (Resampling(weights), resampling):
            strict = rows_of(both, np.arange(5), resampling=each)
            jax.clear_caches()
    for each, row in zip(rows_of(both, np.arange(5), resampling=resampling), strict, strict=True):
        np.testing.assert_array_equal(each, row)


def test_the_cpu_by_name_has_the_digits_of_the_host(monkeypatch: pytest.MonkeyPatch) -> None:
    ratings = made(60, 3)
    monkeypatch.setattr("iaa_jax._thresholds.NUMPY_CELLS", -1)
    chosen: list[list[jax.Device]] = []

    def watched(constants: object, devices: list[jax.Device]) -> PerDevice:
        chosen.append(list(devices))
        return PerDevice(constants, devices)

    monkeypatch.setattr("iaa_jax.engine.evaluators.PerDevice", watched)
    with jax.default_device(jax.devices()[-1]):
        here, there = (
            iaa.krippendorff_alpha(ratings, interval="percentile", replicates=100, device=device)
            for device in (None, "cpu")
        )
    first = [jax.devices()[-1]]
    assert chosen == [first, first, *[jax.local_devices(backend="cpu")] * 2]
    assert there.attrs["device"] == "cpu"
    assert float(there.ci_low) == float(here.ci_low)


def test_without_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(backend: str | None = None) -> list[jax.Device]:
        raise RuntimeError("Unknown backend gpu")

    ratings = made(60, 3)
    monkeypatch.setattr(jax, "local_devices", none)
    with pytest.raises(iaa.IaaError, match="JAX finds no GPU here: install JAX for it"):
        iaa.krippendorff_alpha(ratings, device="gpu")


@pytest.mark.parametrize("dtype", one_of(2, ["float64", "float32"]))
def test_statistics_of_parts_are_laid_out_there(
    dtype: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(2)
    labels = np.array(["a", "b", None])
    table = labels[rng.choice(3, p=[0.3, 0.4, 0.3], size=(2000, 6))]
    resolver = Resolver(Rated.of(iaa.from_wide(table)))
    names = ["davies_fleiss_kappa", "mean_pairwise_cohen_kappa", "krippendorff_alpha"]
    problems = [resolver.request(name).problem for name in names]
    drawn = []
    for many in (1, 10**9):
        monkeypatch.setattr("iaa_jax._thresholds.MANY_PATTERNS", many)
        prepared = Prepared(problems)
        of_parts = [prepared.statistics(problem).parts is not None for problem in problems]
        assert any(of_parts) == (many == 1)
        drawn.append(bootstrap_on(cpu_as_gpu(), prepared, replicates=70, seed=1, dtype=dtype))
    within = 1e-12 if dtype == "float64" else 1e-5
    for first, second in zip(*drawn, strict=True):
        np.testing.assert_allclose(first, second, rtol=within, atol=within)
