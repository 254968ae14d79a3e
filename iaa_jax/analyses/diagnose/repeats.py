"""Agreement of annotators with themselves: the same items, rated twice by the same."""

from __future__ import annotations

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._errors import IaaError
from iaa_jax.analyses.diagnose import declared
from iaa_jax.analyses.diagnose.declared import REPEATED
from iaa_jax.data.kind import Kind
from iaa_jax.data.schema import rated
from iaa_jax.data.select import keep_annotators
from iaa_jax.data.slots import in_grid
from iaa_jax.engine.rows import Progress
from iaa_jax.measure import IntervalOptions, LabelOptions, public, select
from iaa_jax.measure.agreement import agreement
from iaa_jax.measure.options.requirements import Excluded, SeveralVotes, requires
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.resolver import CoefficientLike
from iaa_jax.measure.requests.studies import usual_of
from iaa_jax.measure.shared.agreement_by import agreement_by
from iaa_jax.wording import keyword
from iaa_jax.wording.figures import gives

FIRST_AND_SECOND = ("first", "second")
OF_ANNOTATOR = "of_annotator"


@public
@requires(
    Excluded("spans", "repeats are of labels of items", "compare two rounds with compare"),
    SeveralVotes("first and second ratings are told apart as those of two annotators"),
)
@gives(declared)
def annotators_repeats(
    ratings: Rated,
    coefficient: CoefficientLike | None = None,
    *,
    label_options: LabelOptions = select(LabelOptions),
    options: IntervalOptions = select(IntervalOptions, without=("undefined",)),
    progress: Progress | None = None,
) -> xr.Dataset:
    """How far annotators agree with themselves, where they rated the same items twice.

    The first and the second rating of an item by the same annotator are measured as those of two
    annotators, of each one alone and of all together. Nobody can be expected to agree with others
    more than with himself.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings that were read with ``duplicates="apart"``, so that second ratings by "ann" are
        those of an annotator "ann (2)". Third ones and further are left out.
    coefficient : str or callable, optional
        Krippendorff's alpha by default.
    label_options : LabelOptions
    options : IntervalOptions
    progress : callable, optional
        Called with the replicates done and their total.

    Returns
    -------
    xarray.Dataset
        That of `iaa_jax.agreement_by` with the annotators as groups, of which each has
        ``group_items`` rated twice, and along ``coefficient``:

        REPEATED

        The attribute ``repeated_items`` counts the items rated twice. The ``conclusion`` is
        "measured"; "perfect" where all repeat themselves, "estimated" without intervals,
        "undefined" where no figure has a value.

    Raises
    ------
    IaaError
        If nobody rated an item twice.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> rows = {"item": [1, 2, 3, 1, 2, 3], "annotator": ["ann"] * 6, "label": list("xyyxyx")}
    >>> result = iaa.annotators.repeats(
    ...     iaa.from_long(rows, duplicates="apart"), "percent_agreement"
    ... )
    >>> result.estimate_of_all.round(3).values
    array([0.667])
    """
    pairs = sorted((name, again[0]) for name, again in ratings.further_ratings.items())
    if not pairs:
        raise IaaError(
            "nobody rated an item twice: read the ratings with "
            f"{keyword('duplicates', 'apart')}, so that second ratings are kept"
        )
    names = [usual_of(ratings.kind) if coefficient is None else coefficient]
    if ratings.kind is not Kind.NUMBERS and "percent_agreement" not in names:
        names = ["percent_agreement", *names]
    twice = xr.concat(
        [_first_and_second(ratings, *pair) for pair in pairs],
        "item",
        data_vars="minimal",
        coords="minimal",
        compat="override",
        join="override",
        combine_attrs="override",
    ).assign_coords(item=np.arange(sum(_both(ratings, *pair).sum() for pair in pairs)))
    shared = {"label_options": label_options, "options": options, "progress": progress}
    opened = Rated.of(twice, ratings.computing)
    whole = agreement(opened, names, **shared)
    result = agreement_by(opened, OF_ANNOTATOR, names, **shared)
    of_all = {
        figure.name: ("coefficient", whole[figure.name.removesuffix("_of_all")].values)
        for figure in REPEATED
    }
    attrs = {
        "made_by": "annotators.repeats",
        "by": "annotator",
        "repeated_items": int(twice.sizes["item"]),
    }
    return result.assign(of_all).assign_attrs(attrs)


def _both(ratings: Rated, first: str, second: str) -> NDArray[np.bool_]:
    """The items that both rated."""
    grid = in_grid(ratings.dataset)
    names = [str(name) for name in grid["annotator"].values.tolist()]
    places = [names.index(first), names.index(second)]
    return np.asarray(rated(grid)[:, places].all(axis=1))


def _first_and_second(ratings: Rated, first: str, second: str) -> xr.Dataset:
    """The ratings of one annotator as those of two, with all labels there are."""
    declared = in_grid(ratings.dataset).assign_attrs(labels_declared=1)
    part = keep_annotators(declared.isel(item=_both(ratings, first, second)), [first, second])
    in_order = [0, 1] if str(part["annotator"].values[0]) == first else [1, 0]
    part = in_grid(part).isel(annotator=in_order)
    part = part.assign_coords(annotator=np.array(FIRST_AND_SECOND, dtype=object))
    return part.assign_coords({OF_ANNOTATOR: ("item", np.full(part.sizes["item"], first, object))})
