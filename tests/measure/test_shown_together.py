"""Items that were shown together, such as ranked options, are drawn together."""

from __future__ import annotations

import numpy as np
import xarray as xr

import iaa_jax as iaa
from iaa_jax.io.export.ratings import ratings_of
from tests.io.exports import export_of


def rankings() -> xr.Dataset:
    export = export_of([], kind="number")
    dice = np.random.default_rng(5)
    for who in ("ann", "bob", "eve"):
        for record in range(12):
            for option, rank in zip("abc", dice.permutation(3).tolist(), strict=True):
                export.add(export.question("q", "number"), record, who, (rank,), 1, option=option)
    return ratings_of(export)


def test_whole_records_are_drawn_with_a_note() -> None:
    together = rankings()
    result = iaa.krippendorff_alpha(together)
    same = iaa.krippendorff_alpha(together, sampling=iaa.Sampling(cluster="record"))
    assert result.attrs["sampling_cluster"] == "record"
    xr.testing.assert_identical(result, same)
    alone = iaa.krippendorff_alpha(together.drop_vars("record"))
    assert "sampling_cluster" not in alone.attrs
    assert alone.ci_low != result.ci_low


def test_the_callers_sampling_overrides_it() -> None:
    ratings = rankings().assign_coords(half=("item", [k // 18 for k in range(36)]))
    drawn = iaa.krippendorff_alpha(ratings, sampling=iaa.Sampling(cluster="half"))
    assert drawn.attrs["sampling_cluster"] == "half"
    both = iaa.krippendorff_alpha(ratings, sampling=iaa.Sampling(annotators="random"))
    assert both.attrs["sampling_cluster"] == "record"


def test_one_record_is_drawn_item_by_item() -> None:
    ratings = rankings().isel(item=slice(0, 3))
    assert "sampling_cluster" not in iaa.krippendorff_alpha(ratings).attrs
