"""Splits cells with several labels: JSON lists, or texts with a separator."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from iaa_jax._errors import IaaError, shown
from iaa_jax.data.factorize import Column
from iaa_jax.data.notices.similar import merged_columns, merged_lists
from iaa_jax.io.base import Options
from iaa_jax.io.table.cells import Missing, with_plain_numbers
from iaa_jax.io.table.json_fields import cell_text
from iaa_jax.wording import Note, keyword

Lists = list[tuple[str | None, ...]]

_TYPED = {r"\n": "\n", r"\t": "\t"}
SHOWN = 3  # maximum number of cells in a message
SHORTEST = 2  # minimum length of a vector of 0 and 1

# Words or numbers with semicolons or bars between them, or numbers with commas between them.
_LISTED = re.compile(r"-?\w+(?:\.\d+)?((?:;\s*-?\w+(?:\.\d+)?)+|(?:\s?\|\s?-?\w+(?:\.\d+)?)+)")
_NUMBERS = re.compile(r"-?\d+(?:\.\d+)?(,\s?-?\d+(?:\.\d+)?)+")
_FEWEST = 3  # some cell must have this many numbers, since "1,5" may be one number


def are_lists(column: Sequence[str]) -> bool:
    """Tell whether all filled cells of a column hold lists.

    Examples
    --------
    >>> are_lists(["[1, 2]", "", "[]"]), are_lists(["2, 3, -1", "1, 1"]), are_lists(["1,5", "2,0"])
    (True, True, False)
    """
    filled = [cell for cell in column if cell]
    if all(map(_NUMBERS.fullmatch, filled)):
        return any(cell.count(",") >= _FEWEST - 1 for cell in filled)
    return bool(filled) and all(map(is_list, filled))


def is_list(cell: str) -> bool:
    """Tell whether a cell is a list of single values."""
    if not cell.startswith("["):
        return _LISTED.fullmatch(cell) is not None
    try:
        value = json.loads(cell)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, list) and not any(isinstance(part, (list, dict)) for part in value)


def split_lists(cells: Sequence[object], separator: str | None) -> Lists | None:
    r"""Split cells into lists; None if they are single values.

    Without a separator, lists are in JSON or Python notation. A separator that no cell has is
    refused; a line break and a tab may be typed as ``\n`` and ``\t``.

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
        separator = _as_meant(separator, cells)
        return [
            tuple(part.strip() for part in str(cell).split(separator) if part.strip())
            for cell in cells
        ]
    return _all_listed(cells, nested=False)


def as_labels(
    columns: Sequence[Column], options: Options
) -> tuple[list[Column], Lists | None, list[Note]]:
    """Return the labels of columns, the lists in their cells (None without lists), and notes."""
    lists = split_lists(columns[0][1], options.separator)
    if lists is not None:
        return [*columns], merged_lists(lists, options.merge_labels, options.labels), []
    merged = merged_columns(columns, options.merge_labels, options.labels)
    answers, notes = with_plain_numbers(merged, options.labels)
    return answers, None, notes


def as_sets(lists: Lists) -> tuple[Lists, list[Note]]:
    """Return lists as label sets, with notes.

    If all lists have the same length above 1 and only members 0 and 1, each list becomes the
    positions of its ones.

    Examples
    --------
    >>> as_sets([("1", "0", "1"), ("0", "1", "0")])[0]
    [('1', '3'), ('2',)]
    >>> as_sets([("1",), ("0", "1")])[0]
    [('1',), ('0', '1')]
    """
    of_bits = all(member in ("0", "1") for group in lists for member in group)
    sizes = {len(group) for group in lists}
    if not of_bits or len(sizes) != 1 or min(sizes) < SHORTEST:
        return lists, []
    places: Lists = [
        tuple(str(place) for place, member in enumerate(group, start=1) if member == "1")
        for group in lists
    ]
    return places, [Note("read_vectors", {"places": sizes.pop()})]


def _as_meant(separator: str, cells: Sequence[object]) -> str:
    for meant in (separator, _TYPED.get(separator, separator)):
        if any(meant in str(cell) for cell in cells):
            return meant
    some = shown(list(map(str, cells[:SHOWN])))
    raise IaaError(
        f"{keyword('separator', separator)} separates nothing, since no cell has it: cells are "
        f"{some}"
    )


def member_rows(column: Column, lists: Lists, missing: Missing) -> tuple[NDArray[np.int64], Column]:
    """Return the row of each member of the lists, and the members as a column."""
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


def nested_lists(cells: Sequence[object]) -> Lists | None:
    """Split lists; members that are lists become JSON texts. None if a cell is no list.

    Examples
    --------
    >>> nested_lists(["[['age'], ['age', 'race']]", "[]"])
    [('["age"]', '["age", "race"]'), ()]
    """
    return _all_listed(cells, nested=True) or None


def _all_listed(cells: Sequence[object], *, nested: bool) -> Lists | None:
    lists: Lists = []
    for cell in cells:
        if (members := _listed(str(cell), nested=nested)) is None:
            return None
        lists.append(members)
    return lists


def _listed(text: str, *, nested: bool) -> tuple[str | None, ...] | None:
    if not (text.startswith("[") and text.endswith("]")):
        return None
    try:
        members = json.loads(text)
    except (ValueError, RecursionError):
        try:
            members = ast.literal_eval(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            return None
    refused = dict if nested else (list, dict)
    if not isinstance(members, list) or any(isinstance(m, refused) for m in members):
        return None
    try:
        texts = tuple(cell_text(member) for member in members)
    except (TypeError, ValueError):  # Python's notation has values that JSON lacks
        return None
    try:
        "".join(text or "" for text in texts).encode()
    except UnicodeEncodeError:  # an unpaired surrogate, which JSON can contain
        return None
    return texts
