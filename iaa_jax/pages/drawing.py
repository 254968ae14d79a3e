"""Pictures drawn with matplotlib."""

from __future__ import annotations

import io
from collections.abc import Callable
from itertools import cycle
from typing import TYPE_CHECKING, cast

import numpy as np

from iaa_jax._types import Floats
from iaa_jax.pages.blocks import OVER_AN_AXIS, Mark, Picture
from iaa_jax.pages.cells import Speaker, distinct_names, shorten
from iaa_jax.pages.content import PageContent
from iaa_jax.pages.heat_maps import INK, ON_FAINT, ON_FULL, SHADE, draw_matrix
from iaa_jax.pages.lettering import fonts, lines_within, quietly, room_of, widest
from iaa_jax.wording import Spelling, formats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine
    from matplotlib.typing import RcKeyType


_INK, _MUTED, _GRID, _AXIS, _GREY = INK, "#595959", "#d9d9d9", "#8a8a8a", "#757677"
_MAIN, _BOUND = "#0072b2", "#d55e00"
_BAND = _MAIN
SERIES = ((_MAIN, "o"), (_BOUND, "s"), ("#009e73", "^"))
"""Colours and markers of main curves; no meaning depends on colour alone."""
COLOURS = {
    **{_INK: "ink", _MUTED: "muted", _GRID: "line", _AXIS: "axis", _GREY: "muted"},
    **{SHADE: "cell", ON_FAINT: "faint", ON_FULL: "full"},
}
"""Colours that a page redefines for dark and light themes, with their names in style.css."""

_DASHED, _DOTTED = (0, (5, 3)), (0, (1, 2))
_LONGEST_CURVE = 40

_LONGEST_NAME, _LEAST_NAME = 30, 10
"""Maximum length of a row's name, and the minimum to which it is cut to make room for numbers."""

_LONGEST_TICK = 20

_LONGEST_LABEL, _LABELLED = 120, 0.7
"""Maximum length of an axis label, and the maximum share of the axis that it takes."""

_WIDE, _NARROW = 7.2, 3.6
"""Width in inches of a usual picture, and of one for a telephone."""

_MARGIN = 0.1
"""Margin around the title of a picture, in inches."""

_TICKS, _DATES = 12, 6
_OFFSET = 0.16
"""Horizontal distance between points that share a name."""

_ROOM = 0.05
"""Room on the y-axis above the largest possible value."""


def picture_file(page: PageContent, suffix: str, spelling: Spelling) -> bytes:
    """Return the first picture of a page as a file; ``suffix`` is ".png", ".svg" or ".pdf"."""
    kind = suffix.lower().removeprefix(".")
    return drawing(page.pictures[0], Speaker(page, spelling), kind)


def drawing(
    picture: Picture, speaker: Speaker, kind: str, *, titled: bool = True, narrow: bool = False
) -> bytes:
    """Return the file of a picture; if not ``titled``, without title and background."""
    # pyplot is avoided, since it may open a window, and changes global state
    with quietly():
        from matplotlib import rc_context
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        settings: dict[RcKeyType, object] = {
            "font.family": [*fonts()],
            "font.size": 10,
            "svg.fonttype": "none",
            "svg.hashsalt": "iaa",
            "axes.unicode_minus": False,
            "text.color": _INK,
            "figure.autolayout": False,
            "figure.constrained_layout.use": False,
        }
        with rc_context(settings):
            size = size_of(picture, narrow=narrow)
            figure = Figure(figsize=size, dpi=200, layout="constrained")
            FigureCanvasAgg(figure)
            _engine(figure).set(w_pad=_MARGIN, h_pad=_MARGIN / 2)
            compose(figure, picture, speaker, narrow=narrow)
            if titled:
                _head(figure, picture, speaker)
            else:
                figure.patch.set_visible(False)
                for axes in figure.axes:
                    axes.patch.set_visible(False)
            dates = {"pdf": {"CreationDate": None}, "svg": {"Date": None}}
            target = io.BytesIO()
            _engine(figure).execute(figure)
            figure.set_layout_engine(None)  # saving would otherwise repeat the layout
            figure.savefig(target, format=kind, metadata=dates.get(kind))
    return target.getvalue()


def size_of(picture: Picture, *, narrow: bool = False) -> tuple[float, float]:
    """Return the width and height of a picture without its title, in inches."""
    names = len(picture.x)
    if picture.kind == "matrix":
        return _NARROW if narrow else _WIDE, 1.8 + max(0.22 * names, min(0.42 * names, 5.0))
    if picture.kind == "intervals":
        return (_NARROW, 0.6 + 0.5 * names) if narrow else (_WIDE, 0.6 + 0.3 * names)
    return (_NARROW, 3.6) if narrow else (_WIDE, 4.0)


def compose(figure: Figure, picture: Picture, speaker: Speaker, *, narrow: bool = False) -> Axes:
    """Draw a picture on a figure, with a legend for curves over an axis."""
    axes = figure.add_subplot()
    draw(axes, picture, speaker, narrow=narrow)
    if picture.kind in OVER_AN_AXIS:
        names = [name for name in axes.get_legend_handles_labels()[1] if name]
        room = figure.get_figwidth() - 2 * _MARGIN
        columns = min(3, max(1, int(room // (widest(names, 9) + 0.6))))
        legend = figure.legend(frameon=False, fontsize=9, loc="outside lower center", ncols=columns)
        for text in legend.get_texts():
            text.set_parse_math(False)
    return axes


def _head(figure: Figure, picture: Picture, speaker: Speaker) -> None:
    width, height = figure.get_size_inches().tolist()
    above, parts = 2 * _MARGIN, []
    for content, size, weight, color in (
        (picture.title, 12, "bold", _INK),
        (picture.subtitle, 10, "normal", _MUTED),
    ):
        lines = lines_within(speaker.text(content), width - 2 * _MARGIN, size, weight)
        font = {"fontsize": size, "fontweight": weight, "color": color}
        parts.append((above - _MARGIN, "\n".join(lines), font))
        above += len(lines) * 1.35 * size / 72
    figure.set_figheight(height + above)
    for down, text, font in parts:
        position = _MARGIN / width, 1 - down / (height + above)
        figure.text(*position, text, font, va="top", parse_math=False)
    _engine(figure).set(rect=(0, 0, 1, height / (height + above)))


def _engine(figure: Figure) -> ConstrainedLayoutEngine:
    return cast("ConstrainedLayoutEngine", figure.get_layout_engine())


def draw(axes: Axes, picture: Picture, speaker: Speaker, *, narrow: bool = False) -> None:
    """Draw a picture on axes."""
    if picture.kind in _DRAWN:
        _DRAWN[picture.kind](axes, picture, narrow)
        _dress(axes, picture, speaker)
        return
    points = picture.kind == "points"
    x = np.arange(len(picture.x)) if points else picture.x
    labels = [band.label for band in picture.bands] + [curve.label for curve in picture.curves]
    labels += [mark.label for mark in picture.marks]
    names = distinct_names(list(map(speaker.text, labels)), _LONGEST_CURVE)
    for index, band in enumerate(picture.bands):
        if not np.isfinite(band.low).any():
            continue
        label = names[index]
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
    offsets = _offsets(picture)
    of_curves = names[len(picture.bands) :]
    for curve, offset, label in zip(picture.curves, offsets, of_curves, strict=False):
        color, marker = next(series) if curve.style == "main" else (_GREY, "")
        if not np.isfinite(curve.y).any():
            continue
        if curve.style == "other":
            # a leading underscore keeps a line out of the legend
            label = label if curve is others[0] else "_"
            axes.plot(x, curve.y, color=color, linewidth=0.8, alpha=0.7, label=label)
        elif curve.style == "bound":
            axes.plot(x, curve.y, color=_BOUND, linewidth=1.4, linestyle=_DASHED, label=label)
        elif points:
            # a band is a bar of the same colour, in which the point must stay visible
            ink = _INK if picture.bands else color
            axes.plot(x + offset, curve.y, marker, color=ink, zorder=4, label=label)
        else:
            axes.plot(x, curve.y, color=color, linewidth=2, zorder=4, label=label)
    for mark, label in zip(picture.marks, names[len(names) - len(picture.marks) :], strict=True):
        _mark(axes, mark, label)
    _ticks(axes, picture, narrow=narrow)
    _dress(axes, picture, speaker)


def _offsets(picture: Picture) -> Floats:
    """Return horizontal offsets for the points of each curve, so that none hides another."""
    if picture.kind != "points" or picture.bands:
        return np.zeros(len(picture.curves))
    return (np.arange(len(picture.curves)) - (len(picture.curves) - 1) / 2) * _OFFSET


def _intervals(axes: Axes, picture: Picture, narrow: bool) -> None:
    """Draw each row's name, estimate and interval, with the estimate and interval also as numbers.

    A mark without ``y`` is a vertical line through all rows, such as one at 0. In a narrow picture,
    the name and the numbers go above the drawn interval.
    """
    rows = np.arange(len(picture.x))
    estimates = picture.curves[0].y
    for band in picture.bands:
        axes.hlines(rows, band.low, band.high, color=_MAIN, linewidth=2)
    for mark in picture.marks:
        if mark.y is None:
            axes.axvline(cast("float", mark.x), color=_AXIS, linewidth=1.4, linestyle=_DASHED)
        else:
            x, y = np.array([mark.x]), np.array([mark.y])
            axes.plot(x, y, "|", color=_BOUND, markersize=12, mew=2)
    axes.plot(estimates, rows, "o", color=_MAIN, markersize=6, zorder=4)
    whole = list(map(formats.name, picture.x))
    low, high = picture.bands[0].low, picture.bands[0].high
    figures = list(map(_in_figures, estimates, low, high))
    names = distinct_names(whole, _LONGEST_NAME)
    if narrow:
        room = _NARROW - 4 * _MARGIN - widest(figures, 10)
        names = next(
            cut
            for longest in range(_LONGEST_NAME, 0, -2)
            if widest(cut := distinct_names(whole, longest), 10) <= room or longest <= _LEAST_NAME
        )
        axes.set_ylim(len(rows) - 0.6, -0.8)
        axes.set_yticks([])
        for row, texts in enumerate(zip(names, figures, strict=True)):
            for at, text in enumerate(texts):
                axes.annotate(
                    text,
                    (at, row),
                    (0, 7),
                    xycoords=("axes fraction", "data"),
                    textcoords="offset points",
                    ha=("left", "right")[at],
                    color=_INK,
                    parse_math=False,
                )
        return
    axes.set_yticks(rows, names, parse_math=False)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    right_axis = axes.secondary_yaxis("right")
    right_axis.set_yticks(rows, figures)
    right_axis.tick_params(length=0, colors=_INK)
    right_axis.spines["right"].set_visible(False)


def _bars(axes: Axes, picture: Picture, narrow: bool) -> None:
    _ticks(axes, picture, narrow=narrow)
    positions = np.arange(len(picture.x))
    heights = picture.curves[0].y
    axes.bar(positions, heights, color=_MAIN, width=0.8)
    axes.yaxis.set_major_formatter("{x:,g}")
    shown = list(map(formats.count, heights))
    size = 8 if widest(shown, 10) > room_of(axes)[0] / len(positions) else 10
    for position, height, count in zip(positions, heights, shown, strict=True):
        axes.annotate(
            count,
            (position, height),
            (0, 3),
            textcoords="offset points",
            ha="center",
            fontsize=size,
        )


_DRAWN: dict[str, Callable[[Axes, Picture, bool], None]] = {
    "intervals": _intervals,
    "bars": _bars,
    "matrix": draw_matrix,
}
"""Functions that draw the kinds of pictures without curves over an axis."""


def _in_figures(estimate: float, low: float, high: float) -> str:
    if not np.isfinite(estimate):
        return "undefined"
    ends = f"\u00a0\u00a0{formats.interval((low, high))}" if np.isfinite([low, high]).all() else ""
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


def _ticks(axes: Axes, picture: Picture, *, narrow: bool) -> None:
    if picture.kind in ("points", "bars"):
        step = max(1, len(picture.x) // (_TICKS // (1 + narrow)))
        positions = range(0, len(picture.x), step)
        some = [formats.name(picture.x[at]) for at in positions]
        names = distinct_names(some, _LONGEST_TICK)
        aslant = 1.1 * widest(names, 10) > room_of(axes)[0] / len(names)
        axes.set_xticks(
            list(positions),
            names,
            rotation=(50 if narrow else 30) if aslant else 0,
            ha="right" if aslant else "center",
            rotation_mode="anchor",
            va="top",
            parse_math=False,
        )
    elif picture.x.dtype.kind == "M":
        from matplotlib.dates import AutoDateFormatter, AutoDateLocator

        locator = AutoDateLocator(maxticks=_DATES - narrow)  # type: ignore[no-untyped-call]
        dates = AutoDateFormatter(locator)  # type: ignore[no-untyped-call]
        dates.scaled |= {1 / 24: "%m-%d %H:%M", 1 / 1440: "%m-%d %H:%M"}
        axes.xaxis.set_major_locator(locator)
        axes.xaxis.set_major_formatter(dates)
        if narrow:
            axes.tick_params(axis="x", rotation=30)
    elif len(picture.x) > 1:
        axes.set_xlim(picture.x[0], picture.x[-1])


def _label(axes: Axes, picture: Picture, speaker: Speaker) -> None:
    width, height = room_of(axes)
    for put, text, room in (
        (axes.set_xlabel, picture.x_label, width),
        (axes.set_ylabel, picture.y_label, height),
    ):
        lines = lines_within(shorten(speaker.text(text), _LONGEST_LABEL), _LABELLED * room, 10)
        put("\n".join(lines), color=_MUTED, parse_math=False)


def _dress(axes: Axes, picture: Picture, speaker: Speaker) -> None:
    listed = picture.kind == "intervals"
    _label(axes, picture, speaker)
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
