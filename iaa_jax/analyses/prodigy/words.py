"""The words of the page of Prodigy's blocks."""

from __future__ import annotations

from iaa_jax.wording import Words

WORDS: Words = {
    "lead": ("On {coincident:count example} with two annotations or more: {figures:join , }."),
    "figure": "{title} {estimate:estimate 4}{ends}",
    "no_figure": "{title} undefined ({reason})",
    "ends": " ({confidence:level} interval {ends:interval 4})",
    "lead_labels": (
        "On {coincident:count example} with two annotations or more, of {labels:count label}: "
        "alpha is lowest for {lowest:name} ({low:estimate 4}) and highest for {highest:name} "
        "({high:estimate 4})."
    ),
    "lead_one_label": (
        "On {coincident:count example} with two annotations or more: alpha of {lowest:name} is "
        "{low:estimate 4}."
    ),
    "lead_undefined": (
        "On {coincident:count example} with two annotations or more: alpha is undefined."
    ),
    "annotations": "Annotations",
    "examples": "Distinct examples",
    "categories": "Categories",
    "coincident_examples": "Coincident examples",
    "single_annotation_examples": "Single-annotation examples",
    "annotators": "Annotators",
    "annotations_per_example": "Annotations per example",
    "rows_and_inputs": (
        "annotations are rows, one for each annotator of an example (Prodigy's own table calls "
        "these examples); coincident examples have two annotations or more."
    ),
    "of_each_label": (
        "each label is a question of its own, present or absent in an annotation, over the same "
        "annotations."
    ),
    "nominal": (
        "Labels are the same or not: alpha is nominal, and Gwet's AC2 with identity weights is "
        "AC1, its chance taken from all examples and the possible categories."
    ),
    "of_figures": "{titles:join , }: {note}.",
    "with_label": "annotations and examples with the label.",
}
