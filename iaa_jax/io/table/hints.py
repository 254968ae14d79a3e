"""What the first rows of a table of unknown layout look like, and how to say so."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from iaa_jax._errors import brief, shown
from iaa_jax.data.labels import parse_number
from iaa_jax.io.base import Options
from iaa_jax.io.table import opening
from iaa_jax.io.table.columns import (
    ANNOTATOR,
    ITEM,
    LABEL,
    choose_annotators,
    numbers_rows,
    split_names,
    usual_name,
)
from iaa_jax.io.table.head import Head
from iaa_jax.io.table.source import Source
from iaa_jax.wording import keyword, with_ways

_LONGEST = 60  # characters of a name that an option is advised for
_WORDS = 4  # of a person's name

# Parts of the names of columns: enough for advice, not for a guess.
_WHO = re.compile(
    r"annotator|rater|coder|worker|judge|label+er|reviewer|evaluator|participant|respondent|"
    r"(^|[\W_])(user|who|by)([\W_]*(id|name|no|nr|num|number|key))?$",
    re.IGNORECASE,
)
_WHAT = re.compile(r"([\W_]|^)(id|no|nr|num|number|key|idx)$|[a-z]I[dD]$")

# A part before the last dot, or the last of other marks where there is no dot.
_PREFIX = re.compile(r"(.+[.:/])[^.:/]+|([^.:/]+[_ -])[^.:/_ -]+")
_LISTED = re.compile(r"\w+(?:\.\d+)?(;\s*\w+(?:\.\d+)?)+")


def explain_layout(source: Source, head: Head, options: Options, files: int = 1) -> str:
    """Say that the layout cannot be told, show the columns, and give options to fill in."""
    names = head.names
    columns = choose_annotators(names)
    who = usual_name(names, ANNOTATOR) or _first(
        _WHO, [name for name in names if name not in columns and not _holds_texts(head, name)]
    )
    # a column with fields of its own holds objects, which name nothing
    objects = {name for name in names if any(other.startswith(f"{name}.") for other in names)}
    others = [name for name in names if name != who and name not in objects]
    item = _named_item(options, names)
    seems = ""
    if item is None or item == who:
        if item is not None:
            seems = f"; the column {brief(item)} seems to name annotators"
        what = usual_name(others, ITEM) or _first(_WHAT, others)
        item = what or (names[0] if who is None and names[0] not in columns else None)
    label = usual_name([name for name in others if name != item], LABEL)
    if label is not None and numbers_rows(head, label):
        label = None
    annotators = [name for name in columns if name not in (who, item)]
    unit = _given("item", item)
    wide = _given("annotators", _together(annotators, names))
    advice = hints(head, item)
    first = [row[0] for row in head.rows if row]
    of_annotators = who == names[0] or len(first) < len(names) - 1
    if of_annotators and len({*first}) == len(first):
        advice.insert(0, f"if a row is one annotator, give {keyword('format', 'transposed')}")
    if files > 1:
        ending = source.suffix or ".*"
        advice += [
            f"of {files} files, {keyword('file_pattern', f'NAME*{ending}')} takes those named so",
            "if each file is of one annotator, give "
            f"{keyword('file_pattern', f'{{annotator}}{ending}')}",
        ]
    return with_ways(
        f"{source}: cannot tell how the table is laid out; its columns are {shown(names, 12)}"
        f"{seems}",
        [
            f"if a row is one rating, give {unit}, {_given('annotator', who)} and "
            f"{_given('label', label)} (without annotators: {keyword('anonymous', True)})",
            f"if a row is one item, give {f'{unit} and ' if item else ''}{wide}",
            *advice,
        ],
    )


def explain_spans(source: Source) -> str:
    """Say that no spans are known in a file, show its columns, and how spans are named."""
    return with_ways(
        f"no spans were found in {source}; its columns are {shown(opening.head(source).names, 12)}",
        [
            "a table of spans has a row per span and the columns document, annotator, start, end "
            "and label",
            "'iaa formats' lists the other formats",
            "for labels, use 'iaa agree'",
        ],
    )


def _named_item(options: Options, names: Sequence[str]) -> str | None:
    """The item columns that the caller named, as an option takes them."""
    return None if options.item is None else ",".join(split_names(options.item, names))


def _holds_texts(head: Head, name: str) -> bool:
    """Whether a cell of a column is too long, or of too many words, for a name."""
    position, width = head.positions[name], len(head.names)
    cells = (row[position] for row in head.rows if len(row) == width)
    return any(len(cell) > _LONGEST or len(cell.split()) > _WORDS for cell in cells)


def _first(pattern: re.Pattern[str], names: Sequence[str]) -> str | None:
    return next((name for name in names if pattern.search(name)), None)


def _together(annotators: Sequence[str], names: Sequence[str]) -> str:
    """The columns of annotators as an option takes them: by their beginning, if they are long."""
    if len(annotators) < 2:
        return "NAME,NAME"
    listed, match = ",".join(annotators), _PREFIX.fullmatch(annotators[0])
    start = (match[1] or match[2]) if match else ""
    alike = bool(start) and [name for name in names if name.startswith(start)] == [*annotators]
    return f"{start}*" if len(listed) > _LONGEST and alike else listed


def _given(option: str, name: str | None) -> str:
    """An option with a name, or with what stands for one."""
    return keyword(option, name if name and len(name) <= _LONGEST else "NAME")


def hints(head: Head, item: str | None) -> list[str]:
    """Name the options that the cells suggest; nothing where several readings are possible.

    Examples
    --------
    >>> from iaa_jax.wording.spelling import in_python, respelled
    >>> head = Head(["id", "n_yes", "n_no"], [["a", "3", "0"], ["b", "1", "2"]])
    >>> [respelled(hint, in_python) for hint in hints(head, "id")]
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
    lists = [name for name, column in cells.items() if _lists(column)]
    if lists:
        more = f" (so do {len(lists) - 1:,} others)" if len(lists) > 1 else ""
        first = next(cell for cell in cells[lists[0]] if cell)
        separated = "" if first.startswith("[") else f" and {keyword('separator', ';')}"
        seen.append(
            f"{lists[0]!r} holds lists{more}; if each has all ratings of an item, give "
            f"{keyword('label', lists[0])} with {keyword('anonymous', True)}{separated}"
        )
    return seen


def _whole(column: Sequence[str]) -> list[int] | None:
    """The numbers of a column, if all are whole and none is negative."""
    numbers = [parse_number(cell) for cell in column]
    if all(isinstance(number, int) and number >= 0 for number in numbers):
        return [int(number) for number in numbers if number is not None]
    return None


def _of_prefix(whole: Mapping[str, Sequence[int]]) -> list[str]:
    """The first columns of counts, or of 0 and 1, that begin alike.

    Where other groups end alike too, as in "ann_yes" and "bob_yes", it is no hint.
    """
    groups: dict[str, list[str]] = {}
    for name in whole:
        if match := _PREFIX.fullmatch(name):
            groups.setdefault(match[1] or match[2], []).append(name)
    several = {prefix: names for prefix, names in groups.items() if len(names) > 1}
    ends = [name.removeprefix(prefix) for prefix, names in several.items() for name in names]
    if not several or len(set(ends)) < len(ends):
        return []
    prefix, names = next(iter(several.items()))
    rows = list(zip(*(whole[name] for name in names), strict=True))
    largest = max(max(row) for row in rows)
    if largest > 1 and any(0 in row for row in rows):
        counts = keyword("counts", f"{prefix}*")
        return [f"if the columns '{prefix}*' count annotators, give {counts}"]
    if largest == 1:
        option = "one_hot" if all(sum(row) == 1 for row in rows) else "multi_hot"
        return [
            f"if a row is one rating and the columns '{prefix}*' are its labels, give "
            f"{keyword(option, f'{prefix}*')}"
        ]
    return []


def _of_sum(whole: Mapping[str, Sequence[int]]) -> list[str]:
    """Columns side by side whose sum stands in the next one: counts and their total."""
    names = list(whole)
    for end, total in enumerate(names):
        sums = [0] * len(whole[total])
        for start in range(end - 1, -1, -1):
            sums = [a + b for a, b in zip(sums, whole[names[start]], strict=True)]
            exact = len(sums) > 1 and sums == list(whole[total])
            # the sum stays the same with columns of zeros: take them in
            before = whole[names[start - 1]] if start else [1]
            if exact and end - start > 1 and any(before):
                listed = ",".join(names[start:end])
                return [
                    f"{total!r} is the sum of columns; if they count annotators, give "
                    f"{keyword('counts', listed)}"
                ]
    return []


def _lists(column: Sequence[str]) -> bool:
    filled = [cell for cell in column if cell]
    return bool(filled) and all(map(_is_list, filled))


def _is_list(cell: str) -> bool:
    if not cell.startswith("["):
        return _LISTED.fullmatch(cell) is not None
    try:
        value = json.loads(cell)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, list) and not any(isinstance(part, (list, dict)) for part in value)
