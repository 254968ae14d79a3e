"""Functions without a command of their own have the figures that they declare."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.analyses.agree import declared as agree
from iaa_jax.analyses.diagnose import declared as diagnose
from iaa_jax.analyses.gold import declared as gold
from iaa_jax.analyses.sharpen import declared as sharpen
from iaa_jax.analyses.spans import declared as spans
from iaa_jax.measure.figures import FIGURES
from iaa_jax.pages.records import record
from iaa_jax.wording.figures import Figure

DRAWS = {"replicates": 60}


@pytest.fixture(scope="module")
def ratings() -> xr.Dataset:
    chance = np.random.default_rng(8)
    truth = chance.integers(2, size=(40, 1))
    rows = np.where(chance.random((40, 3)) < 0.8, truth, chance.integers(2, size=(40, 3)))
    return iaa.from_wide(rows).assign_coords(half=("item", np.arange(40) % 2))


def known(*figures: Iterable[Figure]) -> set[str]:
    return {name for several in figures for figure in several for name in figure.names}


def along(results: Iterable[xr.Dataset], *dims: Hashable) -> set[str]:
    """The variables of some of the results that go along just these dimensions."""
    return {
        str(name)
        for result in results
        for name, variable in result.data_vars.items()
        if set(variable.dims) == set(dims)
    }


def own_names(*results: xr.Dataset) -> set[str]:
    return {str(name) for result in results for name in result.data_vars}


@pytest.mark.parametrize("name", ["fleiss_kappa", "specific_agreement", "icc2", "unitizing_alpha"])
def test_a_coefficient_lists_its_figures(name: str) -> None:
    documented = getattr(iaa, name).__doc__
    assert all(f"- ``{figure.name}``" in documented for figure in FIGURES)


def test_contingency(ratings: xr.Dataset) -> None:
    two = ratings.isel(annotator=[0, 1])
    results = [iaa.contingency(ratings), iaa.contingency(two)]
    assert along(results) == known(agree.INDICES)
    assert along(results, "label") == known(agree.LABELS_OF_TABLES)
    assert along(results, "label", "label_2") == known(agree.CELLS)
    assert along(results, "annotator", "label") == known(agree.MARGINS)
    assert along(results, "pair") == known(agree.PAIRS)


def test_replicates(ratings: xr.Dataset) -> None:
    drawn = iaa.bootstrap(ratings, errors=True, **DRAWS)
    assert along([drawn], "replicate") == known(agree.REPLICATES)
    assert along([drawn]) == known(agree.DRAWN)
    assert own_names(iaa.bootstrap.intervals(drawn, "studentized")) == known(agree.INTERVALS)
    assert own_names(iaa.bootstrap.probability_above(drawn, 0.5)) == known(agree.ABOVE)


def test_coefficients_together_and_against_chance(ratings: xr.Dataset) -> None:
    names = ["fleiss_kappa", "gwet_ac1"]
    both = [iaa.covariance(ratings, names)]
    assert along(both, "coefficient") | along(both) == known(agree.COVARIANCE)
    assert along(both, "coefficient", "coefficient_2") == known(agree.MATRICES)
    assert own_names(iaa.zero_agreement(ratings, names, permutations=19)) == known(agree.ZERO)
    of_labels = iaa.zero_agreement(ratings, per_label=True, permutations=19)
    assert along([of_labels], "label") == known(agree.ZERO, agree.ZERO_OF_LABELS)


def test_words(ratings: xr.Dataset) -> None:
    results = [
        iaa.in_words(ratings, coefficients="fleiss_kappa", **DRAWS),
        iaa.in_words(ratings, coefficients="fleiss_kappa", method="normal", **DRAWS),
    ]
    assert along(results, "coefficient") == known(agree.WORDS)
    assert along(results, "coefficient", "band") == known(agree.BANDS)


def test_gamma() -> None:
    marked = {f"d{k}": {who: [(0, 4, "x"), (6, 8 + k, "y")] for who in "ab"} for k in range(3)}
    lengths = dict.fromkeys(marked, 20)
    results = [iaa.gamma(iaa.from_spans(marked, lengths=lengths), interval=None)]
    assert along(results) == known(spans.GAMMA)
    assert along(results, "label") == known(spans.GAMMA_OF_LABELS)
    assert along(results, "document") == known(spans.GAMMA_OF_DOCUMENTS)


def test_influence(ratings: xr.Dataset) -> None:
    results = [iaa.influence(ratings)]
    assert along(results, "item") == known(diagnose.INFLUENCE)
    assert along(results) == known(diagnose.INFLUENCED)


def test_merges_of_labels() -> None:
    rows = [["joy", "joy"], ["fear", "worry"], ["worry", "fear"], ["fear", "fear"]] * 9
    ratings = iaa.from_wide(rows + [["worry", "worry"], ["joy", "fear"]] * 3)
    results = [iaa.labels.merges(ratings, replicates=60)]
    assert along(results, "pair") == known(diagnose.MERGES)
    assert along(results, "step") == known(diagnose.STEPS)
    assert along(results) == known(diagnose.UNMERGED)
    of_command = diagnose.IN_JSON_OF["iaa labels --suggest-merges"]
    parts = record(iaa.page(results[0]).results)
    for part, figures in of_command.items():
        rows_of_part = parts if not part else parts[part][0]
        assert known(figures) <= rows_of_part.keys()


def test_annotators_with_themselves() -> None:
    twice = {
        "item": [*range(9)] * 2,
        "annotator": ["ann"] * 18,
        "label": list("xyyxyxxxy" + "xyxxyxxyy"),
        "half": list("aaaabbbbb") * 2,
    }
    ratings = iaa.from_long(twice, duplicates="apart", keep="half")
    result = iaa.annotators.repeats(ratings, by="half", interval=None)
    of_command = diagnose.IN_JSON_OF["iaa annotators --repeats"]
    assert along([result], "coefficient") == known(diagnose.REPEATED)
    of_numbers = {"within_deviation", "within_deviation_of_all"}
    assert own_names(result) == known(*of_command.values()) - of_numbers
    assert of_command.keys() - {""} <= record(iaa.page(result).results).keys()
    measured = {**twice, "label": [number + 0.5 for number in range(18)]}
    ratings = iaa.from_long(measured, duplicates="apart", keep="half")
    result = iaa.annotators.repeats(ratings, by="half", level="interval", interval=None)
    assert of_numbers <= own_names(result) <= known(*of_command.values())


def test_methods_of_gold_labels(ratings: xr.Dataset) -> None:
    results = [iaa.gold.methods(ratings, ["majority", "dawid_skene"])]
    assert along(results, "method") == known(gold.OF_METHODS)
    assert along(results, "method", "other") == known(gold.SAME)
    assert along(results, "item", "method") == known(gold.BY_METHOD)
    assert along(results, "item") == known(gold.COMPARED)
    parts = record(iaa.page(results[0]).results)
    for part, figures in gold.IN_JSON_OF["iaa gold --compare"].items():
        assert known(figures) <= parts[part][0].keys()


def test_settings_of_sharpening(ratings: xr.Dataset) -> None:
    results = [iaa.sharpen.settings(ratings, "entropy", prior_strength=[0, 10])]
    assert along(results, "setting") == known(sharpen.SETTINGS)
    assert along(results, "setting", "annotator") == known(sharpen.WEIGHTS)
    assert along(results, "setting", "item") == known(sharpen.LABELS)
    assert along(results, "annotator") == known(sharpen.EXTREMES)
    assert along(results, "item") == known(sharpen.STEADY)
