"""The door of functions of ratings: spans come in as ratings of documents, and who rated alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import xarray as xr


def is_spans(data: object) -> bool:
    """Whether this is a Dataset of spans that are not ratings yet, and no result on spans."""
    attrs = getattr(data, "attrs", None)
    if not isinstance(attrs, dict) or attrs.get("task") != "spans" or "made_by" in attrs:
        return False
    return "document" in getattr(data, "dims", ())


def span_ratings(data: xr.Dataset) -> xr.Dataset:
    """Spans as ratings of documents; what are ratings already stays as it is.

    Examples
    --------
    >>> from iaa_jax.data.spans import from_spans
    >>> spans = from_spans(
    ...     {
    ...         "d1": {"ann": [(0, 5, "PER")], "bob": [(0, 5, "PER")]},
    ...         "d2": {"ann": [], "bob": [(3, 4, "PER")]},
    ...     }
    ... )
    >>> ratings = span_ratings(spans)
    >>> ratings["marked"].values.tolist(), ratings["item"].values.tolist()
    ([[0, 0], [1, 2]], ['d1', 'd2'])
    """
    if not is_spans(data):
        return data
    from iaa_jax.data.marked.ratings import ratings_of_spans  # what spans alone need

    return ratings_of_spans(data)


def measurable(data: xr.Dataset) -> xr.Dataset:
    """What is measured: ratings, of spans too, without annotators who rated nothing.

    What is no ratings stays as it is, for the function to refuse.
    """
    data = span_ratings(data)
    attrs, variables = getattr(data, "attrs", None), getattr(data, "variables", {})
    if not isinstance(attrs, dict) or "task" not in attrs or "made_by" in attrs:
        return data
    from iaa_jax.data.select import without_idle  # with xarray, which is there where ratings are
    from iaa_jax.data.storage import TASKS, rating_dim

    stored = TASKS.get(str(attrs["task"]), ())[:1]
    known = [name for name in stored if name in variables and "annotator" in variables]
    if not known or variables[known[0]].dims[:2] != ("item", rating_dim(data)):
        return data

    return without_idle(data)
