"""How often each label is used."""

from __future__ import annotations

import numpy as np
import xarray as xr

from iaa_jax.analyses.shares import declared  # isort: skip
from iaa_jax.data.schema import mass
from iaa_jax.measure import LabelOptions, public, select
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.results import provenance_of
from iaa_jax.wording import Note
from iaa_jax.wording.figures import gives

RARE = 0.1
"""A share below which a label is rare."""


@public
@gives(declared)
def shares(
    ratings: Rated, *, label_options: LabelOptions = select(LabelOptions, "p")
) -> xr.Dataset:
    """The share of all ratings that each label has.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings with labels.
    label_options : LabelOptions

    Returns
    -------
    xarray.Dataset
        Along ``label``:

        LABELS

        The ``conclusion`` is "common" where every label has a share of at least 0.1, and "rare"
        where one has less.
    """
    counts = mass(ratings.dataset, label_options.p).sum(("item", "annotator"))
    share = (counts / counts.sum()).astype(np.float64)
    rare = share["label"].values[share.values < RARE].tolist()
    notes = [Note("rare_labels", {"labels": rare}, "caution")] if rare else []
    attrs = provenance_of(ratings, "shares", notes=notes)
    return xr.Dataset({"share": share}, attrs=attrs | {"conclusion": "rare" if rare else "common"})
