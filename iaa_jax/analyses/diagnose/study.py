"""A table of items, annotators or labels, and beside it its coefficient by groups."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from iaa_jax.measure import IntervalOptions, LabelOptions, public, select
from iaa_jax.measure.declared import of_everyone
from iaa_jax.measure.rated import Rated
from iaa_jax.measure.resolver import CoefficientLike
from iaa_jax.measure.results import with_notes
from iaa_jax.measure.studies import begin
from iaa_jax.wording import Note

if TYPE_CHECKING:
    import xarray as xr


@public
@of_everyone
def items_with_groups(
    ratings: Rated,
    coefficient: CoefficientLike | None = None,
    *,
    by: str | None = None,
    top: int | None = None,
    sort: str | None = None,
    votes: bool = False,
    blind: bool = False,
    label_options: LabelOptions = select(LabelOptions),
    options: IntervalOptions = select(IntervalOptions),
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, xr.Dataset]:
    """What ``iaa items`` prints: every item, and its coefficient in groups.

    Parameters
    ----------
    ratings, coefficient, top, sort, votes, blind
        As `iaa_jax.items` takes them.
    by : str, optional
        A coordinate along ``item`` or ``annotator``: the coefficient in each of its groups.
    label_options : LabelOptions
    options : IntervalOptions
        Of the groups: items have no intervals.
    progress : callable, optional
        Called with the replicates done and their total.

    Returns
    -------
    dict of str to xarray.Dataset
        "items", the result of `iaa_jax.items`, and "by", that of `iaa_jax.agreement_by`.
        `iaa_jax.page` takes both as one page.

    Raises
    ------
    IaaError
        As `iaa_jax.items` and `iaa_jax.agreement_by` do.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "a"], ["b", "a"], ["b", "b"], ["a", "a"]] * 6)
    >>> ratings = ratings.assign_coords(batch=("item", ["b1"] * 12 + ["b2"] * 12))
    >>> results = iaa.items.with_groups(ratings, by="batch", interval=None)
    >>> [*results], results["by"].group.values.tolist()
    (['items', 'by'], ['b1', 'b2'])
    """
    from iaa_jax.analyses.diagnose.items import items

    begin("Measuring", progress)
    table = items(
        ratings,
        coefficient,
        top=top,
        sort=sort,
        votes=votes,
        blind=blind,
        label_options=label_options,
    )
    usual = IntervalOptions().of_ratings(ratings.dataset)
    if by is None and options not in (usual, replace(usual, interval=None)):
        table = with_notes(table, [Note("intervals_of_groups")])
    groups = _groups(ratings, by, table, label_options, options, progress)
    return {"items": table, **groups}


@public
@of_everyone
def annotators_with_groups(
    ratings: Rated,
    coefficient: CoefficientLike | None = None,
    *,
    by: str | None = None,
    top: int | None = None,
    sort: str | None = None,
    min_items: int = 0,
    ties: str = "split",
    label_options: LabelOptions = select(LabelOptions),
    options: IntervalOptions = select(IntervalOptions),
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, xr.Dataset]:
    """What ``iaa annotators`` prints: every annotator, and the coefficient in groups.

    Parameters
    ----------
    ratings, coefficient, top, sort, min_items, ties
        As `iaa_jax.annotators` takes them.
    by : str, optional
        A coordinate along ``item`` or ``annotator``: the coefficient in each of its groups.
    label_options : LabelOptions
    options : IntervalOptions
    dtype : {"float64", "float32"}
        Of the groups: annotators are measured in float64.
    progress : callable, optional
        Called with the replicates done and their total.

    Returns
    -------
    dict of str to xarray.Dataset
        "annotators", the result of `iaa_jax.annotators`, and "by", that of `iaa_jax.agreement_by`.
        `iaa_jax.page` takes both as one page.

    Raises
    ------
    IaaError
        As `iaa_jax.annotators` and `iaa_jax.agreement_by` do.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "a", "b"], ["b", "a", "b"], ["b", "b", "b"]] * 8)
    >>> ratings = ratings.assign_coords(team=("annotator", ["x", "x", "y"]))
    >>> results = iaa.annotators.with_groups(ratings, by="team", interval=None)
    >>> [*results], results["by"].group.values.tolist()
    (['annotators', 'by'], ['x', 'y'])
    """
    from iaa_jax.analyses.diagnose.annotators import annotators

    begin("Measuring", progress)
    table = annotators(
        ratings,
        coefficient,
        top=top,
        sort=sort,
        min_items=min_items,
        ties=ties,
        label_options=label_options,
        options=options,
        progress=progress,
    )
    groups = _groups(ratings, by, table, label_options, options, progress)
    return {"annotators": table, **groups}


@public
@of_everyone
def labels_with_groups(
    ratings: Rated,
    coefficient: CoefficientLike | None = None,
    *,
    by: str | None = None,
    top: int | None = None,
    sort: str | None = None,
    label_options: LabelOptions = select(LabelOptions),
    options: IntervalOptions = select(IntervalOptions),
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, xr.Dataset]:
    """What ``iaa labels`` prints: every label, and the coefficient in groups.

    Parameters
    ----------
    ratings, coefficient, top, sort
        As `iaa_jax.labels` takes them.
    by : str, optional
        A coordinate along ``item`` or ``annotator``: the coefficient in each of its groups.
    label_options : LabelOptions
        Of the groups; of a label alone ``p``, ``min_common`` and ``level``.
    options : IntervalOptions
    progress : callable, optional
        Called with the replicates done and their total.

    Returns
    -------
    dict of str to xarray.Dataset
        "labels", the result of `iaa_jax.labels`, and "by", that of `iaa_jax.agreement_by`.
        `iaa_jax.page` takes both as one page.

    Raises
    ------
    IaaError
        As `iaa_jax.labels` and `iaa_jax.agreement_by` do.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "a"], ["b", "a"], ["b", "b"], ["a", "a"]] * 6)
    >>> ratings = ratings.assign_coords(batch=("item", ["b1"] * 12 + ["b2"] * 12))
    >>> results = iaa.labels.with_groups(ratings, by="batch", interval=None)
    >>> [*results], results["labels"].label.values.tolist()
    (['labels', 'by'], ['a', 'b'])
    """
    from iaa_jax.analyses.diagnose.labels import labels

    begin("Measuring", progress)
    table = labels(
        ratings,
        coefficient,
        top=top,
        sort=sort,
        label_options=label_options,
        options=options,
        progress=progress,
    )
    groups = _groups(ratings, by, table, label_options, options, progress)
    return {"labels": table, **groups}


def _groups(
    ratings: Rated,
    by: str | None,
    table: xr.Dataset,
    label_options: LabelOptions,
    options: IntervalOptions,
    progress: Callable[[int, int], None] | None,
) -> dict[str, xr.Dataset]:
    """The coefficient of a table in each group; nothing without groups."""
    if by is None:
        return {}
    from iaa_jax.measure.agreement_by import agreement_by

    begin("Groups", progress)
    name = str(table.attrs["coefficient"])
    groups = agreement_by(
        ratings, by, name, label_options=label_options, options=options, progress=progress
    )
    return {"by": groups}
