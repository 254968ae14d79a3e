"""Speed and memory against the peers, in one run.

python benchmarks/run.py [--quick] [--only GROUP,GROUP] [--irrcac] [--pygamma] [--crowdkit]
                         [--json FILE] [--write]

Every figure is a ratio to a peer, with a physical limit beside it, timed in turn in the same
process (whole processes: one after the other on the same machine). Everything is warmed up first;
reading, compiling and first runs are lines of their own. Tables in Markdown go to standard output.
"""

from __future__ import annotations

import argparse
import json
import sys
import traceback
from collections.abc import Callable, Iterable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from results import Note
from writing import README, as_line, machine, rewritten, table

GROUPS = {
    "reading": "Reading",
    "exports": "Exports of annotation tools",
    "points": "Estimates from a table",
    "replicates": "Replicates",
    "warm": "Small calls, warm",
    "sweeps": "Sweeps over p, and label sets",
    "spans": "Spans",
    "compiling": "Compiling, apart from steady state",
    "cold": "Whole processes",
    "memory": "Peak memory, in processes with a hard limit",
    "commands": "Large files of every kind, at three sizes",
    "steps": "Where the time of the large commands goes",
    "scale": "More ratings than memory",
    "growth": "Growth of the cost",
    "gpu": "Replicates on a GPU",
    "irrcac": "Against irrCAC, in an environment of its own",
    "gamma": "Gamma, against pygamma-agreement in an environment of its own",
    "labelling": "Gold labels, against crowd-kit in an environment of its own",
}
"""Names of the groups, each a module with a function of that name, and their headings."""


def main() -> None:
    asked = parsed(sys.argv[1:])
    about = machine()
    print(as_line(about), flush=True)
    if asked.quick:
        print("\nSmall sizes: targets are for the full ones.")
    found: dict[str, list[Any]] = {}
    failed: list[str] = []
    for name in asked.only:
        print(f"\n## {GROUPS[name]}\n", flush=True)
        try:
            found[name] = list(group(name, asked)(asked.quick))
        except Exception:  # the others are still worth their time
            traceback.print_exc()
            failed.append(name)
            continue
        print(table(found[name]), flush=True)
    if asked.json is not None:
        groups = {name: records(results) for name, results in found.items()}
        record = {"machine": about, "quick": asked.quick, "groups": groups}
        asked.json.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    if asked.write:
        for name, results in found.items():
            module = import_module(name)
            if hasattr(module, "draw"):
                module.draw(results, module.PICTURE)
        sections = {name: f"\n{table(results)}\n" for name, results in found.items()}
        sections["machine"] = f"\nLast run: {as_line(about)}.\n"
        README.write_text(rewritten(README.read_text(encoding="utf-8"), sections), encoding="utf-8")
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


def parsed(arguments: list[str]) -> argparse.Namespace:
    """The options; ``only`` holds the names of the groups to run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small sizes and few runs")
    parser.add_argument("--only", metavar="GROUP,...", help=f"some of {', '.join(GROUPS)}")
    parser.add_argument("--irrcac", action="store_true", help="install irrCAC and compare with it")
    parser.add_argument("--pygamma", action="store_true", help="the same with pygamma-agreement")
    parser.add_argument("--crowdkit", action="store_true", help="the same with crowd-kit")
    parser.add_argument(
        "--environment", type=Path, help="folder of the peer's environment, kept; a peer at a time"
    )
    parser.add_argument("--json", type=Path, help="write the figures to this file as well")
    parser.add_argument("--write", action="store_true", help="put the tables into README.md")
    asked = parser.parse_args(arguments)
    left_out = {"irrcac": not asked.irrcac, "gamma": not asked.pygamma}
    left_out["labelling"] = not asked.crowdkit
    usual = [name for name in GROUPS if not left_out.get(name)]
    asked.only = usual if asked.only is None else asked.only.split(",")
    if unknown := [name for name in asked.only if name not in GROUPS]:
        parser.error(f"there is no group {unknown[0]!r}: the groups are {', '.join(GROUPS)}")
    if asked.write and asked.quick:
        parser.error("--quick measures small sizes, which are not for README.md")
    return asked


def group(name: str, asked: argparse.Namespace) -> Callable[[bool], Iterable[Any]]:
    """The function that runs a group; its peers are imported only now."""
    function = getattr(import_module(name), name)
    of_its_own = name in ("irrcac", "gamma", "labelling")
    return partial(function, environment=asked.environment) if of_its_own else function


def records(results: list[Any]) -> list[dict[str, Any]]:
    """Results as numbers."""
    return [{"note": one.text} if isinstance(one, Note) else one.record() for one in results]


if __name__ == "__main__":
    main()
