"""Gold labels against crowd-kit, which has an environment of its own.

python benchmarks/labelling.py [--quick] [--only PART] [--environment FOLDER]
                               [--python PYTHON] [--write]

First the labels: both run the same number of iterations. Then the time: ours runs until no
probability changes by more than a tolerance, the peer as many iterations as plain steps take to
that; how far each then is from the fixed point is measured by one more step, the same for both.
``--write`` puts the tables into README.md.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np
from irrcac import installed
from labelled import TIED, Labelled, crowd, read
from processes import CHILDREN, environment as of_ours
from results import Line, Note, Same, Target

from iaa_jax._types import Floats
from iaa_jax.catalog.labelling import METHODS
from iaa_jax.engine.fits import Tolerance, states
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.shared.labelling import VoteTables

REQUIREMENTS = ("crowd-kit==1.4.2",)

VARIABLE = "CROWDKIT_ENVIRONMENT"
"""Names the folder of the peer's environment, where no option does."""

REAL = ("bluebird", "rte", "possent", "dog", "face", "MS", "CF")

ITERATIONS = {
    "majority": 0,
    "wawa": 0,
    "zero_based_skill": 100,
    "dawid_skene": 50,
    "one_coin": 20,
    "mace": 50,
    "glad": 0,
}
"""So many for both; 0 is a method's own number, or its own stop."""

PARTS = ("labels", "speed", "rows")

CLOSE = 0.02
"""Largest difference of probabilities between fits that are timed: plain steps, when they become
small, can still have as much before them."""


def labelling(
    quick: bool,
    environment: Path | None = None,
    python: str | None = None,
    parts: Sequence[str] = PARTS,
) -> Iterator[Line | Same | Note]:
    """The same labels, and the time to them."""
    setting = os.environ.get(VARIABLE)
    with tempfile.TemporaryDirectory() as folder:
        try:
            home = environment or Path(setting or Path(folder) / "crowdkit")
            peer = installed(home, python, REQUIREMENTS, "crowdkit.aggregation")
        except RuntimeError as error:
            yield Note(f"crowd-kit could not be installed: {error}")
            return
        sides = Sides(peer, Path(folder))
        if "labels" in parts:
            names = REAL[:1] if quick else REAL
            for each in (*map(read, names), crowd(300, 60, 5, 4, (0.4, 0.9), seed=1)):
                yield from same_labels(sides, each)
        if "speed" in parts:
            yield from speed(sides, quick)
        if "rows" in parts:
            yield from bootstrap(sides, quick)


class Sides:
    """Both sides, each as a process of its own."""

    def __init__(self, peer: Path, folder: Path) -> None:
        self.peer, self.folder = peer, folder

    def ours(self, crowd: Labelled, works: Sequence[dict[str, Any]], rows: int = 0) -> Any:
        """Seconds and arrays of ours."""
        plan = {"works": [*works], "rows": rows}
        return self._run([sys.executable, CHILDREN / "labelling_side.py"], crowd, plan)

    def theirs(self, crowd: Labelled, works: Sequence[dict[str, Any]]) -> Any:
        """Seconds and arrays of the peer."""
        return self._run([self.peer, CHILDREN / "crowdkit_side.py"], crowd, [*works])

    def _run(self, command: Sequence[object], crowd: Labelled, plan: object) -> Any:
        rows, file, out = (self.folder / name for name in ("rows.csv", "plan.json", "out"))
        kept = crowd.rows.drop_duplicates(["item", "annotator"], keep="last")
        kept.to_csv(rows, index=False)
        file.write_text(json.dumps(plan))
        variables = of_ours() if command[0] == sys.executable else None
        whole = [*map(str, command), str(rows), str(file), str(out)]
        done = subprocess.run(whole, capture_output=True, text=True, env=variables)
        if done.returncode:
            raise RuntimeError(done.stderr[-1000:])
        with np.load(f"{out}.npz", allow_pickle=False) as arrays:
            return json.loads(Path(f"{out}.json").read_text()), dict(arrays)


def same_labels(sides: Sides, crowd: Labelled) -> Iterator[Same]:
    """Every method that both have, on one crowd."""
    methods = [name for name in ITERATIONS if name in METHODS]
    ours = [
        {"method": name, "iterations": ITERATIONS[name], "tolerance": _stop(name), "runs": 1}
        for name in methods
    ]
    theirs = [
        {"method": name, "iterations": ITERATIONS[name], "in_order": order, "runs": 1}
        for name in methods
        for order in (True, False)
    ]
    _, own = sides.ours(crowd, ours)
    _, other = sides.theirs(crowd, theirs)
    labels = np.unique(crowd.rows["label"].to_numpy())
    for number, name in enumerate(methods):
        label = labels[own[f"label{number}"]]
        shares = other[f"probability{2 * number}"]
        first = (shares >= shares.max(axis=1, keepdims=True) - TIED).argmax(axis=1)
        yield Same(
            f"{crowd.name}, {crowd.size}",
            name,
            float((label == labels[first]).mean()),
            float((label == other[f"label{2 * number + 1}"]).mean()),
            float(np.abs(own[f"probability{number}"] - shares).max()),
        )


def _stop(method: str) -> float:
    return 0.0 if ITERATIONS[method] else 1e-6


def speed(sides: Sides, quick: bool) -> Iterator[Line | Note]:
    """Dawid and Skene to the same convergence, and what a small call takes."""
    size = (1_000, 50) if quick else (20_000, 200)
    easy = crowd(*size, 5, 5, (0.6, 0.95))
    hard = crowd(*size, 5, 5, (0.4, 0.9))
    yield from converged(sides, easy, 1e-6, 3)
    yield from converged(sides, easy, 1e-10, 2)
    yield from converged(sides, hard, 1e-6, 1)
    for name in ("bluebird",) if quick else ("bluebird", "CF"):
        yield from converged(sides, read(name), 1e-6, 5, Target())


def bootstrap(sides: Sides, quick: bool) -> Iterator[Line]:
    """Items drawn anew, 500 times: of five annotators side by side, and of the crowd."""
    size = (1_000, 50) if quick else (20_000, 200)
    count = 20 if quick else 500
    for each in (crowd(200, 5, 5, 4, (0.6, 0.95)), crowd(*size, 5, 5, (0.6, 0.95))):
        work = {"method": "dawid_skene", "iterations": 0, "tolerance": 1e-6, "runs": 1}
        own, _ = sides.ours(each, [work], count)
        steps = plain_steps(each, 1e-6)
        peer = {"method": "dawid_skene", "iterations": steps, "in_order": True, "runs": 4}
        theirs, _ = sides.theirs(each, [peer])
        many = f"{count} times one call of crowd-kit, {steps:,} iterations"
        seconds = count * min(theirs[0]["seconds"][1:])
        title = f"{count} bootstrap rows, {len(each.rows):,} ratings ({each.size}), to 1e-06"
        once, every = own["rows"]
        yield Line(title, every, many, seconds)
        yield Line(f"one row before them, compiled: {title}", once, many, seconds / count)


def converged(
    sides: Sides, crowd: Labelled, tolerance: float, runs: int, target: Target | None = None
) -> Iterator[Line | Note]:
    """Ours until ``tolerance``, the peer until plain steps are so small, and ours again."""
    ours = {"method": "dawid_skene", "iterations": 0, "tolerance": tolerance, "runs": runs + 1}
    first, own = sides.ours(crowd, [ours])
    own_steps, steps = first["works"][0]["iterations"], plain_steps(crowd, tolerance)
    theirs = {"method": "dawid_skene", "iterations": steps, "in_order": True, "runs": runs + 1}
    peer, other = sides.theirs(crowd, [theirs])
    again, _ = sides.ours(crowd, [ours])
    shares = own["probability0"], other["probability0"]
    apart = float(np.abs(shares[0] - shares[1]).max())
    if apart > CLOSE and target is None:
        raise RuntimeError(
            f"{crowd.name}: probabilities after {steps} iterations differ by {apart}"
        )
    same = float((shares[0].argmax(axis=1) == shares[1].argmax(axis=1)).mean())
    distance = [to_fixed_point(crowd, each) for each in shares]
    calls = np.array([*first["works"][0]["seconds"], *again["works"][0]["seconds"]])
    begun = calls[[0, runs + 1]].min(axis=0)
    warm = np.delete(calls, [0, runs + 1], axis=0).min(axis=0)
    called = f"crowd-kit, {steps:,} iterations"
    seconds = peer[0]["seconds"]
    work = f"{len(crowd.rows):,} ratings ({crowd.size}), to {tolerance:g}"
    wanted = Target(ratio=20) if target is None else target
    best = min(seconds[1:])
    yield Line(f"iaa.gold, {work}", warm[0], called, best, wanted, "the votes alone", warm[2])
    yield Line(f"the Dataset and iaa.gold, {work}", warm[0] + warm[1], called, best)
    yield Line(f"first call of iaa.gold, {work}", begun[0], called, seconds[0])
    yield Note(
        f"{work}: ours took {own_steps:,} steps. One more moves our probabilities by "
        f"{distance[0]:.1e}, crowd-kit's by {distance[1]:.1e}; they differ by {apart:.1e}, and "
        f"{same:.2%} of the labels are the same."
    )


def to_fixed_point(crowd: Labelled, probability: Floats) -> float:
    """How far one iteration of Dawid and Skene moves these probabilities, with items in order."""
    place = np.argsort(np.argsort(crowd.ratings["item"].values))
    votes = VoteTables(Rated(crowd.ratings))
    shares = np.zeros((len(votes.weights.item), votes.labels))
    shares[votes.pattern_of] = probability[place]
    method = METHODS["dawid_skene"].method
    start = method.start(votes.alone, votes.weights, shares, ())
    return float(method.step(votes.alone, votes.weights, start, ()).change)


def plain_steps(crowd: Labelled, tolerance: float) -> int:
    """Iterations of Dawid and Skene, none extrapolated, until none changes more."""
    votes = VoteTables(Rated(crowd.ratings))
    method = METHODS["dawid_skene"].method
    every = states(method, votes.alone, votes.weights, votes.shares, Tolerance(tolerance, 100_000))
    return sum(1 for _ in every) - 1


def main() -> None:
    from writing import README, rewritten, table

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small sizes and few runs")
    parser.add_argument("--environment", type=Path, help="folder of the environment, kept")
    parser.add_argument("--python", help="the interpreter to make it with")
    parser.add_argument("--write", action="store_true", help="put the tables into README.md")
    parser.add_argument("--only", choices=PARTS, help="one of the parts")
    asked = parser.parse_args()
    parts = (asked.only,) if asked.only else PARTS
    for part in parts:
        found = []
        for one in labelling(asked.quick, asked.environment, asked.python, (part,)):
            print(" | ".join(one.cells()) if not isinstance(one, Note) else one.text, flush=True)
            found.append(one)
        if asked.write and not asked.quick:
            page = README.read_text(encoding="utf-8")
            page = rewritten(page, {f"labelling_{part}": f"\n{table(found)}\n"})
            README.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
