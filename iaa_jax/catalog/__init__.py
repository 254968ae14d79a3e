"""The catalogue of coefficients."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from types import MappingProxyType

from iaa_jax._errors import IaaError
from iaa_jax.catalog import (
    augmented,
    further,
    gamma,
    multi_label,
    nominal,
    numbers,
    segments,
    spans,
    units,
)
from iaa_jax.catalog.model import Coefficient, Level, Measure
from iaa_jax.kernels import label_agreement

_FAMILIES = (nominal, augmented, multi_label, numbers, further, spans, units, segments, gamma)
_ROWS = tuple(row for family in _FAMILIES for row in family.ROWS)

CATALOG: Mapping[str, Coefficient] = MappingProxyType({row.name: row for row in _ROWS})
"""Every coefficient by its name."""

NAMES: Mapping[str, str] = MappingProxyType({name: row.name for row in _ROWS for name in row.names})
"""The name of the coefficient to which each name or alias belongs."""

WEIGHTS: tuple[str, ...] = tuple(label_agreement.NAMED)
"""Named agreements between labels."""

DISTANCES: tuple[str, ...] = tuple(label_agreement.SET_DISTANCES)
"""Named distances between label sets."""

UNWEIGHTED = ("", "identity", "level nominal")
"""Descriptions of label agreement under which two labels agree fully or not at all."""

LEVELS: Mapping[str, Level] = CATALOG["krippendorff_alpha"].levels
"""Krippendorff's levels of measurement."""


__all__ = [
    "CATALOG",
    "DISTANCES",
    "LEVELS",
    "NAMES",
    "UNWEIGHTED",
    "WEIGHTS",
    "Coefficient",
    "Level",
    "Measure",
    "resolve_name",
    "short_title_of",
    "title_of",
]


def title_of(name: str, weights: str = "") -> str:
    """Return the title of a coefficient, with ``name`` if that is an alias.

    A name that is not in the catalogue is returned unchanged. ``weights`` describes how labels
    agree, as in results.

    Examples
    --------
    >>> title_of("gwet_ac1"), title_of("bennett_s"), title_of("my_own")
    ("Gwet's AC1", 'Brennan-Prediger (bennett_s)', 'my_own')
    >>> title_of("percent_agreement", "ordinal")
    'Weighted agreement'
    """
    if name not in NAMES:
        return name
    row = CATALOG[NAMES[name]]
    title = row.title if weights in UNWEIGHTED else row.weighted_title or row.title
    return title if name == NAMES[name] else f"{title} ({name})"


def short_title_of(name: str) -> str:
    """Return the title of a coefficient for the header of a narrow column.

    Examples
    --------
    >>> short_title_of("krippendorff_alpha"), short_title_of("gwet_ac1")
    ('Alpha', "Gwet's AC1")
    """
    return (CATALOG[NAMES[name]].short if name in NAMES else "") or title_of(name)


def resolve_name(name: object) -> Coefficient:
    """Return the coefficient that has the name or alias.

    Raises
    ------
    IaaError
        If no coefficient has the name; the message lists similar names.

    Examples
    --------
    >>> resolve_name("bennett_s").name
    'brennan_prediger'
    """
    if isinstance(name, str) and name in NAMES:
        return CATALOG[NAMES[name]]
    similar = difflib.get_close_matches(str(name), NAMES, n=3)
    hint = f", did you mean {' or '.join(similar)}?" if similar else ""
    raise IaaError(f"unknown coefficient {name!r}{hint} (the coefficients are {', '.join(NAMES)})")
