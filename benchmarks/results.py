"""What a measurement becomes: rows of a table, each kind with columns of its own."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Protocol


class Row(Protocol):
    """A row of one of the tables."""

    columns: ClassVar[tuple[str, ...]]

    def cells(self) -> tuple[str, ...]:
        """The row as text, a cell a column."""

    def record(self) -> dict[str, Any]:
        """The row as numbers."""


@dataclass(frozen=True)
class Target:
    """What is wanted of a line: so many times faster than the peer, or so few seconds."""

    ratio: float | None = None
    seconds: float | None = None

    def __str__(self) -> str:
        if self.ratio is not None:
            least = f"{self.ratio:g}" if self.ratio >= 1 else f"1/{1 / self.ratio:g}"
            return f"{least} or more"
        return "-" if self.seconds is None else f"under {readable(self.seconds)}"


@dataclass(frozen=True)
class Line:
    """Ours, what it is compared with, and a physical limit: what no way of doing it undercuts."""

    work: str
    seconds: float
    peer: str
    peer_seconds: float
    target: Target = Target()
    limit: str = ""
    limit_seconds: float | None = None

    columns: ClassVar = (
        "work",
        "ours",
        "compared with",
        "its time",
        "faster",
        "target",
        "met",
        "limit",
        "its time",
        "ours / limit",
    )

    @property
    def ratio(self) -> float:
        """How many times our time the peer takes."""
        return self.peer_seconds / self.seconds

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None where there is none."""
        if self.target.ratio is not None:
            return self.ratio >= self.target.ratio
        return None if self.target.seconds is None else self.seconds < self.target.seconds

    def cells(self) -> tuple[str, ...]:
        """The row as text."""
        limit = ("-", "-", "-")
        if self.limit_seconds is not None:
            times = self.seconds / self.limit_seconds
            limit = (self.limit, readable(self.limit_seconds), f"{times:.3g}")
        return (
            self.work,
            readable(self.seconds),
            self.peer,
            readable(self.peer_seconds),
            f"{self.ratio:.3g}",
            str(self.target),
            yes_or_no(self.met),
            *limit,
        )

    def record(self) -> dict[str, Any]:
        """The row as numbers."""
        return {**asdict(self), "ratio": self.ratio, "met": self.met}


@dataclass(frozen=True)
class Compiled:
    """Compile time apart from steady state, in processes of their own."""

    work: str
    first: float
    """First call, nothing kept from before."""
    xla: float
    """Of that, XLA."""
    cached: float
    """First call of a process that finds everything in the cache on disk."""
    cached_xla: float
    later: float
    programs: int

    columns: ClassVar = (
        "work",
        "first call",
        "of it compiling",
        "by XLA",
        "first call, cache on disk",
        "of it compiling",
        "reading the cache",
        "later calls",
        "programs",
    )

    def cells(self) -> tuple[str, ...]:
        """The row as text."""
        times = (
            self.first,
            self.first - self.later,
            self.xla,
            self.cached,
            self.cached - self.later,
            self.cached_xla,
            self.later,
        )
        return (self.work, *map(readable, times), str(self.programs))

    def record(self) -> dict[str, Any]:
        """The row as numbers."""
        return asdict(self)


@dataclass(frozen=True)
class Traced:
    """Compile time of one coefficient, by what takes it."""

    work: str
    first: float
    """First call, nothing kept from before."""
    xla: float
    """Of that, XLA."""
    later: float
    programs: int

    columns: ClassVar = ("work", "first call", "tracing", "XLA", "programs", "later calls")

    @property
    def tracing(self) -> float:
        """What is neither XLA nor the work itself."""
        return self.first - self.later - self.xla

    def cells(self) -> tuple[str, ...]:
        """The row as text."""
        times = (self.first, self.tracing, self.xla)
        return (self.work, *map(readable, times), str(self.programs), readable(self.later))

    def record(self) -> dict[str, Any]:
        """The row as numbers."""
        return {**asdict(self), "tracing": self.tracing}


@dataclass(frozen=True)
class Guarded:
    """Wall time and peak memory of a whole process."""

    work: str
    seconds: float
    peak: int
    limit: int
    """Bytes at which the process is ended."""
    most_seconds: float | None
    ended: str
    """Why it did not come to its end; empty if it did."""
    imports: float | None = None
    """Seconds of a process that imports what ours stands on."""
    most_imports: float | None = None
    """So many times those seconds, at most."""

    columns: ClassVar = (
        "work",
        "wall",
        "target",
        "/ import jax, xarray",
        "at most",
        "peak memory",
        "hard limit",
        "met",
    )

    @property
    def times(self) -> float | None:
        """How many times the seconds of the import it took."""
        return None if self.imports is None else self.seconds / self.imports

    @property
    def met(self) -> bool:
        """Whether it stayed within its limits."""
        in_time = self.most_seconds is None or self.seconds < self.most_seconds
        if self.most_imports is not None and self.times is not None:
            in_time &= self.times < self.most_imports
        return not self.ended and self.peak < self.limit and in_time

    def cells(self) -> tuple[str, ...]:
        """The row as text."""
        return (
            self.work,
            readable(self.seconds),
            str(Target(seconds=self.most_seconds)),
            "-" if self.times is None else f"{self.times:.3g}",
            "-" if self.most_imports is None else f"{self.most_imports:g}",
            f"{self.peak / 1e9:.2f} GB",
            f"{self.limit / 1e9:.2f} GB",
            self.ended or yes_or_no(self.met),
        )

    def record(self) -> dict[str, Any]:
        """The row as numbers."""
        return {**asdict(self), "times": self.times, "met": self.met}


@dataclass(frozen=True)
class Export:
    """Time and peak memory of reading an export, beside those of Python's json on its file."""

    work: str
    seconds: float
    peer: str
    peer_seconds: float
    peak: int
    peer_peak: int
    most_time: float | None
    """Ours over the peer's, at most."""
    most_memory: float | None
    progress: int
    """How often progress was shown."""

    columns: ClassVar = (
        "work",
        "ours",
        "compared with",
        "its time",
        "ours / its",
        "at most",
        "peak memory",
        "its peak",
        "ours / its",
        "at most",
        "progress shown",
        "met",
    )

    @property
    def time(self) -> float:
        """Ours over the peer's."""
        return self.seconds / self.peer_seconds

    @property
    def memory(self) -> float:
        """Ours over the peer's."""
        return self.peak / self.peer_peak

    @property
    def met(self) -> bool:
        """Whether both ratios are as wanted, and progress was shown."""
        in_time = self.most_time is None or self.time <= self.most_time
        in_memory = self.most_memory is None or self.memory <= self.most_memory
        return in_time and in_memory and self.progress > 1

    def cells(self) -> tuple[str, ...]:
        """The row as text."""
        wanted = [
            "-" if most is None else f"{most:g}" for most in (self.most_time, self.most_memory)
        ]
        return (
            self.work,
            readable(self.seconds),
            self.peer,
            readable(self.peer_seconds),
            f"{self.time:.3g}",
            wanted[0],
            f"{self.peak / 1e9:.2f} GB",
            f"{self.peer_peak / 1e9:.2f} GB",
            f"{self.memory:.3g}",
            wanted[1],
            f"{self.progress:,} times",
            yes_or_no(self.met),
        )

    def record(self) -> dict[str, Any]:
        """The row as numbers."""
        return {**asdict(self), "time": self.time, "memory": self.memory, "met": self.met}


@dataclass(frozen=True)
class Step:
    """Where the time of a whole process goes: one step of it, in several works."""

    step: str
    seconds: tuple[float, ...]
    works: tuple[str, ...]

    columns: ClassVar = ("step",)

    def cells(self) -> tuple[str, ...]:
        """The row as text."""
        return (self.step, *map(readable, self.seconds))

    def record(self) -> dict[str, Any]:
        """The row as numbers."""
        return {"step": self.step, **dict(zip(self.works, self.seconds, strict=True))}


@dataclass(frozen=True)
class Same:
    """Labels of a method by ours and by a peer."""

    work: str
    method: str
    labels: float
    """Share of items with the same label, where both take the first of tied ones in their order."""
    own_ties: float
    """The same where the peer decides ties as it does."""
    apart: float
    """Largest difference of probabilities."""

    columns: ClassVar = (
        "work",
        "method",
        "same labels",
        "same, the peer's own ties",
        "largest difference of probabilities",
    )

    def cells(self) -> tuple[str, ...]:
        """The row as text."""
        shares = (f"{self.labels:.2%}", f"{self.own_ties:.2%}")
        return (self.work, self.method, *shares, f"{self.apart:.1e}")

    def record(self) -> dict[str, Any]:
        """The row as numbers."""
        return asdict(self)


@dataclass(frozen=True)
class Note:
    """A sentence instead of a row."""

    text: str


def yes_or_no(met: bool | None) -> str:
    """Whether a target is met."""
    return "-" if met is None else "yes" if met else "**no**"


def readable(seconds: float) -> str:
    """A duration with three digits.

    Examples
    --------
    >>> readable(1.5), readable(0.00025), readable(0.0)
    ('1.5 s', '250 us', '0 s')
    """
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6), ("ns", 1e-9)):
        if abs(seconds) >= size:
            return f"{seconds / size:.3g} {unit}"
    return "0 s"
