"""Codes do not follow when xarray moves labels: that is noticed, a rename is not stopped."""

from __future__ import annotations

import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax._errors import IaaError

ONE = iaa.from_wide([["a", "b"], ["b", "b"], ["c", "b"]])


@pytest.mark.parametrize(
    "moved",
    [
        lambda: ONE.isel(label=[0, 2, 1]),
        lambda: ONE.isel(label=[0, 1, 2]).sortby("label", ascending=False),
        lambda: ONE.isel(label=[0, 1]),
        lambda: xr.concat([ONE, iaa.from_wide([["c", "d"], ["d", "d"]])], "item", join="outer"),
    ],
)
def test_moved_labels_are_refused(moved) -> None:
    with pytest.raises(IaaError, match=r"codes do not follow|has codes outside"):
        iaa.fleiss_kappa(moved(), interval=None)


def test_renamed_labels_and_other_selections_are_fine() -> None:
    renamed = ONE.assign_coords(label=["x", "y", "z"])
    assert float(iaa.fleiss_kappa(renamed, interval=None).estimate) == float(
        iaa.fleiss_kappa(ONE, interval=None).estimate
    )
    assert iaa.specific_agreement(renamed, interval=None).label.values.tolist() == ["x", "y", "z"]
    iaa.data.validate(ONE.isel(item=[0, 0, 1]))
    iaa.data.validate(ONE.isel(annotator=[1, 0]))
    iaa.data.validate(iaa.data.compress(ONE))
    iaa.data.validate(iaa.data.merge(ONE, iaa.from_wide([["c", "d"], ["d", "d"]])))
