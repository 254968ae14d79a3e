"""crowd-kit's side, for its own environment: python crowdkit_side.py ROWS.csv PLAN.json OUT

PLAN lists works: a method, its iterations (0: its own number, and its own stop), how often, and
whether columns are put in order before the first of tied labels is taken. Writes OUT.json with the
seconds of each call, and OUT.npz with the probabilities of each work, items and labels in order.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from crowdkit import aggregation
from crowdkit.aggregation.classification import majority_vote, wawa, zero_based_skill

NAMES = {
    "majority": "MajorityVote",
    "wawa": "Wawa",
    "zero_based_skill": "ZeroBasedSkill",
    "dawid_skene": "DawidSkene",
    "one_coin": "OneCoinDawidSkene",
    "mace": "MACE",
    "glad": "GLAD",
}

for module in (wawa, zero_based_skill):  # scikit-learn from 1.7 on refuses their classes there
    module.check_is_fitted = lambda *_, **__: None

AS_IT_IS = majority_vote.normalize_rows


def in_order(scores: pd.DataFrame) -> pd.DataFrame:
    """Shares of votes with labels in order, so that the first column is the first label."""
    return AS_IT_IS(scores.sort_index(axis=1))


def made(method: str, iterations: int) -> Any:
    """A method; of a number of iterations, its stop is put out of reach."""
    kind = getattr(aggregation, NAMES[method])
    if not iterations:
        return kind()
    if method in ("mace", "zero_based_skill"):
        return kind(n_iter=iterations)
    return kind(n_iter=iterations, tol=-np.inf)


def main() -> None:
    rows, plan, out = sys.argv[1:]
    frame = pd.read_csv(rows).set_axis(["task", "worker", "label"], axis=1)
    found, arrays = [], {}
    for number, work in enumerate(json.loads(Path(plan).read_text())):
        majority_vote.normalize_rows = in_order if work["in_order"] else AS_IT_IS
        taken = []
        for _ in range(work["runs"]):
            start = time.perf_counter()
            fitted = made(work["method"], work["iterations"])
            labels = fitted.fit_predict(frame)
            taken.append(time.perf_counter() - start)
        shares = fitted.probas_.sort_index(axis=0).sort_index(axis=1)
        arrays[f"probability{number}"] = shares.to_numpy(float)
        arrays[f"label{number}"] = labels.sort_index().to_numpy()
        steps = len(getattr(fitted, "loss_history_", []))
        found.append({"seconds": taken, "iterations": steps})
    Path(f"{out}.json").write_text(json.dumps(found))
    np.savez(f"{out}.npz", **arrays)


if __name__ == "__main__":
    main()
