"""Rows about large data: rates and memory, growth by size, replicates on devices."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar

import numpy as np
from results import Target, readable, yes_or_no

SINGLE = 1e-5
"""How far estimates in single precision may be from those in double precision."""


@dataclass(frozen=True)
class Grown:
    """Wall time of a whole process at three sizes, and its highest peak of memory."""

    work: str
    sizes: tuple[int, ...]
    seconds: tuple[float, ...]
    peak: int
    limit: int
    """Bytes at which a process is ended."""
    most_seconds: float
    """At the largest size."""
    ended: str
    """Why one did not come to its end; empty if all did."""

    columns: ClassVar = (
        "work",
        "sizes",
        "wall",
        "target",
        "exponent",
        "peak memory",
        "hard limit",
        "met",
    )

    @property
    def exponent(self) -> float:
        """The slope of log time on log size from the smallest to the largest."""
        first, *_, last = np.log([self.sizes, self.seconds]).T
        return float((last[1] - first[1]) / (last[0] - first[0]))

    @property
    def met(self) -> bool:
        """Whether it stayed within its limits."""
        return not self.ended and self.peak < self.limit and self.seconds[-1] < self.most_seconds

    def cells(self) -> tuple[str, ...]:
        """The row as text."""
        return (
            self.work,
            " / ".join(f"{size:,}" for size in self.sizes),
            " / ".join(map(readable, self.seconds)),
            str(Target(seconds=self.most_seconds)),
            f"{self.exponent:.2f}",
            f"{self.peak / 1e9:.2f} GB",
            f"{self.limit / 1e9:.2f} GB",
            self.ended or yes_or_no(self.met),
        )

    def record(self) -> dict[str, Any]:
        """The row as numbers."""
        return {**asdict(self), "exponent": self.exponent, "met": self.met}


@dataclass(frozen=True)
class Rate:
    """Rows a second of a work on many rows, and the peak memory of its largest process."""

    work: str
    rows: int
    seconds: float
    limit_seconds: float
    """Of reading the columns alone."""
    peak: int
    same: bool | None
    """Whether all digits are those that they have to be; None where nothing is compared."""
    least: float | None = None
    """Rows a second."""
    most: float | None = None
    """Bytes."""

    columns: ClassVar = (
        "work",
        "wall",
        "rows/s",
        "at least",
        "reading alone",
        "ours / reading",
        "peak memory",
        "at most",
        "same digits",
        "met",
    )

    @property
    def met(self) -> bool | None:
        """Whether it is as fast, as small and as exact as wanted; None where nothing is."""
        found = [self.same]
        found.append(None if self.least is None else self.rows / self.seconds >= self.least)
        found.append(None if self.most is None else self.peak <= self.most)
        known = [each for each in found if each is not None]
        return all(known) if known else None

    def cells(self) -> tuple[str, ...]:
        """The row as text."""
        return (
            self.work,
            readable(self.seconds),
            f"{self.rows / self.seconds:,.0f}",
            "-" if self.least is None else f"{self.least:,.0f}",
            readable(self.limit_seconds),
            f"{self.seconds / self.limit_seconds:.3g}",
            f"{self.peak / 1e9:.2f} GB",
            "-" if self.most is None else f"{self.most / 1e9:.2f} GB",
            yes_or_no(self.same),
            yes_or_no(self.met),
        )

    def record(self) -> dict[str, Any]:
        """The row as numbers."""
        return {**asdict(self), "met": self.met}


@dataclass(frozen=True)
class Growth:
    """Time by size, and the line through it where both are logarithms."""

    work: str
    over: str
    sizes: tuple[int, ...]
    seconds: tuple[float, ...]
    compiling: float
    """What a first call takes beyond later ones where it compiles, at most; 0 if none does."""
    patterns: tuple[int, ...] | None
    """Distinct patterns that it works on at each size; None where it works on all ratings."""
    behind: str

    columns: ClassVar = (
        "work",
        "over",
        "from",
        "to",
        "time",
        "to",
        "exponent",
        "residual",
        "patterns",
        "to",
        "compiling",
        "what is behind it",
    )

    @property
    def line(self) -> tuple[float, float]:
        """Exponent, and log time at size 1."""
        slope, start = np.polyfit(np.log(self.sizes), np.log(self.seconds), 1)
        return float(slope), float(start)

    @property
    def residual(self) -> float:
        """Standard deviation of log time around the line."""
        slope, start = self.line
        apart = np.log(self.seconds) - slope * np.log(self.sizes) - start
        return float(np.sqrt(apart @ apart / (len(apart) - 2)))

    def cells(self) -> tuple[str, ...]:
        """The row as text."""
        patterns = ("-", "-")
        if self.patterns is not None:
            patterns = (f"{self.patterns[0]:,}", f"{self.patterns[-1]:,}")
        return (
            self.work,
            self.over,
            f"{self.sizes[0]:,}",
            f"{self.sizes[-1]:,}",
            readable(self.seconds[0]),
            readable(self.seconds[-1]),
            f"{self.line[0]:.2f}",
            f"{self.residual:.0%}",
            *patterns,
            readable(self.compiling),
            self.behind,
        )

    def record(self) -> dict[str, Any]:
        """The row as numbers."""
        return {**asdict(self), "exponent": self.line[0], "residual": self.residual}


@dataclass(frozen=True)
class OnDevice:
    """A work on a device, whole and by parts; None is what was not measured."""

    work: str
    device: str
    dtype: str
    target: Target
    patterns: int | None = None
    seconds: float | None = None
    """Of the whole work; where only a part of it was done, by that."""
    drawing: float | None = None
    products: float | None = None
    """Products and formulas of weights that are there, or all that is not drawing."""
    compiling: float | None = None
    """What the first call takes beyond later ones."""
    replicates: int | None = None
    """How many were worked out."""
    count: int | None = None
    """Of how many."""
    peak: int | None = None
    """Bytes on the device, where it says so."""
    least: float | None = None
    """Seconds that the work takes there at least."""
    apart: float | None = None
    """Largest difference of estimates in single precision from those in double precision."""

    columns: ClassVar = (
        "work",
        "device",
        "precision",
        "patterns",
        "time",
        "from",
        "target",
        "met",
        "of it drawing",
        "products",
        "compiling",
        "peak on the device",
        "at least",
        "time / at least",
        "from float64",
    )

    def measured(self, **found: Any) -> OnDevice:
        """The row with what was found."""
        return replace(self, **found)

    @property
    def met(self) -> bool | None:
        """Whether it was as quick and as exact as wanted; None where there is nothing to say."""
        if self.seconds is None or self.target.seconds is None:
            return None
        return self.seconds < self.target.seconds and (self.apart or 0.0) <= SINGLE

    def cells(self) -> tuple[str, ...]:
        """The row as text."""
        times = (self.seconds, self.drawing, self.products, self.compiling)
        if None in times:
            middle = (*("unmeasured",) * 3, str(self.target), *("unmeasured",) * 8)
            return (self.work, self.device, self.dtype, *middle)
        whole, *parts = (readable(each) for each in times if each is not None)
        limit = ("-", "-")
        if self.least is not None and self.seconds is not None:
            limit = (readable(self.least), f"{self.seconds / self.least:.3g}")
        part = self.replicates != self.count
        return (
            self.work,
            self.device,
            self.dtype,
            f"{self.patterns:,}",
            f"about {whole}" if part else whole,
            f"{self.replicates:,} of {self.count:,}" if part else "all",
            str(self.target),
            yes_or_no(self.met),
            *parts,
            "-" if self.peak is None else f"{self.peak / 1e9:.2f} GB",
            *limit,
            "-" if self.apart is None else f"{self.apart:.1e}",
        )

    def record(self) -> dict[str, Any]:
        """The row as numbers."""
        return {**asdict(self), "met": self.met}
