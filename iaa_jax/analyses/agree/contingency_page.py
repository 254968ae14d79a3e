"""What stands behind a kappa: prevalence, bias, the largest kappa, and margins that differ."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import xarray as xr
from rich.console import Console
from rich.table import Table

from iaa_jax.report.records import Row, plain
from iaa_jax.report.text import counted, number, put, visible

HIGH, LOW = 0.7, 0.2
"""A coefficient that looks good, and agreement on a label that does not."""

SURE = 0.05
"""P-value below which margins are said to differ."""

_CHANCE_FREE = "gwet_ac1"


@dataclass(frozen=True)
class ContingencyFacts:
    """Indices of two annotators, and how many pairs of several have margins of their own."""

    prevalence_index: float = math.nan
    bias_index: float = math.nan
    kappa_max: float = math.nan
    pabak: float = math.nan
    margins_p: float = math.nan  # McNemar's exact one for two labels, else Stuart-Maxwell
    pairs: int = 0
    pairs_differ: int = 0  # by Stuart-Maxwell with Holm's adjustment

    def record(self) -> dict[str, Any]:
        """The facts for JSON."""
        return {name: plain(value) for name, value in asdict(self).items()}


def contingency_facts(found: xr.Dataset) -> ContingencyFacts:
    """Take the indices out of a result of ``contingency``."""

    def one(name: str) -> float:
        return float(found[name]) if name in found else math.nan

    adjusted = found["stuart_p_holm"].values
    two = found.sizes["annotator"] == 2
    margins_p = one("mcnemar_exact_p")
    if two and math.isnan(margins_p):
        margins_p = float(found["stuart_p"].values[0])
    return ContingencyFacts(
        one("prevalence_index"),
        one("bias_index"),
        one("kappa_max") if two else math.nan,
        one("pabak") if two else math.nan,
        margins_p,
        len(adjusted),
        int((adjusted < SURE).sum()),
    )


def print_contingency(console: Console, facts: ContingencyFacts | None) -> None:
    """Print the indices of two annotators; of more there are none."""
    if facts is None or math.isnan(facts.kappa_max):
        return
    two_labels = not math.isnan(facts.prevalence_index)
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column(justify="right", no_wrap=True)
    grid.add_column(overflow="fold")
    if two_labels:
        index = number(facts.prevalence_index)
        grid.add_row("Prevalence index", index, "0 where both labels are equally frequent")
        bias = "0 where both annotators use the labels equally often"
        grid.add_row("Bias index", number(facts.bias_index), bias + _tested(facts))
    grid.add_row("Largest kappa", number(facts.kappa_max), "that these label margins allow")
    if two_labels:
        even = "kappa if prevalence and bias were 0"
        grid.add_row("PABAK", number(facts.pabak), even)
    console.print()
    put(console, grid)


def contingency_notes(
    facts: ContingencyFacts | None, coefficients: Sequence[Row], labels: Sequence[Row]
) -> Iterator[str]:
    """What two figures say only together: a paradox, and margins that differ."""
    yield from _paradox({row.name: row for row in coefficients}, labels)
    if facts is None or not facts.pairs_differ:
        return
    if facts.pairs > 1:
        yield (
            f"Label margins differ for {facts.pairs_differ} of {counted(facts.pairs, 'pair')} of "
            "annotators (Stuart-Maxwell, p below .05 for all pairs together): 'iaa annotators' "
            "says who leans where."
        )
    elif math.isnan(facts.bias_index):
        yield (
            f"The two annotators' label margins differ (Stuart-Maxwell, {_p(facts.margins_p)}): "
            "'iaa annotators' says who leans where."
        )


def _paradox(rows: Mapping[str, Row], labels: Sequence[Row]) -> Iterator[str]:
    looks_good = rows.get(_CHANCE_FREE)
    low = [row for row in labels if row.estimate < LOW]
    if looks_good is None or not looks_good.estimate > HIGH or not low:
        return
    worst = min(low, key=lambda row: row.estimate)
    others = f" (and {counted(len(low) - 1, 'other label')} below {LOW})" if len(low) > 1 else ""
    yield (
        f"{visible(looks_good.title)} is {number(looks_good.estimate)} although agreement on "
        f"{visible(worst.title)!r} is {number(worst.estimate)}{others}: where a label is rare, no "
        "single coefficient is enough."
    )


def _tested(facts: ContingencyFacts) -> str:
    return "" if math.isnan(facts.margins_p) else f" (McNemar, {_p(facts.margins_p)})"


def _p(value: float) -> str:
    return "p below .001" if value < 0.001 else f"p = {value:.3f}".replace("0.", ".")
