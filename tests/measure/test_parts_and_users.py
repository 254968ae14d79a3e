"""Annotators in parts of the items, and who gives which label, beside plain loops."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.measure.options.label_options import LabelOptions
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.resolver import Resolver
from iaa_jax.measure.shared.annotators_in_parts import in_parts
from iaa_jax.measure.shared.label_users import label_users
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
    found = in_parts(resolver, np.array(part), PARTS, "part")
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


def test_who_gives_which_label() -> None:
    rows, _ = rows_of(4)
    found = label_users(Rated.of(ordered(rows)))
    for who in range(4):
        shared = [
            row for row in rows if row[who] is not None and sum(r is not None for r in row) > 1
        ]
        for label in (1, 2, 3):
            own = [float(row[who] == label) for row in shared]
            others = [
                np.mean([r == label for at, r in enumerate(row) if at != who and r is not None])
                for row in shared
            ]
            assert found.given[who, label - 1] == pytest.approx(np.mean(own))
            assert found.by_others[who, label - 1] == pytest.approx(np.mean(others))


def test_whoever_has_most_gaps_is_told() -> None:
    rows: list[list[object]] = [["a", "b" if k % 4 else "a", "a"] for k in range(40)]
    for row in rows[:12]:
        row[2] = None
    told = notes_of(iaa.agree(iaa.from_wide(rows), interval=None)["coefficients"], "whose_gaps")
    assert [note.values for note in told] == [{"name": "annotator 3", "gaps": 12, "missing": 12}]
    for row in rows[20:32]:
        row[1] = None
    result = iaa.agree(iaa.from_wide(rows), interval=None)["coefficients"]
    assert not notes_of(result, "whose_gaps")
