"""The picture of agreement over time. Needs matplotlib, which is not installed with the package."""

from __future__ import annotations

from typing import Any

import numpy as np
import xarray as xr

from iaa_jax.report.picture import picture
from iaa_jax.report.text import visible

_INK, _LINE, _BAND, _STEP = "#222222", "#1f4e79", "#5b8db8", "#b3541e"


def drift_picture(found: xr.Dataset, title: str, suffix: str, source: str = "") -> bytes:
    """Draw local estimates with their bands, the figure of all items, and a step that is shown.

    Parameters
    ----------
    found
        A result of ``drift``.
    title
        What the coefficient is called.
    suffix
        ".png", ".svg" or ".pdf".
    source
        Where the ratings come from, below the title.
    """

    def draw(figure: Any, axes: Any) -> None:
        _draw(axes, found)
        _dress(axes, found, title, source)
        figure.legend(frameon=False, fontsize=9, loc="outside lower center", ncols=3)

    return picture(draw, suffix)


def _draw(axes: Any, found: xr.Dataset) -> None:
    batches = found.attrs["kind"] == "batches"
    points = found["point"].values
    at = np.arange(len(points)) if batches else points
    estimate = found["estimate"].values
    confidence = f"{100 * float(found.attrs['confidence']):g} %"
    for name, alpha, label in (
        ("band", 0.18, f"{confidence} band, everywhere at once"),
        ("ci", 0.32, f"{confidence} interval, at each point"),
    ):
        low, high = found[f"{name}_low"].values, found[f"{name}_high"].values
        if not np.isfinite(low).any():
            continue
        if batches:
            width = 2.0 if name == "band" else 6.0
            axes.vlines(at, low, high, color=_BAND, alpha=0.7, linewidth=width, label=label)
        else:
            axes.fill_between(at, low, high, color=_BAND, alpha=alpha, linewidth=0, label=label)
    marks = {"marker": "o", "linestyle": ""} if batches else {"linewidth": 2}
    axes.plot(at, estimate, color=_LINE, label="estimate", zorder=4, **marks)
    if batches:
        every = max(1, len(points) // 12)
        axes.set_xticks(at[::every], [visible(name) for name in points[::every]], rotation=30)
    elif points.dtype.kind == "M":
        from matplotlib.dates import AutoDateLocator, ConciseDateFormatter

        locator = AutoDateLocator(maxticks=8)  # type: ignore[no-untyped-call]
        axes.xaxis.set_major_locator(locator)
        written = ConciseDateFormatter(locator)  # type: ignore[no-untyped-call]
        axes.xaxis.set_major_formatter(written)
    overall = float(found["overall"])
    if np.isfinite(overall):
        axes.axhline(
            overall, color="#888888", linewidth=1, linestyle=(0, (1, 2)), label="all items"
        )
    if float(found["change_p_value"]) > 1 - float(found.attrs["confidence"]):
        return
    change = found["change_at"].values
    where = int(np.flatnonzero(points == change)[0]) - 0.5 if batches else change
    step = f"{float(found['change_before']):.2f} to {float(found['change_after']):.2f}"
    axes.axvline(where, color=_STEP, linewidth=1.4, linestyle=(0, (5, 3)), label=f"step: {step}")


def _dress(axes: Any, found: xr.Dataset, title: str, source: str) -> None:
    axes.set_title(title, loc="left", color=_INK, fontsize=12, fontweight="bold")
    below = f"{visible(source)}, " if source else ""
    axes.set_xlabel(f"{below}by {visible(found.attrs['by'])}", parse_math=False)
    axes.grid(axis="y", color="#dddddd", linewidth=0.7)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color("#999999")
    axes.tick_params(colors="#555555")
    low, high = axes.get_ylim()
    axes.set_ylim(low, min(high, 1.05))
