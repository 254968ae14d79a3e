"""Finds columns of a table that may be annotators, though they were not read as annotators.

The table has a row per item. Such columns are empty, or share no label with the annotators.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from iaa_jax._types import Integers
from iaa_jax.io.base import Options
from iaa_jax.io.layout.evidence import MOST_LABELS, SURE, agreement_beside, agreement_of
from iaa_jax.io.layout.item_rows import MOST_COUNTS
from iaa_jax.io.layout.names import (
    LIKELY,
    NUMBER,
    OF_PEOPLE,
    OF_TIME,
    as_item,
    as_label,
    is_no_annotator,
    is_record,
    is_round,
)
from iaa_jax.io.layout.rating_rows import taken_columns, together
from iaa_jax.io.layout.sample import FEWEST, SEEN, Sample, SampledColumn, sample, side_by_side
from iaa_jax.io.table.columns import split_names
from iaa_jax.io.table.excluding import rules_of
from iaa_jax.io.table.named_columns import item_columns
from iaa_jax.io.table.source import Source
from iaa_jax.wording import Note

ORDERS = 40  # number of random permutations of a column
# minimum alpha, relative to alpha among the annotators, of a column whose values were translated
HALF = 0.5


def doubts_on_columns(
    files: Sequence[Source],
    options: Options,
    told: Mapping[str, object],
    kept: str | Sequence[str] = (),
) -> list[Note]:
    """Return notes on columns that were not read as annotators, though they may be.

    Such columns have other labels than the annotators, or are empty and numbered like the columns
    of annotators. ``told`` are the inferred options.
    """
    if "annotators" not in told or options.annotators is not None:
        return []
    table = sample(files)
    names = table.start.names
    annotators = split_names(str(told["annotators"]), names)
    items = split_names(str(told.get("item", "")), names) if told.get("item") else ()
    known = {*annotators, *items, *taken_columns(options, table)}
    known |= {rule.column for rule in rules_of(files[0], names)}
    known |= {*(split_names(kept, names) if kept else ())}
    others = [each for each in names if each not in known]
    stems = {NUMBER.sub("#", name) for name in annotators if NUMBER.search(name)}
    empty = [name for name in others if name not in table.filled and NUMBER.sub("#", name) in stems]
    notes = [Note("columns_empty", {"columns": empty, "count": len(empty)})] if empty else []
    left = _in_other_words(table, annotators, others)
    if not left:
        return notes
    every = [each for each in names if each in {*annotators, *left}]
    way = Note("annotators_given", {"annotators": together(every, names)})
    if items and options.item is None and items != item_columns(names, options, every):
        way = Note("items_and_annotators_given", {"item": ",".join(items), **way.values})
    return [
        *notes,
        Note("columns_left", {"columns": left, "count": len(left), "way": way}, "caution"),
    ]


def _in_other_words(table: Sample, annotators: Sequence[str], others: Iterable[str]) -> list[str]:
    """Return the columns of ``others`` that share no label with the annotators, yet may be some.

    Such a column may answer in another language. Once its values are translated to labels, it must
    agree with the annotators far beyond chance, and more than half as well as they agree with each
    other.
    """
    columns = [table.columns[name] for name in annotators if name in table.columns]
    labels = frozenset[object]().union(*(cells.labels for cells in columns))
    if not columns or len(columns) > MOST_COUNTS or len(labels) > MOST_LABELS:
        return []
    fit = [
        table.columns[name]
        for name in others
        if name in table.columns and _may_answer(table, table.columns[name], labels)
    ]
    if not fit:
        return []
    grid = side_by_side(columns)
    times = np.array([(grid == label).sum(axis=0) for label in range(int(grid.max()) + 1)])
    among = agreement_beside(columns)[0]
    found = []
    for cells in fit:
        alpha, strength = _translated(cells, times)
        if strength > SURE and alpha > HALF * among:
            found.append(cells.name)
    return found


def _may_answer(table: Sample, cells: SampledColumn, labels: frozenset[object]) -> bool:
    name = cells.name
    named = (
        is_no_annotator(name)
        or is_record(name)
        or is_round(name)
        or OF_PEOPLE.search(name)
        or OF_TIME.search(name)
        or as_item(name) >= LIKELY
        or as_label(name) > 0
    )
    return bool(
        not named
        and cells.recurs
        and cells.count >= FEWEST
        and len(labels) / 2 <= cells.distinct <= 2 * len(labels)
        and labels.isdisjoint(cells.labels)
        and not (cells.are_texts or cells.are_lists or cells.are_times or cells.is_fraction)
        and not table.counts_rows(name)
    )


def _translated(cells: SampledColumn, times: Integers) -> tuple[float, float]:
    """Return alpha between a translated column and each row's commonest label, and its strength.

    ``times``, of shape (label, row), is the number of annotators with this label. The strength is
    the distance of alpha from its mean over random permutations of the column, in standard
    deviations.
    """
    mode = np.where(times.any(axis=0), times.argmax(axis=0), -1)[:SEEN]
    own = cells.codes[:SEEN]
    both = (own >= 0) & (mode >= 0)
    if both.sum() < FEWEST:
        return 0.0, 0.0
    own, mode, size = own[both], mode[both], (cells.distinct, len(times))
    alpha = _alpha_of(own, mode, size)
    draw = np.random.default_rng(0)
    by_chance = [_alpha_of(draw.permutation(own), mode, size) for _ in range(ORDERS)]
    spread = float(np.std(by_chance))
    return alpha, (alpha - float(np.mean(by_chance))) / spread if spread > 0 else 0.0


def _alpha_of(own: Integers, mode: Integers, size: tuple[int, int]) -> float:
    """Return alpha of two columns after the one-to-one translation with the most agreement."""
    often = np.zeros(size)
    np.add.at(often, (own, mode), 1)
    from scipy.optimize import linear_sum_assignment

    words, labels = linear_sum_assignment(often, maximize=True)
    label_of = np.arange(size[0]) + size[1]  # a value that no label is left for gets a new label
    label_of[words] = labels
    values = np.concatenate([label_of[own], mode]).astype(np.float64)
    return agreement_of(np.tile(np.arange(len(own)), 2), values, ranked=False)[0]
