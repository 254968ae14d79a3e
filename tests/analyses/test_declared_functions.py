"""Functions without a command of their own have the figures that they declare."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.analyses.agree import declared as agree
from iaa_jax.measure.figures import FIGURES, IN_GROUPS, OF_GROUPS
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


def test_a_coefficient_alone_and_in_groups(ratings: xr.Dataset) -> None:
    assert own_names(iaa.fleiss_kappa(ratings, interval=None)) == known(FIGURES)
    assert own_names(iaa.specific_agreement(ratings, interval=None)) == known(FIGURES)
    by_half = [iaa.agreement_by(ratings, "half", interval=None)]
    assert along(by_half, "group", "coefficient") == known(IN_GROUPS)
    assert along(by_half, "group") == known(OF_GROUPS)


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
