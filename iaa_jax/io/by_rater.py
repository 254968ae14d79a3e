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
from iaa_jax.io.file_names import ANNOTATOR as ANNOTATOR_PART
from iaa_jax.io.layout.plain import names_are_labels
from iaa_jax.io.layout.sample import of_head
from iaa_jax.io.table.cells import BLANK
from iaa_jax.io.table.coded import known_cells
from iaa_jax.io.table.columns import split_names, tells_apart
from iaa_jax.io.table.content import Watched
from iaa_jax.io.table.opening import head, table
from iaa_jax.io.table.proposal import each_by
from iaa_jax.io.table.source import Source
from iaa_jax.wording import keyword
from iaa_jax.wording.formats import counted

WIDEST = 8  # columns of which two may name items together
SHOWN = 3  # columns that are named
_NAMED = {"item", "label", "secondary", "separator", "one_hot", "multi_hot", "blank"}


def told_by_files(files: Sequence[Source], options: Options) -> dict[str, Any]:
    """Take files with the same items, each of them once, for one annotator's each.

    Nothing is told where the files say who rated, or no labels are named or named as is usual. Of
    files whose annotators a pattern names, one column beside the items is that of labels.
    """
    patterned = all(file.annotator for file in files)
    try:
        shape = _shape(files, options, pairs=patterned)
    except IaaError:
        return {}  # the reader says why
    if shape is None:
        return {}
    names, items, free = shape
    told: dict[str, Any] = {} if options.item is not None else {"item": list(items)}
    marks = options.label or options.one_hot or options.multi_hot
    if not marks and usual_name(free, LABEL) is None:
        if not patterned or len(free) != 1:
            return {}
        told["label"] = free[0]
    for file, name in zip(files, names, strict=True):
        file.annotator = name
    return told


@dataclass(frozen=True)
class OfRaters:
    """Files that seem to be of an annotator each, and how they are read."""

    names: Sequence[str]
    items: Sequence[str]
    free: Sequence[str]
    label: str
    nameless: bool  # whether the first lines seem to hold no names of columns
    pattern: str = ""  # of folders of an annotator each, in which names of files recur

    @property
    def way(self) -> str:
        """What to give, where names of columns or of items do not tell it by themselves."""
        if not self.nameless and not self.pattern and len(self.items) == 1:
            return ""
        options = [keyword("header_line", 0)] if self.nameless else []
        options += [keyword("file_pattern", self.pattern)] if self.pattern else []
        given = ", ".join([*options, keyword("item", ",".join(self.items))])
        label = keyword("label", self.label)
        if len(self.free) == 1:
            return f"{given} and {label}"
        return f"{given} and the column of labels, as in {label}"

    @property
    def every(self) -> str:
        """How several columns of labels are measured, each by itself."""
        return f"; {each_by(self.free[:SHOWN])}" if len(self.free) > 1 else ""


def describe_files(files: Sequence[Source], options: Options) -> str | None:
    """Say how files that seem to be of an annotator each are read; None if they do not."""
    told = of_raters(files, options)
    if told is None:
        return None
    kind = "folders" if told.pattern else "files"
    begin = (
        f"{files[0]} and {counted(len(files) - 1, 'other file')} have the same items (from "
        f"{shown(told.items)}), as {kind} of an annotator each have ({shown(told.names)})"
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
                people = [*dict.fromkeys(names)]
                recur = len(people) < len(names) and files[0].annotator is None
                pattern = _pattern(files, names) if recur else ""
                return OfRaters(people, items, free, label, nameless, pattern)
    except IaaError:
        pass  # the reader says why
    return None


def _may_lack_header(file: Source) -> bool:
    """Whether a name of a column stands among its cells."""
    start = head(file)
    return names_are_labels(start, of_head(start).labels_of(start.names))


def _varied(file: Source, names: Sequence[str]) -> str:
    """The first column whose cells are neither all equal nor all different."""
    start = head(file)
    labels = of_head(start).labels_of(names)
    some = [name for name in names if len(labels.get(name, ())) > 1]
    return next((name for name in some if not tells_apart(start, [name])), (some or names)[0])


def _shape(
    files: Sequence[Source], options: Options, *, pairs: bool = False
) -> tuple[list[str], tuple[str, ...], list[str]] | None:
    """The annotator of each file, the columns of items, and those neither of items nor named.

    With ``pairs`` also two columns may name the items that one does not tell apart.
    """
    asked = set(options.columns_named())
    if len(files) < 2 or not asked <= _NAMED:
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
    if not items or not {*items} <= {*columns}:
        return None
    likely = [items]
    if pairs and options.item is None:
        others = [name for name in free if name not in items]
        # few columns, and those alone that tell the first rows apart: each is read of all files
        likely += [(*items, name) for name in others[:WIDEST] if tells_apart(start, [*items, name])]
    told = _annotators(files)
    for items in likely:
        for names in told:
            if _rated_by_several(files, names, items):
                return names, items, [name for name in free if name not in items]
    return None


def _annotators(files: Sequence[Source]) -> list[list[str]]:
    """Who may have annotated each file: as a pattern says, or by names of files or folders.

    Where all names of files, of folders or of sheets differ, these are the annotators; else names
    that recur may be, of which the items tell: of ann/ann_1 and ann/ann_2, that of the folder.
    """
    told = [file.annotator for file in files]
    if any(told):
        return [[str(name) for name in told]] if all(told) and len({*told}) > 1 else []
    stems = [Path(file.name).name.split(".")[0].strip() for file in files]
    folders = [_folders(file)[-1:] for file in files]
    parents = [folder[0] if folder else "" for folder in folders]
    sheets = [(file.records or "").strip() if file.is_sheet else "" for file in files]
    sizes = len({*parents}), len(files)
    of_folders = 1 < sizes[0] < sizes[1] and all(map(str.__contains__, stems, parents))
    for names in (parents, sheets) if of_folders else (stems, parents, sheets):
        if len({*names}) == len(names) and all(names):
            return [names]
    levels = [names for names in _levels(files) if 1 < len({*names}) < len(names)]
    return [*levels, *([stems] if len({*stems}) > 1 else [])]


def _folders(file: Source) -> tuple[str, ...]:
    """The folders in which a file lies, from the one that was named; of a single file, all."""
    if file.container is None and isinstance(file.path, Watched):
        return file.path.path.parts[:-1]
    return file.inside[:-1]


def _levels(files: Sequence[Source]) -> list[list[str]]:
    """The folders of each file at every depth at which all have one, the innermost first."""
    ways = [_folders(file) for file in files]
    return [[way[-depth] for way in ways] for depth in range(1, min(map(len, ways)) + 1)]


def _pattern(files: Sequence[Source], names: Sequence[str]) -> str:
    """The pattern that takes the annotators from where their names stand."""
    for depth, level in enumerate(_levels(files)):
        if level == list(names):
            return f"{ANNOTATOR_PART}/{'*/' * depth}*{files[0].suffix}"
    return f"{ANNOTATOR_PART}{files[0].suffix}"


def _rated_by_several(
    files: Sequence[Source], annotators: Sequence[str], items: Sequence[str]
) -> bool:
    """Whether no annotator has an item twice, and most items are of several annotators."""
    times: Counter[tuple[object, ...]] = Counter()
    seen: dict[str, set[tuple[object, ...]]] = {}
    for file, annotator in zip(files, annotators, strict=True):
        read = table(file, items)
        columns = [known_cells(read.column(name), BLANK)[0] for name in items]
        rows = list(
            zip(
                *([*map([*cells, None].__getitem__, codes)] for codes, cells in columns),
                strict=True,
            )
        )
        filled = [row for row in rows if None not in row]
        known = seen.setdefault(annotator, set())
        size = len(known) + len(filled)
        known.update(filled)
        if len(known) < size:
            return False
        times.update(filled)
    return 2 * sum(count > 1 for count in times.values()) >= max(1, len(times))
