"""What missing ratings could change, and the figure with rated items weighted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from iaa_jax.analyses.missing.study import missing
from iaa_jax.analyses.missing.weighting import missing_inverse_probability
from iaa_jax.data.kind import Kind
from iaa_jax.engine.rows import Progress
from iaa_jax.measure import IntervalOptions, LabelOptions, public, select
from iaa_jax.measure.declared import of_everyone
from iaa_jax.measure.rated import Rated
from iaa_jax.measure.resolver import CoefficientLike
from iaa_jax.measure.studies import begin

if TYPE_CHECKING:
    import xarray as xr


@public
@of_everyone
def missing_with_weights(
    ratings: Rated,
    coefficient: CoefficientLike | None = None,
    *,
    by: str | None = None,
    probability: str | None = None,
    above: float | None = None,
    steps: int = 10,
    imputations: int = 20,
    label_options: LabelOptions = select(LabelOptions),
    options: IntervalOptions = select(IntervalOptions, "confidence", "seed", "device"),
    progress: Progress | None = None,
) -> dict[str, xr.Dataset]:
    """What ``iaa missing`` prints with ``--by`` or ``--probability``.

    Parameters
    ----------
    ratings, coefficient, above, steps, imputations
        As `iaa_jax.missing` takes them.
    by, probability : str, optional
        As `iaa_jax.missing.inverse_probability` takes them: one of the two.
    label_options : LabelOptions
    options : IntervalOptions
    progress : callable, optional
        Called with the figures done and their total.

    Returns
    -------
    dict of str to xarray.Dataset
        "missing" and "inverse_probability": results of `iaa_jax.missing` and of
        `iaa_jax.missing.inverse_probability`. The second alone of spans and of ratings by slot, of
        which no table is meant to be complete. `iaa_jax.page` takes both as one page.

    Raises
    ------
    IaaError
        As `iaa_jax.missing` and `iaa_jax.missing.inverse_probability` do.

    Examples
    --------
    Of easy texts one in four was rated twice, of hard ones all.

    >>> import iaa_jax as iaa
    >>> easy, hard = [["a", "a"], ["b", "b"]], [["a", "b"], ["a", "a"], ["b", "a"], ["b", "b"]]
    >>> rows = easy * 5 + [["a", None]] * 30 + hard * 10
    >>> ratings = iaa.from_wide(rows).assign_coords(kind=("item", ["easy"] * 40 + ["hard"] * 40))
    >>> results = iaa.missing.with_weights(ratings, by="kind")
    >>> [*results], float(results["inverse_probability"].estimate.round(3))
    (['missing', 'inverse_probability'], 0.505)
    """
    # first, since it tells of columns that do not fit before anything is filled in
    weighted = missing_inverse_probability(
        ratings,
        coefficient,
        by=by,
        probability=probability,
        label_options=label_options,
        options=options,
    )
    if "slot" in ratings.dataset.dims or ratings.kind is Kind.SPANS:
        return {"inverse_probability": weighted}
    begin("Filling gaps", progress)
    filled = missing(
        ratings,
        coefficient,
        above=above,
        steps=steps,
        imputations=imputations,
        label_options=label_options,
        options=options,
        progress=progress,
    )
    return {"missing": filled, "inverse_probability": weighted}
