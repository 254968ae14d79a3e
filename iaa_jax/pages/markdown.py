"""Pages as Markdown: tables with pipes, and remarks as lists; data are never markup."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from textwrap import indent

from iaa_jax.pages.blocks import (
    Block,
    Facts,
    Paragraph,
    Passages,
    Picture,
    Remarks,
    Table,
    Text,
    Verbatim,
)
from iaa_jax.pages.cells import NAMES, Sentence, Speaker
from iaa_jax.pages.content import PageContent
from iaa_jax.pages.passages import lines_of
from iaa_jax.wording import Note, Spelling

_MARKUP = str.maketrans({character: f"\\{character}" for character in "\\`*_[]|#"}) | {
    ord("<"): "&lt;",
    ord("&"): "&amp;",
    ord("\n"): " ",
}


def render(page: PageContent, spelling: Spelling) -> str:
    """Return the page as Markdown."""
    return "\n\n".join(part for part in _parts(page, spelling, "#") if part) + "\n"


def _parts(page: PageContent, spelling: Spelling, mark: str) -> Iterator[str]:
    speaker = Speaker(page, spelling)

    def text(text: Text) -> str:
        return speaker.text(text).translate(_MARKUP)

    yield f"{mark} {text(page.title)}"
    for sentence in speaker.sentences(page.answer):
        yield escape(sentence)
        yield _below([sentence])
    for block in page.blocks:
        yield from _block(block, speaker)
    for section in page.sections.values():
        yield from _parts(section, spelling, f"{mark}#")


def escape(text: str) -> str:
    r"""Escape a text so that no character is markup.

    Examples
    --------
    >>> print(escape("a|b *c*"), escape("<b>"))
    a\|b \*c\* &lt;b>
    """
    return text.translate(_MARKUP)


def _block(block: Block, speaker: Speaker) -> Iterator[str]:
    if isinstance(block, Facts):
        yield "\n".join(
            f"- {escape(': '.join(filter(None, map(speaker.text, row))))}" for row in block.rows
        )
    elif isinstance(block, Paragraph):
        sentences = speaker.sentences(block.notes)
        yield escape(" ".join(sentences))
        yield _below(sentences)
    elif isinstance(block, Remarks):
        yield _list(block.notes, speaker)
    elif isinstance(block, Picture):
        yield f"*{escape(speaker.text(block.title))}*"
    elif isinstance(block, Passages):
        yield from _passages(block, speaker)
    elif isinstance(block, Verbatim):
        yield f"**{escape(speaker.text(block.caption))}**"
        yield _fenced(block.text)
    elif not block.unseen:
        yield from _table(block, speaker)


def _passages(block: Passages, speaker: Speaker) -> Iterator[str]:
    if block.caption:
        yield f"**{escape(speaker.text(block.caption))}**"
    for passage in block.passages:
        yield escape(speaker.text(passage.heading))
        yield _fenced("\n".join(lines_of(passage)))


def _fenced(text: str, kind: str = "text") -> str:
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}{kind}\n{text}\n{fence}"


def _below(sentences: Sequence[Sentence]) -> str:
    lines = "\n".join(line for sentence in sentences for line in sentence.below)
    return _fenced(lines, "sh") if lines else ""


def _table(table: Table, speaker: Speaker) -> Iterator[str]:
    if table.caption:
        yield f"**{escape(speaker.text(table.caption))}**"
    columns = [column for column in table.visible if column.kind != "span"]
    cells = [map(escape, speaker.cells(column, table.rows_shown)) for column in columns]
    lines = [
        [escape(speaker.text(column.heading)) for column in columns],
        [":--" if column.kind in NAMES else "--:" for column in columns],
        *zip(*cells, strict=True),
    ]
    yield "\n".join(f"| {' | '.join(line)} |" for line in lines)
    yield _list(list(speaker.remarks_on(table)), speaker)


def _list(notes: Sequence[Note], speaker: Speaker) -> str:
    parts = [
        part
        for sentence in speaker.sentences(notes)
        for part in (f"- {escape(sentence)}", _below([sentence]))
    ]
    return "\n".join(part if part[:1] == "-" else indent(part, "  ") for part in parts if part)
