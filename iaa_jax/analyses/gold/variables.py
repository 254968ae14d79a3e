"""Compute variables of annotators, models and labels in a result with gold labels."""

from __future__ import annotations

import numpy as np

from iaa_jax._types import Columns, Integers, Variables
from iaa_jax.catalog.labelling import LabellingMethod
from iaa_jax.data.schema import ints_if_whole
from iaa_jax.engine.fits import Fit
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.shared.labelling import VoteTables
from iaa_jax.measure.shared.labels import label_use


def agreement_with_gold(votes: VoteTables, gold_code: Integers) -> Variables:
    """Return each annotator's agreement with the gold labels, and Cohen's kappa."""
    one_hot = np.eye(votes.labels + 1)[gold_code, : votes.labels]
    of_item = votes.weights.item[:, None]
    pairs = votes.votes.totals(of_item * one_hot, votes.annotators, votes.labels)
    total = pairs.sum(axis=(1, 2))
    with np.errstate(invalid="ignore", divide="ignore"):
        agreement = np.trace(pairs, axis1=1, axis2=2) / total
        chance = (pairs.sum(axis=1) * pairs.sum(axis=2)).sum(axis=1) / total**2
        kappa = np.where(chance < 1 - 1e-12, (agreement - chance) / (1 - chance), np.nan)
    return {"agreement": ("annotator", agreement), "kappa": ("annotator", kappa)}


def control_figures(votes: VoteTables) -> Variables:
    """Return how many control items each annotator rated, and the share of right answers."""
    if votes.known is None:
        return {}
    items, right = votes.control_answers()
    return {
        "control_items": ("annotator", ints_if_whole(items)),
        "control_agreement": ("annotator", right),
    }


def model_figures(votes: VoteTables, row: LabellingMethod, fit: Fit) -> Variables:
    """Return the number of steps and, for a model, its estimates other than labels and skills."""
    variables: Variables = {"iterations": ((), fit.iterations)}
    if not row.modelled:
        return variables
    variables["prior"] = ("label", np.asarray(fit.state.prior))
    variables["log_likelihood"] = ((), np.asarray(fit.state.log_likelihood))
    if hasattr(fit.state, "confusion"):
        confusion = np.asarray(fit.state.confusion)
        variables["confusion"] = (("annotator", "true_label", "label"), confusion)
    if hasattr(fit.state, "difficulty"):
        variables["difficulty"] = ("item", np.asarray(fit.state.difficulty)[votes.pattern_of])
    return variables


def label_figures(tables: Rated, variables: Variables) -> Variables:
    """Return for how many items each label is gold, and its share of gold labels and of votes."""
    labels = len(tables.label_names)
    weight = tables.item_weight
    if "holds" in variables:
        holds, known = variables["holds"][1], variables["gold"][1] != ""
        count = np.asarray(weight @ holds, dtype=np.float64)
    else:
        code = variables["gold_code"][1]
        known = code >= 0
        count = np.bincount(code + 1, weight, minlength=labels + 1)[1:].astype(np.float64)
    used, ratings = label_use(tables, tables.slot_codes.codes)
    of_pattern = tables.identified_table.count
    total = of_pattern @ ratings
    with np.errstate(invalid="ignore", divide="ignore"):
        gold_share = count / weight[known].sum()
        vote_share = of_pattern @ used / total
    figures: Columns = {
        "gold_count": ints_if_whole(count),
        "gold_share": gold_share,
        "vote_share": vote_share,
    }
    return {name: ("label", figure) for name, figure in figures.items()}
