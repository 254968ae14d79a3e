"""Columns of a table that are questions and annotators at once, as "tone_ann", "topic_ann"."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from iaa_jax._errors import shown
from iaa_jax.io.layout.evidence import groups_of_labels
from iaa_jax.io.layout.names import are_annotators
from iaa_jax.io.layout.sample import Sample
from iaa_jax.io.table.proposal import Proposal, each_by

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


def of_questions(table: Sample, names: Sequence[str]) -> Iterator[Proposal]:
    """How each question is read by itself; both ways where it is open which parts are questions."""
    found = crossed(names)
    if found is None:
        return
    sides = [
        (found.first, [*found.second], f"{{}}{found.mark}*"),
        (found.second, [*found.first], f"*{found.mark}{{}}"),
    ]
    sure, likely = _are_questions(table, found)
    sides.sort(key=lambda side: side[0] is not likely)
    for questions, annotators, pattern in sides[:1] if sure else sides:
        fitting = _Fitting(table.start.names)
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
        yield Proposal(condition, {"annotators": ways[0]}, also)


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


def _are_questions(table: Sample, found: Crossed) -> tuple[bool, Groups]:
    """Whether it is sure which parts are the questions, and which likely are."""
    first, second = found.first, found.second
    people = [are_annotators(side) for side in (first, second)]
    if people[0] != people[1]:
        return True, first if people[1] else second
    labels_of = table.labels_of(name for names in first.values() for name in names)
    joined = groups_of_labels(labels_of)
    for side in (first, second):
        part_of = {name: part for part, names in side.items() for name in names}
        if joined[1:] and all(len({part_of[name] for name in each}) == 1 for each in joined):
            return True, side
    alike = [_have_scales(side, labels_of) for side in (first, second)]
    return False, second if alike == [False, True] else first


def _have_scales(side: Groups, labels_of: Mapping[str, frozenset[object]]) -> bool:
    """Whether columns of a part have the same labels, and those of some other part others."""
    kinds = [{frozenset(labels_of.get(name, ())) for name in names} for names in side.values()]
    return all(len(kind) == 1 for kind in kinds) and len(set().union(*kinds)) > 1
