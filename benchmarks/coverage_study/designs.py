"""The designs of the study: what is rated, by whom, how well they agree, and what is asked."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

NOMINAL = ("percent_agreement", "fleiss_kappa", "krippendorff_alpha", "gwet_ac1", "conger_kappa")
TWO = ("percent_agreement", "cohen_kappa", "krippendorff_alpha", "gwet_ac1")
RARE = ("krippendorff_alpha", "gwet_ac1", "specific_agreement")
GAPS = ("fleiss_kappa", "krippendorff_alpha", "gwet_ac1", "davies_fleiss_kappa")
ORDERED = ("krippendorff_alpha:ordinal", "krippendorff_alpha:interval", "icc1", "icc2")
ANYBODY = ("percent_agreement", "fleiss_kappa", "krippendorff_alpha", "gwet_ac1")

PREVALENCE = {
    "balanced": {2: (0.5, 0.5), 3: (1 / 3, 1 / 3, 1 / 3), 5: (0.2,) * 5},
    "skewed": {2: (0.8, 0.2), 3: (0.7, 0.2, 0.1), 5: (0.5, 0.2, 0.15, 0.1, 0.05)},
    "rare .05": {2: (0.95, 0.05), 3: (0.5, 0.45, 0.05)},
    "rare .02": {2: (0.98, 0.02), 3: (0.5, 0.48, 0.02)},
}
"""Shares of the labels, by name and number of labels; the last label is the rarest."""


@dataclass(frozen=True)
class Design:
    """One cell of the study.

    Attributes
    ----------
    agreement : float
        Fleiss' kappa in the population, of labels without order.
    gaps : {"", "random", "single", "crowd"}
        No gaps; a fifth of the ratings missing at random; half of the items with one rating only;
        three ratings an item, by three of all annotators.
    annotators_are : {"fixed", "random"}
        The same in all data sets; or drawn anew for each, and the truth is that of all there are.
    document : int
        Items of a document, which share what they are about; 0 for items on their own.
    """

    family: str
    items: int
    annotators: int
    labels: int
    prevalence: str
    agreement: float
    coefficients: tuple[str, ...]
    gaps: str = ""
    annotators_are: str = "fixed"
    document: int = 0
    ordered: bool = False
    confidences: tuple[float, ...] = (0.95,)

    @property
    def name(self) -> str:
        """All that sets it apart, in words that sort well."""
        parts = [
            self.family,
            f"n={self.items}",
            f"a={self.annotators}",
            f"l={self.labels}",
            self.prevalence,
            f"k={self.agreement:g}",
        ]
        parts += [self.gaps] if self.gaps else []
        return " ".join(parts)

    @property
    def identified(self) -> bool:
        """Whether a coefficient asks who gave which rating."""
        from iaa_jax.catalog import CATALOG

        rows = [CATALOG[name.partition(":")[0]] for name in self.coefficients]
        return self.annotators_are == "random" or any(row.identified for row in rows)


def _sizes() -> list[Design]:
    both = (0.95, 0.9)
    return [
        Design("sizes", n, 3, 3, "balanced", kappa, NOMINAL, confidences=both)
        for kappa, n in product((0.9, 0.6, 0.2), (10, 20, 30, 50, 100, 300, 1000))
    ]


def _two() -> list[Design]:
    cells = [("balanced", 0.6), ("skewed", 0.6), ("skewed", 0.9)]
    return [
        Design("two annotators", n, 2, 2, prevalence, kappa, TWO)
        for (prevalence, kappa), n in product(cells, (10, 20, 30, 50, 100, 300))
    ] + [
        Design("two annotators", n, 2, labels, "skewed", kappa, TWO)
        for n, labels, kappa in ((30, 2, 0.2), (100, 2, 0.2), (50, 3, 0.6), (50, 5, 0.6))
    ]


def _rare() -> list[Design]:
    two = ("cohen_kappa", *RARE)
    return [
        Design("rare label", n, 2, 2, "rare .05", 0.6, two) for n in (30, 50, 100, 300, 1000)
    ] + [
        Design("rare label", 100, 2, 2, "rare .02", 0.6, two),
        Design("rare label", 300, 2, 2, "rare .02", 0.6, two),
        Design("rare label", 1000, 2, 2, "rare .02", 0.6, two),
        Design("rare label", 100, 2, 2, "rare .05", 0.9, two),
        Design("rare label", 300, 2, 2, "rare .05", 0.9, two),
        Design("rare label", 50, 5, 2, "rare .05", 0.6, RARE),
        Design("rare label", 100, 5, 2, "rare .05", 0.6, RARE),
        Design("rare label", 300, 5, 2, "rare .05", 0.6, RARE),
        Design("rare label", 100, 3, 3, "rare .05", 0.6, RARE),
        Design("rare label", 300, 3, 3, "rare .02", 0.6, RARE),
    ]


def _many() -> list[Design]:
    pairwise = ("krippendorff_alpha", "gwet_ac1", "conger_kappa", "mean_pairwise_cohen_kappa")
    return [
        Design("many annotators", n, 5, 2, "skewed", kappa, pairwise)
        for kappa, n in product((0.9, 0.6), (10, 30, 100))
    ] + [
        Design("many annotators", 20, 10, 3, "skewed", 0.6, ANYBODY),
        Design("many annotators", 50, 10, 3, "skewed", 0.6, ANYBODY),
        Design("many annotators", 200, 10, 3, "skewed", 0.2, ANYBODY),
        Design("many annotators", 30, 10, 5, "skewed", 0.6, ANYBODY),
        Design("crowd", 30, 40, 3, "skewed", 0.6, ANYBODY, gaps="crowd"),
        Design("crowd", 100, 40, 3, "skewed", 0.6, ANYBODY, gaps="crowd"),
        Design("crowd", 300, 40, 3, "skewed", 0.6, ANYBODY, gaps="crowd"),
        Design("crowd", 100, 40, 5, "skewed", 0.2, ANYBODY, gaps="crowd"),
    ]


def _gaps() -> list[Design]:
    return [
        Design("missing", n, 3, 3, "skewed", kappa, GAPS, gaps="random")
        for n, kappa in ((20, 0.6), (50, 0.6), (200, 0.6), (50, 0.9))
    ] + [
        Design("missing", 30, 5, 2, "skewed", 0.6, GAPS, gaps="random"),
        Design("missing", 30, 3, 3, "skewed", 0.6, GAPS[:3], gaps="single"),
        Design("missing", 100, 3, 3, "skewed", 0.6, GAPS[:3], gaps="single"),
    ]


def _ordered() -> list[Design]:
    return [
        Design("ordered", n, 3, 5, "skewed", kappa, ORDERED, ordered=True)
        for kappa, n in product((0.6, 0.35), (20, 50, 200))
    ]


def _zero() -> list[Design]:
    return [Design("near zero", n, 3, 3, "skewed", 0.0, NOMINAL) for n in (20, 100, 300)]


def _random() -> list[Design]:
    cells = [(50, 3), (300, 3), (50, 5), (300, 5), (50, 10)]
    asked = ("krippendorff_alpha", "gwet_ac1", "conger_kappa")
    return [
        Design("random annotators", n, a, 2, "skewed", 0.6, asked, annotators_are="random")
        for n, a in cells
    ]


def _clustered() -> list[Design]:
    asked = ("percent_agreement", "krippendorff_alpha", "gwet_ac1")
    return [
        Design("documents", n, 3, 2, "skewed", 0.6, asked, document=5) for n in (50, 100, 250, 500)
    ]


DESIGNS = (
    *_sizes(),
    *_two(),
    *_rare(),
    *_many(),
    *_gaps(),
    *_ordered(),
    *_zero(),
    *_random(),
    *_clustered(),
)
"""All cells of the study."""
