"""Reader of tables with one row for each rating."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import xarray as xr

from iaa_jax._errors import IaaError
from iaa_jax.data.build import long_ratings, refuse_nameless
from iaa_jax.data.build_sets import set_ratings
from iaa_jax.data.labels import Column
from iaa_jax.io.base import Options
from iaa_jax.io.table.cells import missing_labels, pointed, used
from iaa_jax.io.table.columns import (
    ANNOTATOR,
    LABEL,
    check_apart,
    check_columns,
    refuse_options,
    refuse_question,
    split,
    usual,
)
from iaa_jax.io.table.lists import Lists, lists_in, spread
from iaa_jax.io.table.opening import head
from iaa_jax.io.table.rows import Rows, left_out, roles, rows_of, slots, unnamed
from iaa_jax.io.table.source import Source
from iaa_jax.io.table.tables import tables

OPTIONS = ("item", "annotator", "label", "secondary", "anonymous", "separator")


class LongTable:
    """A table with one row for each rating."""

    name = "long"
    summary = "table, one row a rating: item, annotator and label columns"

    def can_open(self, sources: Sequence[Source], options: Options) -> bool:
        """Tell whether columns of a long table are named, or bear usual names."""
        said = options.said()
        if not set(said) <= set(OPTIONS):
            return False
        if any(name in said for name in ("annotator", "label", "secondary", "anonymous")):
            return True
        try:
            found = head(sources[0]).names
        except IaaError:
            return False
        known = sources[0].annotator is not None or usual(found, ANNOTATOR) is not None
        return known and usual(found, LABEL) is not None

    def read(self, sources: Sequence[Source], options: Options) -> xr.Dataset:
        """Read the files as one table."""
        refuse_question(options.question)
        if options.annotators is not None:
            msg = (
                "annotators names the columns of a wide table; the column of a long table that "
                "says who rated is annotator"
            )
            raise IaaError(msg)
        refuse_options(options, "long", OPTIONS)
        label = _label(sources[0], options)
        who = roles(sources[0], options, (label, options.secondary))
        check_apart(
            {
                "item": who.ids,
                "annotator": [who.annotator],
                "label": [label],
                "secondary": [options.secondary],
            }
        )
        wanted = [label]
        read_as = f"long table, {who.told()}, labels from {label!r}"
        if options.secondary is not None:
            check_columns(sources[0], head(sources[0]).names, [options.secondary], "secondary")
            wanted.append(options.secondary)
            read_as += f", secondary labels from {options.secondary!r}"
        option = "item, annotator, label or secondary"
        found = tables(sources, [*who.columns, *wanted], option, options.progress)
        missing = missing_labels(options.labels, options.missing)
        answers = [found.column(name, missing) for name in wanted]
        rows = rows_of(found, who, missing)
        lists = lists_in(answers[0][1], options.separator)
        if lists is None:
            plain = None if options.labels is not None else pointed(answers)
            read_as += "" if plain is None else ", decimal commas"
            ratings, skipped = _single(rows, plain or answers, options)
        else:
            if options.secondary is not None:
                msg = f"{label!r} holds lists of labels, which have no secondary labels"
                raise IaaError(msg)
            if options.anonymous:
                read_as += ", each a list of ratings"
                ratings, skipped = _listed(rows, answers[0], lists, options)
            else:
                read_as += ", each a set of labels"
                ratings, skipped = _sets(rows, answers[0], lists, options)
        return ratings.assign_attrs(read_as=read_as, skipped=skipped)


READER = LongTable()


def _label(source: Source, options: Options) -> str:
    """Tell the label column."""
    found = head(source).names
    items = () if options.item is None else split(options.item, found)
    taken = {*items, options.annotator, options.secondary}
    label = options.label or usual([name for name in found if name not in taken], LABEL)
    if label is None:
        # the annotator column is looked for first, and named first where both are lacking
        roles(source, options, (options.secondary,))
        raise IaaError(unnamed(source, "label"))
    check_columns(source, found, [label], "label")
    return label


def _single(rows: Rows, answers: list[Column], options: Options) -> tuple[xr.Dataset, str]:
    """Build ratings with one label each, and say what was left out."""
    told = answers[0][0] >= 0
    nobodies = rows.nobodies(np.any([codes >= 0 for codes, _ in answers], axis=0))
    again = rows.repeated(told, options.duplicates)
    if again.size:
        keep = np.ones(len(told), dtype=bool)
        keep[again] = False
        answers = [used(column, keep) for column in answers]
    ratings = long_ratings(
        rows.items,
        rows.raters(answers[0][0] >= 0),
        answers,
        options.labels,
        rows.where,
        parse=True,
        anonymous=options.anonymous,
    )
    return ratings, left_out(again.size, nobodies, options.duplicates)


def _sets(rows: Rows, answers: Column, lists: Lists, options: Options) -> tuple[xr.Dataset, str]:
    """Build ratings with a set of labels each, and say what was left out."""
    codes = answers[0].copy()
    told = codes >= 0
    nobodies = rows.nobodies(told)
    again = rows.repeated(told, options.duplicates)
    codes[again] = -1
    raters = rows.raters(told)
    refuse_nameless(codes >= 0, rows.items[0], raters[0], rows.where)
    ratings = set_ratings(rows.items, raters, (codes, list(lists)), options.labels, rows.where)
    return ratings, left_out(again.size, nobodies, options.duplicates)


def _listed(rows: Rows, answers: Column, lists: Lists, options: Options) -> tuple[xr.Dataset, str]:
    """Build ratings of which a cell lists several, nobody knows whose."""
    missing = missing_labels(options.labels, options.missing)
    origin, members = spread(answers, lists, missing)
    codes, known = rows.items
    items = (codes[origin], known)
    ratings = long_ratings(
        items,
        slots(items[0], members[0] >= 0),
        [members],
        options.labels,
        lambda row: rows.where(int(origin[row])),
        parse=True,
        anonymous=True,
    )
    return ratings, left_out(0, rows.nobodies(answers[0] >= 0), options.duplicates)
