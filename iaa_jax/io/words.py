"""The words of how files were read, of what was skipped, and of what may be meant otherwise."""

from __future__ import annotations

from typing import TypedDict

from iaa_jax.data.reading import WORDS as LEFT_OUT
from iaa_jax.io.tools.words import OTHERWISE, SKIPPED
from iaa_jax.wording import Spelling, Words, joined, load_notes, say
from iaa_jax.wording.spelling import in_python

_READ_AS: Words = {
    "read_as": "{parts:join , }",
    "read_by_other_package": "{text:name}",
    "read_export": "{tool:name} {form:name}",
    "read_question": "question {question:quoted}",
    "read_without_features": "not its features {features:quoted 5 count}",
    "read_skipped_as_label": "skipped items as the label {label:quoted}",
    "read_long": "long table",
    "read_scanned": "long table, scanned",
    "read_wide": "wide table",
    "read_counts": "count table",
    "read_one_hot": "one-hot table",
    "read_multi_hot": "multi-hot table",
    "read_by_label": "table with a row for each label, sets of those above 0",
    "read_contingency": "contingency table of two annotators",
    "read_transposed": "transposed table",
    "read_paired": "table of annotators beside their labels",
    "read_items_from": "items from {columns:quoted 5}",
    "read_items_from_files": "items from file names",
    "read_items_numbered": "items are row numbers",
    "read_items_in_columns": "items: {names:names 10 items}",
    "read_gaps": "not rated: {words:quoted 5}",
    "read_declared_missing": "declared missing in the file: {columns:join , }",
    "read_declared_of": "{cells:count cell} of {column:quoted} ({values:quoted 5})",
    "read_annotators_from": "annotators from {column:quoted}",
    "read_annotators_joined": "annotators from {columns:quoted 5} together",
    "read_annotators_from_several": "annotators from {columns:quoted 5}",
    "read_annotators_from_files": "annotators from file names",
    "read_annotators_from_folders": "annotators from the names of folders",
    "read_annotators_from_sheets": "annotators from the names of sheets",
    "read_annotators_in_columns": "annotators: {names:names 10 annotators}",
    "read_annotators_unknown": "annotators unknown",
    "read_anonymous": "taken as anonymous",
    "read_labels_from": "labels from {column:quoted}",
    "read_labels_from_several": "labels from {columns:quoted 5}",
    "read_secondary_from": "secondary labels from {column:quoted}",
    "read_labels_in_columns": "labels: {names:quoted 10 labels}",
    "read_strengths_from": "strengths from {column:quoted}",
    "read_decimal_commas": "decimal commas",
    "read_scores": "scores such as {example:quoted} as numbers ({number})",
    "read_list_of_ratings": "each a list of ratings",
    "read_stored_values": "values of {columns:quoted 5} as stored, without their labels",
    "read_names_beside": "each a list of names beside a list of labels",
    "read_set_of_labels": "each a set of labels",
    "read_vectors": "as vectors of {places:count place}, each a label",
    "read_rows_as_sets": "rows of an annotator on an item as one set of labels",
    "read_cells_as_sets": "cells as sets of labels",
    "read_places_of_lists": "lists with one place per annotator",
    "read_row_names": "rows with a name beside the named columns, as R writes them",
    "read_header_comment": "without the comment {text:quoted} beside the names of columns",
    "read_records": "records from {field:quoted}{others}",
    "read_other_records": " (not from {fields:quoted 5})",
    "read_lacking_records": " ({objects:count object} without any)",
    "read_keyed_records": "keyed records",
    "read_keys_and_values": "keys and values",
    "read_together": "{parts:join , }",
    "read_comments": "without {lines:count line} above that begin with '#' ({texts:quoted})",
    "read_first_sheet": "sheet {sheet:quoted}, the first (others: {others:quoted 5})",
    "read_sheet_of_ratings": (
        "sheet {sheet:quoted}, which alone looks like ratings (others: {others:quoted 5})"
    ),
    "read_sheet_of_columns": (
        "sheet {sheet:quoted}, which alone has the columns named (others: {others:quoted 5})"
    ),
    "read_merged_cells": "{cells:count cell} with the value of the merged cell that covers them",
    "read_header_below": "names of columns from line {line}, below {titles:quoted}",
    "read_labels_merged": "labels merged that differ only in {differences:and}",
    "read_ids_merged": "ids merged that differ only in {differences:and}",
    "read_unordered": "items the same in any order of their names",
    "read_joined": (
        "{columns:quoted 5} from {file:name} by {axis:name} (its column {column:quoted})"
    ),
    "read_files": "{files:count file}",
    "read_blanks": "{cells:count} blank {cells:cell|cells} as the label {label:quoted}",
    "read_links": (
        "{names:quoted 5 count} {count:is a link that leads|are links that lead} out of the folder"
    ),
    "read_by_slot": "stored by slot (at most {slots:count rating} per item)",
}

_SKIPPED: Words = {
    "skipped_repeated_rows": "{rows:count} repeated {rows:row|rows} (kept the {kept} {order})",
    "skipped_rows_with": "{rows:count row} with {column:quoted} = {value:quoted}",
    "skipped_rows_without": "{rows:count row} with nothing in {column:quoted}",
    "skipped_rows_of_names": (
        "{rows:count row} that {rows:repeats|repeat} the names of the columns"
    ),
    "skipped_rows_of_nobody": "{rows:count row} without label and without item or annotator",
    "skipped_rows_of_nothing": "{rows:count row} without item and without ratings",
    "skipped_columns_unnamed": (
        "{count:count column} without a name in sheet {sheet:quoted} ({columns:quoted 5 count})"
    ),
    "skipped_columns_beside": (
        "{count:count column} of another table beside, in sheet {sheet:quoted} "
        "({columns:quoted 5 count})"
    ),
    "skipped_rows_below": (
        "{rows:count row} below the table in sheet {sheet:quoted}, from row {line} on"
    ),
    "skipped_unsound": (
        "{count:count} of {files:count} files or sheets, which {count:does not|do not} read as the "
        "others do ({reasons:join ; }{more})"
    ),
    "skipped_for": "{reason:message}",
    "skipped_for_more": "; and {count:count} more",
    "skipped_strengths": (
        "{cells:count} empty {cells:cell|cells} of annotators who rated other labels of the item: "
        "taken for 0"
    ),
    "skipped_drafts": "{count:count draft}",
    "skipped_gold": "{count:count} gold {count:judgement|judgements}",
    "skipped_predictions": "{count:count prediction}",
    "skipped_curator": "{count:count} {count:judgement|judgements} of curators",
    "skipped_rejected": "{count:count} rejected {count:judgement|judgements}",
    "skipped_unread": "answers to {question:quoted} ({kind:name})",
    "skipped_empty": "{answers:count} empty {answers:answer|answers}",
    "skipped_answers": "{answers:count judgement} without an answer ({by:join , }{more})",
    "skipped_by": "{name:name}: {count:count}",
    "skipped_by_others": ", others: {count:count}",
    "skipped_items": "{items:count item} that somebody skipped",
    "skipped_joined_rows": "{rows:count row} of {file:name} about nobody and nothing here",
    "skipped_joined_columns": (
        "{count:count column} of {file:name} with a name that ratings use ({columns:quoted 5})"
    ),
    "skipped_files": "{files:count file} of {archive:name} ({names:quoted 3 files})",
}

_OTHERWISE: Words = {
    "ticks": (
        "All filled cells say {label:quoted}, and {cells:count} {cells:is|are} blank. If a blank "
        "means not ticked, give {blank:option blank}{also}."
    ),
    "directions": (
        "{pairs:count item} {pairs:occurs|occur} in two orders of {pairs:its|their} names, as "
        "{names:quoted}, by different annotators. If these are one item, give "
        "{unordered:option =True}."
    ),
    "ticks_merged": " and {merge_labels:option =case}",
    "rows_of_state": (
        "{rows:count row} with {column:quoted} = {value:quoted} {rows:counts|count}: to leave "
        "{rows:it|them} out, give {exclude:option rule}."
    ),
    "files_empty": (
        "{names:quoted 5 count} {count:has|have} no rows; if {count:it is|they are} damaged, "
        "{count:its|their} ratings are missing"
    ),
    "same_judgements": (
        "{names:quoted 5} gave equal answers to everything ({count:count answer} each): if one "
        "file is a copy, leave it out"
    ),
    "long_like_missing": (
        "{words:quoted 5} {count:is a label|are labels} that a table would treat as 'not rated': "
        "to read the table with {count:it|them}, {way}"
    ),
    "long_declare": "give {labels:option all}",
    "long_declare_all": "declare all labels with {labels:option}",
    "spans_repeated": (
        "{count:count span} {count:is|are} repeated in the files (annotator, place and label); "
        "each was read once"
    ),
    "spans_beyond_text": (
        "in {count:count document} a span ends beyond the text or inside a character: check these, "
        "and the unit in which places are counted; lengths of documents are not taken from these "
        "files"
    ),
    "lists_joined": (
        "{items:count item} {items:stands|stand} in several rows ({rows:count row}), whose lists "
        "of ratings were joined; if these are different items, name further columns with them, as "
        "in {item:option =NAME,NAME}"
    ),
    "formulas_without_value": (
        "{count:count cell} of {columns:quoted 5} {count:counts|count} as empty: "
        "{count:its formula has|their formulas have} no stored value, or {count:is|are} in error; "
        "open the file in a spreadsheet program and save it"
    ),
    "truth_among_text": (
        "{count:column|columns} {columns:quoted 5} {count:holds|hold} true or false beside text, "
        "which were read as 'True' and 'False'; write all cells of a column as text"
    ),
}

WORDS: Words = joined(LEFT_OUT, _READ_AS, _SKIPPED, SKIPPED, _OTHERWISE, OTHERWISE)
"""A template for each code that ``attrs["reading"]`` may hold."""

FIRST = (
    *("mturk_items", "label_studio_gold", "label_studio_gold_counted", "rows_of_state", "ticks"),
    "directions",
    *("crowdflower_tainted", "crowdflower_tainted_counted", "crowdflower_tests"),
    "crowdflower_tests_counted",
)
"""What decides all figures of a page and may be meant otherwise: it stands with their answer."""

_ROWS = ("read_as", "skipped")


class Sentences(TypedDict):
    """How files were read, what was skipped, and what may be meant otherwise."""

    read_as: str
    skipped: str
    notices: list[str]


def in_words(reading: str, spelling: Spelling = in_python) -> Sentences:
    """The notes of ``attrs["reading"]`` as sentences.

    Examples
    --------
    >>> from iaa_jax.wording import Note, dump_notes
    >>> in_words(dump_notes([Note("read_as", {"parts": [Note("read_long")]})]))
    {'read_as': 'long table', 'skipped': '', 'notices': []}
    """
    notes = load_notes(reading)
    said = {note.code: say(note, WORDS, spelling) for note in notes if note.code in _ROWS}
    others = [say(note, WORDS, spelling) for note in notes if note.code not in _ROWS]
    read_as, skipped = (said.get(row, "") for row in _ROWS)
    return {"read_as": read_as, "skipped": skipped, "notices": others}
