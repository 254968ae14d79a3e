"""Texts of the pages of Prodigy's statistics, by code."""

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
    "lead_f1": (
        "On {coincident:count example} with two annotations or more: pairwise F1 of {match} is "
        "{estimate:estimate 4}{ends}, micro-averaged; it is lowest for {lowest:name} "
        "({low:estimate 4}). Partial matching gains {gap:estimate 4}."
    ),
    "lead_no_f1": (
        "On {coincident:count example} with two annotations or more: F1 is undefined ({reason})."
    ),
    "match_strict": "spans with the same boundaries and label",
    "match_partial": "spans that overlap with the same label",
    "average_micro": "micro: counts of all pairs and labels added up",
    "average_macro": "macro: mean over labels",
    "average_weighted": "weighted by support",
    "gap": "Partial gain",
    "average_gap": "Partial gain",
    "confusion": "Confusion of labels: label by a pair's first annotator (rows), as shares of rows",
    "none_with_none": (
        "{none:name} stands for no matching span; text that neither annotator marked is not "
        "counted."
    ),
    "labelled": "{label:name}",
    "rows_and_inputs": (
        "an annotation is the answer of one annotator to one example (Prodigy's table calls it an "
        "example); coincident examples have two annotations or more."
    ),
    "of_each_label": ("each label is measured as present or absent, over all annotations."),
    "nominal": (
        "Labels count as equal or different: alpha is nominal, and Gwet's AC2 with identity "
        "weights is AC1, with expected agreement from all examples and the possible categories."
    ),
    "of_figures": "{titles:join , }: {note}.",
}
