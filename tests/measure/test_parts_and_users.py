"""Annotators in parts of the items, and their label preferences, against plain loops."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.measure.options.label_options import LabelOptions
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.resolver import Resolver
from iaa_jax.measure.shared.annotators_in_parts import agreement_in_parts
from iaa_jax.measure.shared.label_users import LabelUsers
from iaa_jax.measure.shared.versus_others import p_above
from tests.noted import notes_of

PARTS = 3


def rows_of(seed: int) -> tuple[list[list[object]], list[int]]:
    """Ratings 1 to 3 of four annotators with gaps, and the part of each item; -1 for none."""
    rng = np.random.default_rng(seed)
    given = rng.integers(1, 4, size=(40, 4))
    rows = [
        [None if rng.random() < 0.3 else int(rating) for rating in row] for row in given.tolist()
    ]
    return rows, rng.integers(-1, PARTS, size=40).tolist()


def ordered(rows: list[list[object]]) -> xr.Dataset:
    return iaa.from_wide(rows, labels=[1, 2, 3])


@pytest.mark.parametrize("level", ["nominal", "ordinal"])
def test_agreement_and_items_of_annotators_in_parts(level: str) -> None:
    rows, part = rows_of(3)
    resolver = Resolver(Rated.of(ordered(rows)), LabelOptions(level=level))
    found = agreement_in_parts(resolver, np.array(part), PARTS, "part")
    near = np.eye(3)
    if level == "ordinal":
        near = np.asarray(resolver.label_agreements.matrix(None))
    for at in range(PARTS):
        inside = [row for row, where in zip(rows, part, strict=True) if where == at]
        rated = [row for row in inside if any(rating is not None for rating in row)]
        for who in range(4):
            own = [row for row in rated if row[who] is not None]
            pairs = [
                near[int(str(row[who])) - 1, int(str(other)) - 1]
                for row in own
                for place, other in enumerate(row)
                if place != who and other is not None
            ]
            share, agreement = (
                found[name][1][at, who] for name in ("annotator_items", "annotator_agreement")
            )
            assert share == pytest.approx(len(own) / len(rated))
            assert agreement == pytest.approx(np.mean(pairs))


@pytest.mark.parametrize("annotators", [2, 4, 7])
def test_label_preferences_equal_plain_loops(annotators: int) -> None:
    """Of two, of items with three ratings, and of two ratings by many in turn."""
    rng = np.random.default_rng(4)
    given = rng.integers(1, 4, size=(250, annotators))
    given[:, 0] = np.where(rng.random(250) < 0.5, 3, given[:, 0])
    gaps = rng.random(given.shape)
    missing = gaps < 0.3 if annotators == 4 else np.argsort(gaps, axis=1) > 1
    rows = np.where(missing, 0, given).tolist()
    users = LabelUsers.of(Rated.of(ordered([[label or None for label in row] for row in rows])))
    shares, by_others, p_values = users.figures().values()
    for who in range(annotators):
        counted = [
            row for row in rows if row[who] and np.count_nonzero(row) > (annotators == 4) + 1
        ]
        beside = [[at for at, label in enumerate(row) if label and at != who] for row in counted]
        for label in (1, 2, 3):
            own = np.array([float(row[who] == label) for row in counted])
            others = np.array(
                [
                    np.mean([row[at] == label for at in some])
                    for row, some in zip(counted, beside, strict=True)
                ]
            )
            found = (each[who, label - 1] for each in (shares, by_others, p_values))
            more = np.sign(own.mean() - others.mean()) * (own - others)
            p_value = min(2 * p_above(more, np.ones(len(more))), 1.0)
            if annotators == 7:
                partner = np.array([some[0] for some in beside])
                sums = {int(each): more[partner == each].sum() for each in np.unique(partner)}
                left = more[partner != max(sums, key=lambda each: sums[each])]
                p_value = max(p_value, min(2 * p_above(left, np.ones(len(left))), 1.0))
                if 2 * sum(value > 0 for value in sums.values()) <= len(sums):
                    p_value = 1.0
            assert next(found) == pytest.approx(own.mean())
            assert next(found) == pytest.approx(others.mean())
            assert next(found) == pytest.approx(p_value)
    assert p_values.min() < 0.05


def test_the_annotator_with_most_gaps_is_named() -> None:
    rows: list[list[object]] = [["a", "b" if k % 4 else "a", "a"] for k in range(40)]
    for row in rows[:12]:
        row[2] = None
    told = notes_of(iaa.agree(iaa.from_wide(rows), interval=None)["coefficients"], "whose_gaps")
    assert [note.values for note in told] == [{"name": "annotator 3", "gaps": 12, "missing": 12}]
    for row in rows[20:32]:
        row[1] = None
    result = iaa.agree(iaa.from_wide(rows), interval=None)["coefficients"]
    assert not notes_of(result, "whose_gaps")
