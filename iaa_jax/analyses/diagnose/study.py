"""A table of items, annotators or labels, and beside it its coefficient by groups."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module

import xarray as xr

from iaa_jax.measure import IntervalOptions, LabelOptions
from iaa_jax.measure.results import with_notes
from iaa_jax.measure.studies import check_along
from iaa_jax.wording import Note


def diagnosis(
    ratings: xr.Dataset,
    axis: str,
    keywords: Mapping[str, object],
    *,
    label_options: LabelOptions,
    options: IntervalOptions,
    keep: Sequence[str] = (),
    by: str | None = None,
    step: Callable[[str], None] = lambda _: None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[xr.Dataset, xr.Dataset | None]:
    """What a command of this folder says of one set of ratings.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them.
    axis : {"item", "annotator", "label"}
        What the table goes along.
    keywords : mapping
        What the function of the table takes beside the shared options.
    label_options, options
        How labels agree, and how figures are made.
    keep : sequence of str
        Coordinates that the table has to show: they must go along its axis.
    by : str, optional
        A coordinate: the table's coefficient is worked out in each of its groups too.
    step, progress : callable
        Told of each part of the work as it begins and goes on.

    Returns
    -------
    tuple of xarray.Dataset
        The table, and the groups (None without ``by``).
    """
    check_along(ratings, axis, keep)
    step("Measuring")
    drawn = {} if axis == "item" else {"options": options, "progress": progress}
    table = _table_of(axis)(ratings, **keywords, label_options=label_options, **drawn)
    if by is None:
        usual = (IntervalOptions(), IntervalOptions(interval=None))
        no_intervals = axis == "item" and options not in usual
        return with_notes(table, [Note("intervals_of_groups")] * no_intervals), None
    from iaa_jax.measure.agreement_by import agreement_by

    step("Groups")
    name = str(table.attrs["coefficient"])
    groups = agreement_by(
        ratings, by, name, label_options=label_options, options=options, progress=progress
    )
    return table, groups


def _table_of(axis: str) -> Callable[..., xr.Dataset]:
    """The function of this folder that makes the table of an axis; no other is loaded."""
    module = import_module(f"iaa_jax.analyses.diagnose.{axis}s")
    made: Callable[..., xr.Dataset] = getattr(module, f"{axis}s")
    return made
