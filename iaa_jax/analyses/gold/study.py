"""Decide gold labels by a method, and estimate their certainty and the annotators' skills."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._types import Columns, Integers, Variables
from iaa_jax.analyses.gold import declared
from iaa_jax.analyses.gold.certainty import certainty, check_options, record, with_defaults
from iaa_jax.analyses.gold.conclusion import (
    ResultPart,
    adjudicated_items,
    certainty_variable,
    conclude,
    given_by_nobody,
    without_names,
)
from iaa_jax.analyses.gold.fragile import fragile_labels
from iaa_jax.analyses.gold.refusals import (
    EXCLUDED,
    check_gold,
    check_restarts,
    check_ties,
    refuse_control_of_sets,
    with_numbers,
)
from iaa_jax.analyses.gold.sets import decide_sets, settled_sets, with_settled
from iaa_jax.analyses.gold.variables import (
    agreement_with_gold,
    control_figures,
    label_figures,
    model_figures,
)
from iaa_jax.catalog.labelling import INDEXES, METHODS, TIES, LabellingMethod
from iaa_jax.data.kind import Kind
from iaa_jax.data.schema import ints_if_whole
from iaa_jax.engine.fits import Fit, Tolerance
from iaa_jax.measure import IntervalOptions, public, select
from iaa_jax.measure.options.declared import OneOf, Share, Whole, keeps_empty_annotators
from iaa_jax.measure.options.requirements import requires
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.results import provenance_of, result_dataset
from iaa_jax.measure.shared.controls import control_codes
from iaa_jax.measure.shared.decisions import ADJUDICATED, CONTROL, decide, with_known
from iaa_jax.measure.shared.distribution import along_bins
from iaa_jax.measure.shared.labelling import VoteTables, groups_of
from iaa_jax.measure.shared.votes_by_item import given_labels
from iaa_jax.wording import Note
from iaa_jax.wording.figures import gives


@public
@keeps_empty_annotators
@requires(
    *EXCLUDED,
    method=OneOf(tuple(METHODS)),
    ties=OneOf(TIES),
    coefficient=OneOf(INDEXES),
    p=Share(of_first=True),
    restarts=Whole(0, 10_000),
)
@gives(declared)
def gold(
    ratings: Rated,
    method: str = "majority",
    *,
    ties: str = "first",
    p: float = 1.0,
    coefficient: str = INDEXES[0],
    tol: float = 1e-6,
    max_iter: int | None = None,
    control: Mapping[Any, Any] | str | None = None,
    adjudicated: Mapping[Any, Any] | str | None = None,
    numbers: Mapping[str, float] | None = None,
    restarts: int = 0,
    replicates: int | None = None,
    options: IntervalOptions = select(
        IntervalOptions, "interval", "sampling", "confidence", "seed", "device"
    ),
    leave_out: bool | None = None,
    blind: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> xr.Dataset:
    """Return the best label of each item by a method, and each annotator's skill.

    From n_ial, the votes of annotator a for label l on item i, each method computes probabilities
    P_il. The gold label of an item is the most probable label. An annotator may have several votes
    on an item (``duplicates="votes"`` of `iaa_jax.read` and `iaa_jax.from_long`), as in Dawid and
    Skene's example; "expert_coder_index" and "sharpen" take one vote of each annotator. With sets
    of labels, the gold set has the labels that more than half of the item's annotators chose. If
    none has a majority, "majority" gives the empty set, and "expert_coder_index" the set of the
    item's annotator with the highest index.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings with labels, as the constructors and `iaa_jax.read` return them.
    method : str
        "majority", "wawa", "zero_based_skill", "expert_coder_index", "dawid_skene",
        "fast_dawid_skene", "one_coin", "mace", "glad" or "sharpen"; sets of labels take "majority"
        and "expert_coder_index", and counts without annotators take "majority".
    ties : {"first", "none", "median"}
        The label of an item with a tie for first place: the first of the tied labels in their
        order, none, or for ordered labels the label nearest to the median of the votes (the lower
        of two equally near, a bias downwards). In any case the item is ``tied``. A set is tied if
        exactly half chose some label; with "first" that label is not in the gold set. A set that
        the best annotator decides is tied if equally good annotators disagree.
    p : float
        The share of the primary label, if ratings have a secondary one.
    coefficient : {"percent_agreement", "am_agreement"}
        What the Expert Coder Index of label sets averages over the other annotators (see
        `iaa_jax.label_sets`).
    tol : float
        Iterative methods end when no probability changes by more than this. Models near convergence
        extrapolate their steps, as long as the likelihood does not fall; with a tolerance below
        1e-15, which only rounding can meet, they take ``max_iter`` plain steps.
    max_iter : int, optional
        Maximum number of steps of an iterative method; each method has its own default.
    control : mapping or str, optional
        Control items, whose true label is known beforehand: labels by item, or the name of a
        coordinate along items, empty or missing if the label is not known. Control items keep
        their true label. Models are held to these labels at every step; "wawa" and
        "zero_based_skill" take an annotator's skill from their control items, or as usual if they
        rated none. Other methods learn nothing from control items.
    adjudicated : mapping or str, optional
        Labels that somebody decided afterwards, in the same form as ``control``. They become gold
        labels, but nothing is learned from them: adjudicators see disputed items, which say little
        about how often annotators are right elsewhere. For sets of labels, a list of labels by
        item.
    numbers : mapping, optional
        Parameters of the method by name, to replace the usual ones: "mace" takes ``knows``,
        ``spams`` and ``spam_labels`` (0.5, 0.5 and 10), the parameters of its priors; "glad" the
        means ``ability`` and ``log_ease`` and the standard deviations ``ability_sd`` and
        ``log_ease_sd`` of its priors (all 1); "zero_based_skill" ``rate``, ``factor``, ``every``
        and ``above_chance``.
    restarts : int
        Number of random starts of a model besides the usual one, each with random annotator
        weights; the fit with the highest likelihood is kept. A single fit may end at a local
        maximum of the likelihood.
    replicates : int, optional
        Number of replicates for intervals: 500 by default, or fewer or none if they would take
        long, with a note. For skills, and for the labels of models, items are resampled. For labels
        of other methods, the votes on each item are redrawn from label shares among all possible
        annotators.
    options : IntervalOptions
        ``interval`` is the kind of intervals of skills: "auto" uses the Beta distribution for
        shares (after Korn and Graubard 1998) and percentiles otherwise; "percentile", "basic",
        "normal" and "t" are available too. None leaves out replicates and everything based on them.
        Sets of labels have no intervals.
    leave_out : bool, optional
        Whether to leave each annotator out in turn and refit (at most the 200 with the most
        ratings). By default they are left out only if this is quick; otherwise a note says so.
    blind : bool
        Leave out which annotator gave which label, for a sheet on which adjudicators decide
        blindly: ``votes_by_label`` has counts in place of names, and there are no variables along
        annotators.
    progress : callable, optional
        Called with the number of replicates computed so far, and their total.

    Returns
    -------
    xarray.Dataset
        As far as the method and the ratings allow, along ``item``:

        ITEMS

        Along ``item`` and ``label``, or along ``item`` and ``annotator``:

        BY_LABEL
        GIVEN

        Along ``annotator``, if annotators are known:

        ANNOTATORS

        Along ``label``:

        LABELS

        Along ``bin``, a histogram of the certainty of items with two votes or more:

        BINS

        Without dimensions, or along ``start``:

        SCALARS

        With models, ``certainty`` treats the parameters as known, and so overstates how often the
        gold labels are right. With the Expert Coder Index, a label with more than half of the votes
        is gold. Otherwise, ``decided_by`` says whether the gold label comes from the annotator with
        the highest index ("expert_coder"), or from the first of several such annotators who
        disagree ("expert_coder_tie"). For sets, ``gold`` is text such as "fear + joy" or "(none)".
        Labels of control items are certain, and depend on no annotator.

        The attribute ``conclusion`` is "tied" if labels of some item share the first place, and
        otherwise "decided". ``gold_items``, ``tied_items``, ``one_vote_items``, ``unsure_items``
        (certainty below 0.6) and ``ungiven_items`` (a label or set that none of the item's
        annotators gave) are numbers of items. ``mean_certainty`` (without a model, of items with
        two votes or more) and ``least_certainty`` use ``expected_certainty`` if there is one, and
        so does ``unsure_items``. These three and ``one_vote_items`` leave out control and
        adjudicated items. ``status`` is "converged" or "max_iter", except for sets. With restarts,
        ``best_start`` is the number of the best start, and ``restarts_elsewhere`` counts the random
        starts that ended away from it (by 0.01 in log likelihood, or 0.1 in some probability).
        ``labels_ordered`` says whether the order of labels is a scale. ``ties_became`` is the label
        to which most ties were resolved, and ``ties_became_items`` the number of items with these
        ties. If skills differ, ``best_by_skill`` and ``weakest_by_skill`` name annotators with at
        least 20 ratings (if there are two or more), and ``skills_overlap`` says whether their
        intervals overlap; ``best_by_control`` and ``weakest_by_control`` name annotators with at
        least 20 control items.

    Raises
    ------
    IaaError
        If the method is unknown, or the method or an option does not fit the ratings.

    References
    ----------
    Dawid, A. P. and Skene, A. M. (1979). Maximum likelihood estimation of observer error-rates
    using the EM algorithm. Journal of the Royal Statistical Society C 28(1).
    https://doi.org/10.2307/2346806
    Korn, E. L. and Graubard, B. I. (1998). Confidence intervals for proportions with small expected
    number of positive counts estimated from survey data. Survey Methodology 24(2).
    https://www150.statcan.gc.ca/n1/en/catalogue/12-001-X19980024356
    Hovy, D. et al. (2013). Learning whom to trust with MACE. NAACL-HLT.
    https://aclanthology.org/N13-1132/
    Whitehill, J. et al. (2009). Whose vote should count more: optimal integration of labels from
    labelers of unknown expertise. Advances in Neural Information Processing Systems 22.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "a", "b"], ["b", "b", "b"], ["a", "b", "b"]])
    >>> result = iaa.gold(ratings)
    >>> result.gold.values.tolist(), result.certainty.round(3).values
    (['a', 'b', 'b'], array([0.667, 1.   , 0.667]))
    """
    row = with_numbers(check_gold(ratings, method, p, coefficient), numbers)
    check_restarts(row, restarts)
    check_ties(ratings, ties)
    check_options(options if replicates is None else replace(options, replicates=replicates))
    if ratings.kind is Kind.SETS:
        refuse_control_of_sets(control)
    is_sets = ratings.kind is Kind.SETS
    known = control_codes(ratings, control)
    settled = None if is_sets else control_codes(ratings, adjudicated, "adjudicated")
    sets = settled_sets(ratings, adjudicated) if is_sets else None
    tables = ratings.with_votes() if row.votes else ratings
    tables = tables.in_groups(groups_of(known, settled)).at(p)
    fit: Fit | None = None
    more: list[Note] = []
    begun = nobody = ResultPart({}, [])
    if tables.kind is Kind.SETS:
        variables = _set_variables(tables, row, ties, coefficient)
        variables = with_settled(variables, sets, ratings.label_names)
        more = [*adjudicated_items(sets and sets.decided)]
        ungiven = variables.pop("ungiven")[1]
        nobody = given_by_nobody(ungiven, ratings, "sets")
    else:
        votes = VoteTables(tables, known, settled)
        steps = row.steps if max_iter is None else max_iter
        fit, begun = _fitted(votes, row, Tolerance(tol, steps), restarts, options.seed)
        variables = _label_variables(votes, row, fit, ties)
        code = votes.by_pattern(variables["gold_code"][1])
        options, leave, skipped = with_defaults(votes, row, fit, options, replicates, leave_out)
        uncertainty = certainty(votes, row, fit, code, tol, options, progress)
        limit = Tolerance(tol, steps)
        of_votes = np.where(votes.is_fixed, -1, code)  # a known label depends on no annotator
        fragile = fragile_labels(votes, row, fit, of_votes, limit, leave_out=leave)
        variables |= uncertainty.variables | fragile.variables | begun.variables
        more = [
            *skipped,
            *uncertainty.notes,
            *fragile.notes,
            *begun.notes,
            *adjudicated_items(settled),
        ]
        without_votes = (of_votes >= 0) & (votes.shares[np.arange(len(of_votes)), of_votes] == 0)
        ungiven = without_votes[votes.pattern_of]
        nobody = given_by_nobody(ungiven, ratings, "labels")
    variables["disputed"] = ("item", _differ(tables)[tables.identified.pattern_of] | ungiven)
    variables |= given_labels(tables, blind=blind) | label_figures(tables, variables)
    if (weight := ratings.weight) is not None:
        variables["item_weight"] = ("item", weight)
    certain = np.where(
        variables["votes"][1] > 1, variables[certainty_variable(variables)][1], np.nan
    )
    variables |= along_bins(certain, weight)
    if tables.anonymous:
        unknown = np.full(ratings.annotators, np.nan)
        variables |= dict.fromkeys(("skill", "agreement", "kappa"), ("annotator", unknown))
    concluded, notes = conclude(ratings, variables, fit, modelled=row.modelled)
    attrs = {
        **provenance_of(ratings, "gold", notes=[*notes, *more, *nobody.notes]),
        "method": method,
        "ties": ties,
        **concluded,
        **({} if fit is None else record(row, options)),
        **begun.attrs,
        **nobody.attrs,
    }
    user = ratings.along("item") | ratings.along("annotator")
    label = ratings.label_names
    coords: Columns = {"label": label}
    if "confusion" in variables:
        coords["true_label"] = label
    result = result_dataset(variables, user, attrs, coords)
    return without_names(result) if blind else result


def _fitted(
    votes: VoteTables, row: LabellingMethod, tolerance: Tolerance, restarts: int, seed: int
) -> tuple[Fit, ResultPart]:
    """Return the fit from the usual start, or the best of this and ``restarts`` random starts."""
    if not restarts:
        return votes.fit(row, tolerance), ResultPart({}, [])
    starts = votes.fit_restarts(row, tolerance, restarts, seed)
    elsewhere = int(starts.elsewhere[1:].sum())
    attrs: dict[str, object] = {
        "restarts": restarts,
        "restarts_elsewhere": elsewhere,
        "best_start": starts.best,
        "seed": seed,
    }
    notes = []
    if starts.best:
        gain = float(starts.likelihoods[starts.best] - starts.likelihoods[0])
        notes.append(Note("better_start", {"gain": gain}, "caution"))
    if elsewhere:
        notes.append(Note("elsewhere", {"restarts": restarts, "elsewhere": elsewhere}))
    return starts.fit, ResultPart({"likelihoods": ("start", starts.likelihoods)}, notes, attrs)


def _label_variables(votes: VoteTables, row: LabellingMethod, fit: Fit, ties: str) -> Variables:
    counts = _ratings_of_patterns(votes.tables)
    labels = votes.tables.label_names
    probability = np.asarray(fit.state.probability)
    shares = votes.shares if row.strict else None
    columns = decide(probability, counts > 0, labels, ties, shares)
    columns = with_known(columns, votes.known, labels, CONTROL)
    columns = with_known(columns, votes.adjudicated, labels, ADJUDICATED)
    columns |= {"votes": counts, "probability": probability if shares is None else shares}
    skill, ratings = np.asarray(fit.state.skill), _ratings_of_annotators(votes.tables)
    return _along_items(columns, votes.tables) | {
        "skill": ("annotator", np.where(ratings > 0, skill, np.nan)),
        "ratings": ("annotator", ratings),
        **agreement_with_gold(votes, columns["gold_code"]),
        **control_figures(votes),
        **model_figures(votes, row, fit),
    }


def _set_variables(tables: Rated, row: LabellingMethod, ties: str, index: str) -> Variables:
    columns, skill = decide_sets(tables, row, ties, index)
    columns["votes"] = _ratings_of_patterns(tables)
    return _along_items(columns, tables) | {
        "skill": ("annotator", skill),
        "ratings": ("annotator", _ratings_of_annotators(tables)),
    }


def _along_items(columns: Columns, tables: Rated) -> Variables:
    """Return variables of patterns (distinct rows of ratings) as variables of items."""
    of_item = tables.identified.pattern_of
    return {
        name: ("item" if values.ndim == 1 else ("item", "label"), values[of_item])
        for name, values in columns.items()
    }


def _differ(tables: Rated) -> NDArray[np.bool_]:
    codes = tables.slot_codes.codes
    least = np.where(codes >= 0, codes, np.iinfo(codes.dtype).max).min(axis=1)
    return np.asarray((codes.max(axis=1) >= 0) & (least != codes.max(axis=1)))


def _ratings_of_patterns(tables: Rated) -> Integers:
    return tables.identified.panel


def _ratings_of_annotators(tables: Rated) -> NDArray[Any]:
    """Count each annotator's ratings; a row of the table may stand for several items."""
    rows, _, annotators = tables.slot_codes.ratings()
    count = tables.identified_table.count[rows]
    return ints_if_whole(np.bincount(annotators, count, minlength=tables.annotators))
