"""Progress of long work, on standard error."""

from __future__ import annotations

import threading
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn

from iaa_jax.cli.interrupts import check

PATIENCE = 0.5
"""Seconds before anything is shown."""


class LateProgress:
    """A progress bar that appears only on a terminal, and only if the work takes its time."""

    def __init__(self, console: Console) -> None:
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
        self._closed = not console.is_terminal
        self._timer = threading.Timer(PATIENCE, self._show)
        self._timer.daemon = True

    def step(self, description: str) -> None:
        """Begin a part of the work, of unknown length until `done` tells it."""
        check()
        self._bar.reset(self._task, description=description, total=None)

    def done(self, count: int, total: int) -> None:
        """Say how far the part is."""
        check()
        self._bar.update(self._task, completed=count, total=total)

    def __call__(self, count: int, total: int) -> None:
        """The same, where a function takes it as its progress."""
        self.done(count, total)

    def __enter__(self) -> LateProgress:
        if not self._closed:
            self._timer.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._timer.cancel()
        with self._lock:
            self._closed = True
            if self._bar.live.is_started:  # stopping prints a line even where nothing was shown
                self._bar.stop()

    def _show(self) -> None:
        with self._lock:
            if not self._closed:
                self._bar.start()
