"""Results as records for JSON, with the values of a Dataset, and None for missing values."""

from __future__ import annotations

import json
import math
from collections.abc import Hashable, Mapping, Sequence

import numpy as np
import xarray as xr

from iaa_jax._types import Attributes, Values
from iaa_jax.data.facts import FACTS
from iaa_jax.io.words import in_words
from iaa_jax.pages.content import PageContent
from iaa_jax.wording import Spelling
from iaa_jax.wording.spelling import in_python

SCHEMA = 1
"""Version of the keys of a record; it changes when a key is removed or gets another meaning."""

_BY_NAME = ("coefficient", "label")
"""Dimensions whose rows form an object by name; the rows of other dimensions form a list."""

_ROWS = {
    **{"p": "points", "items": "items", "annotators": "annotators", "iteration": "trace"},
    **{"stretch": "stretches", "assumed": "assumed"},
    **{f"{axis}_2": f"{axis}_order" for axis in ("annotator", "label")},
}
"""Keys of the rows along dimensions; by default the name of the dimension with an s."""

_YES_OR_NO = ("anonymous", "labels_declared", "sampling_bayesian")
"""Attributes that are 0 or 1, since files of results have no booleans."""

COUNTS = ("pairs", "undefined_pairs")
"""Counts that are -1 if there is nothing to count."""

_JSON = ("notes", "reading", "label_values", "annotator_names", "files", "table_of", "labels_only")
"""Attributes that hold JSON text; for two sets of ratings, the names end in "_a" and "_b"."""

MATRIX = 1 << 16
"""Maximum number of cells of a matrix in a record; larger ones are in result files only."""


def record_of(
    page: PageContent,
    spelling: Spelling = in_python,
    provenance: Mapping[str, object] | None = None,
) -> dict[str, object]:
    """Return the results of a page as one record, with the records of its sections by name.

    The first key, ``schema``, is the version of the schema in docs/schema/ that the record follows.
    """
    results = record(page.results, spelling, provenance)
    below = {
        name: record(section.results, spelling)
        for name, section in page.sections.items()
        if section.results
    }
    return {"schema": SCHEMA, **results, **({"sections": below} if page.sections else {})}


def record(
    results: Mapping[str, xr.Dataset],
    spelling: Spelling = in_python,
    provenance: Mapping[str, object] | None = None,
) -> dict[str, object]:
    """Return several results as one record, with the attributes of the first.

    The parts of a result are its scalars and, for each axis, its rows. A result named "" adds its
    parts to the record; any other result adds its parts, or the rows of its single axis, under its
    name. ``conclusions`` has the conclusions of all results but the first. For two compared sets,
    ``a`` and ``b`` describe the data of each set.
    """
    attrs = attributes(next(iter(results.values())), spelling)
    data = {name: attrs.pop(name) for name in (*FACTS, "notices") if name in attrs}
    if "name_a" in attrs:
        data |= {letter: facts_of_set(attrs, letter) for letter in "ab"}
        attrs = {name: value for name, value in attrs.items() if name[-2:] not in ("_a", "_b")}
    parts: dict[str, object] = {}
    for name, result in results.items():
        parts |= _parts(result) if not name else {name: _named(result)}
    return {
        "data": data,
        **parts,
        **_findings(results, attrs),
        "provenance": attrs | {**(provenance or {})},
    }


def _findings(results: Mapping[str, xr.Dataset], attrs: dict[str, object]) -> dict[str, object]:
    """Return the conclusions and notes of results, and remove the first result's from ``attrs``."""
    findings = {name: attrs.pop(name) for name in ("conclusion", "notes") if name in attrs}
    if len(results) > 1:
        notes: list[object] = []
        for result in results.values():
            further = json.loads(result.attrs.get("notes", "[]"))
            notes += [note for note in further if note not in notes]
        findings["notes"] = notes
    conclusions = {
        name: result.attrs["conclusion"]
        for name, result in list(results.items())[1:]
        if "conclusion" in result.attrs
    }
    return findings | ({"conclusions": conclusions} if conclusions else {})


def attributes(result: xr.Dataset, spelling: Spelling = in_python) -> dict[str, object]:
    """Return the attributes of a result as a record."""
    shown = {name: value for name, value in result.attrs.items() if name != "see"}
    attrs = {str(name): json_value(value) for name, value in shown.items()}
    for ending in ("", "_a", "_b"):
        if f"reading{ending}" in attrs:
            sentences = in_words(str(attrs[f"reading{ending}"]), spelling)
            attrs |= {f"{name}{ending}": text for name, text in sentences.items()}
    texts = [name for name in attrs if name.removesuffix("_a").removesuffix("_b") in _JSON]
    attrs |= {name: json.loads(str(attrs[name])) for name in texts}
    return attrs | {name: bool(attrs[name]) for name in _YES_OR_NO if name in attrs}


def facts_of_set(attrs: Attributes, letter: str) -> dict[str, object]:
    """Return the attributes of one of two compared sets."""
    ending = f"_{letter}"
    return {
        name.removesuffix(ending): value for name, value in attrs.items() if name.endswith(ending)
    }


def part_of(axis: str) -> str:
    """Return the key of the record that holds the rows along an axis."""
    return _ROWS.get(axis, f"{axis}s")


def rows_of(result: xr.Dataset, axis: str) -> list[dict[str, object]]:
    """Return the rows along an axis, with its variables and coordinates; missing values are None.

    A variable along further axes becomes a record by the names of these axes, and is omitted if it
    has more than `MATRIX` cells.
    """
    names = [axis] if axis in result.coords else []
    names += [
        str(name)
        for name, variable in result.variables.items()
        if variable.dims[:1] == (axis,)
        and name != axis
        and (variable.ndim < 2 or variable.size <= MATRIX)
    ]
    columns = [_cells(result, name) for name in names]
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


def json_value(value: object) -> object:
    """Convert a value to JSON types; numbers that are not finite become None."""
    if isinstance(value, Mapping):
        return {str(name): json_value(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [json_value(part) for part in value]
    if isinstance(value, (np.ndarray, np.datetime64)):
        value = np.asarray(value)
        return json_value(texts_of_dates(value).tolist())
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return str(value)


def counts(values: Values) -> Values:
    """Return counts, with None for -1, which means that there is nothing to count."""
    known = values.astype(object)
    known[known < 0] = None
    return known


def _cells(result: xr.Dataset, name: str) -> Sequence[object]:
    variable = result.variables[name]
    values = variable.values
    if name in COUNTS:
        values = counts(values)
    if variable.ndim == 1:
        return [json_value(value) for value in texts_of_dates(values).tolist()]
    (_, *others) = variable.dims
    return [_by_name(result, cells, others) for cells in values]


def _by_name(result: xr.Dataset, cells: Values, axes: Sequence[Hashable]) -> object:
    if not axes:
        return json_value(cells)
    names = result[axes[0]].values.tolist()
    return {
        str(name): _by_name(result, part, axes[1:]) for name, part in zip(names, cells, strict=True)
    }


def _axes(result: xr.Dataset) -> list[str]:
    first = (variable.dims[:1] for variable in result.data_vars.values())
    return [str(axis) for axis in dict.fromkeys(axis for dims in first for axis in dims)]


def _scalars(result: xr.Dataset) -> dict[str, object]:
    return {
        str(name): json_value(variable.values)
        for name, variable in result.variables.items()
        if not variable.dims
    }


def _rows(result: xr.Dataset, axis: str) -> object:
    rows = rows_of(result, axis)
    return {str(row[axis]): row for row in rows} if axis in _BY_NAME else rows


def _named(result: xr.Dataset) -> object:
    """Return the parts of a result, or only its rows if it has a single axis and nothing else."""
    axes, scalars = _axes(result), _scalars(result)
    return _rows(result, axes[0]) if len(axes) == 1 and not scalars else _parts(result)


def _parts(result: xr.Dataset) -> dict[str, object]:
    return _scalars(result) | {part_of(axis): _rows(result, axis) for axis in _axes(result)}


def texts_of_dates(values: Values) -> Values:
    """Return dates as texts, and missing dates as None; other values are unchanged."""
    if values.dtype.kind != "M":
        return values
    dates = np.asarray(values, dtype=np.datetime64)
    texts = np.asarray(np.datetime_as_string(dates, unit="s"), dtype=np.object_)
    texts[np.isnat(dates)] = None
    return texts
