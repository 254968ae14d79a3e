"""Work whose memory is watched: python memory_work.py bootstrap|interval|sets SIZE REPLICATES"""

from __future__ import annotations

import sys
from pathlib import Path

import iaa_jax as iaa

sys.path.insert(0, str(Path(__file__).parent.parent))

from coefficients import EIGHT
from tables import label_sets, numbers, ratings_table


def main() -> None:
    work, size, replicates = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    if work == "bootstrap":
        ratings = iaa.from_wide(ratings_table(size, 5, 10, 0.0))
        iaa.agreement(ratings, EIGHT, replicates=replicates)
    elif work == "sets":
        iaa.am_agreement(label_sets(size, 5, 28), replicates=replicates)
    else:
        ratings = iaa.from_values(numbers(size))
        iaa.krippendorff_alpha(ratings, replicates=replicates)


if __name__ == "__main__":
    main()
