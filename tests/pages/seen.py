"""Colours as eyes see them: contrast as WCAG 2 defines it, and the palettes of the page."""

from __future__ import annotations

import re
from importlib.resources import files


def style() -> str:
    """The style of pages."""
    return (files("iaa_jax.pages.html") / "style.css").read_text(encoding="utf-8")


def palettes() -> tuple[dict[str, str], dict[str, str]]:
    """The colours of the page on light and on dark grounds."""
    light, dark = style().split("@media")[0], style().split("prefers-color-scheme")[1]
    return tuple(dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", each)) for each in (light, dark))  # type: ignore[return-value]


def blended(colour: str, ground: str, share: float) -> str:
    """A colour that lets a ground through."""
    pairs = ((int(each[k : k + 2], 16) for each in (colour, ground)) for k in (1, 3, 5))
    return "#" + "".join(f"{round(share * a + (1 - share) * b):02x}" for a, b in pairs)


def luminance(colour: str) -> float:
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)
