"""The conclusion on gold labels: their number, ties and certainty, and the best annotators."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._types import Floats, Integers, Variables
from iaa_jax.analyses.gold.refusals import in_order
from iaa_jax.data.schema import int_if_whole
from iaa_jax.engine.fits import Fit
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.floors import ANNOTATOR_RATINGS, enough_to_name
from iaa_jax.measure.shared.decisions import ADJUDICATED, CONTROL, NO_MAJORITY
from iaa_jax.wording import Note, dump_notes, load_notes

UNSURE = 0.6
"""Gold labels with a lower certainty should be reviewed."""

OVERSTATED = 0.13
"""Median amount by which models overstate the share of right labels on real crowds.

The twenty values (four models on five crowds: benchmarks/labelling.md) range from .04 to .40.
"""

_ALIKE = 0.01
"""If the skills of all annotators differ by less than this, none is called the best."""

_SHOWN = 3
"""Maximum number of items that are named."""

_LISTED = 10
"""Maximum number of annotators that are named."""

_HARDLY = 0.1
"""Annotators whose kappa with the gold labels is at most this are hardly better than chance."""

_FAIR = 0.4
"""Annotators with kappa plus two standard errors above this are not called hardly better."""

_OF_ANNOTATORS = ("best_by_", "weakest_by_", "skills_overlap", "controls_overlap", "skilled_from")
"""Beginnings of the names of attributes that name annotators, or describe the annotators named."""

_NAMING = ("hardly",)
"""Codes of notes that name annotators."""


class ResultPart(NamedTuple):
    """Variables, notes and attributes that one part of the study adds to the result."""

    variables: Variables
    notes: list[Note]
    attrs: Mapping[str, object] = MappingProxyType({})


def certainty_variable(names: Container[object]) -> str:
    """Return the name of the variable with the certainty of gold labels.

    With replicates of a model, the variable has means over replicates. The fit to all data takes
    its estimates of annotators as known, and therefore overstates how often labels are right.
    """
    return "expected_certainty" if "expected_certainty" in names else "certainty"


def conclude(
    ratings: Rated, variables: Variables, fit: Fit | None, *, modelled: bool
) -> tuple[dict[str, object], list[Note]]:
    """Return the conclusion with its numbers, and the notes.

    Unless ``modelled``, labels with a single vote do not count in the mean certainty.
    """
    weight = ratings.item_weight
    votes, tied = variables["votes"][1], variables["tied"][1]
    certainty = variables[certainty_variable(variables)][1]
    sets = "holds" in variables
    has_gold = variables["gold"][1] != "" if sets else variables["gold_code"][1] >= 0
    voted = (votes > 0) & ~np.isin(variables["decided_by"][1], (CONTROL, ADJUDICATED))
    counts = {
        "gold_items": has_gold,
        "tied_items": tied,
        "one_vote_items": voted & (votes == 1),
        "unsure_items": voted & (certainty < UNSURE - 1e-9),
    }
    known = voted & (modelled | (votes > 1))
    concluded: dict[str, object] = {
        "conclusion": "tied" if tied.any() else "decided",
        **{name: int_if_whole(float(weight[rows].sum())) for name, rows in counts.items()},
        "mean_certainty": weighted_mean(certainty[known], weight[known]),
        "least_certainty": float(certainty[voted].min()) if voted.any() else float("nan"),
        "labels_ordered": int(in_order(ratings)),
        **({} if sets else _ties_became(ratings, variables)),
    }
    notes = []
    empty = variables["decided_by"][1] == NO_MAJORITY
    if empty.any():
        notes.append(Note("no_majority", {"items": int_if_whole(float(weight[empty].sum()))}))
    if fit is not None:
        concluded["status"] = "converged" if fit.converged else "max_iter"
        if not fit.converged:
            notes.append(Note("not_converged", {"steps": int(fit.iterations)}, "caution"))
    return concluded | _leaders(ratings, variables), [*notes, *_near_chance(ratings, variables)]


def given_by_nobody(ungiven: NDArray[np.bool_], ratings: Rated, what: str) -> ResultPart:
    """Count the items whose gold label (or set) was given by none of their annotators."""
    items = int_if_whole(float(ratings.item_weight[ungiven].sum()))
    values = {"items": items, "names": ratings.item_names[ungiven].tolist()[:_SHOWN]}
    notes = [Note(f"{what}_given_by_nobody", values, "caution")] if items else []
    return ResultPart({}, notes, {"ungiven_items": items})


def adjudicated_items(settled: Integers | None) -> Iterator[Note]:
    """Yield a note on the number of adjudicated items; ``settled`` is -1 for all other items."""
    if settled is not None:
        yield Note("adjudicated_items", {"items": int((settled >= 0).sum())})


def _leaders(ratings: Rated, variables: Variables) -> dict[str, object]:
    skill, number = variables["skill"][1], variables["ratings"][1]
    enough = enough_to_name(np.where(np.isnan(skill), 0, number))
    others = (number[~np.isnan(skill)] < ANNOTATOR_RATINGS).any()
    leaders = {
        "skilled_from": ANNOTATOR_RATINGS if enough.any() and others else 0,
        **_ends(ratings, variables, "skill", skill, enough),
    }
    if "control_items" in variables:
        right, had = variables["control_agreement"][1], variables["control_items"][1]
        leaders |= _ends(ratings, variables, "control", right, enough_to_name(had))
    return leaders


def _ends(
    ratings: Rated,
    variables: Variables,
    what: str,
    figure: Floats,
    enough: NDArray[np.bool_],
) -> dict[str, object]:
    """Return who has the highest and the lowest value, and whether their intervals overlap.

    Nobody is named if the values are alike, or fewer than two annotators have ``enough`` ratings.
    """
    chosen = np.flatnonzero(enough & ~np.isnan(figure))
    if len(chosen) < 2 or np.ptp(figure[chosen]) < _ALIKE:
        return {}
    names = ratings.annotator_names.tolist()
    best, weakest = (int(chosen[pick(figure[chosen])]) for pick in (np.argmax, np.argmin))
    ends = {f"best_by_{what}": names[best], f"weakest_by_{what}": names[weakest]}
    if f"{what}_ci_low" in variables:
        low, high = (variables[f"{what}_ci_{end}"][1] for end in ("low", "high"))
        ends[f"{what}s_overlap"] = int(low[best] <= high[weakest])
    return ends


def _ties_became(ratings: Rated, variables: Variables) -> dict[str, object]:
    code = variables["gold_code"][1]
    became = variables["tied"][1] & (code >= 0)
    if not became.any():
        return {}
    items = np.bincount(code[became], ratings.item_weight[became])
    label = str(ratings.label_names[items.argmax()])
    return {"ties_became": label, "ties_became_items": int_if_whole(float(items.max()))}


def weighted_mean(values: Floats, weight: Floats) -> float:
    """Return the weighted mean; NaN if there are no values."""
    return float(values @ weight / weight.sum()) if len(values) else float("nan")


def _near_chance(ratings: Rated, variables: Variables) -> list[Note]:
    if "kappa" not in variables:
        return []
    agreement, kappa, number = (variables[name][1] for name in ("agreement", "kappa", "ratings"))
    with np.errstate(invalid="ignore", divide="ignore"):
        # (1 - agreement) / (1 - kappa) is 1 minus expected agreement
        error = np.sqrt(agreement / number / (1 - agreement)) * (1 - kappa)
        hardly = (kappa <= _HARDLY) & (kappa + 2 * error <= _FAIR)
    hardly &= number >= ANNOTATOR_RATINGS
    names = [str(name) for name in ratings.annotator_names[hardly]]
    if not names:
        return []
    values = {"names": names[:_LISTED], "annotators": len(names), "most": _HARDLY, "fair": _FAIR}
    return [Note("hardly", values, "caution")]


def without_names(result: xr.Dataset) -> xr.Dataset:
    """Return a result without the variables, attributes and notes that name annotators.

    ``votes_by_label`` is kept; it has counts in place of names if it was computed with ``blind``.

    Examples
    --------
    >>> import xarray as xr
    >>> result = xr.Dataset({"skill": ("annotator", [1.0])}, attrs={"best_by_skill": "ann"})
    >>> without_names(result.assign_attrs(notes="")).attrs
    {'notes': '[]', 'blind': 1}
    """
    blind = result.drop_dims("annotator", errors="ignore")
    blind = blind.drop_vars("decisive_annotator", errors="ignore")
    kept = [note for note in load_notes(result.attrs["notes"]) if note.code not in _NAMING]
    attrs = {
        name: value
        for name, value in result.attrs.items()
        if not str(name).startswith(_OF_ANNOTATORS)
    }
    blind.attrs = attrs | {"notes": dump_notes(kept), "blind": 1}
    return blind
