"""Standard errors of replicates, influences of clusters, and estimates without each unit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.catalog import CATALOG
from iaa_jax.data.as_ratings import span_ratings
from iaa_jax.data.kind import Kind
from iaa_jax.engine import (
    Clusters,
    PatternTable,
    Prepared,
    Problem,
    Resampling,
    bootstrap,
    estimates,
    influences,
    sampled_rows,
)
from iaa_jax.engine.compiled import TRACES
from iaa_jax.engine.drawing import sampled_units
from iaa_jax.engine.studentized import bootstrap_with_errors
from iaa_jax.engine.units import leave_units_out, leave_units_out_rows, unit_influences
from iaa_jax.measure.options.label_options import LabelOptions
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.resolver import Resolver
from tests.engine.real import made
from tests.engine.test_resampling import by_many
from tests.oracles.resampling import infinitesimal_jackknife_standard_error


def every_problem(ratings: xr.Dataset, **options: str) -> list[tuple[str, Problem]]:
    """Every coefficient of the catalogue that takes the ratings."""
    resolver = Resolver(Rated.of(ratings), LabelOptions(**options))
    found = []
    for name in CATALOG:
        try:
            found.append((name, resolver.request(name).problem))
        except iaa.IaaError:
            continue
    return found


def own_share(mass, *, item_weight=None, annotator_weight=None, label_agreement=None):
    """A kernel of a user's, without statistics."""
    from iaa_jax import kernels

    return kernels.fleiss_kappa(mass, item_weight=item_weight)


def values() -> xr.Dataset:
    numbers = np.random.default_rng(0).normal(size=(20, 3)).round(1) ** 2
    numbers[[1, 5], [0, 2]] = np.nan
    return iaa.from_values(numbers)


def doubles() -> xr.Dataset:
    ratings = made(25, 3)
    secondary = np.where(ratings.primary.values == 0, 1, -1).astype(ratings.primary.dtype)
    ratings["secondary"] = (("item", "annotator"), secondary)
    ratings.attrs["task"] = "primary_secondary"
    return ratings


def spans() -> xr.Dataset:
    """Three annotators, of whom some leave a span out, move it or name it otherwise."""
    rng = np.random.default_rng(5)
    documents = {}
    for document in range(12):
        marked: dict[str, list[tuple[int, int, str]]] = {}
        for who in "abc"[: 2 + document % 2]:
            moved = rng.integers(0, 3, 4)
            marked[who] = [
                (10 * k, 10 * k + 4 + int(step == 2), "xy"[(k + int(step == 1)) % 2])
                for k, step in enumerate(moved)
                if rng.random() < 0.8
            ]
        documents[f"d{document}"] = marked
    return span_ratings(iaa.from_spans(documents, labels=["x", "y"]))


def segments() -> xr.Dataset:
    """Documents that three annotators cut into segments without gaps."""
    rng = np.random.default_rng(6)
    documents = {}
    for document in range(12):
        marked = {}
        for who in "abc":
            ends = [0, *sorted(rng.choice(np.arange(1, 30), 3, replace=False).tolist()), 30]
            marked[who] = [
                (start, end, "xy"[k % 2]) for k, (start, end) in enumerate(pairwise(ends))
            ]
        documents[f"d{document}"] = marked
    lengths = dict.fromkeys(documents, 30)
    return span_ratings(iaa.from_spans(documents, lengths=lengths, labels=["x", "y"]))


def data() -> dict[str, list[tuple[str, Problem]]]:
    """Each coefficient once, and those that tell annotators apart slot by slot as well."""
    sets = iaa.from_sets([[("a", "b"), ("b",)], [("a",), ("a",)], [("c",), ("a", "c")]] * 5)
    found = {
        "gaps": every_problem(made(25, 4)),
        "two": every_problem(made(25, 2)),
        "numbers": every_problem(values()),
        "doubles": every_problem(doubles()),
        "sets": every_problem(sets),
        "spans": every_problem(spans()),
        "segments": every_problem(segments()),
    }
    seen: set[str] = set()
    for name, problems in found.items():
        kept = seen - {"augmented_kappa"} if name == "doubles" else seen
        found[name] = [(label, one) for label, one in problems if label not in kept]
        seen |= {label for label, _ in problems}
    slots = every_problem(by_many(30, 12))
    found["slots"] = [one for one in slots if one[1].annotator_of is not None]
    for level in ("nominal", "ordinal", "interval", "ratio"):
        resolver = Resolver(Rated.of(values()), LabelOptions(level=level))
        found["numbers"].append((level, resolver.request("krippendorff_alpha").problem))
    resolver = Resolver(Rated.of(made(25, 4)), LabelOptions(level="ordinal"))
    found["gaps"].append(("ordinal", resolver.request("krippendorff_alpha").problem))
    found["gaps"].append(("own", resolver.request(own_share).problem))
    return found


DATA = data()


NAMES = ("krippendorff_alpha", "conger_kappa", "specific_agreement", "mean_pairwise_cohen_kappa")


def at_weights(problem: Problem, weight: np.ndarray) -> Problem:
    return replace(problem, table=PatternTable(weight))


def tables_of(problems: list[Problem]) -> list[PatternTable]:
    return list({id(problem.table): problem.table for problem in problems}.values())


def test_the_catalogue_is_covered() -> None:
    assert {name for problems in DATA.values() for name, _ in problems} >= set(CATALOG)


def shown_at(
    problems: list[Problem], tables: list[PatternTable], rows: Sequence[np.ndarray]
) -> list[Problem]:
    """Return the problems on tables whose counts are one row of weights."""
    weighted = {id(table): PatternTable(row) for table, row in zip(tables, rows, strict=True)}
    return [replace(problem, table=weighted[id(problem.table)]) for problem in problems]


@pytest.mark.slow
@pytest.mark.parametrize("name", DATA)
def test_errors_are_the_influences_at_the_weights_of_the_replicate(name: str) -> None:
    problems = [problem for _, problem in DATA[name]]
    tables = tables_of(problems)
    for kind in ("multinomial", "dirichlet"):
        resampling = Resampling(kind)
        (*rows,) = next(sampled_rows(tables, 2, 4, resampling))
        found = bootstrap_with_errors(
            Prepared(problems), replicates=2, seed=4, resampling=resampling
        )
        for row in range(2):
            shown = shown_at(problems, tables, [own[row] for own in rows])
            at = Prepared(shown)
            several = zip(DATA[name], shown, influences(at), estimates(at), found, strict=True)
            for (label, _), problem, slopes, plain, (estimate, error) in several:
                np.testing.assert_allclose(estimate[row], plain.estimate, atol=1e-12, err_msg=label)
                count = problem.table.count
                for figure in np.ndindex(np.shape(estimate)[1:]):
                    wanted = infinitesimal_jackknife_standard_error(
                        slopes[figure][count > 0].tolist(), count[count > 0].tolist()
                    )
                    if np.isnan(estimate[row][figure]):
                        wanted = np.nan
                    near = pytest.approx(wanted, abs=1e-12, nan_ok=True)
                    assert error[row][figure] == near, label


@pytest.mark.slow
def test_replicates_are_those_of_the_bootstrap() -> None:
    problems = [problem for _, problem in DATA["gaps"]]
    found = bootstrap_with_errors(Prepared(problems), replicates=70, seed=4)
    drawn = bootstrap(Prepared(problems), replicates=70, seed=4)
    for (estimate, _), plain in zip(found, drawn, strict=True):
        np.testing.assert_allclose(estimate, plain, rtol=0, atol=1e-14)


def test_the_error_of_a_replicate_is_that_of_the_repeated_items() -> None:
    """Public standard errors of the resample written out."""
    ratings = made(30, 4)
    resolver = Resolver(Rated.of(ratings))
    identified = resolver.tables.identified.pattern_of
    for name in ("conger_kappa", "krippendorff_alpha", "mean_pairwise_cohen_kappa"):
        problem = resolver.request(name).problem
        pattern = identified
        if not problem.measure.identified:
            pattern = resolver.tables.exchangeable_of_items
        _, shown_by = np.unique(pattern, return_index=True)
        found = bootstrap_with_errors(Prepared([problem]), replicates=3, seed=1)[0][1]
        (rows,) = next(iter(sampled_rows([problem.table], 3, 1)))
        for row in range(3):
            picked = np.repeat(shown_by, rows[row].astype(int))
            again = ratings.isel(item=picked).assign_coords(item=np.arange(30))
            wanted = iaa.agreement(again, name, interval="normal").standard_error.item()
            assert found[row] == pytest.approx(wanted, abs=1e-12), name
        # of a population of which 36 % are in the sample, four fifths of the spread are left
        finite = Resampling(fraction=0.36)
        (rows,) = next(iter(sampled_rows([problem.table], 1, 1, finite)))
        (slope,) = influences(Prepared([at_weights(problem, rows[0])]))
        (_, found), *_ = bootstrap_with_errors(
            Prepared([problem]), replicates=1, seed=1, resampling=finite
        )
        wanted = infinitesimal_jackknife_standard_error(slope.tolist(), rows[0].tolist())
        assert found[0] == pytest.approx(0.8 * wanted, abs=1e-12), name


def clusters_for(problems: list[Problem], resolver: Resolver, size: int) -> Clusters:
    identified = resolver.tables.identified.pattern_of
    document = np.arange(len(identified)) % size
    return Clusters.from_items(
        document,
        [
            (
                resolver.tables.exchangeable_table,
                resolver.tables.exchangeable_of_items,
            ),
            (resolver.tables.identified_table, identified),
        ],
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "ratings", [made(40, 4), values(), by_many(30, 12)], ids=["gaps", "n", "slots"]
)
def test_errors_over_clusters(ratings: xr.Dataset) -> None:
    resolver = Resolver(Rated.of(ratings))
    problems = [resolver.request(name).problem for name in resolver.applicable()]
    if resolver.tables.kind is Kind.NUMBERS:
        nominal = Resolver(resolver.tables, LabelOptions(level="nominal"))
        problems.append(nominal.request("krippendorff_alpha").problem)
    clusters = clusters_for(problems, resolver, 7)
    resampling = Resampling(clusters=clusters, fraction=0.19)
    tables = tables_of(problems)
    rows, units = next(sampled_units(tables, 4, 3, resampling))
    assert units is not None
    found = bootstrap_with_errors(Prepared(problems), replicates=4, seed=3, resampling=resampling)
    slopes = [
        influences(Prepared(shown_at(problems, tables, [own[row] for own in rows])))
        for row in range(4)
    ]
    for place, (problem, (estimate, error)) in enumerate(zip(problems, found, strict=True)):
        weights = rows[[table is problem.table for table in tables].index(True)]
        matrix = clusters.matrix_of(problem.table).toarray()
        for row in range(4):
            slope = np.where(weights[row] > 0, slopes[row][place], 0.0)
            # a loop over documents
            mean = slope @ weights[row] / weights[row].sum()
            total = 0.0
            for document in range(7):
                own = sum(matrix[document] * np.where(weights[row] > 0, slope - mean, 0.0))
                total += units[row, document] * own**2
            many = units[row].sum()
            wanted = np.sqrt(many / (many - 1) * total) * 0.9
            assert error[row] == pytest.approx(wanted, abs=1e-12)
            assert np.isfinite(estimate[row])


def test_influences_of_clusters_are_derivatives() -> None:
    """More of one document at the cost of all items alike, by central differences."""
    ratings = made(40, 4)
    resolver = Resolver(Rated.of(ratings))
    for name in ("krippendorff_alpha", "specific_agreement", "conger_kappa"):
        problem = resolver.request(name).problem
        clusters = clusters_for([problem], resolver, 7)
        found = unit_influences(influences(Prepared([problem]))[0], problem.table, clusters)
        count, matrix = problem.table.count, clusters.matrix_of(problem.table).toarray()
        for unit in range(7):
            towards = matrix[unit] - matrix[unit].sum() * count / count.sum()
            both = [
                estimates(Prepared([at_weights(problem, count + step * towards)]))[0].estimate
                for step in (1e-5, -1e-5)
            ]
            np.testing.assert_allclose(
                found[..., unit], (both[0] - both[1]) / 2e-5, atol=1e-8, err_msg=name
            )


def test_batch_seed_and_traces() -> None:
    def some(ratings: xr.Dataset) -> list[Problem]:
        ordinal = Resolver(Rated.of(ratings), LabelOptions(level="ordinal"))
        found = [one for name, one in every_problem(ratings) if name in NAMES]
        return [*found, *(ordinal.request(name).problem for name in (NAMES[0], own_share))]

    problems = some(made(25, 4))
    first = bootstrap_with_errors(Prepared(problems), replicates=130, seed=1)
    before = dict(TRACES)
    for batch in (1, 128, 1000):
        again = bootstrap_with_errors(Prepared(problems), replicates=130, seed=1, batch=batch)
        for one, other in zip(first, again, strict=True):
            assert np.array_equal(one, other, equal_nan=True)
    bootstrap_with_errors(Prepared(problems), replicates=30, seed=2)
    bootstrap_with_errors(Prepared(some(made(25, 4, seed=6))), replicates=30, seed=2)
    assert dict(TRACES) == before
    alone = bootstrap_with_errors(Prepared(problems[2:3]), replicates=130, seed=1)
    np.testing.assert_allclose(np.stack(alone[0]), np.stack(first[2]), atol=1e-13)


def test_undefined_replicates_have_no_error_and_others_are_refused() -> None:
    ratings = iaa.from_wide([["a", "a"], ["a", "b"], ["b", "b"]])
    problem = Resolver(Rated.of(ratings)).request("cohen_kappa").problem
    estimate, error = bootstrap_with_errors(Prepared([problem]), replicates=200, seed=0)[0]
    assert 0 < np.isnan(estimate).sum() < 100
    assert np.array_equal(np.isnan(estimate), np.isnan(error))
    with pytest.raises(ValueError, match="items alone"):
        bootstrap_with_errors(
            Prepared([problem]), replicates=2, seed=0, resampling=Resampling(annotators=True)
        )


def test_float32_errors() -> None:
    problems = [problem for name, problem in DATA["gaps"] if name in NAMES]
    exact = bootstrap_with_errors(Prepared(problems), replicates=64, seed=1)
    near = bootstrap_with_errors(Prepared(problems), replicates=64, seed=1, dtype="float32")
    for (_, one), (_, other) in zip(exact, near, strict=True):
        assert other.dtype == np.float32
        np.testing.assert_allclose(one, other, atol=2e-5)


def test_leaving_items_out() -> None:
    ratings = made(25, 3)
    resolver = Resolver(Rated.of(ratings))
    problems = [resolver.request(name).problem for name in NAMES]
    identified = resolver.tables.identified.pattern_of
    for name, problem, (found, count) in zip(
        NAMES, problems, leave_units_out(Prepared(problems)), strict=True
    ):
        pattern = identified
        if not problem.measure.identified:
            pattern = resolver.tables.exchangeable_of_items
        assert np.array_equal(count, problem.table.count[problem.table.count > 0])
        for item in range(0, 25, 4):
            without = ratings.isel(item=np.delete(np.arange(25), item))
            wanted = getattr(iaa, name)(without, interval=None).estimate.values
            np.testing.assert_allclose(found[pattern[item]], wanted, atol=1e-12)


def test_leaving_clusters_and_groups_out() -> None:
    ratings = made(40, 3)
    resolver = Resolver(Rated.of(ratings))
    problems = [resolver.request(name).problem for name in NAMES]
    clusters = clusters_for(problems, resolver, 7)
    found = leave_units_out(Prepared(problems), clusters=clusters)
    for name, (estimate, count) in zip(NAMES, found, strict=True):
        assert np.array_equal(count, np.ones(7))
        for document in range(7):
            without = ratings.isel(item=np.flatnonzero(np.arange(40) % 7 != document))
            wanted = getattr(iaa, name)(without, interval=None).estimate.values
            np.testing.assert_allclose(estimate[document], wanted, atol=1e-12)
    groups = leave_units_out(Prepared(problems), groups=6, seed=3)
    again = leave_units_out(Prepared(problems[1:2]), groups=6, seed=3)
    other = leave_units_out(Prepared(problems[1:2]), groups=6, seed=4)
    assert np.array_equal(groups[0][1], np.ones(6))
    np.testing.assert_allclose(again[0][0], groups[1][0], atol=1e-14)
    assert not np.allclose(other[0][0], groups[1][0])
    each = leave_units_out(Prepared(problems[:1]), groups=40, seed=0)[0]
    one_by_one, count = leave_units_out(Prepared(problems[:1]))[0]
    repeated = np.repeat(one_by_one, count.astype(int))
    np.testing.assert_allclose(np.sort(each[0]), np.sort(repeated), atol=1e-13)


def test_rows_without_units_come_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    table = PatternTable(np.array([3.0, 0.0, 2.0, 1.0]))
    whole = np.concatenate([rows for (rows,) in leave_units_out_rows([table])])
    assert whole.tolist() == [[2, 0, 2, 1], [3, 0, 1, 1], [3, 0, 2, 0]]
    monkeypatch.setattr("iaa_jax.engine.units.rows_at_once", lambda patterns: 2)
    parts = [rows for (rows,) in leave_units_out_rows([table])]
    assert [len(part) for part in parts] == [2, 1]
    assert np.array_equal(np.concatenate(parts), whole)
