"""pygamma-agreement's side, for its own environment: python pygamma_side.py SPANS.csv FAST RUNS OUT

Writes gamma, its disorders and chance continua, and the seconds of each call, as JSON to OUT: its
solver prints to standard output. The first call compiles.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import numpy as np
from pygamma_agreement import CombinedCategoricalDissimilarity, Continuum, ShuffleContinuumSampler

PRECISION = 0.05


def main() -> None:
    file, fast, runs, out = sys.argv[1:]
    continuum = Continuum.from_csv(file)
    dissimilarity = CombinedCategoricalDissimilarity(delta_empty=1, alpha=3, beta=1)
    taken = []
    for _ in range(int(runs)):
        np.random.seed(4772)  # noqa: NPY002 - the peer draws from the global state
        start = time.perf_counter()
        result = continuum.compute_gamma(
            dissimilarity,
            sampler=ShuffleContinuumSampler(),
            precision_level=PRECISION,
            fast=fast == "fast",
        )
        gamma = float(result.gamma)
        taken.append(time.perf_counter() - start)
    found = {
        "gamma": gamma,
        "observed": float(result.observed_disorder),
        "samples": int(result.n_samples),
        "seconds": taken,
    }
    Path(out).write_text(json.dumps(found))


if __name__ == "__main__":
    main()
