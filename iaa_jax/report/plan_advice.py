"""A plan in words: what to do, and what the plan rests on."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import xarray as xr

from iaa_jax.report.text import UNKNOWN, count, counted, number

FAR = 100.0
"""Times its lower end that an interval of items may reach to be written out."""

SMALL_SHARE = 0.1
"""Share of the variance between items that is called hardly any."""


class Advice:
    """A plan's numbers as words."""

    def __init__(self, title: str, found: xr.Dataset) -> None:
        self.title, self.found, self.attrs = title, found, found.attrs
        self.half_width = self.attrs.get("target_half_width")
        self.null = self.attrs.get("null")
        self.columns = self.found["annotators"].values.tolist()
        self.varied = self.attrs["components"] != "none"
        costs = self.attrs["cost_item"], self.attrs["cost_rating"]
        self.costs_apart = costs != (0.0, 1.0)

    def value(self, name: str) -> float:
        """A figure of the whole plan; NaN where there is none."""
        return float(self.found[name]) if name in self.found else math.nan

    @property
    def reached(self) -> bool:
        """Whether any number of items reaches the goal."""
        return not bool(np.isnan(self.found["items_needed"].values).all())

    @property
    def simulated(self) -> bool:
        """Whether any design was simulated."""
        name = "simulated_standard_error"
        return self.reached and name in self.found and not np.isnan(self.found[name].values).all()

    @property
    def pilot_items(self) -> float:
        """Items of the pilot."""
        return self.value("pilot_items")

    @property
    def per_item(self) -> str:
        """The pilot's annotators an item."""
        return annotators_said(self.value("pilot_annotators"))

    def headline(self) -> str:
        """What the pilot says."""
        confidence = 100 * float(self.attrs["confidence"])
        return (
            f"{self.title} of the pilot: {number(self.value('estimate'))} "
            f"+- {number(self.value('pilot_half_width'))} ({confidence:g} %)"
        )

    def goal_said(self) -> str:
        """The goal, as what stands behind "items needed"."""
        parts = []
        if self.half_width is not None:
            parts.append(f"for +- {short(self.half_width)}")
        if self.null is not None:
            power = 100 * float(self.attrs["target_power"])
            parts.append(f"to rule out {short(self.null)} with {power:g} % power")
        return " and ".join(parts)

    def advice(self) -> Iterator[str]:
        """What to do."""
        yield from self._items()
        yield from self._cautious()
        if self.reached:
            yield from self._annotators()
            yield from self._looks_said()

    def _items(self) -> Iterator[str]:
        needed, goal = self.value("needed_items"), self.goal_said()
        goal = goal[:1].upper() + goal[1:]
        if math.isnan(needed):
            yield (
                f"The pilot's figure does not lie above {short(self.null)}: if it is the true "
                "value, no number of items shows more. Look at what divides the annotators first "
                "('iaa items', 'iaa labels')."
            )
            return
        open_said = self._open("needed_items")
        if needed <= self.pilot_items:
            yield (
                f"{goal}: the pilot suffices. It takes {counted(whole(needed), 'item')} with "
                f"{self.per_item} an item{open_said}."
            )
            return
        more = count(whole(needed - self.pilot_items))
        yield (
            f"{goal}: annotate {counted(whole(needed), 'item')} with {self.per_item} an item, "
            f"{more} more than the pilot has{open_said}."
        )

    def _open(self, name: str) -> str:
        low, high = self.value(f"{name}_low"), self.value(f"{name}_high")
        if math.isnan(low):
            return ""
        if _endless(low, high):
            return f"; the pilot leaves open anything from {items_said(low)} up"
        return f"; the pilot leaves open {items_said(low)} to {items_said(high)}"

    def _cautious(self) -> Iterator[str]:
        if self.null is None or math.isnan(self.value("needed_items")):
            return
        low, items = self.value("cautious_estimate"), self.value("cautious_items")
        confidence = 100 * float(self.attrs["cautious_confidence"])
        said = (
            "no number of items shows it"
            if math.isnan(items)
            else f"it takes {counted(whole(items), 'item')}"
        )
        yield (
            f"This takes the pilot's {number(self.value('estimate'))} for the true value. If "
            f"that is only {number(low)}, the lower end of the pilot's {confidence:g} % interval, "
            f"{said}."
        )

    def _annotators(self) -> Iterator[str]:
        share = self.value("between_share")
        if math.isnan(share):
            return
        low, high = self.value("between_share_low"), self.value("between_share_high")
        span = "" if math.isnan(low) else f" ({100 * low:.0f} to {100 * high:.0f} %)"
        enough = self.value("enough_annotators")
        most = (
            f" Beyond {enough:.0f} an item, one more saves less than 5 % of the items."
            if not math.isnan(enough)
            else ""
        )
        if share < SMALL_SHARE:
            yield (
                f"Hardly any of the variance is between items{span}: the rest is between the "
                f"ratings of an item, and more annotators an item reduce it as well.{most}"
            )
        else:
            yield (
                f"With {self.per_item} an item, {100 * share:.0f} % of the variance{span} is "
                "between items, and only more items reduce it; more annotators reduce the "
                f"rest.{most}"
            )
        yield from self._cheapest()
        needed, alone = self.value("needed_items"), self.value("needed_annotators")
        if math.isnan(needed) or needed <= self.pilot_items:
            return
        items = counted(whole(self.pilot_items), "item")
        if math.isnan(alone):
            yield f"No number of annotators is enough on the pilot's {items} alone."
        else:
            yield f"The pilot's {items} alone would take {annotators_said(alone)} each."

    def _cheapest(self) -> Iterator[str]:
        items, annotators = self.value("best_items"), self.value("best_annotators")
        if math.isnan(items) or len(self.columns) < 2:
            return
        cost = count(whole(self.value("best_cost")))
        said, spent = ("Fewest ratings", f"{cost} ratings")
        if self.costs_apart:
            said, spent = "Lowest cost", f"cost {cost}"
        yield (
            f"{said} in the table: {counted(whole(items), 'item')} with "
            f"{annotators_said(annotators)} an item ({spent})."
        )

    def _looks_said(self) -> Iterator[str]:
        if "look" not in self.found.dims:
            return
        last = float(self.found["look_items"].values[-1])
        if last <= self.pilot_items:
            return
        looks = self.found.sizes["look"]
        needed = self.value("needed_items")
        more = "" if math.isnan(needed) else f" ({_more(last - needed)} than with one)"
        yield (
            f"To look {looks} times on the way, plan for {counted(whole(last), 'item')}{more}, "
            "and judge each look by its own interval, the last table."
        )
        if float(self.found["look_items"].values[0]) < self.pilot_items:
            yield "Looks at fewer items than the pilot has are past: begin with the next one."

    def rests_on(self) -> Iterator[str]:
        """What the plan takes for granted."""
        attrs = self.attrs
        yield (
            "Taken for granted: new items are like the pilot's and new annotators like its "
            "annotators, with the same guidelines. The interval is estimate +- z SE over items; "
            "another panel's figure differs by more."
        )
        if attrs.get("scale", "plain") != "plain":
            yield (
                "So near 1 the lower end of the interval is taken on the scale of sqrt(1 - x), "
                "on which the variance hardly changes."
            )
        if int(attrs["replicates"]) and self.reached:
            yield (
                f"Intervals of needed items: {attrs['replicates']:,} draws of the pilot's items "
                "with replacement."
            )
        if attrs["components"] == "pilot and model":
            yield (
                "With three ratings an item the pilot tells of two and three annotators; what four "
                "and more bring rests in part on a model of items."
            )
        elif attrs["components"] == "model":
            yield (
                "With two ratings an item the pilot cannot tell what a third brings: all other "
                "numbers of annotators rest on a model of items."
            )
        if attrs.get("fixed"):
            yield f"Annotators an item stay as in the pilot: {attrs['fixed']}."
        if self.simulated:
            yield (
                f"Simulated: {attrs['simulations']:,} sets a design from a model of items "
                f"({attrs['model']})."
            )
        if math.isfinite(float(attrs["population"])):
            yield (
                f"Items are drawn from {count(whole(float(attrs['population'])))} in all: the "
                "more of them are annotated, the less is uncertain."
            )
        for part in str(attrs.get("note", "")).split("; "):
            if part:
                yield f"{part[:1].upper()}{part[1:]}."


def annotators_said(ratings: float) -> str:
    """A number of annotators, which may be a mean."""
    return f"{size_said(ratings)} annotators"


def size_said(annotators: float) -> str:
    """The same as a number alone."""
    return f"{annotators:.1f}".removesuffix(".0")


def whole(value: float) -> int | float:
    """A number without decimals where it has none."""
    return int(value) if float(value).is_integer() else round(value, 1)


def items_said(value: float) -> str:
    """A number of items."""
    if math.isnan(value):
        return UNKNOWN
    return count(whole(value))


def span_said(low: float, high: float) -> str:
    """From how many items to how many."""
    if math.isinf(low):
        return UNKNOWN
    return (
        f"{items_said(low)} or more"
        if _endless(low, high)
        else f"{items_said(low)} to {items_said(high)}"
    )


def _endless(low: float, high: float) -> bool:
    """Whether an interval has no upper end that says anything."""
    return high > FAR * low


def _more(items: float) -> str:
    return f"{count(whole(abs(items)))} {'more' if items >= 0 else 'fewer'}"


def short(value: Any) -> str:
    """A target as the user wrote it."""
    return f"{float(value):g}"
