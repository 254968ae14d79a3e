"""A coefficient that a user brings goes through every study."""

from __future__ import annotations

import numpy as np
import pytest

import iaa_jax as iaa
from iaa_jax.kernels import Agreement
from iaa_jax.kernels.namespace import namespace
from tests.studies.data import by_slot, random_rows, wide


def lift_over_guessing(mass, *, item_weight=None, annotator_weight=None):
    """A kernel of nobody's: squared mean share of the item's leading label, less a third."""
    xp = namespace(mass, item_weight, annotator_weight)
    filled = xp.where(xp.isnan(mass), 0.0, mass)
    sums = xp.sum(annotator_weight[None, :, None] * filled, axis=1)
    total = xp.sum(sums, axis=1)
    shown = total > 0
    lead = xp.where(shown, xp.sum(sums**2, axis=1) / xp.where(shown, total, 1.0) ** 2, 0.0)
    mean = item_weight @ lead / (item_weight @ xp.astype(shown, lead.dtype))
    estimate = (mean - 1 / 3) / (2 / 3)
    return Agreement(estimate, mean, estimate * 0 + 1 / 3, xp.asarray(0, dtype=xp.int32))


def plainly(rows) -> float:
    """The same, as a loop."""
    leads = []
    for row in rows:
        told = [x for x in row if x is not None]
        if told:
            leads.append(sum((told.count(x) / len(told)) ** 2 for x in set(told)))
    return (sum(leads) / len(leads) - 1 / 3) / (2 / 3)


@pytest.mark.parametrize("form", [wide, by_slot])
def test_a_new_kernel_goes_through_every_study(form) -> None:
    rows = random_rows(1)
    ratings = form(rows).assign_coords(batch=("item", np.arange(40) % 2))
    estimate = plainly(rows)

    influence = iaa.influence(ratings, lift_over_guessing)
    assert float(influence.estimate) == pytest.approx(estimate)
    assert abs(influence.influence.values.sum()) < 1e-10
    without = plainly(rows[1:])
    # a mean of items: leaving one out of n does n / (n - 1) times what the derivative says
    assert float(influence.change[0]) * 40 / 39 == pytest.approx(without - estimate)

    table = iaa.items(ratings, lift_over_guessing, top=4)
    assert table.influence.values.tolist() == sorted(influence.influence.values)[:4]

    drawn = iaa.bootstrap(ratings, lift_over_guessing, replicates=200)
    asked = iaa.agreement(ratings, lift_over_guessing, interval="normal")
    assert float(drawn.replicates.std()) == pytest.approx(float(asked.standard_error[0]), rel=0.2)

    people = iaa.annotators(ratings, lift_over_guessing, interval=None)
    for a in range(4):
        rest = [[x for place, x in enumerate(row) if place != a] for row in rows]
        assert float(people.without[a]) == pytest.approx(plainly(rest))

    groups = iaa.agreement_by(ratings, "batch", lift_over_guessing, interval=None)
    for batch in (0, 1):
        assert float(groups.estimate[batch, 0]) == pytest.approx(plainly(rows[batch::2]))

    labels = iaa.labels(ratings, lift_over_guessing, interval=None)
    two = [[None if x is None else x == "b" for x in row] for row in rows]
    assert float(labels.coefficient_estimate.sel(label="b")) == pytest.approx(plainly(two))
