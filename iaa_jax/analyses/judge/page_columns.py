"""Figures with their intervals on the pages about judges, in tables and in sentences."""

from __future__ import annotations

import numpy as np
import xarray as xr

from iaa_jax._types import Floats
from iaa_jax.pages import Column
from iaa_jax.pages.declared import FigureColumns
from iaa_jax.wording import Note


def ends_of(figures: xr.Dataset, name: str) -> list[float]:
    """Both ends of the interval of a single figure."""
    return [float(figures[f"{name}_ci_{end}"]) for end in ("low", "high")]


def within_sentence(code: str, ends: list[float], confidence: float) -> Note | str:
    """An interval within a sentence; nothing where there is none, or none that has a width."""
    nothing = np.isnan(ends).any() or ends[0] == ends[1]
    return "" if nothing else Note(code, {"ends": ends, "confidence": confidence})


def interval_of(rows: xr.Dataset, name: str) -> Floats:
    """Both ends (row, 2) of the intervals of a figure."""
    return np.stack([rows[f"{name}_ci_{end}"].values for end in ("low", "high")], axis=-1)


def columns_of(
    column: FigureColumns, name: str, spare: int = 0, meaning: Note | None = None
) -> list[Column]:
    """A figure, and its interval where there is one."""
    ends = column.ends(name, spare=spare + 1)
    return [column(name, meaning=meaning, spare=spare), *ends]
