"""Reads CoNLL files: a token per line, its tag in the last column, a blank line after a sentence.

Files of one document must have the same tokens. IOB tags in any form (IOB1, IOB2, BIOES, BILOU)
become spans over token positions. As in conlleval, every marked token belongs to a span, even if
the span does not begin or end as the form requires. A note counts such spans, because a strict
reading omits them. Other tags are labels of tokens.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby, zip_longest
from typing import NamedTuple

from iaa_jax._errors import IaaError, brief
from iaa_jax.data.marked.texts import text_from_tokens
from iaa_jax.io.export.answers import Span
from iaa_jax.io.export.folders import by_folder, parsed
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.table.source import Source

_IOB = re.compile(r"[BIESLU](-.*)?|O")
_TYPED = re.compile(r"[BIESLU]-.+")
_ENDINGS = (".conll", ".iob", ".iob2", ".bio", ".bioes")
_TEXTS = (".txt", ".tsv", ".tab", ".dat", "")
_REMARK = re.compile(r"#\s*[\w. ]+=|#(begin|end) document")
_LOOKED_AT = 1 << 15  # number of bytes from which the format is recognised
_LAST = ("E", "S", "L", "U")  # tags that end a span
_MOST = 0.9  # a file without a CoNLL ending needs a larger share of IOB tags than this

_BREAK = ""  # stands for the end of a sentence, in place of a token
_DOCUMENT = "-DOCSTART-"


class _Token(NamedTuple):
    """A token with its tag and line, the end of a sentence, or the start of a document."""

    token: str
    tag: str
    line: int


class Conll:
    """Reads tokens and tags in columns."""

    name = "conll"
    title = "CoNLL"
    summary = "CoNLL: one token per line, its tag (IOB or other) last, a file for each annotator"
    known_by = "lines of columns, the last a tag of IOB; in files .conll any tag"
    example = "agree ann.conll bob.conll"

    def choose(self, sources: Sequence[Source]) -> Sequence[Source]:
        """Return the files with a tag in the last column."""
        return [source for source in sources if _is_tagged(source)]

    def take(self, sources: Sequence[Source]) -> Sequence[Source]:
        """Return files with a CoNLL ending, and texts in several columns, whatever the tags."""
        return [source for source in sources if len(_columns(source)) > 0]

    def read(self, sources: Sequence[Source], export: Export) -> None:
        """Read the tags of each annotator, by sentence or by document."""
        files = parsed(sources, _rows, export.options.progress)
        tags = {row.tag for rows in files for row in rows}
        is_iob = any(map(_TYPED.fullmatch, tags)) or all(_IOB.fullmatch(tag or "O") for tag in tags)
        in_documents = any(sum(row.token == _DOCUMENT for row in rows) > 1 for rows in files)
        export.note_format("tags of IOB, read as by conlleval" if is_iob else "tags of tokens")
        export.named_by.items = "document" if in_documents else "sentence"
        known: dict[str, tuple[Source, list[_Token]]] = {}
        ways = _origins(sources)
        if any(name for _, name in ways):
            export.named_by.annotators = "folder"
        for source, rows, (annotator, name) in zip(sources, files, ways, strict=True):
            _compare(*known.setdefault(name, (source, rows)), source, rows)
            export.begin_file(source, "line")
            for number, unit in enumerate(_units(rows, in_documents), 1):
                item = f"{name}:{number}" if name else str(number)
                add = _add_spans if is_iob else _add_labels
                add(export, item, annotator, unit)
            if is_iob:
                _check_iob(export, source, rows)


TOOL = Conll()


def _is_tagged(source: Source) -> bool:
    """Tell whether a file begins with columns; without a CoNLL ending, the tags must be IOB."""
    columns = _columns(source)
    if not columns or source.suffix in _ENDINGS:
        return bool(columns)
    lines = [cells for cells in columns if cells]
    # the last line may be incomplete
    tags = [cells[-1] for cells in lines[: len(lines) - (len(lines) > 1)]]
    in_sentences = len(lines[0]) == 2 or [] in columns
    known = sum(map(bool, map(_IOB.fullmatch, tags)))
    is_iob = _IOB.fullmatch(tags[0]) is not None and known > _MOST * len(tags)
    return is_iob and in_sentences and any(map(_TYPED.fullmatch, tags))


def _columns(source: Source) -> list[list[str]]:
    """Return the cells of the first lines ([] for a blank one), if they have columns."""
    if source.suffix not in (*_ENDINGS, *_TEXTS):
        return []
    try:
        text = source.content(_LOOKED_AT).decode().strip()
    except (IaaError, UnicodeError):
        return []
    lines = [line for line in text.split("\n") if not _REMARK.match(line)]
    columns = [cells for line in lines if (cells := _cells(line))[:1] != [_DOCUMENT]]
    first: list[str] = next(filter(None, columns), [])
    return columns if len(first) > 1 or source.suffix in _ENDINGS else []


def _cells(line: str) -> list[str]:
    if not line.strip():
        return []
    return [cell.strip() for cell in line.split("\t")] if "\t" in line else line.split()


def _rows(source: Source) -> list[_Token]:
    lines_of_cells: list[tuple[list[str], int]] = []
    for number, line in enumerate(source.content().decode().split("\n"), 1):
        cells = _cells(line)
        if _REMARK.match(line):
            continue
        if cells and cells[0] == _DOCUMENT:
            cells = [_DOCUMENT, ""]
        elif cells and (len(cells) < 2 or not cells[0] or not cells[-1]):
            raise IaaError(
                f"{source} line {number}: {brief(line)} where a token and, in the last column, "
                "its tag are needed"
            )
        lines_of_cells.append((cells, number))
    sentences = [
        [*lines]
        for is_filled, lines in groupby(lines_of_cells, lambda line: bool(line[0]))
        if is_filled
    ]
    numbered = all(lines[0][0][0] in ("0", "1", _DOCUMENT) for lines in sentences)
    numbered = numbered and all(len(cells) != 2 or not cells[-1] for cells, _ in lines_of_cells)
    rows: list[_Token] = []
    for cells, number in lines_of_cells:
        if not cells:
            if rows and rows[-1].token not in (_BREAK, _DOCUMENT):
                rows.append(_Token(_BREAK, "", number))
        else:
            rows.append(_Token(cells[numbered and cells[0] != _DOCUMENT], cells[-1], number))
    return rows[:-1] if rows and rows[-1].token == _BREAK else rows


def _origins(sources: Sequence[Source]) -> list[tuple[str | None, str]]:
    ways = by_folder(sources)
    stems = [source.stem for source in sources]
    if len({*stems}) == len(stems) and not any(source.annotator for source in sources):
        return [(stem, "") for stem in stems]
    return ways if len({name for _, name in ways}) > 1 else [(who, "") for who, _ in ways]


def _compare(first: Source, rows: list[_Token], other: Source, others: list[_Token]) -> None:
    for row, found in zip_longest(rows, others):
        if row is None or found is None or row.token != found.token:
            raise IaaError(
                f"{_said(other, found)}, where {_said(first, row)}; files of one document must "
                "hold the same tokens in the same sentences"
            )


def _said(source: Source, row: _Token | None) -> str:
    if row is None:
        return f"{source} ends"
    what = "ends a sentence" if row.token == _BREAK else f"has {brief(row.token)}"
    return f"{source} line {row.line} {what}"


def _units(rows: Sequence[_Token], in_documents: bool) -> Iterator[list[_Token]]:
    ends = (_DOCUMENT,) if in_documents else (_DOCUMENT, _BREAK)
    for is_end, unit in groupby(rows, lambda row: row.token in ends):
        if not is_end:
            yield [*unit]


def _add_labels(export: Export, item: str, annotator: str | None, unit: Sequence[_Token]) -> None:
    question = export.question("tag", "labels", several=False)
    tokens = (row for row in unit if row.token != _BREAK)
    for place, row in enumerate(tokens, 1):
        export.add(
            question,
            f"{item}:{place}",
            annotator,
            (row.tag,),
            row.line,
            record=item,
            fields={"token": row.token},
        )


def _add_spans(export: Export, item: str, annotator: str | None, unit: Sequence[_Token]) -> None:
    export.add(export.question("tag", "spans"), item, annotator, _spans(unit), unit[0].line)
    tokens = [row.token for row in unit if row.token != _BREAK]
    export.lengths[item] = len(tokens)
    export.add_text(item, text_from_tokens(tokens))


def _spans(unit: Sequence[_Token]) -> Iterator[Span]:
    """Yield the spans of tags, by token positions; a change of type begins a new span."""
    start, label, place = -1, "", 0
    for row in [*unit, _Token(_BREAK, "", 0)]:
        mark, _, kind = (row.tag or "O").partition("-")
        begins = mark in ("B", "S", "U") or (
            mark in ("I", "E", "L") and (start < 0 or kind != label)
        )
        if start >= 0 and (begins or mark == "O"):
            yield Span(start, place, label)
            start = -1
        if begins:
            start, label = place, kind
        place += row.token != _BREAK
        if mark in ("S", "U", "E", "L"):
            yield Span(start, place, label)
            start = -1


def _check_iob(export: Export, source: Source, rows: Sequence[_Token]) -> None:
    """Refuse tags other than IOB; note spans that a strict reading omits."""
    begun: Counter[str] = Counter()
    before = ""
    for row in rows:
        if not _IOB.fullmatch(row.tag or "O"):
            raise IaaError(
                f"{source} line {row.line}: {brief(row.tag)} is not an IOB tag, as the others are"
            )
        mark, _, kind = row.tag.partition("-")
        if before in ("", "O") or before.partition("-")[2] != kind:
            begun[mark] += 1
        before = row.tag
    if any(row.tag[:1] in _LAST for row in rows):
        export.remarks.notice("conll_not_whole", _not_whole(rows))
    elif begun["B"]:
        export.remarks.notice("conll_inside_without_begin", begun["I"])


def _not_whole(rows: Sequence[_Token]) -> int:
    """Count the spans of BIOES or BILOU that lack their first or last tag."""
    count, begun = 0, False
    opened: str | None = None
    for row in [*rows, _Token(_BREAK, "O", 0)]:
        mark, _, kind = (row.tag or "O").partition("-")
        inside = mark in ("I", "E", "L")
        goes_on = inside and opened == kind
        if not goes_on:
            count += (opened is not None and begun) + inside
            begun = mark == "B"
        opened = kind if mark in ("B", "I") else None
    return count
