"""Label sets by number: to every function the array that a small table is."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.data.coded_sets import CodedSets, coded_sets
from iaa_jax.data.long_rows import long_rows
from iaa_jax.data.patterns import rating_codes
from iaa_jax.data.select import given_labels, select_cells

SEVERAL = np.array([5, 0, 0, 3])
SOME = np.arange(12) % 3 == 0

Change = Callable[[xr.Dataset], object]

PARTS: dict[str, Change] = {
    "slices": lambda r: r.isel(item=slice(1, None, 2), label=slice(None, None, -1)),
    "items": lambda r: r.isel(item=SEVERAL),
    "truths": lambda r: r.isel(item=SOME),
    "annotators": lambda r: r.isel(annotator=[2, 0]),
    "labels": lambda r: r.isel(label=[1, 0]),
    "named": lambda r: r.sel(annotator=["annotator 2"], label=list(r.label.values[:2])),
    "cells": lambda r: select_cells(r, np.arange(36).reshape(12, 3) % 4 > 0),
    "both": lambda r: r.isel(item=SEVERAL, annotator=[1, 0]),
    "all three": lambda r: r.isel(item=SEVERAL, annotator=[1, 0], label=[2, 0]),
    "slots": iaa.data.in_slots,
    "grid": lambda r: iaa.data.in_grid(iaa.data.in_slots(r)),
    "some of slots": lambda r: iaa.data.keep_annotators(
        iaa.data.in_slots(r), ["annotator 1", "annotator 3"]
    ),
    "sorted": lambda r: r.sortby("item", ascending=False),
    "kept annotators": lambda r: iaa.data.keep_annotators(r, ["annotator 1", "annotator 3"]),
    "kept labels": lambda r: iaa.data.keep_labels(r, r.label.values[1:4].tolist()),
    "recoded": lambda r: iaa.data.recode(r, {r.label.values[0]: r.label.values[1]}),
    "copied": lambda r: copy.deepcopy(r),
    "pickled": lambda r: pickle.loads(pickle.dumps(r)),
}
"""Where the distinct sets stay."""

OTHERS: dict[str, Change] = {
    "pointwise": lambda r: r.isel(
        item=xr.DataArray(SEVERAL, dims="x"), annotator=xr.DataArray([0, 1, 2, 1], dims="x")
    ),
    "one item": lambda r: r.isel(item=3),
    "one cell": lambda r: r.isel(item=3, annotator=1),
    "one label of some": lambda r: r.isel(item=SEVERAL, label=1),
    "labels of one": lambda r: r.isel(item=2, label=[1, 0]),
    "mask": lambda r: r.mass.data[np.arange(36).reshape(12, 3) % 2 == 0],
    "new axis": lambda r: r.mass.data[None, ..., 1],
    "transposed": lambda r: r.transpose("label", ...),
    "where": lambda r: r.where(r.item > 2),
    "absent": lambda r: r.mass.isnull(),
    "sums": lambda r: (r.mass.sum("item"), r.mass.mean("annotator"), r.mass.max()),
    "arithmetic": lambda r: (r.mass * 2 - 1, 1 - r.mass, r.mass > 0, np.isnan(r.mass)),
    "type": lambda r: r.mass.astype(np.float32),
    "joined": lambda r: xr.concat([r, r], dim="item"),
    "padded": lambda r: r.mass.pad(item=1),
    "reindexed": lambda r: r.reindex(item=[3, 99]),
    "stacked": lambda r: r.mass.stack(cell=("item", "annotator")),
    "grouped": lambda r: r.mass.groupby(r.item % 2).sum(),
    "frame": lambda r: r.mass.to_dataframe(),
    "mass": iaa.data.mass,
    "rated": iaa.data.rated,
    "summary": iaa.summary,
    "codes": lambda r: rating_codes(r).codes,
    "given": given_labels,
    "rows": long_rows,
    "patterns": iaa.data.compress,
    "exchangeable": lambda r: iaa.data.compress(r, anonymous=True),
    "merged": lambda r: iaa.data.merge(r, r.isel(item=slice(4))),
    "as shares": lambda r: iaa.summary(r.assign_attrs(task="soft")),
    "agreement": lambda r: iaa.agreement(r, seed=1),
}


def both(size: int) -> tuple[xr.Dataset, xr.Dataset]:
    """The same ratings of so many labels laid out, and by number."""
    rng = np.random.default_rng(size)
    labels = [f"l{k:02}" for k in range(size)]
    chosen = rng.random((12, 3, len(labels))) < 1.5 / len(labels)
    chosen[:, 1] = chosen[:, 0]
    table = [[[name for name, x in zip(labels, cell, strict=True) if x] for cell in row]
             for row in chosen]  # fmt: skip
    cells = pd.DataFrame(table, columns=[f"annotator {k}" for k in (1, 2, 3)])
    cells.iloc[2, 1] = cells.iloc[5, 0] = None
    laid_out = iaa.from_sets(cells, labels=labels)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("iaa_jax._thresholds.SET_TABLE_CELLS", 0)
        coded = iaa.from_sets(cells, labels=labels)
    assert isinstance(laid_out.mass.data, np.ndarray)
    assert isinstance(coded.mass.data, CodedSets)
    assert coded.mass.nbytes < laid_out.mass.nbytes
    return laid_out, coded


@pytest.mark.parametrize("size", [5, 70])  # more labels than a whole number has bits
def test_every_function_takes_it_for_the_array(size: int, tmp_path: Path) -> None:
    laid_out, coded = both(size)
    xr.testing.assert_identical(coded, laid_out)
    for name, change in {**PARTS, **OTHERS}.items():
        wanted, found = change(laid_out), change(coded)
        held = isinstance(found, xr.Dataset) and coded_sets(found) is not None
        assert held == (name in PARTS), name
        same(found, wanted, name)
    coded.to_netcdf(tmp_path / "ratings.nc")
    with xr.open_dataset(tmp_path / "ratings.nc") as opened:
        np.testing.assert_array_equal(opened.mass.values, laid_out.mass.values)
        assert iaa.summary(opened) == iaa.summary(laid_out)
    # nothing is written into what is not kept
    with pytest.raises(TypeError, match=r"lay it out first by ratings\.assign"):
        coded.mass[0, 0] = 1
    with pytest.raises(ValueError, match="read-only"):
        coded.mass.values[0, 0] = 1
    free = coded.assign(mass=iaa.data.mass(coded))
    free.mass[2, 1] = 1
    assert iaa.data.rated(free).sum() == iaa.data.rated(coded).sum() + 1


def same(found: object, wanted: object, name: str) -> None:
    if isinstance(wanted, (xr.Dataset, xr.DataArray)):
        assert isinstance(found, type(wanted))
        assert found.identical(wanted), name
    elif isinstance(wanted, pd.DataFrame):
        pd.testing.assert_frame_equal(found, wanted)
    elif isinstance(wanted, tuple):
        for part, other in zip(found, wanted, strict=True):  # type: ignore[call-overload]
            same(part, other, name)
    elif isinstance(wanted, np.ndarray):
        np.testing.assert_array_equal(found, wanted, err_msg=name)
    else:
        assert found == wanted, name
