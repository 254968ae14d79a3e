"""Texts as cells of files that spreadsheets open and terminals print; no two become one.

A program that splits rows by another separator than the file's ends a cell within a text, and does
not see the quotes around it. So signs count after every separator as they do at the beginning.
"""

from __future__ import annotations

import re

ADJUDICATED = "adjudicated"
"""The column of a sheet that people fill in."""

SUGGESTED = "suggested"
"""The column beside it: what the ratings say, where they say something."""

SEVERAL, NO_LABEL = "; ", "(none)"
"""What stands there between several labels, and where there is none."""

_SIGN = "[=+\\-@\uff1d\uff0b\uff0d\uff20]"  # full-width ones are formulas in some languages
_NUMBER = r"[+-](?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"

# A sign alone is no formula, and one before a number is the number's; \1 is the separator, and
# matches nothing at the beginning. Apostrophes that stand there already are part of the place: one
# more is put to them, so that the text itself can be told from what is made of another.
_FORMULA = re.compile(
    r"\A'*(?=[\t\r\n].)"
    rf"|(?:\A|([,;\t\r\n])\"*)'*(?={_SIGN})(?!(?:{_NUMBER}|{_SIGN})(?:\Z|\1))",
    re.DOTALL,
)

_CONTROL = r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]"  # XML has none of these
_WRITTEN = r"(?:x(?:0[0-8b-f]|1[0-9a-f]|7f|[89][0-9a-f])|ud[89a-f][0-9a-f]{2}|ufff[ef])"
_CONTROLS = re.compile(rf"(\\*)({_CONTROL})|(\\+)(?={_WRITTEN})")


def looks_like_formula(text: str) -> bool:
    """Whether a spreadsheet may run a text, or a part of it.

    Examples
    --------
    >>> [looks_like_formula(text) for text in ("=1+1", "x;=1+1", "-1", "-", "a=b")]
    [True, True, False, False, False]
    """
    return _FORMULA.search(text) is not None


def without_formulas(text: str) -> str:
    """A text that no spreadsheet runs: an apostrophe stands before what begins like a formula.

    Texts that differ stay different.

    Examples
    --------
    >>> print(without_formulas("=1+1"), without_formulas("'=1+1"), without_formulas("x;=1"))
    '=1+1 ''=1+1 x;'=1
    """
    return _FORMULA.sub(lambda match: f"{match[0]}'", text)


def without_controls(text: str) -> str:
    r"""A text in which what a terminal or a sheet obeys, or cannot hold, is written out.

    A backslash is doubled where the text would else say the same as one with a control character.

    Examples
    --------
    >>> print(without_controls("\x1b[1m"), without_controls(r"\x1b[1m"), without_controls(r"C:\x"))
    \x1b[1m \\x1b[1m C:\x
    """
    return _CONTROLS.sub(_written_out, text)


def for_spreadsheets(text: str) -> str:
    """A text as it stands in a CSV file that people open."""
    return without_formulas(without_controls(text))


def among_others(label: str) -> str:
    """A label as it stands among others in a cell: in quotes where it would fall into parts.

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
