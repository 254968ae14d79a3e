"""Compute Prodigy's statistics of annotations, its three coefficients, and pairwise F1 of spans."""

from __future__ import annotations

import numpy as np
import xarray as xr

from iaa_jax._errors import IaaError, OptionError
from iaa_jax._types import Variables
from iaa_jax.analyses.prodigy import declared
from iaa_jax.catalog.spans import BY_LABEL, GAINS, MATCHES, PARTIAL, STRICT
from iaa_jax.data.kind import Kind
from iaa_jax.data.marked.documents import documents_of
from iaa_jax.data.schema import summary
from iaa_jax.engine.rows import Progress
from iaa_jax.measure import IntervalOptions, LabelOptions, public, select
from iaa_jax.measure.agreement import agreement_and_labels
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.results import dataset_of, provenance_of, usual_interval
from iaa_jax.measure.shared.presence import presence_of_labels
from iaa_jax.measure.shared.spans import confusion_of_labels, labels_and_none, support_of_labels
from iaa_jax.wording import keyword
from iaa_jax.wording.figures import gives

COEFFICIENTS = ("percent_agreement", "krippendorff_alpha", "gwet_ac2")
_AVERAGES = ("micro", "macro", "weighted")
_FIGURES = ("estimate", "standard_error", "ci_low", "ci_high")


@public
@gives(declared)
def prodigy(
    ratings: Rated,
    *,
    partial: bool = False,
    options: IntervalOptions = select(IntervalOptions, without=("undefined",)),
    progress: Progress | None = None,
) -> xr.Dataset:
    """Compute statistics of annotations and agreement, as Prodigy's commands do.

    Labels count as equal or different: alpha is nominal, and AC2 with identity weights is AC1. In
    label sets, each label is measured by itself, as present or absent. For spans, the measure is
    F1. Each pair of annotators is compared once, on the examples that both saw, and the counts of
    all pairs are added up.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings of task "single" or "multi_label", or spans.
    partial : bool
        For spans: whether overlapping spans with the same label match. Spans are then matched one
        to one, as many as possible; otherwise both boundaries must be equal.
    options : IntervalOptions
    progress : callable, optional
        Called with the number of replicates that are done, and their total number.

    Returns
    -------
    xarray.Dataset
        As scalars:

        STATISTICS

        For single labels, the variables of `iaa_jax.agreement` are along ``coefficient``. For label
        sets they are along ``label`` and ``coefficient``. Label sets also have, along ``label``:

        LABELS

        For spans, along ``average`` ("micro" adds up the counts of all labels, "macro" is the mean
        over labels, and "weighted" is the mean weighted by support):

        AVERAGES

        For spans, along ``label``:

        OF_SPANS

        For spans, as a scalar:

        GAP

        For spans, along ``label_a`` (given by the first annotator of a pair) and ``label_b`` (given
        by the second):

        CONFUSION

        The ``conclusion`` is "measured"; "perfect" if there is no disagreement; "estimated" if
        there are no intervals; or "undefined".

    Raises
    ------
    IaaError
        If the ratings are numbers or shares, or have secondary labels; or if an option does not
        apply to them.

    References
    ----------
    Gwet, K. L. (2015). On Krippendorff's alpha coefficient. Manuscript.

    Hripcsak, G. and Rothschild, A. S. (2005). Agreement, the F-measure, and reliability in
    information retrieval. JAMIA 12(3). https://doi.org/10.1197/jamia.M1733

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> rows = [["yes", "yes"]] * 5 + [["no", "no"]] * 4 + [["yes", "no"]] * 8 + [["no", None]] * 3
    >>> result = iaa.prodigy(iaa.from_wide(rows), interval=None)
    >>> int(result.annotations), int(result.examples), float(result.annotations_per_example)
    (37, 20, 1.85)
    >>> result.estimate.round(4).values
    array([0.5294, 0.0833, 0.0681])
    """
    if ratings.kind not in (Kind.LABELS, Kind.SETS, Kind.SPANS):
        raise IaaError(
            "Prodigy's statistics are for single labels, label sets or spans, and these ratings "
            f"have the task {ratings.kind.value!r}: use iaa.agreement"
        )
    if partial and ratings.kind is not Kind.SPANS:
        raise OptionError(f"{keyword('partial', True)} matches spans, and these ratings are labels")
    statistics = _statistics(ratings)
    if ratings.kind is Kind.SPANS:
        result = _span_agreement(ratings, PARTIAL if partial else STRICT, options, progress)
        return result.assign(statistics).assign_attrs(made_by="prodigy")
    if ratings.kind is Kind.LABELS:
        nominal = LabelOptions(level="nominal")
        result, _ = agreement_and_labels(ratings, [*COEFFICIENTS], (), nominal, options, progress)
        return result.assign(statistics).assign_attrs(made_by="prodigy")
    of_labels = presence_of_labels(ratings, COEFFICIENTS, LabelOptions(), options, progress)
    attrs = {
        **provenance_of(
            ratings,
            "prodigy",
            usual_interval(options, ratings.kind),
            of_labels.notes,
            of_labels.clusters,
        ),
        "conclusion": of_labels.conclusion,
    }
    coords = {"label": ratings.label_names, "coefficient": of_labels.coefficients}
    return dataset_of(of_labels.variables | statistics, coords, attrs)


def _span_agreement(
    ratings: Rated, match: str, options: IntervalOptions, progress: Progress | None
) -> xr.Dataset:
    name = MATCHES[match]
    _, parts = agreement_and_labels(
        ratings,
        [],
        {
            **{average: (name, {"average": average}) for average in _AVERAGES},
            "label_f1": (BY_LABEL, {"match": match}),
            "gap": (GAINS[0], {}),
            "label_gap": (GAINS[1], {}),
        },
        LabelOptions(),
        options,
        progress,
    )
    columns = {
        figure: np.array([parts[average][figure].item() for average in _AVERAGES])
        for figure in (*_FIGURES, "code", "reason")
    }
    variables: Variables = {figure: ("average", values) for figure, values in columns.items()}
    for part, dims in (("label_f1", ("label",)), ("gap", ()), ("label_gap", ("label",))):
        for figure in _FIGURES:
            key = part if figure == "estimate" else f"{part}_{figure}"
            variables[key] = (dims, parts[part][figure].values)
    _, documents = documents_of(ratings.dataset)
    weight, labels = ratings.item_weight, ratings.label_names
    variables |= support_of_labels(documents, "set", weight)
    variables |= confusion_of_labels(documents, match, "set", weight)
    either = labels_and_none(labels)
    coords = {"average": [*_AVERAGES], "label": labels, "label_a": either, "label_b": either}
    return dataset_of(variables, coords, {**parts["micro"].attrs, "match": match})


def _statistics(ratings: Rated) -> Variables:
    counts = summary(ratings.dataset)
    examples = counts.pairable_items + counts.single_rated_items
    figures = {
        "annotations": counts.ratings,
        "examples": examples,
        "categories": counts.labels,
        "coincident_examples": counts.pairable_items,
        "single_annotation_examples": counts.single_rated_items,
        "annotators": counts.annotators or counts.largest_panel,
        "annotations_per_example": counts.ratings / examples,
    }
    return {name: ((), np.asarray(figure)) for name, figure in figures.items()}
