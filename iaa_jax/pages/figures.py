"""Pictures drawn. Needs matplotlib, which is not installed with the package."""

from __future__ import annotations

import io
from collections.abc import Callable
from itertools import cycle
from textwrap import wrap
from typing import TYPE_CHECKING, cast
from warnings import catch_warnings

import numpy as np

from iaa_jax._types import Floats
from iaa_jax.pages.blocks import OVER_AN_AXIS, Mark, Picture
from iaa_jax.pages.cells import Speaker, shorten
from iaa_jax.pages.content import PageContent
from iaa_jax.pages.heat_maps import INK, draw_matrix
from iaa_jax.wording import Spelling, formats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.typing import RcKeyType


_INK, _MUTED, _GRID, _AXIS, _GREY = INK, "#595959", "#d9d9d9", "#8a8a8a", "#757677"
_MAIN, _BOUND = "#0072b2", "#d55e00"
_BAND = _MAIN
SERIES = ((_MAIN, "o"), (_BOUND, "s"), ("#009e73", "^"))
"""Colours and markers of main curves: no meaning hangs on a colour alone."""
COLOURS = {_INK: "ink", _MUTED: "muted", _GRID: "line", _AXIS: "axis", _GREY: "muted"}
"""Those that a page has its own for, dark or light, by their names in its style."""

_DASHED, _DOTTED = (0, (5, 3)), (0, (1, 2))
_SHORT = 3
"""Letters of names that stand upright side by side."""

_LONGEST_NAME = 40
"""Letters of a name in a picture."""

_LONGEST_LABEL = 200
"""Letters of what stands beside an axis."""

_TITLE, _SUBTITLE = 72, 100
"""Letters of a line above a picture."""

_TICKS = 12
_BESIDE = 0.16
"""How far points over one name stand apart."""

_ROOM = 0.05
"""Room above the most that there can be."""


def picture_file(page: PageContent, suffix: str, spelling: Spelling) -> bytes:
    """The first picture of a page as a file; ``suffix`` is ".png", ".svg" or ".pdf"."""
    kind = suffix.lower().removeprefix(".")
    return drawing(page.pictures[0], Speaker(page, spelling), kind)


def drawing(picture: Picture, speaker: Speaker, kind: str, *, titled: bool = True) -> bytes:
    """A picture drawn; without a title for a page that says it above, and lends its ground."""
    # without pyplot: no window, no state, and nothing of the user's settings is touched
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    settings: dict[RcKeyType, object] = {
        "font.size": 10,
        "svg.fonttype": "none",
        "svg.hashsalt": "iaa",
        "axes.unicode_minus": False,
        "text.color": _INK,
    }
    row = _ROW.get(picture.kind)
    height = 4.5 if row is None else row[0] + row[1] * len(picture.x)
    # of ticks that stand closer than asked, or letters that a font lacks
    with rc_context(settings), catch_warnings(action="ignore"):
        figure = Figure(figsize=(7.2, height), dpi=200, layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.add_subplot()
        if not titled:
            figure.patch.set_visible(False)
            axes.patch.set_visible(False)
        draw(axes, picture, speaker, titled=titled)
        if picture.kind in _WITH_LEGEND:
            legend = figure.legend(frameon=False, fontsize=9, loc="outside lower center", ncols=3)
            for text in legend.get_texts():
                text.set_parse_math(False)
        dates = {"pdf": {"CreationDate": None}, "svg": {"Date": None}}
        target = io.BytesIO()
        figure.savefig(target, format=kind, metadata=dates.get(kind))
    return target.getvalue()


def draw(axes: Axes, picture: Picture, speaker: Speaker, *, titled: bool = True) -> None:
    """Put a picture on axes."""
    if picture.kind in _DRAWN:
        _DRAWN[picture.kind](axes, picture)
        _dress(axes, picture, speaker, titled=titled)
        return
    points = picture.kind == "points"
    x = np.arange(len(picture.x)) if points else picture.x
    for index, band in enumerate(picture.bands):
        if not np.isfinite(band.low).any():
            continue
        label = shorten(speaker.text(band.label), _LONGEST_NAME)
        if points:
            width = 2.0 if index == 0 else 6.0
            axes.vlines(
                x, band.low, band.high, color=_BAND, alpha=0.7, linewidth=width, label=label
            )
            continue
        alpha = 0.25 if index == 0 else 0.4
        axes.fill_between(
            x, band.low, band.high, color=_BAND, alpha=alpha, linewidth=0, label=label
        )
    others = [curve for curve in picture.curves if curve.style == "other"]
    series = cycle(SERIES)
    aside = _aside(picture)
    for curve, moved in zip(picture.curves, aside, strict=True):
        color, marker = next(series) if curve.style == "main" else (_GREY, "")
        if not np.isfinite(curve.y).any():
            continue
        label = shorten(speaker.text(curve.label), _LONGEST_NAME)
        if curve.style == "other":
            # a leading underscore keeps a line out of the legend
            label = label if curve is others[0] else "_"
            axes.plot(x, curve.y, color=color, linewidth=0.8, alpha=0.7, label=label)
        elif curve.style == "bound":
            axes.plot(x, curve.y, color=_BOUND, linewidth=1.4, linestyle=_DASHED, label=label)
        elif points:
            # a band is a bar in the same colour, in which a point has to be seen
            ink = _INK if picture.bands else color
            axes.plot(x + moved, curve.y, marker, color=ink, zorder=4, label=label)
        else:
            axes.plot(x, curve.y, color=color, linewidth=2, zorder=4, label=label)
    for mark in picture.marks:
        _mark(axes, mark, shorten(speaker.text(mark.label), _LONGEST_NAME))
    _ticks(axes, picture)
    _dress(axes, picture, speaker, titled=titled)


def _aside(picture: Picture) -> Floats:
    """How far the points of each curve stand to a side, so that none hides another."""
    if picture.kind != "points" or picture.bands:
        return np.zeros(len(picture.curves))
    return (np.arange(len(picture.curves)) - (len(picture.curves) - 1) / 2) * _BESIDE


def _intervals(axes: Axes, picture: Picture) -> None:
    """A line for each row: its name, estimate and interval, drawn and in figures."""
    rows = np.arange(len(picture.x))
    estimates = picture.curves[0].y
    for band in picture.bands:
        axes.hlines(rows, band.low, band.high, color=_MAIN, linewidth=2)
    for mark in picture.marks:
        axes.plot(np.array([mark.x]), np.array([mark.y]), "|", color=_BOUND, markersize=12, mew=2)
    axes.plot(estimates, rows, "o", color=_MAIN, markersize=6, zorder=4)
    names = [shorten(formats.name(name), _LONGEST_NAME) for name in picture.x]
    axes.set_yticks(rows, names, parse_math=False)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    beside = axes.secondary_yaxis("right")
    low, high = picture.bands[0].low, picture.bands[0].high
    beside.set_yticks(rows, list(map(_in_figures, estimates, low, high)))
    beside.tick_params(length=0, colors=_INK)
    beside.spines["right"].set_visible(False)


def _bars(axes: Axes, picture: Picture) -> None:
    """A bar for each name, with its count above it."""
    _ticks(axes, picture)
    places = np.arange(len(picture.x))
    heights = picture.curves[0].y
    axes.bar(places, heights, color=_MAIN, width=0.8)
    axes.yaxis.set_major_formatter("{x:,g}")
    for place, height in zip(places, heights, strict=True):
        axes.annotate(
            formats.count(height), (place, height), (0, 3), textcoords="offset points", ha="center"
        )


_DRAWN: dict[str, Callable[[Axes, Picture], None]] = {
    "intervals": _intervals,
    "bars": _bars,
    "matrix": draw_matrix,
}
"""Kinds that are not curves over an axis."""

_WITH_LEGEND = OVER_AN_AXIS
_ROW = {"intervals": (0.8, 0.3), "matrix": (2.6, 0.42)}
"""Inches of a picture whose height grows with its names: without any, and for each."""


def _in_figures(estimate: float, low: float, high: float) -> str:
    if not np.isfinite(estimate):
        return "undefined"
    ends = f"  {formats.interval((low, high))}" if np.isfinite([low, high]).all() else ""
    return f"{formats.number(estimate)}{ends}"


def _mark(axes: Axes, mark: Mark, label: str) -> None:
    if mark.y is None:
        x = cast("float", mark.x)  # or a date
        axes.axvline(x, color=_BOUND, linewidth=1.4, linestyle=_DASHED, label=label)
    elif mark.x is None:
        axes.axhline(mark.y, color=_GREY, linewidth=1, linestyle=_DOTTED, label=label)
    else:
        axes.plot(
            np.array([mark.x]),
            [mark.y],
            "o",
            color=_MAIN,
            markersize=6,
            zorder=5,
            clip_on=False,
            label=label,
        )


def _ticks(axes: Axes, picture: Picture) -> None:
    if picture.kind in ("points", "bars"):
        step = max(1, len(picture.x) // _TICKS)
        positions = range(0, len(picture.x), step)
        names = [shorten(formats.name(picture.x[at]), _LONGEST_NAME) for at in positions]
        turned = 30 if max(map(len, names), default=0) > _SHORT else 0
        axes.set_xticks(list(positions), names, rotation=turned, parse_math=False)
    elif picture.x.dtype.kind == "M":
        from matplotlib.dates import AutoDateLocator, ConciseDateFormatter

        locator = AutoDateLocator(maxticks=8)  # type: ignore[no-untyped-call]
        axes.xaxis.set_major_locator(locator)
        axes.xaxis.set_major_formatter(ConciseDateFormatter(locator))  # type: ignore[no-untyped-call]
    elif len(picture.x) > 1:
        axes.set_xlim(picture.x[0], picture.x[-1])


def _dress(axes: Axes, picture: Picture, speaker: Speaker, *, titled: bool) -> None:
    if titled:
        font = {"color": _INK, "fontsize": 12, "fontweight": "bold"}
        title = wrap(speaker.text(picture.title), _TITLE)
        below = wrap(speaker.text(picture.subtitle), _SUBTITLE)
        pad = 10 + 14 * len(below)
        axes.set_title("\n".join(title), font, loc="left", pad=pad, parse_math=False)
        lines = axes.annotate(
            "\n".join(below),
            (0, 1),
            (0, 8),
            xycoords="axes fraction",
            textcoords="offset points",
            color=_MUTED,
            parse_math=False,  # a name may hold dollar signs
        )
        lines.set_in_layout(False)
    listed = picture.kind == "intervals"
    for name, label in (("x", picture.x_label), ("y", picture.y_label)):
        said = "\n".join(wrap(shorten(speaker.text(label), _LONGEST_LABEL), 2 * _LONGEST_NAME))
        axes.set(**{f"{name}label": said})
        text = axes.xaxis.label if name == "x" else axes.yaxis.label
        text.set(color=_MUTED, parse_math=False)
    if picture.kind == "matrix":
        return
    axes.grid(axis="x" if listed else "y", color=_GRID, linewidth=0.7)
    axes.set_axisbelow(True)
    for side in ("top", "right", *(("left",) if listed else ())):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(_AXIS)
    axes.tick_params(colors=_MUTED)
    if listed:
        axes.tick_params(axis="y", length=0, labelcolor=_INK)
        return
    axes.margins(y=0.12)
    if picture.y_most is not None:
        low, high = axes.get_ylim()
        axes.set_ylim(low, min(high, picture.y_most + _ROOM))
