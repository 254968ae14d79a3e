"""Finds columns whose names combine a question and an annotator, such as "tone_ann"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from iaa_jax._errors import shown
from iaa_jax.io.layout.evidence import APART, PAIR, agreement_beside, groups_of_labels
from iaa_jax.io.layout.names import are_annotators
from iaa_jax.io.layout.rating_rows import TOLD, TableReading
from iaa_jax.io.layout.sample import Sample
from iaa_jax.io.table.columns import split_names
from iaa_jax.io.table.proposal import MOST, each_by

MARKS = (" - ", " / ", ": ", "_", ".", " ", "/", ":", "-")
MOST_LACKING = 0.25  # maximum share of pairs of question and annotator without a column
SHOWN = 4  # maximum number of names in a piece of advice

Groups = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Crossed:
    """Columns grouped by the first part of their names, and by the second."""

    mark: str
    first: Groups
    second: Groups


def crossed(names: Sequence[str]) -> Crossed | None:
    """Split column names into two parts, if nearly all pairs of a first and a second part occur.

    Examples
    --------
    >>> found = crossed(["tone_ann", "tone_bob", "topic_ann", "topic_bob"])
    >>> [*found.first], [*found.second]
    (['tone', 'topic'], ['ann', 'bob'])
    >>> crossed(["rater_1", "rater_2", "rater_3", "rater_4"]) is None
    True
    """
    if len(names) < PAIR * PAIR:
        return None
    for mark in MARKS:
        for cut in (str.rpartition, str.partition):
            parts = [cut(name, mark)[::2] for name in names]
            if not all(part.strip() for pair in parts for part in pair):
                continue
            sides: list[dict[str, list[str]]] = [{}, {}]
            for name, pair in zip(names, parts, strict=True):
                for side, part in zip(sides, pair, strict=True):
                    side.setdefault(part, []).append(name)
            first, second = map(len, sides)
            if min(first, second) >= PAIR and len(names) >= (1 - MOST_LACKING) * first * second:
                return Crossed(mark, *sides)
    return None


def question_readings(
    table: Sample, names: Sequence[str], items: Mapping[str, object]
) -> Iterator[TableReading]:
    """Yield readings (options for a table) if the names have two parts: annotator and question.

    Only one reading is yielded if the names or the labels show which part is the question.
    """
    grouping = crossed(names)
    if grouping is None:
        return
    sides = [
        (grouping.first, [*grouping.second], f"{{}}{grouping.mark}*"),
        (grouping.second, [*grouping.first], f"*{grouping.mark}{{}}"),
    ]
    joined = groups_of_labels(table.labels_of(names))
    called = [side for side in sides if are_annotators(side[1])] or [
        side for side in sides if joined[1:] and _within(joined, side[0])
    ]
    if not called:
        alphas = [_agreement_within(table, questions) for questions, *_ in sides]
        called = [sides[int(np.argmax(alphas))]] if np.ptp(alphas) > APART else []
    for questions, annotators, pattern in called if len(called) == 1 else sides:
        ways = []
        for question, columns in islice(questions.items(), MOST + 1):
            way = pattern.replace("{}", question)
            ways.append(
                way if [*split_names(way, table.start.names)] == columns else ",".join(columns)
            )
        condition = (
            f"if {shown([*questions], SHOWN)} are questions and {shown(annotators, SHOWN)} "
            "annotators"
        )
        also = "" if any("," in way for way in ways) else f"; {each_by(ways)}"
        chosen = {**items, "annotators": ways[0]}
        yield TableReading("questions", chosen, TOLD, condition, sure=False, also=also)


def _agreement_within(table: Sample, questions: Groups) -> float:
    """Return the mean agreement of the columns of each question."""
    of_each = ([table.columns[name] for name in names] for names in questions.values())
    return float(np.mean([np.nan_to_num(agreement_beside(columns)[0]) for columns in of_each]))


def _within(joined: Sequence[Sequence[str]], questions: Groups) -> bool:
    """Tell whether every group of columns that share labels belongs to a single question."""
    of_name = {name: each for each, names in questions.items() for name in names}
    return all(len({of_name[name] for name in group}) == 1 for group in joined)
