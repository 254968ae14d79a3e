"""Convert spans to ratings of documents, so that functions that take ratings accept spans."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import xarray as xr


def is_spans(data: object) -> bool:
    """Tell whether an object is a spans Dataset, rather than ratings or a result."""
    attrs = getattr(data, "attrs", None)
    if not isinstance(attrs, dict) or attrs.get("task") != "spans" or "made_by" in attrs:
        return False
    return "document" in getattr(data, "dims", ())


def span_ratings(data: xr.Dataset) -> xr.Dataset:
    """Return spans as ratings of documents; ratings are returned unchanged.

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
    from iaa_jax.data.marked.ratings import ratings_of_spans  # imported here, for spans only

    return ratings_of_spans(data)
