"""Results as plain records: what the tables print and what the JSON says are the same objects."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import xarray as xr

from iaa_jax.data.schema import Summary

if TYPE_CHECKING:
    from iaa_jax.analyses.agree.contingency_page import ContingencyFacts

NAMES_LIMIT = 1000
"""Most label values and annotator names that a record lists."""

_FIGURES = ("estimate", "standard_error", "ci_low", "ci_high", "observed", "expected")
_COUNTS = ("undefined_replicates", "pairs", "undefined_pairs")
_COLUMNS = (*_FIGURES, "code", "reason", "interval", "weights", "note", *_COUNTS)


@dataclass(frozen=True)
class Row:
    """One coefficient, or the agreement on one label; NaN where a figure is undefined."""

    name: str
    title: str
    estimate: float
    standard_error: float
    ci_low: float
    ci_high: float
    observed: float
    expected: float
    code: int
    reason: str
    interval: str
    weights: str
    undefined_replicates: int
    note: str = ""
    pairs: int | None = None  # of annotators, where the figure is a mean over them
    undefined_pairs: int | None = None
    words: Mapping[str, Any] | None = None  # of the estimate, and the one reached, on a scale
    above: Mapping[str, float] | None = None  # the probability of lying above each cut-off
    zero: Mapping[str, Any] | None = None  # the test of zero agreement

    def record(self) -> dict[str, Any]:
        """The row for JSON: None for NaN."""
        fields = asdict(self)
        del fields["name"], fields["title"]
        if self.words is None:
            del fields["words"]
        if self.above is None:
            del fields["above"]
        if self.zero is None:
            del fields["zero"]
        return {name: plain(value) for name, value in fields.items()}


@dataclass(frozen=True)
class DataFacts:
    """What was measured on."""

    items: int | float
    annotators: int
    labels: int
    ratings: int | float
    missing_share: float
    pairable_items: int | float
    single_rated_items: int | float
    unrated_items: int | float
    largest_panel: int
    task: str
    anonymous: bool
    labels_declared: bool
    label_values: tuple[Any, ...]
    annotator_names: tuple[str, ...]
    read_as: str
    skipped: str
    slots: int = 0  # places an item, where ratings are kept by slot
    notices: tuple[str, ...] = ()  # what may be meant otherwise


@dataclass(frozen=True)
class AgreementReport:
    """All that one run of a measurement says."""

    data: DataFacts
    coefficients: tuple[Row, ...]
    specific_agreement: tuple[Row, ...]
    provenance: Mapping[str, Any] = field(default_factory=dict)
    labels_asked: bool = False  # somebody named the agreement on each label
    labels_left_out: bool = False  # there are too many labels to measure them unasked
    contingency: ContingencyFacts | None = None  # what stands behind a kappa

    def record(self) -> dict[str, Any]:
        """The report for JSON."""
        return {
            "data": {name: plain(value) for name, value in asdict(self.data).items()},
            "coefficients": {row.name: row.record() for row in self.coefficients},
            "specific_agreement": {row.name: row.record() for row in self.specific_agreement},
            **({} if self.contingency is None else {"contingency": self.contingency.record()}),
            "provenance": plain(dict(self.provenance)),
        }


def data_facts(ratings: xr.Dataset, counts: Summary) -> DataFacts:
    """Put the summary of a ratings Dataset and its names together."""
    labels = ratings["label"].values.tolist() if "label" in ratings.coords else []
    names = [] if counts.anonymous else ratings["annotator"].values.tolist()
    return DataFacts(
        items=counts.items,
        annotators=counts.annotators,
        labels=counts.labels,
        ratings=counts.ratings,
        missing_share=counts.missing_share,
        pairable_items=counts.pairable_items,
        single_rated_items=counts.single_rated_items,
        unrated_items=counts.unrated_items,
        largest_panel=counts.largest_panel,
        task=counts.task,
        anonymous=counts.anonymous,
        labels_declared=counts.labels_declared,
        label_values=tuple(labels[:NAMES_LIMIT]),
        annotator_names=tuple(str(name) for name in names[:NAMES_LIMIT]),
        read_as=str(ratings.attrs.get("read_as", "")),
        skipped=str(ratings.attrs.get("skipped", "")),
        slots=int(ratings.sizes.get("slot", 0)),
        notices=tuple(str(ratings.attrs.get("notices", "")).splitlines()),
    )


def result_rows(
    result: xr.Dataset, dimension: str = "coefficient", titles: Mapping[str, str] | None = None
) -> tuple[Row, ...]:
    """Take a result Dataset apart along a dimension, in its order.

    Parameters
    ----------
    result
        A result of ``agreement`` (dimension "coefficient") or ``specific_agreement`` ("label").
    dimension
        The dimension whose entries become rows.
    titles
        What to print for a name; the name itself where it has none.
    """
    names = [str(name) for name in result[dimension].values.tolist()]
    columns = {name: _column(result, name, dimension) for name in _COLUMNS}
    return tuple(
        Row(
            name=name,
            title=(titles or {}).get(name, name),
            estimate=float(columns["estimate"][place]),
            standard_error=float(columns["standard_error"][place]),
            ci_low=float(columns["ci_low"][place]),
            ci_high=float(columns["ci_high"][place]),
            observed=float(columns["observed"][place]),
            expected=float(columns["expected"][place]),
            code=int(columns["code"][place]),
            reason=_text(columns["reason"][place]),
            interval=_text(columns["interval"][place]),
            weights=_text(columns["weights"][place]),
            undefined_replicates=_count(columns["undefined_replicates"][place]) or 0,
            note=_text(columns["note"][place]),
            pairs=_count(columns["pairs"][place]),
            undefined_pairs=_count(columns["undefined_pairs"][place]),
        )
        for place, name in enumerate(names)
    )


def _column(result: xr.Dataset, name: str, dimension: str) -> list[Any]:
    """The values of a variable, one an entry; what is said once holds for all entries."""
    entries = result.sizes[dimension]
    if name in result.variables:
        values = result[name].values
        return list(np.broadcast_to(values, (entries,)).tolist())
    fallback = math.nan if name in _FIGURES else result.attrs.get(name)
    return [fallback] * entries


def _count(value: Any) -> int | None:
    # results write -1 where there is nothing to count
    return None if value is None or value < 0 else int(value)


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def plain(value: Any) -> Any:
    """Bring a value to what JSON has; None for what is not a finite number."""
    if isinstance(value, Mapping):
        return {str(name): plain(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return str(value)
