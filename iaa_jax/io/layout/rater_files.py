"""Recognises files, folders or sheets of one annotator each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from iaa_jax._errors import IaaError, shown
from iaa_jax.data.usual_names import ANNOTATOR, ITEM, LABEL, usual_name
from iaa_jax.io.base import Options
from iaa_jax.io.layout.evidence import share_of_pairs
from iaa_jax.io.layout.names import NUMBER, OF_TIME
from iaa_jax.io.layout.plain import cells_of, names_are_labels
from iaa_jax.io.layout.rating_rows import MEET
from iaa_jax.io.layout.sample import Sample, columns_of, sample_head
from iaa_jax.io.table.cells import BLANK
from iaa_jax.io.table.columns import split_names, tells_apart
from iaa_jax.io.table.content import Watched
from iaa_jax.io.table.opening import head, table
from iaa_jax.io.table.proposal import each_by
from iaa_jax.io.table.source import Source
from iaa_jax.wording import keyword
from iaa_jax.wording.formats import counted

WIDEST = 8  # maximum number of candidates for a second item column
SHOWN = 3  # maximum number of columns in advice
_MARKS = ("label", "one_hot", "multi_hot")
_NAMED = {"item", "secondary", "unordered", "separator", "blank", *_MARKS}


@dataclass(frozen=True)
class RaterFiles:
    """Files that seem to come from one annotator each, and how they are read.

    Attributes
    ----------
    names
        The annotator of each file.
    free
        The columns that neither name items nor were named by the caller.
    is_told
        Whether the label column is certain.
    """

    files: Sequence[Source]
    names: Sequence[str]
    items: Sequence[str]
    free: Sequence[str]
    is_told: bool = False
    nameless: bool = False

    @property
    def answers(self) -> Sequence[str]:
        """The free columns, without texts such as comments unless nothing else is left."""
        columns = sample_head(head(self.files[0])).columns
        texts = {name for name, cells in columns.items() if cells.are_texts or cells.are_ids}
        return [name for name in self.free if name not in texts] or self.free

    @property
    def label(self) -> str:
        """A likely label column; if possible, its values are not all equal or all different."""
        start = head(self.files[0])
        labels = sample_head(start).labels_of(self.answers)
        some = [name for name in self.answers if len(labels.get(name, ())) > 1]
        varied = [name for name in some if not tells_apart(start, [name])]
        return usual_name(self.free, LABEL) or (varied or some or self.free)[0]

    def advice(self, records: str | None = None) -> str:
        """Return advice on how to read the files; ``records`` names the sheets."""
        sheets = "" if records is None else f"{keyword('records', records)}, "
        sheets += f"{keyword('header_line', 0)}, " if self.nameless else ""
        options = f"{sheets}{keyword('item', ','.join(self.items))}"
        label = keyword("label", self.label)
        if len(self.free) == 1 and records is None:
            return f"{options} and {label}"
        every = f"; {each_by(self.answers[:SHOWN])}" if self.answers[1:] and records else ""
        return f"{options} and the column of labels, as in {label}{every}"


def told_by_files(files: Sequence[Source], options: Options) -> dict[str, Any]:
    """Infer options if each file has the ratings of one annotator, and set the file's annotator."""
    try:
        columns = head(files[0]).names if len(files) > 1 else []
    except IaaError:
        return {}  # the reader will report why
    label_is_told = _label_is_told(columns, options)
    if not columns or not (label_is_told or all(file.annotator for file in files)):
        return {}
    shape = rater_files(files, options)
    if shape is not None and shape.is_told:
        for file, name in zip(files, shape.names, strict=True):
            file.annotator = name
        inferred: dict[str, Any] = {} if options.item is not None else {"item": [*shape.items]}
        if shape.free and not _label_is_told(shape.free, options):
            inferred["label"] = shape.free[0]
        return inferred
    sheets = all(file.is_sheet and file.annotator is None for file in files)
    if sheets and label_is_told and _is_open(columns, options):
        for file in files:
            file.annotator = file.records
    return {}


def describe_files(files: Sequence[Source], options: Options) -> str | None:
    """Return advice on reading files that seem to have one annotator each; None for other files."""
    shape = rater_files(files, options)
    if shape is None or not shape.free:
        return None
    kind = "files" if len({*shape.names}) == len(shape.names) else "folders"
    begin = (
        f"{files[0]} and {counted(len(files) - 1, 'other file')} have the same items (from "
        f"{shown(shape.items)}), which suggests {kind} of one annotator each "
        f"({shown([*dict.fromkeys(shape.names)])})"
    )
    if shape.nameless or len(shape.items) > 1:
        lines = "; the first lines seem to hold no names of columns" if shape.nameless else ""
        return f"{begin}{lines}: give {shape.advice()}"
    listed = ",".join(shape.free[:SHOWN])
    every = f"; {each_by(shape.free[:SHOWN])}" if shape.free[1:] else ""
    return (
        f"{begin}: name the column of labels, as in {keyword('label', shape.label)}, or columns of "
        f"0 and 1 for sets of labels, as in {keyword('multi_hot', listed)}{every}; if equal names "
        "are different items in each, make the names different in the data"
    )


def rater_files(files: Sequence[Source], options: Options) -> RaterFiles | None:
    """Return how files of one annotator each are read, with or without column names."""
    if len(files) < 2:
        return None
    try:
        start = head(files[0])
        has_label = _label_is_told(start.names, options)
        if not has_label and names_are_labels(start, cells_of(start, start.names)):
            shape = _shape([file.with_header(0) for file in files], options, nameless=True)
            if shape is not None:
                return shape
        return _shape(files, options)
    except IaaError:
        return None  # the reader will report why


def _label_is_told(columns: Sequence[str], options: Options) -> bool:
    named = any(getattr(options, option) is not None for option in _MARKS)
    return named or usual_name(columns, LABEL) is not None


def _is_open(columns: Sequence[str], options: Options) -> bool:
    return {*options.columns_named()} <= _NAMED and usual_name(columns, ANNOTATOR) is None


def _shape(
    files: Sequence[Source], options: Options, *, nameless: bool = False
) -> RaterFiles | None:
    start = head(files[0])
    columns = start.names
    orders = [head(file).names for file in files[1:]]
    if any(sorted(names) != sorted(columns) for names in orders):
        return None
    if not _is_open(columns, options):
        return None
    used: set[str] = set()
    for option in ("secondary", *_MARKS):
        if (value := getattr(options, option)) is not None:
            used.update(split_names(value, columns))
    free = [name for name in columns if name not in used]
    if options.item is not None:
        likely = [split_names(options.item, columns)]
    else:
        first = free[0] if free and all(names[0] == columns[0] for names in orders) else None
        best = usual_name(free, ITEM) or first
        likely = [] if best is None else [(best,)]
        # only a few columns are tried, because all files are read for each; first rows with equal
        # cells rule out a pair of item columns
        others = [name for name in free if name != best][:WIDEST] if likely else []
        likely += [pair for name in others if tells_apart(start, pair := (str(best), name))]
    for items, names in product(likely, [*_annotators(files)]):
        if {*items} <= {*columns} and _rated_by_several(files, names, items):
            left = [name for name in free if name not in items]
            if not (left or used):
                return None
            alone = len(left) == 1 and all(file.annotator for file in files)
            timed = options.item is None and items[1:] and any(map(is_time, (*items[1:], *names)))
            is_certain = not (nameless or timed) and (alone or _label_is_told(left, options))
            return RaterFiles(files, names, items, left, is_certain, nameless)
    return None


def is_time(name: str) -> bool:
    """Tell whether a name may be a time, as "2019" and "wave 2" are."""
    bare = NUMBER.sub("", name).strip("-_. ")
    return not bare or OF_TIME.search(bare) is not None


def _annotators(files: Sequence[Source]) -> Iterator[list[str]]:
    """Yield possible annotators of each file: by the file pattern, file, folder or sheet name.

    If names recur, the items decide which names are used. For ann/ann_1 and ann/ann_2, the folder
    names the annotator.
    """
    from_pattern = [file.annotator for file in files]
    if any(from_pattern):
        if all(from_pattern) and len({*from_pattern}) > 1:
            yield [str(name) for name in from_pattern]
        return
    stems = [Path(file.name).name.split(".")[0].strip() for file in files]
    parents = [(_folders(file) or ("",))[-1] for file in files]
    sheets = [(file.records or "").strip() if file.is_sheet else "" for file in files]
    of_folders = 1 < len({*parents}) < len(files) and all(map(str.__contains__, stems, parents))
    for names in (parents, sheets) if of_folders else (stems, parents, sheets):
        if len({*names}) == len(names) and all(names):
            yield names
            return
    for names in (*_levels(files), stems):
        if len({*names}) > 1 and (names is stems or len({*names}) < len(names)):
            yield names


def _folders(file: Source) -> tuple[str, ...]:
    """Return the folders of a file, from the one that the caller named."""
    if file.container is None and isinstance(file.path, Watched):
        return file.path.path.parts[:-1]
    return file.inside[:-1]


def _levels(files: Sequence[Source]) -> list[list[str]]:
    ways = [_folders(file) for file in files]
    return [[way[-depth] for way in ways] for depth in range(1, min(map(len, ways)) + 1)]


def _rated_by_several(
    files: Sequence[Source], annotators: Sequence[str], items: Sequence[str]
) -> bool:
    """Tell whether no annotator repeats an item, and at least half of the items are shared."""
    parts = [table(file, items) for file in files]
    rows = [part.rows for part in parts]
    who = np.repeat(np.unique(annotators, return_inverse=True)[1], rows)
    whole = Sample(columns_of(parts, items, BLANK), head(files[0]), sum(rows))
    once, met = share_of_pairs(whole.joined(items), who)
    return once == 1 and met >= MEET
