"""Prodigy's statistics of annotations, and its three coefficients."""

from __future__ import annotations

import numpy as np
import xarray as xr

from iaa_jax._errors import IaaError
from iaa_jax._types import Variables
from iaa_jax.data.schema import summary, validate
from iaa_jax.engine.rows import Progress
from iaa_jax.measure import IntervalOptions, LabelOptions, public, select
from iaa_jax.measure.agreement import agreement_and_labels
from iaa_jax.measure.presence import presence_of_labels
from iaa_jax.measure.results import provenance_of

COEFFICIENTS = ("percent_agreement", "krippendorff_alpha", "gwet_ac2")


@public
def prodigy(
    ratings: xr.Dataset,
    *,
    options: IntervalOptions = select(IntervalOptions, without=("undefined", "dtype")),
    progress: Progress | None = None,
) -> xr.Dataset:
    """Statistics of the annotations and agreement, as Prodigy's commands give them.

    Labels are the same or not: alpha is nominal, and AC2 with identity weights is AC1. Of label
    sets each label is a question of its own, present or absent.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings of task "single" or "multi_label".
    options : IntervalOptions
    progress : callable, optional
        Called with the replicates done and their total.

    Returns
    -------
    xarray.Dataset
        As scalars ``annotations`` (ratings: Prodigy calls them examples), ``examples`` (distinct,
        with one annotation or more), ``categories`` (possible labels), ``coincident_examples`` (two
        annotations or more), ``single_annotation_examples``, ``annotators`` and
        ``annotations_per_example``, the mean. Along ``coefficient``, and first ``label`` for label
        sets, the variables of `iaa_jax.agreement`; of label sets also those along ``label`` of
        `iaa_jax.per_label`. The ``conclusion`` is "measured"; "perfect" where nothing disagrees,
        "estimated" without intervals, "undefined" without a figure.

    Raises
    ------
    IaaError
        If the ratings are numbers, shares, or have a secondary label, or an option does not fit.

    References
    ----------
    Gwet 2015, On Krippendorff's alpha coefficient (manuscript).

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> rows = [["yes", "yes"]] * 5 + [["no", "no"]] * 4 + [["yes", "no"]] * 8 + [["no", None]] * 3
    >>> result = iaa.prodigy(iaa.from_wide(rows), interval=None)
    >>> int(result.annotations), int(result.examples), float(result.annotations_per_example)
    (37, 20, 1.85)
    >>> result.estimate.round(4).values
    array([0.5294, 0.0833, 0.0681])
    """
    validate(ratings)
    task = ratings.attrs["task"]
    if task not in ("single", "multi_label"):
        message = (
            "Prodigy's coefficients are of single labels or of label sets, and these ratings are "
            f"neither (task {task!r}): use iaa.agreement"
        )
        raise IaaError(message)
    statistics = _statistics(ratings)
    if task == "single":
        nominal = LabelOptions(level="nominal")
        result, _ = agreement_and_labels(ratings, [*COEFFICIENTS], (), nominal, options, progress)
        return result.assign(statistics).assign_attrs(made_by="prodigy")
    found = presence_of_labels(ratings, COEFFICIENTS, LabelOptions(), options, progress)
    attrs = {
        **provenance_of(ratings, "prodigy", options, found.notes, found.clusters),
        "conclusion": found.conclusion,
    }
    coords = {"label": ratings["label"].values, "coefficient": found.coefficients}
    return xr.Dataset(found.variables | statistics, coords, attrs)


def _statistics(ratings: xr.Dataset) -> Variables:
    """How much was annotated, and how much of it by several."""
    counts = summary(ratings)
    examples = counts.pairable_items + counts.single_rated_items
    figures = {
        "annotations": counts.ratings,
        "examples": examples,
        "categories": counts.labels,
        "coincident_examples": counts.pairable_items,
        "single_annotation_examples": counts.single_rated_items,
        "annotators": counts.annotators or counts.largest_panel,
        "annotations_per_example": counts.ratings / examples,
    }
    return {name: ((), np.asarray(figure)) for name, figure in figures.items()}
