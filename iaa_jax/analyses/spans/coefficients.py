"""Coefficients of spans beside their F1."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from iaa_jax.measure import IntervalOptions, LabelOptions, public, select
from iaa_jax.measure.agreement import agreement_and_labels
from iaa_jax.measure.rated import Rated
from iaa_jax.measure.resolver import CoefficientLike, names_beside

if TYPE_CHECKING:
    import xarray as xr


@public
def span_f1_coefficients(
    spans: Rated,
    coefficients: CoefficientLike | Sequence[CoefficientLike] | None = None,
    *,
    also: str | Sequence[str] = (),
    duplicates: str = "set",
    options: IntervalOptions = select(IntervalOptions),
    progress: Callable[[int, int], None] | None = None,
) -> xr.Dataset:
    """Coefficients of spans, as `iaa_jax.agreement` gives them, with what duplicates count.

    Parameters
    ----------
    spans : xarray.Dataset
        Spans, as `iaa_jax.from_spans` and `iaa_jax.read` make them.
    coefficients : str or callable, or sequence of them, optional
        Names from the catalogue; all of spans that are quick by default.
    also : str or sequence of str
        Further ones beside these.
    duplicates : {"set", "multiset"}
        What an annotator marked twice counts, as `iaa_jax.span_f1` takes it.
    options : IntervalOptions
    progress : callable, optional
        Called with the replicates done and their total.

    Returns
    -------
    xarray.Dataset
        A result of `iaa_jax.agreement`; `iaa_jax.page` takes one of `iaa_jax.span_f1` with it.

    Raises
    ------
    IaaError
        As `iaa_jax.agreement` does.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> spans = iaa.from_spans(
    ...     {
    ...         "d1": {"ann": [(0, 5, "PER"), (9, 12, "ORG")], "bob": [(0, 5, "PER")]},
    ...         "d2": {"ann": [(3, 8, "ORG")], "bob": [(3, 7, "ORG"), (9, 11, "PER")]},
    ...     }
    ... )
    >>> found = iaa.span_f1.coefficients(spans, ["span_f1", "partial_span_f1"], interval=None)
    >>> found.estimate.round(3).values
    array([0.333, 0.667])
    """
    return agreement_and_labels(
        *(spans, coefficients, (), LabelOptions(), options, progress, names_beside(also)),
        variants={"duplicates": duplicates},
    )[0]
