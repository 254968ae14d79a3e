"""Resampling against itself, against deletion, and against theory."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.data.slots import in_slots
from iaa_jax.engine import (
    Prepared,
    Resampling,
    bootstrap,
    influences,
    over_rows,
    sampled_rows,
)
from iaa_jax.engine.computing import UNASKED
from iaa_jax.engine.drawing.annotators import annotator_rows
from iaa_jax.engine.on_device.draws import DeviceDraws
from iaa_jax.engine.on_device.replicates import bootstrap_on
from iaa_jax.engine.prepared import tables_of
from iaa_jax.engine.units import leave_units_out_rows
from iaa_jax.kernels import intervals
from iaa_jax.measure.intervals.pseudo_items import with_prior
from iaa_jax.measure.options.label_options import LabelOptions
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.resolver import Resolver
from tests.engine.on_device.laws import cpu_as_gpu
from tests.engine.real import asked, demo, made, prepared
from tests.oracles.resampling import jackknife_standard_error
from tests.taken import one_of

LEVELS = ("nominal", "ordinal", "interval", "ratio")


def alpha(ratings: xr.Dataset, level: str) -> Prepared:
    resolver = Resolver(Rated.of(ratings), LabelOptions(level=level))
    return Prepared([resolver.request("krippendorff_alpha").problem])


def on_real_data() -> list[tuple[str, Prepared]]:
    two = demo().sel(annotator=["annotator1", "gpt-3.5-turbo"])
    by_label = Resolver(Rated.of(demo())).request("specific_agreement").problem
    sets = [
        ("demo", prepared(demo())),
        ("two annotators", prepared(two)),
        ("labels", Prepared([by_label])),
        ("weighted", prepared(made(200), weights="quadratic")),
    ]
    sets += [(f"alpha {level}", alpha(made(200, 3, 5), level)) for level in LEVELS]
    values = iaa.from_values(made(150, 3, 5).label.values[made(150, 3, 5).primary.values])
    sets += [(f"alpha {level}, numbers", alpha(values, level)) for level in LEVELS]
    return sets


def without_each_pattern(problems: Prepared) -> list[np.ndarray]:
    """Estimates without an item of each pattern; all problems at once compile but once."""
    tables = tables_of(problems.problems)
    rows = [np.concatenate([part for (part,) in leave_units_out_rows([table])]) for table in tables]
    most = max(map(len, rows))
    # tables with fewer patterns are filled up with rows that are not looked at
    filled = tuple(np.pad(own, ((0, most - len(own)), (0, 0)), mode="edge") for own in rows)
    found = over_rows(problems, tables, iter([filled]), most)
    return [
        estimates[: np.count_nonzero(problem.table.count)]
        for problem, estimates in zip(problems.problems, found, strict=True)
    ]


@pytest.mark.parametrize(("name", "problems"), one_of(2, on_real_data()), ids=lambda x: str(x)[:30])
def test_jackknife_infinitesimal_jackknife_and_bootstrap(name: str, problems: Prepared) -> None:
    """Delete-one within 2 %, bootstrap within 4 Monte-Carlo errors of the derivative's figure."""
    replicates = 2000
    drawn = bootstrap(problems, replicates=replicates, seed=1)
    slopes = influences(problems)
    left = without_each_pattern(problems)
    for problem, slope, deleted, rows in zip(problems.problems, slopes, left, drawn, strict=True):
        count = problem.table.count
        error = intervals.infinitesimal_jackknife(slope, count)
        times = np.rint(count[count > 0]).astype(int)
        repeated = np.repeat(deleted, times, axis=0)
        n = count.sum()
        for figure in np.ndindex(error.shape):  # one, or one a label
            by_deletion = jackknife_standard_error(repeated[:, *figure].tolist())
            assert by_deletion == pytest.approx(error[figure], rel=0.02), problem.measure.kernel
            draws = rows[:, *figure]
            spread = draws.std(ddof=1)
            kurtosis = np.mean((draws - draws.mean()) ** 4) / np.var(draws) ** 2
            monte_carlo = spread * np.sqrt((kurtosis - 1) / (4 * replicates))
            # the bootstrap divides by n where the jackknife divides by n - 1
            expected = error[figure] * np.sqrt((n - 1) / n)
            assert abs(spread - expected) < 4 * monte_carlo, problem.measure.kernel


def test_batch_size_changes_no_digit() -> None:
    problems = prepared(demo())
    first = bootstrap(problems, replicates=300, seed=4, batch=64)
    for batch in (1, 128, 1000):
        for one, other in zip(
            first, bootstrap(problems, replicates=300, seed=4, batch=batch), strict=True
        ):
            assert np.array_equal(one, other)
    for one, other in zip(first, bootstrap(problems, replicates=100, seed=4), strict=True):
        assert np.array_equal(one[:100], other)


def test_replicates_are_the_kernel_on_repeated_items() -> None:
    """A replicate equals the coefficient of the resample written out."""
    ratings = made(30)
    several = asked(ratings)
    picked = np.random.default_rng(0).integers(0, 30, 30)
    resample = ratings.isel(item=picked).assign_coords(item=np.arange(30))
    patterns = Resolver(Rated.of(ratings)).tables
    problems = Prepared([one.problem for one in several])
    rows = {}
    for problem in problems.problems:
        pattern = patterns.identified.pattern_of
        if not problem.measure.identified:
            pattern = patterns.exchangeable.pattern_of[pattern]
        weight = np.bincount(pattern[picked], minlength=len(problem.table.count)).astype(float)
        rows[id(problem.table)] = weight[None]
    tables = tables_of(problems.problems)
    found = over_rows(problems, tables, iter([tuple(rows[id(table)] for table in tables)]), 1)
    for one, replicate in zip(several, found, strict=True):
        wanted = iaa.agreement(resample, one.name, interval=None).estimate.item()
        assert replicate[0] == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("way", ["numpy", "parts", "slots", "compiled", "annotators", "device"])
def test_draws_stand_with_and_without_pseudo_items(
    monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """The coefficients at the weights drawn, and where pseudo-items weigh nothing of these."""
    low = {"parts": ("MANY_PATTERNS", 1), "compiled": ("NUMPY_CELLS", -1)}
    if way in low:
        monkeypatch.setattr(f"iaa_jax._thresholds.{low[way][0]}", low[way][1])
    resolver = Resolver(Rated.of(in_slots(made(40)) if way == "slots" else made(40)))
    names = ["conger_kappa", "mean_pairwise_cohen_kappa"]
    names += [] if way == "annotators" else ["krippendorff_alpha", "specific_agreement"]
    requests = [resolver.request(name) for name in names]
    problems = Prepared(
        with_prior([one.problem for one in requests], [one.labels for one in requests])
    )
    tables = tables_of(problems.problems)
    how = Resampling("dirichlet", annotators=way == "annotators")
    annotators, computing = None, cpu_as_gpu()
    if way == "annotators":
        annotators = partial(
            annotator_rows, replicates=70, seed=5, resampling=how, computing=UNASKED
        )
    if way == "device":
        found = bootstrap_on(
            computing, problems, replicates=70, seed=5, resampling=how, without_prior=True
        )
        drawn = DeviceDraws(computing, tables, 5, how, "float64").weights(np.arange(70))
        cut = (
            np.asarray(each)[:, : len(one.count)] for each, one in zip(drawn, tables, strict=True)
        )
        rows = [tuple(cut)]
    else:
        found = bootstrap(problems, replicates=70, seed=5, resampling=how, without_prior=True)
        rows = [*sampled_rows(tables, 70, 5, how)]
    left = []
    for several in rows:
        shown = [each * (one.count > 0) for each, one in zip(several, tables, strict=True)]
        left.append(tuple(resolver.tables.items * each / each.sum(1)[:, None] for each in shown))
    for place, part in enumerate((rows, left)):
        expected = over_rows(problems, tables, iter(part), 70, annotators=annotators)
        for mine, theirs in zip(found, expected, strict=True):
            np.testing.assert_allclose(mine[:, place], theirs, rtol=1e-11, atol=1e-11)


def test_threads_have_their_own_scope() -> None:
    from concurrent.futures import ThreadPoolExecutor

    ratings = made(50)

    def low(seed: int) -> float:
        return float(iaa.fleiss_kappa(ratings, seed=seed, replicates=100).ci_low)

    alone = [low(seed) for seed in range(6)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(low, range(6))) == alone


def test_many_rows_in_uneven_parts() -> None:
    problem = prepared(made(25)).problems[0]
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 3, (150, len(problem.table.count))).astype(float)
    whole = over_rows(Prepared([problem]), [problem.table], iter([(rows,)]), 150)[0]
    parts = iter([(rows[:7],), (rows[7:100],), (rows[100:],)])
    assert np.array_equal(whole, over_rows(Prepared([problem]), [problem.table], parts, 150)[0])
