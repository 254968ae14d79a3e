"""Workbooks (.xlsx) written by hand: the same bytes each time, with what programs put into them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

from tests.archives import packed

Rows = Sequence[Sequence[object]]

_MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_KINDS = "application/vnd.openxmlformats-officedocument.spreadsheetml"


def workbook(sheets: Mapping[str, Rows], *, formulas: bool = False, merged: bool = False) -> bytes:
    """A workbook of sheets; texts below the first row as formulas with a stored value, or equal
    cells of the first column merged."""
    names = [escape(title, {'"': "&quot;"}) for title in sheets]
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_KINDS}.sheet.main+xml"/>'
        + "".join(
            f'<Override PartName="/xl/worksheets/sheet{k}.xml" '
            f'ContentType="{_KINDS}.worksheet+xml"/>'
            for k in range(1, len(names) + 1)
        )
        + "</Types>",
        "_rels/.rels": _related([("officeDocument", "xl/workbook.xml")]),
        "xl/workbook.xml": f'<workbook {_MAIN} xmlns:r="{_OFFICE}"><sheets>'
        + "".join(
            f'<sheet name="{name}" sheetId="{k}" r:id="rId{k}"/>'
            for k, name in enumerate(names, start=1)
        )
        + "</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": _related(
            [("worksheet", f"worksheets/sheet{k}.xml") for k in range(1, len(names) + 1)]
        ),
    }
    for number, rows in enumerate(sheets.values(), start=1):
        parts[f"xl/worksheets/sheet{number}.xml"] = _sheet(rows, formulas=formulas, merged=merged)
    return packed({name: part.encode("utf-8", "surrogatepass") for name, part in parts.items()})


def _related(targets: Sequence[tuple[str, str]]) -> str:
    every = "".join(
        f'<Relationship Id="rId{k}" Type="{_OFFICE}/{kind}" Target="{target}"/>'
        for k, (kind, target) in enumerate(targets, start=1)
    )
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{every}</Relationships>'


def _sheet(rows: Rows, *, formulas: bool, merged: bool) -> str:
    blocks = _equal_below(rows) if merged else []
    covered = {row for first, last in blocks for row in range(first + 1, last + 1)}
    lines = [
        f'<row r="{number}">'
        + "".join(
            _cell(f"{_letters(column)}{number}", cell, formula=formulas and number > 1)
            for column, cell in enumerate(row, start=1)
            if not (column == 1 and number in covered)
        )
        + "</row>"
        for number, row in enumerate(rows, start=1)
    ]
    ranges = "".join(f'<mergeCell ref="A{first}:A{last}"/>' for first, last in blocks)
    tail = f'<mergeCells count="{len(blocks)}">{ranges}</mergeCells>' if blocks else ""
    return f"<worksheet {_MAIN}><sheetData>{''.join(lines)}</sheetData>{tail}</worksheet>"


def _equal_below(rows: Rows) -> list[tuple[int, int]]:
    """The first and last rows of equal cells one below the other in the first column."""
    blocks: list[tuple[int, int]] = []
    cells = [row[0] if row else None for row in rows]
    for number in range(2, len(cells) + 1):
        same = number > 2 and cells[number - 1] == cells[number - 2]
        if same and blocks and blocks[-1][1] == number - 1:
            blocks[-1] = (blocks[-1][0], number)
        elif same:
            blocks.append((number - 1, number))
    return blocks


def _cell(place: str, cell: object, *, formula: bool) -> str:
    if cell is None or cell == "":
        return ""
    if isinstance(cell, (int, float)) and not isinstance(cell, bool):
        made = "<f>1*1</f>" if formula else ""
        return f'<c r="{place}">{made}<v>{cell}</v></c>'
    text = escape(str(cell))
    if formula:
        return f'<c r="{place}" t="str"><f>T("a")</f><v>{text}</v></c>'
    return f'<c r="{place}" t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'


def _letters(column: int) -> str:
    """The name of a column by its number from 1."""
    name = ""
    while column:
        column, rest = divmod(column - 1, 26)
        name = chr(65 + rest) + name
    return name
