"""How a report was made: its files, its options, and what the result says of itself."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from iaa_jax.cli.reading import Reading

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

# Stands elsewhere in a report: with the data, or with the figures.
_ELSEWHERE = {
    "items",
    "annotators",
    "labels",
    "ratings",
    "pairable_items",
    "note",
}


def provenance(
    reading: Reading,
    attrs: Mapping[Any, Any],
    *chosen: DataclassInstance | Mapping[str, Any],
    without: tuple[str, ...] = (),
) -> dict[str, Any]:
    """Put a result's attributes and the options of the command together."""
    options: dict[str, Any] = {}
    for group in (reading, *chosen):
        options |= group if isinstance(group, Mapping) else asdict(group)
    for name in ("files", *without):
        options.pop(name, None)
    kept = {str(name): value for name, value in attrs.items() if name not in _ELSEWHERE}
    versions = {
        name.removesuffix("_version"): kept.pop(name)
        for name in list(kept)
        if name.endswith("_version")
    }
    return {
        "versions": {**versions, "python": platform.python_version()},
        "files": reading.shown_files(),
        **kept,
        "options": options,
    }
