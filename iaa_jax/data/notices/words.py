"""Texts of cautions, which tell users that their data may mean something else, by code."""

from __future__ import annotations

from iaa_jax.wording import Words

_ALIKE = (
    "{{count:count group}} of {} {{count:differs|differ}} only in {{differences:and}} "
    "({{count:|e.g. }}{{example:and}}) and {{count:counts|count}} as different {}; to merge "
    "them, {{way}}"
)

WORDS: Words = {
    "label_counted": "{label:quoted} ({ratings:count rating})",
    "label_escaped": "{label:escaped} ({ratings:count rating})",
    "gaps_as_labels": (
        "{labels:and} may mean 'not rated' and {count:was|were} read as {count:a label|labels}; "
        "if so, {way}"
    ),
    "answer_as_gap": (
        "{word:quoted} ({cells:count cell}) was read as not rated, yet annotators agree on it; if "
        "it is a label, give {labels:option labels}{level:also =nominal unless the labels are in "
        "order}"
    ),
    "invisible_labels": (
        "{labels:and} {count:has|have} no visible character and {count:was|were} read as "
        "{count:a label|labels}; leave these cells empty if nobody rated there"
    ),
    "labels_like_lists": (
        "{labels:and} {count:looks like a list|look like lists}, or part of one, and "
        "{count:was|were} read as {count:a label|labels}, not as {count:a set|sets} of labels"
    ),
    "labels_joined": (
        "{labels:and} {count:holds|hold} {separator:quoted} between what may be labels, and "
        "{count:was|were} read as {count:a label|labels} of {count:its|their} own; if several "
        "labels were meant, {way}; if {count:it is|each is} one label, {one}"
    ),
    "joined_as_one": (
        "give {labels:option every}{level:also =nominal unless the labels are in order}"
    ),
    "joined_as_one_of_many": (
        "declare all labels with {labels:option}{level:also =nominal unless the labels are in "
        "order}"
    ),
    "items_no_numbers": (
        "all item ids are whole numbers except {names:and}; if {count:this row is not an "
        "item|these rows are not items}, leave {count:it|them} out"
    ),
    "rows_of_annotators": (
        "each row was read as an item, though {column:quoted} seems to name annotators; if a row "
        "is an annotator and a column an item, {way}"
    ),
    "columns_apart": (
        "the other annotators agree, but hardly with {columns:quoted 3}; if it is no annotator, "
        "give {annotators:option others}"
    ),
    "columns_unlike": (
        "{columns:quoted 3} {count:has|have} no label in common with other columns; if {count:it "
        "describes|they describe} items, name {count:it|them} with {keep:option}"
    ),
    "columns_empty": (
        "{columns:quoted 3} {count:is an empty column|are empty columns}, and left out"
    ),
    "columns_left": (
        "{columns:quoted 3} {count:was|were} not read as {count:an annotator|annotators}, since "
        "{count:it shares|they share} no label with the others, but {count:its|their} values go "
        "with those labels; if {count:it is an annotator|they are annotators}, {way}, best with "
        "all labels in the same words"
    ),
    "annotators_given": "give {annotators:option annotators}",
    "items_and_annotators_given": "give {item:option item} and {annotators:option annotators}",
    "items_of_rounds": (
        "{columns:quoted} repeats, and was read as another item in each {rounds:quoted}; if so, "
        "give {item:option every}; if it is the same item, rated again, give {item:option item} "
        "and {annotators:option annotators} for the ways to compare or combine its rows"
    ),
    "columns_of_items": (
        "columns were read as annotators, though they are named like items "
        "({columns:quoted 3 count}); if a row is an annotator and a column an item, {way}"
    ),
    "missing_given": "give {missing:option value}",
    "missing_in_table": "write None instead",
    "separator_given": "give {separator:option value}",
    "separator_in_table": "split them, and give the lists to from_sets",
    "format_given": "give {format:option value}",
    "format_in_table": "transpose the table, for example with frame.T",
    "items_alike": _ALIKE.format("item ids", "items"),
    "documents_alike": _ALIKE.format("document ids", "documents"),
    "documents_unmarked": (
        "{count:count document} {count:has|have} spans of fewer annotators than others; if "
        "somebody looked there and marked nothing, add a row with document and annotator alone (in "
        "a table with column names): without it {count:the document counts|they count} as not seen "
        "by whoever marked nothing, and agreement comes out too high"
    ),
    "rows_like_spans": (
        "if a row is a span from start to end, give {format:option format} and {item:option item}"
    ),
    "annotators_alike": _ALIKE.format("annotator names", "annotators"),
    "labels_alike": (
        "labels that differ only in {differences:and} were read as different: "
        "{groups:join ; }{more}; to merge them, {way}"
    ),
    "alike_group": "{parts:join , }",
    "label_of_spans": "{label:escaped} ({spans:count span})",
    "id_escaped": "{id:escaped}",
    "merge_labels": "give {merge_labels:option by}",
    "merge_ids": "give {merge_ids:option by}",
    "more_groups": " and {groups:count} more such {groups:group|groups}",
    "more_labels": "{labels:count} more",
    "labels_no_numbers": (
        "{labels:and} {count:is not a number|are not numbers} like the other labels, so all were "
        "read as text"
    ),
    "labels_like_numbers": (
        "{labels:and} {count:looks like a number|look like numbers} among text labels and "
        "{count:was|were} read as text"
    ),
    "label_near": (
        "{label:escaped} ({ratings:count rating}) is one character away from {other:escaped} "
        "({others:count rating})"
    ),
    "more_labels_near": ", and {labels:count} more {labels:is|are} as near to another",
    "labels_misspelt": (
        "{near:join ; }{more}: {count:it|they} may be misspelt; declare the right labels with "
        "{labels:option}, so that others are refused"
    ),
    "labels_of_scores": (
        "{labels:and} are scores out of the same number, and were read as names: for numbers, "
        "leave {most:quoted} out of the labels, or recode them"
    ),
    "item_of_totals": ("the last item is named {item:quoted}; if the last row holds totals, {way}"),
    "written_alike": "write them in the same way in the data",
    "leave_it_out": "leave it out",
    "keep_others": "leave it out ({keep_annotators:option others})",
    "exclude_rows": "leave it out with {exclude:option rows}",
    "annotator_of_consensus": (
        "{annotator:quoted} has the majority label of the other annotators wherever these differ; "
        "if it is their consensus, {way}"
    ),
    "annotator_called_consensus": (
        "{annotator:quoted} is named like a consensus, and counts as an annotator; if it is a "
        "consensus, {way}"
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
        "number|each is one number}, written in several ways; to merge them, write them in the "
        "same way in the data"
    ),
    "ways_of_number": "{ways:quoted 5}",
    "more_numbers": "; and {numbers:count} more {numbers:number|numbers}",
    "unused_categories": (
        "nobody chose {labels:quoted 5 count}, so {count:it is|they are} not counted as "
        "{count:a label|labels}; to count {count:it|them}, declare all labels with {labels:option}"
    ),
}
