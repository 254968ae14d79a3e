"""The conclusion of a plan, and the notes that state it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import xarray as xr

from iaa_jax._types import Attributes
from iaa_jax.analyses.plan.pilot_adequacy import DECISIVE, LEAST_DEGREES, MOST, WIDER
from iaa_jax.analyses.plan.projection import HARDLY, MOST_ANNOTATORS
from iaa_jax.wording import Note

SMALL_SHARE = 0.1
"""If less than this share of the variance lies between items, items hardly differ."""

HUGE = 30
"""Maximum ratio of the items of an advised pilot to those of the given one."""

REFUSALS = ("null_out_of_reach", "cannot_tell", "null_too_near")
"""Codes of notes that refuse a goal; the variables for this goal are then NaN."""

CONCLUSIONS = {
    "null_out_of_reach": "out_of_reach",
    "cannot_tell": "pilot_too_small",
    "null_too_near": "pilot_too_small",
    "beyond_annotators": "out_of_reach",
    "items_for_width": "annotate",
    "items_for_null": "annotate",
    "width_reached": "pilot_suffices",
    "null_excluded": "pilot_suffices",
}
"""Conclusion for each note on a goal; of two notes, the first one here counts."""

OF_PILOT = {
    "estimate",
    "planned_annotators",
    "half_width_doubt",
    "times_wider",
    "telling_items",
    "wanted_items",
    "wanted_annotators",
    "from_annotators",
    "annotators_half_width",
    *(f"pilot_{x}" for x in ("standard_error", "half_width", "low", "high", "items", "annotators")),
    *(f"pilot_{x}" for x in ("annotators_fewest", "annotators_most", "annotators_in_all")),
    *(f"pilot_{x}" for x in ("clusters", "degrees")),
    *(f"heavy_{x}" for x in ("items", "ratings", "usual", "share")),
}
"""Variables that are kept even if all goals are refused."""

OF_DESIGNS = {"fixed", "undefined_sets", "no_design_simulated", "model_does_not_fit"}
"""Codes of notes on designs, which are dropped if a goal is refused."""
OF_DESIGNS |= {"nothing_simulated", "only_items_simulated"}


class GoalPart(NamedTuple):
    """One goal, a half-width or a power; ``end`` is the ending of its variables' names."""

    end: str
    of_null: bool
    reachable: bool


def parts_of(result: xr.Dataset) -> list[GoalPart]:
    """Return the goals of a plan."""
    of_null = "null" in result.attrs
    both = of_null and "target_half_width" in result.attrs
    ends = {"_half_width": False, "_null": True} if both else {"": of_null}
    return [
        GoalPart(end, of_null, not math.isnan(float(result[f"planned_items{end}"])))
        for end, of_null in ends.items()
    ]


class Answer(NamedTuple):
    """The conclusion of a plan, with its notes and the refused goals.

    ``refused`` has the endings of the variables of these goals, or ("",) for all goals.
    """

    conclusion: str
    notes: list[Note]
    refused: tuple[str, ...] = ()

    def without_refused(self, result: xr.Dataset) -> xr.Dataset:
        """Return the result with NaN or False in the variables of refused goals."""
        if not self.refused:
            return result
        of_designs = {
            "_half_width": {"half_width", "reaches_half_width"},
            "_null": {"power", "assured_power", "reaches_power"},
        }
        blank = {}
        for name, variable in result.data_vars.items():
            bare = str(name).removeprefix("simulated_")
            if "" in self.refused:
                is_refused = bool(variable.dims) or bare not in OF_PILOT
            else:
                is_refused = bare not in OF_PILOT and any(
                    end in bare or bare in of_designs[end] for end in self.refused
                )
            if is_refused:
                blank[name] = variable.where(False, False if variable.dtype == bool else math.nan)
        return result.assign(blank)


def has_own_costs(attrs: Attributes) -> bool:
    """Tell whether costs differ from the default of 0 per item and 1 per rating."""
    return (attrs["cost_item"], attrs["cost_rating"]) != (0.0, 1.0)


def conclude(result: xr.Dataset) -> Answer:
    """Return the conclusion of a plan, with its notes."""
    return _PlanConclusion(result).conclude()


class _PlanConclusion:
    def __init__(self, result: xr.Dataset) -> None:
        self.result, self.attrs = result, result.attrs
        self.half_width = self.attrs.get("target_half_width", math.nan)
        self.null = self.attrs.get("null", math.nan)
        self.parts = parts_of(result)
        self.reachable = [part for part in self.parts if part.reachable]
        self.per_item = self.value("planned_annotators")
        self.random = "pilot_annotators_in_all" in result
        self.in_doubt = (
            self.value("half_width_doubt") > MOST or self.value("pilot_degrees") < LEAST_DEGREES
        )
        self.wider = self.value("times_wider") > WIDER

    def value(self, name: str) -> float:
        """Return a variable of the whole plan; NaN if it is missing."""
        return float(self.result[name]) if name in self.result else math.nan

    def _items(self, kind: str, part: GoalPart, end: str = "") -> float:
        return self.value(f"{kind}_items{part.end}{end}")

    def conclude(self) -> Answer:
        if self.value("heavy_share") >= DECISIVE:
            names = ("items", "ratings", "usual", "share")
            values = {name: self.value(f"heavy_{name}") for name in names}
            notes = [Note("few_items_decide", values), *self._unused_costs()]
            return Answer("few_items_decide", notes, ("",))
        notes = [
            note
            for part in self.parts
            for note in (self._above(part) if part.of_null else self._width(part))
        ]
        codes = [note.code for note in notes]
        refused = tuple(
            part.end
            for part, code in zip(self.parts, codes, strict=True)
            if code in REFUSALS or (self.wider and not part.of_null)
        )
        refused = ("",) if len(refused) == len(self.parts) else refused
        conclusion = next(CONCLUSIONS[code] for code in CONCLUSIONS if code in codes)
        if "cannot_tell" in codes:
            notes.append(self._what_helps())
        if self.random:
            share = {"share": self.value("from_annotators")}
            notes.append(Note("from_annotators", share))
        if self.reachable and conclusion not in ("pilot_too_small", "pilot_suffices"):
            notes += [*self._uneven(), *self._differences(), *self._annotators(), *self._looks()]
        if conclusion == "pilot_suffices" or refused == ("",) or not self.reachable:
            notes += self._unused_costs()
        return Answer(conclusion, notes, refused)

    def _unused_costs(self) -> Iterator[Note]:
        if has_own_costs(self.attrs):
            names = ("cost_item", "cost_rating")
            yield Note("costs_unused", {name: self.attrs[name] for name in names})

    def _values(self, part: GoalPart) -> dict[str, object]:
        assurance = self.attrs.get("assurance_of_power" if part.of_null else "assurance")
        return {
            "half_width": self.half_width,
            "null": self.null,
            "power": self.attrs.get("target_power", math.nan),
            "items": self._items("planned", part),
            "clusters": self._clusters(self.value(f"planned_clusters{part.end}")),
            "per_item": self.per_item,
            "more": self._more(part),
            "assurance": assurance,
        }

    def _clusters(self, clusters: float) -> Note | str:
        if math.isnan(clusters):
            return ""
        cluster = self.attrs["sampling_cluster"]
        return Note("in_clusters", {"clusters": clusters, "cluster": cluster})

    def _width(self, part: GoalPart) -> Iterator[Note]:
        values, reach = self._values(part), self.value("pilot_half_width")
        if self.in_doubt:
            yield Note("cannot_tell", {"goal": Note("for_width", values)})
        elif reach <= self.half_width:
            ends = {"ends": self._pilots_ends(), "confidence": self.attrs["confidence"]}
            if self.wider:
                del values["items"]  # the standard error does not show whether fewer items suffice
            yield Note("width_reached", values | {"reach": reach} | ends)
        elif self.wider:
            yield Note("cannot_tell", {"goal": Note("for_width", values)})
        elif not part.reachable:
            yield self._beyond_annotators(Note("for_width", values))
        else:
            yield Note("items_for_width", values)

    def _pilots_ends(self) -> list[float]:
        return [self.value("pilot_low"), self.value("pilot_high")]

    def _above(self, part: GoalPart) -> Iterator[Note]:
        ends, estimate = self._pilots_ends(), self.value("estimate")
        values = self._values(part) | {"estimate": estimate}
        if not estimate > self.null:
            yield Note("null_out_of_reach", values)
        elif self.in_doubt:
            yield Note("cannot_tell", {"goal": Note("for_null", values)})
        elif ends[0] > self.null:
            confidence = self.attrs["confidence"]
            yield Note("null_excluded", {"null": self.null, "ends": ends, "confidence": confidence})
        elif math.isnan(self._items("needed", part)):
            yield self._beyond_annotators(Note("for_null", values))
        elif not part.reachable:
            yield Note("null_too_near", values | {"advice": self._beyond_the_null()})
        else:
            yield Note("items_for_null", values)

    def _beyond_the_null(self) -> Note:
        wanted = self.value("wanted_items")
        if wanted > HUGE * self.value("pilot_items"):
            return Note("too_near_to_plan", {"times": HUGE})
        return Note("annotate_then_plan", {"wanted": wanted})

    def _beyond_annotators(self, goal: Note) -> Note:
        fewest = self.value("fewest_annotators")
        more = {
            "annotators": fewest,
            "more": self.value("more_annotators"),
            "items": self.value("items_of_more"),
            "per_item": self.value("more_per_item"),
        }
        values = {
            "goal": goal,
            "annotators": self.value("pilot_annotators_in_all"),
            "floor": self.value("annotators_half_width"),
            "fewest": "" if math.isnan(fewest) else Note("fewest", more),
        }
        return Note("beyond_annotators", values)

    def _what_helps(self) -> Note:
        items, annotators = self.value("wanted_items"), self.value("wanted_annotators")
        if not math.isnan(annotators):
            in_all = self.value("pilot_annotators_in_all")
            return Note("too_few_annotators", {"annotators": in_all, "wanted": annotators})
        if self.wider:
            times = round(self.value("times_wider"), 1)
            return Note("wider", {"times": times, "wanted": items})
        clusters = math.nan
        if "pilot_clusters" in self.result:
            of_items = self.value("pilot_clusters") / self.value("pilot_items")
            clusters = math.ceil(items * of_items - 1e-9)
        telling: dict[str, object] = {"telling": max(round(self.value("telling_items")), 1)}
        of_what = "telling_items" if math.isnan(clusters) else "telling_clusters"
        of_what += "_one" * (telling["telling"] == 1)
        values = {
            "wanted": items,
            "clusters": self._clusters(clusters),
            "telling": Note(of_what, telling),
        }
        return Note("too_few_telling", values)

    def _more(self, part: GoalPart) -> Note | str:
        rated = self.value("pilot_items")
        more = self._items("planned", part) - rated
        if not more > 0:
            return ""
        if rated == self.attrs["items"]:
            return Note("more_than_pilot", {"items": more})
        return Note("more_than_twice_rated", {"items": more, "rated": rated})

    def _uneven(self) -> Iterator[Note]:
        fewest, most = (self.value(f"pilot_annotators_{end}") for end in ("fewest", "most"))
        if fewest == most or self.attrs["components"] == "none":
            return
        mean = self.value("pilot_annotators")
        values = {"fewest": fewest, "most": most, "mean": mean, "per_item": self.per_item}
        yield Note("uneven_panels", values)

    @property
    def _simulated(self) -> bool:
        return "simulated_differs" in self.result

    def _differences(self) -> Iterator[Note]:
        if not self._simulated:
            return
        differs = self.result["simulated_differs"].values > 0
        sizes = self.result["annotators"].values
        designs = [
            Note("design", {"items": items, "sizes": [_size(size) for size in sizes[row]]})
            for items, row in zip(self.result["items"].values.tolist(), differs, strict=True)
            if row.any()
        ]
        if designs:
            yield Note("simulations_differ", {"designs": designs}, "caution")

    def _annotators(self) -> Iterator[Note]:
        share, enough = self.value("between_share"), self.value("enough_annotators")
        if math.isnan(share) or self.random:
            return
        ends = [self.value(f"between_share_{end}") for end in ("low", "high")]
        span = {"low": ends[0], "high": ends[1]}
        values = {
            "share": share,
            "ends": "" if math.isnan(ends[0]) else Note("share_ends", span),
            "per_item": self.per_item,
            "enough": "" if math.isnan(enough) else Note("enough", {"annotators": enough}),
        }
        hardly = max(share, *ends) < SMALL_SHARE  # Python's max skips NaN unless it comes first
        yield Note("hardly_between_items" if hardly else "between_items", values)
        yield from self._cheapest()
        items, needed = self.value("pilot_items"), self.value("needed_annotators")
        if not math.isnan(self.null) or self.value("planned_items") <= items:
            return
        if math.isnan(needed):
            yield Note("annotators_do_not_suffice", {"items": items, "most": MOST_ANNOTATORS})
        else:
            yield Note("annotators_alone", {"items": items, "annotators": needed})

    def _cheapest(self) -> Iterator[Note]:
        items = self.value("best_items")
        is_planned = self.result["annotators"].values == self.per_item
        cost = self.result[f"cost_planned{self.reachable[-1].end}"].values[is_planned]
        if math.isnan(items) or (self.value("best_cost") > (1 - HARDLY) * cost).any():
            return
        doubted = (
            self.result["simulation_disagrees"].values
            if self._simulated
            else np.zeros(1, dtype=bool)
        )
        some_doubted = doubted.any() and not doubted.all()
        values: dict[str, object] = {
            "among": Note("where_both_agree" if some_doubted else "in_the_table"),
            "items": items,
            "annotators": self.value("best_annotators"),
            "cost": self.value("best_cost"),
        }
        yield Note("lowest_cost" if has_own_costs(self.attrs) else "fewest_ratings", values)

    def _looks(self) -> Iterator[Note]:
        if "look" not in self.result.dims:
            return
        look_items, pilot = self.result["look_items"].values.tolist(), self.value("pilot_items")
        if not look_items[-1] > pilot:
            return
        more = look_items[-1] - max(self._items("planned", part) for part in self.reachable)
        values = {
            "looks": len(look_items),
            "items": look_items[-1],
            "more": Note("more" if more >= 0 else "fewer", {"items": abs(more)}),
        }
        yield Note("looks", values)
        if look_items[0] < pilot:
            yield Note("looks_past")


def _size(annotators: xr.DataArray) -> Note:
    return Note("size", {"annotators": annotators.item()})
