"""A page for results that need no words of their own: every figure, in tables by axis."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import xarray as xr

from iaa_jax._types import Values
from iaa_jax.pages import intervals
from iaa_jax.pages.blocks import Block, Column, Facts, Remarks, Table
from iaa_jax.pages.page import Page
from iaa_jax.pages.ratings import WORDS as RATINGS, short_facts
from iaa_jax.pages.records import COUNTS, counts
from iaa_jax.wording import Note, Words, formats, joined, load_notes
from iaa_jax.wording.figures import Kind

SHOWN = 20
"""Rows that a page shows."""

_ACROSS = 12
"""Columns of a table by two axes."""

_FIRST = (
    *("title", "summary", "estimate", "standard_error", "ci_low", "z", "p_value"),
    *("adjusted_p_value", "word", "reached", "first", "second"),
)
"""Figures that stand first, and go last where there is no room."""

_WORDS = {
    "noted": "{note}",
    "about_rows": "{names:names}: {note}",
    "named": "{name:name}",
    "in_result": "Only in the result: {names:join , }.",
}


def generic_page(result: xr.Dataset, words: Words) -> Page:
    """The page of any result, said with these words."""
    title = formats.spaced(str(result.attrs.get("made_by", "result")))
    blocks: list[Block] = []
    if "items" in result.attrs and "task" in result.attrs:
        blocks.append(short_facts(result.attrs))
    scalars = [
        (str(name), formats.short(float(values)))
        for name, values in sorted(result.data_vars.items(), key=lambda item: _rank(str(item[0])))
        if not values.dims and values.dtype.kind in "iuf"
    ]
    if scalars:
        blocks.append(Facts(scalars))
    axes = {str(values.dims[0]) for values in result.data_vars.values() if values.ndim == 1}
    for axis in sorted(axes, key=_rank_of_axis):
        blocks.append(_table(result, axis))
    by_two = [name for name, values in result.data_vars.items() if values.ndim > 1]
    shown = {str(name): _table_by_two(result, str(name)) for name in by_two}
    blocks += [table for table in shown.values() if table is not None]
    left_out = [formats.spaced(name) for name, table in shown.items() if table is None]
    only = [Note("in_result", {"names": left_out})] if left_out else []
    blocks.append(Remarks([*only, *_remarks(result)]))
    known = joined(RATINGS, intervals.WORDS, _WORDS, words)
    return Page(title.capitalize(), [], blocks, known, {"": result})


def columns_of(result: xr.Dataset, axis: str, *, in_files: bool = False) -> Iterator[Column]:
    """A column for each variable along an axis alone; low and high ends together.

    Where there is no room for all, the last ones are left out first.
    """
    names = [
        str(name)
        for name, variable in result.variables.items()
        if variable.dims == (axis,) and name != axis
    ]
    names.sort(key=_rank)
    for place, name in enumerate(names, 1):
        values = result[name].values
        if name.endswith("_high") and f"{name.removesuffix('high')}low" in names:
            continue
        heading = formats.spaced(name)
        if name.endswith("_low") and f"{name.removesuffix('low')}high" in names:
            key = name.removesuffix("_low")
            ends = np.stack([values, result[f"{key}_high"].values], axis=1)
            yield Column(key, formats.spaced(key), ends, "interval", in_files=in_files)
        else:
            kind = _kind(name, values)
            known = counts(values) if name in COUNTS else values
            yield Column(name, heading, known, kind, spare=place, in_files=in_files)


def with_the_rest(columns: Iterable[Column], result: xr.Dataset, axis: str) -> list[Column]:
    """The columns of a page, and all others along an axis, which stand in files."""
    listed = list(columns)
    keys = {column.key for column in listed}
    others = columns_of(result, axis, in_files=True)
    return [*listed, *(column for column in others if column.key not in keys)]


def _rank(name: str) -> tuple[int, str]:
    """The usual figures first: files do not keep the order of variables."""
    return _FIRST.index(name) if name in _FIRST else len(_FIRST), name


def _rank_of_axis(axis: str) -> tuple[bool, bool, str]:
    return axis != "coefficient", axis != "label", axis


def _table(result: xr.Dataset, axis: str) -> Table:
    return Table(f"{axis}s", [_key(result, axis), *columns_of(result, axis)], "", f"{axis}s", SHOWN)


def _table_by_two(result: xr.Dataset, name: str) -> Table | None:
    """A figure along two axes: the longer one down, the other across if it is short."""
    values = result[name]
    if values.ndim != 2 or min(values.shape) > _ACROSS:
        return None
    down, across = map(str, values.dims)
    if values.sizes[across] > _ACROSS:
        down, across = across, down
    figures = values.transpose(down, across).values
    kind = _kind(name, figures)
    columns = [
        Column(f"{name}_{each}", heading, figures[:, place], kind, brief=str(place + 1))
        for place, each in enumerate(np.asarray(_key(result, across).values).tolist())
        for heading in [Note("named", {"name": str(each)})]
    ]
    caption = formats.spaced(f"{name} by {down} and {across}").capitalize()
    return Table(name, [_key(result, down), *columns], caption, f"{down}s", SHOWN)


def _key(result: xr.Dataset, axis: str) -> Column:
    names = np.arange(1, result.sizes[axis] + 1)
    if axis in result.coords:
        names = result[axis].values
    return Column(axis, formats.spaced(axis), names, "label")


def _kind(name: str, values: Values) -> Kind:
    if values.dtype.kind not in "iufb":
        return "text"
    if name.endswith("p_value"):
        return "p"
    return "count" if values.dtype.kind in "iub" else "estimate"


def _remarks(result: xr.Dataset) -> Iterator[Note]:
    for note in load_notes(str(result.attrs.get("notes", ""))):
        if note.about:
            yield Note("about_rows", {"names": list(note.about), "note": note})
        else:
            yield Note("noted", {"note": note})
    yield from intervals.description(result.attrs)
