"""The augmented kappa, for ratings with a primary and a secondary label."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

from iaa_jax import kernels
from iaa_jax.catalog import attainable_minimum
from iaa_jax.catalog.model import Coefficient, Measure
from iaa_jax.kernels import augmented
from iaa_jax.kernels.kappa import pairs_counted

_CHOICES = {
    "normalize": ("none", "ceiling"),
    "pool": ("pairs", "components"),
    "undefined_pairs": ("omit", "zero"),
}


def _measure(normalize: str, pool: str, undefined_pairs: str) -> Measure:
    formula = augmented.AugmentedFormula(
        normalize == "ceiling", pool == "components", undefined_pairs == "zero"
    )
    kernel = replace(kernels.augmented_kappa, formula=formula)
    # if E is close to the ceiling c, the denominator c - E is almost 0, so there is no minimum
    is_bounded = normalize != "ceiling"
    return Measure(kernel, identified=True, by_pair=True, has_attainable_minimum=is_bounded)


_MEASURES = {choice: _measure(*choice) for choice in product(*_CHOICES.values())}
_USUAL = tuple(choices[0] for choices in _CHOICES.values())


def _measure_with(option: str, value: str) -> Measure:
    choices = dict(zip(_CHOICES, _USUAL, strict=True)) | {option: value}
    return _MEASURES[tuple(choices.values())]


ROWS = (
    Coefficient(
        name="augmented_kappa",
        title="Augmented kappa",
        summary=(
            "Cohen's kappa on divided ratings: a share p goes to the primary label and 1 - p to "
            "the secondary label. The mean over pairs of annotators."
        ),
        equation=(
            "mean over pairs a < b (v_a v_b) of (A - E) / (1 - E), A = mean_i m_ia' S m_ib and "
            "E = p_a' S p_b on the pair's common items; A is at most c = 1 - 2 d p (1 - p), d the "
            "share of doubles"
        ),
        range="-1 to (c - E) / (1 - E); with normalize='ceiling' below 0 to 1",
        attainable_minimum=attainable_minimum.with_pair_mean,
        undefined="no pair with enough common items; 0/0 for every pair",
        sources="{rosenberg2004}",
        example=0.4,
        measure=_MEASURES[_USUAL],
        variants={
            option: {value: _measure_with(option, value) for value in values}
            for option, values in _CHOICES.items()
        },
        combined=_MEASURES,
        pair_counts=pairs_counted,
        listed="doubles",
    ),
)
