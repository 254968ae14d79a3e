"""Reads WebAnno TSV 3, the table of tokens that INCEpTION and WebAnno export."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from iaa_jax._errors import IaaError, brief
from iaa_jax.data.marked.texts import text_from_utf16
from iaa_jax.io.export.answers import span_of
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.table.source import Source
from iaa_jax.io.tools.inception.layers import LayerMark, Version, add_versions
from iaa_jax.io.tools.inception.project import with_project

_MARK = "#FORMAT=WebAnno TSV "
_ROW = re.compile(r"([0-9]+)-([0-9]+)(\.[0-9]+)?\t([0-9]{1,15})-([0-9]{1,15})\t")
_STACKED = re.compile(r"(?:[^\\|]|\\.)+", re.DOTALL)
_CELL = re.compile(r"((?:[^\\\[]|\\.)*)(?:\[([0-9]+)\])?", re.DOTALL)
_ESCAPED = re.compile(r"\\(->|[\\\[\]|_;*tn])")
_NOTHING, _NO_VALUE = "_", "*"
_SLOT = "ROLE_"


class WebAnnoTsv:
    """Reads WebAnno TSV 3."""

    name = "webanno_tsv"
    title = "INCEpTION"
    summary = "INCEpTION and WebAnno: WebAnno TSV 3, alone or in a whole project"
    known_by = "files that begin with `#FORMAT=WebAnno TSV`"
    example = "spans project.zip"

    def choose(self, sources: Sequence[Source]) -> Sequence[Source]:
        """Return the files of this format, and the states of projects."""
        return with_project([source for source in sources if _is_tsv(source)], sources)

    def read(self, sources: Sequence[Source], export: Export) -> None:
        """Read the files, one for each document and annotator."""
        export.note_format("WebAnno TSV 3, positions in UTF-16 units")
        add_versions(sources, export, partial(_version, has_text=export.keeps_texts))


TOOL = WebAnnoTsv()


def _is_tsv(source: Source) -> bool:
    # enough bytes for the mark in UTF-32
    return source.beginning(4 * len(_MARK) + 4).startswith(_MARK)


class _Layer(NamedTuple):
    name: str
    columns: list[tuple[int, str]]  # the index of the cell, and the feature


def _version(source: Source, *, has_text: bool) -> Version:
    lines = source.content().decode().split("\n")
    kind = lines[0].removeprefix(_MARK)
    if not kind.startswith("3"):
        raise IaaError(
            f"{source} is WebAnno TSV {kind}, which is not read: export it again as WebAnno TSV 3"
        )
    version = Version(source)
    layers, cells = _header(lines, version, source)
    version.marks.update((layer.name, []) for layer in layers)
    spans: dict[tuple[str, str], int] = {}
    text = []
    shown = ""
    end = 0
    for number, line in enumerate(lines, 1):
        row = _ROW.match(line)
        if row is None:
            if line and not line.startswith("#"):
                raise IaaError(f"{source} line {number} is not a row of WebAnno TSV: {brief(line)}")
            continue
        where = f"{source} line {number}"
        parts = line.removesuffix("\t").split("\t")
        if len(parts) < cells + 3:
            raise IaaError(
                f"{where} has {len(parts)} columns, while the head of the file names {cells + 3}: "
                "the file is damaged or truncated"
            )
        place = span_of(int(row[4]), int(row[5]), "", where)
        if row[3] is None:
            text.append((place.start, parts[2]))
            if has_text:
                shown += " " * (place.start - end) + _token_in_text(
                    parts[2], place.end - place.start
                )
            end = max(end, place.end)
        for layer in layers:
            marks = version.marks[layer.name]
            for id_, values in _stacked(layer, parts[len(parts) - cells :], where):
                at = spans.get((layer.name, id_), -1) if id_ else -1
                if at < 0:
                    spans[layer.name, id_] = len(marks)
                    marks.append(LayerMark(place.start, place.end, values))
                else:
                    start, last = min(marks[at].start, place.start), max(marks[at].end, place.end)
                    marks[at] = LayerMark(start, last, marks[at].values)
    version.text, version.length = hash(tuple(text)), end
    version.shown = text_from_utf16(shown)
    return version


def _token_in_text(token: str, length: int) -> str:
    """Return a token, fitted to its length in the text (UTF-16 units)."""
    used = len(token) + sum(character > "\uffff" for character in token)
    return token if used == length else token.ljust(length)[:length]


def _header(lines: Sequence[str], version: Version, source: Source) -> tuple[list[_Layer], int]:
    layers: list[_Layer] = []
    cells = 0
    for number, line in enumerate(lines, 1):
        kind, _, declared = line.partition("=")
        if not line.startswith("#") or kind == "#Text":
            if line:
                break
            continue
        if kind not in ("#T_SP", "#T_CH", "#T_RL"):
            continue
        name, *features = declared.split("|")
        if not name or any(layer.name == name for layer in layers):
            raise IaaError(
                f"{source} line {number} declares no layer, or repeats one: {brief(line)}"
            )
        features = features or [""]
        if kind == "#T_SP":
            layers.append(_Layer(name, list(_value_columns(features, cells))))
        else:
            version.not_read.add(name)
        cells += len(features)
    return layers, cells


def _value_columns(features: Sequence[str], first: int) -> Iterator[tuple[int, str]]:
    """Yield the columns of features with values; without any, the column of the first link."""
    slots = [k for k, name in enumerate(features) if name.startswith(_SLOT)]
    of_slots = {place for k in slots for place in (k, k + 1)}
    plain = [k for k in range(len(features)) if k not in of_slots]
    for k in plain or slots[:1]:
        yield first + k, features[k] if plain else ""


def _stacked(
    layer: _Layer, cells: Sequence[str], where: str
) -> Iterator[tuple[str, dict[str, str]]]:
    columns = []
    for place, feature in layer.columns:
        cell = cells[place]
        if cell and cell != _NOTHING:
            columns.append((feature, _STACKED.findall(cell) if "\\" in cell else cell.split("|")))
    if not columns:
        return
    if len({len(parts) for _, parts in columns}) > 1:
        raise IaaError(
            f"{where}: the features of {layer.name} have different numbers of annotations: "
            f"{brief([cells[place] for place, _ in layer.columns])}"
        )
    for k in range(len(columns[0][1])):
        id_, values = "", {}
        for feature, parts in columns:
            known = _CELL.fullmatch(parts[k])
            value, number = (known[1], known[2]) if known else (parts[k], None)
            id_ = id_ or number or ""
            if feature and value not in (_NO_VALUE, _NOTHING):
                values[feature] = _ESCAPED.sub(_plain, value)
        yield id_, values


def _plain(escaped: re.Match[str]) -> str:
    return {"t": "\t", "n": "\n"}.get(escaped[1], escaped[1])
