"""A plan in words: what to do, and what the plan rests on."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import xarray as xr

from iaa_jax.report.text import UNKNOWN, count, counted, interval, number

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
    def ends(self) -> list[str]:
        """How the names of each part of the goal end."""
        both = self.half_width is not None and self.null is not None
        return ["_half_width", "_null"] if both else [""]

    @property
    def reached(self) -> list[str]:
        """The parts of the goal that any number of items reaches."""
        return [end for end in self.ends if not math.isnan(self.value(f"needed_items{end}"))]

    @property
    def simulated(self) -> bool:
        """Whether any design was simulated."""
        name = "simulated_standard_error"
        return (
            bool(self.reached)
            and name in self.found
            and not np.isnan(self.found[name].values).all()
        )

    @property
    def pilot_items(self) -> float:
        """Items of the pilot."""
        return self.value("pilot_items")

    @property
    def per_item(self) -> str:
        """The annotators an item that are planned for."""
        return annotators_said(self.value("planned_annotators"))

    @property
    def cautious(self) -> bool:
        """Whether a lower true value than the pilot's is planned for."""
        return self.value("planned_estimate") < self.value("estimate")

    def headline(self) -> str:
        """What the pilot says."""
        confidence = 100 * float(self.attrs["confidence"])
        estimate = f"{self.title} of the pilot: {number(self.value('estimate'))}"
        if self.attrs.get("scale", "plain") != "plain":
            span = interval(self.value("pilot_low"), self.value("pilot_high"))
            return f"{estimate} ({confidence:g} %: {span})"
        return f"{estimate} +- {number(self.value('pilot_half_width'))} ({confidence:g} %)"

    def goal_said(self, end: str) -> str:
        """A part of the goal, as what stands behind "items needed"."""
        if self.null is None or end == "_half_width":
            return f"for +- {short(self.half_width)}"
        power = 100 * float(self.attrs["target_power"])
        return f"to rule out {short(self.null)} with {power:g} % power"

    def advice(self) -> Iterator[str]:
        """What to do."""
        for end in self.ends:
            yield from self._shown(end) if self._of_null(end) else self._narrow(end)
        if self.reached:
            yield from self._uneven()
            yield from self._differences()
            yield from self._annotators()
            yield from self._looks_said()

    def _of_null(self, end: str) -> bool:
        return self.null is not None and end != "_half_width"

    def _narrow(self, end: str) -> Iterator[str]:
        """The items of an interval of a half-width."""
        goal = self.goal_said(end).capitalize()
        items = counted(whole(self.value(f"needed_items{end}")), "item")
        if self.value("pilot_half_width") <= float(self.half_width or 0):
            yield (
                f"{goal}: the pilot suffices, with +- {number(self.value('pilot_half_width'))}. It "
                f"takes {items} with {self.per_item} an item{self._between(end)}."
            )
            return
        yield (
            f"{goal}: annotate {items} with {self.per_item} an item{self._beside(end)}"
            f"{self._between(end)}."
        )

    def _shown(self, end: str) -> Iterator[str]:
        """The items that show the coefficient to lie above a value."""
        goal, null = self.goal_said(end).capitalize(), short(self.null)
        estimate = number(self.value("estimate"))
        if end not in self.reached:
            yield (
                f"{goal}: out of reach. The pilot's {estimate} does not lie above {null}; if it is "
                "the true value, no number of items shows more. Look at what divides the "
                "annotators first ('iaa items', 'iaa labels')."
            )
            return
        low, high = self.value("pilot_low"), self.value("pilot_high")
        confidence = 100 * float(self.attrs["confidence"])
        planned = counted(whole(self.value(f"planned_items{end}")), "item")
        planned = f"{planned}{'' if self.cautious else ' or more'} with {self.per_item} an item"
        beside = self._beside(end)
        if low > float(self.null or 0.0):
            yield (
                f"The pilot's own {confidence:g} % interval, {number(low)} to {number(high)}, "
                f"already lies above {null}."
            )
            goal, beside = f"For new ratings {self.goal_said(end)}", ""
        yield f"{goal}: plan for {planned}{beside}."
        yield from self._true_value(end)

    def _true_value(self, end: str) -> Iterator[str]:
        """Which true value the planned items are for, and what another would mean."""
        estimate, cautious = (
            number(self.value(name)) for name in ("estimate", "cautious_estimate")
        )
        lower = f"the lower end of the pilot's {100 * float(self.attrs['cautious_confidence']):g} %"
        needed = counted(whole(self.value(f"needed_items{end}")), "item")
        if self.cautious:
            yield (
                f"This takes {cautious} for the true value, {lower} interval. If it is the pilot's "
                f"{estimate}, {needed} are enough{self._between(end)}."
            )
        else:
            items = self.value(f"cautious_items{end}")
            then = (
                "no number of items shows it"
                if math.isnan(items)
                else f"it takes {counted(whole(items), 'item')}"
            )
            yield (
                f"This takes the pilot's {estimate} for the true value"
                f"{self._between(end)}. If it is only {cautious}, {lower} interval, {then}: plan "
                "again when more items are there."
            )

    def _beside(self, end: str) -> str:
        """How many that is more than the pilot's items."""
        more = self.value(f"planned_items{end}") - self.pilot_items
        return f", {count(whole(more))} more than the pilot has" if more > 0 else ""

    def _between(self, end: str) -> str:
        """The interval of needed items."""
        low, high = self.value(f"needed_items{end}_low"), self.value(f"needed_items{end}_high")
        if math.isnan(low) or math.isinf(low):
            return ""
        confidence = 100 * float(self.attrs["confidence"])
        span = (
            f"{items_said(low)} or more"
            if _endless(low, high)
            else f"between {items_said(low)} and {items_said(high)}"
        )
        return f"; with {confidence:g} % certainty {span}, as far as this pilot can tell"

    def _uneven(self) -> Iterator[str]:
        """What panels as uneven as the pilot's change."""
        fewest, most = (
            whole(self.value(f"pilot_annotators_{name}")) for name in ("fewest", "most")
        )
        if fewest == most or not self.varied:
            return
        mean = size_said(self.value("pilot_annotators"))
        changes = [
            f"{items_said(self.value(f'uneven_items{end}'))} items instead of "
            f"{items_said(self.value(f'planned_items{end}'))}"
            for end in self.reached
            if self.value(f"uneven_items{end}") != self.value(f"planned_items{end}")
        ]
        uneven = f" Where they differ as in the pilot it takes {' and '.join(changes)}."
        yield (
            f"The pilot's items have {fewest} to {most} annotators, {mean} on average; these "
            f"numbers are for items that all have {size_said(self.value('planned_annotators'))}."
            f"{uneven if changes else ''}"
        )

    def _differences(self) -> Iterator[str]:
        """Where formula and simulation are not of one mind."""
        if not self.simulated:
            return
        designs = []
        for items, row in zip(
            self.found["items"].values.tolist(),
            self.found["simulated_differs"].values > 0,
            strict=True,
        ):
            if row.any():
                sizes = _listed([size_said(self.columns[place]) for place in np.flatnonzero(row)])
                designs.append(f"{count(items)} items with {sizes} annotators")
        if designs:
            yield (
                f"For {'; '.join(designs)}: simulated figures differ from the formula's by more "
                "than chance and 5 % (.02 for a power). Count on the less favourable of the two; a "
                "* stands only where both reach the target."
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
                f"Hardly any of the uncertainty{span} comes from differences between items: more "
                f"annotators an item reduce the rest as well.{most}"
            )
        else:
            yield (
                f"With {self.per_item} an item, {100 * share:.0f} % of the uncertainty{span} comes "
                "from differences between items, which only more items reduce; more annotators "
                f"reduce the rest.{most}"
            )
        yield from self._cheapest()
        needed, alone = self.value("needed_items"), self.value("needed_annotators")
        if self.null is not None or needed <= self.pilot_items:
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
        of = "in the table"
        doubted = self.found["doubted"].values if self.simulated else np.zeros(1, dtype=bool)
        if doubted.any() and not doubted.all():
            of = "where formula and simulation agree"
        yield (
            f"{said} {of}: {counted(whole(items), 'item')} with "
            f"{annotators_said(annotators)} an item ({spent})."
        )

    def _looks_said(self) -> Iterator[str]:
        if "look" not in self.found.dims:
            return
        last = float(self.found["look_items"].values[-1])
        if last <= self.pilot_items:
            return
        looks = self.found.sizes["look"]
        planned = max(self.value(f"planned_items{end}") for end in self.reached)
        yield (
            f"To look {looks} times on the way, plan for {counted(whole(last), 'item')} "
            f"({_more(last - planned)} than with one look), and go by the interval of each look in "
            "the last table: it is wider early, so that it holds whenever you stop."
        )
        if float(self.found["look_items"].values[0]) < self.pilot_items:
            yield "Looks at fewer items than the pilot has are past: begin with the next one."

    def rests_on(self) -> Iterator[str]:
        """What the plan takes for granted."""
        attrs = self.attrs
        yield (
            "Taken for granted: new items are like the pilot's and new annotators like its "
            "annotators, with the same guidelines. The interval speaks of other items with these "
            "annotators; another panel's figure differs by more."
        )
        if attrs.get("scale", "plain") != "plain":
            yield (
                "So near 1 the interval reaches further down than up (it is worked out on the "
                "scale of sqrt(1 - x))."
            )
        if int(attrs["replicates"]) and self.reached:
            yield (
                f"Intervals of needed items: from {attrs['replicates']:,} draws of the pilot's "
                "items with replacement."
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
            source = (
                f"; where the pilot has too few, from a model of items ({attrs['model']})"
                if attrs["model"]
                else ""
            )
            yield (
                f"Simulated: {attrs['simulations']:,} sets of ratings a design, drawn from the "
                f"pilot's own ratings{source}. SE is the standard error."
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
    if math.isnan(low) or math.isinf(low):
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


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
