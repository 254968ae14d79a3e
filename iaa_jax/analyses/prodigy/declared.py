"""The variables of Prodigy's statistics, declared once."""

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
    Figure("single_annotation_examples", "with one", "short", "Single-annotation examples"),
    Figure(
        "annotators",
        "number of annotators; if anonymous, the most for one example",
        "short",
        "Annotators",
    ),
    Figure("annotations_per_example", "annotations on average", "short", "Annotations per example"),
)
"""Variables of all ratings."""

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
"""Variables along labels of sets, each present or absent."""

AVERAGES = (
    Figure("estimate", "F1 of pairs of annotators", heading="F1"),
    *(
        figure
        for figure in FIGURES
        if figure.name in ("standard_error", "ci_low", "ci_high", "code", "reason")
    ),
)
"""Variables along averages over spans."""

OF_SPANS = (
    Figure(
        "label_f1",
        "F1 of the label over pairs of annotators",
        heading="Pairwise F1",
        beside=ERROR_AND_ENDS,
    ),
    Figure(
        "support",
        "spans with the label, on both sides of pairs",
        "count",
        "Support",
        footnote=MEANT,
    ),
    Figure("label_gap", "gain of F1 from partial matching", beside=ERROR_AND_ENDS, footnote=MEANT),
)
"""Variables along labels of spans."""

CONFUSION = (
    Figure("confusion", "pairs of partner spans by the label of each, ``NONE`` for none", "count"),
    Figure("confusion_share", "the share of its row"),
)
"""Variables along pairs of labels of spans."""

GAP = (
    Figure(
        "gap",
        "gain of F1 from partial matching over strict matching, for all labels",
        beside=ERROR_AND_ENDS,
    ),
)
"""Variables of all spans."""

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
"""The variables of commands with a record of their own."""
