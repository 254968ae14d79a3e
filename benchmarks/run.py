"""Speed against the peers, in one run: python benchmarks/run.py [--quick] [--json FILE]

Every figure is a ratio to a peer, or to a physical limit, timed in turn with it in the same process
(cold ones: the same machine, one after the other). Everything is warmed up first; compilation is
timed apart. A table in Markdown goes to standard output.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
from dataclasses import asdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import cases
import cold


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small sizes and few runs")
    parser.add_argument("--json", type=Path, help="write the figures to this file as well")
    asked = parser.parse_args()
    lines = [
        *cases.points(asked.quick),
        *cases.replicates(asked.quick),
        *cases.warm(asked.quick),
        *cold.processes(asked.quick),
    ]
    machine = environment()
    print(" / ".join(f"{key} {value}" for key, value in machine.items()), "\n")
    print("| work | ours | compared with | its time | ratio | target |")
    print("| --- | ---: | --- | ---: | ---: | --- |")
    for line in lines:
        print(
            f"| {line.work} | {readable(line.seconds)} | {line.peer} | "
            f"{readable(line.peer_seconds)} | {line.ratio:.3g} | {line.target} |"
        )
    if asked.json is not None:
        record = {"machine": machine, "lines": [asdict(line) for line in lines]}
        asked.json.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def environment() -> dict[str, str]:
    """What the figures were measured on."""
    import os
    from importlib.metadata import version

    import jax

    packages = ("iaa_jax", "jax", "numpy", "krippendorff", "scikit-learn", "statsmodels")
    found: dict[str, str] = {
        "python": platform.python_version(),
        "cores": str(len(os.sched_getaffinity(0))),
        "device": str(jax.devices()[0].device_kind),
    }
    for package in packages:
        try:
            found[package] = version(package)
        except ImportError:
            found[package] = "from the source tree"
    return found


def readable(seconds: float) -> str:
    """A duration with three digits."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


if __name__ == "__main__":
    main()
