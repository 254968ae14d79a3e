"""Bootstrap weights: exact, one stream per block, independent of other requests."""

from __future__ import annotations

import re
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import chi2, poisson

from iaa_jax.engine import PatternTable, bootstrap_rows
from iaa_jax.engine.drawing import BLOCK, multinomial, rows_at_once, single_items, streams
from iaa_jax.engine.drawing.binomials import Binomials
from iaa_jax.engine.drawing.multinomial import MULTINOMIAL, Multinomial
from iaa_jax.engine.drawing.poisson_base import PoissonBase, poisson_cells
from iaa_jax.engine.drawing.refinement import Refinement, refinement
from iaa_jax.engine.drawing.streams import Purpose, stream, streams_of
from tests.oracles.resampling import outcome_probability, outcomes

PACKAGE = Path(streams.__file__).parents[2]


def tables() -> tuple[PatternTable, PatternTable]:
    coarse = PatternTable(np.array([5.0, 0.0, 3.0, 12.0, 1.0]))
    fine = PatternTable(
        np.array([2.0, 3.0, 4.0, 3.0, 8.0, 1.0, 0.0]), coarse, np.array([0, 0, 3, 2, 3, 4, 1])
    )
    assert np.array_equal(np.bincount(fine.pattern_of, weights=fine.count), coarse.count)
    return coarse, fine


def drawn(asked: tuple[PatternTable, ...], replicates: int, seed: int) -> list[np.ndarray]:
    return [
        np.concatenate(part) for part in zip(*bootstrap_rows(asked, replicates, seed), strict=True)
    ]


def test_rows_are_whole_counts_of_all_items() -> None:
    coarse, fine = tables()
    for rows in drawn((coarse, fine), 200, 3):
        assert len(rows) == 4 * BLOCK
        assert np.array_equal(rows, np.rint(rows))
        assert np.all(rows >= 0)
        assert np.all(rows.sum(axis=1) == 21)


def test_fine_rows_are_parts_of_the_coarse_ones() -> None:
    coarse, fine = tables()
    whole, parts = drawn((coarse, fine), 128, 5)
    for group in range(len(coarse.count)):
        assert np.array_equal(parts[:, fine.pattern_of == group].sum(axis=1), whole[:, group])


def test_what_else_is_asked_changes_nothing() -> None:
    coarse, fine = tables()
    both = drawn((coarse, fine), 64, 7)
    assert np.array_equal(drawn((coarse,), 64, 7)[0], both[0])
    assert np.array_equal(drawn((fine,), 64, 7)[0], both[1])
    turned = drawn((fine, coarse), 64, 7)
    assert np.array_equal(turned[0], both[1])
    assert np.array_equal(turned[1], both[0])


def test_seed_and_block_make_the_stream() -> None:
    coarse, _ = tables()
    one = drawn((coarse,), 192, 1)[0]
    assert np.array_equal(one, drawn((coarse,), 192, 1)[0])
    assert np.array_equal(one[:64], drawn((coarse,), 10, 1)[0])
    assert not np.array_equal(one, drawn((coarse,), 192, 2)[0])
    assert len(np.unique(one[:, [0, 2, 3]], axis=0)) > 60


def test_rows_are_multinomial() -> None:
    """Means, variances and covariances within five standard errors of the exact ones."""
    coarse, fine = tables()
    replicates = 20_032
    for table, rows in zip((coarse, fine), drawn((coarse, fine), replicates, 11), strict=True):
        n, p = 21, table.count / 21
        covariance = n * (np.diag(p) - np.outer(p, p))
        error = np.sqrt(np.diag(covariance) / replicates)
        assert np.all(np.abs(rows.mean(axis=0) - n * p) <= 5 * error + 1e-12)
        found = np.cov(rows.T)
        spread = np.sqrt(
            (np.outer(np.diag(covariance), np.diag(covariance)) + covariance**2) / replicates
        )
        assert np.all(np.abs(found - covariance) <= 5 * spread + 1e-12)
        # fourth moments differ from the normal ones for rare patterns: compare the largest alone
        largest = int(np.argmax(p))
        counts = np.bincount(rows[:, largest].astype(int), minlength=n + 1) / replicates
        from scipy.stats import binom

        exact = binom.pmf(np.arange(n + 1), n, p[largest])
        assert np.all(np.abs(counts - exact) < 5 * np.sqrt(exact / replicates) + 1e-3)


def test_weights_that_are_not_whole_keep_their_total() -> None:
    table = PatternTable(np.array([0.5, 1.25, 3.0]))
    rows = drawn((table,), 64, 0)[0]
    np.testing.assert_allclose(rows.sum(axis=1), 4.75)
    assert np.all(np.isclose(rows * 5 / 4.75, np.rint(rows * 5 / 4.75)))


WAYS = {
    "binomials": {"single_items": 1e9, "poisson_base": 1e9},
    "items": {"binomials": 1e9, "poisson_base": 1e9},
    "base": {"binomials": 1e9, "poisson_base": 0.0},
    "binomials, then a base": {"binomials": 1e5, "single_items": 1e3, "poisson_base": 0.0},
}
"""Costs that make one method the cheapest, whatever the table."""


def use(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in WAYS[way].items():
        monkeypatch.setattr(f"iaa_jax.engine.drawing.{name}.NANOSECONDS", value)
        if way == "binomials" and name == "single_items":
            monkeypatch.setattr(single_items, "SEARCH_NANOSECONDS", value)


def ways(fine: PatternTable) -> set[str]:
    """Return the methods that split the table's groups."""
    groups: dict[str, int] = {}
    for way in split_of(fine).methods:
        groups[type(way).__name__] = len(way.groups if isinstance(way, Binomials) else way.first)
    found = {
        "binomials": "Binomials" in groups,
        "items": groups.get("SingleItems", 1) - 1 > groups.get("PoissonBase", 0),
        "base": "PoissonBase" in groups,
    }
    return {name for name, used in found.items() if used}


def split_of(fine: PatternTable) -> Refinement:
    assert fine.pattern_of is not None
    return refinement(fine.count, fine.pattern_of, round(fine.items) / fine.items)


def refined(groups: list[list[float]], turn: int = 3) -> PatternTable:
    """Patterns of several groups, mixed among each other, and none in their group's order."""
    count = np.array([x for group in groups for x in group])
    group = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    mixed = np.random.default_rng(turn).permutation(len(count))
    coarse = PatternTable(np.bincount(group, weights=count))
    return PatternTable(count[mixed], coarse, group[mixed])


@pytest.mark.parametrize(
    ("groups", "way", "used"),
    [
        ([[2.0, 1.0, 1.0], [3.0]], "binomials", {"binomials"}),
        ([[2.0, 1.0, 1.0], [3.0]], "items", {"items"}),
        ([[2.0, 1.0, 0.0], [3.0, 1.0]], "items", {"items"}),
        ([[11.0, 4.0, 2.0], [2.0]], "binomials", {"binomials"}),
        ([[11.0, 4.0, 2.0], [2.0]], "items", {"items"}),
        ([[11.0, 4.0, 2.0], [2.0]], "base", {"base"}),
        ([[9.0, 8.0], [9.0, 7.0]], "base", {"base"}),
        ([[120.0, 9.0, 8.0]], "binomials, then a base", {"binomials", "base"}),
        ([[9.5, 4.25, 2.0], [2.0]], "binomials", {"binomials"}),
        ([[9.5, 4.25, 2.0], [2.0]], "items", {"items"}),
        ([[0.5, 1.25, 0.1], [2.3, 0.3]], "items", {"items"}),
        ([[9.5, 4.25, 2.0], [2.0]], "base", {"base"}),
        ([[2.0, 1.0, 1.0, 0.0, 3.0]], "from the total: binomials", {"binomials"}),
        ([[2.0, 1.0, 1.0, 0.0, 3.0]], "from the total: items", {"items"}),
        ([[4.0] * 4], "from the total: base", {"base"}),
        ([[0.5, 1.25, 0.1, 2.6]], "from the total: items", {"items"}),
    ],
)
def test_every_outcome_is_as_likely_as_it_should_be(
    groups: list[list[float]], way: str, used: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Chi-square over all outcomes of the whole table, rare ones taken together."""
    total, _, own = way.rpartition(": ")
    use(own, monkeypatch)
    fine = refined(groups)
    assert ways(fine) == used
    if total:
        monkeypatch.setattr(multinomial, "NANOSECONDS", 1e15)
        fine = PatternTable(fine.count)
    draws = round(fine.items)
    replicates = 40 * 64 * (10 if draws < 30 else 4)
    rows = drawn((fine,), replicates, 17)[0] * (draws / fine.items)
    np.testing.assert_allclose(rows, np.rint(rows), atol=1e-9)
    assert np.all(rows[:, fine.count == 0] == 0)
    every = np.array(list(outcomes(draws, len(fine.count))))
    chance = np.array([outcome_probability(outcome, fine.count) for outcome in every])
    base = (draws + 1) ** np.arange(len(fine.count))
    number = every @ base
    order = np.argsort(number)
    at = order[np.searchsorted(number[order], np.rint(rows).astype(int) @ base)]
    assert np.all(chance[at] > 0)
    found = np.bincount(at, minlength=len(every))
    expected = chance * replicates
    common = expected >= 8
    pairs = [*zip(found[common], expected[common], strict=True)]
    pairs.append((found[~common].sum(), max(expected[~common].sum(), 1e-300)))
    statistic = sum((seen - mean) ** 2 / mean for seen, mean in pairs)
    assert len(pairs) > 15
    assert 1e-4 < chi2.sf(statistic, len(pairs) - 1) < 1 - 1e-4


def large() -> PatternTable:
    """Rare patterns, common ones, and both in a group; one pattern alone, and one without items."""
    rng = np.random.default_rng(5)
    return refined(
        [
            [1.0] * 150,
            [400.0, 250.0],
            [700.0, *rng.integers(1, 4, 60).astype(float)],
            [35.0] * 8,
            [6.0],
            [3.0, 2.0, 1.0, 0.0],
            [90.0, 80.0, 5.0, 5.0, 1.0],
        ]
    )


@pytest.mark.parametrize(
    ("scale", "used"), [(1.0, {"binomials", "items", "base"}), (0.7, {"binomials", "base"})]
)
def test_large_tables_are_multinomial(scale: float, used: set[str]) -> None:
    """Means, variances and covariances of every pattern, as the costs choose the ways."""
    whole = large()
    coarse = PatternTable(whole.coarse.count * scale)
    fine = PatternTable(whole.count * scale, coarse, whole.pattern_of)
    assert ways(fine) == used
    replicates = 64 * 200
    split, drawn_first = drawn((fine, coarse), replicates, 23)
    for group in range(len(coarse.count)):
        np.testing.assert_allclose(
            split[:, fine.pattern_of == group].sum(axis=1), drawn_first[:, group], rtol=1e-12
        )
    split *= round(fine.items) / fine.items
    np.testing.assert_allclose(split, np.rint(split), atol=1e-9)
    assert np.all(split[:, fine.count == 0] == 0)
    n, p = round(fine.items), fine.count / fine.items
    covariance = n * (np.diag(p) - np.outer(p, p))
    variance = np.diag(covariance)
    error = np.sqrt(variance / replicates)
    assert np.all(np.abs(split.mean(axis=0) - n * p) <= 5 * error)
    squares = np.outer(variance, variance) + covariance**2
    squares[np.diag_indices_from(squares)] += variance
    spread = np.sqrt(squares / replicates)
    away = np.abs(np.cov(split.T) - covariance)
    assert np.all(away <= 7 * spread)
    some = spread > 0
    assert np.sqrt(np.mean((away[some] / spread[some]) ** 2)) == pytest.approx(1, abs=0.05)


def test_many_distinct_weights_that_are_not_whole() -> None:
    """Too many for look-up tables: single items are searched."""
    rng = np.random.default_rng(9)
    fine = refined([list(rng.uniform(0.2, 3, 300)), list(rng.uniform(0.2, 3, 40)), [60.1, 0.3]])
    assert ways(fine) == {"binomials", "items"}
    rows = drawn((fine,), 64 * 100, 2)[0] * (round(fine.items) / fine.items)
    mean = round(fine.items) * fine.count / fine.items
    assert np.all(np.abs(rows.mean(axis=0) - mean) <= 5 * np.sqrt(mean / len(rows)))
    away = (rows.var(axis=0) / (mean * (1 - mean / mean.sum())))[mean < 10] - 1
    assert abs(away.mean()) < 0.01


@pytest.mark.parametrize("rows", [1, 4, 64])
@pytest.mark.parametrize("threads", [1, 4])
def test_rows_and_threads_change_no_digit(
    rows: int, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    fine = large()
    other = refined([[x] for x in fine.coarse.count])
    other = PatternTable(other.count, fine.coarse, other.pattern_of)
    expected = drawn((fine,), 256, 3)[0]
    monkeypatch.setattr("iaa_jax._thresholds.DRAWN_TOGETHER", rows * len(fine.count))
    monkeypatch.setattr("iaa_jax._thresholds.DRAWN_NEAR", 3 * rows * len(fine.count) // 4)
    monkeypatch.setattr(streams, "_THREADS", threads)
    monkeypatch.setattr("iaa_jax._thresholds.DRAWN_BY_THREADS", 1)
    assert np.array_equal(drawn((fine,), 256, 3)[0], expected)
    assert np.array_equal(drawn((other, fine.coarse, fine), 256, 3)[2], expected)
    assert np.array_equal(
        drawn((other, fine), 256, 3)[0], drawn((fine.coarse,), 256, 3)[0][:, other.pattern_of]
    )


@pytest.mark.parametrize(
    ("patterns", "tasks"), [(63, []), (64, [16, 16]), (300, [4] * 8), (1200, [1] * 32)]
)
def test_threads_have_enough_to_do(
    patterns: int, tasks: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    handed: list[int] = []

    class Pool(ThreadPoolExecutor):
        def submit(self, function, blocks):
            handed.append(len(blocks))
            return super().submit(function, blocks)

    monkeypatch.setattr(streams, "_THREADS", 2)
    monkeypatch.setattr(streams, "ThreadPoolExecutor", Pool)
    rows = streams.in_blocks(lambda block: [(np.array([block]),)], 32 * BLOCK, patterns)
    assert [int(row[0]) for (row,) in rows] == list(range(32))
    assert handed == tasks


def test_coarse_rows_are_those_of_numpy() -> None:
    """A stream a block, numbered by the block and the root, and nothing else read from it."""
    fine = large()
    _, coarse = drawn((fine, fine.coarse), 192, 31)
    for block in range(3):
        sequence = np.random.SeedSequence(31, spawn_key=(block, 0))
        stream = np.random.Generator(np.random.Philox(sequence))
        items = fine.coarse.items
        rows = stream.multinomial(int(items), fine.coarse.count / items, size=BLOCK)
        assert np.array_equal(coarse[block * BLOCK : (block + 1) * BLOCK], rows)


def test_many_rare_values_are_drawn_from_their_total(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a row costs much less so; in streams of their own, which nothing else changes."""
    for count, cheaper in (
        (np.ones(1200), False),
        (np.ones(2000), True),
        (np.full(5000, 1e9), False),
        (np.random.default_rng(1).uniform(0.5, 2, 5000), False),
    ):
        division = MULTINOMIAL.divide_root(PatternTable(count))
        assert isinstance(division, Refinement if cheaper else Multinomial)
    coarse = PatternTable(np.concatenate([np.ones(2000), [700.0, 0.0]]))
    fine = PatternTable(
        np.concatenate([np.ones(2000), [300.0, 400.0]]), coarse, np.append(np.arange(2001), 2000)
    )
    alone = drawn((coarse,), 192, 5)[0]
    assert np.all(alone.sum(axis=1) == 2700)
    assert len(np.unique(alone[:, :2000], axis=0)) == 192
    parts, beside = drawn((fine, coarse), 192, 5)
    assert np.array_equal(beside, alone)
    assert np.array_equal(parts[:, :2000], alone[:, :2000])
    monkeypatch.setattr("iaa_jax._thresholds.DRAWN_TOGETHER", 4 * 2002)
    monkeypatch.setattr("iaa_jax._thresholds.DRAWN_NEAR", 5000)
    monkeypatch.setattr(streams, "_THREADS", 3)
    assert np.array_equal(drawn((coarse,), 64, 5)[0], alone[:64])


def test_rows_depend_on_the_table_alone() -> None:
    """They do not depend on the object, or on earlier draws."""
    fine = large()
    rows = drawn((fine,), 64, 3)[0]
    again = PatternTable(
        fine.count.copy(), PatternTable(fine.coarse.count.copy()), fine.pattern_of.copy()
    )
    assert np.array_equal(drawn((again,), 64, 3)[0], rows)
    assert not np.array_equal(drawn((again,), 64, 4)[0], rows)


def test_poisson_look_up() -> None:
    """Each cell says what its first and its last point say, by SciPy's distribution."""
    means = np.array([0.29, 1.0, 7.5, 99.9])
    sure, least, bounds = poisson_cells(means)
    cells = 1 << 10
    values = np.arange(254)
    for mean, cell_sure, cell_least, bound in zip(
        means, sure.reshape(4, -1), least.reshape(4, -1), bounds.reshape(4, -1), strict=True
    ):
        exact = poisson.cdf(values, mean)
        np.testing.assert_allclose(bound[:254] / cells, exact, rtol=0, atol=4e-15)
        assert np.all(np.isinf(bound[254:]))
        first = np.searchsorted(exact, np.arange(cells) / cells, side="right")
        last = np.searchsorted(exact, (np.arange(cells) + 1) / cells - 1e-15, side="right")
        assert np.array_equal(cell_least, first)
        several = first != last
        assert np.all(cell_sure[several] == 255)
        assert np.array_equal(cell_sure[~several], first[~several])


@pytest.mark.parametrize("mean", [1.0, 6.0, 60.0])
def test_base_is_poisson(mean: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Chi-square of 640,000 numbers, cells with several values among them; none is too many."""
    use("base", monkeypatch)
    fine = refined([[mean] * 500])
    base = split_of(fine).methods[0]
    assert isinstance(base, PoissonBase)
    remaining = np.full((1280, 1), 10**9)
    numbers = base.take(remaining, streams_of(4, Purpose.ITEMS, 0, 1))
    assert np.array_equal(numbers.sum(axis=1, dtype=int), 10**9 - remaining[:, 0])
    in_base = -np.log(base.bounds[0] / (1 << 10))
    assert 0.7 * mean < in_base < mean
    found = np.bincount(numbers.ravel(), minlength=256)
    expected = numbers.size * poisson.pmf(np.arange(256), in_base)
    common = expected > 20
    assert found[~common].sum() < 20 * 20
    statistic = np.sum((found[common] - expected[common]) ** 2 / expected[common])
    assert chi2.sf(statistic, common.sum() - 1) > 1e-3
    assert np.abs(np.corrcoef(numbers[:, :-1].ravel(), numbers[:, 1:].ravel())[0, 1]) < 0.006


def keys_of(purpose: Purpose) -> set[tuple[int, ...]]:
    """Keys of a purpose with small numbers, and with those that first stand in the other keys."""
    named = {part for other in Purpose for part in other.value[:1] if part is not ...}
    numbers = sorted({*range(40), *named})
    free = purpose.value.count(...)
    found = set()
    for given in product(numbers, repeat=free):
        turn = iter(given)
        found.add(tuple(next(turn) if part is ... else part for part in purpose.value))
    if purpose is Purpose.ITEMS:
        root, finer = ([key for key in found if key[1] % 2 == odd] for odd in (0, 1))
        ends = [(), (0,), *((2, way) for way in range(4))]
        found = {(*key, *end) for key in root for end in ends}
        found |= {(*key, way) for key in finer for way in range(4)}
    return found


def test_no_two_purposes_share_a_stream() -> None:
    """Nor does the number of a block ever make one of the other's: keys are all different."""
    owner: dict[tuple[int, ...], Purpose] = {}
    for purpose in Purpose:
        for key in keys_of(purpose):
            assert owner.setdefault(key, purpose) is purpose, key
    assert len(Purpose) == len(Purpose.__members__) < len(owner)
    made = re.compile(r"^[^>\n]*\b(Philox|SeedSequence|default_rng)\(", re.MULTILINE)
    others = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if made.search(path.read_text(encoding="utf-8"))
    }
    # devices draw by JAX; numbers of texts, laws, simulated items and orders of a column that may
    # be an annotator's come from other generators
    assert others == {
        "data/marked/disorder/chance.py",
        "analyses/plan/model.py",
        "engine/drawing/streams.py",
        "engine/on_device/draws.py",
        "io/layout/apart.py",
        "kernels/law.py",
        "measure/requests/prior.py",
    }
    of_one = streams_of(1, Purpose.ITEMS, 2, 3)
    assert of_one(0) is of_one(0)
    assert of_one(0).random() == stream(1, Purpose.ITEMS, 2, 3, 0).random()


def test_crowds_take_little_memory() -> None:
    """A large group of patterns with an item each: pieces of rows, never replicates by items."""
    patterns = 150_000
    coarse = PatternTable(np.array([float(patterns)]))
    fine = PatternTable(np.ones(patterns), coarse, np.zeros(patterns, dtype=int))
    rows = bootstrap_rows((coarse, fine), 64, 0)
    tracemalloc.start()
    piece = next(rows)[1]
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert np.all(piece.sum(axis=1) == patterns)
    assert piece.nbytes <= 8 << 22
    assert peak < piece.nbytes + 200 * patterns


@pytest.mark.parametrize("patterns", [1, 100, 100_000, 5_000_000])
def test_rows_in_memory_are_bounded(patterns: int) -> None:
    rows = rows_at_once(patterns)
    assert BLOCK % rows == 0
    assert rows == 1 or rows * patterns <= 1 << 22
