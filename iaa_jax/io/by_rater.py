"""A file for each annotator, with the same columns, where nothing in them says who rated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from iaa_jax._errors import IaaError, shown
from iaa_jax.data.usual import ANNOTATOR, ITEM, LABEL, usual_name
from iaa_jax.io.base import Options
from iaa_jax.io.table.cells import BLANK
from iaa_jax.io.table.coded import known_cells
from iaa_jax.io.table.columns import (
    labels_of_columns,
    names_are_labels,
    split_names,
    tells_apart,
)
from iaa_jax.io.table.opening import head, table
from iaa_jax.io.table.proposal import each_by
from iaa_jax.io.table.source import Source
from iaa_jax.wording import keyword
from iaa_jax.wording.formats import counted

WIDEST = 8  # columns of which two may name items together
SHOWN = 3  # columns that are named
_NAMED = {"item", "label", "secondary", "separator", "one_hot", "multi_hot"}


def told_by_files(files: Sequence[Source], options: Options) -> dict[str, Any]:
    """Take files with the same items, each of them once, for one annotator's each.

    Nothing is told where the files say who rated, or no labels are named or named as is usual.
    """
    try:
        shape = _shape(files, options)
        if shape is None:
            return {}
        names, items, free = shape
        marks = options.label or options.one_hot or options.multi_hot
        if not marks and usual_name(free, LABEL) is None:
            return {}
    except IaaError:
        return {}  # the reader says why
    for file, name in zip(files, names, strict=True):
        file.annotator = name
    return {} if options.item is not None else {"item": list(items)}


@dataclass(frozen=True)
class OfRaters:
    """Files that seem to be of an annotator each, and how they are read."""

    names: Sequence[str]
    items: Sequence[str]
    free: Sequence[str]
    label: str
    nameless: bool  # whether the first lines seem to hold no names of columns

    @property
    def way(self) -> str:
        """What to give, where names of columns or of items do not tell it by themselves."""
        if not self.nameless and len(self.items) == 1:
            return ""
        header = f"{keyword('header_line', 0)}, " if self.nameless else ""
        return (
            f"{header}{keyword('item', ','.join(self.items))} and the column of labels, as in "
            f"{keyword('label', self.label)}"
        )

    @property
    def every(self) -> str:
        """How several columns of labels are measured, each by itself."""
        return f"; {each_by(self.free[:SHOWN])}" if len(self.free) > 1 else ""


def describe_files(files: Sequence[Source], options: Options) -> str | None:
    """Say how files that seem to be of an annotator each are read; None if they do not."""
    told = of_raters(files, options)
    if told is None:
        return None
    begin = (
        f"{files[0]} and {counted(len(files) - 1, 'other file')} have the same items (from "
        f"{shown(told.items)}), as files of an annotator each have ({shown(told.names)})"
    )
    if told.way:
        lines = "; the first lines seem to hold no names of columns" if told.nameless else ""
        return f"{begin}{lines}: give {told.way}"
    listed = ",".join(told.free[:SHOWN])
    return (
        f"{begin}: name the column of labels, as in {keyword('label', told.label)}, or columns of "
        f"0 and 1 for sets of labels, as in {keyword('multi_hot', listed)}{told.every}"
    )


def of_raters(files: Sequence[Source], options: Options) -> OfRaters | None:
    """Tell how files of an annotator each are read, with names of columns or without."""
    try:
        ways = [(files, False)]
        if _may_lack_header(files[0]):
            ways.insert(0, ([file.with_header(0) for file in files], True))
        for read, nameless in ways:
            shape = _shape(read, options, pairs=True)
            if shape is not None:
                names, items, free = shape
                if not free:
                    return None
                label = usual_name(free, LABEL) or _varied(read[0], free)
                return OfRaters(names, items, free, label, nameless)
    except IaaError:
        pass  # the reader says why
    return None


def _may_lack_header(file: Source) -> bool:
    """Whether a name of a column stands among its cells."""
    start = head(file)
    return names_are_labels(start, labels_of_columns(start, start.names))


def _varied(file: Source, names: Sequence[str]) -> str:
    """The first column whose cells are neither all equal nor all different."""
    start = head(file)
    labels = labels_of_columns(start, names)
    some = [name for name in names if len(labels.get(name, ())) > 1]
    return next((name for name in some if not tells_apart(start, [name])), (some or names)[0])


def _shape(
    files: Sequence[Source], options: Options, *, pairs: bool = False
) -> tuple[list[str], tuple[str, ...], list[str]] | None:
    """The annotators, the columns of items, and the columns that are neither items nor named.

    With ``pairs`` also two columns may name the items that one does not tell apart.
    """
    asked = set(options.columns_named())
    if len(files) < 2 or not asked <= _NAMED or any(file.annotator for file in files):
        return None
    start = head(files[0])
    columns = start.names
    orders = [head(file).names for file in files[1:]]
    if any(sorted(names) != sorted(columns) for names in orders):
        return None
    if usual_name(columns, ANNOTATOR) is not None:
        return None
    used: set[str] = set()
    for option in ("label", "secondary", "one_hot", "multi_hot"):
        if (value := getattr(options, option)) is not None:
            used.update(split_names(value, columns))
    free = [name for name in columns if name not in used]
    if options.item is not None:
        items = split_names(options.item, columns)
    else:
        # the first column, where all files agree which it is
        first = free[0] if free and all(names[0] == columns[0] for names in orders) else None
        best = usual_name(free, ITEM) or first
        items = () if best is None else (best,)
    names = _annotators(files)
    if not items or not {*items} <= {*columns} or names is None:
        return None
    if not _rated_by_several(files, items):
        others = [name for name in free if name not in items] if pairs else []
        # few columns, and those alone that tell the first rows apart: each is read of all files
        likely = [(*items, name) for name in others[:WIDEST] if tells_apart(start, [*items, name])]
        items = next((both for both in likely if _rated_by_several(files, both)), ())
        if not items or options.item is not None:
            return None
    return names, items, [name for name in free if name not in items]


def _annotators(files: Sequence[Source]) -> list[str] | None:
    """The names of the files, or of their folders, where these differ."""
    stems = [Path(file.name).name.split(".")[0].strip() for file in files]
    folders = [file.inside[-2] if len(file.inside) > 1 else "" for file in files]
    sheets = [(file.records or "").strip() if file.is_sheet else "" for file in files]
    for names in (stems, folders, sheets):
        if len({*names}) == len(names) and all(names):
            return names
    return None


def _rated_by_several(files: Sequence[Source], items: Sequence[str]) -> bool:
    """Whether no file has an item twice, and most items are in several files."""
    times: Counter[tuple[object, ...]] = Counter()
    for file in files:
        read = table(file, items)
        columns = [known_cells(read.column(name), BLANK)[0] for name in items]
        rows = list(
            zip(
                *([*map([*cells, None].__getitem__, codes)] for codes, cells in columns),
                strict=True,
            )
        )
        filled = [row for row in rows if None not in row]
        if len({*filled}) < len(filled):
            return False
        times.update(filled)
    return 2 * sum(count > 1 for count in times.values()) >= max(1, len(times))
