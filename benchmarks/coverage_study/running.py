"""Cells one after the other, with their figures on disk as soon as they are there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from coverage_study.cells import (
    ABOVE,
    BELOW,
    HELD,
    NO_FIGURE,
    NONE,
    Facts,
    Result,
    Settings,
    simulated,
)
from coverage_study.designs import Design
from coverage_study.tables import put

DIGITS = 4

CLASSES = (0, 1, 2, 3, 5, 10, 15, 20, 50)
"""Least numbers of the classes of what is counted in a data set."""

COUNTED = ("auto", "bca", "abc", "t, range")
"""Intervals whose outcomes are counted by what a data set shows."""

BY_FACTS = "coverage_facts.csv"


def run(
    designs: Sequence[Design], settings: Settings, table: Path | None, keep: Path | None
) -> list[pd.DataFrame]:
    """Simulate the cells that ``table`` does not have yet."""
    console = Console()
    done = _done(table, settings)
    left = [design for design in designs if design.name not in done]
    if len(left) < len(designs):
        console.print(f"{len(designs) - len(left)} cells are in {table} already")
    frames = []
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as bars:
        whole = bars.add_task("cells", total=len(left))
        cell = bars.add_task("", total=1)
        for design in left:
            bars.update(cell, description=design.name, completed=0, total=settings.data_sets)
            results, facts = simulated(
                design, settings, lambda at, of: bars.update(cell, completed=at, total=of)
            )
            frame = summarised(design, settings, results, facts)
            frames.append(frame)
            if keep is not None:
                _keep(keep, design, results, facts)
            if table is not None:
                # the table last: a cell that stands in it is complete
                put(table.with_name(BY_FACTS), by_facts(design, results, facts), ["design"])
                put(table, frame, ["design"])
            bars.print(_line(design, frame))
            bars.advance(whole)
    return frames


def summarised(
    design: Design, settings: Settings, results: Sequence[Result], facts: Facts
) -> pd.DataFrame:
    """A row for each coefficient and interval."""
    usual = {name: float(np.median(values)) for name, values in facts._asdict().items()}
    return pd.DataFrame(
        [
            {
                "design": design.name,
                "family": design.family,
                "items": design.items,
                "annotators": design.annotators,
                "labels": design.labels,
                "prevalence": design.prevalence,
                "agreement": design.agreement,
                "gaps": design.gaps,
                "annotators_are": design.annotators_are,
                "document": design.document,
                "data_sets": settings.data_sets,
                "replicates": settings.replicates,
                "seed": settings.seed,
                **usual,
                **_row(result),
            }
            for result in results
        ]
    )


def _row(result: Result) -> dict[str, str | float]:
    outcome = result.outcome
    figure = outcome != NO_FIGURE
    number = max(int(figure.sum()), 1)
    given = figure & (outcome != NONE)
    held = float((outcome == HELD).sum() / number)
    width = result.width[given & np.isfinite(result.width)]
    found = {
        "truth": result.truth,
        "mean_estimate": float(np.mean(result.estimate[figure])) if figure.any() else np.nan,
        "no_figure": float(1 - figure.mean()),
        "undefined_replicates": float(np.mean(result.undefined_replicates[figure])),
        "coverage": held,
        "monte_carlo_error": float(np.sqrt(held * (1 - held) / number)),
        "below": float((outcome == BELOW).sum() / number),
        "above": float((outcome == ABOVE).sum() / number),
        "no_interval": float((outcome == NONE).sum() / number),
        "no_width": float((result.width[given] == 0).sum() / number),
        "mean_width": float(np.mean(width)) if len(width) else np.nan,
        "median_width": float(np.median(width)) if len(width) else np.nan,
    }
    label = dict(zip(("coefficient", "drawn", "interval"), (result[0], *result[2:4]), strict=True))
    rounded = {name: round(value, DIGITS) for name, value in found.items()}
    return {**label, "confidence": result.confidence, **rounded}


def by_facts(design: Design, results: Sequence[Result], facts: Facts) -> pd.DataFrame:
    """How often intervals held, by what data sets show, the coefficients of the cell together.

    Classes have the name of their least number; of ``agreeing`` there are two, 0 and more.
    """
    classes = {
        name: np.array(CLASSES)[np.searchsorted(CLASSES, getattr(facts, name), side="right") - 1]
        for name in ("disagreeing", "informative")
    }
    classes["agreeing"] = np.minimum(facts.agreeing, 1).astype(int)
    parts = []
    for result in results:
        if result.interval not in COUNTED or result.confidence != 0.95:
            continue
        outcome = result.outcome
        counted = pd.DataFrame({"drawn": result.drawn, "interval": result.interval, **classes})
        counted = counted.assign(intervals=1, held=outcome == HELD, above=outcome == ABOVE)
        parts.append(counted[outcome != NO_FIGURE])
    keys = ["drawn", "interval", *classes]
    whole = pd.concat(parts).groupby(keys, as_index=False, sort=False).sum()
    whole.insert(0, "design", design.name)
    return whole


def _done(table: Path | None, settings: Settings) -> set[str]:
    if table is None or not table.exists():
        return set()
    frame = pd.read_csv(table, keep_default_na=False)
    same = (
        (frame.data_sets == settings.data_sets)
        & (frame.replicates == settings.replicates)
        & (frame.seed == settings.seed)
    )
    return set(frame.design[same])


def _keep(folder: Path, design: Design, results: Sequence[Result], facts: Facts) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(
        folder / f"{design.name}.npz",
        outcome=np.stack([result.outcome for result in results]),
        width=np.stack([result.width for result in results]).astype(np.float32),
        estimate=np.stack([result.estimate for result in results]).astype(np.float32),
        undefined=np.stack([result.undefined_replicates for result in results]).astype(np.float32),
        label=np.array(
            [[one.coefficient, one.drawn, one.interval, str(one.confidence)] for one in results]
        ),
        **{name: np.asarray(values) for name, values in facts._asdict().items()},
    )


def _line(design: Design, frame: pd.DataFrame) -> str:
    """A cell in one line: the mean coverage of each interval over its coefficients."""
    usual = frame[(frame.confidence == frame.confidence.max())]
    mean = usual.groupby(["drawn", "interval"], sort=False).coverage.mean()
    parts = [f"{interval} {100 * value:.1f}" for (_, interval), value in mean.items()]
    return f"{design.name}: {', '.join(parts)}"
