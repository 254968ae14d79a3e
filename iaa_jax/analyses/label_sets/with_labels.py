"""Each label as present or absent, and label sets as a whole."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from iaa_jax._errors import OptionError
from iaa_jax.analyses.label_sets.per_label import per_label
from iaa_jax.analyses.label_sets.study import BAND, INDEX, label_sets
from iaa_jax.data.kind import Kind
from iaa_jax.measure import IntervalOptions, LabelOptions, public, select
from iaa_jax.measure.rated import Rated
from iaa_jax.measure.resolver import CoefficientLike
from iaa_jax.measure.results import with_notes
from iaa_jax.measure.studies import begin
from iaa_jax.wording import Note, keyword, named

if TYPE_CHECKING:
    import xarray as xr


@public
def label_sets_with_labels(
    ratings: Rated,
    coefficients: CoefficientLike | Sequence[CoefficientLike] | None = None,
    *,
    bands: Sequence[tuple[float, float]] = (BAND,),
    index: str = INDEX,
    label_options: LabelOptions = select(LabelOptions, "min_common"),
    options: IntervalOptions = select(IntervalOptions, without=("undefined",)),
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, xr.Dataset]:
    """What ``iaa label-sets`` prints: each label by itself, and label sets as a whole.

    Parameters
    ----------
    ratings, bands, index
        As `iaa_jax.label_sets` takes them.
    coefficients : str, callable or sequence of them, optional
        Of each label, as `iaa_jax.per_label` takes them.
    label_options : LabelOptions
    options : IntervalOptions
    progress : callable, optional
        Called with the replicates done and their total.

    Returns
    -------
    dict of str to xarray.Dataset
        "labels", the result of `iaa_jax.per_label`; and "label_sets", that of `iaa_jax.label_sets`,
        where ratings are sets of two labels or more. `iaa_jax.page` takes both as one page.

    Raises
    ------
    IaaError
        As `iaa_jax.per_label` and `iaa_jax.label_sets` do.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_sets(
    ...     [[["joy"], ["joy", "hope"]], [["fear"], ["fear"]], [[], ["fear"]], [["hope"], ["hope"]]]
    ... )
    >>> results = iaa.label_sets.with_labels(ratings, interval=None)
    >>> results["labels"].prevalence.values, results["label_sets"].sizes["label_pair"]
    (array([0.375, 0.375, 0.25 ]), 3)
    """
    no_sets = _no_sets(ratings)
    if no_sets and (index != INDEX or [(*np.ravel(band),) for band in bands] != [BAND]):
        message = (
            f"{named('band')} and {named('index')} are about label sets, and these ratings have "
            f"none: read sets with {keyword('separator')} or {keyword('multi_hot')}, or leave them "
            "out"
        )
        raise OptionError(message)
    begin("Labels", progress)
    labels = per_label(
        ratings, coefficients, label_options=label_options, options=options, progress=progress
    )
    if no_sets:
        return {"labels": with_notes(labels, [Note(no_sets)])}
    begin("Label sets", progress)
    sets = label_sets(
        ratings,
        bands=bands,
        index=index,
        label_options=label_options,
        options=options,
        progress=progress,
    )
    return {"labels": labels, "label_sets": sets}


def _no_sets(ratings: Rated) -> str:
    """Why ratings have no sets to compare; "" where they have."""
    if ratings.kind is not Kind.SETS:
        return "one_label_each"
    return "one_label" if len(ratings.label_names) < 2 else ""
