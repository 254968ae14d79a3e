"""Reads REDEWIEDERGABE: a row per token, whose cells name the spans that the token belongs to.

A cell names spans as ``type.medium.number`` with further attributes; tokens with the same name form
one span. Types, media, both together, and other columns are separate layers (questions). The labels
at each token are also read as a label set.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from iaa_jax._errors import IaaError, brief
from iaa_jax.data.marked.texts import text_from_tokens
from iaa_jax.io.export.answers import Span
from iaa_jax.io.export.fields import Fields
from iaa_jax.io.export.folders import by_folder, fields_of
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.table.source import Source

_FIRST = "tok\t"
_STWR = "stwr"
_OTHERS = ("frame", "speaker", "intexpr")
_NOTHING = "-"
_TYPE, _MEDIUM, _BOTH = "stwr.type", "stwr.medium", "stwr.type+medium"
_OF_TOKENS = {"token.type": _TYPE, "token.type+medium": _BOTH}

Runs = dict[tuple[str, str], list[list[int]]]
"""The first and last token of each piece of a span, by the name and number of the span."""


class _TokenFile(NamedTuple):
    tokens: list[str]
    cells: dict[str, list[list[str]]]  # by column, the cell of each token


class Redewiedergabe:
    """Reads the token tables of the corpus REDEWIEDERGABE."""

    name = "redewiedergabe"
    title = "REDEWIEDERGABE"
    summary = "REDEWIEDERGABE: TSV of tokens, a folder for each annotator"
    known_by = "columns `tok` and `stwr`, separated by tabs"
    example = "agree primary/ --question token.type"

    def choose(self, sources: Sequence[Source]) -> Sequence[Source]:
        """Return the files with the columns of the corpus."""
        return [source for source in sources if _STWR in _columns(source)]

    def read(self, sources: Sequence[Source], export: Export) -> None:
        """Read the files, one for each document and annotator."""
        export.note_format("TSV, positions in tokens")
        export.named_by.is_by_file = True
        texts: dict[str, int] = {}
        for done, (source, (annotator, document)) in enumerate(
            zip(sources, by_folder(sources), strict=True), 1
        ):
            file = _file(source)
            export.begin_file(source, "line")
            _add(export, file, fields_of(source, document, annotator))
            text = hash(tuple(file.tokens))
            if texts.setdefault(document, text) != text:
                export.remarks.notice("layers_of_other_text")
            if export.options.item is None:
                known = export.lengths.get(document, 0)
                export.lengths[document] = max(known, len(file.tokens))
                export.add_text(document, text_from_tokens(file.tokens))
            if export.options.progress is not None:
                export.options.progress(done, len(sources))


TOOL = Redewiedergabe()


def _columns(source: Source) -> list[str]:
    line = source.once("first line", lambda: source.beginning(1 << 10)).partition("\n")[0]
    line = line.rstrip("\r")
    return line.split("\t") if line.startswith(_FIRST) else []


def _file(source: Source) -> _TokenFile:
    lines = source.content().decode().split("\n")
    columns = lines[0].split("\t")
    places = {name: columns.index(name) for name in (_STWR, *_OTHERS) if name in columns}
    file = _TokenFile([], {name: [] for name in places})
    for number, line in enumerate(lines[1:], 2):
        if not line:
            continue
        row = line.split("\t")
        if len(row) != len(columns):
            raise IaaError(
                f"{source} line {number} has {len(row)} columns, while its head has {len(columns)}"
            )
        file.tokens.append(row[0])
        for name, place in places.items():
            parts = [] if row[place] in (_NOTHING, "") else row[place].split("|")
            least = 3 if name == _STWR else 2
            wrong = [part for part in parts if part.count(".") < least - 1]
            if wrong:
                shape = "type.medium.number" if name == _STWR else f"{name}.number"
                raise IaaError(f"{source} line {number}: {brief(wrong[0])} in {name} is no {shape}")
            file.cells[name].append(parts)
    return file


def _add(export: Export, file: _TokenFile, fields: Fields) -> None:
    document, annotator = fields["document"], fields["annotator"]
    stwr = file.cells.get(_STWR, [])
    layers: dict[str, list[Span]] = {_TYPE: [], _MEDIUM: [], _BOTH: []}
    for name, cells in file.cells.items():
        layers.update({} if name == _STWR else {name: []})
        for unit, ((part, _), runs) in enumerate(_runs(cells, 3 if name == _STWR else 2).items()):
            for layer, label in (_labels(part) if name == _STWR else {name: name}).items():
                pieces = [Span(first, last + 1, label, unit) for first, last in runs]
                layers[layer].extend(
                    pieces if len(pieces) > 1 else [piece._replace(unit=None) for piece in pieces]
                )
    for layer, spans in layers.items():
        export.add(export.question(layer, "spans"), document, annotator, spans, fields=fields)
    wanted = export.options.question
    for name, layer in _OF_TOKENS.items():
        question = export.question(name, several=True)
        for token, parts in enumerate(stwr if wanted in (None, name) else ()):
            labels = {_labels(part)[layer] for part in parts}
            item = f"{document}:{token}"
            export.add(question, item, annotator, labels, token + 2, record=document, fields=fields)


def _runs(cells: Sequence[Sequence[str]], named: int) -> Runs:
    runs: Runs = {}
    nameless = 0
    for token, parts in enumerate(cells):
        for part in parts:
            number = part.split(".")[named - 1]
            if not number:
                at_last = runs.get((part, str(-nameless)))
                if at_last is None or at_last[-1][1] != token - 1:
                    nameless += 1
                number = str(-nameless)
            pieces = runs.setdefault((part, number), [])
            if pieces and pieces[-1][1] == token - 1:
                pieces[-1][1] = token
            else:
                pieces.append([token, token])
    return runs


@cache
def _labels(part: str) -> dict[str, str]:
    kind, medium, *_ = part.split(".")
    return {_TYPE: kind, _MEDIUM: medium, _BOTH: f"{kind}.{medium}"}
