"""Progress of long work: a bar on a terminal, lines where there is none."""

from __future__ import annotations

import io
import time

import pytest
from rich.console import Console

from iaa_jax.cli.progress import LateProgress


def written(*, terminal: bool, seconds: float, further: str = "") -> str:
    file = io.StringIO()
    with LateProgress(Console(file=file, force_terminal=terminal, width=60)) as progress:
        progress.step("Replicates")
        progress.done(1_200, 20_000)
        if further:
            progress.step(further)
        time.sleep(seconds)
    return file.getvalue()


def test_a_log_has_a_line_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("iaa_jax.cli.progress.EVERY", 0.05)
    lines = written(terminal=False, seconds=0.5).splitlines()
    assert len(lines) > 2
    assert set(lines) <= {f"Replicates: 1,200 of 20,000 ({n} s so far)" for n in (0, 1)}
    lines = written(terminal=False, seconds=0.3, further="Fitting").splitlines()
    assert set(lines) == {"Fitting (0 s so far)"}  # its length is not that of the part before


def test_short_work_writes_nothing() -> None:
    assert written(terminal=False, seconds=0.01) == written(terminal=True, seconds=0.01) == ""


def test_a_terminal_has_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("iaa_jax.cli.progress.PATIENCE", 0.02)
    shown = written(terminal=True, seconds=0.4)
    assert "Replicates" in shown
    assert "so far" not in shown
