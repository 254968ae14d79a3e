"""The main kind of disagreement on spans, and the labels and annotators that differ most."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import xarray as xr

from iaa_jax._types import Floats, Values
from iaa_jax.catalog import title_of
from iaa_jax.data.marked.documents import Documents
from iaa_jax.data.marked.overlaps import best_couples, overlapping
from iaa_jax.measure.requests.floors import ANNOTATOR_RATINGS, DOCUMENTS, enough_to_name
from iaa_jax.wording import Note
from iaa_jax.wording.formats import decimals_for

KINDS = ("boundaries", "labels", "missed", "taken")
"""Kinds of unmatched spans, by what the other annotator marked there.

In this order: a span with the same label and other boundaries; a span with another label; no
overlapping span; or only overlapping spans that are matched with a different span.
"""

MOST = 0.5
"""Share of the unmatched spans that the main kind of disagreement must exceed."""

FEW = 10
"""Minimum number of spans with a label, by both annotators of all pairs, to compare its F1."""

LEAST = 5
"""Minimum number of documents seen by two annotators for an interval in the answer.

From fewer documents, the interval would be too narrow.
"""

ANSWERS = (
    *(
        "nothing_marked",
        "how_far",
        "how_far_partial",
        "how_far_of_few",
        "measured_ends",
        "most_label",
        "worst_label",
        "worst_annotator",
    ),
    *("times_as_many", "times_as_long", "mostly_mixed", "places_later", "places_earlier"),
    *(f"mostly_{kind}" for kind in KINDS),
)
"""Codes of the notes that answer the first questions of a project lead."""

_HARDLY_EVER = 0.1
"""Maximum strict F1 for a note that measured ends are hardly ever equal."""

APART = 1.5
"""A note names an annotator whose spans exceed the others' in number or length by this factor."""


def kinds_of(confusion: Floats, strict: float, met: float) -> dict[str, float]:
    """Return the shares of spans of each kind of disagreement, from pairs of overlapping spans.

    The shares and the share of strict matches sum to 1. ``strict`` is the number of strict matches,
    and ``met`` the number of spans that overlap a span of the other annotator.
    """
    couples, same = confusion[:-1, :-1].sum(), np.trace(confusion)
    alone = confusion[-1].sum() + confusion[:, -1].sum()
    spans = 2 * couples + alone
    counts = (2 * (same - strict), 2 * (couples - same), spans - met, met - 2 * couples)
    return {
        f"{kind}_share": float(count / spans) if spans else float("nan")
        for kind, count in zip(KINDS, counts, strict=True)
    }


def conclusion_of(result: xr.Dataset) -> str:
    """Return the code of the conclusion, as documented in `iaa_jax.span_f1`."""
    shares = [float(result[f"{kind}_share"]) for kind in KINDS]
    if np.isnan(shares[0]):
        return "undefined"
    if sum(shares) < 1e-12:
        return "perfect"
    main = int(np.argmax(shares))
    return KINDS[main] if shares[main] > MOST * sum(shares) else "mixed"


def answers(result: xr.Dataset, conclusion: str, *, measured: bool) -> Iterator[Note]:
    """Yield notes that answer the first questions of a project lead.

    ``measured`` states whether positions are measured (such as times), and not counted (such as
    characters).
    """
    if conclusion == "undefined":
        yield Note("nothing_marked")
        return
    yield _how_far(result)
    if conclusion == "perfect":
        return
    if measured and result.attrs["match"] != "partial" and result["strict_f1"] < _HARDLY_EVER:
        yield Note("measured_ends")
    shares = {kind: float(result[f"{kind}_share"]) for kind in KINDS}
    also = Note("also_taken", {"share": shares["taken"]}) if shares["taken"] > 0 else ""
    yield Note(f"mostly_{conclusion}", {**shares, "also_taken": also})
    yield from _worst_label(result)
    yield from _worst_annotator(result)


def _how_far(result: xr.Dataset) -> Note:
    both, seen = ("strict_f1", "partial_f1"), float(result.attrs["pairable_items"])
    if result.attrs["interval"] and seen < LEAST:
        values: dict[str, object] = {name: float(result[name]) for name in both}
        return Note("how_far_of_few", {**values, "documents": seen}, "caution")
    decimals = decimals_for([float(result[f"{name}_standard_error"]) for name in both])
    code = "how_far_partial" if result.attrs["match"] == "partial" else "how_far"
    return Note(code, {name: _figure(result, name, decimals) for name in both})


def _figure(result: xr.Dataset, name: str, decimals: int) -> Note:
    ends = [float(result[f"{name}_ci_{end}"]) for end in ("low", "high")]
    values: dict[str, object] = {"estimate": float(result[name]), "decimals": decimals, "ends": ""}
    if ends[0] < ends[1]:
        certainty = {"confidence": result.attrs["confidence"], "ends": ends, "decimals": decimals}
        doubt = str(result[f"{name}_doubt"].item())
        code = "figure_ends_in_doubt" if doubt else "figure_ends"
        certainty |= {"why": Note(f"doubt_{doubt}")} if doubt else {}
        values["ends"] = Note(code, certainty)
    return Note("figure", values)


def _worst_label(result: xr.Dataset) -> Iterator[Note]:
    f1, support = result["label_f1"].values, result["support"].values
    names = [str(name) for name in result["label"].values.tolist()]
    frequent = (support >= FEW) & ~np.isnan(f1)
    if frequent.sum() < 2 or np.ptp(f1[frequent]) == 0:
        return
    unmatched = np.nan_to_num(result["label_unmatched"].values)
    most, worst = int(np.argmax(unmatched)), int(np.argmin(np.where(frequent, f1, np.inf)))
    share, title = float(unmatched[most] / unmatched.sum()), _title(result)
    # a title in lower case within a sentence, unless it begins with a name such as F1
    inside = title[:1].lower() + title[1:] if title[1:2].islower() else title
    numbers = {"label": names[most], "f1": float(f1[most]), "share": share, "title": inside}
    yield Note("most_label", numbers)
    if worst != most:
        numbers = {"label": names[worst], "f1": float(f1[worst]), "support": float(support[worst])}
        left_out = bool((~frequent & ~np.isnan(f1)).any())
        numbers |= {"often": Note("worst_of_often", {"least": FEW}) if left_out else ""}
        yield Note("worst_label", {**numbers, "title": title, "ends": _ends_of(result, worst)})


def _ends_of(result: xr.Dataset, label: int) -> Note | str:
    ends = [float(result[f"label_f1_ci_{end}"].values[label]) for end in ("low", "high")]
    if not ends[0] < ends[1]:
        return ""
    values = {"confidence": result.attrs["confidence"], "ends": ends, "decimals": 3}
    return Note("figure_ends", values)


def _title(result: xr.Dataset) -> str:
    return title_of(str(result.attrs["coefficient"]))


def _worst_annotator(result: xr.Dataset) -> Iterator[Note]:
    f1, names = result["annotator_f1"].values, result["annotator"].values
    known, marked = ~np.isnan(f1), result["annotator_spans"].values
    seen = result["annotator_documents"].values
    named = enough_to_name(np.where(known, marked, 0), seen)
    if known.sum() > 2 and named.any() and np.ptp(f1[named]) > 0:
        worst = int(np.argmin(np.where(named, f1, np.inf)))
        values: dict[str, object] = {"annotator": str(names[worst]), "f1": float(f1[worst])}
        values["documents"] = float(seen[worst])
        enough = Note("worst_of_enough", {"least": ANNOTATOR_RATINGS, "documents": DOCUMENTS})
        values["among"] = enough if (known & ~named).any() else ""
        yield Note("worst_annotator", {**values, "title": _title(result)})
    few = (marked < ANNOTATOR_RATINGS) | (seen < DOCUMENTS)
    for name in ("times_as_many", "times_as_long"):
        times = np.where(few, np.nan, result[name].values)
        at = np.where(times > APART)[0]
        if len(at):
            most = int(at[np.argmax(times[at])])
            yield Note(name, {"annotator": str(names[most]), "times": float(times[most])})


_MOST_ASIDE = 0.8
"""Minimum share of an annotator's paired spans that must lie later (or earlier) for a note."""

_FEWEST_PARTNERS = 10
"""Minimum number of an annotator's paired spans for a note."""


def shifted(names: Values, documents: Documents) -> Iterator[Note]:
    """Yield a note on an annotator whose spans nearly all lie later, or earlier, than the others'.

    Spans are compared with overlapping spans of the same label by other annotators, and only spans
    of equal length count as moved. If one annotator's spans lie later and another's earlier, the
    note names the later one.
    """
    markings, pairs = documents.markings.distinct, documents.pairs
    couples = overlapping(markings, pairs)
    label = markings.units.label_of
    couples = couples.take(label[couples.first] == label[couples.second])
    couples = best_couples(couples, np.ones(len(couples.pair), dtype=np.bool_))
    start, end = markings.extents
    moved = start[couples.first] - start[couples.second]
    # spans of different length do not count as moved
    moved[end[couples.first] - end[couples.second] != moved] = 0
    who = np.concatenate(
        [pairs.first_column[couples.pair], pairs.second_column[couples.pair]]
    ).astype(np.intp)
    later = np.concatenate([moved, -moved])
    partners = np.bincount(who, minlength=len(names))
    for sign, code in ((1, "places_later"), (-1, "places_earlier")):
        moved_aside = sign * later > 0
        share = np.bincount(who[moved_aside], minlength=len(names)) / np.maximum(partners, 1)
        share[partners < _FEWEST_PARTNERS] = 0.0
        worst = int(np.argmax(share))
        if share[worst] >= _MOST_ASIDE:
            distance = np.abs(later[moved_aside & (who == worst)])
            values = {"annotator": str(names[worst]), "share": float(share[worst])}
            yield Note(code, {**values, "places": float(np.median(distance))}, "caution")
            return
