"""What the cells of columns suggest: counts of annotators, labels in columns, lists of ratings."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from iaa_jax.data.labels import parse_number
from iaa_jax.io.table.columns import choose_annotators
from iaa_jax.io.table.head import Head
from iaa_jax.io.table.proposal import PREFIX, Proposal

# Words or numbers between semicolons or bars; of commas numbers alone, and more than two once.
_LISTED = re.compile(r"-?\w+(?:\.\d+)?((?:;\s*-?\w+(?:\.\d+)?)+|(?:\s?\|\s?-?\w+(?:\.\d+)?)+)")
_NUMBERS = re.compile(r"-?\d+(?:\.\d+)?(,\s?-?\d+(?:\.\d+)?)+")
_FEWEST = 3  # numbers between commas; two may be one with a decimal comma
_PEOPLE = re.compile(
    r"(annotator|rater|coder|worker|judge|labell?er|reviewer|evaluator|participant|voter|user)s?"
    r"([\W_]|$)",
    re.IGNORECASE,
)


def hints(head: Head, item: str | None) -> list[Proposal]:
    """Name the options that the cells suggest; nothing where several readings are possible.

    Examples
    --------
    >>> from iaa_jax.wording.spelling import in_python, respelled
    >>> head = Head(["id", "n_yes", "n_no"], [["a", "3", "0"], ["b", "1", "2"]])
    >>> [respelled(hint.text, in_python) for hint in hints(head, "id")]
    ["if the columns 'n_*' count annotators, give counts='n_*'"]
    """
    width = len(head.names)
    rows = [row for row in head.rows if len(row) == width]
    if not rows:
        return []
    times = Counter(head.names)
    cells = {
        name: [row[position].strip() for row in rows]
        for position, name in enumerate(head.names)
        if name != item and times[name] == 1
    }
    whole = {name: numbers for name, column in cells.items() if (numbers := _whole(column))}
    seen = _of_prefix(whole) or _of_sum(whole)
    lists = [name for name, column in cells.items() if are_lists(column)]
    if lists and not lists_of_people(head):
        others = "does another" if len(lists) == 2 else f"do {len(lists) - 1:,} others"
        more = f" (so {others})" if len(lists) > 1 else ""
        first = next(cell for cell in cells[lists[0]] if cell)
        mark = next((mark for mark in ";|," if mark in first), ";")
        separated = {} if first.startswith("[") else {"separator": mark}
        seen.append(
            Proposal(
                f"{lists[0]!r} holds lists{more}: if each has all ratings of an item",
                {"label": lists[0], "anonymous": True, **separated},
            )
        )
    return seen


def _whole(column: Sequence[str]) -> list[int] | None:
    """The numbers of a column, if all are whole and none is negative."""
    numbers = [parse_number(cell) for cell in column]
    if all(isinstance(number, int) and number >= 0 for number in numbers):
        return [int(number) for number in numbers if number is not None]
    return None


def _of_prefix(whole: Mapping[str, Sequence[int]]) -> list[Proposal]:
    """The first columns of counts, or of 0 and 1, that begin alike.

    Where other groups end alike too, as in "ann_yes" and "bob_yes", it is no hint.
    """
    groups: dict[str, list[str]] = {}
    for name in whole:
        if match := PREFIX.fullmatch(name):
            groups.setdefault(match[1] or match[2], []).append(name)
    several = {
        prefix: names
        for prefix, names in groups.items()
        if len(names) > 1 and choose_annotators(names) != names
    }
    ends = [name.removeprefix(prefix) for prefix, names in several.items() for name in names]
    if not several or len(set(ends)) < len(ends):
        return []
    prefix, names = next(iter(several.items()))
    rows = list(zip(*(whole[name] for name in names), strict=True))
    largest = max(max(row) for row in rows)
    if largest > 1 and any(0 in row for row in rows):
        condition = f"if the columns '{prefix}*' count annotators"
        return [Proposal(condition, {"counts": f"{prefix}*"})]
    if largest == 1:
        option = "one_hot" if all(sum(row) == 1 for row in rows) else "multi_hot"
        condition = f"if a row is one rating and the columns '{prefix}*' are its labels"
        return [Proposal(condition, {option: f"{prefix}*"})]
    return []


def _of_sum(whole: Mapping[str, Sequence[int]]) -> list[Proposal]:
    """Columns side by side whose sum stands in the next one, or before: counts and their total."""
    people = choose_annotators([*whole])
    whole = {name: numbers for name, numbers in whole.items() if name not in people}
    return _of_total(whole, [*whole]) or _of_total(dict(reversed([*whole.items()])), [*whole])


def _of_total(whole: Mapping[str, Sequence[int]], order: Sequence[str]) -> list[Proposal]:
    names = list(whole)
    for end, total in enumerate(names):
        sums = [0] * len(whole[total])
        for start in range(end - 1, -1, -1):
            sums = [a + b for a, b in zip(sums, whole[names[start]], strict=True)]
            exact = len(sums) > 1 and sums == list(whole[total]) and any(sums)
            # the sum stays the same with columns of zeros: take them in
            before = whole[names[start - 1]] if start else [1]
            if exact and end - start > 1 and any(before):
                counts = sorted(names[start:end], key=order.index)
                condition = f"{total!r} is the sum of columns: if they count annotators"
                return [Proposal(condition, {"counts": ",".join(counts)})]
    return []


def are_lists(column: Sequence[str]) -> bool:
    """Whether all cells of a column that are filled hold lists.

    Examples
    --------
    >>> are_lists(["[1, 2]", "", "[]"]), are_lists(["2, 3, -1", "1, 1"]), are_lists(["1,5", "2,0"])
    (True, True, False)
    """
    filled = [cell for cell in column if cell]
    if all(map(_NUMBERS.fullmatch, filled)):
        return any(cell.count(",") >= _FEWEST - 1 for cell in filled)
    return bool(filled) and all(map(is_list, filled))


def lists_of_people(head: Head) -> list[str]:
    """Columns that list annotators, a column for each label; none where there are no two.

    Each names somebody once, and the same people stand in several columns.

    Examples
    --------
    >>> lists_of_people(
    ...     Head(["id", "raters_yes", "raters_no"], [["a", "[3]", "[5, 8]"], ["b", "[5, 3]", "[]"]])
    ... )
    ['raters_yes', 'raters_no']
    """
    found: dict[str, set[str]] = {}
    for name, place in head.positions.items():
        cells = [row[place].strip() for row in head.rows if len(row) == len(head.names)]
        if not _PEOPLE.search(name) or not are_lists(cells):
            continue
        members = [list(map(str, json.loads(cell))) for cell in cells if cell.startswith("[")]
        if len(members) == sum(map(bool, cells)) and all(len({*m}) == len(m) for m in members):
            found[name] = {one for several in members for one in several}
    alike = [
        name
        for name, own in found.items()
        if any(own & other for another, other in found.items() if another != name)
    ]
    alike.sort(key=lambda name: (name.count("."), head.positions[name]))
    return alike if len(alike) > 1 else []


def is_list(cell: str) -> bool:
    """Whether a cell is a list of single values."""
    if not cell.startswith("["):
        return _LISTED.fullmatch(cell) is not None
    try:
        value = json.loads(cell)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, list) and not any(isinstance(part, (list, dict)) for part in value)
