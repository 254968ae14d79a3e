"""What the cells of columns suggest: counts of annotators, labels in columns, lists of ratings."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from iaa_jax.data.labels import parse_number
from iaa_jax.io.layout.names import are_annotators, choose_annotators
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
    times = Counter(head.names)
    cells = {name: head.column(name) for name in times if name != item and times[name] == 1}
    if not any(cells.values()):
        return []
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
        if len(names) > 1 and not are_annotators(names)
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
    above = tuple([0] * len(next(iter(whole.values()), ())))  # the sum of all columns before
    start_of: dict[tuple[int, ...], int] = {}
    for end, total in enumerate(names):
        # the sum stays the same with columns of zeros: the first start takes them in
        start_of.setdefault(above, end)
        rest = tuple(a - b for a, b in zip(above, whole[total], strict=True))
        start = start_of.get(rest, end)
        if len(above) > 1 and any(whole[total]) and end - start > 1:
            place_of = {name: place for place, name in enumerate(order)}
            counts = sorted(names[start:end], key=place_of.__getitem__)
            condition = f"{total!r} is the sum of columns: if they count annotators"
            return [Proposal(condition, {"counts": ",".join(counts)})]
        above = tuple(a + b for a, b in zip(above, whole[total], strict=True))
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
    for name in head.positions:
        cells = head.column(name)
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
