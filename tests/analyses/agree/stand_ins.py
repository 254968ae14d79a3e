"""Small results made by hand, of the shape that `agreement` and `specific_agreement` give."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import xarray as xr
from rich.console import Console

from iaa_jax import page
from iaa_jax.cli.context import as_option, running
from iaa_jax.pages.terminal import print_page
from iaa_jax.wording import Note, dump_notes

FIGURES: dict[str, Any] = {
    "estimate": 0.6123,
    "standard_error": 0.0456,
    "ci_low": 0.5211,
    "ci_high": 0.7019,
    "observed": 0.8111,
    "expected": 0.5128,
    "code": 0,
    "reason": "",
    "interval": "bca",
    "weights": "identity",
    "level": "",
    "undefined_replicates": 0,
    "note": "",
    "pairs": -1,
    "undefined_pairs": -1,
}

ATTRS: dict[str, Any] = {
    "made_by": "agreement",
    "items": 1200,
    "pairable_items": 1150,
    "single_rated_items": 40,
    "unrated_items": 10,
    "annotators": 3,
    "annotator_names": '["ann", "bob", "cleo"]',
    "labels": 2,
    "label_values": '["no", "yes"]',
    "labels_declared": 1,
    "ratings": 3400,
    "missing_share": 0.0556,
    "smallest_panel": 1,
    "largest_panel": 3,
    "task": "single",
    "anonymous": 0,
    "reading": dump_notes([Note("read_as", {"parts": [Note("read_long")]})]),
    "interval": "bca",
    "confidence": 0.95,
    "replicates": 2000,
    "seed": 7,
    "coefficient": "krippendorff_alpha",
    "leads": "usual",
}

UNDEFINED = dict.fromkeys(("estimate", "standard_error", "ci_low", "ci_high"), math.nan) | {
    "code": 2
}
WITHOUT_INTERVAL = dict.fromkeys(("standard_error", "ci_low", "ci_high"), math.nan)


def row(name: str = "fleiss_kappa", **figures: Any) -> dict[str, Any]:
    return {"name": name, **FIGURES, **figures}


ROW = row()
ALPHA = row("krippendorff_alpha")
LONGEST = row("davies_fleiss_kappa")


def result(
    *rows: dict[str, Any],
    axis: str = "coefficient",
    notes: Sequence[Note] = (),
    **attrs: Any,
) -> xr.Dataset:
    columns = {key: (axis, np.array([each[key] for each in rows])) for key in FIGURES}
    names = {axis: [each["name"] for each in rows]}
    return xr.Dataset(columns, names, ATTRS | {"notes": dump_notes(notes)} | attrs)


def labels(*rows: dict[str, Any], **attrs: Any) -> xr.Dataset:
    attrs = {"made_by": "agreement", "coefficient": "specific_agreement", **attrs}
    return result(*rows, axis="label", **attrs)


def printed(
    result: xr.Dataset,
    labels: xr.Dataset | None = None,
    contingency: xr.Dataset | None = None,
    *,
    width: int = 80,
    **asked: Any,
) -> str:
    """The page as ``iaa agree`` prints it."""
    beside = [each for each in (labels, contingency) if each is not None]
    stream = io.StringIO()
    console = Console(
        file=stream, width=width, markup=False, emoji=False, highlight=False, _environ={}
    )
    options = dict.fromkeys(
        ("labels", "level", "weights", "coefficients", "json", "output", "distance")
    )
    with running(options):
        print_page(console, page(result, *beside, **asked), as_option)
    return stream.getvalue()


def flat(text: str) -> str:
    """The text in one line, so that sentences can be found across line ends."""
    return " ".join(text.split())


def files(*names: str) -> str:
    return json.dumps(names)
