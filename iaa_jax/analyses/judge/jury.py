"""Estimate how many independent judges a jury is worth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import xarray as xr
from scipy.sparse import csr_array

from iaa_jax._errors import IaaError, shown
from iaa_jax._types import Floats, Integers, Variables
from iaa_jax.analyses.judge import declared
from iaa_jax.analyses.judge.comparing import EXCLUDED
from iaa_jax.analyses.judge.errors import ENOUGH, Jury
from iaa_jax.engine import sampled_rows
from iaa_jax.engine.rows import Progress, tell
from iaa_jax.measure import IntervalOptions, LabelOptions, public, select
from iaa_jax.measure.intervals.pseudo_item import farther_ends, one_item_less
from iaa_jax.measure.options.interval import SIMPLE
from iaa_jax.measure.options.requirements import Excluded, Intervals, check_replicates_of, requires
from iaa_jax.measure.options.resolved_interval import resolve
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.resampling import resampling_of
from iaa_jax.measure.requests.resolver import Resolver
from iaa_jax.measure.results import provenance_of, result_dataset
from iaa_jax.measure.shared.named_annotators import annotators_named, people_besides
from iaa_jax.wording import Note, named
from iaa_jax.wording.figures import gives

ASSUMED = np.round(np.linspace(0.0, 1.0, 11), 1)
"""Correlations of errors for which the jury's worth is always computed."""

_OF_LABELS = "errors are other labels than the people's"
_OTHERWISE = "see iaa_jax.judge"


@public
@requires(
    *EXCLUDED,
    Excluded("numbers", _OF_LABELS, _OTHERWISE),
    Excluded("sets of labels", _OF_LABELS, _OTHERWISE),
    options=Intervals(SIMPLE, sampling=("cluster",)),
)
@gives(declared)
def judge_jury(
    ratings: Rated,
    judges: Sequence[str],
    *,
    replicates: int = IntervalOptions.replicates,
    label_options: LabelOptions = select(LabelOptions, "p"),
    options: IntervalOptions = select(IntervalOptions, "sampling", "confidence", "seed", "device"),
    progress: Progress | None = None,
) -> xr.Dataset:
    """Estimate how many independent judges a jury of k judges is worth.

    ``n_eff = k / (1 + (k - 1) rho)`` (Kish's design effect), with rho the mean covariance of two
    judges' errors over the mean variance of one judge's errors. With x_j the answer of judge j and
    y the answer of a person, as vectors of shares of labels, errors are the residuals of x_j given
    the people's label:

    ``C_jl = tr(Cov(x_j, x_l) - Cov(x_j, y) Cov(y', y)^-1 Cov(y', x_l))``, with y' the answer of
    another person.

    With y' = y this is the covariance given one person's label, and ``plain_rho`` the correlation.
    It is too high if people err, because several judges are right where the person is wrong.
    Cov(y', y) is Cov(y, y) without the variance of the people's own errors. With Cov(y', y), rho is
    the correlation given the true label if people are exchangeable and err independently of one
    another and of the judges, whatever their confusions. If people and judges err on the same
    items, rho is too low.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings with one label by two judges or more and by people, as the constructors and
        `iaa_jax.read` return them. Only items that all judges and two people rated count, unless
        these are fewer than 20.
    judges : sequence of str
        Which of the annotators are judges; all others are people.
    replicates : int
        Number of bootstrap replicates over items, for intervals; 0 for none.
    label_options : LabelOptions
    options : IntervalOptions
    progress : callable, optional
        Called with the number of replicates computed so far, and their total.

    Returns
    -------
    xarray.Dataset
        For the whole jury:

        JURY

        Along ``judge`` and ``other``:

        JURY_PAIRS

        Along ``assumed``, correlations from 0 to 1:

        JURY_ASSUMED

        Intervals are percentiles, widened to contain the estimate. ``n_eff`` takes a rho below 0 as
        0. If fewer than 20 items have two people, rho is not estimated: items with one person then
        count, and ``plain_rho`` is an upper bound.

        The attribute ``conclusion`` is "fewer" (the interval of rho is above 0: the jury is worth
        fewer judges than it has), "open" (this is not shown), "estimated" (without intervals) or
        "untold" (too few items with two people, or judges without errors).

    Raises
    ------
    IaaError
        If judges are unknown or fewer than two, there are no people, no item has all judges and a
        person, or ratings are not single labels.

    References
    ----------
    Kish, L. (1965). Survey Sampling. Wiley.
    Fuller, W. A. (1987). Measurement Error Models. Wiley. https://doi.org/10.1002/9780470316665
    Ladha, K. K. (1992). The Condorcet jury theorem, free speech, and correlated votes. American
    Journal of Political Science 36(3). https://doi.org/10.2307/2111584

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> import pandas as pd
    >>> rows = [["a", "a", "a", "a"], ["b", "b", "b", "b"], ["a", "a", "b", "b"]] * 12
    >>> ratings = iaa.from_wide(pd.DataFrame(rows, columns=["ann", "ben", "gpt", "llama"]))
    >>> iaa.judge.jury(ratings, ["gpt", "llama"], replicates=0).n_eff.item()
    1.0
    """
    judges = annotators_named(ratings, "judges", judges)
    ratings = _without_further_ratings(ratings, judges)
    resolver = Resolver(ratings, label_options)
    check_replicates_of(options, replicates)
    names, places = _judges(ratings, judges)
    jury = Jury.of(resolver.tables, places)
    if not jury.count.any():
        raise IaaError(f"no item was rated by {shown(names)} together and by a person")
    sums = jury.sums()
    estimates = jury.within(jury.count[None] @ sums)
    number = len(names)
    rows = _replicates(ratings, jury, sums, replicates, options, progress)
    figures = {"rho": estimates.rho, "plain_rho": estimates.plain}
    figures |= {"n_eff": _worth(estimates.rho, number)}
    figures |= {"one_judge": estimates.one, "majority": estimates.majority}
    variables: Variables = {}
    for column, (name, estimate) in enumerate(figures.items()):
        variables[name] = ((), estimate[0])
        ends = (np.nan, np.nan)
        if len(rows):
            ends = farther_ends(estimate[0], options.confidence, rows[:, column])
        for side, end in zip(("low", "high"), ends, strict=True):
            variables[f"{name}_ci_{side}"] = ((), np.asarray(end))
    independent = jury.independent(float(estimates.reliability[0]), options.seed)
    variables |= {
        "independent": ((), np.asarray(independent)),
        "pair_rho": (("judge", "other"), estimates.of_pairs[0]),
        "n_eff_if": ("assumed", _worth(ASSUMED, number)),
    }
    attrs: dict[str, object] = {
        **provenance_of(ratings, "judge.jury", notes=_notes(jury, float(estimates.untold[0]))),
        **resolve(options).draw_attrs(precision=False),
        "replicates": replicates,
        "confidence": options.confidence,
        "judges": number,
        "items_compared": float(jury.count.sum()),
        "conclusion": _conclude(estimates.rho[0], float(variables["rho_ci_low"][1])),
    }
    of_names = np.array(names, dtype=object)
    coords = {"judge": of_names, "other": of_names, "assumed": ASSUMED}
    return result_dataset(variables, {}, attrs, coords)


def _without_further_ratings(ratings: Rated, judges: Sequence[str]) -> Rated:
    """Leave out repeated ratings that were read apart, unless they are judges, too."""
    everyone = [str(name) for name in ratings.annotator_names.tolist()]
    people = people_besides(ratings, judges)
    kept = [name for name in everyone if name in judges or name in people]
    return ratings if len(kept) == len(everyone) else ratings.select_annotators(kept)


def _judges(ratings: Rated, names: list[str]) -> tuple[list[str], Integers]:
    annotators = [str(name) for name in ratings.annotator_names.tolist()]
    if len(names) < 2:
        raise IaaError(f"{named('judges')}: a jury has two judges or more, not {shown(names)}")
    if len(names) == len(annotators):
        raise IaaError("judges' errors are differences from people, and all annotators are judges")
    return names, np.array([annotators.index(name) for name in names])


def _worth(rho: Floats, judges: int) -> Floats:
    return np.asarray(judges / (1 + (judges - 1) * np.clip(rho, 0.0, 1.0)))


def _replicates(
    ratings: Rated,
    jury: Jury,
    sums: csr_array,
    replicates: int,
    options: IntervalOptions,
    progress: Progress | None,
) -> Floats:
    """Return the replicates of the estimates that have intervals (replicate, estimate)."""
    judges = jury.given.shape[1]
    replicated = [np.zeros((0, 5))]
    if replicates:
        table = one_item_less(ratings.exchangeable_table.other(jury.count))
        pattern_of = ratings.identified.pattern_of
        places = np.where(jury.count[pattern_of] > 0, pattern_of, -1)
        resampling = resampling_of(options.random, ratings, [(table, places)])
        for (rows,) in sampled_rows([table], replicates, options.seed, resampling):
            of = jury.within(rows @ sums)
            parts = [of.rho, of.plain, _worth(of.rho, judges), of.one, of.majority]
            replicated.append(np.stack(parts, axis=1))
            tell(progress, min(sum(map(len, replicated)), replicates), replicates)
    return np.concatenate(replicated)[:replicates]


def _conclude(rho: float, low: float) -> str:
    if np.isnan(rho):
        return "untold"
    return "estimated" if np.isnan(low) else "fewer" if low > 0 else "open"


def _notes(jury: Jury, untold: float) -> Iterator[Note]:
    if not jury.two:
        yield Note("jury_few_people", {"least": ENOUGH}, "caution")
    elif untold:
        yield Note("jury_labels_untold", {"number": int(untold)}, "caution")
