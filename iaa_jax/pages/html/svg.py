"""Pictures in HTML pages, drawn by matplotlib in the page's colours, with descriptions."""

from __future__ import annotations

import hashlib
import re
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

import numpy as np
from defusedxml.ElementTree import fromstring

from iaa_jax.pages.blocks import Picture
from iaa_jax.pages.cells import Speaker, shorten
from iaa_jax.pages.drawing import COLOURS, drawing
from iaa_jax.pages.heat_maps import MOST_NARROW
from iaa_jax.wording import formats

if TYPE_CHECKING:
    from markupsafe import Markup

_SVG = "http://www.w3.org/2000/svg"
_LINK = "{http://www.w3.org/1999/xlink}href"
_DROPPED = {f"{{{_SVG}}}metadata"}
_CELL = re.compile(r"M (\S+) (\S+)\s+L (\S+) \S+\s+L \S+ (\S+)\s+L \S+ \S+\s+L \S+ \S+\s*")
"""Pattern of the outline of a cell, with all its points."""
_REFERENCE = re.compile(r"url\(#([^)]+)\)")


def inline(picture: Picture, speaker: Speaker) -> Markup:
    """Return the picture as SVG; unless it is a large matrix, add a version for narrow windows."""
    from markupsafe import Markup

    if picture.kind == "matrix" and len(picture.x) > MOST_NARROW:
        return Markup(_element(picture, speaker, "matrix"))
    return Markup("\n".join(_element(picture, speaker, width) for width in ("wide", "narrow")))


def _element(picture: Picture, speaker: Speaker, width: str) -> str:
    narrow = width == "narrow"
    root = fromstring(drawing(picture, speaker, "svg", titled=False, narrow=narrow))
    prefix = hashlib.sha256(ET.tostring(root)).hexdigest()[:8]
    for parent in root.iter():
        for child in [child for child in parent if child.tag in _DROPPED]:
            parent.remove(child)
    for group in root.iter(f"{{{_SVG}}}g"):
        if group.get("id", "").startswith("QuadMesh"):
            _join_cells(group)
    for element in root.iter():
        element.tag = element.tag.removeprefix(f"{{{_SVG}}}")
        _rename(element, prefix)
        if style := element.get("style"):
            element.set("style", _themed(style))
    for name in ("width", "height", "version"):
        root.attrib.pop(name, None)
    root.set("class", width)
    root.set("role", "img")
    root.set("preserveAspectRatio", "xMinYMin")  # stays left if its height is limited
    root.set("aria-labelledby", f"{prefix}-title {prefix}-desc")
    _say(root, "desc", f"{prefix}-desc", description_of(picture, speaker))
    _say(root, "title", f"{prefix}-title", speaker.text(picture.title))
    return ET.tostring(root, encoding="unicode")


def _join_cells(cells: ET.Element) -> None:
    first: dict[str, ET.Element] = {}
    for cell in [*cells]:
        merged = first.setdefault(cell.get("style", ""), cell)
        if merged is not cell:
            merged.set("d", f"{merged.get('d')}{cell.get('d')}")
            cells.remove(cell)
    for cell in cells:
        cell.set("d", _CELL.sub(r"M\1 \2H\3V\4H\1Z", cell.get("d", "")))


def _say(root: ET.Element, tag: str, name: str, text: str) -> None:
    element = ET.Element(tag, {"id": name})
    element.text = text
    root.insert(0, element)


def _rename(element: ET.Element, prefix: str) -> None:
    for key, value in [*element.attrib.items()]:
        if key == "id":
            element.set(key, f"{prefix}-{value}")
        elif key == _LINK:
            element.attrib.pop(key)
            element.set("href", f"#{prefix}-{value.removeprefix('#')}")
        elif "url(#" in value:
            element.set(key, _REFERENCE.sub(rf"url(#{prefix}-\1)", value))


def _themed(style: str) -> str:
    for colour, variable in COLOURS.items():
        style = style.replace(colour, f"var(--{variable}, {colour})")
    return style


def description_of(picture: Picture, speaker: Speaker) -> str:
    """Describe a picture in a sentence for screen readers."""
    parts = [f"{_KINDS[picture.kind]}: {len(picture.x)} {_UNITS.get(picture.kind, 'positions')}"]
    values = np.array([curve.y for curve in picture.curves if curve.style == "main"], np.float64)
    if np.isfinite(values).any():
        low, high = formats.short(np.nanmin(values)), formats.short(np.nanmax(values))
        parts.append(f"from {low} to {high}")
    if unknown := int(np.isnan(values).sum()):
        parts.append(f"{unknown} unknown")
    if subtitle := speaker.text(picture.subtitle):
        parts.append(subtitle)
    return shorten("; ".join(parts), _LONGEST, where=1)


_KINDS = {
    "lines": "Lines",
    "points": "Points",
    "bars": "Bars",
    "intervals": "Estimates with intervals",
    "matrix": "Heat map",
}
_UNITS = {"bars": "bars", "intervals": "rows", "matrix": "rows and columns"}
_LONGEST = 250
