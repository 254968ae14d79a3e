"""Progress of long work, on standard error."""

from __future__ import annotations

import threading
from time import monotonic
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn

from iaa_jax.cli.interrupts import check

PATIENCE = 0.5
"""Number of seconds before a terminal shows anything."""

EVERY = 10.0
"""Number of seconds between lines in a log, and before the first line."""


class LateProgress:
    """Progress of long work: a bar on a terminal, occasional lines in a log."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._bar = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            console=console,
            transient=True,
        )
        self._task = self._bar.add_task("Reading", total=None)
        self._lock = threading.Lock()
        self._closed = False
        self._begun = monotonic()
        self._timer = self._after(PATIENCE if console.is_terminal else EVERY)

    def step(self, description: str) -> None:
        """Begin a part of the work; its length is unknown until `done` reports it."""
        check()
        with self._lock:  # Rich keeps the total of a task that it resets
            self._bar.remove_task(self._task)
            self._task = self._bar.add_task(description, total=None)

    def done(self, count: int, total: int) -> None:
        """Report how much of the current part is done."""
        check()
        self._bar.update(self._task, completed=count, total=total)

    def __call__(self, count: int, total: int) -> None:
        """Report progress, so that the object can be a function's ``progress`` argument."""
        self.done(count, total)

    def __enter__(self) -> LateProgress:
        self._timer.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._lock:
            self._closed = True
            self._timer.cancel()
            if self._bar.live.is_started:  # stopping prints a line even if nothing was shown
                self._bar.stop()

    def _after(self, seconds: float) -> threading.Timer:
        timer = threading.Timer(seconds, self._show)
        timer.daemon = True
        return timer

    def _show(self) -> None:
        with self._lock:
            if self._closed:
                return
            if self._console.is_terminal:
                self._bar.start()
                return
            self._console.out(self._line(), highlight=False)
            self._timer = self._after(EVERY)
            self._timer.start()

    def _line(self) -> str:
        (task,) = self._bar.tasks
        fraction = f": {int(task.completed):,} of {int(task.total):,}" if task.total else ""
        return f"{task.description}{fraction} ({monotonic() - self._begun:.0f} s so far)"
