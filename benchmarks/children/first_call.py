"""The first and later calls in a process: python first_call.py ITEMS ANNOTATORS LABELS INTERVAL

INTERVAL is "none" for a single alpha without interval, else eight coefficients with that interval.
All modules are loaded before the first call, so that what it takes beyond a later one is tracing
and compiling.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from iaa_jax.cli.cache import keep_compiled

keep_compiled()

import jax  # noqa: E402
import scipy.sparse  # noqa: E402
import scipy.special  # noqa: E402, F401

import iaa_jax as iaa  # noqa: E402

sys.path.insert(0, str(Path(__file__).parent.parent))

from coefficients import EIGHT  # noqa: E402
from tables import ratings_table  # noqa: E402
from timing import Compilations, seconds  # noqa: E402


def main() -> None:
    items, annotators, labels = map(int, sys.argv[1:4])
    interval = sys.argv[4]
    compiled = Compilations().seconds
    ratings = iaa.from_wide(ratings_table(items, annotators, labels, 0.0))
    iaa.agreement(ratings, EIGHT, interval=None)
    jax.devices()

    def call() -> None:
        if interval == "none":
            iaa.krippendorff_alpha(ratings, interval=None)
        else:
            iaa.agreement(ratings, EIGHT, interval=interval)

    first = seconds(call)
    programs, xla = len(compiled), sum(compiled)
    later = min(seconds(call) for _ in range(3))
    if len(compiled) > programs:
        raise RuntimeError("a later call compiled something anew")
    found = {"first": first, "later": later, "xla": xla, "programs": programs}
    print(json.dumps(found))


if __name__ == "__main__":
    main()
