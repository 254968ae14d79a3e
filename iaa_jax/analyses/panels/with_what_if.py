"""Panels of annotators, and others in the place of each annotator."""

from __future__ import annotations

from typing import TYPE_CHECKING

from iaa_jax._checks import MOST_DRAWS, check_whole
from iaa_jax.analyses.panels.study import panels
from iaa_jax.analyses.panels.what_if import panels_what_if
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
def panels_with_what_if(
    ratings: Rated,
    coefficient: CoefficientLike | None = None,
    *,
    size: int | None = None,
    replicates: int | None = None,
    draws: int = 200,
    label_options: LabelOptions = select(LabelOptions),
    options: IntervalOptions = select(IntervalOptions, "sampling", "confidence", "seed", "device"),
    progress: Progress | None = None,
) -> dict[str, xr.Dataset]:
    """What ``iaa panels`` prints: all panels, and who else could stand in each one's place.

    Parameters
    ----------
    ratings, coefficient, size, replicates
        As `iaa_jax.panels` takes them.
    draws : int
        Spammers drawn in the place of each annotator; 0 leaves replacements out.
    label_options : LabelOptions
    options : IntervalOptions
    progress : callable, optional
        Called with the panels or replacements done and their total.

    Returns
    -------
    dict of str to xarray.Dataset
        "panels", the result of `iaa_jax.panels`; and "what_if", that of `iaa_jax.panels.what_if`,
        but of spans, which nobody rates anew. `iaa_jax.page` takes both as one page.

    Raises
    ------
    IaaError
        As `iaa_jax.panels` and `iaa_jax.panels.what_if` do.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> rows = [["a", "a", "a"], ["b", "b", "a"], ["a", "a", "b"], ["b", "b", "b"]] * 10
    >>> results = iaa.panels.with_what_if(iaa.from_wide(rows), replicates=0)
    >>> [*results], results["what_if"].position.round(1).values
    (['panels', 'what_if'], array([1., 1., 0.]))
    """
    check_whole("draws", draws, 0, MOST_DRAWS)
    begin("Comparing panels", progress)
    of_panels = panels(
        ratings,
        coefficient,
        size=size,
        replicates=replicates,
        label_options=label_options,
        options=options,
        progress=progress,
    )
    if not draws or ratings.kind is Kind.SPANS:
        return {"panels": of_panels}
    begin("Replacing annotators", progress)
    replaced = panels_what_if(
        ratings,
        coefficient,
        draws=draws,
        label_options=label_options,
        options=options,
        progress=progress,
    )
    return {"panels": of_panels, "what_if": replaced}
