"""Matrices drawn as heat maps: on a light background, cells with larger values are darker."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np

from iaa_jax._types import Floats
from iaa_jax.pages.blocks import Picture
from iaa_jax.pages.cells import distinct_names
from iaa_jax.pages.lettering import room_of, widest
from iaa_jax.wording import formats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure

MOST = 40
"""Maximum number of rows, or of columns, of a matrix in a picture."""

_WITH_FIGURES = 16
"""Maximum number of names for which cells show numbers, and names have their usual size."""

MOST_NARROW = 5
"""Maximum number of names for which a page has a second, narrow picture for telephones."""

_LONGEST_NAME, _NARROW_NAME = 18, 12

_GAP = 0.25
"""Gap between a matrix and its additional column, in widths of a column."""

_SHADES, _SHADES_OF_CELLS = 10, 64
"""Number of shades in the key, and in cells without numbers."""

INK = "#1b1b1b"
"""Colour of text, which a page may redefine."""

SHADE = "#0b3c7d"
"""Colour of the largest value; for smaller ones it is more transparent, and for 0 invisible."""

ON_FAINT, ON_FULL = "#010101", "#fefefe"
"""Colours of numbers on the background and on the darkest shade."""

FULL_FROM = 0.6965
"""Share of the darkest shade from which on numbers have the colour ``ON_FULL``.

The contrast is at least 4.5 to 1 below and above this share, also on a dark background.
"""

_EDGE, _OUTLINE = "#d9d9d9", "#8a8a8a"


def matrix_of(picture: Picture) -> Floats:
    """Return the values of a matrix, row by row."""
    return np.array([curve.y for curve in picture.curves], dtype=np.float64)


def shades() -> Colormap:
    """Return a colour map from transparent to one colour, so that 0 shows the background."""
    from matplotlib.colors import LinearSegmentedColormap, to_rgba

    return LinearSegmentedColormap.from_list("iaa", [to_rgba(SHADE, 0), to_rgba(SHADE, 1)])


def draw_matrix(axes: Axes, picture: Picture, narrow: bool = False) -> None:
    """Draw a matrix on axes; cells without a value are hatched.

    Cells on the diagonal are outlined, not shaded: in a matrix of confusions, their shades would
    dominate the picture. A picture that is not ``narrow`` has a key of its shades.
    """
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    values = matrix_of(picture)
    positions = np.arange(len(picture.x))
    across = np.append(positions, len(positions) + _GAP) if picture.aside else 1.0 * positions
    edges = np.arange(len(picture.x) + 1) - 0.5
    scale = Normalize(0, picture.y_most)
    diagonal = np.eye(len(values), values.shape[1], dtype=bool)
    shaded = np.ma.array(values, mask=np.isnan(values) | diagonal)
    axes.set_facecolor("white")
    extra_edges = edges[-2:] + 1 + _GAP
    figures = len(positions) <= _WITH_FIGURES
    colours = shades() if figures else shades().resampled(_SHADES_OF_CELLS)
    for x_edges, part in (
        (edges, shaded[:, : len(positions)]),
        (extra_edges, shaded[:, len(positions) :]),
    ):
        if part.size:
            axes.pcolormesh(
                x_edges, edges, part, cmap=colours, norm=scale, edgecolors=_EDGE, linewidth=0.5
            )
    for row, column in np.argwhere(np.isnan(values) | diagonal).tolist():
        known = bool(np.isfinite(values[row, column]))
        axes.fill(
            np.array([-0.5, 0.5, 0.5, -0.5]) + across[column],
            np.array([-0.5, -0.5, 0.5, 0.5]) + row,
            fill=False,
            edgecolor=_OUTLINE,
            linewidth=1.2 if known else 0,
            hatch=None if known else "////",
        )
    for row, column in np.argwhere(np.isfinite(values)).tolist() if figures else ():
        value = float(values[row, column])
        full = row != column and value >= FULL_FROM * (picture.y_most or 1)
        ink = ON_FULL if full else ON_FAINT
        number = written(picture, value)
        text = axes.text(float(across[column]), row, number, ha="center", va="center", fontsize=9)
        text.set(color=ink, in_layout=False)  # it lies within its cell
    _name(axes, picture, across, narrow=narrow)
    axes.set_ylim(len(positions) - 0.5, -0.5)
    axes.tick_params(length=0, labelcolor=INK)
    for spine in axes.spines.values():
        spine.set_visible(False)
    if narrow:
        return
    key = ScalarMappable(scale, shades().resampled(_SHADES))
    figure = cast("Figure", axes.get_figure(root=True))
    bar = figure.colorbar(key, ax=axes, fraction=0.04, pad=0.02)
    bar.ax.set_facecolor("white")
    bar.outline.set(edgecolor=_EDGE, linewidth=0.5)
    bar.ax.tick_params(color=INK, labelcolor=INK)
    if picture.in_percent:
        bar.ax.yaxis.set_major_formatter(lambda value, _: formats.level(round(value, 6)))


def written(picture: Picture, value: float) -> str:
    """Return the value of a cell as text, in percent if the picture is."""
    if not picture.in_percent:
        return formats.number(value, 2)
    return formats.probability(value) if 0 < value < 1 else formats.level(value)


def _name(axes: Axes, picture: Picture, across: Floats, *, narrow: bool) -> None:
    rows = len(picture.x)
    names = [*map(formats.name, picture.x), *([picture.aside] if picture.aside else [])]
    shown = distinct_names(names, _NARROW_NAME if narrow else _LONGEST_NAME)
    size = 10.0 if len(names) <= _WITH_FIGURES else 8.0
    longest = widest(shown, size)
    room = (room_of(axes)[0] - max(0, longest - 0.6)) / len(names)
    turned = 90 if len(names) > _WITH_FIGURES else 40 if longest > 0.9 * room else 0
    axes.set_yticks(across[:rows], shown[:rows], fontsize=size, parse_math=False)
    axes.set_xticks(
        across,
        shown,
        fontsize=size,
        rotation=turned,
        ha="right" if turned else "center",
        va="center" if turned == 90 else "top",
        rotation_mode="anchor",
        parse_math=False,
    )
