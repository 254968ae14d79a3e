"""The picture of a sweep over p. Needs matplotlib, which is not installed with the package."""

from __future__ import annotations

from typing import Any

import numpy as np
import xarray as xr

from iaa_jax.report.picture import picture
from iaa_jax.report.text import visible

_INK, _LINE, _BAND, _CEILING = "#222222", "#1f4e79", "#5b8db8", "#b3541e"


def curve_picture(curve: xr.Dataset, title: str, suffix: str, source: str = "") -> bytes:
    """Draw a curve over p with its bands and its ceiling.

    Parameters
    ----------
    curve
        A result of ``sweep`` with one figure at each p.
    title
        What the coefficient is called.
    suffix
        ".png", ".svg" or ".pdf".
    source
        Where the ratings come from, below the title.
    """

    def draw(_: Any, axes: Any) -> None:
        _draw(axes, curve)
        _dress(axes, curve, title, source)

    return picture(draw, suffix)


def _draw(axes: Any, curve: xr.Dataset) -> None:
    p, estimate = curve["p"].values, curve["estimate"].values
    confidence = f"{100 * float(curve.attrs['confidence']):g} %"
    for name, alpha, label in (
        ("band", 0.18, f"{confidence} band, for every p at once"),
        ("ci", 0.32, f"{confidence} interval, at each p"),
    ):
        low, high = curve[f"{name}_low"].values, curve[f"{name}_high"].values
        if np.isfinite(low).any():
            axes.fill_between(p, low, high, color=_BAND, alpha=alpha, linewidth=0, label=label)
            if name == "band":  # often hardly wider than the intervals: its edges are drawn
                axes.plot(p, low, p, high, color=_BAND, linewidth=0.8)
    axes.plot(p, estimate, color=_LINE, linewidth=2, label="estimate", solid_capstyle="round")
    ceiling = curve["estimate_at_ceiling"].values
    if np.isfinite(ceiling).any():
        axes.plot(p, ceiling, color=_CEILING, linewidth=1.4, linestyle=(0, (5, 3)), label="ceiling")
    at, highest = float(curve["p_at_maximum"]), float(curve["maximum"])
    if np.isfinite(highest):
        axes.plot([at], [highest], "o", color=_LINE, markersize=6, zorder=5, clip_on=False)
        right = at < 0.75
        below = highest > _highest(curve) - 0.1  # no room above, within the axes
        axes.annotate(
            f"{highest:.3f} at p = {at:.3g}",
            (at, highest),
            xytext=(8 if right else -8, -8 if below else 8),
            textcoords="offset points",
            ha="left" if right else "right",
            va="top" if below else "bottom",
            color=_LINE,
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 1.5},
            zorder=6,
        )


def _dress(axes: Any, curve: xr.Dataset, title: str, source: str) -> None:
    p = curve["p"].values
    axes.set_title(
        title, loc="left", color=_INK, fontsize=12, fontweight="bold", pad=24 + 14 * bool(source)
    )
    doubles, share = float(curve["doubles"]), float(curve["double_share"])
    below = f"{visible(source)}\n" if source else ""
    axes.text(
        0,
        1.025,
        f"{below}{doubles:,.6g} ratings ({100 * share:.1f} %) name a secondary label",
        transform=axes.transAxes,
        color="#666666",
        parse_math=False,  # a name may hold dollar signs
    )
    axes.set_xlabel(
        "p, the share of the primary label\n(0.5: both count the same, 1: secondary ignored)"
    )
    axes.set_xlim(p[0], p[-1]) if len(p) > 1 else None
    axes.grid(axis="y", color="#dddddd", linewidth=0.7)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color("#999999")
    axes.tick_params(colors="#555555")
    axes.margins(y=0.12)
    low, high = axes.get_ylim()
    axes.set_ylim(low, min(high, _highest(curve)))
    axes.legend(frameon=False, fontsize=9, loc="best")


def _highest(curve: xr.Dataset) -> float:
    """Where the axis ends: no figure is above 1, and no room is left above the band's top."""
    names = ("estimate", "ci_high", "band_high", "estimate_at_ceiling")
    drawn = np.concatenate([np.ravel(curve[name].values) for name in names])
    lows = np.concatenate([np.ravel(curve[name].values) for name in ("estimate", "band_low")])
    top = float(np.nanmax(drawn, initial=-np.inf))
    if not np.isfinite(top):
        return 1.05
    return min(1.05, top + 0.05 * (top - float(np.nanmin(lows))) + 0.005)
