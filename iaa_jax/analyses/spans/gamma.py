"""The coefficient gamma of spans: for all documents together, by document, and by label."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import xarray as xr
from numpy.typing import ArrayLike, NDArray

from iaa_jax._checks import is_number
from iaa_jax._errors import IaaError, OptionError
from iaa_jax._types import Floats
from iaa_jax.analyses.spans import declared
from iaa_jax.catalog import CATALOG
from iaa_jax.data.marked.comparisons import COMPARISONS
from iaa_jax.data.marked.disorder.continua import Dissimilarity
from iaa_jax.data.marked.disorder.figures import CONFIDENT, Disorders, GammaComparison
from iaa_jax.measure import IntervalOptions, LabelOptions, public, select
from iaa_jax.measure.agreement import agreement_and_labels
from iaa_jax.measure.options.declared import Share, Whole
from iaa_jax.measure.options.requirements import Intervals, requires
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.results import dataset_of, with_notes
from iaa_jax.wording import Note, named
from iaa_jax.wording.figures import gives

_FORMS = ("gamma_cat", "gamma_k")


@public
@requires(options=Intervals(), precision=Share(), draws=Whole(2))
@gives(declared)
def gamma(
    ratings: Rated,
    *,
    alpha: float = 3.0,
    beta: float = 1.0,
    delta_empty: float = 1.0,
    label_dissimilarity: ArrayLike | None = None,
    unaligned: bool = False,
    precision: float = 0.05,
    draws: int = 30,
    label_options: LabelOptions = select(LabelOptions, without=("min_common",)),
    options: IntervalOptions = select(IntervalOptions),
    progress: Callable[[int, int], None] | None = None,
) -> xr.Dataset:
    """Measure agreement on the positions and the labels of units, in one figure.

    The units (spans) of a document are grouped into unitary alignments. A unitary alignment has at
    most one unit of each of the n annotators; its cost is the mean dissimilarity of its n (n - 1) /
    2 pairs ::

        d(u, v) = alpha delta ((|ds| + |de|) / (length_u + length_v))^2 + beta delta D(u, v)

    where ds and de are the differences of the starts and of the ends, and D is 0 for equal
    labels and 1 for different labels. An empty unit stands for an annotator without a unit in the
    alignment, and a pair with an empty unit costs delta.
    The disorder of the document is the cost of the best alignment, divided by the mean number of
    units of its annotators. The disorder by chance is the mean over chance continua. In a chance
    continuum, each annotator gets a copy of some annotator's units, shifted along the document as
    on a ring. ::

        gamma = 1 - sum_i n_i disorder_i / sum_i n_i mean chance disorder_i

    over documents i, where n_i is the mean number of units of an annotator. Gamma-cat (labels of
    aligned units) and gamma-k (label by label) use the same alignments; documents are weighted by
    the total weight of their aligned pairs, and close pairs weigh more. Intervals express the
    uncertainty due to documents; ``chance_error`` is the standard error due to the finite number
    of chance continua.

    Parameters
    ----------
    ratings : xarray.Dataset
        Spans, as `iaa_jax.from_spans` and `iaa_jax.read_spans` make them. A discontinuous unit
        extends from its first position to its last. Chance moves units within the document if its
        length is known, and otherwise between the start of the first unit and the end of the last.
    alpha, beta : float
        Weights of positions and labels; at least one of them is above 0. With an ``alpha`` near 0,
        any two units may be aligned, and the search is slow for more than a few units.
    delta_empty : float
        The dissimilarity of a unit and an empty unit (delta above).
    label_dissimilarity : array (label, label), optional
        D, symmetric, with 0 for equal labels, in the order of the labels.
    unaligned : bool
        Whether gamma-cat and gamma-k count a unit aligned with an empty one as a difference of
        labels, as pygamma-agreement does.
    precision : float
        Chance continua are drawn until half the width of the 95 % interval of the expected disorder
        is at most this share of the expected disorder.
    draws : int
        Minimum number of chance continua of a document.
    label_options : LabelOptions
    options : IntervalOptions
    progress : callable, optional
        Called with the number of chance continua done and their total number.

    Returns
    -------
    xarray.Dataset
        As scalars; ``observed`` is 1 minus a ratio: the disorder, divided by the disorder that
        would result if no unit had a partner. ``expected`` is computed likewise from the disorder
        by chance:

        GAMMA

        Along ``label``:

        GAMMA_OF_LABELS

        Along ``document``:

        GAMMA_OF_DOCUMENTS

        The attribute ``conclusion`` is "measured"; "perfect" if gamma is 1; "estimated" if there is
        no interval; "undefined" if nothing was marked.

    Raises
    ------
    IaaError
        If an option is invalid, annotators are sampled at random, or too many units lie close
        together to find the best alignment.

    References
    ----------
    Mathet, Widlöcher and Métivier 2015. https://doi.org/10.1162/COLI_a_00227

    Mathet 2017. https://doi.org/10.1162/COLI_a_00296

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> spans = iaa.from_spans(
    ...     {
    ...         "d1": {"ann": [(0, 4, "x"), (6, 9, "y")], "bob": [(0, 4, "x"), (5, 9, "y")]},
    ...         "d2": {"ann": [(3, 8, "x")], "bob": [(3, 8, "y")]},
    ...     },
    ...     lengths={"d1": 20, "d2": 20},
    ... )
    >>> result = iaa.gamma(spans, interval=None)
    >>> result.observed_disorder.round(4).item(), bool(0 < result.estimate < 1)
    (0.3537, True)
    """
    comparison = GammaComparison(
        _dissimilarity(ratings, alpha, beta, delta_empty, label_dissimilarity),
        unaligned,
        precision,
        draws,
        options.seed,
        progress,
    )
    measure = CATALOG["gamma"].measure
    comparisons = {**COMPARISONS, measure.compares: comparison.as_comparison()}
    ratings = ratings.compared_by(comparisons)
    names = ("gamma", *_FORMS)
    _, results = agreement_and_labels(ratings, [], names, label_options, options)
    disorders = comparison.disorders
    if disorders is None:
        raise IaaError("no document was measured")
    of_gamma, labels = results["gamma"], results["gamma_k"].variables["label"]
    of_corpus = _corpus_variables(
        disorders, ratings.exchangeable_table.count, float(of_gamma["estimate"])
    )
    result = dataset_of(
        {
            **of_gamma.variables,
            **{
                name if kind == "estimate" else f"{name}_{kind}": results[name].variables[kind]
                for name in _FORMS
                for kind in ("estimate", "standard_error", "ci_low", "ci_high")
            },
            **{name: ((), value) for name, value in of_corpus.items()},
            **_document_variables(disorders, ratings.exchangeable_of_items),
        },
        {"label": labels, "document": ratings.item_names},
        {**of_gamma.attrs, "made_by": "gamma"},
    )
    draws_of_chance = {"samples": of_corpus["samples"], "error": of_corpus["chance_error"]}
    return with_notes(
        result, [Note("gamma_chance", draws_of_chance)] if draws_of_chance["samples"] else []
    )


def _dissimilarity(
    ratings: Rated, alpha: float, beta: float, empty: float, labels: ArrayLike | None
) -> Dissimilarity:
    for name, value in (("alpha", alpha), ("beta", beta)):
        if not (is_number(value) and 0 <= value < np.inf):
            raise OptionError(f"{named(name)} must be a number from 0 up, not {value!r}")
    if not (alpha or beta):
        raise OptionError(
            f"{named('alpha')} and {named('beta')} are both 0: all units would be equal"
        )
    if not (is_number(empty) and 0 < empty < np.inf):
        raise OptionError(f"{named('delta_empty')} must be a number above 0, not {empty!r}")
    if labels is None:
        return Dissimilarity(alpha, beta, empty)
    matrix, size = np.asarray(labels, dtype=np.float64), len(ratings.label_names)
    fits = matrix.shape == (size, size) and bool(np.isfinite(matrix).all())
    if not fits or (matrix < 0).any() or (matrix != matrix.T).any() or matrix.diagonal().any():
        raise OptionError(
            f"{named('label_dissimilarity')} must be a symmetric table of {size} x {size} numbers "
            "from 0 up, one row a label, with 0 for equal labels"
        )
    return Dissimilarity(alpha, beta, empty, matrix)


def _corpus_variables(disorders: Disorders, count: Floats, gamma: float) -> dict[str, float | int]:
    weight = np.where(disorders.samples > 0, count * disorders.weight, 0)
    known = weight > 0
    observed, expected = (
        float(weight[known] @ each[known] / weight.sum()) if known.any() else np.nan
        for each in (disorders.observed, disorders.expected)
    )
    precision = disorders.precision(count)
    return {
        "observed_disorder": observed,
        "expected_disorder": expected,
        "chance_precision": precision,
        "chance_error": abs(1 - gamma) * precision / CONFIDENT,
        "samples": int(disorders.samples[known].sum()),
    }


def _document_variables(
    disorders: Disorders, of_document: NDArray[np.intp]
) -> Mapping[str, tuple[str, NDArray[Any]]]:
    with np.errstate(invalid="ignore", divide="ignore"):
        share = disorders.observed / disorders.expected
        error = disorders.deviation / np.sqrt(disorders.samples) / disorders.expected
    columns = {
        "gamma": 1 - share,
        "observed_disorder": disorders.observed,
        "expected_disorder": disorders.expected,
        "chance_error": share * error,
        "units": disorders.units,
        "samples": disorders.samples,
    }
    return {
        f"document_{name}": ("document", values[of_document]) for name, values in columns.items()
    }
