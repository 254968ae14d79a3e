"""How often every method finds the true label, on crowds whose truth is known.

python benchmarks/accuracy.py [--sets FOLDER] [--write]

Labels that tie in the first place share the credit. ``--write`` puts the table into labelling.md
and accuracy.csv; differences from the reference values are told in any case.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from labelled import SETS, TIED, Labelled, real
from writing import rewritten

import iaa_jax as iaa
from iaa_jax.catalog.labelling import METHODS

PAGE = Path(__file__).parent / "labelling.md"

TABLE = Path(__file__).parent / "accuracy.csv"

REFERENCE = {
    "majority": ("majority_vote", "expected_credit"),
    "wawa": ("wawa", "majority_ties_first_label"),
    "dawid_skene": ("dawid_skene", "converged"),
    "fast_dawid_skene": ("fast_dawid_skene", "plurality_ties_first_label"),
    "one_coin": ("one_coin_dawid_skene", "converged"),
    "sharpen": ("sharpen", "entropy"),
}
"""Where the reference values have a method's accuracy."""


@dataclass(frozen=True)
class Found:
    """A method on a crowd."""

    crowd: str
    method: str
    accuracy: float
    tied: int
    """Items whose first place is tied."""
    iterations: int
    status: str
    reference: float | None
    beyond: bool
    """Whether it is further from the reference than its stated tolerance."""


def measured(crowd: Labelled, known: dict[str, tuple[float, float]]) -> list[Found]:
    """Every method on a crowd; ``known`` has reference values and their tolerances."""
    ratings, found = crowd.ratings, []
    for method in METHODS:
        result = iaa.gold(ratings, method, interval=None)
        accuracy = crowd.accuracy(result)
        value, tolerance = known.get(method, (None, 0.0))
        probability = result["probability"].values
        first = probability >= probability.max(axis=1, keepdims=True) - TIED
        found.append(
            Found(
                crowd.name,
                method,
                round(accuracy, 6),
                int((first.sum(axis=1) > 1).sum()),
                int(result["iterations"]),
                str(result.attrs["status"]),
                value,
                value is not None and abs(accuracy - value) > tolerance + 1e-6,
            )
        )
    return found


def references(folder: Path) -> dict[str, dict[str, tuple[float, float]]]:
    """For each crowd the accuracy of methods, with its tolerance, from aggregation.json."""
    file = folder.parent / "aggregation.json"
    cases = json.loads(file.read_text(encoding="utf-8"))["cases"] if file.is_file() else []
    found: dict[str, dict[str, tuple[float, float]]] = {}
    for case in cases:
        if case["method"] != "benchmark_accuracy":
            continue
        of_case = {}
        for method, (name, figure) in REFERENCE.items():
            tolerances = case["abs_tol"]
            tolerance = tolerances.get(f"{name}.{figure}", tolerances.get(name))
            # one-coin and fast Dawid-Skene have none of their own: that of the full one
            tolerance = tolerances["dawid_skene"] if tolerance is None else tolerance
            of_case[method] = (float(case["expected"]["own"][name][figure]), float(tolerance))
        found[case["id"].removeprefix("bench_")] = of_case
    return found


def table(crowds: Sequence[Labelled], found: Sequence[Found]) -> str:
    """Accuracies, a line a crowd, and below them the iterations."""
    head = ["crowd", "items x annotators x labels", "votes", *METHODS]
    ruler = ["---", "---", *["---:"] * (len(METHODS) + 1)]
    accuracy, steps = [], []
    for crowd in crowds:
        of_crowd = [each for each in found if each.crowd == crowd.name]
        best = max(round(each.accuracy, 3) for each in of_crowd)
        about = [crowd.name, crowd.size, f"{len(crowd.rows):,}"]
        accuracy.append([*about, *(_cell(each, best) for each in of_crowd)])
        steps.append([crowd.name, *(_steps(each) for each in of_crowd)])
    first = _markdown(head, ruler, accuracy)
    second = _markdown(["crowd", *METHODS], ["---", *ruler[3:]], steps)
    return f"{first}\n\nIterations:\n\n{second}"


def _cell(found: Found, best: float) -> str:
    text = f"{found.accuracy:.3f}".removeprefix("0")
    text = f"**{text}**" if round(found.accuracy, 3) == best else text
    return f"{text} (reference {found.reference})" if found.beyond else text


def _steps(found: Found) -> str:
    return f"{found.iterations:,}" + ("" if found.status == "converged" else f" ({found.status})")


def _markdown(head: Sequence[str], ruler: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, ruler, *rows))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=Path, default=SETS, help="folder of the crowds")
    parser.add_argument("--only", help="some of them, with commas")
    parser.add_argument("--write", action="store_true", help="into labelling.md, accuracy.csv")
    asked = parser.parse_args()
    wanted = asked.only and asked.only.split(",")
    crowds = [each for each in real(asked.sets) if not wanted or each.name in wanted]
    known = references(asked.sets)
    found = [one for crowd in crowds for one in measured(crowd, known.get(crowd.name, {}))]
    text = table(crowds, found)
    print(text)
    for one in found:
        if one.beyond:
            print(f"{one.crowd}, {one.method}: {one.accuracy}, reference {one.reference}")
    if asked.write:
        page = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(rewritten(page, {"accuracy": f"\n{text}\n"}), encoding="utf-8")
        with TABLE.open("w", newline="") as file:
            rows = csv.DictWriter(file, [each.name for each in fields(Found)], lineterminator="\n")
            rows.writeheader()
            rows.writerows(asdict(one) for one in found)


if __name__ == "__main__":
    main()
