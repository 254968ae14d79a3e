"""Text in pictures: how wide it is, and how it is wrapped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from textwrap import wrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_FONT = "DejaVu Sans"
"""Font that comes with matplotlib."""

_FURTHER = (
    "Noto Sans CJK SC", "Noto Sans CJK JP", "Noto Sans SC", "Source Han Sans SC",
    "WenQuanYi Zen Hei", "WenQuanYi Micro Hei", "Droid Sans Fallback", "Microsoft YaHei",
    "PingFang SC", "Hiragino Sans", "Arial Unicode MS", "Yu Gothic", "Malgun Gothic",
    "Noto Sans Devanagari", "Noto Sans Thai", "Noto Emoji", "Segoe UI Emoji", "Symbola",
)  # fmt: skip
"""Fonts for letters that ``_FONT`` lacks, used if they are installed."""

_FEWEST = 8
"""Minimum length of a line, in letters."""


@cache
def fonts() -> tuple[str, ...]:
    """Return the fonts available for pictures, in order of preference."""
    from matplotlib.font_manager import fontManager

    installed = {font.name for font in fontManager.ttflist}
    return (_FONT, *(font for font in _FURTHER if font in installed))


@contextmanager
def quietly() -> Iterator[None]:
    """Suppress matplotlib's warnings about missing letters and caches."""
    import logging
    from warnings import catch_warnings

    logger = logging.getLogger("matplotlib")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        with catch_warnings(action="ignore"):
            yield
    finally:
        logger.setLevel(level)


def widest(texts: Sequence[str], size: float, weight: str = "normal") -> float:
    """Return the width of the widest line, in inches."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(size=size, weight=weight)
    measure = text_to_path.get_text_width_height_descent
    return max((measure(text, font, ismath=False)[0] / 72 for text in texts), default=0.0)


def lines_within(text: str, room: float, size: float, weight: str = "normal") -> list[str]:
    """Return the lines of a text wrapped to a width in inches."""
    letters = max(_FEWEST, int(2.5 * 72 * room / size))
    while (lines := wrap(text, letters, break_on_hyphens=False)) and widest(
        lines, size, weight
    ) > room:
        if letters <= _FEWEST:
            break
        letters = max(_FEWEST, int(0.95 * letters))
    return lines


def room_of(axes: Axes) -> tuple[float, float]:
    """Return the width and height of axes, in inches."""
    dpi = axes.get_figure(root=True).dpi  # type: ignore[union-attr]
    return axes.bbox.width / dpi, axes.bbox.height / dpi
