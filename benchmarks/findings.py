"""How often `iaa_jax.findings` names a cause that is there, and one that is not.

    python benchmarks/findings.py [--sets 300] [--clean 84] [--only NAME] [--write]

The sizes of causes were fixed before the study was made. Of each cause the share is printed of sets
in which it is named (its kind, and whom and what it is about), and of other causes named beside it;
of each kind of clean sets the share in which any is.
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

HEAD = """# What findings name

Written by `python benchmarks/findings.py --write`: 300 sets of each cause, of 400 items and four
annotators who are otherwise right in 85 % of five labels, or of 60 documents with spans. Sizes were
fixed before. A cause was to be named in 80 % of the sets, and clean sets were to name one in less
than 5 %.

"""

PLANTED = {
    "exchanged": "one annotator has two labels exchanged, 30 uses of each",
    "one_for_another": "one annotator gives one label for another, 30 uses",
    "guesses": "one annotator guesses half of the ratings",
    "favours": "one annotator favours a label in 30 % of the ratings, whatever the item shows",
    "changed": "one annotator changes at a date, 8 % errors to 40 %, 100 items on each side",
    "stopped": "one annotator stops after two thirds of the items",
    "confused": "everybody confuses a pair of labels in 30 % of the items with either",
    "hard": "everybody finds a kind of items hard, 8 % errors to 40 %, 100 items on each side",
    "copied": "one annotator's ratings are those of another, on all of 60 items",
    "severe": "one annotator is severe by half a standard deviation of the numbers",
    "scale_use": "one annotator uses half of the scale of numbers",
    "leaves_out": "one annotator leaves a label out of sets half of the time, 60 items with it",
    "marks_less": "one annotator marks half of the spans",
    "asked_again": "all slip in 20 % of the answers, 30 items rated twice by each",
    "one_asked_again": "one annotator slips in 30 % of the answers, the others in 3 %, 60 items",
    "one_answer": "15 of 150 annotators give one label alone, of 60 %, 30 items each",
    "near_ends": "one annotator's spans end a place later, in 30 % of them",
    "beside_partners": "one of eight favours a label in 30 %, 200 items, two ratings an item",
    "severe_steps": "one annotator is a step lower in 60 % of the items, five steps",
    "farther_steps": "one annotator is two steps up or down in half of the items, five steps",
}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--sets", type=int, default=300)
    parser.add_argument("--clean", type=int, default=84)
    parser.add_argument("--only", default="")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    lines = ["| cause | planted | named | another named beside it |", "| --- | --- | --- | --- |"]
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
        shares = f"{named / given.sets:.1%} | {others / given.sets:.1%}"
        lines.append(f"| {name} | {PLANTED[name]} | {shares} |")
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
        Path(__file__).with_suffix(".md").write_text(HEAD + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
