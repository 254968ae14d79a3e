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
from iaa_jax.cli.reading import Reading  # noqa: E402

import iaa_jax.analyses.agree.command as command  # noqa: E402
from iaa_jax.cli.app import main as run  # noqa: E402
from iaa_jax.engine import compiled, drivers  # noqa: E402, F401
from iaa_jax.io import read  # noqa: E402, F401
from iaa_jax.measure import coefficients, measure  # noqa: E402

LOADED = time.time()

spent: dict[str, float] = {}


def watched(place: Any, name: str, step: str) -> None:
    """Put a function in the place of another that adds the seconds of each call to a step."""
    inner: Callable[..., Any] = getattr(place, name)

    @functools.wraps(inner)
    def outer(*arguments: Any, **keywords: Any) -> Any:
        start = time.perf_counter()
        try:
            return inner(*arguments, **keywords)
        finally:
            add(step, time.perf_counter() - start)

    setattr(place, name, outer)


def watched_rows(place: Any, name: str, step: str) -> None:
    """The same for an iterator: the seconds in which somebody waits for the next."""
    inner: Callable[..., Iterator[Any]] = getattr(place, name)

    @functools.wraps(inner)
    def outer(*arguments: Any, **keywords: Any) -> Iterator[Any]:
        rows = inner(*arguments, **keywords)
        while True:
            start = time.perf_counter()
            row = next(rows, None)
            add(step, time.perf_counter() - start)
            if row is None:
                return
            yield row

    setattr(place, name, outer)


def add(step: str, seconds: float) -> None:
    spent[step] = spent.get(step, 0.0) + seconds


def listen(event: str, duration_secs: float, **_: str | int) -> None:
    if event == "/jax/core/compile/backend_compile_duration":
        add("xla", duration_secs)


def main() -> None:
    output = Path(sys.argv[1])
    sys.argv = ["iaa", "agree", *sys.argv[2:]]
    jax.monitoring.register_event_duration_secs_listener(listen)
    watched(Reading, "ratings", "reading")
    watched(coefficients, "agreement_and_labels", "agreement")
    watched(coefficients, "measured", "measured")
    for name in ("estimates", "influences", "bootstrap"):
        watched(measure, name, name)
    watched_rows(drivers, "bootstrap_rows", "drawing")
    watched(command, "show", "report")
    began = time.time()
    try:
        run()
    finally:
        ended = time.time()
        xla = spent.pop("xla", 0.0)
        parts = {
            "start and imports": LOADED - float(os.environ["STARTED"]),
            "reading": spent["reading"],
            "tables of patterns": spent["agreement"] - spent["measured"],
            "statistics and estimates": spent["estimates"],
            "influences": spent["influences"],
            "replicates: waiting for draws": spent["drawing"],
            "replicates: sums and formulas": spent["bootstrap"] - spent["drawing"],
            "intervals": spent["measured"]
            - sum(spent[name] for name in ("estimates", "influences", "bootstrap")),
            "report": spent["report"],
        }
        parts["the command around them"] = (
            ended - began - (sum(parts.values()) - parts["start and imports"])
        )
        record = {"parts": parts, "xla": xla, "ended": ended - float(os.environ["STARTED"])}
        output.write_text(json.dumps(record), encoding="utf-8")


if __name__ == "__main__":
    main()
