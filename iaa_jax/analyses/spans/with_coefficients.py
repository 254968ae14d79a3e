"""F1 of spans, and beside it coefficients, labels of places, and disputed passages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from iaa_jax._checks import check_whole
from iaa_jax.analyses.spans.passages import disputed_passages
from iaa_jax.analyses.spans.study import measure_spans
from iaa_jax.catalog.spans import STRICT
from iaa_jax.data.marked.tokens import token_ratings
from iaa_jax.measure import IntervalOptions, public, select
from iaa_jax.measure.agreement import agreement
from iaa_jax.measure.declared import of_everyone
from iaa_jax.measure.rated import Rated
from iaa_jax.measure.resolver import CoefficientLike, names_beside
from iaa_jax.measure.studies import begin

if TYPE_CHECKING:
    import xarray as xr


@public
@of_everyone
def span_f1_with_coefficients(
    spans: Rated,
    match: str = STRICT,
    coefficients: CoefficientLike | Sequence[CoefficientLike] | None = None,
    *,
    also: str | Sequence[str] = (),
    tokens: bool = False,
    passages: int = 0,
    average: str = "micro",
    duplicates: str = "set",
    options: IntervalOptions = select(IntervalOptions),
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, xr.Dataset]:
    """What ``iaa spans`` prints: F1 with its causes, and coefficients of spans.

    Parameters
    ----------
    spans, match, average, duplicates
        As `iaa_jax.span_f1` takes them.
    coefficients : str or callable, or sequence of them, optional
        Names from the catalogue; all of spans that are quick by default.
    also : str or sequence of str
        Further ones beside these.
    tokens : bool
        Adds coefficients of the labels of places; of all documents the length must be known.
    passages : int
        Adds this many passages that annotators differ on most.
    options : IntervalOptions
    progress : callable, optional
        Called with the replicates done and their total.

    Returns
    -------
    dict of str to xarray.Dataset
        "span_f1", the result of `iaa_jax.span_f1`; "coefficients", as `iaa_jax.agreement` gives
        them; "tokens", likewise of `iaa_jax.data.token_ratings`; and "passages": ``document``,
        ``start``, ``end`` and ``disputed`` (spans of pairs of annotators) along ``passage``, and
        what was marked there along ``mark``. `iaa_jax.page` takes all of it as one page.

    Raises
    ------
    IaaError
        As `iaa_jax.span_f1` and `iaa_jax.agreement` do.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> spans = iaa.from_spans(
    ...     {
    ...         "d1": {"ann": [(0, 5, "PER"), (9, 12, "ORG")], "bob": [(0, 5, "PER")]},
    ...         "d2": {"ann": [(3, 8, "ORG")], "bob": [(3, 7, "ORG"), (9, 11, "PER")]},
    ...     }
    ... )
    >>> results = iaa.span_f1.with_coefficients(spans, passages=1, interval=None)
    >>> [*results], results["passages"].document.values.tolist()
    (['span_f1', 'coefficients', 'passages'], ['d2'])
    """
    further = names_beside(also)
    check_whole("passages", passages, 0)
    begin("Measuring", progress)
    how = {"average": average, "duplicates": duplicates}
    results = measure_spans(spans, match, coefficients, options, progress, further, how)
    if tokens:
        begin("Tokens", progress)
        # the documents are drawn whole
        results["tokens"] = agreement(
            token_ratings(spans.dataset), options=options, progress=progress
        )
    if passages:
        results["passages"] = disputed_passages(spans, passages)
    return results
