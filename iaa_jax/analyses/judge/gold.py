"""Measure annotators against gold labels, which may be uncertain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import xarray as xr
from numpy.typing import NDArray
from scipy.sparse import csr_array

from iaa_jax._types import Floats, Variables
from iaa_jax.analyses.judge import declared
from iaa_jax.analyses.judge.accuracy import (
    Rightness,
    critical_difference,
    figures_of,
    standard_errors_below,
)
from iaa_jax.analyses.judge.comparing import EXCLUDED
from iaa_jax.analyses.judge.counts import CountsOfRatings, LabelEntries, with_gold
from iaa_jax.analyses.judge.gold_labels import gold_labels
from iaa_jax.data.patterns import Patterns
from iaa_jax.engine import sampled_rows
from iaa_jax.engine.rows import Progress
from iaa_jax.measure import IntervalOptions, LabelOptions, public, select
from iaa_jax.measure.intervals.pseudo_item import one_item_less
from iaa_jax.measure.options.declared import keeps_empty_annotators
from iaa_jax.measure.options.interval import SIMPLE
from iaa_jax.measure.options.requirements import Excluded, Intervals, check_replicates_of, requires
from iaa_jax.measure.options.resolved_interval import resolve
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.floors import enough_to_name
from iaa_jax.measure.requests.resampling import cluster_codes, resampling_of
from iaa_jax.measure.requests.resolver import Resolver
from iaa_jax.measure.results import provenance_of, result_dataset
from iaa_jax.wording import Note, command
from iaa_jax.wording.figures import gives


@public
@keeps_empty_annotators
@requires(
    *EXCLUDED,
    Excluded(
        "numbers",
        "gold labels are compared with labels",
        "read the gold labels as another annotator's (a column, or rows, of their own), and see "
        f"{command('annotators')}",
    ),
    options=Intervals(SIMPLE, sampling=("cluster",)),
)
@gives(declared)
def judge_against_gold(
    ratings: Rated,
    gold: Mapping[Any, Any] | str | xr.Dataset,
    *,
    replicates: int = IntervalOptions.replicates,
    label_options: LabelOptions = select(LabelOptions, "p"),
    options: IntervalOptions = select(IntervalOptions, "sampling", "confidence", "seed", "device"),
    progress: Progress | None = None,
) -> xr.Dataset:
    """Measure the accuracy of every annotator, people and models alike, against gold labels.

    Let P_it be the probability that t is the gold label of item i (1 for a known label), and m_ial
    the share of annotator a's rating of item i on label l. Then the table of annotator a is
    ``T_tl = sum_i P_it m_ial`` over the items that a rated. Accuracy is ``sum_t T_tt / sum T``,
    kappa is Cohen's kappa of this table, and confusion is ``T_tl / sum_l T_tl``. Precision,
    recall and F1 of label t are ``T_tt / sum_s T_st``, ``T_tt / sum_l T_tl`` and their harmonic
    mean. With label sets, accuracy and kappa take each set as a label of its own; precision, recall
    and F1 are of single labels, where T_tt counts the items that have label t and were given it.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings with one, two or soft labels or label sets, as the constructors and `iaa_jax.read`
        return them.
    gold : mapping, str or xarray.Dataset
        Labels by item, the name of a coordinate along items (empty or missing if a label is not
        known), or a result of `iaa_jax.gold`, which also gives the certainty of its labels. A label
        set is a collection of labels, or a text with one of ``; + , | /`` or a line break between
        them, or a JSON list; ``;`` or ``(none)`` is the empty set.
    replicates : int
        Number of bootstrap replicates over items, for intervals; 0 for none.
    label_options : LabelOptions
    options : IntervalOptions
    progress : callable, optional
        Called with the number of replicates computed so far, and their total.

    Returns
    -------
    xarray.Dataset
        Along ``annotator``. ``items_of_label``, ``precision``, ``recall``, ``f1`` and ``confusion``
        are also along ``gold_label``, and ``confusion`` is along ``label`` too:

        AGAINST_GOLD

        Replicates resample items, and draw uncertain gold labels from their probabilities.
        Accuracy, precision, recall and confusion have Jeffreys' interval, with an effective number
        of items that is computed from the variance over replicates. The interval of F1 is computed
        from the interval of the share of right labels among the items that have the label or were
        given it. Kappa has percentiles of the replicates, computed with and without a pseudo-item
        (an invented item that acts as a prior), which is half agreement and half disagreement. With
        clusters, it also has Student's interval. Each end is the one farthest from the estimate.

        The attribute ``conclusion`` is "apart" (the best annotator is shown to be more accurate
        than the weakest, allowing for their selection among all), "not_apart" (this is not shown),
        "one" or "nobody" (only one annotator, or none, rated an item with a gold label), or "few"
        (several annotators did, but fewer than two of them rated 20 such items). ``best`` and
        ``weakest`` name the annotators with the highest and the lowest accuracy, among the
        annotators who rated 20 such items. If the conclusion is "one", both name the only
        annotator. ``best_rivals`` counts the annotators who are not shown to be less accurate than
        the best. A difference in accuracy is divided by its standard error under equal accuracy,
        and compared with the studentized range for the number of annotators (Tukey and Kramer).

    Raises
    ------
    IaaError
        If ratings are numbers, spans or counts without annotators, gold labels belong to other
        items or labels, or an option does not fit.

    References
    ----------
    Kramer, C. Y. (1956). Extension of multiple range tests to group means with unequal numbers of
    replications. Biometrics 12(3). https://doi.org/10.2307/3001469

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> import pandas as pd
    >>> rows = [["a", "a"], ["b", "a"], ["b", "b"]]
    >>> table = pd.DataFrame(rows, [1, 2, 3], ["ann", "model"])
    >>> ratings = iaa.from_wide(table)
    >>> result = iaa.judge.against_gold(ratings, {1: "a", 2: "b", 3: "b"}, replicates=0)
    >>> result.accuracy.to_series().round(3).to_dict()
    {'ann': 1.0, 'model': 0.667}
    >>> sets = iaa.from_sets([[{"a", "b"}, {"a"}], [{"b"}, {"b"}]], labels=["a", "b"])
    >>> result = iaa.judge.against_gold(sets, {0: "a; b", 1: {"b"}}, replicates=0)
    >>> result.accuracy.values.round(3), result.recall.values.round(3)
    (array([1. , 0.5]), array([[1. , 1. ],
           [1. , 0.5]]))
    """
    resolver = Resolver(ratings, label_options)
    check_replicates_of(options, replicates)
    gold_of_items = gold_labels(ratings, gold)
    known, certain = gold_of_items.known, gold_of_items.probability is None
    weight = resolver.tables.item_weight
    # items with the same ratings and gold labels are drawn together
    patterns = resolver.tables.identified.split_by(gold_of_items.groups, weight)
    count = np.where(known[patterns.first], patterns.count, 0.0)
    table = one_item_less(resolver.tables.exchangeable_table.other(count))
    with_labels = with_gold(resolver.tables, patterns, gold_of_items)
    counted, clusters = with_labels.counted(np.asarray(table.count)), None
    rows = CountsOfRatings(counted.whole.no_rows, counted.by_label.no_rows)
    if replicates and known.any():
        places = np.where(known, patterns.pattern_of, -1)
        resampling = resampling_of(options.random, resolver.tables, [(table, places)])
        clusters = resampling.cluster_count
        if certain:  # otherwise each item draws its own gold label
            resampling = replace(resampling, weights="dirichlet")
        drawn = sampled_rows([table], replicates, options.seed, resampling)
        weights = (row for (part,) in drawn for row in part)
        rows = with_labels.replicated(weights, replicates, options.seed, progress)
    units, clustered = counted.whole.given.sum(axis=1), None
    if options.random.cluster is not None:
        cluster = options.random.cluster
        units, clustered = _in_clusters(ratings, cluster, with_labels.whole, patterns, known)
    variables = figures_of(counted, rows, units, clusters, options)
    names = [str(name) for name in ratings.annotator_names.tolist()]
    right = Rightness.of(with_labels, np.asarray(table.count), clustered)
    attrs: dict[str, object] = {
        **provenance_of(
            ratings,
            "judge.against_gold",
            notes=_notes(known, weight, same=gold_of_items.of_ratings),
            clusters=clusters,
        ),
        **resolve(options).draw_attrs(precision=False),
        "replicates": replicates,
        "confidence": options.confidence,
        "gold": gold if isinstance(gold, str) else "",
        "certain": int(certain),
        "known": float(table.count.sum()),
        "p": resolver.options.p,
        **_conclude(variables, names, right, options.confidence),
    }
    labels = ratings.label_names
    coords = {"label": labels, "gold_label": labels}
    return result_dataset(variables, ratings.along("annotator"), attrs, coords)


def _in_clusters(
    ratings: Rated,
    cluster: str,
    entries: LabelEntries,
    patterns: Patterns,
    known: NDArray[np.bool_],
) -> tuple[Floats, csr_array]:
    """Count clusters with gold labels by annotator, and items by cluster and pattern."""
    of_item, names = cluster_codes(ratings, cluster)
    rated = np.zeros((entries.annotators, len(patterns.count)), dtype=bool)
    rated[entries.annotator, entries.item] = True
    of_items = rated[:, np.maximum(patterns.pattern_of, 0)]
    annotator, item = np.nonzero(of_items & (known & (patterns.pattern_of >= 0)))
    pairs = np.unique(np.stack([annotator, of_item[item]]), axis=1)
    units = np.bincount(pairs[0], minlength=entries.annotators).astype(np.float64)
    weight = np.where(known, ratings.item_weight, 0.0)
    shape = len(names), len(patterns.codes)
    return units, csr_array((weight, (of_item, patterns.pattern_of)), shape=shape)


def _conclude(
    variables: Variables, names: list[str], right: Rightness, confidence: float
) -> dict[str, object]:
    accuracy, compared = (np.asarray(variables[name][1]) for name in ("accuracy", "items_compared"))
    nobody = {"best": "", "weakest": "", "best_rivals": 0}
    number = int((~np.isnan(accuracy)).sum())
    if not number:
        return {"conclusion": "nobody", **nobody}
    if number > 1:
        enough = enough_to_name(np.where(np.isnan(accuracy), 0, compared))
        accuracy, number = np.where(enough, accuracy, np.nan), int(enough.sum())
        if not number:
            return {"conclusion": "few", **nobody}
    best, weakest = int(np.nanargmax(accuracy)), int(np.nanargmin(accuracy))
    beyond = standard_errors_below(best, accuracy, right) > critical_difference(number, confidence)
    code = "one" if number == 1 else "apart" if beyond[weakest] else "not_apart"
    ends = {"best": names[best], "weakest": names[weakest]}
    return {"conclusion": code, **ends, "best_rivals": number - 1 - int(beyond.sum())}


def _notes(known: Any, weights: Floats, *, same: bool) -> Iterator[Note]:
    if not known.all():
        yield Note("items_without_gold", {"items": float(weights[~known].sum())})
    if same:
        yield Note("gold_of_the_same", {}, "caution")
