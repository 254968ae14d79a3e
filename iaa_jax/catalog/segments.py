"""Coefficients for segmentations: spans that tile their documents."""

from __future__ import annotations

from typing import Any

from iaa_jax.catalog.model import Coefficient, Measure, Number
from iaa_jax.kernels import segmentation
from iaa_jax.kernels.kernel import Kernel

_TILES = """\
Spans must tile their documents: every position lies in one segment of each annotator who saw the
document. Labels are ignored. Counts are added up over pairs of annotators and over documents, and
then divided, so that long documents count by their length."""
_WINDOWS = """\
The ends of a window lie k positions apart. Here k is half the mean length of the reference's
segments in the document, rounded, and at least 2; the reference has no other role. By default each
annotator of a pair is the reference in turn, and windows of both sizes are counted, so that the
order of annotators does not matter. With reference="second" the later annotator of each pair is the
reference, as published for a program and a gold standard. Lower is better, and 0 is perfect;
``observed`` is the share of windows that agree. A document must be longer than its window to
count."""


_EXAMPLE = """\
{"d1": {"ann": [(0, 4, "-"), (4, 12, "-")], "bob": [(0, 5, "-"), (5, 12, "-")]}},
    lengths={"d1": 12},"""


def _windows(name: str, kernel: Kernel) -> dict[str, Any]:
    of_reference = {
        reference: Measure(
            kernel,
            polynomial=False,
            compares=f"{name} {reference}",
            identified=reference == "second",  # the order of the annotators matters
            takes_slots=reference == "both",
        )
        for reference in ("both", "second")
    }
    return {
        "measure": of_reference["both"],
        "variants": {"reference": of_reference},
        "range": "0 (all windows agree) to 1",
        "bounds": (0.0, 1.0),
        "undefined": "no document that two annotators saw is longer than a window",
        "notes": f"{_WINDOWS}\n\n{_TILES}",
        "beyond_chance": False,
        "distance": True,
        "takes_weights": False,
        "listed": "asked",
        "marked": _EXAMPLE,
    }


ROWS = (
    Coefficient(
        name="boundary_similarity",
        title="Boundary similarity",
        summary="Share of the boundaries between segments that two annotators agree on.",
        equation=(
            "B = 1 - (additions + sum_t d_t / n_t) / (additions + transpositions + matches),\n"
            "d_t the positions that a transposition spans, less than n_t"
        ),
        range="0 to 1",
        bounds=(0.0, 1.0),
        undefined="nobody set a boundary in a document that two annotators saw",
        sources="{fournier2013}",
        example=0.5,
        beyond_chance=False,
        takes_weights=False,
        listed="asked",
        measure=Measure(segmentation.boundary_similarity, polynomial=False, compares="boundaries"),
        numbers={"n_t": Number(2, 1, whole=True)},
        notes=(
            "Edits are found as in the paper's program: the nearest boundaries of the two are "
            "transposed first, from the left, and the remaining boundaries are added. If nobody "
            "set a boundary, the estimate is undefined (0/0); the program gives 1."
            f"\n\n{_TILES}"
        ),
        marked=_EXAMPLE,
    ),
    Coefficient(
        name="window_diff",
        title="WindowDiff",
        summary="Share of windows in which two annotators set different numbers of boundaries.",
        equation="sum windows [b_a != b_b] / windows, b the boundaries in a window",
        sources="{pevzner2002}",
        example=0.2222,
        **_windows("window_diff", segmentation.window_diff),
    ),
    Coefficient(
        name="pk",
        title="Pk",
        summary="Share of windows whose ends only one of two annotators put in the same segment.",
        equation="sum windows [b_a > 0 != b_b > 0] / windows, b the boundaries in a window",
        sources="{beeferman1999}",
        example=0.2222,
        **_windows("pk", segmentation.pk),
    ),
)
"""The coefficients in the order of lists and tables."""
