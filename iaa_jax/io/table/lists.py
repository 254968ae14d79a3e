"""Cells that hold several labels: JSON lists, or texts with a separator."""

from __future__ import annotations

import ast
import json
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from iaa_jax.data.factorize import Column
from iaa_jax.io.table.cells import Missing
from iaa_jax.io.table.json_fields import cell_text

Lists = list[tuple[str | None, ...]]


def split_lists(cells: Sequence[object], separator: str | None) -> Lists | None:
    """Take cells apart; None if they are single values.

    Without a separator, cells are lists if every one is a list of single values as JSON or
    Python write it.

    Examples
    --------
    >>> split_lists(['["joy", 1]', "[]"], None)
    [('joy', '1'), ()]
    >>> split_lists(["joy; fear"], ";")
    [('joy', 'fear')]
    >>> split_lists(['["joy"]', "fear"], None) is None
    True
    """
    if not cells:
        return None
    if separator is not None:
        return [
            tuple(part.strip() for part in str(cell).split(separator) if part.strip())
            for cell in cells
        ]
    lists: Lists = []
    for cell in cells:
        text = str(cell)
        members = _listed(text) if text.startswith("[") and text.endswith("]") else None
        if members is None:
            return None
        lists.append(members)
    return lists


def member_rows(column: Column, lists: Lists, missing: Missing) -> tuple[NDArray[np.int64], Column]:
    """Give each member of the lists a row of its own: the row it came from, and the members."""
    codes, _ = column
    code_of: dict[str, int] = {}
    members = [
        [-1 if m is None or m.strip() in missing else code_of.setdefault(m.strip(), len(code_of))
         for m in group]
        for group in lists
    ]  # fmt: skip
    sizes = np.array([*(len(group) for group in members), 0])[codes]
    flat = [member for code in codes.tolist() if code >= 0 for member in members[code]]
    rows = np.repeat(np.arange(len(codes)), sizes)
    return rows, (np.array(flat, dtype=np.int64), list(code_of))


def _listed(text: str) -> tuple[str | None, ...] | None:
    try:
        members = json.loads(text)
    except (ValueError, RecursionError):
        try:
            members = ast.literal_eval(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            return None
    if not isinstance(members, list) or any(isinstance(m, (list, dict)) for m in members):
        return None
    texts = tuple(cell_text(member) for member in members)
    try:
        "".join(text or "" for text in texts).encode()
    except UnicodeEncodeError:  # half of a pair of surrogates, which JSON can spell
        return None
    return texts
