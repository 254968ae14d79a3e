"""Builds ratings from rows with one rating each, and notes which rows are left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax.data.assemble import IndexedNames, with_givers
from iaa_jax.data.build import long_ratings, refuse_nameless
from iaa_jax.data.build_sets import set_ratings
from iaa_jax.data.factorize import Column
from iaa_jax.data.kept_columns import Belonging
from iaa_jax.data.votes import notes_on_votes
from iaa_jax.io.base import Options
from iaa_jax.io.table.cells import keep_used
from iaa_jax.io.table.lists import Lists
from iaa_jax.io.table.rows import RatingRows, left_out_notes
from iaa_jax.wording import Note


class Read(NamedTuple):
    """Ratings, notes on left-out rows, and notes on the reading; ``rows`` finds a rating's row."""

    ratings: xr.Dataset
    skipped: list[Note]
    rows: Callable[[], Belonging]
    understood: list[Note]


def single(rows: RatingRows, answers: list[Column], options: Options) -> Read:
    """Build ratings with one label each."""

    def build(rows: RatingRows, raters: IndexedNames, keep: NDArray[np.bool_]) -> xr.Dataset:
        kept = answers if keep.all() else [keep_used(column, keep) for column in answers]
        return long_ratings(
            rows.items,
            raters,
            kept,
            options.labels,
            rows.where,
            parse=True,
            anonymous=options.anonymous,
            votes=options.duplicates == "votes",
        )

    # with secondary labels in a second column, rows cannot be combined to label sets
    choices = options.choices if len(answers) == 1 else options.without("combine")
    return _read(rows, answers, replace(options, choices=choices), build)


def sets(rows: RatingRows, answers: Column, lists: Lists, options: Options) -> Read:
    """Build ratings with a label set each."""

    def build(rows: RatingRows, raters: IndexedNames, keep: NDArray[np.bool_]) -> xr.Dataset:
        codes = np.where(keep, answers[0], -1)
        refuse_nameless(codes >= 0, rows.items[0], raters[0], rows.where)
        return set_ratings(
            rows.items,
            raters,
            (codes, list(lists)),
            options.labels,
            rows.where,
            anonymous=options.anonymous,
            votes=options.duplicates == "votes",
        )

    return _read(rows, [answers], options, build)


def _read(
    rows: RatingRows,
    answers: Sequence[Column],
    options: Options,
    build: Callable[[RatingRows, IndexedNames, NDArray[np.bool_]], xr.Dataset],
) -> Read:
    labelled, rated = answers[0][0] >= 0, np.any([codes >= 0 for codes, _ in answers], axis=0)
    before = rows.annotators
    rows, understood = rows.with_new_annotators(labelled, options.duplicates)
    empty_rows = rows.count_empty_rows(rated)
    again = rows.repeated(labelled, options.duplicates, options.choices)
    keep = np.ones(len(labelled), dtype=bool)
    keep[again] = False
    if options.anonymous:  # names were needed only to find repeated rows
        rows, before, understood = replace(rows, annotators=None), None, []
    rows.refuse_nameless(rated & keep)
    raters = rows.raters(labelled & keep)
    ratings = build(rows, raters, keep)
    if before is not None:
        ratings = with_givers(ratings, before, raters)
    understood += notes_on_votes(ratings)
    skipped = left_out_notes(again.size, empty_rows, options.duplicates)
    return Read(ratings, skipped, lambda: rows.belonging(raters, labelled, again), understood)
