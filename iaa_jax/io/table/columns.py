"""Splits and checks the column names that the caller gives; a star in a name matches any text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from iaa_jax._checks import text_of_star
from iaa_jax._errors import IaaError, MissingColumnError, shown, suggestion
from iaa_jax.data.usual_names import ITEM, usual_name
from iaa_jax.io.base import Options
from iaa_jax.io.table.head import Head
from iaa_jax.io.table.source import Source
from iaa_jax.wording import Note, keyword, named
from iaa_jax.wording.formats import counted


def split_names(columns: str | Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    """Split "a,b" into two columns, unless a column is called "a,b"; "a*" names all that match.

    Examples
    --------
    >>> split_names("id,rater *", ["id", "rater 1", "rater 2"])
    ('id', 'rater 1', 'rater 2')
    """
    return tuple(name for name, _ in expand_stars(columns, names))


def expand_stars(columns: str | Sequence[str], names: Sequence[str]) -> list[tuple[str, str]]:
    """Return the columns of `split_names`, each with the text of its star, or else its name.

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
        raise IaaError("a list of columns is empty: name a column, or omit the option")
    known = set(names)
    pairs = []
    for part in parts:
        if "*" not in part or part in known:
            pairs.append((part, part))
            continue
        stars = [(name, text_of_star(part, name)) for name in names]
        pairs += [(name, star) for name, star in stars if star is not None] or [(part, part)]
    return pairs


def other_columns(names: Sequence[str], taken: Sequence[str | None]) -> list[str]:
    """Return the columns that are not taken, in order."""
    used = set(taken)
    return [name for name in names if name not in used]


def refuse_options(options: Options, layout: str, allowed: Sequence[str]) -> None:
    """Refuse options that a layout does not take."""
    if options.question is not None:
        raise IaaError(
            f"{keyword('question')} is for formats with several questions; this is a plain table: "
            f"name the columns instead ({keyword('label')}, or {keyword('annotators')})"
        )
    if options.merge_labels and layout not in ("long", "wide", "transposed"):
        raise IaaError(
            f"{named('merge_labels')} merges cells; the labels of a {layout} table are columns"
        )
    refused = [name for name in options.columns_named() if name not in allowed]
    if refused:
        listed = ", ".join(map(named, allowed)) or "none"
        raise IaaError(
            f"{', '.join(map(named, refused))} cannot be used with a {layout} table, which takes "
            f"{listed}"
        )


def check_columns(
    source: Source, names: Sequence[str], wanted: Sequence[str], named_by: str = ""
) -> None:
    """Refuse a wanted column that is missing or wanted twice, or whose name is not unique.

    ``named_by`` is the option that names the wanted columns, for messages.
    """
    # surrounding blanks are removed from names
    count = Counter(name.strip() for name in names)
    known = set(names)
    missing = [name for name in wanted if name not in known]
    if missing:
        by = named_by or keyword("keep", missing[0])
        raise MissingColumnError(
            f"{source} has no column {missing[0]!r} (named by {by}); its columns are "
            f"{shown(names, 12)}{suggestion(missing[0], names)}"
        )
    repeated = [name for name in dict.fromkeys(wanted) if count[name.strip()] > 1]
    if repeated:
        raise IaaError(
            f"{source}: {counted(len(repeated), 'column name')} not unique: {shown(repeated)}; "
            "rename these columns in the file, or name others"
        )
    if len(set(wanted)) < len(wanted):
        doubled = [name for name, times in Counter(wanted).items() if times > 1]
        raise IaaError(f"{named_by} names a column twice: {shown(doubled)}")


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
                raise IaaError(f"{both} the column {name!r}; it can be only one")


def items_from(ids: Sequence[str]) -> Note:
    """Return a note on where items are from: the columns ``ids``, or else the numbers of rows."""
    if not ids:
        return Note("read_items_numbered")
    return Note("read_items_from", {"columns": list(ids)})


def usual_item(head: Head, names: Sequence[str]) -> str | None:
    """Return the column with a usual name for the items of a table with a row per item.

    Columns without repeated cells are preferred.

    Examples
    --------
    >>> head = Head(["task", "id"], [["nli", "1"], ["nli", "2"]])
    >>> usual_item(head, head.names)
    'id'
    """
    unique = [name for name in names if tells_apart(head, [name])]
    return usual_name(unique, ITEM) or usual_name(names, ITEM)


def tells_apart(head: Head, names: Sequence[str]) -> bool:
    """Tell whether no two of the first rows have the same cells in these columns."""
    return len({*(rows := [*zip(*map(head.column, names), strict=True)])}) == len(rows)


def recurring(head: Head, names: Sequence[str]) -> list[str]:
    """Return columns whose names occur among their own cells, as if the header were a row.

    A row that repeats all names counts as another header.

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
