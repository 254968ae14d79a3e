"""Reader of delimited text with one row for each rating."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import xarray as xr

from iaa_jax._errors import IaaError, shown
from iaa_jax.data.assemble import joined, named
from iaa_jax.data.build import long_ratings
from iaa_jax.data.labels import plural
from iaa_jax.io.base import Options
from iaa_jax.io.table.cells import BLANK, MISSING, missing_labels, names, used
from iaa_jax.io.table.columns import (
    ANNOTATOR,
    ITEM,
    LABEL,
    check_columns,
    refuse_question,
    split,
    usual,
)
from iaa_jax.io.table.delimited import head
from iaa_jax.io.table.tables import Tables, repeats, tables


class LongTable:
    """Delimited text with one row for each rating."""

    name = "long"
    summary = "delimited text (CSV, TSV), one row a rating: item, annotator and label columns"

    def can_open(self, paths: Sequence[Path], options: Options) -> bool:
        """Tell whether columns of a long table are named, or bear usual names."""
        if options.annotators is not None:
            return False
        if any(name is not None for name in (options.annotator, options.label, options.secondary)):
            return True
        try:
            found = head(paths[0]).names
        except IaaError:
            return False
        return usual(found, ANNOTATOR) is not None and usual(found, LABEL) is not None

    def read(self, paths: Sequence[Path], options: Options) -> xr.Dataset:
        """Read the files as one table."""
        refuse_question(options.question)
        if options.annotators is not None:
            msg = (
                "annotators names the columns of a wide table; the column of a long table that "
                "says who rated is annotator"
            )
            raise IaaError(msg)
        ids, annotator, label = _columns(paths[0], options)
        wanted = [*ids, annotator, label]
        read_as = (
            f"long table, items from {shown(ids)}, annotators from {annotator!r}, "
            f"labels from {label!r}"
        )
        if options.secondary is not None:
            wanted.append(options.secondary)
            read_as += f", secondary labels from {options.secondary!r}"
        found = tables(paths, wanted, "item, annotator, label or secondary")
        ratings, skipped = _ratings(found, ids, wanted[len(ids) :], options)
        if len(paths) > 1:
            read_as += f", {len(paths)} files"
        return ratings.assign_attrs(read_as=read_as, skipped=skipped)


READER = LongTable()


def _columns(path: Path, options: Options) -> tuple[tuple[str, ...], str, str]:
    """Tell the columns of item, annotator and label from what was said and usual names."""
    found = head(path).names
    given = (options.annotator, options.label, options.secondary)
    taken = {*given, *(() if options.item is None else split(options.item, found))}
    free = [name for name in found if name not in taken]
    chosen = []
    for option, name, known in (
        ("annotator", options.annotator, ANNOTATOR),
        ("label", options.label, LABEL),
        ("item", None if options.item is None else "", ITEM),
    ):
        best = usual(free, known) if name is None else name
        if best is None:
            msg = (
                f"{path}: no column is named like the {option} column of a long table, name it "
                f"with {option}=; the columns are {shown(found, 12)}"
            )
            raise IaaError(msg)
        chosen.append(best)
    annotator, label, item = chosen
    ids = (item,) if options.item is None else split(options.item, found)
    check_columns(path, found, ids, "item")
    check_columns(path, found, [annotator], "annotator")
    check_columns(path, found, [label], "label")
    if options.secondary is not None:
        check_columns(path, found, [options.secondary], "secondary")
    return ids, annotator, label


def _ratings(
    found: Tables, ids: Sequence[str], others: Sequence[str], options: Options
) -> tuple[xr.Dataset, str]:
    """Build the ratings, and say what was left out."""
    items = joined([names(found.column(name, BLANK)) for name in ids])
    annotators = names(found.column(others[0], MISSING))
    missing = missing_labels(options.labels)
    answers = [found.column(name, missing) for name in others[1:]]

    def where(row: int) -> str:
        return f"{found.place(row)} ({named(items, annotators, row)})"

    told = answers[0][0] >= 0
    rated = np.flatnonzero(told & (items[0] >= 0) & (annotators[0] >= 0))
    key = items[0][rated].astype(np.int64) * len(annotators[1]) + annotators[0][rated]
    describe = ("rating", "of the same item by the same annotator", where, found.place)
    again = repeats(rated, key, options.duplicates, describe)
    skipped = []
    if again.size:
        keep = np.ones(len(told), dtype=bool)
        keep[again] = False
        answers = [used(column, keep) for column in answers]
        skipped.append(f"{plural(again.size, 'repeated rating')} (kept the {options.duplicates})")
    nobody = ~told & ((items[0] < 0) | (annotators[0] < 0))
    for column, _ in answers[1:]:
        nobody &= column < 0
    if nobody.any():
        count = int(np.count_nonzero(nobody))
        skipped.append(f"{plural(count, 'row')} without label and without item or annotator")
    ratings = long_ratings(items, annotators, answers, options.labels, where, parse=True)
    return ratings, ", ".join(skipped)
