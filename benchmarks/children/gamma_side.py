"""Ours, as a process of its own: python gamma_side.py SPANS.csv RUNS OUT

Writes what pygamma_side.py does.
"""

from __future__ import annotations

import csv
import json
import sys
import time
from pathlib import Path

import iaa_jax as iaa


def main() -> None:
    file, runs, out = sys.argv[1:]
    marked: dict[str, list[tuple[int, int, str]]] = {}
    with Path(file).open(newline="") as rows:
        for who, label, start, end in csv.reader(rows):
            marked.setdefault(who, []).append((int(start), int(end), label))
    spans = iaa.from_spans({"document": marked})
    taken = []
    for _ in range(int(runs)):
        start = time.perf_counter()
        result = iaa.gamma(spans)
        taken.append(time.perf_counter() - start)
    found = {
        "gamma": float(result.estimate),
        "observed": float(result.observed_disorder),
        "samples": int(result.samples),
        "error": float(result.chance_error),
        "seconds": taken,
    }
    Path(out).write_text(json.dumps(found))


if __name__ == "__main__":
    main()
