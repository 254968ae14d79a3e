"""Coefficients for numbers: intraclass correlations, and Lin's concordance."""

from __future__ import annotations

from iaa_jax import kernels
from iaa_jax.catalog import attainable_minimum
from iaa_jax.catalog.model import Coefficient, Measure
from iaa_jax.kernels import Kernel, icc_annotators, icc_intervals, lin


def _one_way(kernel: Kernel) -> Measure:
    return Measure(kernel, takes_values=True, depends_on="differences")


def _two_way(kernel: Kernel) -> Measure:
    return Measure(
        kernel,
        identified=True,
        takes_values=True,
        depends_on="differences",
        takes_slots=False,
        complete=True,
    )


_SOURCES = "{shrout1979}; {mcgraw1996}"
_NO_PAIRS = "no item with two ratings; one item; all ratings the same number"
_COMPLETE = "no item that every annotator rated, or only one; all ratings the same number"
_ONE_WAY = "s = (MSB - MSW) / k_0, e = MSW of the one-way analysis of variance"
_TWO_WAY = "s = (MSR - MSE) / k, r = (MSC - MSE) / n, e = MSE over items that all rated"

ROWS = (
    Coefficient(
        name="icc1",
        title="ICC(1)",
        summary="Numbers, perhaps from different annotators per item: agreement of one rating.",
        equation=f"s / (s + e), {_ONE_WAY}",
        range="-1/(k_0 - 1) to 1",
        undefined=_NO_PAIRS,
        sources=_SOURCES,
        example=0.1657,
        measure=_one_way(kernels.icc1),
        takes_weights=False,
        f_interval=icc_intervals.icc1_interval,
        attainable_minimum=attainable_minimum.for_one_way,
    ),
    Coefficient(
        name="icc1k",
        title="ICC(1,k)",
        summary="ICC(1) of the mean of an item's k_0 ratings.",
        equation=f"s / (s + e / k_0) = (MSB - MSW) / MSB, {_ONE_WAY}",
        range="any number up to 1",
        undefined=f"{_NO_PAIRS}; items with the same mean rating",
        sources=_SOURCES,
        example=0.4428,
        measure=_one_way(kernels.icc1k),
        takes_weights=False,
        f_interval=icc_intervals.icc1k_interval,
    ),
    Coefficient(
        name="icc2",
        title="ICC(2)",
        summary="Numbers, the same annotators on every item: absolute agreement of one rating.",
        equation=f"s / (s + r + e), {_TWO_WAY}",
        range="below 0 to 1",
        undefined=_COMPLETE,
        sources=_SOURCES,
        example=0.2898,
        measure=_two_way(kernels.icc2),
        takes_weights=False,
        f_interval=icc_intervals.icc2_interval,
        attainable_minimum=attainable_minimum.for_absolute_agreement,
        ends_over_annotators={
            "modified_large_sample": icc_intervals.icc2_large_sample_ends,
            "widened_large_sample": icc_annotators.icc2_widened_ends,
        },
        random_annotators=True,
    ),
    Coefficient(
        name="icc2k",
        title="ICC(2,k)",
        summary="ICC(2) of the mean of all k annotators.",
        equation=f"s / (s + (r + e) / k), {_TWO_WAY}",
        range="any number up to 1",
        undefined=f"{_COMPLETE}; items with the same mean rating",
        sources=_SOURCES,
        example=0.6201,
        measure=_two_way(kernels.icc2k),
        takes_weights=False,
        f_interval=icc_intervals.icc2k_interval,
        ends_over_annotators={
            "modified_large_sample": icc_intervals.icc2k_large_sample_ends,
            "widened_large_sample": icc_annotators.icc2k_widened_ends,
        },
        random_annotators=True,
    ),
    Coefficient(
        name="icc3",
        title="ICC(3)",
        summary="Numbers, the same annotators on every item: consistency of one rating.",
        equation=f"s / (s + e), {_TWO_WAY}",
        range="-1/(k - 1) to 1",
        undefined=_COMPLETE,
        sources=_SOURCES,
        example=0.7148,
        measure=_two_way(kernels.icc3),
        takes_weights=False,
        f_interval=icc_intervals.icc3_interval,
        attainable_minimum=attainable_minimum.for_two_way,
    ),
    Coefficient(
        name="icc3k",
        title="ICC(3,k)",
        summary="ICC(3) of the mean of all k annotators (Cronbach's alpha).",
        equation=f"s / (s + e / k) = (MSR - MSE) / MSR, {_TWO_WAY}",
        range="any number up to 1",
        undefined=f"{_COMPLETE}; items with the same mean rating",
        sources=_SOURCES,
        example=0.9093,
        measure=_two_way(kernels.icc3k),
        takes_weights=False,
        f_interval=icc_intervals.icc3k_interval,
    ),
    Coefficient(
        name="lin_ccc",
        title="Lin's concordance",
        summary="Numbers of two annotators, or pooled over pairs (overall concordance).",
        equation=(
            "1 - sum_ab mean (x_a - x_b)^2 / sum_ab (s_a^2 + s_b^2 + (mean_a - mean_b)^2) over "
            "pairs a < b (v_a v_b), each on its common items, variances over n"
        ),
        range="-1 to 1 for two annotators",
        undefined="no pair with enough common items; all ratings the same number (0/0)",
        sources="{lin1989}; for more annotators {barnhart2002}",
        example=0.2537,
        measure=Measure(
            kernels.lin_ccc,
            identified=True,
            takes_values=True,
            depends_on="differences",
            by_pair=True,
            takes_slots=False,
        ),
        takes_weights=False,
        attainable_minimum=attainable_minimum.with_pooled_pairs,
        pair_counts=lin.pairs_of_numbers,
        listed="asked",
    ),
)
"""The coefficients in the order of lists and tables."""
