"""Infers the role of a column from its name."""

from __future__ import annotations

import re
from collections.abc import Iterable

from iaa_jax.data.usual_names import ANNOTATOR, ITEM, LABEL, bare_name, named_like_records

USUAL, LIKELY, UNLIKELY = 3.0, 2.0, -3.0
"""Points of a column whose name is usual, likely or unlikely for a role."""

WHO = re.compile(
    r"annotat|rater|person|coder|worker|judge|label+er|reviewer|reader|evaluat|participant|respondent|"
    r"observer|assessor|examiner|expert|panel+ist|physician|doctor|student|listener|voter|users|"
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
OF_ROUND = re.compile(
    r"(^|[\W_])(round|wave|session|visit|period|batch(es)?)s?([\W_]|$)", re.IGNORECASE
)
RIGHT_ANSWERS = re.compile(r"gold|truth|(right|correct)[\W_]*(answer|label|code)", re.IGNORECASE)
NO_ANNOTATOR = re.compile(
    r"text|sentence|comment|content|title|source|url|date|time|split|lang|gold|truth|correct|"
    r"reference|majority|consensus|final|aggregat|adjudicat|mean|avg|average|median|total|count|"
    r"label(?!l?er)|emotion|category|unnamed|^index$|^no\W*$|agree|confidence|certain|"
    r"^(is|has|was|can)[\W_]|flag|predict|(^|[\W_])conf([\W_\d]|$)|^(group|team|words?|tokens?)$|"
    r"^(pre|post|before|after|baseline)([\W_]|$)|"
    r"^(train|test|dev|valid|fold|length|len|rank|order|page|round|batch)$|"
    r"(^|[\W_])(sd|std|stdev|se|var|variance)([\W_]|$)|[\W_]complete\W*$|"
    r"^(age|sex|gender|education|ethnicity|nationality|country|income|cond(ition)?|treatment)$"
)
ANNOTATOR_COLUMN = re.compile(
    r"(annotator|annot|ann|rater|coder|worker|judge|labell?er|reviewer|expert|evaluator|human|"
    r"user|model|reader|observer|participant|respondent|assessor|examiner|annotateur|codeur|juge|"
    r"anotador|codificador|juez|annotatore|kodierer|codierer|gutachter)"
    r"\W*_?((?!conf|time|date|text|note)\w{0,4}|"
    r"\d{1,2}[\W_]*(text|label|rating|score|code|value|answer|annotation|decision)s?)"
    r"|[ar]\d+",
    re.IGNORECASE,
)
PLACE = re.compile(r"\.\d+\.")
"""The index in the name of a column, if the column comes from a list of objects."""
NUMBER = re.compile(r"\d+")
SIDE = re.compile(r"\d+|(?<=[\W_])[a-zA-Z]$")


def choose_annotators(names: Iterable[str]) -> list[str]:
    """Return the column names that are usual for annotators in a table with a row per item."""
    return [name for name in names if ANNOTATOR_COLUMN.fullmatch(name)]


def are_annotators(names: Iterable[str]) -> bool:
    """Tell whether all names are usual for annotators."""
    return all(map(ANNOTATOR_COLUMN.fullmatch, names))


def is_no_annotator(name: str) -> bool:
    """Tell whether a name is unusual for annotators in a table with a row per item."""
    return NO_ANNOTATOR.search(name.lower()) is not None


def are_right_answers(name: str) -> bool:
    """Tell whether the name of a column suggests correct answers."""
    return RIGHT_ANSWERS.search(name) is not None


def as_annotator(name: str) -> float:
    """Return the points of a column name for the role of annotator."""
    if (bare := bare_name(name)) in ANNOTATOR:
        return USUAL - ANNOTATOR.index(bare) / 100
    if WHO.search(name):
        return LIKELY
    odd = WHAT.search(name) or OF_PEOPLE.search(name) or bare in ITEM + LABEL or is_record(name)
    return UNLIKELY if odd else 0.0


def is_round(name: str) -> bool:
    """Tell whether the name of a column suggests a round or a batch."""
    return OF_ROUND.search(name) is not None


def as_item(name: str) -> float:
    """Return the points of a column name for the role of item."""
    bare = bare_name(name)
    if bare in ITEM:
        return USUAL - ITEM.index(bare) / 100
    if bare in ANNOTATOR or WHO.search(name) or bare in LABEL:
        return UNLIKELY / 2
    if OF_PEOPLE.search(name) or OF_TIME.search(name):
        return UNLIKELY
    return LIKELY / 2 if WHAT.search(name) else 0.0


def is_record(name: str) -> bool:
    """Tell whether a name, perhaps numbered, is usual for a platform's metadata."""
    bare = NUMBER.sub("", name).strip("-_. ")
    return named_like_records(bare) or named_like_records(bare.lower())


def as_label(name: str) -> float:
    """Return the points of a column name for the role of label."""
    if (bare := bare_name(name)) in LABEL:
        return USUAL - LABEL.index(bare) / 10
    odd = is_record(name) or are_annotators([name]) or as_item(name) > 0
    return UNLIKELY if odd or OF_PEOPLE.search(name) else 0.0
