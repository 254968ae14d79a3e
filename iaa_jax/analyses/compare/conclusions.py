"""The conclusions of a comparison, for each row and overall, with their notes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._errors import REASONS
from iaa_jax._types import Attributes
from iaa_jax.analyses.compare.by_interval import BOUNDED
from iaa_jax.analyses.compare.margins import label_notes, labels_in_one_set, labels_moved
from iaa_jax.analyses.compare.permutations import MOST
from iaa_jax.analyses.compare.tests import BY_PERMUTATIONS
from iaa_jax.catalog import UNWEIGHTED, title_of
from iaa_jax.measure.intervals.coverage import FEW_ITEMS
from iaa_jax.measure.options.interval import FEW_ANNOTATORS
from iaa_jax.measure.results import MANY_UNDEFINED
from iaa_jax.wording import Note

OBSERVED = "percent_agreement"
"""Name of the coefficient of observed agreement, which other coefficients correct for chance."""

SHOWN = 10
"""Maximum number of labels in a sentence."""

_ROUNDING = 1e-12
_NEGLIGIBLE = 0.0005
"""Differences smaller than this are 0 to three decimals."""


class ComparedRow(dict[str, str | float]):
    """A row of a comparison, by variable name."""

    def number(self, name: str) -> float:
        """Return a number by name."""
        return float(self[name])

    @property
    def title(self) -> str:
        """The title of the coefficient with these weights."""
        return title_of(str(self["coefficient"]), str(self["weights"]))


def rows_of(result: xr.Dataset) -> list[ComparedRow]:
    """Return the rows of a comparison."""
    (axis,) = result.dims
    columns = {str(name): result[name].values.tolist() for name in (axis, *result.data_vars)}
    return [
        ComparedRow(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)
    ]


def conclusions(result: xr.Dataset) -> NDArray[np.str_]:
    """Return the conclusion of each row; for labels, all labels are tested together."""
    return np.array([_conclusion(row, result.attrs, "label" in row) for row in rows_of(result)])


def conclude(result: xr.Dataset) -> tuple[str, list[Note]]:
    """Return the overall conclusion, and the notes on the whole result."""
    if "label" in result.dims:
        return _notes_on_labels(result)
    rows, lead = rows_of(result), str(result.attrs["coefficient"])
    (row,) = (row for row in rows if row["coefficient"] == lead)
    others = [other for other in rows if other is not row]
    notes = [
        *_notes_on_other_labels(row, result.attrs),
        *_notes_on_lead(row, others, result.attrs),
        *_notes_on_contradiction(row, result.attrs),
        *_notes_on_scope(result.attrs),
    ]
    unreliable = [
        str(other["coefficient"]) for other in others if other["conclusion"] == "unreliable"
    ]
    if unreliable:
        notes.append(Note("many_undefined", {}, "caution").on(unreliable))
    fewest = min(result.attrs[f"pairable_items_{letter}"] for letter in "ab")
    if fewest < FEW_ITEMS:
        notes.append(Note("few_items", {"items": fewest}, "caution"))
    return str(row["conclusion"]), notes


def _conclusion(row: ComparedRow, attrs: Attributes, of_label: bool) -> str:
    alpha = 1 - attrs["confidence"]
    if row["code"]:
        return "undefined"
    if all(math.isnan(row.number(name)) for name in ("standard_error", "p_value", "ci_low")):
        return "unknown"
    undefined = row.number("undefined_replicates") > MANY_UNDEFINED * attrs["replicates"]
    if undefined and row["interval"] != BY_PERMUTATIONS:
        return "unreliable"
    shown = row.number("adjusted_p_value") <= alpha if of_label else _is_shown(row, alpha)
    if shown and _kind_not_shown(row, attrs):
        return "kind_not_shown"
    if shown:
        return "b_higher" if row.number("difference") > 0 else "a_higher"
    return "alike" if not of_label and row.number("equivalence_p_value") <= alpha else "not_shown"


def _kind_not_shown(row: ComparedRow, attrs: Attributes) -> bool:
    """Return whether other groupings of annotators differ as much; False for random annotators."""
    if attrs.get("by_axis") != "annotator" or "sampling_annotators" in attrs:
        return False
    return "annotator_p_value" in row and row.number("annotator_p_value") > 1 - attrs["confidence"]


def _is_shown(row: ComparedRow, alpha: float) -> bool:
    """Return whether a row shows a difference.

    The interval decides, unless it is missing or the p-value comes from permutations.
    """
    by_exchange = row.number("p_value") == row.number("permutation_p_value")
    if by_exchange or math.isnan(row.number("ci_low")):
        return row.number("p_value") <= alpha
    return _leaves_out_0(row)


def _is_higher(row: ComparedRow) -> bool:
    return str(row["conclusion"]) in ("a_higher", "b_higher")


def _is_different(row: ComparedRow) -> bool:
    return _is_higher(row) or row["conclusion"] == "kind_not_shown"


def _leaves_out_0(row: ComparedRow) -> bool:
    return bool(row.number("ci_low") > 0 or row.number("ci_high") < 0)


def _notes_on_lead(
    row: ComparedRow, others: Sequence[ComparedRow], attrs: Attributes
) -> Iterator[Note]:
    if row["conclusion"] in ("undefined", "unknown"):
        return
    if row["conclusion"] != "unreliable":
        yield from _notes_on_annotators(row, attrs)
        yield from _notes_on_no_spread(row, attrs)
        yield from _notes_on_margin(row, attrs)
        if row["conclusion"] == "not_shown":
            yield from _notes_on_power(row, attrs)
    yield from _notes_on_observed(row, others, attrs)


def _notes_on_other_labels(row: ComparedRow, attrs: Attributes) -> Iterator[Note]:
    """Yield a note if label frequencies differ, with the estimates at equal frequencies."""
    if not labels_moved(attrs, attrs["confidence"]):
        return
    values = {"label": attrs["label_moved"], "p": attrs["label_p_value"], **names_of_sets(attrs)}
    values |= {letter: attrs[f"label_share_{letter}"] for letter in "ab"}
    common: Note | str = ""
    if not attrs.get("common_margins", 1):
        in_one_set = any(labels_in_one_set(attrs))
        common = Note(
            "no_common_margins", {"why": Note("label_alone" if in_one_set else "few_differ")}
        )
    elif "common_p_value" in row and not math.isnan(row.number("common_p_value")):
        common = _at_common_margins(row, attrs)
    code = "labels_occur_differently"
    if attrs["label_shares_of"] == "units":
        code = "labels_marked_differently"
    yield Note(code, {**values, "common": common}, "caution")


def _at_common_margins(row: ComparedRow, attrs: Attributes) -> Note:
    values = {
        "title": row.title,
        **names_of_sets(attrs),
        **{name: row[f"common_{name}"] for name in ("a", "b", "difference")},
        "shown": row.number("common_p_value") <= 1 - attrs["confidence"],
    }
    return Note("at_common_margins", values)


def names_of_sets(attrs: Attributes) -> dict[str, str]:
    """Return the names of the two sets as values of a note."""
    return {name: attrs[name] for name in ("name_a", "name_b")}


def _notes_on_annotators(row: ComparedRow, attrs: Attributes) -> Iterator[Note]:
    """Yield notes on the annotators compared, and on other groupings of them."""
    if attrs.get("by_axis") != "annotator":
        return
    sizes = {"a": attrs["annotators_a"], "b": attrs["annotators_b"]}
    if "sampling_annotators" not in attrs:
        large = max(sizes.values()) >= MOST
        why = Note("not_split_at_random", {"most": MOST}) if large else ""
        yield Note("these_annotators_alone", {**sizes, **names_of_sets(attrs), "not_split": why})
    p_value = row.number("annotator_p_value") if "annotator_p_value" in row else math.nan
    if math.isnan(p_value):
        return
    values = {**sizes, "p": p_value}
    ways = attrs["annotator_ways"]
    if attrs["annotator_ways_all"]:
        yield Note("dealt_out_in_all_ways", values | {"ways": ways, "alike": round(p_value * ways)})
    else:
        yield Note("dealt_out_at_random", values)


def _notes_on_no_spread(row: ComparedRow, attrs: Attributes) -> Iterator[Note]:
    """Yield a note if a set without disagreement has too few items to show a difference."""
    shown = _is_different(row)
    if row["interval"] != BOUNDED or shown or row.number("difference") == 0:
        return
    sides = [
        Note("items_all_alike", {"items": attrs[f"pairable_items_{letter}"], "set": name})
        for letter, name in (("a", attrs["name_a"]), ("b", attrs["name_b"]))
        if row.number(f"standard_error_{letter}") == 0
        and row.number(f"estimate_{letter}") >= 1 - _ROUNDING
    ]
    if sides:
        yield Note("cannot_show_more", {"sides": sides})


def _notes_on_margin(row: ComparedRow, attrs: Attributes) -> Iterator[Note]:
    if "margin" not in attrs:
        return
    p_value = row.number("equivalence_p_value")
    tests = Note("no_test") if math.isnan(p_value) else Note("one_sided_tests", {"p": p_value})
    within = p_value <= 1 - attrs["confidence"]
    unimportant = within and _is_different(row)
    values = {"margin": attrs["margin"], "tests": tests}
    values["there"] = Note("too_small_to_matter") if unimportant else ""
    yield Note("within_margin" if within else "not_within_margin", values)


def _notes_on_power(row: ComparedRow, attrs: Attributes) -> Iterator[Note]:
    least = row.number("detectable")
    if not least > _NEGLIGIBLE:
        return
    yield Note("would_show", {"least": least, "decimals": 2 if least >= 0.01 else 3})
    if least > attrs["needed_for"] and not math.isnan(row.number("items_needed_a")):
        a, b = (_rounded(row.number(f"items_needed_{letter}")) for letter in "ab")
        values = {"difference": attrs["needed_for"], "a": a, "b": b, **names_of_sets(attrs)}
        values["default"] = "" if "margin" in attrs else Note("by_default")
        yield Note("takes_paired_items" if attrs["paired"] else "takes_items", values)


def _rounded(items: float) -> int:
    """Round up to two significant digits."""
    digits = max(len(str(int(items))) - 2, 0)
    return int(math.ceil(items / 10**digits) * 10**digits)


def _notes_on_observed(
    row: ComparedRow, others: Sequence[ComparedRow], attrs: Attributes
) -> Iterator[Note]:
    """Yield a note if only percent agreement shows a difference."""
    other = next((other for other in others if other["coefficient"] == OBSERVED), None)
    if other is None or not _is_higher(other) or other["conclusion"] == row["conclusion"]:
        return
    sides = [
        (
            other.number(f"estimate_{letter}"),
            _by_chance(other, row, letter),
            attrs[f"name_{letter}"],
        )
        for letter in "ab"
    ]
    (low, low_chance, _), (high, high_chance, name) = sorted(sides, key=lambda side: side[0])
    by_chance = row["weights"] in UNWEIGHTED and high_chance > low_chance
    values = {
        "higher": name,
        "high": high,
        "low": low,
        "why": Note("by_chance") if by_chance else "",
    }
    yield Note("observed_is_higher", values)


def _by_chance(observed: ComparedRow, row: ComparedRow, letter: str) -> float:
    """Return the expected agreement implied by a coefficient and percent agreement."""
    share, estimate = observed.number(f"estimate_{letter}"), row.number(f"estimate_{letter}")
    return float((share - estimate) / (1 - estimate)) if estimate < 1 else math.nan


def _notes_on_contradiction(row: ComparedRow, attrs: Attributes) -> Iterator[Note]:
    p_value, alpha = row.number("permutation_p_value"), 1 - attrs["confidence"]
    if p_value != row.number("p_value") or math.isnan(row.number("ci_low")):
        return
    if _leaves_out_0(row) != (p_value <= alpha):
        code = "interval_without_0" if _leaves_out_0(row) else "interval_with_0"
        yield Note(code, {"p": p_value}, "caution")


def _notes_on_scope(attrs: Attributes) -> Iterator[Note]:
    """Yield notes on what is random, who rated, and which labels exist."""
    shared, sizes = attrs["shared_annotators"], (attrs["annotators_a"], attrs["annotators_b"])
    names: Note | str = ""
    if shared:
        every = shared == sizes[0] == sizes[1]
        pairs = Note("pairs_in_both_sets") if shared > 1 else ""
        values = {"names": shared, "pairs": pairs}
        names = Note("same_annotator_names" if every else "shared_names", values)
    if "sampling_annotators" in attrs:
        by = attrs.get("sampling_cluster")
        units = Note("random_clusters", {"cluster": by}) if by else Note("random_items")
        yield Note("annotators_too", {"units": units, "annotators": list(sizes), "names": names})
        if min(sizes) < FEW_ANNOTATORS:
            yield Note("few_annotators_drawn", {"least": min(sizes)}, "caution")
    elif "sampling_cluster" in attrs:
        numbers = [attrs[f"clusters_{letter}"] for letter in "ab"][: 2 - attrs["paired"]]
        values = {"cluster": attrs["sampling_cluster"], "clusters": numbers, "names": names}
        yield Note("clusters_are_random", values)
    else:
        yield Note("items_are_random", {"names": names})
    if attrs.get("shared_clusters") and not attrs["paired"]:
        values = {"cluster": attrs["sampling_cluster"], "shared": attrs["shared_clusters"]}
        yield Note("clusters_in_both_sets", values, "caution")
    yield from label_notes(attrs)


def _notes_on_labels(result: xr.Dataset) -> tuple[str, list[Note]]:
    """Return the conclusion about labels, all tested together, and its notes."""
    rows, attrs = by_size(rows_of(result)), result.attrs
    differ = [row for row in rows if _is_higher(row)]
    defined = [row for row in rows if row["conclusion"] != "undefined"]
    unreliable = [str(row["label"]) for row in rows if row["conclusion"] == "unreliable"]
    conclusion, notes = "undefined", []
    if differ:
        conclusion = "labels_differ"
        notes.append(_differ(differ, len(rows), 1 - attrs["confidence"]))
    elif defined and abs(defined[0].number("difference")) < _NEGLIGIBLE:
        conclusion = "no_label_moved"
        notes.append(Note(conclusion))
    elif len(unreliable) < len(defined):
        conclusion = "no_label_differs"
        notes.append(Note(conclusion, {"labels": len(defined), "moved": _moved(defined[0])}))
    elif unreliable:
        conclusion = "unreliable"
    if any(row.number("band_low") < 0 < row.number("band_high") for row in differ):
        notes.append(Note("step_by_step"))
    if unreliable:
        notes.append(Note("labels_unreliable", {"labels": unreliable}, "caution"))
    in_one_set = {label for labels in labels_in_one_set(attrs) for label in labels}
    undefined = [row for row in rows if row["code"] and str(row["label"]) not in in_one_set]
    if undefined:
        labels = [str(row["label"]) for row in undefined]
        values = {
            "labels": labels,
            "count": len(labels),
            "reasons": reasons_of(undefined[0], attrs),
        }
        notes.append(Note("labels_undefined", values))
    return conclusion, [*notes, *_notes_on_scope(attrs)]


def _differ(differ: Sequence[ComparedRow], labels: int, alpha: float) -> Note:
    count = len(differ)
    code = "all_labels_differ" if count == labels else "labels_differ"
    shown: list[Note] = [_moved(row) for row in differ[:SHOWN]]
    more = Note("and_more", {"count": count - SHOWN}) if count > SHOWN else ""
    values = {"labels": labels, "count": count, "alpha": alpha, "moved": shown, "more": more}
    return Note(code, values)


def _moved(row: ComparedRow) -> Note:
    return Note("label_moved", {"label": str(row["label"]), "difference": row["difference"]})


def by_size(rows: Sequence[ComparedRow]) -> list[ComparedRow]:
    """Sort rows by falling size of the difference; undefined rows come last."""
    return sorted(
        rows,
        key=lambda row: (
            math.inf if math.isnan(row.number("difference")) else -abs(row.number("difference"))
        ),
    )


def reasons_of(row: ComparedRow, attrs: Attributes) -> list[Note]:
    """Return the reasons why a row is undefined, by set."""
    return [
        Note("reason_in_set", {"set": attrs[f"name_{letter}"], "reason": REASONS[code]})
        for letter in "ab"
        if (code := int(row.number(f"code_{letter}")))
    ]
