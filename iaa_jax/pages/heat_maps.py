"""Squares of figures, drawn: the brighter a cell, the more."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np

from iaa_jax._types import Floats
from iaa_jax.pages.blocks import Picture
from iaa_jax.pages.cells import shorten
from iaa_jax.wording import formats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST = 40
"""Names that a picture has room for."""

_WITH_FIGURES = 16
"""Names up to which each cell has its figure."""

_LONGEST_NAME = 24
_GAP = 0.25
"""What is between a matrix and a column aside, of the width of a column."""

_SHADES = 10
"""Shades of the key."""

INK = "#1b1b1b"
"""The colour of text, for which a page has its own."""

_UNKNOWN = "#8a8a8a"
_BLACK, _WHITE = "#000000", "#ffffff"


def matrix_of(picture: Picture) -> Floats:
    """The figures of a matrix, row by row."""
    return np.array([curve.y for curve in picture.curves], dtype=np.float64)


def draw_matrix(axes: Axes, picture: Picture) -> None:
    """Put a matrix on axes, with a key of its shades; cells without a figure are hatched."""
    from matplotlib import colormaps
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    values = matrix_of(picture)
    places = np.arange(len(picture.x))
    across = np.append(places, len(places) + _GAP) if picture.aside else places
    edges = np.arange(len(picture.x) + 1) - 0.5
    shades, most = Normalize(0, picture.y_most), colormaps["cividis"]
    shaded = np.ma.masked_invalid(values)
    axes.pcolormesh(edges, edges, shaded[:, : len(places)], cmap=most, norm=shades)
    if picture.aside:
        beside = edges[-2:] + 1 + _GAP
        axes.pcolormesh(beside, edges, shaded[:, -1:], cmap=most, norm=shades)
    for row, column in np.argwhere(np.isnan(values)).tolist():
        axes.fill(
            np.array([-0.5, 0.5, 0.5, -0.5]) + across[column],
            np.array([-0.5, -0.5, 0.5, 0.5]) + row,
            fill=False,
            edgecolor=_UNKNOWN,
            linewidth=0,
            hatch="////",
        )
    if len(places) <= _WITH_FIGURES:
        for (row, column), value in np.ndenumerate(values):
            if np.isfinite(value):
                ink = readable_on(tuple(most(np.asarray(shades(value)).item())))
                text = formats.number(float(value), 2)
                at = float(across[column])
                axes.text(at, row, text, color=ink, ha="center", va="center", fontsize=9)
    names = [shorten(formats.name(name), _LONGEST_NAME) for name in picture.x]
    axes.set_yticks(places, names, parse_math=False)
    names += [picture.aside] if picture.aside else []
    axes.set_xticks(
        across, names, rotation=40, ha="right", rotation_mode="anchor", parse_math=False
    )
    axes.set_ylim(len(places) - 0.5, -0.5)
    axes.tick_params(length=0, labelcolor=INK)
    for spine in axes.spines.values():
        spine.set_visible(False)
    key = ScalarMappable(shades, most.resampled(_SHADES))
    figure = cast("Figure", axes.get_figure(root=True))
    bar = figure.colorbar(key, ax=axes, fraction=0.04, pad=0.02)
    bar.outline.set_visible(False)
    bar.ax.tick_params(color=INK, labelcolor=INK)


def readable_on(colour: tuple[float, ...]) -> str:
    """Black or white, whichever stands out more from a colour: by at least 4.58 to 1.

    Examples
    --------
    >>> readable_on((0.0, 0.13, 0.3)), readable_on((0.99, 0.91, 0.27))
    ('#ffffff', '#000000')
    """
    return _BLACK if (luminance(colour) + 0.05) ** 2 >= 0.05 * 1.05 else _WHITE


def luminance(colour: tuple[float, ...]) -> float:
    """The relative luminance of an sRGB colour, as WCAG 2 defines it."""
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour[:3]
    ]
    return float(np.dot(linear, (0.2126, 0.7152, 0.0722)))
