"""The words of what was understood in one way and may be meant in another."""

from __future__ import annotations

from iaa_jax.wording import Words, joined

_OF_DATA: Words = {
    "label_counted": "{label:quoted} ({ratings:count rating})",
    "label_escaped": "{label:ascii} ({ratings:count rating})",
    "gaps_as_labels": (
        "{labels:and} may mean 'not rated' and {count:was|were} read as {count:a label|labels}; "
        "if so, give {missing:option codes}"
    ),
    "invisible_labels": (
        "{labels:and} {count:has|have} no visible character and {count:was|were} read as "
        "{count:a label|labels}; empty these cells in the file if nobody rated there"
    ),
    "labels_alike": (
        "labels that differ only in {differences:and} were read as different: "
        "{groups:join ; }{more}; to merge them, {way}"
    ),
    "items_alike": (
        "{number} of item ids {count:differs|differ} only in {differences:and} "
        "({count:|e.g. }{example:and}) and {count:counts|count} as different items; to merge "
        "them, {way}"
    ),
    "documents_alike": (
        "{number} of document ids {count:differs|differ} only in {differences:and} "
        "({count:|e.g. }{example:and}) and {count:counts|count} as different documents; to merge "
        "them, {way}"
    ),
    "annotators_alike": (
        "{number} of annotator names {count:differs|differ} only in {differences:and} "
        "({count:|e.g. }{example:and}) and {count:counts|count} as different annotators; to merge "
        "them, {way}"
    ),
    "alike_pairs": "{count:count pair}",
    "alike_groups": "{count:count group}",
    "alike_group": "{parts:join , }",
    "label_of_spans": "{label:ascii} ({spans:count span})",
    "id_escaped": "{id:ascii}",
    "merge_labels": "give {merge_labels:option by}",
    "merge_ids": "give {merge_ids:option by}",
    "merge_in_file": "write them alike in the file",
    "more_groups": " and {groups:count} more such {groups:group|groups}",
    "name_escaped": "{name:ascii}",
    "more_labels": "{labels:count} more",
    "labels_no_numbers": (
        "{labels:and} {count:is not a number|are not numbers} like the other labels, so all were "
        "read as text"
    ),
    "label_no_number": (
        "{labels:and} is not a number like the other labels, so all were read as text; if it means "
        "'not rated', give {missing:option codes}"
    ),
    "labels_like_numbers": (
        "{labels:and} {count:looks like a number|look like numbers} among text labels and "
        "{count:was|were} read as text"
    ),
    "labels_like_lists": (
        "{labels:and} {count:looks like a list|look like lists}, or part of one, and "
        "{count:was|were} read as {count:a label|labels}: lists are split only where all cells "
        "hold lists"
    ),
    "labels_in_quotes": (
        "{labels:and} {count:is a label|are labels} without the quotation marks, too, and "
        "{count:was|were} read as {count:a label|labels} of {count:its|their} own; in delimited "
        "text no blank may stand before a quotation mark"
    ),
    "labels_like_headers": (
        "{labels:and} {count:is|are} also the name of a column; the header line may be among the "
        "ratings"
    ),
    "labels_like_names": (
        "{labels:and} {count:is|are} {count:a label|labels} and also the name of an item or "
        "annotator; some cells may be in the wrong column"
    ),
    "label_near": (
        "{label:ascii} ({ratings:count rating}) is one character away from {other:ascii} "
        "({others:count rating})"
    ),
    "more_labels_near": ", and {labels:count} more {labels:is|are} as near to another",
    "labels_misspelt": (
        "{near:join ; }{more}: {count:it|they} may be misspelt; declare the right labels with "
        "{labels:option}, and any other is refused"
    ),
    "labels_of_scores": (
        "{labels:and} are so many of one number, and were read as names: for numbers, leave "
        "{most:quoted} out of the labels, or recode them"
    ),
    "labels_joined": (
        "{labels:and} {count:holds|hold} {separator:quoted} between what may be labels, and "
        "{count:was|were} read as {count:a label|labels} of {count:its|their} own; if several "
        "labels were meant, give {separator:option separator}"
    ),
    "items_like_comments": (
        "{names:and} {count:begins|begin} with '#' as comments do; if {count:this row is not an "
        "item|these rows are not items}, remove {count:it|them} from the file"
    ),
    "invisible_in_labels": (
        "{labels:and} {count:has|have} invisible characters and {count:was|were} read as "
        "{count:a label|labels} of {count:its|their} own"
    ),
    "invisible_in_items": (
        "{count:count} {count:item name has|item names have} invisible characters: {names:and}"
    ),
    "invisible_in_annotators": (
        "{count:count} {count:annotator's name has|annotators' names have} invisible characters: "
        "{names:and}"
    ),
    "items_no_numbers": (
        "all item ids are whole numbers except {names:and}; if {count:this row is not an "
        "item|these rows are not items}, remove {count:it|them} from the file"
    ),
    "items_with_stray_signs": (
        "all item ids are like {like:ascii} except {names:and}, with characters that no other has: "
        "{count:it|they} may be misspelt"
    ),
    "annotators_of_one_rating": (
        "{names:and} gave one rating{count:| each}, all others several; the {count:name|names} may "
        "be misspelt"
    ),
    "item_of_totals": ("the last item is named {item:quoted}; if the last row holds totals, {way}"),
    "remove_in_file": "remove it from the file",
    "exclude_rows": "leave it out with {exclude:option rows}",
    "rows_of_annotators": (
        "each row was read as an item, though the column {column:quoted} seems to name "
        "annotators; if a row is an annotator and a column an item, give "
        "{format:option =transposed}"
    ),
    "annotator_of_consensus": (
        "{annotator:quoted} says what most of the other annotators say wherever these differ; if "
        "it is what they came to, leave it out ({keep_annotators:option others})"
    ),
    "annotator_called_consensus": (
        "{annotator:quoted} is called as what annotators come to, and counts as one of them; if it "
        "is none, leave it out ({keep_annotators:option others})"
    ),
    "columns_apart": (
        "the other annotators agree, but hardly with {columns:quoted 3}; if that is no annotator, "
        "give {annotators:option others}"
    ),
    "columns_of_items": (
        "each column except the first was read as an annotator, though they are named like items "
        "({columns:quoted 3 count}); if a row is an annotator and a column an item, give "
        "{format:option =transposed}"
    ),
    "difference_case": "case",
    "difference_numbers": "how numbers are written",
    "difference_form": "Unicode form",
    "difference_blanks": "blanks or invisible characters",
    "skipped_idle_annotators": "{names:quoted 5 count}, who answered nothing",
    "sums_as_counts": (
        "the last {lines:and} {count:equals|equal} the sums of the others, and {count:was|were} "
        "read like {count:any other|the others}; if {count:it holds|they hold} totals, leave "
        "{count:it|them} out"
    ),
    "labels_like_totals": (
        "{labels:quoted 5 count} {count:is named|are named} like totals, and {count:was|were} read "
        "as {count:a label|labels}; if {count:it holds|they hold} totals, leave {count:it|them} out"
    ),
    "merge_in_table": "write them alike in the data",
    "truths_as_numbers": (
        "True and False were read as 1 and 0 like the other ratings; if they are labels of their "
        "own, write them as text"
    ),
    "labels_of_one_number": (
        "{groups:join ; }{more}: {count:one number and one label|each one number and one label}, "
        "however {count:it is|they are} written; if these are different labels, declare all labels "
        "as they are written, with {labels:option}"
    ),
    "labels_of_number_apart": (
        "{groups:join ; }{more} {count:was|were} read as different labels though {count:it is one "
        "number|each is one number}, written in several ways; to merge them, write them alike in "
        "the data"
    ),
    "ways_of_number": "{ways:quoted 5}",
    "more_numbers": "; and {numbers:count} more {numbers:number|numbers}",
    "unused_categories": (
        "nobody chose {labels:quoted 5 count}, so {count:it is|they are} not counted as "
        "{count:a label|labels}; to count {count:it|them}, declare all labels with {labels:option}"
    ),
}

_IN_TABLE: Words = {
    "label_no_number_in_table": (
        "{labels:and} is not a number like the other labels, so all were read as text; if it means "
        "'not rated', put None in its place"
    ),
    "gaps_as_labels_in_table": (
        "{labels:and} may mean 'not rated' and {count:was|were} read as {count:a label|labels}; "
        "if so, put None in {count:its|their} place"
    ),
    "invisible_labels_in_table": (
        "{labels:and} {count:has|have} no visible character and {count:was|were} read as "
        "{count:a label|labels}; put None in {count:its|their} place if nobody rated there"
    ),
    "labels_like_lists_in_table": (
        "{labels:and} {count:looks like a list|look like lists}, or part of one, and "
        "{count:was|were} read as {count:a label|labels}: sets of labels go to from_sets"
    ),
    "labels_joined_in_table": (
        "{labels:and} {count:holds|hold} {separator:quoted} between what may be labels, and "
        "{count:was|were} read as {count:a label|labels} of {count:its|their} own; if several "
        "labels were meant, split them, and give the lists to from_sets"
    ),
    "items_like_comments_in_table": (
        "{names:and} {count:begins|begin} with '#' as comments do; if {count:this row is not an "
        "item|these rows are not items}, leave {count:it|them} out"
    ),
    "items_no_numbers_in_table": (
        "all item ids are whole numbers except {names:and}; if {count:this row is not an "
        "item|these rows are not items}, leave {count:it|them} out"
    ),
    "item_of_totals_in_table": (
        "the last item is named {item:quoted}; if the last row holds totals, leave it out"
    ),
    "rows_of_annotators_in_table": (
        "each row was read as an item, though the rows are named {column:quoted}; if a row is an "
        "annotator and a column an item, transpose the table, for example with frame.T"
    ),
    "columns_of_items_in_table": (
        "each column was read as an annotator, though they are named like items "
        "({columns:quoted 3 count}); if a row is an annotator and a column an item, transpose the "
        "table, for example with frame.T"
    ),
}
"""Of tables in Python, what is worded otherwise than of files."""

WORDS: Words = joined(_OF_DATA, _IN_TABLE)
