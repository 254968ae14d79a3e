"""The page of a result that has no page of its own: all its values, in one table per axis."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain

import numpy as np
import xarray as xr

from iaa_jax._types import Values
from iaa_jax.pages import intervals
from iaa_jax.pages.blocks import TWO_ENDED, Block, Column, Facts, Remarks, Table, Text
from iaa_jax.pages.cells import texts_of
from iaa_jax.pages.page import Page
from iaa_jax.pages.ratings import WORDS as RATINGS, short_facts
from iaa_jax.pages.records import COUNTS, counts, part_of
from iaa_jax.wording import Note, Words, formats, joined, load_notes, say
from iaa_jax.wording.figures import ENDS, Figure, Kind, by_name

SHOWN = 20
"""Maximum number of rows that a page shows of a table that no analysis lays out."""

_ACROSS = 12
"""Maximum number of columns of a table by two axes."""

_FIRST = (
    *("title", "summary", "estimate", "standard_error", "ci_low", "z", "p_value"),
    *("adjusted_p_value", "word", "reached", "first", "second"),
)
"""Variables whose columns come first, and are the last to be left out."""

_WORDS = {
    "noted": "{note}",
    "about_rows": "{names:names}: {note}",
    "named": "{name:name}",
    "in_result": "Only in the result: {names:join , }.",
}


Declared = Mapping[str, Figure]
"""Declared figures by name."""


def generic_page(
    result: xr.Dataset, words: Words, figures: Mapping[str, Iterable[Figure]] | None = None
) -> Page:
    """Return a page of any result; ``words`` are the templates of its notes.

    ``figures`` are the figures that the analysis declares, by part of the JSON record. Tables
    follow their order, headings and kinds.
    """
    parts = figures or {}
    title = formats.spaced(str(result.attrs.get("made_by", "result")))
    blocks: list[Block] = []
    if "items" in result.attrs and "task" in result.attrs:
        blocks.append(short_facts(result.attrs))
    if scalars := [*_scalars(result, _along("", parts))]:
        blocks.append(Facts(scalars))
    axes = {str(values.dims[0]) for values in result.data_vars.values() if values.ndim == 1}
    for axis in sorted(axes, key=_rank_of_axis):
        blocks.append(_table(result, axis, _along(axis, parts)))
    by_two = [str(name) for name, values in result.data_vars.items() if values.ndim > 1]
    shown = {
        name: _table_by_two(result, name, _along(str(result[name].dims[0]), parts))
        for name in by_two
    }
    blocks += [table for table in shown.values() if table is not None]
    left_out = [formats.spaced(name) for name, table in shown.items() if table is None]
    only = [Note("in_result", {"names": left_out})] if left_out else []
    blocks.append(Remarks([*only, *_remarks(result)]))
    known = joined(RATINGS, intervals.WORDS, _WORDS, words)
    answer = [*_answer(result, known)]
    return Page(title.capitalize(), answer, blocks, known, {"": result})


def columns_of(result: xr.Dataset, axis: str, declared: Declared | None = None) -> Iterator[Column]:
    """Yield a column for each variable along this axis only; an interval's ends share a column."""
    known = declared or {}
    names = [
        str(name)
        for name, variable in result.variables.items()
        if variable.dims == (axis,) and name != axis
    ]
    names = _in_order(names, known)
    for rank, name in enumerate(names, 1):
        if name.endswith("_high") and f"{name.removesuffix('high')}low" in names:
            continue
        if name.endswith("_low") and f"{name.removesuffix('low')}high" in names:
            key = name.removesuffix("_low")
            ends = np.stack([result[f"{key}_{end}"].values for end in ("low", "high")], axis=1)
            figure = known.get(name, known.get(key.removesuffix("_ci")))
            kind: Kind = "share_interval" if figure and figure.kind == "share" else "interval"
            heading: Text = formats.spaced(key)
            if figure is not None and key.endswith("ci") and "confidence" in result.attrs:
                heading = Note("interval_heading", {"confidence": result.attrs["confidence"]})
            yield Column(key, heading, ends, kind)
        else:
            column = _column(name, result[name].values, known)
            yield replace(column, spare=rank)


def _along(axis: str, parts: Mapping[str, Iterable[Figure]]) -> Declared:
    """Return the declared figures by name; if several share a name, the one for this axis."""
    of_axis = by_name(parts.get(part_of(axis) if axis else "", ()))
    return {**of_axis, **by_name(chain.from_iterable(parts.values())), **of_axis}


def _in_order(names: Iterable[str], declared: Declared) -> list[str]:
    """Return names in the order of their columns.

    Declared figures with a heading, and declared ends of intervals, come first. Undeclared
    variables follow, beginning with those in ``_FIRST``. Declared figures without a heading come
    last.
    """
    ranks = {
        name: (0 if figure.heading or figure.name in ENDS else 2, number)
        for number, figure in enumerate(declared.values())
        for name in figure.names
    }
    return sorted(names, key=lambda name: (*ranks.get(name, (1, 0)), *_rank(name)))


def _column(name: str, values: Values, declared: Declared) -> Column:
    figure = declared.get(name, Figure(name, ""))
    kind = _kind(name, values)
    if name in declared and values.dtype.kind != "b":
        kind = figure.kind
    known = counts(values) if name in COUNTS else values
    heading = figure.heading or formats.spaced(name)
    return Column(name, heading, known, kind, figure.decimals)


def _scalars(result: xr.Dataset, declared: Declared) -> Iterator[tuple[Text, Text]]:
    single = [name for name, values in result.data_vars.items() if not values.dims]
    for column in columns_of(result[single].expand_dims("single"), "single", declared):
        if column.key in declared or column.heading != formats.spaced(column.key):
            text = texts_of(column, [0])[0]
            yield from [(column.heading, text)] * bool(text)
        elif column.kind in TWO_ENDED:
            yield column.key, texts_of(column, [0])[0]
        elif (value := np.asarray(column.values)).dtype.kind in "iuf":
            yield column.key, formats.short(float(value[0]))


def _answer(result: xr.Dataset, words: Words) -> Iterator[Note]:
    code = str(result.attrs.get("conclusion", ""))
    if code not in words:
        return
    values = {str(name): data.item() for name, data in result.data_vars.items() if not data.dims}
    note = Note(code, {**{str(name): value for name, value in result.attrs.items()}, **values})
    try:
        say(note, words)
    except KeyError:  # the result lacks a value that its sentence needs
        return
    yield note


def _rank(name: str) -> tuple[int, str]:
    """Rank the variables in ``_FIRST`` first, because files do not keep the order of variables."""
    return _FIRST.index(name) if name in _FIRST else len(_FIRST), name


def _rank_of_axis(axis: str) -> tuple[bool, bool, str]:
    return axis != "coefficient", axis != "label", axis


def _table(result: xr.Dataset, axis: str, declared: Declared) -> Table:
    columns = [_key(result, axis), *columns_of(result, axis, declared)]
    return Table(f"{axis}s", columns, "", f"{axis}s", SHOWN)


def _table_by_two(result: xr.Dataset, name: str, declared: Declared) -> Table | None:
    """Return the table of a variable along two axes; an axis with few names has the columns.

    The result is None if both axes are long, or if there are more than two.
    """
    values = result[name]
    if values.ndim != 2 or min(values.shape) > _ACROSS:
        return None
    down, across = map(str, values.dims)
    if values.sizes[across] > _ACROSS:
        down, across = across, down
    figures = values.transpose(down, across).values
    columns = [
        replace(
            _column(name, figures[:, number], declared),
            key=f"{name}_{heading}",
            heading=Note("named", {"name": str(heading)}),
            brief=str(number + 1),
        )
        for number, heading in enumerate(np.asarray(_key(result, across).values).tolist())
    ]
    title = declared[name].heading if name in declared else ""
    caption = f"{title or formats.spaced(name)} by {formats.spaced(f'{down} and {across}')}"
    caption = f"{caption[:1].upper()}{caption[1:]}"
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
