"""Pages as LaTeX: a booktabs tabular per table with its notes below, and no advice."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from iaa_jax.pages.blocks import Block, Facts, Passages, Picture, Table, Verbatim
from iaa_jax.pages.cells import NAMES, Speaker
from iaa_jax.pages.commands import STEPS
from iaa_jax.pages.content import PageContent
from iaa_jax.pages.passages import lines_of
from iaa_jax.wording import Note, Spelling

_MARKUP = str.maketrans(
    {character: f"\\{character}" for character in "&%$#_{}"}
    | {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        '"': r"\textquotedbl{}",
        "\n": " ",
    }
)

_LIGATURES = re.compile(r"(?<=-)(?=-)|(?<=`)(?=`)|(?<=')(?=')|(?<=,)(?=,)|(?<=[?!])(?=`)")
"""Positions between characters that fonts would otherwise join into one."""

_HEAD = "% needs \\usepackage[T1]{fontenc}, \\usepackage{booktabs}"


def render(page: PageContent, spelling: Spelling) -> str:
    """Return the page as LaTeX, to be included in a document."""
    title = f"% {escape(_speaker(page, spelling).text(page.title))}"
    parts = [_HEAD, title, *_parts(page, spelling)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _parts(page: PageContent, spelling: Spelling) -> Iterator[str]:
    speaker = _speaker(page, spelling)
    yield _sentences(page.answer, speaker)
    for block in page.blocks:
        yield from _block(block, speaker)
    for section in page.sections.values():
        yield rf"\section*{{{escape(_speaker(section, spelling).text(section.title))}}}"
        yield from _parts(section, spelling)


def _speaker(page: PageContent, spelling: Spelling) -> Speaker:
    return Speaker(page, spelling, advising=False)


def _sentences(notes: Iterable[Note], speaker: Speaker) -> str:
    findings = [note for note in notes if not note.code.startswith(STEPS)]
    sentences = speaker.sentences(findings)
    parts = [
        part
        for sentence in sentences
        for part in (escape(sentence), _verbatim(sentence.below) if sentence.below else "")
    ]
    return "\n\n".join(filter(None, parts))


def escape(text: str) -> str:
    r"""Escape a text so that no character is a command, and none is lost.

    Examples
    --------
    >>> escape("50 % of a_b")
    '50 \\% of a\\_b'
    """
    return _LIGATURES.sub("{}", text.translate(_MARKUP))


def _block(block: Block, speaker: Speaker) -> Iterator[str]:
    if isinstance(block, Table):
        if not block.unseen:
            yield from _table(block, speaker)
    elif isinstance(block, Facts):
        rows = [tuple(escape(speaker.text(part)) for part in row) for row in block.rows]
        yield _tabular("ll", [f"{heading} & {text}" for heading, text in rows])
    elif isinstance(block, Passages):
        yield from _passages(block, speaker)
    elif isinstance(block, Verbatim):
        yield rf"\textbf{{{escape(speaker.text(block.caption))}}}"
        yield _verbatim(block.text.splitlines())
    elif not isinstance(block, Picture):
        yield _sentences(block.notes, speaker)


def _passages(block: Passages, speaker: Speaker) -> Iterator[str]:
    if block.caption:
        yield rf"\textbf{{{escape(speaker.text(block.caption))}}}"
    for passage in block.passages:
        yield escape(speaker.text(passage.heading))
        yield _verbatim(lines_of(passage))


def _verbatim(lines: Sequence[str]) -> str:
    """Return lines as a verbatim environment, which no line can end."""
    safe = [line.replace(r"\end{verbatim}", r"\end {verbatim}") for line in lines]
    return "\n".join([r"\begin{verbatim}", *safe, r"\end{verbatim}"])


def _table(table: Table, speaker: Speaker) -> Iterator[str]:
    columns = [column for column in table.visible if column.kind != "span"]
    form = "".join("l" if column.kind in NAMES else "r" for column in columns)
    heading = " & ".join(escape(speaker.text(column.heading)) for column in columns)
    cells = []
    for column in columns:
        figures = column.kind not in NAMES
        texts = [escape(text) for text in speaker.cells(column, table.rows_shown)]
        cells.append([_minus(text) if figures else text for text in texts])
    lines = [" & ".join(row) for row in zip(*cells, strict=True)]
    if table.caption:
        yield rf"\textbf{{{escape(speaker.text(table.caption))}}}"
    yield _tabular(form, lines, heading)
    yield _sentences(speaker.remarks_on(table), speaker)


def _minus(text: str) -> str:
    """Return numbers with minus signs in place of hyphens, also within intervals."""
    return " ".join(
        f"$-${part[1:]}" if part[:1] == "-" and part[1:] else part for part in text.split(" ")
    )


def _tabular(form: str, lines: list[str], heading: str = "") -> str:
    middle = [_row(heading), r"\midrule"] if heading else []
    body = [rf"\begin{{tabular}}{{{form}}}", r"\toprule", *middle]
    return "\n".join([*body, *map(_row, lines), r"\bottomrule", r"\end{tabular}"])


def _row(cells: str) -> str:
    """Return a row; LaTeX must not read a star or bracket at its start as part of the row above."""
    return f"{'{}' if cells.lstrip()[:1] in ('*', '[') else ''}{cells} \\\\"
