"""irrCAC's side, for its own environment: python irrcac_side.py TABLE.npy RUNS

Prints, for each coefficient, the estimate, the standard error and the best seconds, as JSON.
"""

from __future__ import annotations

import json
import sys
import time
import warnings

import numpy as np
import pandas as pd
from irrCAC.raw import CAC


def main() -> None:
    # irrCAC sets values on a copy of its own frame, which pandas warns of
    warnings.simplefilter("ignore")
    frame = pd.DataFrame(np.load(sys.argv[1]))
    found = {}
    for name in ("fleiss", "gwet", "krippendorff"):
        best = float("inf")
        for _ in range(int(sys.argv[2]) + 1):
            start = time.perf_counter()
            result = getattr(CAC(frame, digits=8), name)()["est"]
            best = min(best, time.perf_counter() - start)
        found[name] = {
            "estimate": float(result["coefficient_value"]),
            "standard_error": float(result["se"]),
            "seconds": best,
        }
    print(json.dumps(found))


if __name__ == "__main__":
    main()
