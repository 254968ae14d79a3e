"""How intervals were made, one sentence each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from iaa_jax.report.text import counted, visible

FEW_ITEMS = 20
"""Fewer pairable items than this make an interval rough."""

UNWEIGHTED = ("", "identity", "level nominal")
"""How labels agree where two labels are the same or not, and nothing between."""

_RESAMPLED = {
    "bca": "BCa",
    "percentile": "percentile",
    "basic": "basic",
    "studentized": "studentized",
}
_OTHERS = {
    "normal": "normal, from the standard error",
    "t": "Student's t, from the standard error",
    "abc": "ABC, from derivatives by the weights of items",
    "f": "F, as for a normal model",
}

MANY_UNDEFINED = 0.05
"""Share of undefined replicates beyond which an interval says little."""


def method_said(method: str, provenance: Mapping[str, Any]) -> str:
    """How intervals were made, without the full stop."""
    cluster = provenance.get("sampling_cluster")
    units = f"clusters of items ({visible(str(cluster))})" if cluster else "items"
    if cluster and provenance.get("clusters"):
        units = f"{counted(provenance['clusters'], 'cluster')} of items ({visible(str(cluster))})"
    if provenance.get("sampling_annotators") == "random":
        units += " and annotators"
    further = ", kept within the range" if provenance.get("interval_transform") else ""
    if method in _RESAMPLED:
        bayesian = bool(provenance.get("sampling_bayesian"))
        drawn = "Bayesian bootstrap" if bayesian else "bootstrap"
        sentence = f"Intervals: {drawn} over {units} ({_RESAMPLED[method]}{further})"
        replicates = provenance.get("replicates")
        if replicates is not None:
            sentence += f", {counted(replicates, 'replicate')}, seed {provenance.get('seed')}"
    else:
        own = "" if units == "items" else f" over {units}"
        cut = "; not cut at 1" if method in ("normal", "t") and not further else ""
        sentence = f"Intervals: {_OTHERS.get(method, method)}{own}{further}{cut}"
    if provenance.get("sampling_population"):
        sentence += f"; the items are from a population of {provenance['sampling_population']:,g}"
    return sentence


def few_items(pairable: float) -> Iterator[str]:
    """The warning where intervals come from a handful of items."""
    if pairable < FEW_ITEMS:
        compared = counted(pairable, "item")
        yield f"Only {compared} with two ratings or more: intervals are rough."
