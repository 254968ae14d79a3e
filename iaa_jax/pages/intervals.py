"""How intervals were made, from the attributes of a result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from iaa_jax.wording import Note

FEW_ITEMS = 20
"""Fewer pairable items than this make an interval rough."""

MANY_UNDEFINED = 0.05
"""Share of undefined replicates beyond which an interval says little."""

_RESAMPLED = ("bca", "percentile", "basic", "studentized")

WORDS = {
    "intervals": "Intervals: {method}{population}.",
    "bca": "{drawn} over {units} (BCa{range}), {replicates:count replicate}, seed {seed}",
    "percentile": "{drawn} over {units} (percentile{range}), {replicates:count replicate}, "
    "seed {seed}",
    "basic": "{drawn} over {units} (basic{range}), {replicates:count replicate}, seed {seed}",
    "studentized": "{drawn} over {units} (studentized{range}), {replicates:count replicate}, "
    "seed {seed}",
    "normal": "normal, from the standard error{over}{range}{uncut}",
    "t": "Student's t, from the standard error{over}{range}{uncut}",
    "abc": "ABC, from derivatives by the weights of items{range}",
    "f": "F, as for a normal model{range}",
    "over": " over {units}",
    "items": "items",
    "clusters": "{clusters:count cluster} of items ({cluster:name})",
    "clusters_unknown": "clusters of items ({cluster:name})",
    "and_annotators": "{units} and annotators",
    "of_both": "{units} of both sets together",
    "of_each": "{units}, in each set by itself",
    "population": "; the items are from a population of {population:count}",
    "few_items": "Only {items:count item} with two ratings or more: intervals are rough.",
}


def made(attrs: Mapping[Any, Any], of_sets: str = "") -> Iterator[Note]:
    """How the intervals of a result were made; ``of_sets``: "of_both", "of_each" of two sets."""
    method = str(attrs.get("interval", ""))
    if not method:
        return
    units = _units(attrs)
    own = units.code != "items"
    if of_sets:
        units = Note(of_sets, {"units": units})
    on_range = bool(attrs.get("interval_transform"))
    values: dict[str, Any] = {"range": ", kept within the range" if on_range else ""}
    if method in _RESAMPLED:
        bayesian = attrs.get("sampling_bayesian")
        values["drawn"] = "Bayesian bootstrap" if bayesian else "bootstrap"
        values |= {"units": units, "replicates": attrs["replicates"], "seed": attrs["seed"]}
    else:
        values["over"] = Note("over", {"units": units}) if own or of_sets else ""
        values["uncut"] = "" if on_range else "; not cut at 1"
    population = attrs.get("sampling_population")
    further = Note("population", {"population": population}) if population else ""
    yield Note("intervals", {"method": Note(method, values), "population": further})


def few_items(pairable: float) -> Iterator[Note]:
    """The warning where intervals come from a handful of items."""
    if pairable < FEW_ITEMS:
        yield Note("few_items", {"items": pairable}, "caution")


def _units(attrs: Mapping[Any, Any]) -> Note:
    units = Note("items")
    if cluster := attrs.get("sampling_cluster"):
        known = "clusters" in attrs
        values = {"cluster": cluster, "clusters": attrs.get("clusters")}
        units = Note("clusters" if known else "clusters_unknown", values)
    if attrs.get("sampling_annotators") == "random":
        return Note("and_annotators", {"units": units})
    return units
