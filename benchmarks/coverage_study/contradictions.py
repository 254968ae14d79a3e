"""Whether an interval of labels contradicts its own data, on made tables of all shapes.

python -m coverage_study.contradictions [--tables N] [--start N] [--public] [--write]

From the folder of the benchmarks. Each table is asked three things. Is the estimate an end of its
interval, and not an end of the coefficient's range? Is the interval of all items twice over any
wider? Where the figure is a share of items (agreement of two annotators, specific agreement of a
label by two), is an end of ours at the estimate that the exact one (Clopper and Pearson) is not?
Tables are measured by `coverage_study.twin`; what is found is asked again of the public functions,
with more draws, and written to coverage_contradictions.csv with the table's number, from which it
can be made again. With --public they are measured by the public functions from the start.
"""

from __future__ import annotations

import argparse
import os
import time
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")

import numpy as np
import pandas as pd
from scipy.stats import beta

import iaa_jax as iaa
from coverage_study import twin
from iaa_jax._errors import IaaError

TABLE = Path(__file__).parents[1] / "coverage_contradictions.csv"
SEED = 20_261_129
COEFFICIENTS = ("krippendorff_alpha", "gwet_ac1", "percent_agreement")
REPLICATES, AGAIN = 500, 5000
FEW_LABELS = 40
"""Labels up to which each is asked for by itself."""
WIDER = 1.1
"""Of so many draws the width is as much as known; beyond that it is asked again."""
NEAR = 0.05
"""Standard errors from the estimate within which an end is at it."""


def table(number: int) -> np.ndarray:
    """Labels (item, annotator) of a table of any shape, -1 where there is none."""
    draw = np.random.default_rng([SEED, number])
    annotators = 2 if draw.random() < 0.35 else _between(draw, 2, 50)
    labels = 2 if draw.random() < 0.35 else _between(draw, 2, 500)
    items = _between(draw, 5, max(20, 6_000 // annotators))
    if draw.random() < 0.95:  # seldom more labels than items
        items = max(items, labels)
    share = draw.dirichlet(np.full(labels, 10 ** draw.uniform(-1, 1)))
    if labels == 2 and draw.random() < 0.6:
        rare = 10 ** draw.uniform(-3, -0.5)
        share = np.array([1 - rare, rare])
    knows = draw.choice([0.0, 0.05, 0.3, 0.6, 0.8, 0.95, 0.99, 0.999])
    true = draw.choice(labels, (items, 1), p=share)
    guess = draw.choice(labels, (items, annotators), p=share)
    if draw.random() < 0.1:  # below chance: others than the first avoid its label
        guess = (true + draw.integers(1, labels, (items, annotators))) % labels
        guess[:, :1] = true
    codes = np.where(draw.random((items, annotators)) < knows, true, guess)
    if annotators > 2 and draw.random() < 0.4:
        size = draw.integers(1, annotators + 1, (items, 1))
        codes[draw.random(codes.shape).argsort(axis=1) >= size] = -1
    return codes


def _between(draw: np.random.Generator, low: int, high: int) -> int:
    return round(float(np.exp(draw.uniform(np.log(low), np.log(high)))))


def figures(codes: np.ndarray, replicates: int) -> pd.DataFrame:
    """All figures of a table: estimate, standard error and ends."""
    used = np.unique(codes[codes >= 0])
    places = np.searchsorted(used, codes)
    rows = np.where(codes < 0, np.nan, places)
    ratings = iaa.from_wide(rows, labels=range(len(used)))
    parts = []
    names = ["estimate", "standard_error", "ci_low", "ci_high", "doubt"]
    whole = iaa.agreement(ratings, COEFFICIENTS, replicates=replicates)
    parts.append(pd.DataFrame({n: whole[n].values for n in names}))
    parts[0].insert(0, "figure", COEFFICIENTS)
    if 1 < len(used) <= FEW_LABELS:
        each = iaa.specific_agreement(ratings, replicates=replicates)
        parts.append(pd.DataFrame({n: each[n].values for n in names}))
        parts[1].insert(0, "figure", [f"specific {label}" for label in each.label.values])
    return pd.concat(parts, ignore_index=True)


def by_twin(codes: np.ndarray, replicates: int) -> pd.DataFrame:
    """The same of the figures of all labels, and of the rarest and the commonest label."""
    used, places = np.unique(codes, return_inverse=True)
    places = places.reshape(codes.shape) - int(used[0] < 0)
    labels = len(used) - int(used[0] < 0)
    asked = [twin.figure(name, labels) for name in ("alpha", "ac1", "percent")]
    names = [*COEFFICIENTS]
    if labels > 1:
        given = np.bincount(places[places >= 0], minlength=labels)
        for label in {int(given.argmin()), int(given.argmax())}:
            own = twin.figure("specific", labels)._replace(label=label)
            asked.append(own._replace(by_ratings=twin.heavy(codes)))
            names.append(f"specific {label}")
    rows = []
    for name, found in zip(
        names, twin.ends(places, asked, np.random.default_rng(0), replicates), strict=True
    ):
        low, high = found.now[:, 0]
        error = np.subtract(*found.without[::-1, 0]) / 3.92
        rows.append((name, found.estimate, error, low, high, ""))
    columns = ["figure", "estimate", "standard_error", "ci_low", "ci_high", "doubt"]
    return pd.DataFrame(rows, columns=columns)


def exact(codes: np.ndarray, figure: str) -> tuple[float, float] | None:
    """Clopper and Pearson's limits where the figure is a share, or is made of one."""
    if codes.shape[1] != 2 or (codes < 0).any():
        return None
    if figure == "percent_agreement":
        return _of_share(int((codes[:, 0] == codes[:, 1]).sum()), len(codes))
    if not figure.startswith("specific"):
        return None
    label = np.unique(codes)[int(figure.split()[1])]
    both = int((codes == label).all(axis=1).sum())
    low, high = _of_share(both, int((codes == label).any(axis=1).sum()))
    return 2 * low / (1 + low), 2 * high / (1 + high)


def _of_share(number: int, of: int) -> tuple[float, float]:
    low = float(beta.ppf(0.025, number, of - number + 1)) if number else 0.0
    high = float(beta.ppf(0.975, number + 1, of - number)) if number < of else 1.0
    return low, high


def least_agreement(codes: np.ndarray) -> float:
    """The least share of pairs that can agree, of such panels and labels: as even as can be."""
    labels, panel = len(np.unique(codes[codes >= 0])), (codes >= 0).sum(axis=1)
    panel = panel[panel >= 2]
    each, more = np.divmod(panel, labels)
    agreeing = more * (each + 1) * each + (labels - more) * each * (each - 1)
    return float((agreeing / (panel * (panel - 1))).mean()) if len(panel) else 0.0


def contradicted(
    codes: np.ndarray,
    measured: Callable[[np.ndarray, int], pd.DataFrame],
    replicates: int = REPLICATES,
) -> list[dict[str, object]]:
    """What a table's intervals contradict."""
    once, twice = (measured(rows, replicates) for rows in (codes, np.concatenate([codes, codes])))
    shares = once.estimate[once.figure == "percent_agreement"]
    nothing = bool((shares < 1e-9).any())  # agrees: that is the end of every range
    found = []
    for row, again in zip(once.itertuples(), twice.itertuples(), strict=True):
        if not np.isfinite(row.estimate):
            continue
        kinds = []
        low, high = row.estimate - row.ci_low, row.ci_high - row.estimate
        if not np.isfinite(low + high):
            kinds.append("no interval")
        else:
            least = 0.0 if row.figure.startswith("specific") else -1.0
            least = least_agreement(codes) if row.figure == "percent_agreement" else least
            bottom = nothing or row.estimate <= least + 1e-9
            if low <= 1e-9 and not bottom:
                kinds.append("estimate is the lower end")
            if high <= 1e-9 and row.estimate < 1 - 1e-9:
                kinds.append("estimate is the upper end")
            if again.ci_high - again.ci_low > WIDER * (low + high) + 1e-9:
                kinds.append("wider of twice the items")
            limits = exact(codes, row.figure)
            if limits is not None:
                near = NEAR * row.standard_error + 1e-9
                kinds += [
                    f"{name} end at the estimate, not the exact one"
                    for name, ours, theirs in (
                        ("lower", low, row.estimate - limits[0]),
                        ("upper", high, limits[1] - row.estimate),
                    )
                    if ours < near < theirs
                ]
        found += [
            {"kind": kind, "figure": row.figure, "estimate": row.estimate, "low": row.ci_low,
             "high": row.ci_high, "error": row.standard_error, "low_twice": again.ci_low,
             "high_twice": again.ci_high, "doubt": row.doubt}
            for kind in kinds
        ]  # fmt: skip
    return found


def main() -> None:
    """Make the tables, and write what is found."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tables", type=int, default=10_000)
    parser.add_argument("--start", type=int, default=0, help="go on from this table")
    parser.add_argument("--public", action="store_true", help="by the public functions alone")
    parser.add_argument("--write", action="store_true", help=f"write {TABLE.name}")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    rows: list[dict[str, object]] = []
    count: Counter[str] = Counter()
    if asked.start and TABLE.exists():  # go on
        before = pd.read_csv(TABLE, keep_default_na=False, na_values=[""])
        count["tables"] = asked.start
        rows = before[(before.kind != "tables") & (before.table < asked.start)].to_dict("records")
    began = time.time()
    for number in range(asked.start, asked.start + asked.tables):
        codes = table(number)
        shape = {"table": number, "items": codes.shape[0], "annotators": codes.shape[1],
                 "labels": len(np.unique(codes[codes >= 0]))}  # fmt: skip
        try:
            found = contradicted(codes, figures if asked.public else by_twin)
            if found:
                found = contradicted(codes, figures, AGAIN)
        except IaaError as error:
            found = [{"kind": f"refused: {str(error)[:60]}"}]
        count["tables"] += 1
        for row in found:
            count[str(row["kind"])] += 1
            rows.append(shape | row)
            print(shape | row, flush=True)
        if asked.write and (number % 100 == 99 or number == asked.start + asked.tables - 1):
            pd.DataFrame([{"kind": "tables", "table": count["tables"]}, *rows]).round(6).to_csv(
                TABLE, index=False
            )
            print(f"{count['tables']} tables, {time.time() - began:.0f} s", flush=True)
    print(dict(count))


if __name__ == "__main__":
    main()
