"""What the name of a column says of its role."""

from __future__ import annotations

import re

from iaa_jax.data.usual import ANNOTATOR, ITEM, LABEL, bare_name, named_like_records
from iaa_jax.io.table.columns import choose_annotators

USUAL, LIKELY, UNLIKELY = 3.0, 2.0, -3.0
"""Points of a name that the role usually has, of one like it, and of one that others have."""

WHO = re.compile(
    r"annotat|rater|person|coder|worker|judge|label+er|reviewer|reader|evaluat|participant|respondent|"
    r"observer|assessor|examiner|expert|panel+ist|physician|doctor|student|listener|"
    r"kodierer|codierer|beurteil|bewerter|codeur|juge|anotador|codificador|juez|evaluador|"
    r"annotatore|valutator|beoordel|"
    r"(^|[\W_])(user|who|by)([\W_]*(id|name|no|nr|num|number|key))?$",
    re.IGNORECASE,
)
WHAT = re.compile(
    r"([\W_]|^)(id|no|nr|num|number|key|idx|doc|document|text|sentence|image|img|picture|video|clip|"
    r"audio|tweet|comment|post|question|prompt|query|passage|segment|utterance|sample|seq|line|turn|"
    r"position)([\W_]|$)|"
    r"[a-z]I[dD]$"
)
OF_PEOPLE = re.compile(
    r"(^|[\W_])(age|gender|sex|education|ethnicity|country|nationality|income|native)([\W_]|$)",
    re.IGNORECASE,
)
OF_TIME = re.compile(
    r"(^|[\W_])(date|(time)?stamp|time|year|quarter|month|week(day)?|day|hour|minute|second|visit|"
    r"session|round|wave|period)s?([\W_]|$)",
    re.IGNORECASE,
)
CONCLUSION = re.compile(
    r"(^|[\W_])(gold|truth|majority|consens\w*|konsens\w*|adjudicat\w*|reconcil\w*|resolved|selected|agreed)([\W_]|$)",
    re.IGNORECASE,
)
PLACE = re.compile(r"\.\d+\.")
"""A part of an object in a list, which `records` leads to."""
NUMBER = re.compile(r"\d+")
SIDE = re.compile(r"\d+|(?<=[\W_])[a-zA-Z]$")


def as_annotator(name: str) -> float:
    """Points of a name as that of annotators."""
    if (bare := bare_name(name)) in ANNOTATOR:
        return USUAL - ANNOTATOR.index(bare) / 100
    if WHO.search(name):
        return LIKELY
    odd = WHAT.search(name) or bare in ITEM + LABEL or is_record(name)
    return UNLIKELY if odd else 0.0


def as_item(name: str) -> float:
    """Points of a name as that of items."""
    bare = bare_name(name)
    if bare in ITEM:
        return USUAL - ITEM.index(bare) / 100
    if bare in ANNOTATOR or WHO.search(name) or bare in LABEL:
        return UNLIKELY / 2
    if OF_PEOPLE.search(name) or OF_TIME.search(name):
        return UNLIKELY
    return LIKELY / 2 if WHAT.search(name) else 0.0


def is_record(name: str) -> bool:
    """Whether a column is called as what a platform says of an answer, perhaps numbered."""
    bare = NUMBER.sub("", name).strip("-_. ")
    return named_like_records(bare) or named_like_records(bare.lower())


def as_label(name: str) -> float:
    """Points of a name as that of labels."""
    if (bare := bare_name(name)) in LABEL:
        return USUAL - LABEL.index(bare) / 10
    odd = is_record(name) or choose_annotators([name]) or as_item(name) > 0
    return UNLIKELY if odd or OF_PEOPLE.search(name) else 0.0
