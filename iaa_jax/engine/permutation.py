"""Shuffle ratings among items, so that only chance makes them agree.

A problem is one coefficient on one table of patterns (sets of items with the same ratings). It
identifies annotators if the coefficient depends on who gave which rating.

Edgington, E. S. and Onghena, P. (2007). Randomization tests, 4th edition. Chapman and Hall.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from iaa_jax.engine.batch_sizes import batch_size_of
from iaa_jax.engine.drawing.permutations import shuffled_in_blocks
from iaa_jax.engine.inputs import inputs_of_ratings
from iaa_jax.engine.padding import bucket, pad_items
from iaa_jax.engine.prepared import Prepared
from iaa_jax.engine.problem import Floats, Integers, Key, Problem
from iaa_jax.engine.route import over_rows
from iaa_jax.engine.rows import Progress
from iaa_jax.engine.shuffled_patterns import ShuffledPatterns


def permute(
    prepared: Prepared,
    codes: Sequence[Integers],
    *,
    permutations: int,
    seed: int,
    progress: Progress | None = None,
) -> list[Floats]:
    """Return estimates (permutation, ...) with each annotator's ratings shuffled among their items.

    If a problem does not identify annotators, all ratings are shuffled among all items. Missing
    ratings stay missing. Counts must be whole numbers. Problems on one table share their
    permutations. The ``codes`` (pattern, column) identify the ratings of each problem, -1 for a
    missing rating. The results do not depend on the order of the data.
    """
    indices_by_table: dict[Key, list[int]] = {}
    for index, problem in enumerate(prepared.problems):
        key = (id(problem.table), problem.measure.identified, problem.annotator_of is None)
        indices_by_table.setdefault(key, []).append(index)
    estimates: dict[int, Floats] = {}
    number = len(prepared.problems)
    for indices in indices_by_table.values():
        problems = [prepared.problems[index] for index in indices]
        parts = None
        if progress is not None:
            parts = partial(_as_part, progress, len(estimates), len(indices), number)
        by_patterns = _by_patterns(problems, codes[indices[0]], permutations, seed, parts)
        estimates.update(zip(indices, by_patterns, strict=False))
        for index in indices[len(by_patterns) :]:
            part = None
            if progress is not None:
                part = partial(_as_part, progress, len(estimates), 1, number)
            estimates[index] = _permute_problem(
                prepared.problems[index], codes[index], permutations, seed, part
            )
    return [estimates[index] for index in range(number)]


def _as_part(
    progress: Progress, before: int, part: int, several: int, done: int, total: int
) -> None:
    progress((before * total + part * done) // several, total)


def _by_patterns(
    problems: Sequence[Problem],
    codes: Integers,
    permutations: int,
    seed: int,
    progress: Progress | None,
) -> list[Floats]:
    """Return estimates of problems on one table, from counts of patterns.

    Return [] if there are too many possible patterns, or if columns are not annotators.
    """
    patterns = shuffled_patterns(problems[0], codes)
    if not patterns.few:
        return []
    rows = patterns.rows(permutations, seed)
    used = np.flatnonzero(rows.any(axis=0))
    others = Prepared(patterns.on(problems, used))
    blocks = iter([(rows[:, used],)])
    tables = [others.problems[0].table]
    return over_rows(others, tables, blocks, permutations, progress=progress)


def shuffled_patterns(problem: Problem, codes: Integers) -> ShuffledPatterns:
    """Return the patterns that may result from shuffling ratings, given their ``codes``."""
    by_annotator = problem.measure.identified and problem.annotator_of is None
    return ShuffledPatterns(
        codes,
        _whole(problem.table.count),
        by_annotator=by_annotator,
        in_turn=problem.annotators_in_turn if by_annotator else None,
    )


def _whole(count: Floats) -> Floats:
    if np.any(count != np.rint(count)):
        raise ValueError(
            "items with weights that are not whole numbers cannot be shuffled one by one"
        )
    return count


def _permute_problem(
    problem: Problem,
    codes: Integers,
    permutations: int,
    seed: int,
    progress: Progress | None,
) -> Floats:
    import jax

    from iaa_jax.engine import compiled

    layout = _Layout(problem, codes)
    items, columns = layout.shape
    size = bucket(items)
    with problem.computing.scope("float64"):
        batch_size = batch_size_of(problem, "float64", items)
        # sources are indices of cells of the padded data, row by row; the last cell has no rating
        data = pad_items(problem.data).astype(np.float64)
        cells = data.reshape(-1, *data.shape[2:])
        cells = jax.device_put(np.concatenate([cells, np.full_like(cells[:1], np.nan)]))
        weight = np.zeros(size)
        weight[:items] = 1.0
        setting = inputs_of_ratings(problem, "float64")
        if problem.annotator_of is not None:
            of_items = pad_items(problem.annotator_of[layout.pattern])
            setting = setting._replace(annotator_of=of_items)
        estimates: list[Floats] = []
        done = 0
        for sources in layout.shuffled(permutations, seed, batch_size):
            filled = np.full((batch_size, size, columns), len(cells) - 1, dtype=np.int32)
            filled[: len(sources), :items] = sources
            # padding items have weight 0; being copies, they are valid for any coefficient
            filled[:, items:] = filled[:, :1]
            rows = compiled.permuted_rows(
                cells, filled, weight, setting, problem.measure.kernel, batch_size
            )
            estimates.append(np.asarray(rows)[: len(sources)])
            done += len(sources)
            if progress is not None:
                progress(done, permutations)
    return np.concatenate(estimates)


class _Layout:
    def __init__(self, problem: Problem, codes: Integers) -> None:
        count = _whole(problem.table.count).astype(np.intp)
        self.pattern = np.repeat(np.arange(len(count)), count)
        data = problem.data
        missing = np.isnan(data.reshape(*data.shape[:2], -1))
        rated = ~np.asarray(missing.any(axis=-1))
        self.shape = (len(self.pattern), data.shape[1])
        self.nowhere = bucket(len(data)) * data.shape[1]
        item, column = np.nonzero(rated[self.pattern])
        annotator: Integers = np.zeros(len(item), dtype=np.intp)
        if problem.measure.identified:
            annotator = column
            if problem.annotator_of is not None:
                annotator = problem.annotator_of[self.pattern[item], column]
            annotator = np.argsort(problem.annotators_in_turn)[annotator]
        order = np.lexsort((codes[self.pattern[item], column], item, annotator))
        item, column = item[order], column[order]
        self.cell = item * data.shape[1] + column
        self.source = (self.pattern[item] * data.shape[1] + column).astype(np.int32)
        self.ends = np.flatnonzero(np.diff(annotator[order])) + 1

    def shuffled(self, permutations: int, seed: int, batch_size: int) -> Iterator[Integers]:
        """Yield the index of the rating that each position gets (row, item, column), in batches."""
        groups = np.split(self.source, self.ends)
        sources = np.full((batch_size, *self.shape), self.nowhere, dtype=np.int32)
        rows = sources.reshape(batch_size, -1)
        filled = 0
        for drawn in shuffled_in_blocks(groups, permutations, seed):
            for row in np.concatenate(drawn, axis=1):
                rows[filled, self.cell] = row
                filled += 1
                if filled == batch_size:
                    yield sources
                    filled = 0
        if filled:
            yield sources[:filled]
