"""Reads files of ELAN: tiers of annotations on the time line of a recording, in seconds.

If tiers name several annotators, all tiers of one type (and recorded person) are a layer (a
question). Otherwise each tier is a layer, and folders or file names identify the annotators.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from iaa_jax._errors import IaaError, brief
from iaa_jax.io.export.answers import Span, separate_units, time_span
from iaa_jax.io.export.folders import by_folder, fields_of, parsed
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.export.xml import root_name, root_of
from iaa_jax.io.table.source import Source
from iaa_jax.wording import Note

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_ROOT = "ANNOTATION_DOCUMENT"
_UNITS = {"milliseconds": 1000}
_TIME = re.compile(r"\d{1,15}")
# type of tiers whose annotations subdivide one of another tier, and have no times themselves
_WITHOUT_TIMES = "Symbolic_Subdivision"


class _Tier(NamedTuple):
    name: str
    type: str
    participant: str
    annotator: str
    spans: list[Span]


class _Recording(NamedTuple):
    source: Source
    tiers: list[_Tier]
    untimed: int

    @property
    def annotators(self) -> set[str]:
        """The annotators that tiers name."""
        return {tier.annotator for tier in self.tiers if tier.annotator}


class Elan:
    """Reads ELAN's files."""

    name = "elan"
    title = "ELAN"
    summary = (
        "ELAN: tiers of .eaf as spans in seconds, by ANNOTATOR, or a folder for each annotator"
    )
    known_by = "XML whose root is `ANNOTATION_DOCUMENT`"
    example = "spans recordings/ --question gesture"

    def choose(self, sources: Sequence[Source]) -> Sequence[Source]:
        """Return the files of ELAN."""
        return [source for source in sources if root_name(source) == _ROOT]

    def read(self, sources: Sequence[Source], export: Export) -> None:
        """Read the tiers."""
        export.note_format("EAF, times in seconds")
        export.named_by.is_by_file = True
        recordings = parsed(sources, _recording, export.options.progress)
        by_tiers = any(len(recording.annotators) > 1 for recording in recordings)
        by_tiers = by_tiers and not any(source.annotator for source in sources)
        export.named_by.annotators = "ANNOTATOR" if by_tiers else "folder"
        untimed = sum(recording.untimed for recording in recordings)
        if untimed:
            export.remarks.notes.append(Note("skipped_untimed", {"count": untimed}))
        layers = _layers(recordings) if by_tiers else {}
        ways = by_folder(sources)
        has_folders = len({folder for folder, _ in ways}) > 1
        for recording, way in zip(recordings, ways, strict=True):
            export.begin_file(recording.source)
            folder, item = way
            if by_tiers and has_folders:
                item = f"{folder}/{item}"
            for tier in recording.tiers:
                who = tier.annotator if by_tiers else folder
                question = export.question(layers.get(_kind(tier), "") or tier.name, "spans")
                fields = {**fields_of(recording.source, item, who), "tier": tier.name,
                          "participant": tier.participant}  # fmt: skip
                export.add(question, item, who or None, separate_units(tier.spans), fields=fields)


TOOL = Elan()


def _recording(source: Source) -> _Recording:
    root = root_of(source, "ELAN")
    header = root.find("HEADER")
    unit = "milliseconds" if header is None else header.get("TIME_UNITS", "milliseconds")
    if unit not in _UNITS:
        raise IaaError(
            f"{source}: its times are in {brief(unit)}; save it by ELAN with milliseconds"
        )
    slots = {slot.get("TIME_SLOT_ID"): slot.get("TIME_VALUE") for slot in root.iter("TIME_SLOT")}
    times = {
        str(name): int(value) / _UNITS[unit]
        for name, value in slots.items()
        if value is not None and _TIME.fullmatch(value)
    }
    without_times = {
        kind.get("LINGUISTIC_TYPE_ID")
        for kind in root.iter("LINGUISTIC_TYPE")
        if kind.get("CONSTRAINTS") == _WITHOUT_TIMES
    }
    refers: dict[str, str] = {}  # annotations that refer to other annotations
    ends: dict[str, tuple[str, str]] = {}
    for annotation in root.iter("ALIGNABLE_ANNOTATION"):
        slots_of = annotation.get("TIME_SLOT_REF1", ""), annotation.get("TIME_SLOT_REF2", "")
        ends[annotation.get("ANNOTATION_ID", "")] = slots_of
    for tier in root.iter("TIER"):
        has_times = tier.get("LINGUISTIC_TYPE_REF") not in without_times
        for annotation in tier.iter("REF_ANNOTATION"):
            refers[annotation.get("ANNOTATION_ID", "")] = has_times * annotation.get(
                "ANNOTATION_REF", ""
            )
    untimed, tiers = 0, []
    for element in root.iter("TIER"):
        name, kind = element.get("TIER_ID", ""), element.get("LINGUISTIC_TYPE_REF", "")
        marked = [annotation for each in element.iter("ANNOTATION") for annotation in each]
        spans: list[Span] = []
        for annotation in marked:
            id_ = annotation.get("ANNOTATION_ID", "")
            start, end = _times(id_, refers, ends, times)
            if start is None or end is None:
                untimed += 1
                continue
            where = f"{source}, tier {brief(name)}, annotation {brief(id_)}"
            spans.append(time_span(start, end, _value(annotation), where))
        if marked and not spans:
            continue
        who = element.get("ANNOTATOR", "").strip()
        tiers.append(_Tier(name, kind, element.get("PARTICIPANT", "").strip(), who, spans))
    return _Recording(source, tiers, untimed)


def _value(annotation: Element) -> str:
    return (annotation.findtext("ANNOTATION_VALUE") or "").strip()


def _times(
    name: str,
    refers: Mapping[str, str],
    ends: Mapping[str, tuple[str, str]],
    times: Mapping[str, float],
) -> tuple[float | None, float | None]:
    """Return start and end of an annotation, or of the one that it refers to."""
    known: set[str] = set()
    while name in refers and name not in known:
        known.add(name)
        name = refers[name]
    start, end = ends.get(name, ("", ""))
    return times.get(start), times.get(end)


def _kind(tier: _Tier) -> tuple[str, str]:
    return tier.type, tier.participant


def _layers(recordings: Sequence[_Recording]) -> dict[tuple[str, str], str]:
    """Return the layer of each type and person, unless an annotator has several such tiers."""
    repeated: set[tuple[str, str]] = set()
    people: dict[str, set[str]] = {}
    for recording in recordings:
        counts = Counter((_kind(tier), tier.annotator) for tier in recording.tiers)
        repeated.update(kind for (kind, _), count in counts.items() if count > 1)
        for tier in recording.tiers:
            people.setdefault(tier.type, set()).add(tier.participant)
    return {
        (kind, who): f"{kind} of {who}" if who and len(names) > 1 else kind
        for kind, names in people.items()
        for who in names
        if (kind, who) not in repeated
    }
