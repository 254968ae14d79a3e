"""Replicates on one side of the figure: why, where that is known."""

from __future__ import annotations

import numpy as np
import pytest

from iaa_jax.measure.spread import Spread
from iaa_jax.measure.uncertainty import FEW_SHARED, _aside
from iaa_jax.wording import Note


class Pairs:
    """Pairs of annotators by their items in common."""

    def __init__(self, common: int) -> None:
        self.common_items = [common, common]


@pytest.mark.parametrize(("common", "few"), [(10, True), (FEW_SHARED, False), (990, False)])
def test_few_common_items_are_a_reason_only_where_they_are_few(common: int, few: bool) -> None:
    replicates = np.linspace(0.5, 0.6, 200)[:, None]
    spread = Spread(np.array([0.1]), 9.0, np.array([0.0]), replicates=replicates)
    aside, note = _aside(np.array([0.4]), spread, Pairs(common))  # type: ignore[arg-type]
    assert aside.all()
    assert note is not None
    assert isinstance(note.values["why"], Note) is few
