"""The study of panels: the coefficient of every panel, and what each annotator adds."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._checks import check_whole
from iaa_jax._errors import IaaError
from iaa_jax._types import Columns, Floats, Variables
from iaa_jax.analyses.panels import declared
from iaa_jax.analyses.panels.conclusion import (
    best_of_better,
    better_than_all,
    conclude,
    figures_of_sizes,
)
from iaa_jax.analyses.panels.shared_items import items_of_panels, items_rated, share_few
from iaa_jax.analyses.panels.subsets import (
    MOST,
    SMALLEST,
    SPLITS,
    Leaders,
    PanelReplicates,
    all_panels,
    exchanges_of,
    figures_of,
    leads_of_exchanges,
    p_values,
    panel_request,
    replicates_of,
    shapley_weights,
)
from iaa_jax.data.schema import ints_if_whole
from iaa_jax.engine.drawing.halves import random_halves
from iaa_jax.engine.panels import PanelRows
from iaa_jax.engine.rows import Progress
from iaa_jax.kernels.intervals import normal
from iaa_jax.measure import IntervalOptions, LabelOptions, public, select
from iaa_jax.measure.intervals.posterior_rows import PosteriorRows
from iaa_jax.measure.intervals.pseudo_item import farther_ends
from iaa_jax.measure.options.declared import Whole, keeps_empty_annotators
from iaa_jax.measure.options.interval import SIMPLE
from iaa_jax.measure.options.requirements import Excluded, Intervals, check_replicates_of, requires
from iaa_jax.measure.options.resolved_interval import resolve
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.level import without_verdict
from iaa_jax.measure.requests.resampling import resampling_of
from iaa_jax.measure.requests.resolver import CoefficientLike
from iaa_jax.measure.requests.spread import error_of
from iaa_jax.measure.results import provenance_of_figures, result_dataset
from iaa_jax.wording import Note, command, named
from iaa_jax.wording.figures import gives

USUAL = IntervalOptions.replicates
LEAST = 200
_FIGURES = 1 << 22
"""The default number of replicates, times the number of panels, is at most this.

At least `LEAST` replicates are drawn, whatever the product.
"""


@public
@keeps_empty_annotators
@requires(
    Excluded(
        "counts without annotators",
        "panels consist of annotators, so it must be known who gave which rating",
    ),
    Excluded("one annotator", "panels have two annotators or more"),
    options=Intervals(SIMPLE, sampling=("cluster",)),
    top=Whole(1),
)
@gives(declared)
def panels(
    ratings: Rated,
    coefficient: CoefficientLike | None = None,
    *,
    size: int | None = None,
    top: int | None = None,
    replicates: int | None = None,
    label_options: LabelOptions = select(LabelOptions),
    options: IntervalOptions = select(IntervalOptions, "sampling", "confidence", "seed", "device"),
    progress: Progress | None = None,
) -> xr.Dataset:
    """Compare every panel of two annotators or more, and measure what each annotator adds.

    With v(S) the coefficient of the ratings of panel S alone, the Shapley share of annotator a in
    the coefficient of all A annotators is ``sum_S s! (A - s - 1)! / A! (v(S + a) - v(S))`` over the
    panels S of s others. It is what a adds to the annotators who joined before, averaged over all
    orders in which annotators could join. Panels with fewer than two annotators, or with an
    undefined coefficient, have v = 0. The shares sum to the coefficient of all. Annotators who
    rated alike have equal shares, and an annotator without ratings has a share of 0.

    The best of many panels looks better than it is. Two analyses allow for that. For
    ``gain_p_value`` the ratings of each item are permuted at random among its annotators, 199 times
    (99 times with 12 annotators or more). If annotators are exchangeable, all permutations are
    equally probable (Fisher 1935), and the observed lead of the best panel of a size is due to luck
    alone. The p-value is the share of permutations with a lead as large as the observed one,
    adjusted for all sizes together (step-down max-t: Westfall and Young 1993). Ratings of a cluster
    are permuted together, among annotators who rated the same items of the cluster. For the other
    analysis, the items are split into random halves, 50 times: ``lead_in_sample`` is the lead of
    the best panel of one half on that half, and ``lead_out_of_sample`` is its lead on the other
    half.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings of 2 to 16 annotators, as the constructors and `iaa_jax.read` make them.
    coefficient : str or callable, optional
        The name of a coefficient with a single estimate, or a function with the signature of those
        in `iaa_jax.kernels`; Krippendorff's alpha by default.
    size : int, optional
        The panel size of the conclusion; by default the largest size at which a panel agrees better
        than all, if there is one (see ``conclusion``).
    top : int, optional
        Number of panels to list along ``panel``, from the best down; by default all are listed. If
        ``size`` is given, only panels of this size are listed.
    replicates : int, optional
        Number of draws for intervals: for labels from the posterior of `iaa_jax.agreement`, for
        numbers bootstrap replicates over items. With 0 there are no intervals and no p-values. The
        default is 2,000, or fewer (at least 200) with 12 annotators or more.
    label_options : LabelOptions
    options : IntervalOptions
    progress : callable, optional
        Called with the number of finished panels and their total, over all steps.

    Returns
    -------
    xarray.Dataset
        Along ``panel``, by size and then in the order of annotators (with ``top``, the best come
        first):

        PANELS

        Along ``size``, from 2 to the number of annotators:

        SIZES

        Along ``annotator``, and one variable without dimensions:

        ANNOTATORS
        SCALARS

        The attribute ``conclusion`` is "two_annotators" (there is one panel), "undefined" (the
        coefficient of all annotators, or of every smaller panel, is undefined), "tied" (all panels
        have the same coefficient), "estimated" (without replicates), "everybody" (``size`` includes
        all), "better" (some panel agrees better than all, by more than luck explains if annotators
        are exchangeable; the attribute ``size`` is the largest size of such a panel) or "noise".
        Unless ``size`` is given, "better" and "noise" are about panels of more than half of the
        annotators. ``better_sizes`` counts all sizes with a better panel. ``best_size`` is
        ``size``, or a smaller size if its best panel agrees significantly better than the best
        panel of the larger size (corrected for the number of panels of the smaller size). Panels
        that share few items are passed over: none of them is best, second or worst, nor best in a
        replicate or on a half. A panel shares few items if it shares fewer than half as many as
        some panel of its size, or if a member rated fewer than half as many items as the members
        did on average. The second rule does not apply to a size that it would pass over entirely.

    Raises
    ------
    IaaError
        If there are more than 16 annotators, annotators are unknown, or an option does not fit.

    References
    ----------
    Fisher, R. A. (1935). The Design of Experiments. Oliver and Boyd.
    Shapley, L. S. (1953). A value for n-person games. Contributions to the Theory of Games II.
    https://doi.org/10.1515/9781400881970-018
    Westfall, P. H. and Young, S. S. (1993). Resampling-Based Multiple Testing. Wiley.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "a", "b"], ["b", "b", "a"], ["a", "a", "a"]] * 4)
    >>> result = iaa.panels(ratings, replicates=0)
    >>> result.best.round(3).values, result.best_members[0].values.tolist()
    (array([1.   , 0.028]), [1, 1, 0])
    >>> result.shapley.round(3).values, float(result.shapley.sum().round(3))
    (array([ 0.249,  0.249, -0.47 ]), 0.028)
    """
    study = panel_request(ratings, coefficient, label_options)
    annotators = ratings.annotators
    if annotators > MOST:
        raise IaaError(
            f"{annotators:,} annotators make {float(2 ** min(annotators, 999)):.2g} panels, and "
            f"every panel is measured: name up to {MOST} annotators with "
            f"{named('keep_annotators')} ({command('annotators')} ranks any number)"
        )
    if size is not None:
        check_whole("size", size, SMALLEST, annotators)
    number = _replicates(replicates, annotators, options)
    problem, of_panels = study.problem, all_panels(annotators)
    exchangeable = not study.request.problem.measure.identified
    run = PanelRows(problem, exchangeable=exchangeable)
    passes = 3 if number else 1
    estimate = figures_of(run, of_panels, progress, passes * len(of_panels))
    items = items_of_panels(study.resolver.tables, of_panels)
    few = share_few(items, of_panels, items_rated(study.resolver.tables))
    leaders = Leaders.of(np.where(few, np.nan, estimate), annotators)
    resampling = resampling_of(options.random, study.resolver.tables)
    drawn: PanelReplicates | None = None
    leads: Floats | None = None
    if number and annotators > SMALLEST:
        draws = PosteriorRows.for_request(study.request, problem, resampling)
        rows = np.concatenate([*draws.drawn(number, options.seed)])
        first, second = random_halves(problem.table, SPLITS, options.seed, resampling.clusters)
        halves = draws.item_weights(first), draws.item_weights(second)
        with_items = run
        if draws.has_pseudo_items:
            with_items = PanelRows(draws.problem, exchangeable=exchangeable)
        drawn = replicates_of(with_items, of_panels, few, leaders, rows, halves, progress)
        leads = leads_of_exchanges(study, run, of_panels, few, options, progress)
    by_size = figures_of_sizes(estimate, of_panels, few, leaders)
    by_size["best_items"] = np.append(items, np.nan)[leaders.best]
    by_size |= _uncertain(by_size, leaders, drawn, leads, options.confidence)
    variables: Variables = {
        "estimate_of_all": ((), np.asarray(estimate[-1])),
        **{
            name: (("size", "annotator")[: values.ndim], values) for name, values in by_size.items()
        },
        **_annotator_variables(estimate, of_panels, drawn, options.confidence),
    }
    listed = _listed(estimate, of_panels, size, top)
    variables |= {
        "estimate": ("panel", estimate[listed]),
        "size_of_panel": ("panel", of_panels[listed].sum(axis=1)),
        "items_of_panel": ("panel", ints_if_whole(items[listed])),
        "members": (("panel", "annotator"), of_panels[listed].astype(np.int8)),
    }
    conclusion, shown = conclude(by_size, estimate, drawn, size, options.confidence)
    attrs: dict[str, object] = {
        **provenance_of_figures(
            study.resolver,
            "panels",
            [study.request],
            notes=_notes(estimate, int(by_size["passed_over"].sum()), study.request.notes),
            clusters=resampling.cluster_count,
        ),
        **resolve(options).draw_attrs(precision=False),
        "replicates": number,
        "splits": SPLITS if number else 0,
        "exchanges": exchanges_of(annotators) if number else 0,
        "confidence": options.confidence,
        "coefficient": study.request.name,
        "weights": study.request.used,
        "conclusion": conclusion,
        "size": shown,
        "better_sizes": len(better_than_all(by_size, options.confidence)),
        "best_size": shown,
    }
    if size is None and conclusion == "better" and drawn is not None:
        attrs["best_size"] = best_of_better(by_size, drawn, options.confidence)
    coords = {"size": np.arange(SMALLEST, annotators + 1)}
    result = result_dataset(variables, ratings.along("annotator"), attrs, coords)
    return without_verdict(result)


def _replicates(requested: int | None, annotators: int, options: IntervalOptions) -> int:
    if requested is None:
        return int(np.clip(_FIGURES >> annotators, LEAST, USUAL))
    check_replicates_of(options, requested)
    return requested


def _uncertain(
    by_size: Columns,
    leaders: Leaders,
    drawn: PanelReplicates | None,
    leads: Floats | None,
    confidence: float,
) -> Columns:
    gain, lead = (np.asarray(by_size[name], dtype=np.float64) for name in ("gain", "lead"))
    undefined = np.full(len(gain), np.nan)
    names = ("gain_p_value", "chosen", "lead_in_sample", "lead_out_of_sample")
    if drawn is None or leads is None:
        ends = [f"{name}_ci_{end}" for name in ("gain", "lead") for end in ("low", "high")]
        return dict.fromkeys((*ends, *names), undefined)
    chosen = np.mean(drawn.chosen == leaders.best[:, None], axis=1)
    return {
        **_ends("gain", gain, drawn.best - drawn.whole, confidence),
        **_ends("lead", lead, drawn.best - drawn.second, confidence),
        "gain_p_value": np.append(p_values(gain[:-1], leads), np.nan),
        "chosen": np.where(np.isnan(gain), np.nan, chosen),
        "lead_in_sample": np.where(np.isnan(gain), np.nan, _mean(drawn.lead_in_sample)),
        "lead_out_of_sample": np.where(np.isnan(gain), np.nan, _mean(drawn.lead_out_of_sample)),
    }


def _annotator_variables(
    estimate: Floats,
    of_panels: NDArray[np.bool_],
    drawn: PanelReplicates | None,
    confidence: float,
) -> Variables:
    annotators = of_panels.shape[1]
    whole = estimate[-1]
    shapley = shapley_weights(of_panels) @ np.nan_to_num(estimate)
    without = np.full(annotators, np.nan)
    if annotators > SMALLEST:
        # the panels just before the last one leave out one annotator each, the last annotator first
        without = estimate[-annotators - 1 : -1][::-1]
    if np.isnan(whole):
        shapley = np.full(annotators, np.nan)
    rows = np.full((annotators, 1), np.nan)
    if drawn is not None:
        rows = np.where(np.isnan(drawn.whole), np.nan, drawn.shapley)
    rank = np.argsort(np.argsort(np.round(shapley, 12), kind="stable"), kind="stable") + 1
    ends = _ends("shapley", shapley, rows, confidence)
    return {
        "shapley": ("annotator", shapley),
        **{name: ("annotator", values) for name, values in ends.items()},
        "without": ("annotator", without),
        "rank": ("annotator", rank),
    }


def _ends(name: str, figure: Floats, rows: Floats, confidence: float) -> dict[str, Floats]:
    """Return intervals of estimates from draws (..., replicate).

    Each end is the farther one of a normal interval and of percentiles, because draws near a
    maximum are skewed.
    """
    other = normal(figure, error_of(rows, axis=-1), confidence)
    ends = farther_ends(figure, confidence, np.moveaxis(rows, -1, 0), other=other)
    return {f"{name}_ci_low": np.asarray(ends.low), f"{name}_ci_high": np.asarray(ends.high)}


def _mean(rows: Floats) -> Floats:
    known = ~np.isnan(rows)
    number = np.where(known.any(axis=1), known.sum(axis=1), np.nan)
    return np.asarray(np.where(known, rows, 0.0).sum(axis=1) / number)


def _listed(
    estimate: Floats,
    of_panels: NDArray[np.bool_],
    size: int | None,
    top: int | None,
) -> NDArray[np.intp]:
    rows = np.arange(len(estimate))
    if size is not None:
        rows = rows[of_panels.sum(axis=1) == size]
    if top is None:
        return rows
    return rows[np.argsort(-np.round(estimate[rows], 12), kind="stable")][:top]


def _notes(estimate: Floats, passed_over: int, of_request: tuple[Note, ...]) -> Iterator[Note]:
    undefined = int(np.isnan(estimate).sum())
    yield from of_request
    if passed_over:
        values = {"passed_over": passed_over, "panels": len(estimate)}
        yield Note("panels_passed_over", values, "caution")
    if undefined and len(estimate) > 1:
        values = {"undefined": undefined, "panels": len(estimate)}
        yield Note("undefined_panels", values, "caution")
