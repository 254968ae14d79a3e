"""Measure annotators against gold labels, which may be uncertain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import xarray as xr
from numpy.typing import NDArray
from scipy.sparse import csr_array

from iaa_jax._errors import IaaError
from iaa_jax._types import Floats, Integers, Variables
from iaa_jax.analyses.judge import declared
from iaa_jax.analyses.judge.accuracy import (
    Rightness,
    critical_difference,
    figures_of_tables,
    standard_errors_below,
)
from iaa_jax.analyses.judge.comparing import EXCLUDED
from iaa_jax.data.patterns import Patterns
from iaa_jax.engine import sampled_rows
from iaa_jax.engine.drawing import Purpose, stream
from iaa_jax.engine.rows import Progress, tell
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
from iaa_jax.measure.results import is_dataset, provenance_of, result_dataset
from iaa_jax.measure.shared.controls import control_codes
from iaa_jax.measure.shared.labels import label_shares
from iaa_jax.wording import Note, command, keyword
from iaa_jax.wording.figures import gives

_ONE_LABEL = "one gold label per item is compared with one label of each annotator"
_AS_ANNOTATOR = "read the gold labels as another annotator's (a column, or rows, of their own)"


@public
@keeps_empty_annotators
@requires(
    *EXCLUDED,
    Excluded("numbers", _ONE_LABEL, f"{_AS_ANNOTATOR}, and see {command('annotators')}"),
    Excluded(
        "sets of labels",
        _ONE_LABEL,
        f"{_AS_ANNOTATOR}; of one annotator and the gold labels ({keyword('keep_annotators')}), "
        "specific agreement in 'iaa label-sets' is each label's F1",
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
    mean.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings with one, two or soft labels, as the constructors and `iaa_jax.read` return them.
    gold : mapping, str or xarray.Dataset
        Labels by item, the name of a coordinate along items (empty or missing if a label is not
        known), or a result of `iaa_jax.gold`, which also gives the certainty of its labels.
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
        If ratings are numbers, sets, spans or counts without annotators, gold labels belong to
        other items or labels, or an option does not fit.

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
    """
    resolver = Resolver(ratings, label_options)
    check_replicates_of(options, replicates)
    probability, made_of = _probabilities(ratings, gold)
    known = probability.sum(axis=1) > 0
    weight = resolver.tables.item_weight
    # items with the same ratings and gold labels are drawn together
    groups = np.where(known, probability.argmax(axis=1) + 1, 0)
    if not _are_certain(probability).all():
        groups = np.unique(probability, axis=0, return_inverse=True)[1].ravel()
    patterns = resolver.tables.identified.split_by(groups, weight)
    of_patterns = probability[patterns.first]
    count = np.where(known[patterns.first], patterns.count, 0.0)
    table = one_item_less(resolver.tables.exchangeable_table.other(count))
    votes = _votes(resolver, patterns)
    tables = votes.expected(of_patterns, table.count)
    rows = np.zeros((0, *tables.shape))
    clusters = None
    if replicates and known.any():
        places = np.where(known, patterns.pattern_of, -1)
        resampling = resampling_of(options.random, resolver.tables, [(table, places)])
        clusters = resampling.cluster_count
        if _are_certain(probability).all():  # otherwise each item draws its own gold label
            resampling = replace(resampling, weights="dirichlet")
        drawn = sampled_rows([table], replicates, options.seed, resampling)
        weights = (row for (part,) in drawn for row in part)
        rows = votes.replicated(of_patterns, weights, replicates, options.seed, progress)
    units, clustered = np.asarray(tables.sum(axis=(1, 2))), None
    if options.random.cluster is not None:
        cluster = options.random.cluster
        units, clustered = _in_clusters(ratings, cluster, votes, patterns, known)
    variables = figures_of_tables(tables, rows, units, clusters, options)
    names = [str(name) for name in ratings.annotator_names.tolist()]
    right = Rightness(*votes[:4], of_patterns, np.asarray(table.count), clustered)
    attrs: dict[str, object] = {
        **provenance_of(
            ratings,
            "judge.against_gold",
            notes=_notes(known, weight, same=made_of),
            clusters=clusters,
        ),
        **resolve(options).draw_attrs(precision=False),
        "replicates": replicates,
        "confidence": options.confidence,
        "gold": gold if isinstance(gold, str) else "",
        "certain": int(_are_certain(probability).all()),
        "known": float(table.count.sum()),
        "p": resolver.options.p,
        **_conclude(variables, names, right, options.confidence),
    }
    labels = ratings.label_names
    coords = {"label": labels, "gold_label": labels}
    return result_dataset(variables, ratings.along("annotator"), attrs, coords)


def _probabilities(
    ratings: Rated, gold: Mapping[Any, Any] | str | xr.Dataset
) -> tuple[Floats, bool]:
    """Return the probability of each gold label (item, label); 0 for items without a gold label.

    Also return whether gold labels were made from ratings by some of the same annotators.
    """
    labels = len(ratings.label_names)
    if not is_dataset(gold):
        code = control_codes(ratings, gold, "gold")
        assert code is not None
        return np.eye(labels + 1)[code][:, :labels], False
    if gold.attrs.get("made_by") != "gold" or "probability" not in gold:
        raise IaaError(
            "gold must be labels by item, the name of a coordinate along items, or a result of "
            "iaa_jax.gold with one label per item"
        )
    voted = gold["gold_code"] >= 0
    known = gold["probability"].where(voted, 0.0)
    if set(known["label"].values.tolist()) != set(ratings.label_names.tolist()):
        raise IaaError(
            "the gold labels were made from ratings with other labels: declare them with labels"
        )
    aligned = known.reindex(item=ratings.item_names, label=ratings.label_names)
    same = set(gold["annotator"].values.tolist()) & set(ratings.annotator_names.tolist())
    return np.nan_to_num(aligned.values.astype(np.float64)), bool(same)


class _Votes(NamedTuple):
    """A long table of ratings, with an entry for each label of a rating.

    ``item`` is the index of a pattern (items with the same ratings and gold labels).
    """

    item: Integers
    annotator: Integers
    label: Integers
    share: Floats
    shape: tuple[int, int, int]  # annotators, gold labels, labels

    def expected(self, probability: Floats, count: Floats) -> Floats:
        """Return the expected confusion table of each annotator (annotator, gold label, label)."""
        weight = self.share * count[self.item]
        parts = [
            self._sums(np.full(len(self.item), gold), weight * probability[self.item, gold])
            for gold in range(self.shape[1])
        ]
        return np.asarray(np.sum(parts, axis=0))

    def replicated(
        self,
        probability: Floats,
        weights: Iterator[Floats],
        replicates: int,
        seed: int,
        progress: Progress | None,
    ) -> Floats:
        """Return confusion tables of replicates; their gold labels are drawn by probability."""
        unsure, gold = ~_are_certain(probability), probability.argmax(axis=1)
        share = np.eye(probability.shape[1])[gold]
        rows = np.zeros((replicates, *self.shape))
        for number, weight in zip(range(replicates), weights, strict=False):
            if unsure.any():
                random = stream(seed, Purpose.GOLD_LABELS, number)
                share[unsure] = _drawn(random, weight[unsure], probability[unsure])
                rows[number] = self.expected(share, weight)
            else:
                rows[number] = self._sums(gold[self.item], self.share * weight[self.item])
            tell(progress, number + 1, replicates)
        return rows

    def _sums(self, gold: Integers, weight: Floats) -> Floats:
        _, golds, labels = self.shape
        cell = (self.annotator * golds + gold) * labels + self.label
        sums = np.bincount(cell, weight, minlength=int(np.prod(self.shape)))
        return np.asarray(sums, dtype=np.float64).reshape(self.shape)


def _are_certain(probability: Floats) -> NDArray[np.bool_]:
    return np.asarray(np.isin(probability, (0.0, 1.0)).all(axis=1))


def _drawn(random: np.random.Generator, weight: Floats, probability: Floats) -> Floats:
    """Return the shares of gold labels drawn for each pattern.

    One label is drawn for each item, or for each pattern if weights are fractional.
    """
    probability = probability / probability.sum(axis=1, keepdims=True)
    if not np.array_equal(weight, np.rint(weight)):
        return random.multinomial(1, probability).astype(np.float64)
    times = random.multinomial(weight.astype(np.int64), probability)
    return np.asarray(times / np.maximum(weight, 1.0)[:, None])


def _votes(resolver: Resolver, patterns: Patterns) -> _Votes:
    tables, codes = resolver.tables, patterns
    item, slot = np.nonzero(codes.codes >= 0)
    annotator = slot if codes.annotator_of is None else codes.annotator_of[item, slot]
    shares = label_shares(tables, sets_as_labels=False)[codes.codes[item, slot]]
    vote, label = np.nonzero(shares)
    labels = shares.shape[1]
    shape = (tables.annotators, labels, labels)
    return _Votes(item[vote], annotator[vote].astype(np.intp), label, shares[vote, label], shape)


def _in_clusters(
    ratings: Rated, cluster: str, votes: _Votes, patterns: Patterns, known: NDArray[np.bool_]
) -> tuple[Floats, csr_array]:
    """Count clusters with gold labels by annotator, and items by cluster and pattern."""
    of_item, names = cluster_codes(ratings, cluster)
    rated = np.zeros((votes.shape[0], len(patterns.count)), dtype=bool)
    rated[votes.annotator, votes.item] = True
    of_items = rated[:, np.maximum(patterns.pattern_of, 0)]
    annotator, item = np.nonzero(of_items & (known & (patterns.pattern_of >= 0)))
    pairs = np.unique(np.stack([annotator, of_item[item]]), axis=1)
    units = np.bincount(pairs[0], minlength=votes.shape[0]).astype(np.float64)
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
