"""Templates that word notes on how files were read, what was skipped, or what may be misread."""

from __future__ import annotations

from typing import TypedDict

from iaa_jax.data.provenance import WORDS as LEFT_OUT
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
    "read_paired": "table of annotators next to their labels",
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
    "read_annotators_unnamed": "a column for each annotator",
    "read_annotators_unknown": "annotators unknown",
    "read_anonymous": "taken as anonymous",
    "read_labels_from": "labels from {column:quoted}",
    "read_labels_from_several": "labels from {columns:quoted 5}",
    "read_secondary_from": "secondary labels from {column:quoted}",
    "read_labels_in_columns": "labels: {names:quoted 10 labels}",
    "read_strengths_from": "strengths from {column:quoted}",
    "read_trimmed": (
        "{ratings:count rating} of {labels:quoted 5} without the blanks around {ratings:it|them}"
    ),
    "read_decimal_commas": "decimal commas",
    "read_measured": "labels as numbers (some have decimals, and some are below 0)",
    "read_scores": "scores such as {example:quoted} as numbers ({number})",
    "read_list_of_ratings": "each a list of ratings",
    "read_stored_values": "values of {columns:quoted 5} as stored, without their labels",
    "read_names_beside": "each a list of names next to a list of labels",
    "read_set_of_labels": "each a set of labels",
    "read_vectors": "as vectors of {places:count position}, each a label",
    "read_rows_as_sets": "rows of an annotator on an item as one set of labels",
    "read_cells_as_sets": "cells as sets of labels",
    "read_places_of_lists": "lists with one position per annotator",
    "read_row_names": "rows with a name before the named columns, as R writes them",
    "read_header_comment": "without the comment {text:quoted} next to the column names",
    "read_records": "records from {field:quoted}{others}",
    "read_other_records": " (not from {fields:quoted 5})",
    "read_lacking_records": " ({objects:count object} without any)",
    "read_keyed_records": "keyed records",
    "read_keys_and_values": "keys and values",
    "read_together": "{parts:join , }",
    "read_comments": "without {lines:count line} above that begin with '#' ({texts:quoted})",
    "read_first_sheet": "sheet {sheet:quoted}, the first (others: {others:quoted 5})",
    "read_sheet_of_ratings": (
        "sheet {sheet:quoted}, the only one that looks like ratings (others: {others:quoted 5})"
    ),
    "read_sheet_of_columns": (
        "sheet {sheet:quoted}, the only one that has the named columns (others: {others:quoted 5})"
    ),
    "read_merged_cells": "{cells:count cell} with the value of the merged cell that covers them",
    "read_header_below": "names of columns from line {line}, below {titles:quoted}",
    "read_labels_merged": "labels merged that differ only in {differences:and}",
    "read_ids_merged": "ids merged that differ only in {differences:and}",
    "read_unordered": "the order of an item's names does not matter",
    "read_joined": (
        "{columns:quoted 5} from {file:name} by {axis:name} (its column {column:quoted}{lacking})"
    ),
    "joined_in_part": "; {lacking:count} of {ids:count item} have no row",
    "read_files": "{files:count file}",
    "read_sheets": "{files:count sheet}",
    "read_blanks_none": "{cells:count} blank {cells:cell|cells} as sets without a label",
    "read_blanks": "{cells:count} blank {cells:cell|cells} as the label {label:quoted}",
    "read_links": (
        "{names:quoted 5 count} {count:is a link that leads|are links that lead} out of the folder"
    ),
    "read_by_slot": "stored by slot (at most {slots:count rating} per item)",
}

_SKIPPED: Words = {
    "skipped_repeated_rows": "{rows:count} repeated {rows:row|rows} (kept the {kept} {order})",
    "skipped_rows_with": "{rows:count row} with {column:quoted} {sign} {value:quoted}",
    "skipped_rows_without": "{rows:count row} with nothing in {column:quoted}",
    "skipped_rows_of_names": "{rows:count row} that {rows:repeats|repeat} the names of columns",
    "skipped_rows_of_nobody": "{rows:count row} without label and without item or annotator",
    "skipped_rows_of_nothing": "{rows:count row} without item and without ratings",
    "skipped_columns_unnamed": (
        "{count:count column} without a name in sheet {sheet:quoted} ({columns:quoted 5 count})"
    ),
    "skipped_columns_beside": (
        "{count:count column} of a neighbouring table in sheet {sheet:quoted} "
        "({columns:quoted 5 count})"
    ),
    "skipped_rows_below": (
        "{rows:count row} below the table in sheet {sheet:quoted}, from row {line} on"
    ),
    "skipped_unsound": (
        "{count:count} of {files:count} files or sheets, which cannot be read like "
        "the others ({reasons:join ; }{more})"
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
    "skipped_failed": "{count:count object} that failed, without an answer",
    "skipped_not_begun": (
        "{count:count document} that {count:its annotator|their annotators} had not begun, or that "
        "{count:was|were} locked"
    ),
    "skipped_irrelevant": "{count:count position} flagged as irrelevant",
    "skipped_curator": "{count:count} {count:judgement|judgements} of curators",
    "skipped_rejected": "{count:count} rejected {count:judgement|judgements}",
    "skipped_unread": "answers to {question:quoted} ({kind:name})",
    "skipped_blank": "{cells:count} blank {cells:cell|cells} (if no label: give {blank:option no})",
    "skipped_empty": "{answers:count} empty {answers:answer|answers}",
    "skipped_answers": "{answers:count judgement} without an answer ({by:join , }{more})",
    "skipped_unnamed": "{answers:count judgement} without an answer",
    "skipped_idle_unnamed": "{count:count annotator} who answered nothing",
    "skipped_by": "{name:name}: {count:count}",
    "skipped_by_others": ", others: {count:count}",
    "skipped_items": "{items:count item} that somebody skipped",
    "skipped_of_hits": (
        "{count:count question} on whole HITs and not on their items ({names:quoted 5})"
    ),
    "skipped_annotations": "{count:count annotation} of parts of documents",
    "skipped_default_set": "{count:count annotation} of a default set",
    "skipped_open_marks": ("{count:count error} with only one end marked"),
    "skipped_untimed": "{count:count annotation} without times of {count:its|their} own",
    "skipped_codings": "{count:count coding} of {kind:name}",
    "skipped_relations": "{count:count relation}",
    "skipped_events": "{count:count event}",
    "skipped_attributes": "{count:count attribute} without a value or without a span",
    "skipped_normalizations": "{count:count normalization}",
    "skipped_remarks": "{count:count remark}",
    "skipped_unanswered": "{count:count task} without an answer",
    "skipped_views": "{count:count task} of other views ({views:quoted 5})",
    "skipped_joined_rows": "{rows:count row} of {file:name} that match no item or annotator",
    "skipped_joined_columns": (
        "{count:count column} of {file:name} with a name that ratings use ({columns:quoted 5})"
    ),
    "skipped_files": "{files:count file} of {archive:name} ({names:quoted 3 files})",
}

_OTHERWISE: Words = {
    "ticks": (
        "All filled cells hold {label:quoted}, and {cells:count} {cells:is|are} blank. If a blank "
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
    "agreement_lists_what_was_made": (
        "the export lists only what annotators marked: a document without marks by an annotator "
        "counts as not seen by that annotator"
    ),
    "layers_without_state": (
        "{count:count file} without any span {count:counts|count} as finished with nothing to "
        "mark; only a whole project, with its exportedproject*.json, shows whether {count:it "
        "was|they were} finished"
    ),
    "same_judgements": (
        "{names:quoted 5} gave equal answers to everything ({count:count answer} each): if one "
        "file is a copy, leave it out"
    ),
    "layers_of_other_text": (
        "the text of {count:count document} differs between annotators, so positions in it cannot "
        "be compared"
    ),
    "label_studio_gold": (
        "{count:count annotation} marked as ground truth {count:was|were} left out. {count:Its "
        "annotator|Their annotators} made other annotations as well, so the marked {count:one may "
        "be an ordinary one: to count it|ones may be ordinary: to count them}, give "
        "{include:option =gold}{also}{brings}."
    ),
    "starred_again": " and {duplicates:option =first} (some repeat a rating of their annotator)",
    "starred_bring": ": {after:count task} would have two annotators or more, not {before:count}",
    "label_studio_gold_counted": (
        "{count:count annotation} marked as ground truth {count:counts|count} as "
        "{count:a judgement|judgements}: each task has one, by an annotator who has others too."
    ),
    "label_studio_from_prediction": (
        "{count:count annotation} {count:was|were} begun from a prediction; annotators who saw one "
        "prediction may agree because of it"
    ),
    "label_studio_same_data": (
        "{count:count task} {count:repeats|repeat} the data of another one and {count:counts as an "
        "item|count as items} of {count:its|their} own; to merge them, name items by the data, as "
        "in {item:option =text}, with {duplicates:option =first} where an annotator saw both"
    ),
    "label_studio_min": (
        "annotations that were skipped are not in this format, and those that count as ground "
        "truth are not marked: read the project's JSON if there may be any"
    ),
    "prodigy_without_hash": (
        "{count:count} {count:task has|tasks have} no _input_hash; their items are named by the "
        "text, image, audio or other input, so that they match no item named by a hash"
    ),
    "prodigy_rejected": (
        "{count:count} {count:task was|tasks were} rejected where options or spans were to be "
        "chosen, and {count:counts|count} as skipped; give {include:option =rejected} to count "
        "what was chosen there"
    ),
    "prodigy_patterns": (
        "{count:count} {count:highlight|highlights} of patterns without a label {count:is|are} no "
        "{count:span|spans}"
    ),
    "prodigy_sessions": (
        "{count:count} {count:task names|tasks name} no annotator, or only the time of a session; "
        "the name of the file counts as the annotator"
    ),
    "prodigy_packed": (
        "{count:count option} answer several questions in one list, as in 'Question: answer'; they "
        "were read as one set of labels; to measure one question, keep only its labels"
    ),
    "doccano_empty": (
        "{count:count} {count:list|lists} of labels or spans {count:is|are} empty: in doccano an "
        "item not done looks like one without labels; if such items were not assigned, give "
        "{empty:option =missing}"
    ),
    "files_mark_nothing": (
        "{count:count} {count:file marks|files mark} nothing: a document not begun looks "
        "like one with nothing to mark; if some were not assigned, give {empty:option =missing}"
    ),
    "teamware_commas": (
        "{count:count answer} with commas {count:was|were} read as several labels: Teamware's CSV, "
        "unlike its JSON, does not mark commas within a label or text"
    ),
    "conll_not_whole": (
        "{count:count} {count:span lacks its|spans lack their} first tag (B-) or last (E-, L-), "
        "and a strict reading would leave {count:it|them} out"
    ),
    "conll_inside_without_begin": (
        "{count:count} {count:span begins|spans begin} with a tag I-, others in the file with B-"
    ),
    "potato_unclear": (
        "{count:count answer} {count:holds|hold} several options of a question that takes one, "
        "and it is unknown which was chosen last; {count:it counts|they count} as not answered"
    ),
    "potato_several": (
        "{count:count answer} {count:holds|hold} several options, and {count:was|were} read as "
        "{count:a set|sets}; of a question that takes one option, Potato up to 2.7.1 kept every "
        "option that was clicked"
    ),
    "triples_turned": (
        "there are more annotators than items; if the items come first and the annotators second, "
        "give {item:option =1} and {annotator:option =2}"
    ),
    "argilla_without_status": (
        "{count:count response} without a status: only flattened records, as from "
        "to_list(flatten=True) or the Hub, show whether {count:it was a draft|they were drafts} or "
        "discarded"
    ),
    "argilla_rankings": (
        "{count:count} {count:question|questions} whose answers put the same options into "
        "different orders {count:was|were} read as {count:a ranking|rankings}"
    ),
    "mturk_items": (
        "Each HIT was read as several items, named by {item:quoted}, as its answers "
        "{names:quoted 4 count} differ only in a number. If they are questions on one HIT, read "
        "one of them, as by {question:option first}."
    ),
    "mturk_bars": (
        "{count:count} {count:answer holds|answers hold} '|', which MTurk puts between boxes that "
        "were ticked, and {count:was|were} read as {count:a set|sets} of labels"
    ),
    "crowdflower_tainted": (
        "{count:count} tainted {count:judgement|judgements} {count:was|were} left out: the "
        "platform does not trust {count:its worker|their workers}. To count {count:it|them}, give "
        "{include:option =rejected}."
    ),
    "crowdflower_tainted_counted": (
        "{count:count} tainted {count:judgement|judgements} {count:counts|count}, though the "
        "platform does not trust {count:its worker|their workers}. To leave {count:it|them} out, "
        "give {exclude:option rows}."
    ),
    "crowdflower_tests": (
        "{count:count} {count:judgement|judgements} of {units:count} test "
        "{units:question|questions} ({names:quoted 5 units}) {count:was|were} left out; to count "
        "{count:it|them}, give {include:option =gold}."
    ),
    "crowdflower_tests_counted": (
        "{count:count} {count:judgement|judgements} of {units:count} test "
        "{units:question|questions} ({names:quoted 5 units}) {count:counts|count}: workers may "
        "know the answers, which are shown to them afterwards."
    ),
    "appraise_checks": (
        "{count:count row} of quality control (tutorials, documents that fill tasks up, types "
        "other than TGT) {count:was|were} left out; to count {count:it|them}, give "
        "{include:option =gold}."
    ),
    "appraise_checks_counted": (
        "{count:count row} of quality control (tutorials, documents that fill tasks up, types "
        "other than TGT) {count:counts|count}."
    ),
    "zooniverse_addresses": (
        "{count:count annotator} {count:was|were} not logged in, and {count:is|are} distinguished "
        "from others only by {count:an address|addresses}"
    ),
    "long_like_missing": (
        "{words:quoted 5} {count:is a label|are labels} that a table would treat as 'not rated': "
        "to read the table with {count:it|them}, {way}"
    ),
    "long_declare": "give {labels:option all}",
    "long_declare_all": "declare all labels with {labels:option}",
    "spans_repeated": (
        "{count:count span} {count:is|are} repeated in the files (annotator, position and label); "
        "each was read once"
    ),
    "spans_beyond_text": (
        "in {count:count document} a span ends beyond the text or inside a character: check these, "
        "and the unit in which positions are counted; lengths of documents are not taken from "
        "these files"
    ),
    "lists_joined": (
        "{items:count item} {items:has|have} several rows ({rows:count row}), and their lists of "
        "ratings were joined; if these are different items, name further columns with them, as in "
        "{item:option =NAME,NAME}; if a cell is one person's set, give {annotator:option} instead"
    ),
    "formulas_without_value": (
        "{count:count cell} of {columns:quoted 5} {count:counts|count} as empty: "
        "{count:its formula has|their formulas have} no stored value, or {count:is|are} in error; "
        "open the file in a spreadsheet program and save it"
    ),
    "truth_among_text": (
        "{count:column|columns} {columns:quoted 5} {count:holds|hold} true or false as well as "
        "text; these were read as 'True' and 'False'; write all cells of a column as text"
    ),
}

WORDS: Words = joined(LEFT_OUT, _READ_AS, _SKIPPED, _OTHERWISE)
"""A template for each code in ``attrs["reading"]``."""

FIRST = (
    *("mturk_items", "label_studio_gold", "label_studio_gold_counted", "rows_of_state", "ticks"),
    "directions",
    *("crowdflower_tainted", "crowdflower_tainted_counted", "crowdflower_tests"),
    "crowdflower_tests_counted",
)
"""Codes of notices that bear on all results of a page, which shows them with its answer."""

_ROWS = ("read_as", "skipped")


class Sentences(TypedDict):
    """How files were read, what was skipped, and what may have been misread."""

    read_as: str
    skipped: str
    notices: list[str]


def in_words(reading: str, spelling: Spelling = in_python) -> Sentences:
    """Return the notes of ``attrs["reading"]`` as sentences.

    Examples
    --------
    >>> from iaa_jax.wording import Note, dump_notes
    >>> in_words(dump_notes([Note("read_as", {"parts": [Note("read_long")]})]))
    {'read_as': 'long table', 'skipped': '', 'notices': []}
    """
    notes = load_notes(reading)
    sentences = {note.code: say(note, WORDS, spelling) for note in notes if note.code in _ROWS}
    others = [say(note, WORDS, spelling) for note in notes if note.code not in _ROWS]
    read_as, skipped = (sentences.get(row, "") for row in _ROWS)
    return {"read_as": read_as, "skipped": skipped, "notices": others}
