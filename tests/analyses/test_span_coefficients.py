"""Every analysis takes every coefficient of spans, as it takes those of labels."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.catalog import CATALOG
from iaa_jax.data.as_ratings import span_ratings
from iaa_jax.data.marked.comparisons import COMPARISONS
from iaa_jax.measure import functions
from iaa_jax.measure.ratings.limits import too_large
from iaa_jax.measure.ratings.rated import Rated
from tests.analyses.marked import marked

SPANS = marked(40, 1)
TABLES = Rated(span_ratings(SPANS))
SINGLE = [
    row.name
    for row in CATALOG.values()
    if row.measure.compares and not row.per_label
    if not too_large(TABLES, row.measure)  # segmentations are no units
]

FAST = {"replicates": 100}
ANALYSES: dict[str, Callable[[str], xr.Dataset]] = {
    "agreement": lambda name: iaa.agreement(SPANS, name, **FAST),
    "by the Bayesian bootstrap": lambda name: iaa.agreement(
        SPANS, name, sampling=iaa.Sampling(bayesian=True), **FAST
    ),
    "over a finite population": lambda name: iaa.agreement(
        SPANS, name, sampling=iaa.Sampling(population=100), **FAST
    ),
    "over clusters": lambda name: iaa.agreement(
        SPANS, name, sampling=iaa.Sampling(cluster="batch"), **FAST
    ),
    "over annotators": lambda name: iaa.agreement(
        SPANS, name, sampling=iaa.Sampling(annotators="random"), **FAST
    ),
    "bootstrap": lambda name: iaa.bootstrap(SPANS, name, **FAST),
    "covariance": lambda name: iaa.covariance(SPANS, ["span_f1", name]),
    "compare pairs": lambda name: iaa.compare(SPANS, marked(40, 2), name, permutations=99, **FAST),
    "compare others": lambda name: iaa.compare(
        SPANS, marked(30, 2, prefix="other "), name, permutations=99, **FAST
    ),
    "compare halves": lambda name: iaa.compare(
        SPANS, None, name, by="half", permutations=99, **FAST
    ),
    "compare labels": lambda name: iaa.compare(
        SPANS, marked(40, 2), name, per_label=True, permutations=99, **FAST
    ),
    "compare annotators": lambda name: iaa.compare(
        marked(40, 1, annotators="abcd").assign_coords(team=("annotator", [*"xyxy"])),
        None,
        name,
        by="team",
        permutations=99,
        **FAST,
    ),
    "drift by batch": lambda name: iaa.drift(SPANS, "batch", name, permutations=99, **FAST),
    "drift by time": lambda name: iaa.drift(SPANS, "time", name, permutations=99, **FAST),
    "plan": lambda name: iaa.plan(SPANS, name, half_width=0.1, simulations=50, **FAST),
    "plan of annotators": lambda name: iaa.plan(
        SPANS, name, sampling=iaa.Sampling(annotators="random"), **FAST
    ),
    "influence": lambda name: iaa.influence(SPANS, name),
    "agreement by": lambda name: iaa.agreement_by(SPANS, "batch", name, **FAST),
}


WEIGHS_ANNOTATORS = {"over annotators", "compare annotators", "plan of annotators"}
ALONE = {("compare labels", "gamma_cat")}
"""What has no figure: the labels of units with one label."""


@pytest.mark.slow
@pytest.mark.parametrize("name", SINGLE)
@pytest.mark.parametrize("analysis", ANALYSES)
def test_every_analysis_takes_every_coefficient_of_spans(analysis: str, name: str) -> None:
    comparison = COMPARISONS[CATALOG[name].measure.compares]
    if analysis in WEIGHS_ANNOTATORS and not comparison.weighs_annotators:
        with pytest.raises(iaa.IaaError, match="enter this figure together"):
            ANALYSES[analysis](name)
        return
    result = ANALYSES[analysis](name)
    figures = [
        values
        for variable, values in result.variables.items()
        if variable in ("estimate", "difference", "overall", "standard_error", "covariance")
    ]
    assert figures
    if (analysis, name) in ALONE:
        return
    few = "pilot_suffices" if (analysis, name) == ("plan", "gamma") else "pilot_too_small"
    if analysis == "plan of annotators" or few == "pilot_suffices":
        # the annotators, or documents that differ, are too few: no design has a figure
        assert result.attrs["conclusion"] == few
        figures = [result["estimate"].values, result["pilot_standard_error"].values]
    assert all(np.isfinite(values).any() for values in figures)
    assert result.attrs["conclusion"] not in ("undefined", "untested", "unknown")
    said = str(iaa.page(result))
    for wrong in ("commonest label", "zero agreement", "Krippendorff"):
        assert wrong not in said


def test_scales_have_no_words_for_f1() -> None:
    with pytest.raises(iaa.IaaError, match="words for coefficients that correct for chance"):
        iaa.in_words(SPANS, coefficients="span_f1")
    for result in (
        iaa.span_f1(SPANS, interval=None),
        functions.token_span_f1(SPANS, interval=None),
    ):
        with pytest.raises(iaa.IaaError, match="words for coefficients that correct for chance"):
            iaa.in_words(result)


@pytest.mark.parametrize("function", [iaa.gamma, iaa.unitizing_alpha])
def test_a_result_on_spans_is_no_spans(tmp_path, function) -> None:
    """It has their task, and perhaps their documents: also when it was saved and loaded."""
    result = function(SPANS, replicates=50)
    result.to_netcdf(tmp_path / "result.nc")
    for each in (result, xr.load_dataset(tmp_path / "result.nc")):
        assert iaa.in_words(each).estimate == result.estimate
        assert str(iaa.page(each)) == str(iaa.page(result))


def test_what_takes_single_labels_refuses_spans_in_words() -> None:
    with pytest.raises(iaa.IaaError, match=r"shuffles labels among items.*iaa\.agree"):
        iaa.zero_agreement(SPANS)
    with pytest.raises(iaa.IaaError, match="counts labels of items, and these are spans"):
        iaa.contingency(SPANS)
