"""How often each interval holds the true coefficient, over designs of all kinds.

python benchmarks/coverage.py [--cells WORDS] [--quick] [--write] [--keep FOLDER]

Prints a line a cell. With --write, the figures of each cell go to coverage.csv as soon as it is
done, cells that stand there already are left out, and coverage.md and coverage_rule.json are made
anew from all of them.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from pathlib import Path

# one core: the batches are small, and others may need the rest
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")
sys.path.insert(0, str(Path(__file__).parent))

from coverage_study.designs import DESIGNS, Design

FOLDER = Path(__file__).parent
TABLE, SUMMARY, RULE = (FOLDER / f"coverage{end}" for end in (".csv", ".md", "_rule.json"))
QUICK = 200


def main() -> None:
    """Run what is asked for."""
    from coverage_study.cells import Settings
    from coverage_study.running import run

    asked = parsed(sys.argv[1:])
    sets = QUICK if asked.quick else asked.data_sets
    settings = Settings(sets, asked.replicates, asked.seed)
    designs = [design for design in DESIGNS if _wanted(design, asked.cells)]
    if not designs:
        sys.exit(f"no cell has {asked.cells!r} in its name")
    began = time.monotonic()
    run(designs, settings, TABLE if asked.write else None, asked.keep)
    print(f"{time.monotonic() - began:.0f} s")
    if asked.write:
        from coverage_study.summary import rule_of, written

        SUMMARY.write_text(written(TABLE), encoding="utf-8")
        RULE.write_text(json.dumps(rule_of(TABLE), indent=1) + "\n", encoding="utf-8")


def parsed(arguments: list[str]) -> argparse.Namespace:
    """The options."""
    from coverage_study.cells import Settings

    usual = Settings()
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cells", default="", help="cells with all of these words in their name")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} data sets a cell")
    parser.add_argument("--data-sets", type=int, default=usual.data_sets)
    parser.add_argument("--replicates", type=int, default=usual.replicates)
    parser.add_argument("--seed", type=int, default=usual.seed)
    parser.add_argument("--write", action="store_true", help="write coverage.csv and coverage.md")
    parser.add_argument("--keep", type=Path, help="a folder for the outcome of each data set")
    asked = parser.parse_args(arguments)
    if asked.quick and asked.write:
        parser.error("--quick is for a look: it writes nothing")
    return asked


def _wanted(design: Design, words: str) -> bool:
    return all(word in design.name for word in words.split())


if __name__ == "__main__":
    main()
