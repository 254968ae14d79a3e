"""What ratings hold, as the attributes of a result keep it."""

from __future__ import annotations

import json

import numpy as np

from iaa_jax import from_counts, from_values, from_wide
from iaa_jax.data.facts import NAMES_KEPT, facts_of


def test_counts_names_and_how_they_were_read() -> None:
    ratings = from_wide([["a", "b"], ["a", None]]).assign_attrs(read_as="by hand", skipped="none")
    facts = facts_of(ratings)
    assert (facts["items"], facts["annotators"], facts["labels"], facts["ratings"]) == (2, 2, 2, 3)
    assert json.loads(facts["label_values"]) == ["a", "b"]
    assert json.loads(facts["annotator_names"]) == ["annotator 1", "annotator 2"]
    assert (facts["read_as"], facts["skipped"]) == ("by hand", "none")
    assert all(isinstance(value, (int, float, str)) for value in facts.values())


def test_counts_name_no_annotator() -> None:
    facts = facts_of(from_counts([[3, 0], [1, 2]]))
    assert facts["annotator_names"] == "[]"
    assert facts["anonymous"] == 1


def test_numbers_name_no_label() -> None:
    facts = facts_of(from_values([[1.5, 2.0], [3.0, 3.5]]))
    assert (facts["labels"], facts["label_values"]) == (0, "[]")


def test_so_many_names_and_no_more() -> None:
    columns = NAMES_KEPT + 5
    facts = facts_of(from_wide(np.arange(2 * columns).reshape(2, columns) % 3))
    assert facts["annotators"] == columns
    assert len(json.loads(facts["annotator_names"])) == NAMES_KEPT
