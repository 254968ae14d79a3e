"""What a study of drift comes to, in plain words with the numbers behind it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import xarray as xr

from iaa_jax.report.text import count, counted, number, percent, visible

NAMES_SHOWN = 3
_OTHER_PANEL = 0.1
_OTHER_LABELS = 0.05
_SMALL_SHARE = 0.02
_HARDLY = 5
_DAYS_WITH_HOURS = 10


def advice(found: xr.Dataset, title: str) -> Iterator[str]:
    """What the figures come to, and where to look."""
    alpha = 1 - float(found.attrs["confidence"])
    p_value = float(found["p_value"])
    if math.isnan(p_value):
        yield from _untested(found)
        return
    if p_value > alpha + 1e-12:
        yield (
            f"No drift can be shown: shuffling the times among the items gives changes as large "
            f"as these with p = {_p(p_value)} (a step, a trend and a single window looked at "
            "together)."
        )
        yield from _excluded(found)
        yield from _largest_step(found)
        return
    said = 0
    step_p, slope_p = float(found["change_p_value"]), float(found["slope_p_value"])
    if step_p <= alpha:
        said += 1
        yield from _step(found, title, step_p)
    if slope_p <= alpha:
        yield from _trend(found, title, slope_p, beside=bool(said))
        said += 1
    deviation_p = float(found["deviation_p_value"])
    if deviation_p <= alpha and not said:
        said += 1
        yield from _window(found, title, deviation_p)
    if not said:
        yield (
            f"Something changes over time (p = {_p(p_value)} for a step, a trend and a single "
            "window together), but no one of them stands out: look at the table."
        )
    if step_p <= alpha:
        yield from _panel(found)
        yield from _labels(found)


def _untested(found: xr.Dataset) -> Iterator[str]:
    if not int(found.attrs["permutations"]):
        yield "No test was made (--permutations 0): nothing here tells chance from drift."
    else:
        yield "No test could be made: too few items, or nothing that varies."
    yield from _excluded(found)


def _step(found: xr.Dataset, title: str, p_value: float) -> Iterator[str]:
    before, after = float(found["change_before"]), float(found["change_after"])
    moved = "fell" if after < before else "rose"
    errors = [number(float(found[f"change_{side}_standard_error"])) for side in ("before", "after")]
    at = _place(found, "change_at")
    low, high = (_one(found, f"change_{name}") for name in ("low", "high"))
    where = f"between {low} and {high}" if low != high else "no other cut comes near"
    yield (
        f"{title} {moved} from {number(before)} (SE {errors[0]}) to {number(after)} (SE "
        f"{errors[1]}) at {at} (p = {_p(p_value)}; {100 * float(found.attrs['confidence']):g} % "
        f"sure of the place: {where}). Look at what changed then: guidelines, annotators, sources, "
        "the tool."
    )


def _trend(found: xr.Dataset, title: str, p_value: float, *, beside: bool) -> Iterator[str]:
    change, low, high = (float(found[f"period_change{end}"]) for end in ("", "_ci_low", "_ci_high"))
    slope, unit = float(found["slope"]), str(found.attrs["unit"])
    yield (
        f"As a straight trend {title if not beside else 'it'} {'falls' if change < 0 else 'rises'} "
        f"by {number(abs(change))} over the whole time ({_signed(low)} to {_signed(high)}; p = "
        f"{_p(p_value)}), {slope:.3g} per {visible(unit)}."
        + (" A step looks like a trend, and a trend like a step: the table tells." * beside)
        + (
            " A slow change points to habits, fatigue or harder items more than to one event."
            * (not beside)
        )
    )


def _window(found: xr.Dataset, title: str, p_value: float) -> Iterator[str]:
    at = _one(found, "deviation_at")
    place = int(np.flatnonzero(texts_of(found, "point") == at)[0])
    where = "in" if found.attrs["kind"] == "batches" else "around"
    there, overall = float(found["estimate"][place]), float(found["overall"])
    yield (
        f"{title} {where} {_place(found, 'deviation_at')} is {number(there)}, against "
        f"{number(overall)} on all items (p = {_p(p_value)}), and no step or trend explains it. "
        "Look at the items and annotators of that time."
    )


def _excluded(found: xr.Dataset) -> Iterator[str]:
    change, low, high = (float(found[f"period_change{end}"]) for end in ("", "_ci_low", "_ci_high"))
    if math.isnan(low):
        return
    sure = f"{100 * float(found.attrs['confidence']):g} %"
    trend = f"The straight trend is {_signed(change)} over the whole time"
    falls, rises = low < 0, high > 0
    bounds = []
    if falls:
        bounds.append(f"a steady fall of more than {number(-low)}")
    if rises:
        bounds.append(f"a steady rise of more than {number(high)}")
    wide = high - low > 0.2
    tail = (
        " That is wide: these items cannot tell a steady agreement from one that moves that much."
        if wide
        else ""
    )
    excluded = " and ".join(bounds)
    verb = "are" if len(bounds) > 1 else "is"
    ends = f"{_signed(low)} to {_signed(high)}"
    yield f"{trend} ({ends}): {excluded} {verb} excluded at {sure}.{tail}"


def _largest_step(found: xr.Dataset) -> Iterator[str]:
    before, after = float(found["change_before"]), float(found["change_after"])
    if math.isnan(before):
        return
    at, cuts = _place(found, "change_at"), found.sizes["cut"]
    which = f"largest of {count(cuts)} steps tried" if cuts > 1 else "only step tried"
    yield (
        f"The {which} is from {number(before)} to {number(after)} at {at} "
        f"(p = {_p(float(found['change_p_value']))}): chance alone makes such steps."
    )


def _panel(found: xr.Dataset) -> Iterator[str]:
    moved = float(found["panel_change"])
    if math.isnan(moved):
        return
    before, after = found["ratings_before"].values, found["ratings_after"].values
    shares = before / before.sum(), after / after.sum()
    if moved < _OTHER_PANEL:
        yield (
            f"The same people rated before and after (their shares of the ratings moved by "
            f"{percent(moved)}): it is not a change of annotators."
        )
        return
    names = found["annotator"].values
    order = np.argsort(-np.abs(shares[1] - shares[0]), kind="stable")[:NAMES_SHOWN]
    parts = [
        f"{visible(names[place])} {_percent(shares[0][place])} to {_percent(shares[1][place])}"
        for place in order
        if abs(shares[1][place] - shares[0][place]) >= _SMALL_SHARE
    ]
    # who hardly rated on one side is counted with the other
    gone = int((shares[1] < shares[0] / _HARDLY).sum())
    came = int((shares[0] < shares[1] / _HARDLY).sum())
    least, most = np.minimum(*shares), np.maximum(*shares)
    both = names[(least > 0) & (least >= most / _HARDLY)]
    yield (
        f"Who rated changed there too: {percent(moved)} of the ratings moved to others "
        f"({'; '.join([*parts, f'{count(gone)} stopped, {count(came)} began'])}). It may be other "
        "annotators rather than other habits"
        + (
            f": run again with --keep-annotators {','.join(map(visible, both))}, who rated in both."
            if 2 <= len(both) <= 8 and (gone or came)
            else f". {counted(len(both), 'annotator')} rated in both."
        )
    )


def _labels(found: xr.Dataset) -> Iterator[str]:
    if "label_share_before" not in found:
        return
    before, after = (found[f"label_share_{side}"].values for side in ("before", "after"))
    place = int(np.argmax(np.abs(after - before)))
    if abs(after[place] - before[place]) >= _OTHER_LABELS:
        yield (
            f"The labels changed as well: {visible(found['label'].values[place])} went from "
            f"{percent(before[place])} to {percent(after[place])} of the ratings. Chance-corrected "
            "agreement moves with how often labels occur; iaa items shows which items count."
        )


def texts_of(found: xr.Dataset, name: str) -> Any:
    """Times as short text: dates without hours where the time is long."""
    values = np.asarray(found[name].values)
    flat = values.reshape(-1)
    if values.dtype.kind == "M":
        hours = float(found.attrs["span"]) < _DAYS_WITH_HOURS
        texts = np.datetime_as_string(flat, unit="m" if hours else "D")
        texts = np.array([text.replace("T", " ") for text in texts.tolist()], dtype=object)
        texts = np.where(np.isnat(flat), "-", texts)
    elif values.dtype.kind == "f":
        texts = np.array([short(one) for one in flat.tolist()], dtype=object)
    else:
        texts = flat.astype(object)
    return texts.reshape(values.shape)


def _one(found: xr.Dataset, name: str) -> str:
    return visible(texts_of(found, name).reshape(-1)[0])


def _place(found: xr.Dataset, name: str) -> str:
    """A time in a sentence: a bare number says of what."""
    before = ""
    if found[name].dtype.kind == "f":
        by = visible(found.attrs["by"])
        before = "item " if found.attrs["unit"] == "item" else f"{by} "
    return before + _one(found, name)


def short(value: float) -> str:
    """A number of any size in few characters."""
    if math.isnan(value):
        return "-"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def _p(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.3f}" if value >= 0.0015 else f"{value:.2g}"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _signed(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:+z.3f}"
