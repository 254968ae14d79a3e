"""A page with every kind of block, some of whose names are hostile."""

from __future__ import annotations

import numpy as np
import xarray as xr

from iaa_jax.pages import Column, Curve, Facts, Mark, Page, Paragraph, Picture, Remarks, Table
from iaa_jax.wording import Note

HOSTILE = [
    "<script>alert(1)</script>",
    '"><img onerror=x>',
    "</title>",
    "&amp;",
    "$x$ $y",
    "\\input{x}",
    "50 % of_#them",
    "a|b",
    "two\nlines",
    "nul\x00",
    "\x1b[31mred",
    "\u202eturned",
    "={x:count}",
    "x" * 200,
]

WORDS = {
    "answer": "{name:name} agrees least: {estimate:estimate}.",
    "remark": "Beside {name:name}.",
    "heading": "{confidence:level} interval",
    "meaning": "what {name:name} says",
    "name": "{name:name}",
}


def page(names: list[str] | None = None, shown: int | None = None) -> Page:
    names = HOSTILE if names is None else names
    size = len(names)
    estimates = np.linspace(-0.2, 0.9, size)
    ends = np.stack([estimates - 0.1, estimates + 0.1], axis=1)
    ends[0] = np.nan
    hostile = {"name": names[0]}
    table = Table(
        "main",
        [
            Column("who", "Annotator", names, "label"),
            Column("ratings", "Ratings", np.arange(size) * 1000, "count", spare=2),
            Column("agreement", "Agree", estimates, meaning=Note("meaning", hostile)),
            Column("ci", Note("heading", {"confidence": 0.95}), ends, "interval", spare=1),
            Column("drawn", "", np.column_stack([estimates, ends]), "span", spare=3),
            Column("said", "Said", names, "text", spare=4),
            Column("detail", "Detail", estimates / 3, in_files=True),
        ],
        noun="annotators",
        shown=shown,
        notes=[Note("remark", hostile)],
    )
    picture = Picture(
        "curve",
        "lines",
        Note("name", hostile),
        Note("name", hostile),
        np.arange(float(size)),
        "time",
        [Curve("estimate", estimates)],
        marks=[Mark("all", y=0.5), Mark("step", x=1.0), Mark("top", 2.0, 0.9)],
    )
    result = xr.Dataset(
        {"agreement": ("who", estimates)},
        {"who": np.array(names, object)},
        {"conclusion": "least", "notes": "[]"},
    )
    return Page(
        "Annotators",
        [Note("answer", {"name": names[0], "estimate": 0.5})],
        [
            Facts([("Items", "10"), ("", Note("name", hostile))]),
            table,
            picture,
            Paragraph([Note("remark", hostile)]),
            Remarks([Note("remark", hostile)]),
        ],
        WORDS,
        {"annotators": result},
    )
