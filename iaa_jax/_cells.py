"""Make texts safe for cells of spreadsheets and for terminals; different texts stay different.

A program that assumes a wrong separator may begin a cell in the middle of a text. Therefore a sign
that may begin a formula is escaped after every separator, not only at the beginning of the text.
"""

from __future__ import annotations

import csv
import re

ADJUDICATED = "adjudicated"
"""Name of the column that people fill in on an adjudication sheet."""

SUGGESTED = "suggested"
"""Name of the column with the label that the ratings suggest, if any."""

SEPARATORS = (";", "\n", "+", ",", "|", "/")
"""Separators between labels in a cell; the first that splits it into known labels is used."""

SEVERAL, NO_LABEL = "; ", "(none)"
"""Separator between labels in a cell of these columns, and the entry that stands for no label."""

_SIGN = "[=+\\-@\uff1d\uff0b\uff0d\uff20]"  # in some languages, full-width signs begin formulas too
_NUMBER = r"[+-](?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"

# A sign alone is not a formula, and a sign before a number belongs to the number. \1 is the
# separator before the sign. If a text has an apostrophe before the sign itself, escaping adds a
# second one, so that different texts stay different.
_FORMULA = re.compile(
    r"\A'*(?=[\t\r\n].)"
    rf"|(?:\A|([,;\t\r\n])\"*)'*(?={_SIGN})(?!(?:{_NUMBER}|{_SIGN})(?:\Z|\1))",
    re.DOTALL,
)

# control characters, and characters that are not allowed in XML
_CONTROL = r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]"
_WRITTEN = r"(?:x(?:0[0-8b-f]|1[0-9a-f]|7f|[89][0-9a-f])|ud[89a-f][0-9a-f]{2}|ufff[ef])"
_CONTROLS = re.compile(rf"(\\*)({_CONTROL})|(\\+)(?={_WRITTEN})")


def parts_of_cell(cell: str, sign: str) -> list[str]:
    """Return the filled parts of a cell, split at ``sign``; lines are also split at semicolons.

    Examples
    --------
    >>> parts_of_cell('"a; b"; joy;', ";"), parts_of_cell("fear+joy", "+"), parts_of_cell(";", ";")
    (['a; b', 'joy'], ['fear', 'joy'], [])
    """
    lines = [cell] if sign != "\n" else cell.splitlines()
    try:
        rows = csv.reader(lines, delimiter=sign if sign != "\n" else ";", skipinitialspace=True)
        return [part.strip() for row in rows for part in row if part.strip()]
    except csv.Error:
        return [cell]


def looks_like_formula(text: str) -> bool:
    """Tell whether a spreadsheet may execute a text, or a part of it.

    Examples
    --------
    >>> [looks_like_formula(text) for text in ("=1+1", "x;=1+1", "-1", "-", "a=b")]
    [True, True, False, False, False]
    """
    return _FORMULA.search(text) is not None


def without_formulas(text: str) -> str:
    """Return a text that no spreadsheet executes, with an apostrophe before each possible formula.

    Examples
    --------
    >>> print(without_formulas("=1+1"), without_formulas("'=1+1"), without_formulas("x;=1"))
    '=1+1 ''=1+1 x;'=1
    """
    return _FORMULA.sub(lambda match: f"{match[0]}'", text)


def without_controls(text: str) -> str:
    r"""Return a text with escapes for control characters and characters that XML does not allow.

    If the text contains such an escape itself, its backslashes are doubled.

    Examples
    --------
    >>> print(without_controls("\x1b[1m"), without_controls(r"\x1b[1m"), without_controls(r"C:\x"))
    \x1b[1m \\x1b[1m C:\x
    """
    return _CONTROLS.sub(_written_out, text)


def for_spreadsheets(text: str) -> str:
    """Return a text for a cell of a CSV file, with formulas and control characters escaped."""
    return without_formulas(without_controls(text))


def among_others(label: str) -> str:
    """Return a label for a cell with several labels: in quotes if it would otherwise be misread.

    Examples
    --------
    >>> print(among_others("joy"), among_others("fear; joy"))
    joy "fear; joy"
    """
    quoted = label.replace('"', '""')
    return f'"{quoted}"' if SEVERAL.strip() in label or label.startswith('"') else label


def _written_out(match: re.Match[str]) -> str:
    before, control, literal = match.groups()
    if literal:
        return literal * 2
    code = ord(control)
    return f"{before * 2}\\{f'u{code:04x}' if code > 0xFF else f'x{code:02x}'}"
