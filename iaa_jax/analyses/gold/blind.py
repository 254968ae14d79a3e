"""Gold labels without the names of annotators, for those who decide without knowing them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from iaa_jax.wording import dump_notes, load_notes

if TYPE_CHECKING:
    import xarray as xr

_OF_ANNOTATORS = ("best_by_", "weakest_by_", "skills_overlap", "controls_overlap", "skilled_from")
"""Attributes that name annotators, or are about those named."""

_NAMING = ("hardly",)
"""Notes that name annotators."""


def without_names(result: xr.Dataset) -> xr.Dataset:
    """A result of which nothing along items says who the annotators are, and nothing else there is.

    Examples
    --------
    >>> import xarray as xr
    >>> result = xr.Dataset({"skill": ("annotator", [1.0])}, attrs={"best_by_skill": "ann"})
    >>> without_names(result.assign_attrs(notes="")).attrs
    {'notes': '[]', 'blind': 1}
    """
    blind = result.drop_dims("annotator", errors="ignore")
    blind = blind.drop_vars("hangs_on_annotator", errors="ignore")
    kept = [note for note in load_notes(result.attrs["notes"]) if note.code not in _NAMING]
    attrs = {
        name: value
        for name, value in result.attrs.items()
        if not str(name).startswith(_OF_ANNOTATORS)
    }
    blind.attrs = attrs | {"notes": dump_notes(kept), "blind": 1}
    return blind
