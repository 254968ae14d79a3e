"""Describe the variables of the results of `iaa_jax.prodigy`."""

from __future__ import annotations

from iaa_jax.measure.figures import FIGURES, IN_GROUPS
from iaa_jax.wording.figures import ERROR_AND_ENDS, MEANT, Figure

STATISTICS = (
    Figure("annotations", "ratings, which Prodigy calls examples", "short", "Annotations"),
    Figure(
        "examples", "distinct examples, with one annotation or more", "short", "Distinct examples"
    ),
    Figure("categories", "possible labels", "short", "Categories"),
    Figure(
        "coincident_examples",
        "examples with two annotations or more",
        "short",
        "Coincident examples",
    ),
    Figure(
        "single_annotation_examples",
        "examples with one annotation",
        "short",
        "Single-annotation examples",
    ),
    Figure(
        "annotators",
        "number of annotators; if anonymous, the maximum for one example",
        "short",
        "Annotators",
    ),
    Figure(
        "annotations_per_example",
        "mean number of annotations of an example",
        "short",
        "Annotations per example",
    ),
)
"""Variables without an axis, which describe all ratings."""

LABELS = (
    Figure("present_ratings", "annotations with the label", "count", "Annotations"),
    Figure(
        "present_items",
        "examples with the label in one annotation or more",
        "count",
        "Examples",
        footnote="annotations and examples with the label.",
    ),
    Figure(
        "prevalence",
        "mean over examples of the share of their annotations that have the label",
        "share",
        beside=(*ERROR_AND_ENDS, "interval"),
    ),
)
"""Variables along the labels of label sets; each label is present or absent."""

AVERAGES = (
    Figure("estimate", "F1 of pairs of annotators", heading="F1"),
    *(
        figure
        for figure in FIGURES
        if figure.name in ("standard_error", "ci_low", "ci_high", "code", "reason")
    ),
)
"""Variables along the averages of F1 over the labels of spans."""

OF_SPANS = (
    Figure(
        "label_f1",
        "F1 of the label over pairs of annotators",
        heading="Pairwise F1",
        beside=ERROR_AND_ENDS,
    ),
    Figure(
        "support",
        "spans with the label, by both annotators of each pair",
        "count",
        "Support",
        footnote=MEANT,
    ),
    Figure("label_gap", "gain in F1 from partial matching", beside=ERROR_AND_ENDS, footnote=MEANT),
)
"""Variables along labels of spans."""

CONFUSION = (
    Figure(
        "confusion",
        "number of matched spans with these labels; ``NONE`` stands for a span without a match",
        "count",
    ),
    Figure("confusion_share", "the count as a share of its row"),
)
"""Variables along pairs of labels of spans."""

GAP = (
    Figure(
        "gap",
        "gain in F1 from partial over strict matching, for all labels together",
        beside=ERROR_AND_ENDS,
    ),
)
"""Variables without an axis, which describe all spans."""

IN_JSON = {"": STATISTICS, "coefficients": FIGURES}
"""The variables of each part of the JSON record, by the part's name."""

IN_JSON_OF = {
    "iaa prodigy doc multilabel": {"labels": (*IN_GROUPS, *LABELS)},
    "iaa prodigy span": {
        "averages": AVERAGES,
        "labels": OF_SPANS,
        "label_as": CONFUSION,
        "": (*STATISTICS, *GAP),
    },
}
"""Variables of the further parts of the JSON record of some commands."""
