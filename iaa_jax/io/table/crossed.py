"""Columns of a table that are questions and annotators at once, as "tone_ann", "topic_ann"."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from iaa_jax._errors import IaaError, shown
from iaa_jax.io.table.columns import (
    choose_annotators,
    groups_of_labels,
    labels_of_columns,
)
from iaa_jax.io.table.head import Head
from iaa_jax.io.table.proposal import Proposal, Told, each_by
from iaa_jax.io.table.source import Source
from iaa_jax.wording import with_ways

MARKS = (" - ", " / ", ": ", "_", ".", " ", "/", ":", "-")  # between the parts of a name
PAIR = 2
MOST_LACKING = 0.25  # share of pairs of a question and an annotator
SHOWN = 4  # parts that a condition names

Groups = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Crossed:
    """Columns by the first part of their names, and by the second."""

    mark: str
    first: Groups
    second: Groups


def crossed(names: Sequence[str]) -> Crossed | None:
    """The two parts of names of columns, if nearly every first one stands beside every second.

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


def of_questions(head: Head, names: Sequence[str], named: Told) -> Iterator[Proposal]:
    """How each question is read by itself; both ways where it is open which parts are questions."""
    found = crossed(names)
    if found is None:
        return
    sides = [
        (found.first, [*found.second], f"{{}}{found.mark}*"),
        (found.second, [*found.first], f"*{found.mark}{{}}"),
    ]
    sure, likely = _are_questions(head, found)
    sides.sort(key=lambda side: side[0] is not likely)
    for questions, annotators, pattern in sides[:1] if sure else sides:
        fitting = _Fitting(head.names)
        ways = [
            way if fitting.number(way) == len(columns) else ",".join(columns)
            for question, columns in questions.items()
            for way in [pattern.replace("{}", question)]
        ]
        condition = (
            f"if {shown([*questions], SHOWN)} are questions and {shown(annotators, SHOWN)} "
            "annotators"
        )
        also = "" if any("," in way for way in ways) else f"; {each_by(ways)}"
        yield Proposal(condition, {**named, "annotators": ways[0]}, also)


class _Fitting:
    """How many names of columns fit a star at the end, or at the beginning."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = {*names}
        self.forwards = sorted(names)
        self.backwards = sorted(name[::-1] for name in names)

    def number(self, pattern: str) -> int:
        """The number of them; 0 where the star may be one of a name."""
        if pattern.count("*") != 1 or pattern in self.names:
            return 0
        start, _, end = pattern.partition("*")
        among, part = (self.forwards, start) if start else (self.backwards, end[::-1])
        first = bisect_left(among, part)
        return bisect_right(among, part, lo=first, key=lambda name: name[: len(part)]) - first


def refuse_crossed(source: Source, head: Head, ids: Sequence[str], names: Sequence[str]) -> None:
    """Refuse columns that nobody named, and that mix questions if all are taken for annotators."""
    named: Told = {"item": ",".join(ids)} if ids else {}
    ways = [way.text for way in of_questions(head, names, named)]
    if ways:
        msg = (
            f"{source}: the names of the columns {shown(names, SHOWN)} say which question it is, "
            "and who answered; all of them together would mix questions"
        )
        raise IaaError(with_ways(msg, ways))


def _are_questions(head: Head, found: Crossed) -> tuple[bool, Groups]:
    """Whether it is sure which parts are the questions, and which likely are."""
    first, second = found.first, found.second
    people = [choose_annotators([*side]) == [*side] for side in (first, second)]
    if people[0] != people[1]:
        return True, first if people[1] else second
    labels_of = labels_of_columns(head, [name for names in first.values() for name in names])
    joined = groups_of_labels(labels_of)
    for side in (first, second):
        part_of = {name: part for part, names in side.items() for name in names}
        if joined[1:] and all(len({part_of[name] for name in each}) == 1 for each in joined):
            return True, side
    alike = [_have_scales(side, labels_of) for side in (first, second)]
    return False, second if alike == [False, True] else first


def _have_scales(side: Groups, labels_of: Mapping[str, set[object]]) -> bool:
    """Whether columns of a part have the same labels, and those of some other part others."""
    kinds = [{frozenset(labels_of.get(name, ())) for name in names} for names in side.values()]
    return all(len(kind) == 1 for kind in kinds) and len(set().union(*kinds)) > 1
