"""Reads exports of BORIS: events of an observation as a table, with times in seconds.

In an aggregated table, an event has one row. In a tabular one, it has a row for its start and one
for its stop, or a single row if it is a point. Files or folders name the observer. The events of
each subject are a layer (a question of its own).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from iaa_jax._errors import IaaError, brief
from iaa_jax.data.labels import parse_number
from iaa_jax.io.export.answers import Span, separate_units, time_span
from iaa_jax.io.export.folders import by_folder, fields_of
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.table.source import Source
from iaa_jax.io.table.splitting import records_of

_OBSERVATION, _SUBJECT, _BEHAVIOR = "Observation id", "Subject", "Behavior"
_AGGREGATED = (_BEHAVIOR, "Start (s)", "Stop (s)")
_TABULAR = (_BEHAVIOR, "Time")
_STATES = ("Status", "Behavior type")  # one of these columns holds START, STOP and POINT
_LENGTHS = ("Total length", "Media duration (s)", "Observation duration")
_NOBODY = ("", "No focal subject")
_LOOKED_AT = 1 << 14
_MARK = re.compile(r"^\"?(Observation id|Time)\"?[\t,].*\bBehavior\b", re.MULTILINE)


class _Event(NamedTuple):
    """An event: its observation, subject and span, and its row."""

    observation: str
    subject: str
    span: Span
    row: Mapping[str, str]


class Boris:
    """Reads events of BORIS."""

    name = "boris"
    title = "BORIS"
    summary = "BORIS: tabular and aggregated events as spans in seconds, a file for each observer"
    known_by = "columns `Behavior`, `Start (s)` and `Stop (s)`, or `Time`, `Behavior` and `Status`"
    example = "spans events/"

    def choose(self, sources: Sequence[Source]) -> Sequence[Source]:
        """Return the files with events."""
        return [source for source in sources if _is_of(source)]

    def read(self, sources: Sequence[Source], export: Export) -> None:
        """Read the events of each observation, a layer for each subject."""
        export.note_format("events, times in seconds")
        export.named_by.items = _OBSERVATION
        events = {id(source): list(_events(source)) for source in sources}
        everybody = {event.subject for found in events.values() for event in found}
        ways = by_folder(sources)
        by_file = len({folder for folder, _ in ways}) == 1 < len(sources)
        for source, (folder, _) in zip(sources, ways, strict=True):
            who = source.stem if by_file and not source.annotator else folder
            export.begin_file(source)
            of_whom: dict[tuple[str, str], list[_Event]] = {}
            observations = dict.fromkeys(event.observation for event in events[id(source)])
            for subject in sorted(everybody):
                of_whom |= {(observation, subject): [] for observation in observations}
            for event in events[id(source)]:
                of_whom[event.observation, event.subject].append(event)
                _measure(event, export)
            for (observation, subject), found in of_whom.items():
                name = subject if len(everybody) > 1 else "events"
                marked = separate_units(event.span for event in found)
                fields = {**fields_of(source, observation, who), **(found[0].row if found else {})}
                export.add(export.question(name, "spans"), observation, who, marked, fields=fields)


TOOL = Boris()


def _is_of(source: Source) -> bool:
    try:
        return _MARK.search(source.beginning(_LOOKED_AT)) is not None and bool(_head(source))
    except IaaError:
        return False


def _head(source: Source) -> tuple[str, int, Sequence[str]] | None:
    data = source.content(_LOOKED_AT)
    for mark in ("\t", ","):
        for line, cells in records_of(data, mark):
            names = [cell.strip() for cell in cells]
            is_tabular = {*_TABULAR} <= {*names} and not {*_STATES}.isdisjoint(names)
            if is_tabular or {*_AGGREGATED} <= {*names}:
                return mark, line, names
    return None


def _rows(source: Source) -> Iterator[tuple[int, dict[str, str]]]:
    header = _head(source)
    if header is None:
        raise IaaError(f"{source} has no line with the columns {', '.join(_AGGREGATED)}")
    mark, head, names = header
    above: dict[str, str] = {}
    for line, cells in records_of(source.content(), mark):
        row = [cell.strip() for cell in cells]
        if line < head:
            above.setdefault(row[0], row[1] if len(row) > 1 else "")
        elif line > head and any(row):
            if len(row) != len(names):
                raise IaaError(f"{source} line {line}: {len(row)} cells for {len(names)} columns")
            cells_by_name = dict(zip(names, row, strict=True))
            cells_by_name.setdefault(_OBSERVATION, above.get(_OBSERVATION, "") or source.stem)
            yield line, cells_by_name


def _events(source: Source) -> Iterator[_Event]:
    begun: dict[tuple[str, str, str, str], tuple[float, str]] = {}
    for line, row in _rows(source):
        where = f"{source} line {line}"
        observation, subject = row[_OBSERVATION], row.get(_SUBJECT, "")
        subject = _NOBODY[1] if subject in _NOBODY else subject
        if {*_AGGREGATED} <= row.keys():
            start, end = (_time(row[name], where) for name in _AGGREGATED[1:])
            span = time_span(start, end, row[_BEHAVIOR], where)
            yield _Event(observation, subject, span, row)
            continue
        state = next(row[name].upper() for name in _STATES if name in row)
        time = _time(row["Time"], where)
        more = "|".join(row[name] for name in row if name.startswith("Modifier"))
        key = observation, subject, row[_BEHAVIOR], more
        if state == "START" and key not in begun:
            begun[key] = time, where
        elif state == "STOP" and key in begun:
            span = time_span(begun.pop(key)[0], time, row[_BEHAVIOR], where)
            yield _Event(observation, subject, span, row)
        elif state == "POINT":
            yield _Event(observation, subject, time_span(time, time, row[_BEHAVIOR], where), row)
        else:
            raise IaaError(
                f"{where}: the behavior {brief(row[_BEHAVIOR])} has {brief(state)} here, where "
                f"{'STOP' if key in begun else 'START or POINT'} is due: mend it in BORIS, or "
                "export aggregated events"
            )
    for key, (_, where) in begun.items():
        raise IaaError(
            f"{where}: the behavior {brief(key[2])} starts and never stops: mend it in BORIS "
            "(Observations > Check state events)"
        )


def _time(cell: str, where: str) -> float:
    number = parse_number(cell)
    if number is None:
        raise IaaError(f"{where}: {brief(cell)} is not a time in seconds: export times as seconds")
    return number


def _measure(event: _Event, export: Export) -> None:
    """Record the length of a recording; if an event ends later, the end of this event."""
    cell = next((event.row[name] for name in _LENGTHS if event.row.get(name)), "")
    length = parse_number(cell)
    if length is not None and 0 < length < float("inf"):
        known = export.lengths.get(event.observation, 0)
        export.lengths[event.observation] = max(known, length, event.span.end)
