"""Which column is what: named by the caller, or told from its name and its cells."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set

from iaa_jax._errors import IaaError, MissingColumnError, shown, suggestion
from iaa_jax.data.labels import parse_number
from iaa_jax.data.usual import (
    ANNOTATOR as ANNOTATOR,
    ITEM as ITEM,
    LABEL as LABEL,
    named_like_totals,
    usual_name as usual_name,
)
from iaa_jax.io.base import Options
from iaa_jax.io.table.cells import Missing
from iaa_jax.io.table.head import Head
from iaa_jax.io.table.source import Source
from iaa_jax.wording import Note, keyword, named
from iaa_jax.wording.formats import counted

NUMBERED = 20  # rows, which is no chance
SHARED = 0.1  # share of texts of items that are labels as well, at most
LONG = 20  # figures of a number that counts no rows

# Columns of tables with a row an item that are no annotators, by a part of their names.
_NO_ANNOTATOR = re.compile(
    r"text|sentence|comment|content|title|source|url|date|time|split|lang|gold|truth|correct|"
    r"reference|majority|consensus|final|aggregat|adjudicat|mean|avg|average|median|total|count|"
    r"label(?!l?er)|emotion|category|unnamed|^index$|^no\W*$|agree|confidence|certain|"
    r"^(is|has|was|can)[\W_]|flag|predict|(^|[\W_])conf([\W_\d]|$)|^(group|team|words?|tokens?)$|"
    r"^(pre|post|before|after|baseline)([\W_]|$)|"
    r"^(train|test|dev|valid|fold|length|len|rank|order|page|round|batch)$|"
    r"(^|[\W_])(sd|std|stdev|se|var|variance)([\W_]|$)|"
    r"^(age|sex|gender|education|ethnicity|nationality|country|income|cond(ition)?|treatment)$"
)
_ANNOTATOR = re.compile(
    r"(annotator|annot|ann|rater|coder|worker|judge|labell?er|reviewer|expert|evaluator|human|"
    r"user|model|reader|observer|participant|respondent|assessor|examiner|annotateur|codeur|juge|"
    r"anotador|codificador|juez|annotatore|kodierer|codierer|gutachter)"
    r"\W*_?((?!conf|time|date|text|note)\w{0,4}|"
    r"\d{1,2}[\W_]*(text|label|rating|score|code|value|answer|annotation|decision)s?)"
    r"|[ar]\d+",
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
        stars = [(name, _star(part.split("*"), name)) for name in names]
        pairs += [(name, star) for name, star in stars if star is not None] or [(part, part)]
    return pairs


def _star(parts: Sequence[str], name: str) -> str | None:
    """What the first star between these parts stands for, as much as it can; None if none fits.

    From the last part to the first, so that no names and stars take long.
    """
    first, *inner, last = parts
    end = len(name) - len(last)
    if end < len(first) or not (name.startswith(first) and name.endswith(last)):
        return None
    for part in reversed(inner):
        end = name.rfind(part, len(first), end)
        if end < 0:
            return None
    return name[len(first) : end]


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

    Columns to keep are no annotators, unless they look like one. Where columns have no names, the
    first is the item column only if its cells stand in no other.
    """
    ids: tuple[str, ...] = (usual_name(head.names, ITEM) or head.names[0],)
    if item is not None:
        ids = split_names(item, head.names)
    elif head.nameless and not _names_items(head, head.names[0], missing):
        ids = ()
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
    column has a name that annotators do not have, counts the rows or is named like a label, and all
    are joined by common labels.
    """
    ids, annotators = wide_layout(head, item, keep, missing)
    used = {name: labels for name in annotators if (labels := _labels(head, name, missing))}
    if len(used) < 2 or any(is_no_annotator(head, name) for name in annotators):
        return False
    if is_cross_table(head) or names_are_labels(head, used) or len(groups_of_labels(used)) > 1:
        return False
    if item is not None or not ids or ids[0] == usual_name(head.names, ITEM):
        return True
    first = {_spelt(cell) for cell in _cells(head, ids[0])}
    return len(first) * 2 > len(head.rows) and not first <= set[object]().union(*used.values())


def _names_items(head: Head, name: str, missing: Missing) -> bool:
    """Whether the cells of a column stand in no other, and recur in few rows.

    A few words may: a text that is the name of a label too.
    """
    own = _labels(head, name, missing)
    others = [_labels(head, other, missing) for other in other_columns(head.names, [name])]
    shared = own & set[object]().union(*others)
    few = all(isinstance(cell, str) for cell in own) and len(shared) <= SHARED * len(own)
    return len(own) * 2 > len(head.rows) and (not shared or few)


def is_no_annotator(head: Head, name: str) -> bool:
    """Whether a column has a name that annotators do not have, or only counts the rows."""
    return _NO_ANNOTATOR.search(name.lower()) is not None or numbers_rows(head, name)


def usual_item(head: Head, names: Sequence[str]) -> str | None:
    """Choose the item column of a table with a row an item: one with a usual name.

    The best name comes first, but for columns that repeat their cells where another does not.

    Examples
    --------
    >>> head = Head(["task", "id"], [["nli", "1"], ["nli", "2"]])
    >>> usual_item(head, head.names)
    'id'
    """
    apart = [name for name in names if tells_apart(head, [name])]
    return usual_name(apart, ITEM) or usual_name(names, ITEM)


def tells_apart(head: Head, names: Sequence[str]) -> bool:
    """Whether no two of the first rows have the same cells in some columns."""
    return len({*(rows := [*zip(*map(head.column, names), strict=True)])}) == len(rows)


def is_cross_table(head: Head) -> bool:
    """Whether rows and columns have the same names, and all other cells are whole numbers.

    Totals beside and below do not count.
    """
    width = len(head.names)
    rows = [row for row in head.rows if len(row) == width]
    above = [name for name in head.names[1:] if not named_like_totals(name)]
    beside = [row[0].strip() for row in rows if not named_like_totals(row[0])]
    if len(above) < 2 or sorted(above) != sorted(beside):
        return False
    cells = [parse_number(cell.strip()) for row in rows for cell in row[1:]]
    return all(isinstance(cell, int) and cell >= 0 for cell in cells)


def names_are_labels(head: Head, labels_of: Mapping[str, Set[object]]) -> bool:
    """Whether names of columns stand among the labels: the first line may be no header.

    Names that number the columns, beside a column with a usual name of items, are a header.
    """
    labels = set[object]().union(*labels_of.values())
    numbers = [int(name) for name in labels_of if name.isdecimal() and len(name) < LONG]
    in_order = len(numbers) == len(labels_of) and numbers[:1] in ([0], [1])
    in_order = in_order and numbers == [*range(numbers[0], numbers[0] + len(numbers))]
    if head.nameless or (in_order and usual_name(head.names, ITEM) == head.names[0]):
        return False
    return any(_spelt(name) in labels for name in labels_of)


def recurring(head: Head, names: Sequence[str]) -> list[str]:
    """Columns whose names stand among their own cells, as those of a row that is no header do.

    A row that repeats all of the names is a header again.

    Examples
    --------
    >>> recurring(
    ...     Head(["VP01", "F02", "6"], [["VP01", "F03", "6"], ["VP01", "F02", "6"]]), ["VP01"]
    ... )
    []
    >>> recurring(Head(["VP01", "F02", "6"], [["VP01", "F03", "6"]]), ["F02", "VP01", "6"])
    ['VP01', '6']
    """
    if head.nameless:
        return []
    places = {name: head.positions[name] for name in names if name in head.positions}
    rows = [[cell.strip() for cell in row] for row in head.rows if len(row) == len(head.names)]
    rows = [row for row in rows if any(row[place] != name for name, place in places.items())]
    return [name for name, place in places.items() if any(row[place] == name for row in rows)]


def labels_of_columns(head: Head, names: Sequence[str]) -> dict[str, set[object]]:
    """The distinct cells of columns, numbers as numbers, where there are any."""
    labels_of = {name: _labels(head, name, Missing()) for name in names}
    return {name: labels for name, labels in labels_of.items() if labels}


def groups_of_labels(labels_of: Mapping[str, Set[object]]) -> list[list[str]]:
    """Columns that common labels join, directly or by others, the largest group first.

    Numbers with fractions are seldom the same, and join all columns that have them.

    Examples
    --------
    >>> groups_of_labels({"a": {1, 2}, "b": {"x"}, "c": {2, 3}, "d": {3}})
    [['a', 'c', 'd'], ['b']]
    """
    group_of = {name: name for name in labels_of}

    def first_of(name: str) -> str:
        while group_of[name] != name:
            group_of[name] = name = group_of[group_of[name]]
        return name

    first_with: dict[object, str] = {}
    for name, labels in labels_of.items():
        for label in labels:
            other = first_with.setdefault(float if _is_fraction(label) else label, name)
            first, second = first_of(other), first_of(name)
            group_of[second] = first
    groups: dict[str, list[str]] = {}
    for name in labels_of:
        groups.setdefault(first_of(name), []).append(name)
    return sorted(groups.values(), key=len, reverse=True)


def _is_fraction(label: object) -> bool:
    return isinstance(label, float) and label % 1 != 0


def numbers_rows(head: Head, name: str) -> bool:
    """Whether a column only counts the rows, as ids of ratings do."""
    cells = head.column(name)
    # a number of thousands of figures counts nothing, and is none to Python
    numbers = [int(cell) for cell in cells if cell.isdecimal() and len(cell) < LONG]
    one_more = [number + 1 for number in numbers[:-1]] == numbers[1:]
    return len(numbers) == len(cells) >= NUMBERED and one_more


def _labels(head: Head, name: str, missing: Missing) -> set[object]:
    return {_spelt(cell) for cell in _cells(head, name) if cell not in missing}


def _spelt(cell: str) -> object:
    number = parse_number(cell)
    if number is None and cell.count(",") == 1:
        number = parse_number(cell.replace(",", "."))
    return cell if number is None else number


def _cells(head: Head, name: str) -> set[str]:
    return {*head.column(name)}
