"""Inter-annotator agreement with intervals, as weighted functions of one tensor, on JAX.

Nothing heavy is imported here: each public name loads its module when it is first used.
"""

from __future__ import annotations

from importlib import import_module

__version__ = "0.1.0"

_COEFFICIENTS = (
    "percent_agreement",
    "specific_agreement",
    "cohen_kappa",
    "mean_pairwise_cohen_kappa",
    "scott_pi",
    "fleiss_kappa",
    "conger_kappa",
    "davies_fleiss_kappa",
    "bennett_s",
    "brennan_prediger",
    "randolph_kappa",
    "pabak",
    "gwet_ac1",
    "gwet_ac2",
    "krippendorff_alpha",
    "augmented_kappa",
    "am_agreement",
    "icc1",
    "icc1k",
    "icc2",
    "icc2k",
    "icc3",
    "icc3k",
    "lin_ccc",
    "hubert_kappa",
    "bangdiwala_b",
    "van_oest_ir2",
)

_MODULES: dict[str, str] = {
    "IaaError": "iaa_jax._errors",
    "from_long": "iaa_jax.data",
    "from_wide": "iaa_jax.data",
    "from_counts": "iaa_jax.data",
    "from_contingency": "iaa_jax.data",
    "from_sets": "iaa_jax.data",
    "from_values": "iaa_jax.data",
    "from_ranked": "iaa_jax.data",
    "mass": "iaa_jax.data",
    "rated": "iaa_jax.data",
    "summary": "iaa_jax.data",
    "validate": "iaa_jax.data",
    "compress": "iaa_jax.data.compress",
    "merge": "iaa_jax.data.compress",
    "in_slots": "iaa_jax.data.slots",
    "in_grid": "iaa_jax.data.slots",
    "read": "iaa_jax.io",
    "formats": "iaa_jax.io",
    "agreement": "iaa_jax.measure",
    "benchmark": "iaa_jax.analyses.agree.words_for_figures",
    "influence": "iaa_jax.measure.influence",
    "bootstrap": "iaa_jax.analyses.agree.replicates",
    "intervals": "iaa_jax.analyses.agree.replicates",
    "probability_above": "iaa_jax.analyses.agree.replicates",
    "covariance": "iaa_jax.analyses.agree.covariance",
    "Interval": "iaa_jax.measure.interval",
    "Sampling": "iaa_jax.measure.sampling",
    "items": "iaa_jax.analyses.diagnose.items",
    "annotators": "iaa_jax.analyses.diagnose.annotators",
    "labels": "iaa_jax.analyses.diagnose.labels",
    "contingency": "iaa_jax.analyses.agree.contingency",
    "zero_agreement": "iaa_jax.analyses.agree.zero",
    "zero_agreement_by_label": "iaa_jax.analyses.agree.zero",
    "agreement_by": "iaa_jax.analyses.diagnose.groups",
    "compare": "iaa_jax.analyses.compare.study",
    "drift": "iaa_jax.analyses.drift.study",
    "plan": "iaa_jax.analyses.plan.study",
    "looks": "iaa_jax.analyses.plan.looks",
    "sweep": "iaa_jax.analyses.doubles.sweep",
    "item_curves": "iaa_jax.analyses.doubles.item_classes",
    "label_sets": "iaa_jax.analyses.label_sets.study",
    "binary": "iaa_jax.analyses.label_sets.per_label",
    "item_classes": "iaa_jax.analyses.doubles.item_classes",
    "double_patterns": "iaa_jax.analyses.doubles.patterns",
    "double_labels": "iaa_jax.analyses.doubles.patterns",
    **dict.fromkeys(_COEFFICIENTS, "iaa_jax.measure"),
}

_SUBMODULES = ("kernels",)

__all__ = ["__version__", *_MODULES, *_SUBMODULES]


def __getattr__(name: str) -> object:
    """Load a public name on first use (PEP 562)."""
    if name in _SUBMODULES:
        return import_module(f"{__name__}.{name}")
    if name in _MODULES:
        value = getattr(import_module(_MODULES[name]), name)
        globals()[name] = value
        return value
    message = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(message)


def __dir__() -> list[str]:
    """The public names, loaded or not."""
    return sorted(__all__)
