"""How often merges are suggested where no two labels are confused, and where two are.

300 items by three annotators, each of whom errs by himself. Errors are even over the labels
("uniform"), or as frequent as these are ("margin"), or even and more frequent on rare labels
("label"); in "confused" sets the two rarest labels are also swapped half of the time.

    python benchmarks/merges.py [--sets 500]
"""

from __future__ import annotations

import argparse

import numpy as np

import iaa_jax as iaa

SHARES = {
    3: (0.6, 0.3, 0.1),
    4: (0.5, 0.3, 0.1, 0.1),
    6: (0.4, 0.25, 0.15, 0.1, 0.05, 0.05),
}
KINDS = ("uniform", "margin", "label", "confused")
NAMES = np.array(list("abcdef"))
ITEMS, ANNOTATORS, ERROR, SWAPPED = 300, 3, 0.3, 0.5


def codes_of(kind: str, labels: int, random: np.random.Generator) -> np.ndarray:
    """Ratings of one data set (item, annotator)."""
    shape = (ITEMS, ANNOTATORS)
    truth = random.choice(labels, ITEMS, p=SHARES[labels])[:, None]
    by_share = random.choice(labels, shape, p=SHARES[labels])
    drawn = by_share if kind == "margin" else random.integers(0, labels, shape)
    error = np.linspace(0.1, 0.6, labels)[truth] if kind == "label" else ERROR
    codes = np.where(random.random(shape) < error, drawn, truth)
    if kind == "confused":
        turned = (codes >= labels - 2) & (random.random(shape) < SWAPPED)
        codes = np.where(turned, 2 * labels - 3 - codes, codes)
    return codes


def suggested(kind: str, labels: int, sets: int) -> tuple[float, float]:
    """The shares of data sets with a suggestion, and with the right one first."""
    random = np.random.default_rng(5)
    right = f"{NAMES[labels - 2]} / {NAMES[labels - 1]}"
    found = []
    for number in range(sets):
        ratings = iaa.from_wide(NAMES[codes_of(kind, labels, random)], NAMES[:labels].tolist())
        merged = iaa.labels.merges(ratings, replicates=400, seed=number)["merged"].values
        found.append((len(merged) > 0, len(merged) > 0 and merged[0] == right))
    return tuple(np.mean(found, axis=0).tolist())


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sets", type=int, default=500, help="data sets of each kind")
    sets = parser.parse_args().sets
    print("| labels | errors | suggested | the right one |\n| ---: | --- | ---: | ---: |")
    for labels in SHARES:
        for kind in KINDS:
            share, right = suggested(kind, labels, sets)
            told = f"{right:.3f}" if kind == "confused" else ""
            print(f"| {labels} | {kind} | {share:.3f} | {told} |", flush=True)


if __name__ == "__main__":
    main()
