"""Where the time of `iaa agree` goes: python agree_steps.py OUTPUT ARGUMENT...

Runs the command itself, with its modules loaded first and the functions of each step watched, and
writes the seconds of each step to the file OUTPUT as JSON. STARTED in the environment says when the
process was begun.
"""

from __future__ import annotations

import functools
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from iaa_jax.cli.cache import keep_compiled

keep_compiled()

import jax  # noqa: E402
import scipy.sparse  # noqa: E402
import scipy.special  # noqa: E402, F401

from iaa_jax.analyses.agree import command, page, study  # noqa: E402, F401
from iaa_jax.cli import run  # noqa: E402
from iaa_jax.cli.app import main as iaa  # noqa: E402
from iaa_jax.cli.groups import InputOptions  # noqa: E402
from iaa_jax.engine import compiled  # noqa: E402, F401
from iaa_jax.engine.drawing import resampling  # noqa: E402
from iaa_jax.io import read  # noqa: E402, F401
from iaa_jax.measure import agreement  # noqa: E402
from iaa_jax.measure.intervals import replicates, uncertainty  # noqa: E402

LOADED = time.time()

spent: dict[str, float] = {}


def watch(owner: Any, inner: Callable[..., Any]) -> None:
    """Count the seconds of each call of a function, where the owner calls it by its name."""

    @functools.wraps(inner)
    def outer(*arguments: Any, **keywords: Any) -> Any:
        start = time.perf_counter()
        try:
            return inner(*arguments, **keywords)
        finally:
            add(inner.__name__, time.perf_counter() - start)

    setattr(owner, inner.__name__, outer)


def watch_rows(owner: Any, inner: Callable[..., Iterator[Any]]) -> None:
    """The same for an iterator: the seconds in which somebody waits for the next."""

    @functools.wraps(inner)
    def outer(*arguments: Any, **keywords: Any) -> Iterator[Any]:
        rows = inner(*arguments, **keywords)
        while True:
            start = time.perf_counter()
            row = next(rows, None)
            add(inner.__name__, time.perf_counter() - start)
            if row is None:
                return
            yield row

    setattr(owner, inner.__name__, outer)


def add(step: str, seconds: float) -> None:
    spent[step] = spent.get(step, 0.0) + seconds


def listen(event: str, duration_secs: float, **_: str | int) -> None:
    if event == "/jax/core/compile/backend_compile_duration":
        add("xla", duration_secs)


def main() -> None:
    output = Path(sys.argv[1])
    sys.argv = ["iaa", "agree", *sys.argv[2:]]
    jax.monitoring.register_event_duration_secs_listener(listen)
    watch(InputOptions, InputOptions.ratings)
    watch(study, study.agreement_and_labels)
    watch(agreement, agreement.measure_full_sample)
    watch(uncertainty, uncertainty.estimates)
    watch(uncertainty, uncertainty.influences)
    watch(replicates, replicates.bootstrap)
    watch_rows(resampling, resampling.rows_of_tables)
    watch(run, run.show)
    began = time.time()
    try:
        iaa()
    finally:
        ended = time.time()
        xla = spent.pop("xla", 0.0)
        parts = {
            "start and imports": LOADED - float(os.environ["STARTED"]),
            "reading": spent["ratings"],
            "tables of patterns": spent["agreement_and_labels"] - spent["measure_full_sample"],
            "statistics and estimates": spent["estimates"],
            "influences": spent["influences"],
            "replicates: waiting for draws": spent["rows_of_tables"],
            "replicates: sums and formulas": spent["bootstrap"] - spent["rows_of_tables"],
            "intervals": spent["measure_full_sample"]
            - sum(spent[name] for name in ("estimates", "influences", "bootstrap")),
            "page": spent["show"],
        }
        parts["the command around them"] = (
            ended - began - (sum(parts.values()) - parts["start and imports"])
        )
        record = {"parts": parts, "xla": xla, "ended": ended - float(os.environ["STARTED"])}
        output.write_text(json.dumps(record), encoding="utf-8")


if __name__ == "__main__":
    main()
