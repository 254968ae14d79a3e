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
_SMALL_SHARE = 0.02
_HARDLY = 5
_DAYS_WITH_HOURS = 10
_LOOK = "Look at what changed then: guidelines, annotators, sources, the tool."


def advice(found: xr.Dataset, title: str) -> Iterator[str]:
    """What the figures come to, and where to look."""
    alpha = 1 - float(found.attrs["confidence"])
    p_value = float(found["p_value"])
    yield from _too_narrow(found)
    yield from _other_labels(found, alpha)
    if math.isnan(p_value):
        yield from _untested(found)
        return
    two = _figures(found) == 2
    step_p, slope_p, deviation_p = (
        float(found[f"{name}_p_value"]) for name in ("change", "slope", "deviation")
    )
    if p_value > alpha + 1e-12:
        yield from _nothing(found, title, p_value, two=two)
        return
    if two:
        yield from _two(found, title, p_value)
        if step_p <= alpha:
            yield from _panel(found)
        return
    said = 0
    if not _in_order(found) and deviation_p <= alpha:
        said += 1
        yield from _window(found, title, deviation_p)
    if step_p <= alpha:
        yield from _step(found, title, step_p, other=bool(said))
        said += 1
    if slope_p <= alpha:
        yield from _trend(found, title, slope_p, alpha, beside=bool(said))
        said += 1
    if deviation_p <= alpha and not said:
        said += 1
        yield from _window(found, title, deviation_p)
    if not said:
        yield (
            f"Something differs (p {_equals(p_value)} for {_looked_at(found)} together), but no "
            "one of them stands out: look at the table."
        )
    if step_p <= alpha:
        yield from _panel(found)


def _figures(found: xr.Dataset) -> int:
    """How many batches have a figure; windows count as many."""
    if found.attrs["kind"] != "batches":
        return 3
    return int(np.isfinite(found["estimate"].values).sum())


def _in_order(found: xr.Dataset) -> bool:
    return bool(found.attrs["in_order"])


def _looked_at(found: xr.Dataset) -> str:
    single = "a single batch" if found.attrs["kind"] == "batches" else "a single stretch"
    looks = [("change", "a step"), ("slope", "a trend"), ("deviation", single)]
    held = [said for name, said in looks if not math.isnan(float(found[f"{name}_p_value"]))]
    return ", ".join(held[:-1]) + f" and {held[-1]}" if len(held) > 1 else "".join(held)


def _other_labels(found: xr.Dataset, alpha: float) -> Iterator[str]:
    """That labels occur otherwise: first, for a coefficient may move with that alone."""
    p_value = float(found["label_p_value"])
    if not p_value <= alpha:
        return
    low, high = (float(found[f"label_{end}"]) for end in ("lowest", "highest"))
    at = [_place(found, f"label_{end}_at") for end in ("lowest", "highest")]
    where = "in" if found.attrs["kind"] == "batches" else "in the stretch from"
    yield (
        f"Labels occur differently: label {visible(found['label_changed'].item())} is "
        f"{percent(low)} of the ratings {where} {at[0]} and {percent(high)} {where} {at[1]} "
        f"(p {_equals(p_value)}). A coefficient that corrects for chance can move with "
        "that alone, by annotators who work "
        "as before: no test here tells that from a change of how they work."
    )


def _too_narrow(found: xr.Dataset) -> Iterator[str]:
    if np.isfinite(found["estimate"].values).any() or found.attrs["kind"] == "batches":
        return
    if int(found.attrs["windows_without_figure"]) < found.sizes["point"]:
        return
    yield (
        f"No window holds enough items: --bandwidth {float(found.attrs['bandwidth']):.4g} is too "
        f"narrow. Leave it out, or widen it: these items call for about "
        f"{float(found.attrs['usual_bandwidth']):.4g}."
    )


def _own_figures(found: xr.Dataset) -> list[str]:
    names = texts_of(found, "point")
    lows, highs = found["ci_low"].values, found["ci_high"].values
    said = []
    for place in np.flatnonzero(np.isfinite(found["estimate"].values)).tolist():
        ends = (
            f" ({number(lows[place])} to {number(highs[place])})"
            if math.isfinite(lows[place])
            else ""
        )
        said.append(
            f"{number(float(found['estimate'][place]))}{ends} in {_named(found, names[place])}"
        )
    return said


def _two(found: xr.Dataset, title: str, p_value: float) -> Iterator[str]:
    """Two batches: a comparison, no trend."""
    one, other = _own_figures(found)
    yield (
        f"{title} differs between the two batches: {one}, {other} "
        f"(p {_equals(p_value)}). Look at what differs: guidelines, annotators, "
        "sources, the tool. iaa compare sets them side by side."
    )


def _nothing(found: xr.Dataset, title: str, p_value: float, *, two: bool) -> Iterator[str]:
    if two:
        one, other = _own_figures(found)
        yield (
            f"No difference of {title} can be shown between the two batches: {one}, {other} "
            f"(p {_equals(p_value)}). iaa compare says how large a difference these items "
            "could show."
        )
        return
    yield (
        "No drift can be shown: equal figures at all times make differences as large as these "
        f"with p {_equals(p_value)} ({_looked_at(found)} looked at together)."
    )
    yield from _excluded(found)
    yield from _largest_step(found)


def _untested(found: xr.Dataset) -> Iterator[str]:
    if not int(found.attrs["permutations"]):
        yield "No test was made (--permutations 0): nothing here tells chance from drift."
    else:
        yield "No test could be made: too few items with a figure, or nothing that varies."
    yield from _excluded(found)


def _step(found: xr.Dataset, title: str, p_value: float, *, other: bool) -> Iterator[str]:
    before, after = float(found["change_before"]), float(found["change_after"])
    errors = [number(float(found[f"change_{side}_standard_error"])) for side in ("before", "after")]
    sides = f"{number(before)} (SE {errors[0]}) to {number(after)} (SE {errors[1]})"
    at = _place(found, "change_at")
    if not _in_order(found):
        yield (
            f"{'It' if other else title} is {sides.replace(' to ', ' before and ', 1)} from {at} "
            f"on (p {_equals(p_value)}), in the order in which the batches first appear in the "
            "file: a step in time only if that is their order (--order says another)."
        )
        return
    moved = "fell" if after < before else "rose"
    low, high = (_one(found, f"change_{name}") for name in ("low", "high"))
    where = f"between {low} and {high}" if low != high else "no other cut comes near"
    batches = found.attrs["kind"] == "batches"
    means = f", each {'the mean of its batches' if batches else 'of its items together'},"
    yield (
        f"{title} {moved} from {sides}{means} at {at} (p {_equals(p_value)}; the place at roughly "
        f"{100 * float(found.attrs['confidence']):g} %: {where}). {_LOOK}"
    )


def _trend(
    found: xr.Dataset, title: str, p_value: float, alpha: float, *, beside: bool
) -> Iterator[str]:
    change, low, high = (float(found[f"period_change{end}"]) for end in ("", "_ci_low", "_ci_high"))
    slope, unit = float(found["slope"]), str(found.attrs["unit"])
    ends = "" if math.isnan(low) else f"{_signed(low)} to {_signed(high)}; "
    if beside:
        tail = " A step looks like a trend, and a trend like a step: the table tells."
    elif float(found["label_p_value"]) <= alpha:
        tail = ""
    else:
        tail = " A slow change points to habits, fatigue or harder items more than to one event."
    yield (
        f"As a straight trend {title if not beside else 'it'} "
        f"{'falls' if change < 0 else 'rises'} by {number(abs(change))} over the whole time "
        f"({ends}p {_equals(p_value)}), {slope:.3g} per {visible(unit)}.{tail}"
    )


def _window(found: xr.Dataset, title: str, p_value: float) -> Iterator[str]:
    there, others = float(found["deviation_estimate"]), float(found["deviation_others"])
    tail = (
        ", and no step or trend explains it. Look at the items and annotators of that time."
        if _in_order(found)
        else ". Look at its items and annotators."
    )
    where, rest = "in", "in the other batches"
    if found.attrs["kind"] != "batches":
        where = "in the stretch from"
        rest = f"in the {int(found.attrs['stretches']) - 1} others of equal size"
    yield (
        f"{title} {where} {_place(found, 'deviation_at')} is {number(there)}, against "
        f"{number(others)} {rest} (mean of their own figures; p {_equals(p_value)}){tail}"
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
    if not bounds or high - low < 1e-9:
        return
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
    if not _in_order(found):
        at += ", in the order in which the batches first appear,"
    which = f"largest of {count(cuts)} steps tried" if cuts > 1 else "only step tried"
    yield (
        f"The {which} is from {number(before)} to {number(after)} at {at} "
        f"(p = {_p(float(found['change_p_value']))}): chance alone may make such steps."
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
    return _named(found, _one(found, name), found[name].dtype.kind == "f")


def _named(found: xr.Dataset, name: str, bare: bool | None = None) -> str:
    if bare is None:
        bare = found["point"].dtype.kind == "f"
    if not bare:
        return visible(name)
    by = visible(found.attrs["by"])
    return f"item {name}" if found.attrs["unit"] == "item" else f"{by} {name}"


def short(value: float) -> str:
    """A number of any size in few characters."""
    if math.isnan(value):
        return "-"
    if abs(value) < 1000:
        return f"{value:.4g}"
    # four digits may be a year
    return f"{value:.0f}" if abs(value) < 10_000 else f"{value:,.0f}"


def _p(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.3f}" if value >= 0.0015 else f"{value:.2g}"


def _equals(value: float) -> str:
    return f"= {_p(value)}" if value >= 0.0001 else "below 0.0001"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _signed(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:+z.3f}"
