"""How often `iaa_jax.findings` names a cause that is there, and one that is not.

    python benchmarks/findings.py [--sets 300] [--clean 84] [--only NAME] [--write]

Sets are drawn as docs/findings.md says. Of each cause the share is printed of sets in which it is
named (its kind, and whom and what it is about), and of other causes named beside it; of each kind
of clean sets the share in which any is.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parent
sys.path[:0] = [str(FOLDER.parent), str(FOLDER)]

from findings_study.causes import CAUSES  # noqa: E402
from findings_study.clean import CLEAN, TRUE  # noqa: E402
from findings_study.drawing import options  # noqa: E402

import iaa_jax as iaa  # noqa: E402


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--sets", type=int, default=300)
    parser.add_argument("--clean", type=int, default=84)
    parser.add_argument("--only", default="")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    lines = ["| cause | named | another named beside it |", "| --- | --- | --- |"]
    for name, draw in CAUSES.items():
        if given.only and given.only != name:
            continue
        named = others = 0
        for seed in range(given.sets):
            ratings, is_there = draw(np.random.default_rng([1, seed]))
            result = iaa.findings(ratings, **options(ratings))
            there = is_there(result)
            named += there
            others += result.sizes["finding"] > there
        lines.append(f"| {name} | {named / given.sets:.1%} | {others / given.sets:.1%} |")
        print(lines[-1], flush=True)
    lines += ["", "| clean sets | any cause named |", "| --- | --- |"]
    total = 0
    kinds = {name: draw for name, draw in CLEAN.items() if given.only in ("", "clean", name)}
    for name, draw in kinds.items():
        named, which = 0, {}
        for seed in range(given.clean):
            ratings = draw(np.random.default_rng([2, seed]))
            result = iaa.findings(ratings, **options(ratings))
            found = zip(result["kind"].values, result["annotator"].values, strict=True)
            kinds_named = [kind for kind, who in found if (name, kind, who) not in TRUE]
            named += len(kinds_named) > 0
            for kind in kinds_named:
                which[kind] = which.get(kind, 0) + 1
        total += named
        lines.append(f"| {name} | {named / given.clean:.1%} |")
        print(lines[-1], which, flush=True)
    if kinds:
        lines.append(f"| all | {total / given.clean / len(kinds):.1%} |")
        print(lines[-1])
    if given.write:
        head = "# What findings name\n\nWritten by `python benchmarks/findings.py --write`.\n\n"
        Path(__file__).with_suffix(".md").write_text(head + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
