"""Reader of tables with a row for each item, and an annotator column for each label column.

Panels that change from item to item are stored like this: ``judge1, vote1, judge2, vote2``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import xarray as xr

from iaa_jax._errors import IaaError, shown
from iaa_jax.data.factorize import Column
from iaa_jax.data.notices.similar import merged_columns
from iaa_jax.io.base import Options, add_notes
from iaa_jax.io.table.building import single
from iaa_jax.io.table.cells import Missing, missing_labels, names, with_plain_numbers
from iaa_jax.io.table.columns import expand_stars, other_columns, split_names
from iaa_jax.io.table.kept import add_columns
from iaa_jax.io.table.named_columns import item_columns, read_named
from iaa_jax.io.table.opening import head
from iaa_jax.io.table.repeated import MemberRows
from iaa_jax.io.table.rows import RatingRows, describe_unnamed
from iaa_jax.io.table.source import Source
from iaa_jax.io.table.tables import Tables
from iaa_jax.wording import Note, keyword
from iaa_jax.wording.formats import counted


class PairedTable:
    """A table with one row for each item, and an annotator column for each label column."""

    name = "paired"
    takes = ("item", "annotator", "label", "unordered")
    summary = "table, one row per item: columns of annotators' names, each with a column of labels"
    known_by = "several columns that `--annotator` names, and as many that `--label` does"
    example = "agree panels.csv --item case --annotator 'judge*' --label 'vote*'"

    def can_open(self, sources: Sequence[Source], options: Options) -> bool:
        """Tell whether several columns of annotators, and several of labels, are named.

        Without a star, several annotator columns next to a single label column together name one
        annotator.
        """
        if options.annotator is None or options.label is None:
            return False
        try:
            names = head(sources[0]).names
            annotators = expand_stars(options.annotator, names)
            labels = split_names(options.label, names)
        except IaaError:
            return False
        starred = any(name != star for name, star in annotators)
        return len(annotators) > 1 and (len(labels) > 1 or starred)

    def read(self, sources: Sequence[Source], options: Options) -> xr.Dataset:
        """Read the files as one table."""
        columns = head(sources[0]).names
        annotators, labels = _pairs(columns, options)
        free = other_columns(columns, [*annotators, *labels])
        ids = item_columns(columns, options, [*annotators, *labels]) or tuple(free)
        if len(ids) != 1 and options.item is None:
            raise IaaError(describe_unnamed(sources[0], "item"))
        table, kept = read_named(
            sources,
            options,
            {"item": ids},
            {"annotator": annotators, "label": labels},
            "holds annotators, or their labels",
        )
        missing = missing_labels(options.labels, options.missing)
        stacked = MemberRows(table, np.tile(np.arange(table.rows), len(labels)))
        people = merged_columns([_below(table, annotators, missing)], options.merge_ids)
        codes, items = table.items(ids)
        rows = RatingRows(stacked, (np.tile(codes, len(labels)), items), names(*people))
        answers = merged_columns(
            [_below(table, labels, missing)], options.merge_labels, options.labels
        )
        answers, understood = with_plain_numbers(answers, options.labels)
        read = single(rows, answers, options)
        ratings = add_columns(read.ratings, stacked, kept, read.rows, table.states)
        read_as = [
            Note("read_paired"),
            Note("read_items_from", {"columns": list(ids)}),
            Note("read_annotators_from_several", {"columns": list(annotators)}),
            Note("read_labels_from_several", {"columns": list(labels)}),
            *table.trimmed(labels, missing),
            *understood,
        ]
        return add_notes(ratings, [*read_as, *read.understood], [*table.notes, *read.skipped])


def _below(table: Tables, columns: Sequence[str], missing: Missing) -> Column:
    """Return the cells of columns, stacked into one column."""
    grid, distinct = table.grid(columns, missing)
    return grid.T.ravel().astype(np.int64), distinct


def _pairs(columns: Sequence[str], options: Options) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the annotator columns, and the label column of each.

    Columns whose stars match the same text belong together, such as judge_1 and vote_1. Other
    columns are paired in order.
    """
    annotators = expand_stars(options.annotator or "", columns)
    labels = expand_stars(options.label or "", columns)
    if len(annotators) != len(labels):
        raise IaaError(
            f"{keyword('annotator', options.annotator)} names "
            f"{counted(len(annotators), 'column')}, {keyword('label', options.label)} "
            f"{counted(len(labels), 'column')}: each annotator needs a label"
        )
    of_star = {star: name for name, star in labels if star != name}
    stars = [star for name, star in annotators if star != name]
    if len(of_star) == len({*stars}) == len(labels) and not of_star.keys().isdisjoint(stars):
        if lone := [name for name, star in annotators if star not in of_star]:
            raise IaaError(
                f"{shown(lone)} of {keyword('annotator', options.annotator)} have no label with "
                "the same text for the star: name the columns one by one, those of labels in the "
                "order of the annotators"
            )
        labels = [(of_star[star], star) for star in stars]
    return tuple(name for name, _ in annotators), tuple(name for name, _ in labels)
