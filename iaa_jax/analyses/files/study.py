"""The formats as a result."""

from __future__ import annotations

import numpy as np
import xarray as xr

from iaa_jax import __version__
from iaa_jax.io.registry import readers, tools


def formats() -> xr.Dataset:
    """The formats: which files of each are read, how they are known, and a command for them."""
    rows = [
        (tool.name, tool.title, tool.summary, tool.known_by, f"iaa {tool.example}")
        for tool in tools()
    ]
    rows += [(reader.name, "tables", reader.summary, *_of_table(reader)) for reader in readers()]
    names, *columns = zip(*rows, strict=True)
    keys = ("title", "summary", "known_by", "example")
    return xr.Dataset(
        {
            key: ("format", np.array(texts, dtype=object))
            for key, texts in zip(keys, columns, strict=True)
        },
        {"format": np.array(names, dtype=object)},
        {"made_by": "formats", "conclusion": "listed", "iaa_jax_version": __version__},
    )


def _of_table(reader: object) -> tuple[str, str]:
    """How a reader of tables knows its files, and a command; those of others may not say it."""
    example = getattr(reader, "example", "")
    return getattr(reader, "known_by", ""), f"iaa {example}" if example else ""
