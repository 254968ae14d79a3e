"""What diagnosis answers: who agrees least, on which label, and by which coefficient."""

from __future__ import annotations

import numpy as np
import xarray as xr

from iaa_jax._types import Attributes
from iaa_jax.analyses.diagnose.columns import (
    equal,
    weighted,
)
from iaa_jax.data.facts import code_for
from iaa_jax.data.kind import Kind, kind_of
from iaa_jax.measure.options.label_options import UNSAID
from iaa_jax.measure.requests.floors import ANNOTATOR_RATINGS
from iaa_jax.measure.shared.agreement_by import doubts_of_extremes
from iaa_jax.pages.intervals import title
from iaa_jax.wording import Note


def _is_close(attrs: Attributes) -> bool:
    """Whether somebody else may agree as little as who agrees least."""
    by_item = "farthest_item_agreement" in attrs  # where each item counts once, one is named
    close = attrs.get("next_higher_close", 0) and not attrs.get("farthest_equal")
    return bool(close) and attrs["conclusion"] == "compared" and not by_item


def agree_least(attrs: Attributes) -> list[str]:
    """Who agrees least: two where it is not sure which of them."""
    return [attrs["farthest"], *([attrs["next_higher"]] if _is_close(attrs) else [])]


def figure_of_all(result: xr.Dataset, rows: str) -> Note:
    """The coefficient that the table is about, and how labels agree in it."""
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
    without = attrs.get("farthest_without", np.nan)
    if not np.isnan(without) and attrs["conclusion"] != "few":
        known = [("farthest_without", attrs["farthest"])]
        if _is_close(attrs):
            known.append(("next_higher_without", attrs["next_higher"]))
        each = [
            Note("without_annotator", {"without": attrs[figure], "name": name})
            for figure, name in known
        ]
        values["without"] = Note("without_annotators", {"each": each})
    of_all = "of_all_annotators" if rows == "annotators" else "of_all"
    return Note("undefined_of_all" if attrs["reason"] else of_all, values)


def _next_higher(attrs: Attributes) -> Note | str:
    """Who comes next, and how sure the order is; nothing where nobody knows."""
    if attrs.get("next_higher_probability") is None or attrs.get("farthest_equal"):
        return ""
    agreement = attrs.get("next_higher_item_agreement", attrs.get("next_higher_agreement"))
    figure = Note("next_number" if weighted(attrs) else "next_share", {"agreement": agreement})
    who = {"next": attrs["next_higher"], "name": attrs["farthest"], "figure": figure}
    return Note("next_higher", {**who, "probability": attrs["next_higher_probability"]})


def farthest(result: xr.Dataset) -> Note:
    """Who agrees least with the others."""
    attrs = result.attrs
    least = {"least": attrs.get("farthest_from", 0) or ANNOTATOR_RATINGS}
    among = Note(code_for(attrs, "among_enough"), least) if attrs.get("farthest_from") else ""
    values = {
        **least,
        "among": among,
        "name": attrs.get("farthest", ""),
        "items": attrs.get("farthest_items", 0),
        "agreement": attrs.get("farthest_item_agreement", attrs.get("farthest_agreement")),
        "distance": attrs.get("farthest_disagreement"),
        "equal": equal(attrs, "farthest", "annotators"),
        "next_higher": _next_higher(attrs),
        "matching": Note("matching_sets" if kind_of(attrs) is Kind.SETS else "matching"),
    }
    by_distance = attrs["conclusion"] == "compared" and "farthest_disagreement" in attrs
    code = f"annotators_{attrs['conclusion']}{'_by_distance' * by_distance}"
    if _is_close(attrs):
        values |= {"names": agree_least(attrs), "next": attrs["next_higher_agreement"]}
        code = f"annotators_close{'' if kind_of(attrs) is Kind.SPANS else weighted(attrs)}"
    if code == "annotators_compared" and kind_of(attrs) is not Kind.SPANS:
        code += weighted(attrs)
        if "farthest_item_agreement" in attrs:
            code += "_by_item"
            values |= {"heavy": attrs["heavy_items"], "all": attrs["pairable_items"]}
    return Note(code_for(result.attrs, code), values)


def lowest_label(result: xr.Dataset) -> Note:
    """The label that is agreed on least, and the two that are confused most."""
    attrs = result.attrs
    confused: Note | str = ""
    # of two labels there is one pair; of sets `iaa_jax.label_sets` names those that are swapped
    several = attrs["labels"] > 2 and kind_of(attrs) is not Kind.SETS
    if attrs.get("confused_pairs") and several:
        pair = result.isel(pair=0)
        values: dict[str, object] = {
            name: str(pair[f"confused_label_{k}"].item()) for k, name in enumerate("ab", 1)
        }
        values["equal"] = equal(attrs, "confused", "pairs")
        values["share"] = float(pair["confused_share"])
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
