"""Converts the judgements of an export to ratings: labels or label sets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import cast

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._errors import IaaError, shown
from iaa_jax._types import Integers
from iaa_jax.data.kept_columns import Belonging
from iaa_jax.data.notices.similar import merged_columns, merged_lists
from iaa_jax.io.base import Options, add_notes
from iaa_jax.io.export.answers import Status
from iaa_jax.io.export.choice import DOCUMENTS, choose
from iaa_jax.io.export.counting import (
    Judgements,
    judgements_that_count,
    notes_on,
    notes_on_copies,
    refuse_nobody,
)
from iaa_jax.io.export.judgements import RECORD, Export
from iaa_jax.io.table.building import sets, single
from iaa_jax.io.table.cells import Missing, missing_labels
from iaa_jax.io.table.kept import add_columns
from iaa_jax.wording import Note, keyword
from iaa_jax.wording.formats import counted

SKIPPED = "(skipped)"
"""The label of skipped items, if they count as a category."""


def ratings_of(export: Export) -> xr.Dataset:
    """Return the ratings on the chosen question, or on the only question."""
    options = export.options
    question = choose(export, DOCUMENTS)
    judgements, skipped = judgements_that_count(export, question)
    rows = judgements.as_rows()
    if options.anonymous:
        rows = replace(rows, annotators=None)
    refuse_nobody(judgements)
    status, codes = judgements.codes("status"), judgements.codes("values")
    answers = [tuple(map(str, answer)) for answer in question.answers]
    read_as = notes_on(export, question)
    is_empty = status == Status.EMPTY
    if not question.takes_sets and is_empty.any():
        skipped.append(Note("skipped_empty", {"answers": int(is_empty.sum())}))
        codes[is_empty] = -1
    codes[status == Status.SKIPPED] = -1
    answers, no_labels = without_missing(answers, options)
    codes[np.append(no_labels, False)[codes]] = -1
    if options.skipped == "category" and (status == Status.SKIPPED).any():
        codes[status == Status.SKIPPED] = len(answers)
        answers.append((SKIPPED,))
        read_as.append(Note("read_skipped_as_label", {"label": SKIPPED}))
    used, codes = np.unique(np.append(-1, codes), return_inverse=True)
    codes, answers = codes[1:] - 1, [answers[code] for code in used.tolist() if code >= 0]
    if question.takes_sets or options.duplicates == "combine":
        lists = merged_lists(list(answers), options.merge_labels, options.labels)
        read_as.append(Note("read_set_of_labels"))
        read = sets(rows, (codes, []), lists, options)
    else:
        _refuse_several(judgements, answers, codes)
        labels = [answer[0] for answer in answers]
        columns = merged_columns([(codes, labels)], options.merge_labels, options.labels)
        read = single(rows, columns, options)
    ratings = _with_records(read.ratings, judgements, read.rows)
    kept = [name for name in question.kept if name not in ratings.coords]
    ratings = add_columns(ratings, judgements, kept, read.rows)
    notices = [*export.remarks.otherwise]
    if options.anonymous:
        read_as.append(Note("read_anonymous"))
    else:
        notices += notes_on_copies(judgements)
    read_as += read.understood
    return add_notes(ratings, read_as, [*skipped, *read.skipped], notices)


def without_missing(
    answers: Sequence[tuple[str, ...]], options: Options
) -> tuple[list[tuple[str, ...]], NDArray[np.bool_]]:
    """Remove from answers the labels that the option ``missing`` names.

    Return the answers, and a mask of the answers that had only such labels.
    """
    given = {str(code).strip() for code in options.missing or ()}
    known = missing_labels(options.labels, options.missing)
    missing = Missing(known.texts & given, known.numbers)
    left = [tuple(label for label in answer if label not in missing) for answer in answers]
    none = [bool(answer) and not labels for answer, labels in zip(answers, left, strict=True)]
    return left, np.array(none, dtype=bool)


def _refuse_several(
    judgements: Judgements, answers: Sequence[tuple[str, ...]], codes: Integers
) -> None:
    has_several = np.array([*(len(answer) > 1 for answer in answers), False])[codes]
    if has_several.any():
        row = int(np.argmax(has_several))
        question = judgements.question
        raise IaaError(
            f"{judgements.where(row)}: {counted(len(answers[codes[row]]), 'answer')} at once to "
            f"the question {question.name!r}, which takes one ({shown(answers[codes[row]])}); to "
            f"read its answers as sets, give {keyword('duplicates', 'combine')}"
        )


def _with_records(
    ratings: xr.Dataset, judgements: Judgements, rows: Callable[[], Belonging]
) -> xr.Dataset:
    """Return the ratings, with the record of each item as a coordinate if records are known."""
    records = judgements.codes("records")
    if (records < 0).all():
        return ratings
    items = cast("Integers", rows().items)
    known = np.append(np.array(list(judgements.export.records), dtype=object), "")
    of_item = np.full(ratings.sizes["item"], -1)
    placed = items >= 0
    of_item[items[placed]] = records[placed]
    ratings = ratings.assign_coords({RECORD: ("item", known[of_item])})
    return ratings.assign_attrs(shown_together=RECORD)
