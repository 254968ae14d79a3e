"""Declarations of the variables of panels."""

from __future__ import annotations

from iaa_jax.wording.figures import ENDS, MEANT, Figure

PANELS = (
    Figure("estimate", "the coefficient of the panel", heading="Figure"),
    Figure("size_of_panel", "number of annotators in the panel", "count"),
    Figure("items_of_panel", "items that two or more members of the panel rated", "count", "Items"),
    Figure("members", "members of the panel", "word"),
)
"""Variables along panels, by size and then in the order of annotators."""

SIZES = (
    Figure("panels", "panels of the size", "count"),
    Figure(
        "passed_over",
        "defined panels that share too few items to be chosen",
        "count",
    ),
    Figure("undefined", "undefined panels", "count"),
    Figure("best", "highest coefficient", heading="Figure"),
    Figure("best_items", "items that two or more members of the best panel rated", "count"),
    Figure("second", "second highest coefficient"),
    Figure("worst", "lowest coefficient", heading="Worst"),
    Figure("mean", "mean coefficient", heading="Mean"),
    Figure("best_members", "members of the best panel", "word"),
    Figure("second_members", "members of the second best panel", "word"),
    Figure("worst_members", "members of the worst panel", "word"),
    Figure("equal", "other panels that are as good as the best", "count"),
    Figure(
        "lead",
        "lead of the best panel over the second; each end is the farther one of a normal interval "
        "and of percentiles of paired draws",
        "signed",
        beside=ENDS,
    ),
    Figure(
        "gain",
        "lead of the best panel over all annotators, with ends as for ``lead``",
        "signed",
        "Over all",
        beside=ENDS,
    ),
    Figure(
        "gain_p_value",
        "how often some panel of this size leads all annotators as far if the ratings of each item "
        "are permuted among its annotators (adjusted for the number of sizes)",
        "p",
        "p",
        footnote=MEANT,
    ),
    Figure(
        "chosen",
        "share of resamples in which this panel is best",
        "share",
        "Chosen",
        footnote=MEANT,
    ),
    Figure(
        "lead_in_sample",
        "mean gain, on half of the items, of the panel that is best on this half",
        "signed",
    ),
    Figure(
        "lead_out_of_sample",
        "the lead over all, on one half of the items, of the panel chosen on the other half",
        "signed",
        "Other half",
        footnote=MEANT,
    ),
)
"""Variables along sizes, from 2 to all annotators."""

ANNOTATORS = (
    Figure(
        "shapley",
        "Shapley share of the coefficient of all: what the annotator adds, averaged over all "
        "orders of joining",
        "signed",
        "Share",
        beside=ENDS,
        footnote=MEANT,
    ),
    Figure(
        "without",
        "the coefficient without the annotator",
        heading="Without",
        footnote="{title} without the annotator.",
    ),
    Figure("rank", "1 for the smallest share", "count"),
)
"""Variables along annotators."""

SCALARS = (Figure("estimate_of_all", "the coefficient of all annotators"),)
"""Variables of all annotators together."""

REPLACED = (
    Figure(
        "with_spammer",
        "the coefficient with a spammer in the annotator's place, mean of draws",
        heading="Spammer",
        footnote=(
            "somebody who rates at random, at the panel's label rates; mean of {draws:count} "
            "simulated. Range: from {low:level} to {high:level} of these."
        ),
    ),
    Figure("spammer_low", "2.5 % quantile of these draws"),
    Figure("spammer_high", "97.5 % quantile of these draws"),
    Figure(
        "with_echo",
        "the coefficient with a copy of another annotator, mean over those copied",
        heading="Echo",
        footnote="somebody who copies another annotator; mean over the annotators copied.",
    ),
    Figure("echo_low", "lowest coefficient with a copy"),
    Figure("echo_high", "highest coefficient with a copy"),
    Figure("with_expert", "the coefficient with an expert, who is always right", heading="Expert"),
    Figure(
        "position",
        "``(estimate - with_spammer) / (with_expert - with_spammer)``: 0 for an annotator who does "
        "no more for the coefficient than a spammer, 1 for one who does as much as an expert",
        "share",
        "Position",
        footnote=(
            "how far the annotator is on the way from spammer (0 %) to expert (100 %); also low "
            "for an annotator who is right where the others are wrong."
        ),
    ),
)
"""Variables along annotators who are replaced."""

IN_JSON = {
    "panels": PANELS,
    "sizes": SIZES,
    "annotators": ANNOTATORS,
    "": SCALARS,
    "what_if": REPLACED,
}
"""The variables of each part of the JSON record, by the name of the part."""
