"""A diagnosis as records: what its tables print and its files hold are the same objects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import xarray as xr

from iaa_jax.report.records import DataFacts, plain

MATRIX_NAMES = 40
"""Annotators beyond which no table of their pairs is printed, or written to JSON."""


@dataclass(frozen=True)
class Diagnosis:
    """One run of a diagnosis: a result along items, annotators or labels."""

    axis: str
    data: DataFacts
    found: xr.Dataset
    title: str
    groups: xr.Dataset | None = None
    kept: tuple[str, ...] = ()
    provenance: Mapping[str, Any] = field(default_factory=dict)
    limited: bool = False  # somebody said how many rows


def rows_of(found: xr.Dataset, axis: str) -> list[dict[str, Any]]:
    """The rows along an axis: every variable and coordinate that has it alone; None for NaN."""
    names: list[str] = [axis] if axis in found.coords else []
    names += [
        str(name)
        for name, variable in found.variables.items()
        if variable.dims == (axis,) and name != axis
    ]
    columns = [[plain(value) for value in found[name].values.tolist()] for name in names]
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


def wide_rows(found: xr.Dataset, axis: str) -> list[dict[str, Any]]:
    """The same rows with a column for each label's bias: for flat files."""
    rows = rows_of(found, axis)
    if "bias" in found and found["bias"].dims == (axis, "label"):
        for row, biases in zip(rows, found["bias"].values.tolist(), strict=True):
            for label, bias in zip(found["label"].values.tolist(), biases, strict=True):
                row[f"bias {label}"] = plain(bias)
    return rows


def record(diagnosis: Diagnosis) -> dict[str, Any]:
    """All of it for JSON."""
    found, axis = diagnosis.found, diagnosis.axis
    made: dict[str, Any] = {
        "data": {name: plain(value) for name, value in asdict(diagnosis.data).items()},
        f"{axis}s": rows_of(found, axis),
    }
    for name, values in found.data_vars.items():
        if values.dims[:1] != (axis,) or len(values.dims) < 2:
            continue
        if values.dims[1] == "annotator_2" and found.sizes["annotator_2"] > MATRIX_NAMES:
            continue
        made[str(name)] = {
            str(one): dict(zip(map(str, found[values.dims[1]].values), plain(row), strict=True))
            for one, row in zip(found[axis].values, values.values.tolist(), strict=True)
        }
    if "pair" in found.dims:
        made["confusions"] = rows_of(found, "pair")
    if diagnosis.groups is not None:
        made["by"] = group_rows(diagnosis.groups)
    made["note"] = str(found.attrs.get("note", ""))
    made["provenance"] = plain(dict(diagnosis.provenance))
    return made


def group_rows(groups: xr.Dataset) -> list[dict[str, Any]]:
    """A row for each group of a breakdown by one coefficient."""
    one = groups.isel(coefficient=0)
    return rows_of(one.drop_vars("coefficient"), "group")
