"""Agreement on spans: by label, pair, annotator and document, and the kinds of disagreement."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
import xarray as xr

from iaa_jax._checks import check_choice
from iaa_jax._types import Columns, Floats, Values, Variables
from iaa_jax.analyses.spans import declared
from iaa_jax.analyses.spans.conclusion import answers, conclusion_of, kinds_of, shifted
from iaa_jax.analyses.spans.pairs import annotator_variables, document_variables, pair_variables
from iaa_jax.catalog import CATALOG, NAMES
from iaa_jax.catalog.spans import BY_LABEL, GAINS, MATCHES, PARTIAL, STRICT, compared_by, credit_of
from iaa_jax.data.marked.counts import MarkedPairCounts, pair_counts, units_in_all
from iaa_jax.data.marked.documents import Documents, documents_of
from iaa_jax.data.marked.overlaps import confusions, units_met
from iaa_jax.measure import IntervalOptions, LabelOptions, public, select
from iaa_jax.measure.agreement import agreement_and_labels
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.resolver import CoefficientLike, names_beside
from iaa_jax.measure.results import dataset_of
from iaa_jax.measure.shared.spans import confusion_of_labels, labels_and_none, support_of_labels
from iaa_jax.wording import Note, dump_notes, load_notes
from iaa_jax.wording.figures import gives

COUNTS = ("pairs", "undefined_pairs")

FIGURES = (
    *("f1", "macro_f1", "weighted_f1", "strict_f1", "partial_f1", "gap"),
    *("label_f1", "label_gap"),
)
"""Variables with an interval."""

_ENDS = ("standard_error", "ci_low", "ci_high")


@public
@gives(declared)
def span_f1(
    spans: Rated,
    match: str = STRICT,
    *,
    average: str = "micro",
    duplicates: str = "set",
    options: IntervalOptions = select(IntervalOptions),
    progress: Callable[[int, int], None] | None = None,
) -> xr.Dataset:
    """Return the F1 of spans, by pair, label, annotator and document.

    Each pair of annotators is compared on the documents that both saw; it does not matter which of
    them is the reference. With tp the number of spans that match one to one, and n_a and n_b the
    numbers of spans of the two annotators,

    ``F1 = sum_pairs 2 tp / sum_pairs (n_a + n_b)``

    is the harmonic mean of precision and recall. All intervals share one set of replicates.

    Parameters
    ----------
    spans : xarray.Dataset
        Spans, as `iaa_jax.from_spans` and `iaa_jax.read` make them.
    match : str
        What two spans must have in common to match. "strict": the boundaries and the label.
        "partial" (or "type"): the label and a position, with as many one-to-one matches as
        possible. "boundary": the boundaries. "half_credit" counts 1 for equal boundaries and 0.5
        for an overlap, whatever the labels. "token" compares the labels of positions. "gate" is the
        average F1 of GATE, between "gate_strict" and "gate_lenient". Under the three matches of
        GATE, spans marked twice count twice.
    average : {"micro", "macro", "weighted", "pairs", "documents"}
        The average in ``estimate``, with its interval; the result has the other averages under
        their own names.
    duplicates : {"set", "multiset"}
        Whether spans that an annotator marked twice, with the same boundaries and label, count once
        or twice.
    options : IntervalOptions
    progress : callable, optional
        Called with the number of replicates done and their total number.

    Returns
    -------
    xarray.Dataset
        As scalars:

        SCALARS

        Along ``label``:

        LABELS

        Along ``label_a`` and ``label_b``; the counterpart of a span is a span of the other
        annotator, which has the same boundaries (strict and boundary matches) or overlaps it (other
        matches):

        CONFUSION

        Along ``pair``:

        PAIRS

        Along ``annotator``:

        ANNOTATORS

        Along ``document``:

        DOCUMENTS

        The ``conclusion`` is the main kind of disagreement: "boundaries", "labels", "missed",
        "taken" (the overlapping spans are matched with other spans); "mixed" if there is no main
        kind; "perfect" if all spans match strictly; "undefined" if nothing was marked.

    Raises
    ------
    IaaError
        If the match or an option is unknown, or the data are not spans.

    References
    ----------
    Hripcsak, G. and Rothschild, A. S. (2005). Agreement, the F-measure, and reliability in
    information retrieval. Journal of the American Medical Informatics Association 12(3).
    https://doi.org/10.1197/jamia.M1733

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> spans = iaa.from_spans(
    ...     {
    ...         "d1": {"ann": [(0, 5, "PER"), (9, 12, "ORG")], "bob": [(0, 5, "PER")]},
    ...         "d2": {"ann": [(3, 8, "ORG")], "bob": [(3, 7, "ORG"), (9, 11, "PER")]},
    ...     }
    ... )
    >>> result = iaa.span_f1(spans, interval=None)
    >>> float(result.f1.round(4)), float(result.partial_f1.round(4)), float(result.gap.round(4))
    (0.3333, 0.6667, 0.3333)
    >>> result.label_f1.to_series().to_dict(), result.attrs["conclusion"]
    ({'ORG': 0.0, 'PER': 0.6666666666666666}, 'mixed')
    """
    check_choice("match", match, tuple(MATCHES))
    requests = _requests(match, average, duplicates)
    _, results = agreement_and_labels(spans, [], requests, LabelOptions(), options, progress)
    return _result(spans, match, duplicates, results)


def _requests(
    match: str, average: str, duplicates: str
) -> dict[str, tuple[str, Mapping[str, str]]]:
    name = MATCHES[match]
    row = CATALOG[NAMES[name]]
    count_duplicates = {"duplicates": duplicates}
    variants = {**(count_duplicates if "duplicates" in row.variants else {}), **credit_of(match)}
    requests: dict[str, tuple[str, Mapping[str, str]]] = {
        "estimate": (name, {"average": average, **variants}),
        "f1": (name, variants),
        "strict_f1": (MATCHES[STRICT], count_duplicates),
        "partial_f1": (MATCHES[PARTIAL], count_duplicates),
        "gap": (GAINS[0], count_duplicates),
        "label_gap": (GAINS[1], count_duplicates),
    }
    for other in ("macro", "weighted"):
        if other in row.variants["average"]:
            requests[f"{other}_f1"] = (name, {"average": other, **variants})
    if row.measure.compares in CATALOG[BY_LABEL].variants["match"]:
        requests["label_f1"] = (BY_LABEL, {"match": row.measure.compares, **count_duplicates})
    return requests


def _result(
    ratings: Rated, match: str, duplicates: str, parts: Mapping[str, xr.Dataset]
) -> xr.Dataset:
    names, documents = documents_of(ratings.dataset)
    weight = ratings.item_weight
    comparison, _, match_duplicates = compared_by(match).partition(" ")
    duplicates = match_duplicates or duplicates
    counts = pair_counts(documents, comparison, duplicates)
    pairs = pair_variables(names, counts, weight)
    label = ratings.label_names
    unmatched = weight[counts.pairs.document] @ (counts.first + counts.second - 2 * counts.matched)
    if "macro_f1" not in parts:  # the match ignores labels
        unmatched = np.full(len(label), np.nan)
    variables: Variables = {
        **{
            str(name): ((), values.values)
            for name, values in parts["estimate"].data_vars.items()
            if name not in COUNTS  # variables of pairs are along an axis of their own
        },
        **_figures(parts, len(label)),
        **_means(pairs["pair_f1"]),
        **_mean_of_documents(counts, weight),
        **support_of_labels(documents, duplicates, weight),
        "label_unmatched": ("label", unmatched),
        **confusion_of_labels(documents, comparison, duplicates, weight),
        **_kinds(documents, duplicates, weight),
    }
    tables: dict[str, Columns] = {
        "pair": pairs,
        "annotator": annotator_variables(names, counts, documents, weight),
        "document": document_variables(counts, documents),
    }
    for axis, columns in tables.items():
        variables |= {name: (axis, values) for name, values in columns.items()}
    labels_or_none = labels_and_none(label)
    coords = {
        "label": label,
        "annotator": names,
        "document": ratings.item_names,
        "label_a": labels_or_none,
        "label_b": labels_or_none,
    }
    result = dataset_of(variables, coords, parts["estimate"].attrs)
    conclusion = conclusion_of(result)
    notes = [
        *_noted(parts),
        *_remarks(documents, duplicates, len(names), len(pairs["first"])),
        *answers(
            result.assign_attrs(match=match), conclusion, measured=bool(documents.markings.steps)
        ),
        *(shifted(names, documents) if conclusion == "boundaries" else ()),
    ]
    attrs = {
        "made_by": "span_f1",
        "match": match,
        "duplicates": duplicates,
        "conclusion": conclusion,
    }
    return result.assign_attrs(attrs | {"notes": dump_notes(notes)})


def _figures(parts: Mapping[str, xr.Dataset], labels: int) -> Variables:
    variables: Variables = {}
    undefined = np.full(labels, np.nan)
    for name in FIGURES:
        for figure in ("estimate", *_ENDS):
            key = name if figure == "estimate" else f"{name}_{figure}"
            along = name.startswith("label")
            dims = ("label",) if along else ()
            empty = undefined if along else np.asarray(np.nan)
            values = parts[name][figure].values if name in parts else empty
            variables[key] = (dims, values)
        if name in ("strict_f1", "partial_f1"):
            variables[f"{name}_doubt"] = ((), parts[name]["doubt"].values)
    return variables


def _means(pair_f1: Values) -> Variables:
    known = pair_f1[~np.isnan(pair_f1)]
    mean, spread = (known.mean(), known.std()) if len(known) else (np.nan, np.nan)
    return {"mean_pair_f1": ((), np.asarray(mean)), "sd_pair_f1": ((), np.asarray(spread))}


def _mean_of_documents(counts: MarkedPairCounts, weight: Floats) -> Variables:
    """Return the mean over documents of the pairs' mean F1; a pair that marked nothing counts 1."""
    matched, spans = (
        each.sum(axis=1) for each in (2 * counts.matched, counts.first + counts.second)
    )
    f1 = np.divide(matched, spans, out=np.ones(len(spans)), where=spans > 0)
    document = counts.pairs.document
    pairs = np.bincount(document, minlength=len(weight))
    seen = pairs > 0
    means = np.bincount(document, f1, minlength=len(weight))[seen] / pairs[seen]
    mean = np.average(means, weights=weight[seen]) if weight[seen].sum() else np.nan
    return {"mean_document_f1": ((), np.asarray(mean))}


def _kinds(documents: Documents, duplicates: str, weight: Floats) -> Variables:
    strict = pair_counts(documents, STRICT, duplicates)
    matched = float(weight[strict.pairs.document] @ strict.matched.sum(axis=1))
    met = units_met(documents, duplicates, weight)
    shares = kinds_of(confusions(documents, PARTIAL, duplicates, weight), matched, met)
    return {name: ((), np.asarray(share)) for name, share in shares.items()}


def _noted(parts: Mapping[str, xr.Dataset]) -> Iterator[Note]:
    """Yield the notes on F1 and on the F1 of labels, without repetition."""
    known: list[Note] = []
    for name in ("f1", "label_f1"):
        for note in load_notes(parts[name].attrs["notes"]) if name in parts else ():
            # a note on all spans is not repeated for each label
            if note not in known and (name == "f1" or note.about):
                known.append(note.on(()) if name == "f1" else note)
                yield known[-1]


def _remarks(documents: Documents, duplicates: str, annotators: int, met: int) -> Iterator[Note]:
    markings = documents.markings
    codes = documents.marked[documents.marked >= 0]
    again = units_in_all(markings) - units_in_all(markings.distinct)
    if twice := int(again[codes].sum()):
        yield Note("marked_twice", {"spans": twice, "times": 1 + (duplicates != "set")})
    if unmet := annotators * (annotators - 1) // 2 - met:
        yield Note("never_met", {"pairs": unmet})


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
    """Measure coefficients of spans, as `iaa_jax.agreement` does for ratings.

    Parameters
    ----------
    spans : xarray.Dataset
        Spans, as `iaa_jax.from_spans` and `iaa_jax.read` make them.
    coefficients : str or callable, or sequence of them, optional
        Names from the catalogue; by default strict, partial, boundary and token F1, and unitizing
        alpha if the lengths of the documents are known.
    also : str or sequence of str
        Coefficients to measure in addition.
    duplicates : {"set", "multiset"}
        Whether spans that an annotator marked twice count once or twice, as in `iaa_jax.span_f1`.
    options : IntervalOptions
    progress : callable, optional
        Called with the number of replicates done and their total number.

    Returns
    -------
    xarray.Dataset
        A result of `iaa_jax.agreement`; `iaa_jax.page` shows it together with a result of
        `iaa_jax.span_f1`.

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
