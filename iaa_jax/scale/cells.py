"""Convert columns of several files to a common type in SQL, and number their distinct cells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from iaa_jax.io.table.cells import Missing
from iaa_jax.io.table.json_fields import cell_text

_WHOLE = {
    "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT",
}  # fmt: skip
_FLOATS = {"FLOAT", "DOUBLE"}
_AS_THEY_ARE = {"VARCHAR", "BOOLEAN"}

_BLANKS = "".join(filter(str.isspace, map(chr, range(0x3001))))
"""White space of Unicode that both Arrow and Python trim."""


def comparable(columns: Sequence[tuple[str, str]]) -> tuple[list[str], str]:
    """Return SQL expressions that convert columns to a common type, and the type.

    Each column is a pair of its SQL and its type.
    """
    kinds = {kind for _, kind in columns}
    if kinds <= _WHOLE:
        kind = "HUGEINT" if "UBIGINT" in kinds else "BIGINT"
        return [f"CAST({sql} AS {kind})" for sql, _ in columns], kind
    if kinds <= _FLOATS:
        return [f"CAST({sql} AS DOUBLE)" for sql, _ in columns], "DOUBLE"
    if len(kinds) == 1 and kinds <= _AS_THEY_ARE:
        return [sql for sql, _ in columns], columns[0][1]
    return [_text(sql, kind) for sql, kind in columns], "VARCHAR"


def _text(sql: str, kind: str) -> str:
    if kind == "BOOLEAN":
        return f"CASE WHEN {sql} THEN 'True' WHEN NOT {sql} THEN 'False' END"
    if kind in _FLOATS:
        return f"nullif(CAST(CAST({sql} AS DOUBLE) AS VARCHAR), 'nan')"
    return f"CAST({sql} AS VARCHAR)"


def named(key: str, kind: str) -> str:
    """Return the SQL of the key of an item: its trimmed name, or NULL if the item has no name.

    Whether a float is NaN is tested by its text, because DuckDB relies on the statistics in a
    Parquet file, and these may not mention NaN.
    """
    if kind == "VARCHAR":
        return _trimmed(key)
    if kind == "DOUBLE":
        return f"CASE WHEN CAST({key} AS VARCHAR) <> 'nan' THEN {key} END"
    return key


def _trimmed(sql: str) -> str:
    """Return the SQL that trims a text, and makes a blank text NULL.

    Most cells begin and end with a visible ASCII character, and testing this is faster than
    trimming.
    """
    plain = " AND ".join(f"ascii({end}) BETWEEN 33 AND 126" for end in (sql, f"right({sql}, 1)"))
    return f"CASE WHEN {plain} THEN {sql} ELSE nullif(trim({sql}, '{_BLANKS}'), '') END"


class Distinct:
    """The distinct cells of a column as text, numbered in the order of their first rows.

    Different keys (cells as DuckDB reads them) can become the same text after trimming.

    Attributes
    ----------
    missing : Missing
        Texts that mean a missing value.
    codes : dict
        Code of each key; -1 for a missing value.
    texts : dict
        Code of each distinct text.
    gaps : dict
        The texts of ``missing`` that occur in the column.
    """

    def __init__(self, missing: Missing) -> None:
        self.missing = missing
        self.codes: dict[Any, int] = {}
        self.texts: dict[str, int] = {}
        self.gaps: dict[str, None] = {}

    def code(self, key: object, cell: Any) -> int:
        """Return the code of a cell (-1 for a missing value), and record the cell if it is new."""
        if key is None:
            return -1
        if key not in self.codes:
            text = (cell_text(cell) or "").strip()
            if text in self.missing:
                self.gaps |= {text: None} if text else {}
                self.codes[key] = -1
            else:
                self.codes[key] = self.texts.setdefault(text, len(self.texts))
        return self.codes[key]

    @property
    def known(self) -> dict[Any, int]:
        """The codes of the keys whose cells are not missing."""
        return {key: code for key, code in self.codes.items() if code >= 0}
