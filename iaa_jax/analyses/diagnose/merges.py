"""Suggestions of labels to merge, from the gain, the cost, and a test against chance."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import xarray as xr

from iaa_jax._errors import IaaError
from iaa_jax._types import Variables
from iaa_jax.analyses.diagnose import declared
from iaa_jax.analyses.diagnose.merge_step import SPLITS, MergeStep
from iaa_jax.engine.rows import Progress
from iaa_jax.kernels.confusing import FEWEST_FOR_FACTORS
from iaa_jax.measure import IntervalOptions, LabelOptions, public, select
from iaa_jax.measure.options.interval import SIMPLE
from iaa_jax.measure.options.requirements import Excluded, Intervals, check_replicates_of, requires
from iaa_jax.measure.options.resolved_interval import resolve
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.level import without_verdict
from iaa_jax.measure.requests.resolver import CoefficientLike, Resolver
from iaa_jax.measure.results import provenance_of_figures, result_dataset
from iaa_jax.wording import Note, as_list, keyword
from iaa_jax.wording.figures import gives

MOST_LABELS = 40

_VERDICTS = ("three_labels", "further_merges")
"""Codes of notes that belong to the conclusion."""

_WHAT = "merges need ratings with one label each"
_FOR_SETS = "iaa_jax.label_sets ('iaa label-sets FILE') shows which labels are swapped"


@public
@requires(
    Excluded("spans", _WHAT, "merge theirs with recode"),
    Excluded("numbers", _WHAT),
    Excluded("sets of labels", _WHAT, _FOR_SETS),
    options=Intervals(SIMPLE, sampling=("cluster",)),
)
@gives(declared)
def labels_merges(
    ratings: Rated,
    coefficient: CoefficientLike | None = None,
    *,
    replicates: int = 1000,
    label_options: LabelOptions = select(LabelOptions),
    options: IntervalOptions = select(IntervalOptions, "sampling", "confidence", "seed", "device"),
    progress: Progress | None = None,
) -> xr.Dataset:
    """Suggest labels to merge, from the gain and cost of each merge of two labels.

    Merging labels that are confused raises agreement, but loses the information in their
    distinction: ``(p_a + p_b) h(p_a / (p_a + p_b))`` bits per rating, where h is the binary
    entropy. Any merge can raise a coefficient by luck. A merge is therefore suggested only if the
    two labels are confused more often than chance explains, under every model of chance. In the
    first model, errors are in proportion to the labels' shares; in the second, they are spread
    evenly. With four labels or more, there are two further models, in which each label attracts
    errors by a parameter of its own: the parameters of two labels are multiplied, or added. At the
    ordinal level, most errors fall on neighbouring labels anyway, so that only pairs of neighbours
    are compared with one another, by the first two models. The p-value is the largest among these
    one-sided tests, each adjusted for all pairs of labels (max-T over replicates, Westfall and
    Young 1993).

    A merge is not suggested if its gain is less than the gain's standard error, or if chance
    explains the confusion without the annotator who contributes most to it. Nor is it suggested if
    the share of information that it loses is larger than the share of disagreement (1 - agreement)
    that it removes. After a suggested merge, further merges are tested on the merged labels. If
    there are only two labels, they are never merged. With three labels, it may happen that one
    label is confused with both others, and then no pair stands out.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, each of them a label, a primary and a secondary label, or shares of labels.
    coefficient : str or callable, optional
        A coefficient with a single estimate; Krippendorff's alpha by default.
    replicates : int
        Number of bootstrap replicates over items or clusters, from which the p-values come.
    label_options : LabelOptions
    options : IntervalOptions
    progress : callable, optional
        Called with the merges done and their total in each step.

    Returns
    -------
    xarray.Dataset
        Along ``pair``, by falling gain:

        MERGES

        Along ``step``, the suggested merges, each made after the merges before it:

        STEPS

        As scalars (the last two are means over 20 random splits into halves):

        UNMERGED

        The attribute ``conclusion`` is "merge", "keep" (no pair is shown to be confused), "no_gain"
        (the best merge is of a confused pair, but gains too little), "no_cost" (some pairs are
        confused, but other merges gain more, or none gains), "one_annotator" (the confusion of each
        candidate is due to a single annotator) or "two_labels". ``confused_place`` is the position
        of the confused pair with the largest gain (-1 if there is none), ``ordered`` is 1 if only
        neighbours are compared, and ``recode`` has the suggestion in the form of
        `iaa_jax.data.recode` and ``--recode``.

    Raises
    ------
    IaaError
        If ratings are numbers, sets or spans, there are more than 40 labels, or an option does not
        apply.

    References
    ----------
    Westfall, P. H. and Young, S. S. (1993). Resampling-Based Multiple Testing. Wiley.
    Goodman, L. A. (1968). The analysis of cross-classified data: independence, quasi-independence,
    and interactions in contingency tables with or without missing entries. Journal of the American
    Statistical Association 63(324). https://doi.org/10.1080/01621459.1968.10480916

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> rows = [["joy", "joy"], ["fear", "worry"], ["worry", "fear"], ["fear", "fear"]] * 9
    >>> result = iaa.labels.merges(iaa.from_wide(rows + [["worry", "worry"], ["joy", "fear"]] * 3))
    >>> result.attrs["conclusion"], result.attrs["recode"]
    ('merge', 'fear=fear / worry,worry=fear / worry')
    """
    resolver = Resolver(ratings, label_options)
    _refuse_unfit(resolver)
    check_replicates_of(options, replicates, 1)
    first_step = MergeStep(resolver, coefficient, replicates, options, progress)
    steps = [first_step]
    while len(steps[-1].names) > 2 and (at := steps[-1].suggested) is not None:
        merged = steps[-1].merge(at)
        steps.append(MergeStep(merged, coefficient, replicates, options, progress))
    conclusion = "two_labels" if len(first_step.names) < 3 else "merge"
    variables = first_step.table() | _step_table(steps)
    confused = np.flatnonzero(variables["p_value"][1] < 1 - options.confidence)
    if conclusion == "merge" and len(steps) == 1:
        conclusion = "keep"
        if len(confused):
            # the best merge is of a confused pair, and gains something
            gains = confused[0] == 0 and variables["gain_ci_low"][1][0] > 0
            conclusion = "no_gain" if gains else "no_cost"
        conclusion = "one_annotator" if first_step.confused_by else conclusion
    attrs: dict[str, object] = {
        **provenance_of_figures(
            resolver,
            "labels.merges",
            [first_step.request],
            notes=[*first_step.request.notes, *_notes(first_step, steps)],
            clusters=first_step.clusters,
        ),
        **resolve(options).draw_attrs(precision=False),
        "replicates": replicates,
        "splits": SPLITS,
        "confidence": options.confidence,
        "coefficient": first_step.request.name,
        "weights": first_step.request.used,
        "ordered": int(first_step.ordered),
        "conclusion": conclusion,
        "confused_place": int(confused[0]) if len(confused) else -1,
        "recode": _recoding(ratings, steps),
    }
    return without_verdict(result_dataset(variables, {}, attrs), _VERDICTS)


def _refuse_unfit(resolver: Resolver) -> None:
    tables = resolver.tables
    if resolver.options.level not in (None, "nominal", "ordinal"):
        raise IaaError(
            f"merged labels are not numbers: {keyword('level')} of merges is nominal or ordinal"
        )
    if len(tables.labels) > MOST_LABELS:
        raise IaaError(
            f"{len(tables.labels)} labels make too many merges to test each: keep up to "
            f"{MOST_LABELS} (keep_labels), or merge rare ones first (recode)"
        )


def _step_table(steps: list[MergeStep]) -> Variables:
    rows = list(_merged(steps))
    names = ("merged", "labels_left", "agreement_then", "gain_then", "share_lost_then")
    kinds = (object, np.int64, np.float64, np.float64, np.float64, np.float64)
    columns = [*zip(*rows, strict=True)] or [()] * len(kinds)
    return {
        name: ("step", np.array(values, dtype=kind))
        for name, values, kind in zip((*names, "p_value_then"), columns, kinds, strict=True)
    }


def _merged(steps: list[MergeStep]) -> Iterator[tuple[object, ...]]:
    first = steps[0]
    for before, after in pairwise(steps):
        at = before.suggested
        assert at is not None
        estimate = float(after.whole.estimate[0])
        yield (
            next(iter(before.new_names(at).values())),
            len(after.names),
            estimate,
            estimate - float(first.whole.estimate[0]),
            1 - after.entropy / first.entropy if first.entropy else 0.0,
            float(before.p_value[at]),
        )


def _recoding(ratings: Rated, steps: list[MergeStep]) -> str:
    """Return the suggested merges as one recoding of the original labels."""
    new = {str(name): str(name) for name in ratings.label_names.tolist()}
    for step in steps[:-1]:
        at = step.suggested
        assert at is not None
        renamed = step.new_names(at)
        new = {old: renamed.get(name, name) for old, name in new.items()}
    return as_list(f"{old}={name}" for old, name in new.items() if old != name)


def _notes(first: MergeStep, steps: list[MergeStep]) -> Iterator[Note]:
    if 2 < len(first.names) < FEWEST_FOR_FACTORS:
        yield Note("three_labels", {}, "caution")
    if len(steps) > 2:
        yield Note("further_merges")
