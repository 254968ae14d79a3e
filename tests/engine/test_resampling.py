"""Resampling beyond counts of items: exact moments, streams, clusters, annotators."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.catalog import CATALOG
from iaa_jax.engine import (
    Clusters,
    PatternTable,
    Prepared,
    Problem,
    Resampling,
    bootstrap,
    bootstrap_rows,
    sampled_rows,
)
from iaa_jax.engine.batch_sizes import formula_weighs
from iaa_jax.engine.compiled import TRACES
from iaa_jax.engine.computing import UNASKED
from iaa_jax.engine.drawing import (
    resampling as sampling_module,
    sampled_units,
    tables as tables_module,
)
from iaa_jax.engine.drawing.annotators import annotator_rows
from iaa_jax.engine.drawing.permutations import random_groups
from iaa_jax.measure.options.label_options import LabelOptions
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.resolver import Resolver
from iaa_jax.measure.requests.studies import with_identities
from tests.engine.real import made
from tests.taken import one_of

DIRICHLET = Resampling("dirichlet")


def tables() -> tuple[PatternTable, PatternTable]:
    coarse = PatternTable(np.array([5.0, 0.0, 3.0, 12.0, 1.0]))
    fine = PatternTable(
        np.array([2.0, 3.0, 4.0, 3.0, 8.0, 1.0, 0.0]), coarse, np.array([0, 0, 3, 2, 3, 4, 1])
    )
    return coarse, fine


def clusters_of(coarse: PatternTable, fine: PatternTable) -> Clusters:
    """Five documents of 21 items, of two to eight."""
    items = np.repeat(np.arange(7), fine.count.astype(int))
    document = np.array([0, 1, 1, 2, 2, 3, 3, 4, 0, 0, 1, 2, 4, 4, 4, 4, 4, 4, 4, 3, 2])
    assert fine.pattern_of is not None
    return Clusters.from_items(document, [(coarse, fine.pattern_of[items]), (fine, items)])


def drawn(
    asked: tuple[PatternTable, ...], replicates: int, seed: int, resampling: Resampling
) -> list[np.ndarray]:
    parts = zip(*sampled_rows(asked, replicates, seed, resampling), strict=True)
    return [np.concatenate(part) for part in parts]


def check_moments(rows: np.ndarray, mean: np.ndarray, covariance: np.ndarray) -> None:
    """Within five Monte-Carlo errors, these worked out from the rows themselves."""
    centred = rows - mean
    error = np.sqrt(np.diag(covariance) / len(rows))
    assert np.all(np.abs(centred.mean(axis=0)) <= 5 * error + 1e-9)
    products = centred[:, :, None] * centred[:, None, :]
    spread = products.std(axis=0) / np.sqrt(len(rows))
    assert np.all(np.abs(products.mean(axis=0) - covariance) <= 5 * spread + 1e-9)


def multinomial_covariance(count: np.ndarray) -> np.ndarray:
    items = count.sum()
    return np.diag(count) - np.outer(count, count) / items


def test_nothing_said_is_the_bootstrap() -> None:
    both = tables()
    plain = [np.concatenate(part) for part in zip(*bootstrap_rows(both, 200, 3), strict=True)]
    for one, other in zip(plain, drawn(both, 200, 3, Resampling()), strict=True):
        assert np.array_equal(one, other)


def test_dirichlet_moments() -> None:
    """n D with D Dirichlet of the counts: mean c, covariance that of a multinomial n / (n + 1)."""
    coarse, fine = tables()
    for table, rows in zip(
        (coarse, fine), drawn((coarse, fine), 20_032, 5, DIRICHLET), strict=True
    ):
        np.testing.assert_allclose(rows.sum(axis=1), 21)
        assert np.all(rows[:, table.count == 0] == 0)
        check_moments(rows, table.count, multinomial_covariance(table.count) * 21 / 22)


def test_dirichlet_parts_are_those_of_the_coarse_weights() -> None:
    coarse, fine = tables()
    whole, parts = drawn((coarse, fine), 128, 5, DIRICHLET)
    for group in range(len(coarse.count)):
        np.testing.assert_allclose(
            parts[:, fine.pattern_of == group].sum(axis=1), whole[:, group], atol=1e-13
        )
    # the share within a coarse pattern is a Beta of the counts
    share = drawn((fine,), 20_032, 9, DIRICHLET)[0][:, [2, 4]]
    share = share[:, 0] / share.sum(axis=1)
    assert share.mean() == pytest.approx(4 / 12, abs=0.005)
    assert share.var() == pytest.approx(4 * 8 / (12**2 * 13), rel=0.05)


def test_weights_that_are_not_whole_are_shapes() -> None:
    table = PatternTable(np.array([0.5, 1.25, 3.0]))
    rows = drawn((table,), 20_032, 2, DIRICHLET)[0]
    check_moments(rows, table.count, multinomial_covariance(table.count) * 4.75 / 5.75)


def test_tiny_shapes_lose_no_weight() -> None:
    coarse = PatternTable(np.array([2e-4, 10.0]))
    fine = PatternTable(np.array([1e-4, 1e-4, 10.0]), coarse, np.array([0, 0, 1]))
    whole, parts = drawn((coarse, fine), 640, 1, DIRICHLET)
    np.testing.assert_allclose(parts.sum(axis=1), coarse.items)
    assert np.all(np.isfinite(parts))
    np.testing.assert_allclose(parts[:, :2].sum(axis=1), whole[:, 0], atol=1e-12)
    (alone,) = drawn((PatternTable(np.full(5, 1e-3)),), 640, 1, DIRICHLET)
    np.testing.assert_allclose(alone.sum(axis=1), 5e-3)


@pytest.mark.parametrize("kind", ["multinomial", "dirichlet"])
@pytest.mark.parametrize("clustered", [False, True])
def test_finite_population(kind: str, clustered: bool) -> None:
    coarse, fine = tables()
    clusters = clusters_of(coarse, fine) if clustered else None
    whole = drawn((fine,), 128, 5, Resampling(kind, clusters=clusters))[0]
    near = drawn((fine,), 128, 5, Resampling(kind, 0.75, clusters))[0]
    np.testing.assert_allclose(near - fine.count, 0.5 * (whole - fine.count), atol=1e-12)
    if not clustered:
        np.testing.assert_allclose(near.sum(axis=1), 21)


@pytest.mark.parametrize("kind", ["multinomial", "dirichlet"])
def test_cluster_moments(kind: str) -> None:
    """Rows are sums of five documents drawn: linear in multinomial or Dirichlet weights."""
    coarse, fine = tables()
    clusters = clusters_of(coarse, fine)
    spread = multinomial_covariance(np.ones(5)) * (1 if kind == "multinomial" else 5 / 6)
    for table, rows in zip(
        (coarse, fine), drawn((coarse, fine), 20_032, 5, Resampling(kind, 0, clusters)), strict=True
    ):
        matrix = clusters.matrix_of(table).toarray()
        check_moments(rows, table.count, matrix.T @ spread @ matrix)
        assert rows.sum(axis=1).std() > 3  # the number of items varies


def test_clusters_know_the_coarse_table_from_the_fine_one() -> None:
    coarse, fine = tables()
    both = clusters_of(coarse, fine)
    alone = Clusters([fine], [both.matrix_of(fine)])
    assert np.array_equal(alone.matrix_of(coarse).toarray(), both.matrix_of(coarse).toarray())
    with pytest.raises(ValueError, match="no weights for the patterns"):
        both.matrix_of(PatternTable(coarse.count))
    with pytest.raises(ValueError, match="do not add up"):
        Clusters([fine], [2 * both.matrix_of(fine)])


def test_a_cluster_that_nobody_rated_is_none() -> None:
    table = PatternTable(np.array([3.0, 0.0]))
    clusters = Clusters.from_items(np.array([0, 1, 1, 2]), [(table, np.array([0, 0, 0, 1]))])
    assert clusters.count.tolist() == [1, 1, 0]
    assert clusters.number == 2
    rows = drawn((table,), 640, 1, Resampling(clusters=clusters))[0]
    assert set(rows[:, 0].tolist()) == {2.0, 3.0, 4.0}


KINDS = ["dirichlet", "clusters", "dirichlet clusters"]


def rows_of_kind(kind: str) -> tuple[PatternTable, PatternTable, Resampling]:
    coarse, fine = tables()
    clusters = clusters_of(coarse, fine) if "clusters" in kind else None
    return coarse, fine, Resampling("dirichlet" if "dir" in kind else "multinomial", 0.1, clusters)


@pytest.mark.parametrize("kind", KINDS)
def test_what_else_is_asked_and_how_many_at_once_change_nothing(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    coarse, fine, resampling = rows_of_kind(kind)
    both = drawn((coarse, fine), 192, 7, resampling)
    assert np.array_equal(drawn((coarse,), 192, 7, resampling)[0], both[0])
    assert np.array_equal(drawn((fine, coarse), 192, 7, resampling)[0], both[1])
    assert np.array_equal(drawn((fine,), 64, 7, resampling)[0], both[1][:64])
    assert not np.array_equal(drawn((fine,), 192, 8, resampling)[0], both[1])
    for module in (sampling_module, tables_module):
        monkeypatch.setattr(module, "rows_at_once", lambda patterns: 4)
    assert np.array_equal(drawn((fine,), 192, 7, resampling)[0], both[1])


def test_random_groups() -> None:
    """Without replacement, nearly equal, and the fine ones parts of the coarse ones."""
    coarse, fine = tables()
    groups = random_groups((coarse, fine), 4, 3)
    whole, parts = groups.matrix_of(coarse).toarray(), groups.matrix_of(fine).toarray()
    assert sorted(whole.sum(axis=1).tolist()) == [5, 5, 5, 6]
    assert np.array_equal(parts.sum(axis=0), fine.count)
    for group in range(5):
        assert np.array_equal(parts[:, fine.pattern_of == group].sum(axis=1), whole[:, group])
    assert np.array_equal(random_groups((coarse,), 4, 3).matrix_of(coarse).toarray(), whole)
    many = np.array(
        [random_groups((fine,), 3, seed).matrix_of(fine).toarray()[0] for seed in range(4000)]
    )
    # seven of 21 items: hypergeometric
    share = fine.count / 21
    variance = 7 * share * (1 - share) * (21 - 7) / (21 - 1)
    error = np.sqrt(variance / len(many))
    assert np.all(np.abs(many.mean(axis=0) - 7 * share) <= 5 * error + 1e-12)
    np.testing.assert_allclose(many.var(axis=0), variance, rtol=0.15)
    with pytest.raises(ValueError, match="weights"):
        random_groups((PatternTable(np.array([0.5, 2.0])),), 2, 0)


def test_bad_samplings_are_refused() -> None:
    with pytest.raises(ValueError, match="multinomial or dirichlet"):
        Resampling("poisson")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="at least 0 and below 1"):
        Resampling(fraction=1.0)


def test_cluster_replicates_are_the_kernel_on_repeated_documents() -> None:
    ratings = made(40)
    document = np.arange(40) % 7
    resolver = Resolver(Rated.of(ratings))
    problems = [resolver.request(name).problem for name in ("krippendorff_alpha", "conger_kappa")]
    identified = resolver.tables.identified.pattern_of
    places = [
        (resolver.tables.exchangeable_table, resolver.tables.exchangeable_of_items),
        (resolver.tables.identified_table, identified),
    ]
    resampling = Resampling(clusters=Clusters.from_items(document, places))
    found = bootstrap(Prepared(problems), replicates=5, seed=2, resampling=resampling)
    draws = next(sampled_units([places[1][0]], 5, 2, resampling))[1]
    assert draws is not None
    for row in range(5):
        picked = np.concatenate(
            [np.repeat(np.flatnonzero(document == k), int(draws[row, k])) for k in range(7)]
        )
        again = ratings.isel(item=picked).assign_coords(item=np.arange(len(picked)))
        for name, own in zip(("krippendorff_alpha", "conger_kappa"), found, strict=True):
            wanted = iaa.agreement(again, name, interval=None).estimate.item()
            assert own[row] == pytest.approx(wanted, abs=1e-12)


def by_many(items: int = 60, annotators: int = 25) -> xr.Dataset:
    """Three of 25 annotators per item: laid out slot by slot for the pairwise coefficients."""
    rng = np.random.default_rng(3)
    codes = np.full((items, annotators), np.nan)
    for item in range(items):
        who = rng.choice(annotators, 3, replace=False)
        codes[item, who] = np.where(rng.random(3) < 0.7, item % 3, rng.integers(0, 3, 3))
    return iaa.from_wide(codes, labels=[0, 1, 2])


def all_told_apart(ratings: xr.Dataset, **options: str) -> list[tuple[str, Problem]]:
    """Every coefficient that takes the ratings, listed or not, on identified patterns."""
    resolver = Resolver(Rated.of(ratings), LabelOptions(**options))
    found = []
    for name in CATALOG:
        try:
            problem = resolver.request(name).problem
        except iaa.IaaError:
            continue
        found.append((name, with_identities(resolver, problem)))
    return found


DATA = {
    "gaps": made(25, 4),
    "two": made(25, 2),
    "slots": by_many(40, 20),
    "numbers": iaa.from_values(np.random.default_rng(0).normal(size=(20, 3)).round(1)),
}


OF_TWO = ("cohen_kappa", "bangdiwala_b", "conger_kappa", "fleiss_kappa")
OF_SLOTS = ("conger_kappa", "davies_fleiss_kappa", "specific_agreement", "icc1", "hubert_kappa")


@pytest.mark.parametrize("data", one_of(2, DATA))
def test_two_way_rows_are_a_loop_over_the_kernels(data: str) -> None:
    kind = "dirichlet" if data == "two" else "multinomial"
    problems = all_told_apart(DATA[data])
    assert len(problems) > (4 if data == "numbers" else 8)
    kept = {"slots": OF_SLOTS, "two": OF_TWO}.get(data, dict(problems))
    problems = [one for one in problems if one[0] in kept]
    prepared = Prepared([problem for _, problem in problems])
    two_way = Resampling(kind, annotators=True)
    found = bootstrap(prepared, replicates=4, seed=5, resampling=two_way)
    table = problems[0][1].table
    rows = drawn((table,), 4, 5, Resampling(kind))[0]
    size = DATA[data].sizes["annotator"]
    in_turn = problems[0][1].annotators_in_turn
    weights = np.empty((64, size))
    weights[:, in_turn] = next(annotator_rows(size, 4, 5, two_way, computing=UNASKED))
    for (name, problem), own in zip(problems, found, strict=True):
        assert problem.table is table
        keywords = dict(problem.options)
        if problem.annotator_of is not None:
            keywords["annotator_of"] = problem.annotator_of
        if not problem.measure.takes_values:
            keywords["label_agreement"] = problem.label_agreement
        for row in range(4):
            wanted = problem.measure.kernel(
                problem.data, item_weight=rows[row], annotator_weight=weights[row], **keywords
            )
            np.testing.assert_allclose(own[row], wanted.estimate, atol=1e-11, err_msg=name)


def test_both_ways_to_work_out_rows_are_used() -> None:
    named = dict(all_told_apart(DATA["slots"]))
    assert named["mean_pairwise_cohen_kappa"].annotator_of is not None
    assert formula_weighs(named["mean_pairwise_cohen_kappa"])
    assert not formula_weighs(named["fleiss_kappa"])
    assert not formula_weighs(named["conger_kappa"])


def test_annotators_that_weigh_nothing_and_none_drawn_twice() -> None:
    """Weight 0 is deletion; weights of the problem's own are multiplied."""
    named = dict(all_told_apart(DATA["gaps"]))
    problem = named["fleiss_kappa"]
    half = replace(problem, annotator_weight=np.array([0.5, 0.5, 0.5, 0.5]))
    resampling = Resampling(annotators=True)
    found = bootstrap(Prepared([problem, half]), replicates=64, seed=1, resampling=resampling)
    np.testing.assert_allclose(*found, atol=1e-12)


def test_annotator_rows_have_multinomial_and_dirichlet_moments() -> None:
    for kind, shrunk in (("multinomial", 1.0), ("dirichlet", 6 / 7)):
        both = Resampling(kind, annotators=True)
        rows = np.concatenate(list(annotator_rows(6, 20_032, 1, both, computing=UNASKED)))
        np.testing.assert_allclose(rows.sum(axis=1), 6)
        check_moments(rows, np.ones(6), multinomial_covariance(np.ones(6)) * shrunk)


def test_two_way_batches_seeds_and_traces() -> None:
    problems = [problem for _, problem in all_told_apart(DATA["gaps"])]
    resampling = Resampling(annotators=True)
    dirichlet = Resampling("dirichlet", annotators=True)
    first = bootstrap(Prepared(problems), replicates=200, seed=1, resampling=resampling)
    # few replicates seldom share annotator weights, so another function computes them
    bootstrap(Prepared(problems), replicates=70, seed=2, resampling=dirichlet)
    before = dict(TRACES)
    for batch in (1, 128, 1000):
        again = bootstrap(
            Prepared(problems), replicates=200, seed=1, resampling=resampling, batch=batch
        )
        assert all(np.array_equal(*both, equal_nan=True) for both in zip(first, again, strict=True))
    other = bootstrap(Prepared(problems), replicates=200, seed=2, resampling=resampling)
    assert not np.array_equal(first[0], other[0])
    more = [problem for _, problem in all_told_apart(made(26, 4, seed=2))]
    bootstrap(Prepared(more), replicates=70, seed=3, resampling=dirichlet)
    assert dict(TRACES) == before
    alone = bootstrap(Prepared(problems[:1]), replicates=200, seed=1, resampling=resampling)
    np.testing.assert_allclose(alone[0], first[0], atol=1e-14)


def test_annotators_of_anonymous_patterns_are_refused() -> None:
    problem = Resolver(Rated.of(DATA["gaps"])).request("fleiss_kappa").problem
    with pytest.raises(ValueError, match="identify them"):
        bootstrap(Prepared([problem]), replicates=2, seed=0, resampling=Resampling(annotators=True))


def test_float32_and_progress() -> None:
    problems = [problem for _, problem in all_told_apart(DATA["gaps"])][:3]
    seen: list[tuple[int, int]] = []
    found = bootstrap(
        Prepared(problems),
        replicates=70,
        seed=0,
        resampling=Resampling(annotators=True),
        dtype="float32",
        progress=lambda done, total: seen.append((done, total)),
    )
    assert all(one.dtype == np.float32 and len(one) == 70 for one in found)
    assert seen[-1] == (70, 70)
