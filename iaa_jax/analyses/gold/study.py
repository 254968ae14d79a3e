"""Gold labels by a method: the label of each item, how sure it is, and the annotators' skills."""

from __future__ import annotations

import numpy as np
import xarray as xr

from iaa_jax._checks import check_choice
from iaa_jax._types import Columns, Integers, Variables
from iaa_jax.analyses.gold.decisions import TIES, decide
from iaa_jax.catalog.labelling import METHODS, LabellingMethod
from iaa_jax.data.schema import validate
from iaa_jax.engine.fits import Fit, Tolerance
from iaa_jax.measure import public
from iaa_jax.measure.labelling import VoteTables
from iaa_jax.measure.results import provenance_of
from iaa_jax.measure.studies import coordinates, result_dataset
from iaa_jax.measure.tables import RatingTables
from iaa_jax.wording import Note


@public
def gold(
    ratings: xr.Dataset,
    method: str = "majority",
    *,
    ties: str = "first",
    p: float = 1.0,
    tolerance: float = 1e-6,
    max_iterations: int | None = None,
) -> xr.Dataset:
    """Gold labels: the best label of each item by a method, and how good each annotator is.

    With n_ial the votes of annotator a for label l on item i, each method makes probabilities P_il;
    the gold label is the one with the largest.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them.
    method : str
        A name from `iaa_jax.gold_methods`.
    ties : {"first", "none"}
        What an item takes whose first place is tied: the first of these labels in their order, or
        no label. Either way it is ``tied``.
    p : float
        The share of the primary label, where ratings have a secondary one.
    tolerance : float
        A method that repeats its steps ends when no probability changes by more.
    max_iterations : int, optional
        ... or after so many steps; the method's own number by default.

    Returns
    -------
    xarray.Dataset
        Along ``item``: ``gold`` ("" where there is none), ``certainty`` (the probability of the
        gold label, by "majority" the share of votes), ``margin`` (to the second label), ``tied``,
        ``decided_by`` ("method", "tie" for the order of tied labels, "nobody" without a vote) and
        ``votes``. Along ``item`` and ``label``: ``probability``. Along ``annotator``: ``skill``, in
        the method's own terms, and ``ratings``. By models also ``prior`` (label) and ``confusion``
        (annotator, true_label, label), the probability of each label given the true one.
        Scalars: ``iterations``. Attributes: ``status``, "converged" or "max_iterations"; and
        ``conclusion``, "tied" where labels of some item share the first place, "decided" where of
        every item with a vote one label is in front, and "nothing" without any vote.

    Raises
    ------
    IaaError
        If the method is unknown, or does not fit the ratings.

    References
    ----------
    Dawid, A. P. and Skene, A. M. (1979). Maximum likelihood estimation of observer error-rates
    using the EM algorithm. Journal of the Royal Statistical Society C 28(1).
    https://doi.org/10.2307/2346806

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "a", "b"], ["b", "b", "b"], ["a", "b", "b"]])
    >>> result = iaa.gold(ratings)
    >>> result.gold.values.tolist(), result.certainty.round(3).values
    (['a', 'b', 'b'], array([0.667, 1.   , 0.667]))
    """
    check_choice("method", method, METHODS)
    check_choice("ties", ties, TIES)
    validate(ratings)
    row = METHODS[method]
    votes = VoteTables(RatingTables(ratings, p))
    steps = row.steps if max_iterations is None else max_iterations
    fit = votes.fit(row, Tolerance(tolerance, steps))
    variables = _of_items(votes, fit, ties) | _of_annotators(votes, fit) | _of_model(row, fit)
    attrs = {
        **provenance_of(ratings, "gold", notes=_notes(variables)),
        "method": method,
        "ties": ties,
        "status": "converged" if fit.converged else "max_iterations",
        "conclusion": _conclusion(variables),
    }
    user = coordinates(ratings, "item") | coordinates(ratings, "annotator")
    label = np.asarray(ratings["label"].values)
    coords: Columns = {"label": label}
    if "confusion" in variables:
        coords["true_label"] = label
    return result_dataset(variables, user, attrs, coords)


def _of_items(votes: VoteTables, fit: Fit, ties: str) -> Variables:
    """The figures of items, read off their patterns."""
    probability = np.asarray(fit.state.probability)
    given = _votes_of_patterns(votes)
    labels = np.asarray(votes.tables.ratings["label"].values)
    columns = decide(probability, given > 0, labels, ties) | {"votes": given}
    of_items: Variables = {
        name: ("item", values[votes.pattern_of]) for name, values in columns.items()
    }
    return of_items | {"probability": (("item", "label"), probability[votes.pattern_of])}


def _votes_of_patterns(votes: VoteTables) -> Integers:
    return np.asarray((votes.tables.identified.codes >= 0).sum(axis=1))


def _of_annotators(votes: VoteTables, fit: Fit) -> Variables:
    given = votes.tables.codes
    _, _, raters = given.ratings()
    each = np.bincount(raters, minlength=votes.annotators)
    return {
        "skill": ("annotator", np.where(each > 0, np.asarray(fit.state.skill), np.nan)),
        "ratings": ("annotator", each),
    }


def _of_model(row: LabellingMethod, fit: Fit) -> Variables:
    variables: Variables = {"iterations": ((), fit.iterations)}
    if row.modelled:
        variables["prior"] = ("label", np.asarray(fit.state.prior))
        confusion = np.asarray(fit.state.confusion)
        variables["confusion"] = (("annotator", "true_label", "label"), confusion)
        variables["log_likelihood"] = ((), np.asarray(fit.state.log_likelihood))
    return variables


def _conclusion(variables: Variables) -> str:
    if not variables["votes"][1].any():
        return "nothing"
    return "tied" if variables["tied"][1].any() else "decided"


def _notes(variables: Variables) -> list[Note]:
    tied = int(variables["tied"][1].sum())
    return [Note("tied_items", {"items": tied}, "caution")] if tied else []
