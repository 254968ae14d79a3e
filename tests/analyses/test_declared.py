"""What analyses declare of their figures is what their results have."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import get_args

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.analyses import ANALYSES
from iaa_jax.analyses.compare.declared import ALL
from iaa_jax.wording.figures import Figure, Kind, by_name

FAST = {"replicates": 60, "permutations": 39}
DECLARED = [
    name
    for row in ANALYSES
    if find_spec(name := f"iaa_jax.analyses.{row.folder}.declared") is not None
]


@pytest.mark.parametrize("name", DECLARED)
def test_meanings_are_parts_of_sentences(name: str) -> None:
    for figures in import_module(name).IN_JSON.values():
        assert len(by_name(figures)) == len(figures)
        for figure in figures:
            assert isinstance(figure, Figure)
            assert figure.meaning
            assert not figure.meaning.endswith(".")
            assert figure.kind in get_args(Kind)


def compared() -> dict[str, xr.Dataset]:
    """Comparisons that between them have every figure."""
    chance = np.random.default_rng(1)
    truth = chance.integers(3, size=(40, 1))
    rows = np.where(chance.random((40, 4)) < 0.7, truth, chance.integers(3, size=(40, 4)))
    first, second = (iaa.from_wide(rows[:, side], labels=[0, 1, 2]) for side in ([0, 1], [2, 3]))
    often = iaa.from_wide(np.minimum(rows[:, [2, 3]], 1), labels=[0, 1, 2])
    groups = iaa.from_wide(rows).assign_coords(kind=("annotator", ["a", "a", "b", "b"]))
    return {
        "labels": iaa.compare(first, second, per_label=True, **FAST),
        "groups": iaa.compare(groups, by="kind", margin=0.1, **FAST),
        "other margins": iaa.compare(first, often, **FAST),
    }


def test_a_comparison_has_the_figures_that_it_declares() -> None:
    results = compared()
    known = by_name(ALL)
    for result in results.values():
        assert set(result.data_vars) <= set(known)
    assert set().union(*(result.data_vars for result in results.values())) == set(known)
    documented = iaa.compare.__doc__
    for figure in ALL:
        assert f"- ``{figure.name}``: " in documented
