"""Facts that many pages state: the coefficient of a result, and the method of its intervals."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import TypeAlias

import numpy as np
import xarray as xr

from iaa_jax._types import Attributes, Floats, Values
from iaa_jax.catalog import NAMES, title_of
from iaa_jax.pages.blocks import Column, Text
from iaa_jax.wording import Note
from iaa_jax.wording.figures import Kind

_RESAMPLED = ("bca", "percentile", "basic", "studentized")

WORDS = {
    "coefficient_measured": "{title}",
    "coefficient_measured_with": "{title}, {weights:weights}",
    "interval_heading": "{confidence:level} interval",
    "intervals": "{confidence:level} intervals: {method}{population}{docs:intervals}.",
    "intervals_of": "{confidence:level} intervals of {figures:join ; }: {method}{population}.",
    "intervals_resampled": "{drawn} over {units} ({kind}{range}), {replicates:count resample}, "
    "seed {seed}",
    "intervals_bootstrap": "bootstrap",
    "intervals_bayesian_bootstrap": "Bayesian bootstrap",
    "intervals_bca": "BCa",
    "intervals_percentile": "percentile",
    "intervals_basic": "basic",
    "intervals_studentized": "studentized",
    "intervals_within_range": ", kept within the range",
    "intervals_not_cut": "; not cut at 1",
    "intervals_normal": "normal from the standard error{over}{range}{uncut}",
    "intervals_t": "Student's t from the standard error{over}{range}{uncut}",
    "intervals_permutations": "from permutations, in standard errors{over}{uncut}",
    "intervals_abc": "ABC (approximate bootstrap){range}",
    "intervals_f": "F distribution{range}",
    "intervals_empirical_bayes": (
        "empirical Bayes over {units}{prior}, {replicates:count draw}, seed {seed}"
    ),
    "intervals_usual_prior": "",
    "intervals_prior": ", a pseudo-item that counts as {prior:count item}",
    "intervals_no_prior": ", no prior",
    "intervals_likelihood": "empirical likelihood{range}",
    "intervals_kurtosis_t": "jackknife t{over}",
    "intervals_modified_large_sample": "modified large-sample over items and annotators",
    "intervals_widened_large_sample": (
        "modified large-sample over items and annotators, widened by a jackknife"
    ),
    "intervals_as_agreed": "The interval {of_what} is the one from 'iaa agree' ({method:spaced}).",
    "intervals_of_all_items": "of all items",
    "intervals_as_rated": "as rated",
    "intervals_unweighted": "without weights",
    "intervals_of_equal_weights": "of equal weights",
    "intervals_over": " over {units}",
    "intervals_items": "items",
    "intervals_documents": "documents",
    "intervals_clusters": "{clusters:count cluster} of items ({cluster:name})",
    "intervals_items_drawn": "items",
    "intervals_clusters_drawn": "clusters of items",
    "intervals_clusters_unknown": "clusters of items ({cluster:name})",
    "intervals_and_annotators": "{units} and annotators",
    "intervals_of_both": "{units} of both sets together",
    "intervals_of_each": "{units}, in each set separately",
    "intervals_population": "; the items are from a population of {population:count}",
}


def with_titles(note: Note) -> Note:
    """Return the note on coefficients that were not computed, with titles in place of names."""
    if note.code != "not_measured":
        return note
    names = map(str, note.listed("coefficients"))
    titles = [title_of(name) if name in NAMES else name for name in names]
    return Note(note.code, {**note.values, "coefficients": titles})


def column(
    result: xr.Dataset,
    name: str = "ci",
    decimals: int = 3,
    *,
    key: str = "",
    heading: str = "interval_heading",
    kind: Kind = "interval",
    spare: int = 0,
) -> Column:
    """Return a column with the interval ends of a result, ``NAME_low`` and ``NAME_high``.

    ``kind`` is "share_interval" if the figure is a share, so that its interval is in percent, too.
    """
    ends = np.stack([result[f"{name}_low"].values, result[f"{name}_high"].values], axis=-1)
    above = Note(heading, {"confidence": float(result.attrs["confidence"])})
    return Column(key or name, above, ends, kind, decimals, spare)


def description(attrs: Attributes, of_sets: str = "") -> Iterator[Note]:
    """Yield a note on the method of intervals.

    For two sets, ``of_sets`` is "of_both" if their units are drawn together, and else "of_each".
    """
    method = str(attrs.get("interval", ""))
    if not method:
        return
    units = units_of(attrs)
    clustered = are_grouped(units)
    if of_sets:
        units = Note(f"intervals_{of_sets}", {"units": units})
    on_range = bool(attrs.get("interval_transform"))
    values: dict[str, object] = {"range": Note("intervals_within_range") if on_range else ""}
    if method in _RESAMPLED:
        bayesian = "bayesian_" if attrs.get("sampling_bayesian") else ""
        values["drawn"] = Note(f"intervals_{bayesian}bootstrap")
        values |= {
            "kind": Note(f"intervals_{method}"),
            "units": units,
            "replicates": attrs["replicates"],
            "seed": attrs["seed"],
        }
    elif method == "empirical_bayes":
        values |= {
            "units": units,
            "prior": _prior(attrs.get("interval_prior")),
            "replicates": attrs["replicates"],
            "seed": attrs["seed"],
        }
    else:
        values["over"] = Note("intervals_over", {"units": units}) if clustered or of_sets else ""
        cut = on_range or attrs.get("interval_cut")
        values["uncut"] = "" if cut else Note("intervals_not_cut")
    population = attrs.get("sampling_population")
    population_note = Note("intervals_population", {"population": population}) if population else ""
    code = "resampled" if method in _RESAMPLED else method
    made = Note(f"intervals_{code}", values)
    confidence = float(attrs["confidence"])
    yield Note(
        "intervals", {"method": made, "population": population_note, "confidence": confidence}
    )


def drawn(code: str, attrs: Attributes, *names: str) -> Iterator[Note]:
    """Yield a note on the resamples, with their number, units and seed, if any were drawn.

    ``names`` are further attributes that the note contains.
    """
    if attrs["replicates"]:
        units = "clusters_drawn" if attrs.get("sampling_cluster") else "items_drawn"
        values = {name: attrs[name] for name in ("replicates", *names, "seed")}
        yield Note(code, {**values, "units": Note(f"intervals_{units}")})


def made_as_usual(code: str, method: object) -> Iterator[Note]:
    """Yield the note that an interval is from 'iaa agree', unlike other intervals of the page."""
    if str(method):
        values = {"of_what": Note(f"intervals_{code}"), "method": str(method)}
        yield Note("intervals_as_agreed", values)


Figure: TypeAlias = tuple[Text, Values, Values]
"""The title of a figure, and the method and the lower end of the interval in each row."""


def descriptions(attrs: Attributes, figures: Iterable[Figure]) -> Iterator[Note]:
    """Yield a note on each method of intervals; all notes but the first name their figures."""
    usual = str(attrs.get("interval", ""))
    titles: dict[str, list[Text]] = {}
    for title, methods, low in figures:
        for method in dict.fromkeys(methods[np.isfinite(low)].tolist()):
            titles.setdefault(method, [])
            titles[method] += [title] * (title not in titles[method])
    first = usual if usual in titles else next(iter(titles), "")
    for method in dict.fromkeys([first, *titles]):
        # a t interval among others is the one that "auto" chose for clusters, within the range
        scale = {"interval_transform": "range"} if method == "t" != usual else {}
        for note in description({**attrs, **scale, "interval": method}):
            named = Note("intervals_of", {**note.values, "figures": titles[method]})
            yield note if method == first else named


def figures_of(result: xr.Dataset, title: Callable[[str], Text]) -> Iterator[Figure]:
    """Yield a `Figure` per coefficient.

    The attributes of the result state whether annotators are sampled. In rows that differ in this,
    the lower end is NaN.
    """
    if not result.sizes.get("coefficient", 1):
        return
    over_annotators = result.attrs.get("sampling_annotators") == "random"
    same_units = result["random"].str.contains("annotators") == over_annotators
    low = result["ci_low"].where(same_units)
    if "coefficient" not in result.dims:
        yield title(str(result.attrs["coefficient"])), result["interval"].values, low.values
        return
    for name in result["coefficient"].values.tolist():
        methods, ends = (rows.sel(coefficient=name).values for rows in (result["interval"], low))
        yield title(name), methods, ends


def _prior(prior: object) -> Note:
    if prior is None:
        return Note("intervals_usual_prior")
    return Note("intervals_prior", {"prior": prior}) if prior else Note("intervals_no_prior")


def units_of(attrs: Attributes) -> Note:
    """Return a note on what is drawn: items, documents or clusters, and perhaps annotators."""
    units = Note("intervals_documents" if attrs.get("task") == "spans" else "intervals_items")
    if cluster := attrs.get("sampling_cluster"):
        known = "clusters" in attrs
        values = {"cluster": cluster, "clusters": attrs.get("clusters")}
        units = Note("intervals_clusters" if known else "intervals_clusters_unknown", values)
    if attrs.get("sampling_annotators") == "random":
        return Note("intervals_and_annotators", {"units": units})
    return units


def are_grouped(units: Note) -> bool:
    """Tell whether intervals sample anything but single items or documents."""
    return units.code not in ("intervals_items", "intervals_documents")


def title(result: xr.Dataset) -> str:
    """Return the title of the coefficient in a result."""
    return title_of(str(result.attrs["coefficient"]), str(result.attrs.get("weights", "")))


def measured(result: xr.Dataset, unsaid: Collection[str]) -> Note:
    """Return a note on the coefficient of a result, with its weights unless they are ``unsaid``."""
    weights = str(result.attrs["weights"])
    end = "" if weights in unsaid else "_with"
    return Note(f"coefficient_measured{end}", {"title": title(result), "weights": weights})


def confidence(result: xr.Dataset) -> dict[str, object]:
    """Return the confidence level of a result's intervals, for the values of a note."""
    return {"confidence": float(result.attrs["confidence"])}


def ends_of(figures: xr.Dataset, name: str = "") -> list[float]:
    """Return both ends of a single figure's interval."""
    key = f"{name}_ci".removeprefix("_")
    return [float(figures[f"{key}_{end}"]) for end in ("low", "high")]


def both_ends(rows: xr.Dataset, name: str) -> Floats:
    """Return the variables NAME_low and NAME_high as an array (row, end)."""
    return np.stack([rows[f"{name}_{end}"].values for end in ("low", "high")], axis=-1)
