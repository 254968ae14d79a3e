"""A comparison as a report: what was compared, and how its figures read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import xarray as xr

from iaa_jax.analyses.diagnose.records import rows_of
from iaa_jax.report.notes import MANY_UNDEFINED
from iaa_jax.report.records import DataFacts, plain
from iaa_jax.report.text import visible

UNSEEN = "square_and_add"
"""The interval of a row where one side has no spread to show."""

_CLUSTERS = ("sampling_cluster", "clusters_a", "clusters_b", "shared_clusters")
_LABELS = ("label_shift", "annotator_ways")

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Side:
    """One of the two sets: its name in sentences and above a column, and what was read."""

    name: str
    heading: str
    data: DataFacts


@dataclass(frozen=True)
class CompareReport:
    """All that one comparison says."""

    a: Side
    b: Side
    found: xr.Dataset
    titles: Mapping[str, str]
    labels: xr.Dataset | None = None
    by: str | None = None
    of_annotators: bool = False  # the sets are groups of the annotators of one file
    skipped: tuple[str, str, str] = ("", "", "")  # for both, and for A and B alone
    others: str = ""  # what of one file is in neither set
    without_labels: str = ""
    together: bool = True  # several coefficients were asked for, and are one family
    provenance: Mapping[str, Any] = field(default_factory=dict)

    @property
    def labels_alone(self) -> tuple[list[str], list[str]]:
        """The labels that only A has, and those that only B has."""
        texts = (self.found.attrs.get(f"labels_only_{letter}", "[]") for letter in "ab")
        a, b = (json.loads(text) for text in texts)
        return a, b

    def record(self) -> dict[str, Any]:
        """The report for JSON."""
        from iaa_jax.analyses.compare.verdict import verdict

        attrs = self.found.attrs
        design = (
            "paired",
            "pairing",
            "shared_items",
            "items_a",
            "items_b",
            "left_out_items_a",
            "left_out_items_b",
            "annotators_a",
            "annotators_b",
            "pairable_items_a",
            "pairable_items_b",
            "pairable_items_both",
            "shared_annotators",
            *(name for name in (*_CLUSTERS, *_LABELS) if name in attrs),
        )
        return {
            "a": {"name": self.a.name, **_facts(self.a)},
            "b": {"name": self.b.name, **_facts(self.b)},
            "design": {
                name: bool(attrs[name]) if name == "paired" else plain(attrs[name])
                for name in design
            }
            | dict(zip(("labels_only_a", "labels_only_b"), self.labels_alone, strict=True)),
            "verdict": " ".join(verdict(self)),
            "coefficients": {
                row.pop("coefficient"): row for row in rows_of(self.found, "coefficient")
            },
            "labels": [] if self.labels is None else rows_of(self.labels, "label"),
            "provenance": plain(dict(self.provenance)),
        }


def _facts(side: Side) -> dict[str, Any]:
    return {name: plain(value) for name, value in asdict(side.data).items()}


def by_names(text: str, report: CompareReport) -> str:
    """A reason of the study with the sets by their names."""
    for letter, side in (("A", report.a), ("B", report.b)):
        text = text.replace(f"{letter}: ", f"{side.name}: ").replace(
            f"items of {letter} ", f"items of {side.name} "
        )
    return visible(text)


def signed(value: float | None, decimals: int = 3) -> str:
    """A difference with its sign."""
    return "-" if value is None else f"{value:+z.{decimals}f}"


def p_shown(value: float | None, *, bare: bool = False) -> str:
    """A p-value: "= 0.012", or alone; what is not nothing never looks like nothing."""
    if value is None:
        return "-"
    small = value < 0.001
    text = "0.001" if small else f"{value:.3f}"
    if bare:
        return f"<{text}" if small else text
    return f"< {text}" if small else f"= {text}"


def undefined_too_often(row: Row, found: xr.Dataset) -> bool:
    """Whether so many replicates are undefined that an interval from them says nothing."""
    return bool(row["undefined_replicates"] > MANY_UNDEFINED * int(found.attrs["replicates"]))


def alpha_of(report: CompareReport) -> float:
    """The error that the confidence leaves."""
    return 1 - float(report.found.attrs["confidence"])
