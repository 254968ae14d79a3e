"""The replicates behind a result of agreement."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from iaa_jax._errors import IaaError
from iaa_jax.analyses.agree.replicates import bootstrap
from iaa_jax.measure import COMPUTED, IntervalOptions, LabelOptions, public, select
from iaa_jax.measure.rated import Rated

if TYPE_CHECKING:
    import xarray as xr


@public
def bootstrap_of_result(
    ratings: Rated,
    result: xr.Dataset,
    *,
    label_options: LabelOptions = select(LabelOptions),
    options: IntervalOptions = select(
        IntervalOptions, "interval", "sampling", "replicates", "seed", *COMPUTED
    ),
    progress: Callable[[int, int], None] | None = None,
) -> xr.Dataset:
    """The replicates that the intervals of a result stand on.

    Parameters
    ----------
    ratings : xarray.Dataset
        The ratings that the result is of.
    result : xarray.Dataset
        Of `iaa_jax.agreement`, or the "coefficients" of `iaa_jax.agree`.
    label_options : LabelOptions
    options : IntervalOptions
        Those of the result.
    progress : callable, optional
        Called with the replicates done and their total.

    Returns
    -------
    xarray.Dataset
        As `iaa_jax.bootstrap` makes them of its coefficients. Where one of them has a posterior all
        are Bayesian, those of labels with its prior. The ``conclusion`` is that of
        `iaa_jax.bootstrap`.

    Raises
    ------
    IaaError
        If no coefficient is defined, or an option does not fit the ratings.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "a"]] * 12 + [["a", "b"]] * 4 + [["b", "b"]] * 9)
    >>> result = iaa.agreement(ratings, "krippendorff_alpha")
    >>> drawn = iaa.bootstrap.of_result(ratings, result)
    >>> low = drawn.replicates.quantile(0.025, "replicate")
    >>> bool(abs(low - result.ci_low).max() < 0.01)
    True
    """
    if not {"code", "coefficient"} <= {*getattr(result, "variables", ())}:
        message = "result must be one of iaa_jax.agreement, with its coefficients along an axis"
        raise IaaError(message)
    names = result["coefficient"].values[result["code"].values == 0].tolist()
    if not names:
        message = "no coefficient is defined: there are no replicates to keep"
        raise IaaError(message)
    prior: float | str = 0.0
    if "interval" in result and "empirical_bayes" in result["interval"].values.tolist():
        prior = "auto" if options.how.prior is None else options.how.prior
        options = replace(options, sampling=replace(options.random, bayesian=True))
    return bootstrap(
        ratings,
        names,
        label_options=label_options,
        options=options,
        prior=prior,
        progress=progress,
    )
