"""Every method on another array library: the same values."""

from __future__ import annotations

from typing import Any

import array_api_strict as strict
import numpy as np
import pytest

from iaa_jax.catalog.labelling import METHODS
from iaa_jax.kernels.labelling import DenseVotes, Weights
from tests.kernels.labelling.votes import OF_VOTES, counts, listed, one_hot

VOTES, KNOWN = counts(14, 5, 3), one_hot({1: 2, 6: 0}, 14, 3)


@pytest.mark.parametrize("name", OF_VOTES)
@pytest.mark.parametrize("form", [DenseVotes, listed])
def test_every_method_on_arrays_of_the_standard(name: str, form: Any) -> None:
    method, votes = METHODS[name].method, form(VOTES, KNOWN)
    weights, start = Weights(np.ones(14), np.ones(5)), np.full((14, 3), 1 / 3)
    wanted = method.step(votes, weights, method.start(votes, weights, start, ()), ())
    put = strict.asarray
    other = type(votes)(*map(put, votes))
    of_items = Weights(*map(put, weights))
    found = method.step(other, of_items, method.start(other, of_items, put(start), ()), ())
    np.testing.assert_allclose(np.asarray(found.probability), wanted.probability, atol=1e-12)
    np.testing.assert_allclose(np.asarray(found.skill), wanted.skill, atol=1e-12)
