"""Declarations of the variables of `iaa_jax.findings`."""

from __future__ import annotations

from iaa_jax.wording.figures import ENDS, Figure

OF_SENTENCES = (
    Figure(
        "agreement",
        "agreement of the annotator with the others, or of the items' ratings with one another. "
        "With a date, from it on or up to it. For numbers, minus the mean squared difference",
    ),
    Figure("then", "``agreement`` after mending, on the other side of the date, or on other items"),
    Figure("among_others", "agreement of these items' other ratings with one another"),
    Figure(
        "guessed",
        "share of the annotator's ratings that, if guessed, would explain the low agreement",
        "share",
    ),
    Figure(
        "share",
        "share of the annotator's ratings with the label; for spans, their mean number in a "
        "document, or their mean length",
    ),
    Figure("of_others", "this share for the other annotators on these items", "share"),
    Figure(
        "compared",
        "number of items with three ratings or more, if only these are compared",
        "count",
    ),
    Figure("labels", "number of labels that are given less or more, if several", "count"),
    Figure("begins", "share of overlapping spans that begin elsewhere, but near", "share"),
    Figure("ends", "share of overlapping spans that end elsewhere, but near", "share"),
    Figure(
        "one_way",
        "1 if the label is given for the other one, and seldom the other way round",
        "count",
    ),
    Figure("hardly", "1 if mending gains too little to be reported", "count"),
    Figure(
        "kept",
        "1 if leaving these ratings out would leave half of the annotators or fewer",
        "count",
    ),
    Figure("left", "number of annotators left, if findings above leave others out", "count"),
    Figure("on_these", "the coefficient on the items of a group"),
    Figure("on_others", "the coefficient on all other items"),
    Figure("annotators", "number of annotators concerned, if several", "count"),
    Figure("of_annotators", "number of annotators with enough ratings", "count"),
    Figure("before", "the annotator's share of all ratings before the date", "share"),
    Figure("after", "the annotator's share of all ratings from the date on", "share"),
    Figure("easier", "1 if the items that the annotator rated are easier, 0 if harder", "count"),
    Figure("shift", "mean difference of the numbers from the others'", "signed"),
    Figure("ratio", "spread of the annotator's numbers, divided by the spread of the others'"),
    Figure("groups", "groups of the column", "count"),
    Figure("questions", "1 if each group of the column may be a question of its own", "count"),
    Figure(
        "effect", "design effect: the variance, divided by the variance if items were independent"
    ),
    Figure("with_oneself", "agreement of second ratings with the annotator's own first ones"),
    Figure(
        "noise",
        "disagreement with oneself as a share of that with the others, on the same items",
        "share",
    ),
    Figure(
        "share_gained",
        "share of the disagreement beyond chance that a merge would remove, if this is too little",
        "share",
    ),
    Figure("share_lost", "share of the information in the labels that a merge would lose", "share"),
)
"""Values in the sentences about findings; NaN for kinds of findings without the value."""

FINDINGS = (
    Figure(
        "kind",
        'kind of finding: "exchanged_labels", "one_for_another", "favours_label", "guesses", '
        '"changed", "severe", "scale_use", "one_answer", "confused_pair", "hard_group", '
        '"leaves_label_out", "adds_label", "marks_less", "marks_more", "shorter_spans", '
        '"longer_spans", "near_ends", "stopped", "selective", "self_disagreement", "clusters", '
        '"ordered_labels", "same_ratings", "copies" or "doubtful_reading"',
        "word",
        "Finding",
    ),
    Figure("annotator", 'the annotator; "" for everybody', "label", "Annotator"),
    Figure("label", "the label, or the label that is given for another one", "label", "Label"),
    Figure("other_label", "the other label, or the label that is meant", "label", "Other"),
    Figure("third_label", "the third label that is given less or more", "label"),
    Figure("since", 'the start: a date, a batch or a number; "" for none', "label", "Since"),
    Figure("until", 'the end: a date, a batch or a number; "" for none', "label", "Until"),
    Figure("column", "the column of the group of items", "word"),
    Figure(
        "group",
        "the group of items, the annotators with the same ratings, or the code of the doubt",
        "label",
        "Group",
    ),
    Figure("items", "number of items concerned", "count", "Items"),
    Figure(
        "p_value",
        "p-value, corrected for the number of questions; for a cause with a date, at least the "
        "p-value of the date",
        "p",
        "p",
    ),
    Figure(
        "mended_by",
        'how the cause is mended: "recoded" (labels or numbers), "left_out" (ratings), "merged" '
        '(labels), or "" if it cannot be mended from these ratings',
        "word",
        "Mended",
    ),
    Figure(
        "if_mended",
        "the coefficient with this cause and those above mended; for ordered labels, as steps",
        heading="If mended",
    ),
    Figure(
        "gain", "what mending this cause adds to the gains above", "signed", "Gain", beside=ENDS
    ),
    *OF_SENTENCES,
)
"""Variables along findings."""

SCALARS = (
    Figure("estimate", "the coefficient as it is"),
    Figure("if_all_mended", "the coefficient with all causes mended that can be"),
)
"""Variables without an axis."""

IN_JSON = {"findings": FINDINGS, "": SCALARS}
