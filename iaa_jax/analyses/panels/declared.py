"""What panels give: their figures, declared once."""

from __future__ import annotations

from iaa_jax.wording.figures import ENDS, Figure

PANELS = (
    Figure("estimate", "the coefficient of the panel", heading="Figure"),
    Figure("size_of_panel", "its annotators", "count"),
    Figure("members", "who is in it", "word"),
)
"""Along panels, by size and then in the order of annotators."""

SIZES = (
    Figure("panels", "panels of the size", "count"),
    Figure("undefined", "those without a figure", "count"),
    Figure("best", "highest figure", heading="Figure"),
    Figure("second", "second highest"),
    Figure("worst", "lowest", heading="Worst"),
    Figure("mean", "mean of the figures", heading="Mean"),
    Figure("best_members", "who is in the best panel", "word"),
    Figure("second_members", "who is in the second", "word"),
    Figure("worst_members", "who is in the worst", "word"),
    Figure("equal", "other panels that are as good as the best", "count"),
    Figure(
        "lead",
        "of the best over the second; ends normal or percentiles of paired draws, the farther ones",
        "signed",
        beside=ENDS,
    ),
    Figure("gain", "of the best over all annotators, likewise", "signed", "Over all", beside=ENDS),
    Figure("gain_p_value", "whether that is more than alike annotators would let it be", "p", "p"),
    Figure("chosen", "share of draws in which the same panel is the best", "share", "Chosen"),
    Figure("picked", "mean gain of the best panel on half of the items, there", "signed"),
    Figure("elsewhere", "the same on the other half", "signed", "Other half"),
)
"""Along sizes, from 2 to all."""

ANNOTATORS = (
    Figure(
        "shapley",
        "the annotator's share of the figure of all (Shapley)",
        "signed",
        "Share",
        beside=ENDS,
    ),
    Figure("without", "the coefficient without the annotator", heading="Without"),
    Figure("rank", "1 for the smallest share", "count"),
)
"""Along annotators."""

SCALARS = (Figure("estimate_of_all", "the coefficient of all annotators"),)
"""Of all."""

REPLACED = (
    Figure(
        "with_spammer",
        "the coefficient with a spammer in the annotator's place, mean of draws",
        heading="Spammer",
    ),
    Figure("spammer_low", "2.5 % of these draws"),
    Figure("spammer_high", "97.5 % of these draws"),
    Figure(
        "with_echo", "with one who copies another annotator, mean over those copied", heading="Echo"
    ),
    Figure("echo_low", "the least of these"),
    Figure("echo_high", "the most of these"),
    Figure("with_expert", "with one who is always right", heading="Expert"),
    Figure(
        "position",
        "``(estimate - with_spammer) / (with_expert - with_spammer)``: 0 for an annotator who does "
        "no more for the coefficient than a spammer, 1 for one who does as much as an expert",
        "share",
        "Position",
    ),
)
"""Along annotators who are replaced."""

IN_JSON = {
    "panels": PANELS,
    "sizes": SIZES,
    "annotators": ANNOTATORS,
    "": SCALARS,
    "what_if": REPLACED,
}
"""The figures of each part of the JSON record, by its name."""
