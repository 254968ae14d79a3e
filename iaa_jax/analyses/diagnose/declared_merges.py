"""Declarations of the variables of merges of labels."""

from __future__ import annotations

from iaa_jax.wording.figures import ENDS, MEANT, Figure

MERGES = (
    Figure("first", "a label", "label", "Label"),
    Figure("second", "another label, to merge with the first", "label", "And"),
    Figure("agreement", "the coefficient if the two labels are merged", heading="Agreement"),
    Figure("gain", "gain in the coefficient (normal interval)", "signed", "Gain", beside=ENDS),
    Figure("bits_lost", "information that the merge loses, in bits per rating"),
    Figure("share_lost", "lost information as a share of ``entropy``", "share", "Lost"),
    Figure(
        "confused", "pairs of an item's ratings with the two labels", heading="Confused", decimals=1
    ),
    Figure(
        "by_chance",
        "confusions expected if errors fall at random, by the model that explains most: errors by"
        " the labels' shares, even errors, or errors by how much each label attracts",
        heading="At random",
        decimals=1,
        footnote=MEANT,
    ),
    Figure(
        "p_value",
        "probability that random errors confuse labels as often, over all pairs",
        "p",
        "p",
        footnote=MEANT,
    ),
    Figure(
        "confused_by",
        "if a merge would be worthwhile, the annotator without whom chance explains it",
        "label",
        "Confused by",
    ),
)
"""Variables along merges of two labels, by falling gain."""

STEPS = (
    Figure("merged", "the name of the merged label", "label", "Merged"),
    Figure("labels_left", "number of labels after the merge", "count", "Labels left"),
    Figure("agreement_then", "the coefficient after the merge", heading="Agreement"),
    Figure("gain_then", "gain in the coefficient over no merge", "signed", "Gain"),
    Figure(
        "share_lost_then",
        "share lost of the entropy of all labels",
        "share",
        "Lost",
        footnote="share of a label's information ({entropy:estimate 2} bits) lost by merging.",
    ),
    Figure("p_value_then", "p-value of the merge, given the merges before it", "p", "p"),
)
"""Variables along suggested merges, each in addition to those before it."""

UNMERGED = (
    Figure("estimate", "the coefficient without any merge"),
    Figure("entropy", "entropy of all labels, in bits per rating"),
    Figure("picked", "mean gain of the best merge on a random half of the items"),
    Figure("elsewhere", "mean gain of the same merge on the other half"),
)
"""Variables without an axis: all labels before any merge, and the check of the best merge."""
