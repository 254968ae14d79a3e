"""Pages in a terminal: to fit, names are cut and spare columns left out; numbers are never cut."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence

from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.table import Table as Grid
from rich.text import Text as Line

from iaa_jax.pages.blocks import (
    Block,
    Facts,
    Paragraph,
    Passages,
    Picture,
    Remarks,
    Table,
    Verbatim,
)
from iaa_jax.pages.cells import LEFT_OUT, Sentence, Speaker
from iaa_jax.pages.content import PageContent
from iaa_jax.pages.layout import GAP, Printed, cut_alike, headings_of, parts_of, total, widths_of
from iaa_jax.wording import Note, Spelling

_GLUE = "\ufdd5"  # a noncharacter that stands for a blank at which no line may break


def render(page: PageContent, spelling: Spelling) -> str:
    """Return the page as text, as wide as the terminal."""
    target = io.StringIO()
    print_page(Console(file=target, markup=False, emoji=False, highlight=False), page, spelling)
    return target.getvalue().rstrip("\n")


def print_page(console: Console, page: PageContent, spelling: Spelling) -> None:
    """Print the answer and the blocks of a page, and all remarks below them."""
    speaker = Speaker(page, spelling, narrow=True)
    for sentence in speaker.sentences(page.answer):
        _put(console, _sentences(sentence))
        _print_below(console, sentence)
    printed = bool(page.answer)
    remarks: list[Note] = []
    folded: list[Table] = []
    tables = 0
    for block in page.blocks:
        if isinstance(block, Remarks):
            remarks += block.notes
            continue
        if isinstance(block, Picture):
            continue
        if isinstance(block, Table) and block.unseen:
            folded += [block] if block.folded else []
            continue
        if isinstance(block, Table) and block.whole and not _has_room(console, block, speaker):
            remarks.append(speaker.table_left_out(block))
            continue
        if printed:
            console.print()
        if isinstance(block, Table):
            tables += 1
            _print_table(console, block, speaker, remarks)
        else:
            _print_block(console, block, speaker)
        printed = True
    remarks += [speaker.tables_folded(folded)] if folded else []
    sentences = speaker.sentences(_merged(remarks, tables, speaker))
    if sentences:
        console.print()
    for sentence in sentences:
        _put(console, _grid([("-", sentence)], gap=1))
        _print_below(console, sentence)
    for section in page.sections.values():
        console.print()
        title = Speaker(section, spelling).text(section.title)
        console.print(Line(title, style="bold underline"), soft_wrap=True)
        console.print()
        print_page(console, section, spelling)


def _print_block(console: Console, block: Block, speaker: Speaker) -> None:
    if isinstance(block, Facts):
        facts = [(speaker.text(heading), speaker.sentence(text)) for heading, text in block.rows]
        room = console.width - max(cell_len(heading) for heading, _ in facts) - GAP
        rows = [(heading, _behind_slashes(text, room)) for heading, text in facts]
        _put(console, _grid(rows, gap=GAP))
        for _, sentence in facts:
            _print_below(console, sentence)
    elif isinstance(block, Paragraph):
        sentences = speaker.sentences(block.notes)
        _put(console, _sentences(" ".join(sentences)))
        for sentence in sentences:
            _print_below(console, sentence)
    elif isinstance(block, Passages):
        _print_passages(console, block, speaker)
    elif isinstance(block, Verbatim):
        _put(console, _sentences(speaker.text(block.caption)))
        for line in block.text.splitlines():
            console.print(Line(line), soft_wrap=True)


def _print_below(console: Console, sentence: Sentence) -> None:
    """Print the lines below a sentence unbroken, so that they can be pasted."""
    for line in sentence.below:
        console.print(Line(f"    {line}"), soft_wrap=True)


def _print_passages(console: Console, block: Passages, speaker: Speaker) -> None:
    from iaa_jax.pages.passages import lines_of

    if block.caption:
        _put(console, _sentences(speaker.text(block.caption)))
    for passage in block.passages:
        console.print()
        _put(console, _sentences(speaker.text(passage.heading)))
        for line in lines_of(passage, console.width, ascii_only=console.options.ascii_only):
            console.print(Line(line), soft_wrap=True)


def _printed(table: Table, speaker: Speaker) -> list[Printed]:
    return [
        Printed(column, table, speaker, first=not index)
        for index, column in enumerate(table.columns)
        if not column.in_files or column.stands_for
    ]


def _has_room(console: Console, table: Table, speaker: Speaker) -> bool:
    columns = _printed(table, speaker)
    whole = [column for column in columns if not column.column.stands_for]
    return parts_of(console.width, columns) == [whole]


def _print_table(console: Console, table: Table, speaker: Speaker, remarks: list[Note]) -> None:
    columns = _printed(table, speaker)
    parts = parts_of(console.width, columns)
    if table.caption:
        _put(console, _sentences(speaker.text(table.caption)))
        console.print()
    for part in parts:
        if part is not parts[0]:
            console.print()
        for column, shown in zip(part, _print_columns(console, part), strict=True):
            if shown != column.heading and not column.column.named_above:
                _explain_heading(column.heading, shown, remarks)
    replaced = {column.column.stands_for for part in parts for column in part} - {""}
    left_out = [
        column.column
        for column in columns
        if not any(column in part for part in parts)
        and not column.column.stands_for
        and column.column.group not in replaced
    ]
    remarks += speaker.remarks_on(table, left_out)


def _merged(remarks: Sequence[Note], tables: int, speaker: Speaker) -> list[Note]:
    """Merge the remarks on columns that tables leave out; with several tables, name each."""
    left_out = [note for note in remarks if note.code == LEFT_OUT]
    if not left_out:
        return [*remarks]
    together = speaker.left_out_of(left_out) if tables > 1 else left_out[0]
    merged = [together if note is left_out[0] else note for note in remarks]
    return [note for note in merged if note.code != LEFT_OUT or note is together]


def _explain_heading(heading: str, shown: str, remarks: list[Note]) -> None:
    """Add a remark with the full text of a shortened heading, or extend its existing remark."""
    for number, note in enumerate(remarks):
        if note.code == "page_heading_cut" and note.values["heading"] == heading:
            all_shown = list(dict.fromkeys([*note.listed("shown"), shown]))
            remarks[number] = Note(note.code, {"shown": all_shown, "heading": heading})
            return
    remarks.append(Note("page_heading_cut", {"shown": [shown], "heading": heading}))


def _print_columns(console: Console, columns: Sequence[Printed]) -> list[str]:
    ascii_only = console.options.ascii_only
    widths = widths_of(console.width, columns)
    dots = "..." if ascii_only else "…"
    headings = headings_of(columns, widths, dots)
    console.print(Line(_line(columns, headings, widths), style="bold"), soft_wrap=True)
    console.print(Line(("-" if ascii_only else "─") * total(widths)), soft_wrap=True)
    cut = [column.cut(width, dots) for column, width in zip(columns, widths, strict=True)]
    cut_alike(columns, widths, dots, cut)
    for cells in zip(*cut, strict=True):
        console.print(Line(_line(columns, cells, widths)), soft_wrap=True)
    return headings


def _line(columns: Sequence[Printed], cells: Sequence[str], widths: Sequence[int]) -> str:
    parts = []
    for column, cell, width in zip(columns, cells, widths, strict=True):
        blanks = " " * (width - cell_len(cell))
        parts.append(cell + blanks if column.left else blanks + cell)
    return (" " * GAP).join(parts).rstrip()


def _grid(rows: Sequence[tuple[str, str]], gap: int) -> Grid:
    grid = Grid.grid(padding=(0, gap))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for heading, text in rows:
        grid.add_row(Line(heading), _sentences(text))
    return grid


def _behind_slashes(text: str, width: int) -> str:
    """Return a text in which long words, such as paths, are broken after slashes."""
    words = text.split(" ")
    for number, word in enumerate(words):
        lines = [""]
        for part in re.split(r"(?<=[/\\])", word):
            if lines[-1] and cell_len(lines[-1] + part) > width:
                lines.append("")
            lines[-1] += part
        words[number] = "\n".join(lines)
    return " ".join(words)


def _sentences(text: str) -> Line:
    """Return a text in which no line will begin with a percent sign."""
    return Line(text.replace(" %", f"{_GLUE}%"))


def _put(console: Console, renderable: RenderableType) -> None:
    """Print lines without trailing blanks."""
    with console.capture() as captured:
        console.print(renderable)
    for line in captured.get().splitlines():
        whole = line.rstrip().replace(_GLUE, " ")
        console.print(Line.from_ansi(whole), soft_wrap=True)
