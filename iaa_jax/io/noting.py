"""Adds to ratings the notes that say how their files were understood."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import xarray as xr

from iaa_jax._errors import IaaError
from iaa_jax.data.as_ratings import is_spans
from iaa_jax.data.notices.ambiguous import is_answer, may_be_answer
from iaa_jax.data.notices.finished import rating_notices
from iaa_jax.data.notices.similar import notes_on
from iaa_jax.data.provenance import parts_of
from iaa_jax.data.recoding import measured_as_numbers
from iaa_jax.data.storage import rated
from iaa_jax.io.base import Options, add_notes
from iaa_jax.io.choosing import TableFiles, ToolFiles, heads_of
from iaa_jax.io.layout.item_rows import MOST_COUNTS, consensus
from iaa_jax.io.layout.names import CONCLUSION
from iaa_jax.io.layout.sample import SEEN, SampledColumn
from iaa_jax.io.table.source import Source
from iaa_jax.io.table_reader import ratings_by
from iaa_jax.io.words import in_words
from iaa_jax.wording import Note, as_list, load_notes

_PAIR = 2


def with_notes(ratings: xr.Dataset, chosen: ToolFiles | TableFiles, options: Options) -> xr.Dataset:
    """Return ratings with all notes and the sentences that word them.

    Labels that look like measurements become numbers, unless the caller declared labels.
    """
    understood = notes_on_files(chosen.files)
    if "slot" in ratings.dims:
        understood.append(Note("read_by_slot", {"slots": ratings.sizes["slot"]}))
    if options.unordered:
        understood.append(Note("read_unordered"))
    for code, merged in (
        ("read_labels_merged", options.merge_labels),
        ("read_ids_merged", options.merge_ids),
    ):
        if merged:
            understood.append(Note(code, {"differences": notes_on(merged)}))
    cautions = [
        *chosen.cautions,
        *(note for start in heads_of(chosen.files) for note in start.cautions),
    ]
    if is_spans(ratings):
        return worded(ratings, understood, chosen.left_out(), cautions)
    # labels of an export are in fields, to which the options for long tables apply
    layout = "long" if isinstance(chosen, ToolFiles) else chosen.name
    declared = options.labels
    if declared is None and (numbers := measured_as_numbers(ratings)) is not ratings:
        ratings, declared = numbers, []
        understood.append(Note("read_measured"))
    otherwise = [
        *cautions,
        *rating_notices(ratings, declared, layout, options.separator),
        *_truths(chosen.files, options),
        *_answers_as_gaps(ratings, chosen, options),
        *([] if options.duplicates == "apart" else _concluding(ratings, chosen)),
    ]
    return worded(ratings, understood, chosen.left_out(), otherwise)


def worded(
    read: xr.Dataset,
    understood: Sequence[Note],
    skipped: Sequence[Note],
    otherwise: Sequence[Note] = (),
) -> xr.Dataset:
    """Return ratings or spans with further notes, and all notes in words."""
    if "reading" not in read.attrs:
        read = _from_other_package(read)
    known = load_notes(read.attrs["reading"])
    read = add_notes(
        read,
        [*parts_of(read, "read_as"), *understood],
        [*parts_of(read, "skipped"), *skipped],
        [*(note for note in known if note.code not in ("read_as", "skipped")), *otherwise],
    )
    reading = str(read.attrs.pop("reading"))
    sentences = in_words(reading)
    notices = "\n".join(sentences["notices"])
    return read.assign_attrs(
        read_as=sentences["read_as"],
        skipped=sentences["skipped"],
        **({"notices": notices} if notices else {}),
        reading=reading,
    )


def notes_on_files(files: Sequence[Source]) -> list[Note]:
    """Return notes on the files, but not on the roles of their columns."""
    notes = [*dict.fromkeys(note for start in heads_of(files) if (note := start.note) is not None)]
    gaps = [*dict.fromkeys(word for file in files for word in file.gaps)]
    if gaps:
        notes.append(Note("read_gaps", {"words": gaps}))
    declared = _declared(files)
    if declared:
        notes.append(Note("read_declared_missing", {"columns": declared}))
    if len(files) > 1:
        of_sheets = all(file.is_sheet for file in files)
        notes.append(Note("read_sheets" if of_sheets else "read_files", {"files": len(files)}))
    if links := [file.below for file in files if file.leads_out()]:
        notes.append(Note("read_links", {"names": links, "count": len(links)}))
    return notes


def _declared(files: Sequence[Source]) -> list[Note]:
    notes = []
    for column in dict.fromkeys(name for file in files for name in file.declared()):
        each = [told for file in files if (told := file.declared().get(column)) is not None]
        values = [*dict.fromkeys(value for told in each for value in told.values)]
        cells = sum(told.cells for told in each)
        told_of = {"cells": cells, "column": column, "values": values}
        notes.append(Note("read_declared_of", told_of))
    return notes


def _truths(files: Sequence[Source], options: Options) -> list[Note]:
    columns = [*dict.fromkeys(name for file in files for name in file.truths)]
    if not columns or options.labels is not None:
        return []
    return [Note("truth_among_text", {"columns": columns, "count": len(columns)}, "caution")]


def _answers_as_gaps(
    ratings: xr.Dataset, chosen: ToolFiles | TableFiles, options: Options
) -> list[Note]:
    """Return cautions on words read as "not rated", such as 'None', that may be answers."""
    if not isinstance(chosen, TableFiles) or options.labels is not None:
        return []
    if "label" not in ratings.variables:
        return []
    known = {str(word).strip() for word in options.missing or ()}
    words = dict.fromkeys(word for file in chosen.files for word in file.gaps)
    notes = []
    for word in words:
        if word in known or not may_be_answer(word):
            continue
        labels = [*map(str, ratings["label"].values.tolist()), word]
        told = {**chosen.told, "labels": labels, "progress": None, "keep": None}
        try:
            again = ratings_by(chosen.reader, chosen.files, replace(options, **told))
        except IaaError:
            continue
        cells = int(rated(again).sum() - rated(ratings).sum())
        if is_answer(again, labels, len(labels) - 1):
            values = {"word": word, "cells": cells, "labels": as_list([word, *labels[:-1]])}
            notes.append(Note("answer_as_gap", values, "caution"))
    return notes


def _concluding(ratings: xr.Dataset, chosen: ToolFiles | TableFiles) -> list[Note]:
    cells = ratings.variables.get("primary")
    names = [str(name) for name in ratings["annotator"].values[: MOST_COUNTS + 1].tolist()]
    if cells is None or cells.dims != ("item", "annotator") or ratings.attrs.get("anonymous", 0):
        return []
    if not _PAIR < len(names) <= MOST_COUNTS:
        return []
    labels = [str(label) for label in ratings["label"].values.tolist()]
    grid = np.asarray(cells.values[:SEEN])
    columns = {
        name: SampledColumn(name, grid[:, place], labels) for place, name in enumerate(names)
    }
    called = [name for name in names if CONCLUSION.search(name)]
    likely = consensus(columns)
    conclusion = called[0] if called else likely[0] if likely is not None else None
    if conclusion is None:
        return []
    others = as_list(name for name in names if name != conclusion)
    way = Note("keep_others", {"others": others})
    for part in parts_of(ratings, "read_as") if isinstance(chosen, TableFiles) else ():
        if part.code == "read_annotators_from" and chosen.name == "long":
            way = Note("exclude_rows", {"rows": f"{part.values['column']}={conclusion}"})
    code = "annotator_called_consensus" if called else "annotator_of_consensus"
    return [Note(code, {"annotator": conclusion, "way": way}, "caution")]


def _from_other_package(ratings: xr.Dataset) -> xr.Dataset:
    """Return the ratings of another package's reader, with its own sentences as notes."""
    read_as, skipped = (
        [Note("read_by_other_package", {"text": ratings.attrs[name]})]
        if ratings.attrs.get(name)
        else []
        for name in ("read_as", "skipped")
    )
    return add_notes(ratings, read_as, skipped)
