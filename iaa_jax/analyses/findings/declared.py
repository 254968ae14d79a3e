"""What a finding says: its figures, declared once."""

from __future__ import annotations

from iaa_jax.wording.figures import ENDS, Figure

OF_SENTENCES = (
    Figure(
        "agreement",
        "how far the annotator agrees with the others, or the ratings of the items among "
        "themselves, from the date on or up to it where there is one; of numbers minus the mean "
        "squared difference",
    ),
    Figure("then", "the same once labels are put right, before the date or after it, or elsewhere"),
    Figure("among_others", "how far the others of these items agree among themselves"),
    Figure("guessed", "share of the ratings that would be as they are if guessed", "share"),
    Figure(
        "share",
        "of the annotator's ratings that have the label; of spans how many a document has, or how "
        "long they are, on average",
    ),
    Figure("of_others", "the same of the others on these items", "share"),
    Figure(
        "compared",
        "items with three ratings, where the figures are of these and not of all",
        "count",
    ),
    Figure("labels", "labels that are given less or more, where they are several", "count"),
    Figure("begins", "share of overlapping spans that begin elsewhere, but near", "share"),
    Figure("ends", "share of those that end elsewhere, but near", "share"),
    Figure("one_way", "1 where the label is given for the other one, and seldom it", "count"),
    Figure("hardly", "1 where putting it right gains too little to be told", "count"),
    Figure("kept", "1 where half of the annotators or fewer would be left without these", "count"),
    Figure("left", "annotators who are left, where others are left out above", "count"),
    Figure("on_these", "the coefficient on the items of a group"),
    Figure("on_others", "the same on all others"),
    Figure("annotators", "how many it is about, where it is about several", "count"),
    Figure("of_annotators", "of how many with enough ratings", "count"),
    Figure("before", "share of all ratings that are the annotator's before the date", "share"),
    Figure("after", "the same from it on", "share"),
    Figure("easier", "1 where the items that were rated are easier, 0 where harder", "count"),
    Figure("shift", "how far the numbers are above those of the others on average", "signed"),
    Figure("ratio", "how wide they are, as a multiple of the others'"),
    Figure("groups", "groups of the column", "count"),
    Figure("questions", "1 where each group of the column may be a question of its own", "count"),
    Figure("effect", "how much larger the variance is than of independent items"),
    Figure("with_oneself", "how far second ratings agree with the annotator's own first ones"),
    Figure(
        "noise",
        "the disagreement with oneself as a share of that with the others, on the same items",
        "share",
    ),
    Figure(
        "share_gained",
        "of the disagreement beyond chance by a merge that is not worth it: it loses more",
        "share",
    ),
    Figure("share_lost", "of the information in the labels by a merge", "share"),
)
"""Figures of the sentences; NaN where a kind has none."""

FINDINGS = (
    Figure(
        "kind",
        'what it is: "exchanged_labels", "one_for_another", "favours_label", "guesses", "changed", '
        '"severe", "scale_use", "one_answer", "confused_pair", "hard_group", "leaves_label_out", '
        '"adds_label", "marks_less", "marks_more", "shorter_spans", "longer_spans", "near_ends", '
        '"stopped", "selective", "self_disagreement", "clusters", "ordered_labels", '
        '"same_ratings", "copies" or "doubtful_reading"',
        "word",
        "Finding",
    ),
    Figure("annotator", 'who; "" for everybody', "label", "Annotator"),
    Figure("label", "the label, or the one that is given", "label", "Label"),
    Figure("other_label", "the other one, the one that is meant, or the next", "label", "Other"),
    Figure("third_label", "the third that is given less or more", "label"),
    Figure("since", 'from when on: a date, a batch or a number; "" for always', "label", "Since"),
    Figure("until", "up to when, likewise", "label", "Until"),
    Figure("column", "the column of a group of items", "word"),
    Figure(
        "group",
        "the group; who else gave the same ratings; of a doubtful reading the code of its note",
        "label",
        "Group",
    ),
    Figure("items", "items that it is about", "count", "Items"),
    Figure("p_value", "times the number of questions; of a date not below its own", "p", "p"),
    Figure(
        "mended_by",
        'how: "recoded" (other labels or numbers), "left_out" (the ratings), "merged" (labels), "" '
        "where these ratings do not tell",
        "word",
        "Mended",
    ),
    Figure(
        "if_mended",
        "the coefficient with this and those above mended; of ordered labels with these as steps",
        heading="If mended",
    ),
    Figure("gain", "what that adds to those above", "signed", "Gain", beside=ENDS),
    *OF_SENTENCES,
)
"""Along findings."""

SCALARS = (
    Figure("estimate", "the coefficient as it is"),
    Figure("if_all_mended", "the coefficient with all mended that can be"),
)
"""Of all."""

IN_JSON = {"findings": FINDINGS, "": SCALARS}
"""The figures of each part of the JSON record, by its name."""
