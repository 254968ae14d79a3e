"""Ratings shuffled within annotators: loops over kernels, all permutations, invariants."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import permutations, product
from unittest.mock import Mock

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.engine import PatternTable, Prepared, Problem
from iaa_jax.engine.compiled import TRACES
from iaa_jax.engine.drawing.permutations import random_tables
from iaa_jax.engine.permutation import _Layout, _permute_problem, permute
from iaa_jax.engine.shuffled_patterns import ShuffledPatterns
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.resolver import Resolver
from iaa_jax.measure.requests.studies import with_identities
from tests.engine.real import made
from tests.engine.test_resampling import DATA, all_told_apart
from tests.taken import one_of


def written_out(problem: Problem, sources: np.ndarray) -> Problem:
    """The problem on items one by one, each rating from where it is said to come from."""
    items, places = sources.shape
    data = np.full((items, *problem.data.shape[1:]), np.nan)
    for item, place in np.ndindex(items, places):
        pattern, of = divmod(int(sources[item, place]), places)
        if pattern < len(problem.data):
            data[item, place] = problem.data[pattern, of]
    pattern = np.repeat(np.arange(len(problem.data)), problem.table.count.astype(int))
    annotator_of = None if problem.annotator_of is None else problem.annotator_of[pattern]
    return replace(
        problem, ratings=data, table=PatternTable(np.ones(items)), annotator_of=annotator_of
    )


def permuted(
    problems: Sequence[Problem],
    permutations: int,
    seed: int,
    progress: Callable[[int, int], None] | None = None,
) -> list[np.ndarray]:
    """Of problems on one table: their ratings are told apart wherever one of them does."""
    prepared, codes = Prepared(problems), codes_of(problems)
    return permute(prepared, codes, permutations=permutations, seed=seed, progress=progress)


def codes_of(problems: Sequence[Problem]) -> list[np.ndarray]:
    """Numbers that tell ratings apart, the same for all of the problems."""
    flat = [one.data.reshape(*one.data.shape[:2], -1) for one in problems]
    ratings = np.concatenate(flat, axis=-1)
    distinct, codes = np.unique(
        np.nan_to_num(ratings, nan=-1e9).reshape(-1, ratings.shape[-1]), axis=0, return_inverse=True
    )
    codes = np.where(distinct[codes.reshape(-1), 0] < -1e8, -1, codes.reshape(-1))
    return [codes.reshape(ratings.shape[:2])] * len(problems)


NAMES = {
    "gaps": ("fleiss_kappa", "specific_agreement", "conger_kappa", "hubert_kappa"),
    "two": ("cohen_kappa", "bangdiwala_b"),
    "slots": ("krippendorff_alpha", "conger_kappa", "mean_pairwise_cohen_kappa"),
    "numbers": ("krippendorff_alpha", "icc1", "icc2"),
}
"""One of each kind of statistics."""


@pytest.mark.parametrize("name", one_of(2, DATA))
def test_estimates_are_a_loop_over_the_kernels(name: str) -> None:
    problems = [one for one in all_told_apart(DATA[name]) if one[0] in NAMES[name]]
    assert len(problems) == len(NAMES[name])
    found = permuted([problem for _, problem in problems], permutations=3, seed=2)
    for (label, problem), own in zip(problems, found, strict=True):
        sources = np.concatenate(list(_Layout(problem, codes_of([problem])[0]).shuffled(3, 2, 64)))
        keywords = dict(problem.options)
        if not problem.measure.takes_values:
            keywords["label_agreement"] = problem.label_agreement
        for row in range(3):
            shuffled = written_out(problem, sources[row])
            if problem.annotator_of is not None:
                keywords["annotator_of"] = shuffled.annotator_of
            # items that nobody rated stay where they are
            wanted = problem.measure.kernel(
                shuffled.data, annotator_weight=problem.weight, **keywords
            )
            np.testing.assert_allclose(own[row], wanted.estimate, atol=1e-11, err_msg=label)


def test_counted_patterns_are_the_same_permutations(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each coefficient, from the items that show each pattern and from ratings item by item."""
    for ratings, name in (
        (DATA["gaps"], "conger_kappa"),
        (iaa.from_values(np.arange(24.0).reshape(8, 3) % 5), "icc1"),
    ):
        named = dict(all_told_apart(ratings))
        problems = [named["krippendorff_alpha"], named[name]]
        few = permuted(problems, permutations=9, seed=4)
        with monkeypatch.context() as low:
            low.setattr("iaa_jax._thresholds.SHUFFLED_PATTERNS", 0)
            one_by_one = Mock(wraps=_permute_problem)
            low.setattr("iaa_jax.engine.permutation._permute_problem", one_by_one)
            plain = permuted(problems, permutations=9, seed=4)
            assert one_by_one.called
        for one, other in zip(few, plain, strict=True):
            np.testing.assert_allclose(one, other, atol=1e-11)


@pytest.mark.parametrize("name", one_of(2, DATA))
def test_each_annotator_keeps_ratings_and_items(name: str) -> None:
    problem = dict(all_told_apart(DATA[name]))["krippendorff_alpha"]
    layout = _Layout(problem, codes_of([problem])[0])
    plain = problem.data[layout.pattern]
    places = layout.shape[1]
    who = (
        np.broadcast_to(np.arange(places), layout.shape)
        if problem.annotator_of is None
        else problem.annotator_of[layout.pattern]
    )
    moved = 0
    for sources in np.concatenate(list(layout.shuffled(5, 0, 64))):
        after = written_out(problem, sources).data
        assert np.array_equal(np.isnan(after), np.isnan(plain))
        moved += int((np.nan_to_num(after) != np.nan_to_num(plain)).sum())
        for annotator in range(int(who.max()) + 1):
            both = [np.sort(one[who == annotator].reshape(-1)) for one in (plain, after)]
            assert np.array_equal(*both, equal_nan=True)
    assert moved > 20


BY_TABLES, BY_ITEMS = 0, 10**6


@pytest.fixture(params=[BY_TABLES, BY_ITEMS], ids=["by tables", "by items"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """How patterns are drawn: what a number of a table costs decides."""
    monkeypatch.setattr("iaa_jax.engine.shuffled_patterns.TABLE_NUMBER", request.param)
    return int(request.param)


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize(
    "table", [("aba", "aab"), ("ab.c", "aabb"), ("a.bb", ".aba", "ab.b")], ids=lambda x: x[-1]
)
def test_all_permutations_are_equally_likely(table: tuple[str, ...]) -> None:
    """Few annotators on few items: all orders of what each said, and their frequencies."""

    def read(columns: Sequence[str]) -> xr.Dataset:
        cells = [
            [None if cell == "." else cell for cell in row] for row in zip(*columns, strict=True)
        ]
        return iaa.from_wide(cells, labels=["a", "b", "c"])

    def orders(column: str) -> set[str]:
        of_rated = {"".join(order) for order in permutations(column.replace(".", ""))}
        return {
            "".join(cell if cell == "." else next(rest) for cell in column)
            for rest in map(iter, sorted(of_rated))
        }

    problem = with_identities(
        Resolver(Rated.of(read(table))),
        Resolver(Rated.of(read(table))).request("fleiss_kappa").problem,
    )
    found = permuted([problem], permutations=6000, seed=1)[0]
    wanted = np.array(
        [
            iaa.fleiss_kappa(read(columns), interval=None).estimate.item()
            for columns in product(*map(orders, table))
        ]
    )
    known = np.round(wanted[~np.isnan(wanted)], 9)
    values, times = np.unique(known, return_counts=True)
    shown, often = np.unique(np.round(found[~np.isnan(found)], 9), return_counts=True)
    np.testing.assert_allclose(shown, values, atol=1e-9)
    share = times / len(wanted)
    assert np.all(np.abs(often / 6000 - share) < 5 * np.sqrt(share * (1 - share) / 6000))


def test_tables_and_items_are_of_one_law(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of permutations of 60 items with gaps: mean, spread and skewness by both ways."""
    problem = dict(all_told_apart(made(60, 3, seed=5)))["fleiss_kappa"]
    moments = []
    for way in (BY_TABLES, BY_ITEMS):
        monkeypatch.setattr("iaa_jax.engine.shuffled_patterns.TABLE_NUMBER", way)
        found = permuted([problem], permutations=20_000, seed=3)[0]
        spread = found.std()
        moments.append([found.mean(), spread, (((found - found.mean()) / spread) ** 3).mean()])
    first, second = np.array(moments)
    error = np.array([second[1], second[1], 3.0]) * np.sqrt(2 / 20_000)
    assert np.all(np.abs(first - second) < 5 * error)


def test_tables_keep_both_margins() -> None:
    rng = np.random.default_rng(0)
    rows, columns = np.array([[5, 0, 3, 4, 1]] * 400), np.array([6, 2, 0, 5])
    drawn = random_tables(rng, rows, columns)
    assert np.array_equal(drawn.sum(axis=2), rows)
    assert np.array_equal(drawn.sum(axis=1), np.tile(columns, (400, 1)))
    mean = rows[0][:, None] * columns / columns.sum()
    total = columns.sum()
    variance = mean * (1 - columns / total) * (total - rows[0][:, None]) / (total - 1)
    assert np.all(np.abs(drawn.mean(axis=0) - mean) <= 5 * np.sqrt(variance / 400))
    assert np.all((drawn.var(axis=0) > 0) == (variance > 0))
    np.testing.assert_allclose(drawn.var(axis=0), variance, rtol=0.4)


@pytest.mark.usefixtures("way")
def test_further_permutations_and_coefficients_change_none(monkeypatch: pytest.MonkeyPatch) -> None:
    named = dict(all_told_apart(made(30, 3, seed=4)))
    problems = [named["fleiss_kappa"], named["conger_kappa"]]
    few = permuted(problems, permutations=70, seed=1)
    monkeypatch.setattr("iaa_jax._thresholds.SHUFFLED_TOGETHER", 50)
    many = permuted(problems, permutations=300, seed=1)
    alone = permuted(problems[:1], permutations=70, seed=1)
    np.testing.assert_allclose(many[1][:70], few[1], atol=1e-14)
    np.testing.assert_allclose(alone[0], few[0], atol=1e-14)


def test_the_mean_over_permutations_is_chance_agreement() -> None:
    """Complete data: mean observed agreement of two annotators is the product of their margins."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, (40, 2))
    problem = Resolver(Rated.of(iaa.from_wide(codes))).request("percent_agreement").problem
    named = dict(all_told_apart(iaa.from_wide(codes)))
    found = permuted([named["percent_agreement"]], permutations=4000, seed=3)[0]
    share = np.array([np.bincount(codes[:, who], minlength=3) / 40 for who in (0, 1)])
    assert found.mean() == pytest.approx(share[0] @ share[1], abs=5 * found.std() / 4000**0.5)
    # pooled: pairs of 80 ratings without replacement
    pooled = permuted([problem], permutations=4000, seed=3)[0]
    count = np.bincount(codes.reshape(-1), minlength=3)
    wanted = (count * (count - 1)).sum() / (80 * 79)
    assert pooled.mean() == pytest.approx(wanted, abs=5 * pooled.std() / 4000**0.5)
    assert abs(pooled.mean() - found.mean()) < 0.05


def test_counts_are_shuffled_among_all_places() -> None:
    ratings = iaa.from_counts([[3, 0], [2, 1], [0, 2], [1, 1]])
    problem = Resolver(Rated.of(ratings)).request("fleiss_kappa").problem
    layout = _Layout(problem, codes_of([problem])[0])
    assert not len(layout.ends)
    for sources in np.concatenate(list(layout.shuffled(4, 0, 64))):
        after = written_out(problem, sources).data
        assert np.nansum(after, axis=(0, 1)).tolist() == [6, 4]
        rated = ~np.isnan(after[..., 0])
        assert sorted(rated.sum(axis=1).tolist()) == [2, 2, 3, 3]


def test_seeds_blocks_parts_and_traces(monkeypatch: pytest.MonkeyPatch) -> None:
    def some(ratings: xr.Dataset) -> list[Problem]:
        return [one for name, one in all_told_apart(ratings) if name in NAMES["gaps"]]

    monkeypatch.setattr("iaa_jax._thresholds.SHUFFLED_PATTERNS", 0)
    problems = some(DATA["gaps"])
    first = permuted(problems, permutations=70, seed=1)
    before = dict(TRACES)
    again = permuted(problems[:2], permutations=100, seed=1)
    assert np.array_equal(again[1][:70], first[1], equal_nan=True)
    assert not np.array_equal(permuted(problems, permutations=70, seed=2)[0], first[0])
    permuted(some(made(26, 4, seed=2)), permutations=65, seed=3)
    assert dict(TRACES) == before
    monkeypatch.setattr("iaa_jax.engine.permutation.batch_size_of", lambda *_: 5)
    parts = permuted(problems[:3], permutations=70, seed=1)
    for one, other in zip(parts, first, strict=False):
        np.testing.assert_allclose(one, other, atol=1e-14)


def test_items_count_as_often_as_they_stand() -> None:
    """Repeated items are compressed: the same permutations as those of the items written out."""
    ratings = iaa.from_wide([["a", "b", "a"], ["a", "b", "a"], ["b", "b", "a"], ["a", "a", "b"]])
    weighted = iaa.data.compress(ratings)
    assert weighted.sizes["item"] == 3
    for name in ("krippendorff_alpha", "conger_kappa"):
        one, other = (
            permuted([dict(all_told_apart(data))[name]], permutations=64, seed=0)[0]
            for data in (ratings, weighted)
        )
        assert np.array_equal(one, other, equal_nan=True)


def test_weights_that_are_not_whole_are_refused() -> None:
    ratings: xr.Dataset = made(10, 2)
    ratings = ratings.assign(item_weight=("item", np.linspace(0.5, 2, 10)))
    problem = dict(all_told_apart(ratings))["cohen_kappa"]
    with pytest.raises(ValueError, match="not whole"):
        permuted([problem], permutations=2, seed=0)


def test_progress_counts_over_all_problems() -> None:
    problems = [problem for _, problem in all_told_apart(DATA["two"])][:3]
    seen: list[tuple[int, int]] = []
    permuted(problems, permutations=70, seed=0, progress=lambda *done: seen.append(done))
    assert seen[-1] == (70, 70)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


def test_more_items_than_can_be_drawn_by_tables_are_said_to_be_many() -> None:
    codes = np.array([[0, 0], [1, 1], [0, 1]])
    few, many = (
        ShuffledPatterns(codes, np.array([1.0, 1, each]), by_annotator=True) for each in (1e6, 2e9)
    )
    assert few.numbers < few.ratings
    assert many.numbers == many.ratings
