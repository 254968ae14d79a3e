"""Which column is what: named by the caller, or told from its name and its cells."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from iaa_jax._errors import IaaError, MissingColumnError, shown, suggestion
from iaa_jax.data.labels import parse_number
from iaa_jax.data.usual import (
    ANNOTATOR as ANNOTATOR,
    ITEM as ITEM,
    LABEL as LABEL,
    usual_name as usual_name,
)
from iaa_jax.io.base import Options
from iaa_jax.io.table.cells import Missing
from iaa_jax.io.table.head import Head
from iaa_jax.io.table.source import Source
from iaa_jax.wording import Note, keyword, named
from iaa_jax.wording.formats import counted

NUMBERED = 20  # rows, which is no chance
LONG = 20  # figures of a number that counts no rows

# Columns of tables with a row an item that are no annotators, by a part of their names.
_NO_ANNOTATOR = re.compile(
    r"text|sentence|comment|content|title|source|url|date|time|split|lang|gold|truth|correct|"
    r"reference|majority|consensus|final|aggregat|adjudicat|mean|avg|average|median|total|count|label(?!l?er)|emotion|category"
)
_ANNOTATOR = re.compile(
    r"(annotator|annot|ann|rater|coder|worker|judge|labell?er|reviewer|expert|evaluator|human|"
    r"user|model)\W*_?\w{0,4}|[ar]\d+",
    re.IGNORECASE,
)


def split_names(columns: str | Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    """Take "a,b" for two columns, unless one column bears that very name; "a*" for all that fit.

    Examples
    --------
    >>> split_names("id,rater *", ["id", "rater 1", "rater 2"])
    ('id', 'rater 1', 'rater 2')
    """
    return tuple(name for name, _ in expand_stars(columns, names))


def expand_stars(columns: str | Sequence[str], names: Sequence[str]) -> list[tuple[str, str]]:
    """Name columns as `split_names` does, each with what a star stands for (else its whole name).

    Examples
    --------
    >>> expand_stars("votes.*,other", ["votes.yes", "votes.no", "other"])
    [('votes.yes', 'yes'), ('votes.no', 'no'), ('other', 'other')]
    """
    if not isinstance(columns, str):
        parts = list(columns)
    elif columns in names:
        parts = [columns]
    else:
        parts = [part.strip() for part in columns.split(",") if part.strip()]
    if not parts:
        msg = "a list of columns is empty: name a column, or leave the option out"
        raise IaaError(msg)
    known = set(names)
    pairs = []
    for part in parts:
        if "*" not in part or part in known:
            pairs.append((part, part))
            continue
        pattern = re.compile("(.*)".join(map(re.escape, part.split("*"))), re.DOTALL)
        fits = [(name, match[1]) for name in names if (match := pattern.fullmatch(name))]
        pairs += fits or [(part, part)]
    return pairs


def other_columns(names: Sequence[str], taken: Sequence[str | None]) -> list[str]:
    """The columns but for those that are taken, in their order."""
    used = set(taken)
    return [name for name in names if name not in used]


def refuse_options(options: Options, layout: str, allowed: Sequence[str]) -> None:
    """Refuse options that a layout does not take."""
    if options.merge_labels and layout not in ("long", "wide", "transposed"):
        msg = f"{named('merge_labels')} merges cells; the labels of a {layout} table are columns"
        raise IaaError(msg)
    refused = [name for name in options.columns_named() if name not in allowed]
    if refused:
        listed = ", ".join(map(named, allowed)) or "none"
        msg = (
            f"{', '.join(map(named, refused))} cannot be used with a {layout} table, which takes "
            f"{listed}"
        )
        raise IaaError(msg)


def check_columns(
    source: Source, names: Sequence[str], wanted: Sequence[str], named_by: str = ""
) -> None:
    """Refuse a column that is not there, that is named twice, or whose name others bear too.

    ``named_by`` is the option that names the wanted ones; ``keep`` if not given.
    """
    # blanks around them tell no two names apart: those of annotators and items lose them
    count = Counter(name.strip() for name in names)
    known = set(names)
    missing = [name for name in wanted if name not in known]
    if missing:
        by = named_by or keyword("keep", missing[0])
        msg = (
            f"{source} has no column {missing[0]!r} (named by {by}); its columns are "
            f"{shown(names, 12)}{suggestion(missing[0], names)}"
        )
        raise MissingColumnError(msg)
    repeated = [name for name in dict.fromkeys(wanted) if count[name.strip()] > 1]
    if repeated:
        msg = (
            f"{source}: {counted(len(repeated), 'column name')} not unique: {shown(repeated)}; "
            "rename these columns in the file, or name others"
        )
        raise IaaError(msg)
    if len(set(wanted)) < len(wanted):
        doubled = [name for name, times in Counter(wanted).items() if times > 1]
        msg = f"{named_by} names a column twice: {shown(doubled)}"
        raise IaaError(msg)


def check_apart(roles: Mapping[str, Sequence[str | None]]) -> None:
    """Refuse a column that two options name.

    Examples
    --------
    >>> check_apart({"item": ["id", "bot"], "label": ["bot"]})
    Traceback (most recent call last):
    ...
    iaa_jax._errors.IaaError: item= and label= both name the column 'bot'; it can be only one
    """
    option_of: dict[str, str] = {}
    for option, columns in roles.items():
        for name in columns:
            if name is None:
                continue
            first = option_of.setdefault(name, option)
            if first != option:
                both = f"{keyword(first)} and {keyword(option)} both name"
                msg = f"{both} the column {name!r}; it can be only one"
                raise IaaError(msg)


def items_from(ids: Sequence[str]) -> Note:
    """Where the items of a table with a row an item come from."""
    if not ids:
        return Note("read_items_numbered")
    return Note("read_items_from", {"columns": list(ids)})


def refuse_question(question: str | None) -> None:
    """Refuse a question, which the files of annotation tools have and tables do not."""
    if question is not None:
        msg = (
            f"{keyword('question')} is for formats with several questions; this is a plain table: "
            f"name the columns instead ({keyword('label')}, or {keyword('annotators')})"
        )
        raise IaaError(msg)


def choose_annotators(names: Sequence[str]) -> list[str]:
    """Choose the names that annotators of a table with a row an item often have."""
    return [name for name in names if _ANNOTATOR.fullmatch(name)]


def wide_layout(
    head: Head, item: str | Sequence[str] | None, keep: Sequence[str], missing: Missing
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Take a table for one with a row an item: item columns, and all others as annotators.

    Columns to keep are no annotators, unless they look like one.
    """
    ids: tuple[str, ...] = (usual_name(head.names, ITEM) or head.names[0],)
    if item is not None:
        ids = split_names(item, head.names)
    # a row "a,b," names no third column: it is none unless there is something in it
    unnamed = {
        name
        for number, name in enumerate(head.names, start=1)
        if name == f"column {number}" and not any(_cells(head, name))
    }
    others = other_columns(head.names, [*ids, *unnamed])
    sure = [_labels(head, name, missing) for name in other_columns(others, keep)]
    labels = set[object]().union(*sure)
    repeating = {
        name
        for name in set(keep).intersection(others)
        if _NO_ANNOTATOR.search(name.lower()) or labels.isdisjoint(_labels(head, name, missing))
    }
    return ids, tuple(name for name in others if name not in repeating)


def is_likely_wide(
    head: Head, item: str | Sequence[str] | None, keep: Sequence[str], missing: Missing
) -> bool:
    """Tell whether a table very likely has a row for each item.

    So it is if the item column is named, bears a usual name or hardly repeats a cell, no other
    column has a name that annotators do not have, and each shares a label with another one.
    """
    ids, annotators = wide_layout(head, item, keep, missing)
    labels_of = {name: _labels(head, name, missing) for name in annotators}
    used = {name: labels for name, labels in labels_of.items() if labels}
    if len(used) < 2 or any(_NO_ANNOTATOR.search(name.lower()) for name in annotators):
        return False
    columns_of = Counter(label for labels in used.values() for label in labels)
    if any(all(columns_of[label] == 1 for label in labels) for labels in used.values()):
        return False
    if item is not None or ids[0] == usual_name(head.names, ITEM):
        return True
    first = {_spelt(cell) for cell in _cells(head, ids[0])}
    return len(first) * 2 > len(head.rows) and not first <= set[object]().union(*used.values())


def numbers_rows(head: Head, name: str) -> bool:
    """Whether a column only counts the rows, as ids of ratings do."""
    position, width = head.positions[name], len(head.names)
    cells = [row[position].strip() for row in head.rows if len(row) == width]
    # a number of thousands of figures counts nothing, and is none to Python
    numbers = [int(cell) for cell in cells if cell.isdecimal() and len(cell) < LONG]
    one_more = [number + 1 for number in numbers[:-1]] == numbers[1:]
    return len(numbers) == len(cells) >= NUMBERED and one_more


def _labels(head: Head, name: str, missing: Missing) -> set[object]:
    return {_spelt(cell) for cell in _cells(head, name) if cell not in missing}


def _spelt(cell: str) -> object:
    number = parse_number(cell)
    return cell if number is None else number


def _cells(head: Head, name: str) -> set[str]:
    position, width = head.positions[name], len(head.names)
    distinct = {row[position] for row in head.rows if len(row) == width}
    return {cell.strip() for cell in distinct}
