"""Notes on the annotator and the label with the least agreement, and on the coefficient.

A note is a code with values, which a template turns into a sentence. In the attributes of a result,
a role such as "farthest" holds an annotator's name, and is the prefix of further attributes of this
annotator.
"""

from __future__ import annotations

import numpy as np
import xarray as xr

from iaa_jax._types import Attributes
from iaa_jax.analyses.diagnose.columns import equal, weighted
from iaa_jax.data.facts import code_for
from iaa_jax.data.kind import Kind, kind_of
from iaa_jax.measure.options.label_options import UNSAID
from iaa_jax.measure.requests.floors import ANNOTATOR_RATINGS
from iaa_jax.measure.shared.agreement_by import doubts_of_extremes
from iaa_jax.pages.intervals import title
from iaa_jax.wording import Note


def _least(attrs: Attributes) -> list[str]:
    return ["farthest", *(["next_higher"] if attrs["conclusion"] in ("close", "level") else [])]


def whom_to_ask(attrs: Attributes) -> list[str]:
    """Return the annotators to ask about disagreement."""
    return [attrs[role] for role in (["rises_most"] if "rises_most" in attrs else _least(attrs))]


def overall_coefficient(result: xr.Dataset, rows: str) -> Note:
    """Return a note on the coefficient of all annotators, and on its value without one of them."""
    attrs = result.attrs
    weights = str(attrs["weights"])
    values = {
        "coefficient": title(result),
        "weights": "" if weights in UNSAID else Note("weighted", {"weights": weights}),
        "rows": rows,
        "estimate": attrs["estimate"],
        "reason": attrs["reason"],
        "without": "",
        "partial": "",
    }
    if "partial_estimate" in attrs:
        values["partial"] = Note("beside_partial", {"partial": attrs["partial_estimate"]})
    if "rises_most" in attrs:
        values["without"] = Note("rises_most", _without(attrs, "rises_most"))
    elif np.isfinite(attrs.get("farthest_without", np.nan)) and attrs["conclusion"] != "few":
        without = [Note("without_annotator", _without(attrs, role)) for role in _least(attrs)]
        values["without"] = Note("without_annotators", {"each": without})
    of_all = "of_all_annotators" if rows == "annotators" else "of_all"
    return Note("undefined_of_all" if attrs["reason"] else of_all, values)


def _without(attrs: Attributes, role: str) -> dict[str, object]:
    """Return the coefficient without an annotator, and how many items are left if they are few."""
    left = attrs[f"{role}_items_left"]
    few = Note(code_for(attrs, "items_left"), {"items": left}) if left < ANNOTATOR_RATINGS else ""
    return {"name": attrs[role], "without": attrs[f"{role}_without"], "left": few}


def _next_higher(attrs: Attributes) -> Note | str:
    """Return a note on who has the next higher agreement, and how probable this order is."""
    if attrs.get("next_higher_probability") is None or attrs.get("farthest_equal"):
        return ""
    figure = Note(f"next{weighted(attrs)}", {"agreement": _agreement(attrs, "next_higher")})
    who = {"next": attrs["next_higher"], "name": attrs["farthest"], "figure": figure}
    return Note("next_higher", {**who, "probability": attrs["next_higher_probability"]})


def _agreement(attrs: Attributes, role: str) -> object:
    return attrs.get(f"{role}_item_agreement", attrs.get(f"{role}_agreement"))


def _others(attrs: Attributes) -> Note | str:
    """Return a note on how far the others agree on the same items, which may be hard.

    If two annotators agree least, there is a figure for each. If the figure is unknown, the note
    may name the only other annotator of these items.
    """
    others = [attrs.get(f"{role}_others") for role in _least(attrs)]
    if None in others:
        partner = attrs.get("farthest_partner") if len(others) == 1 else None
        return "" if partner is None else Note("one_partner", {"partner": partner})
    figures = [Note(f"next{weighted(attrs)}", {"agreement": figure}) for figure in others]
    return Note("others_on_these", {"each": figures})


def farthest(result: xr.Dataset) -> Note:
    """Return a note on who agrees least with the others, or why nobody is named."""
    attrs = result.attrs
    least = {"least": attrs.get("farthest_from", 0) or ANNOTATOR_RATINGS}
    among = Note(code_for(attrs, "among_enough"), least) if attrs.get("farthest_from") else ""
    kind = kind_of(attrs)
    values = {
        **least,
        "among": among,
        "name": attrs.get("farthest", ""),
        "items": attrs.get("farthest_items", 0),
        "agreement": _agreement(attrs, "farthest"),
        "distance": attrs.get("farthest_disagreement"),
        "equal": equal(attrs, "farthest", "annotators"),
        "others": _others(attrs),
        "matching": Note("matching_sets" if kind is Kind.SETS else "matching"),
    }
    by_item = "farthest_item_agreement" in attrs
    values["next_higher"] = "" if values["others"] or by_item else _next_higher(attrs)
    code = f"annotators_{attrs['conclusion']}"
    how = "" if kind is Kind.SPANS else weighted(attrs)
    if len(roles := _least(attrs)) > 1:
        both = {**values, "next": _agreement(attrs, "next_higher")}
        values["names"] = [attrs[role] for role in roles]
        values["figure"] = Note(code_for(attrs, f"figures_of_two{how}"), both)
    elif code == "annotators_compared" and "farthest_disagreement" in attrs:
        code += "_by_distance"
    elif code == "annotators_compared":
        heavy = {"heavy": attrs["heavy_items"], "all": attrs["pairable_items"]} if by_item else {}
        values["each_once"] = Note("each_once", heavy) if by_item else ""
        figure = f"figure_of_one{how}{'_by_item' * by_item}"
        values["figure"] = Note(code_for(attrs, figure), {**values})
    return Note(code_for(attrs, code), values)


def _confused(result: xr.Dataset, number: int) -> dict[str, object]:
    """Return the two labels of a confused pair, and their share of all confusions."""
    pair = result.isel(pair=number)
    names = {name: str(pair[f"confused_label_{k}"].item()) for k, name in enumerate("ab", 1)}
    return {**names, "share": float(pair["confused_share"])}


def lowest_label(result: xr.Dataset) -> Note:
    """Return a note on the label with the lowest agreement, and the most confused pair."""
    attrs = result.attrs
    confused: Note | str = ""
    # two labels make one pair; `iaa_jax.label_sets` shows swapped labels of sets
    has_pairs = attrs["labels"] > 2 and kind_of(attrs) is not Kind.SETS
    if attrs.get("confused_pairs") and has_pairs:
        values: dict[str, object] = {**_confused(result, 0)}
        values["equal"] = equal(attrs, "confused", "pairs")
        above = attrs.get("confused_above_chance", -1)
        # a lift below 1: the two labels are confused less than at random
        seldom = "confused_lift" in result and float(result["confused_lift"][0]) < 1
        values["frequent"] = Note("both_frequent") if seldom else ""
        names_above = seldom and above > 0
        values["above"] = (
            Note("confused_above_chance", _confused(result, above)) if names_above else ""
        )
        confused = Note("most_confused", values)
    values = {
        "label": attrs.get("lowest_label", ""),
        "agreement": attrs.get("lowest_agreement"),
        "count": attrs.get("lowest_count", 0),
        "least": attrs.get("lowest_from", 0),
        "equal": equal(attrs, "lowest", "labels"),
        "in_doubt": doubts_of_extremes(attrs)["lowest_in_doubt"],
        "confused": confused,
        "coefficient": title(result),
    }
    often = "_often" if attrs["conclusion"] == "disputed" and values["least"] else ""
    return Note(code_for(result.attrs, f"labels_{attrs['conclusion']}{often}"), values)
