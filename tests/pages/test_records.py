"""From result Datasets to records."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
import xarray as xr

from iaa_jax.data import from_counts, from_values, from_wide, summary
from iaa_jax.report.records import NAMES_LIMIT, data_facts, result_rows
from tests.analyses.agree.stand_ins import FACTS, ROW, report, result, undefined


def test_rows_carry_the_figures_of_the_result() -> None:
    fleiss, light = result_rows(result(), titles={"fleiss_kappa": "Fleiss' kappa"})
    assert (fleiss.name, fleiss.title) == ("fleiss_kappa", "Fleiss' kappa")
    assert (fleiss.estimate, fleiss.ci_low, fleiss.ci_high) == (0.61, 0.52, 0.70)
    assert (fleiss.code, fleiss.undefined_replicates, fleiss.pairs) == (0, 3, None)
    assert light.title == "mean_pairwise_cohen_kappa"
    assert np.isnan(light.estimate)
    assert (light.reason, light.weights, light.pairs) == ("0/0", "linear", 3)
    assert light.undefined_pairs == 0


def test_rows_of_labels() -> None:
    labels = result().rename(coefficient="label").assign_coords(label=[1, 2])
    one, two = result_rows(labels, "label")
    assert (one.name, two.name) == ("1", "2")


def test_what_a_result_says_once_holds_for_every_row() -> None:
    found = result().assign(interval=((), np.array("normal"))).drop_vars("weights")
    for row in result_rows(found):
        assert (row.interval, row.weights) == ("normal", "")


def test_records_have_null_for_what_is_undefined() -> None:
    rows = result_rows(result())
    record = report(*rows, labels=rows).record()
    text = json.dumps(record, allow_nan=False)
    assert "NaN" not in text
    fields = record["coefficients"]["mean_pairwise_cohen_kappa"]
    assert fields["estimate"] is None
    assert (fields["code"], fields["reason"]) == (2, "0/0")
    assert record["specific_agreement"].keys() == record["coefficients"].keys()


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (np.float64(0.5), 0.5),
        (np.int64(3), 3),
        (float("inf"), None),
        (np.str_("a"), "a"),
        ({1: (np.nan, "b")}, {"1": [None, "b"]}),
        (True, True),
    ],
)
def test_provenance_becomes_plain(value: object, plain: object) -> None:
    found = report(ROW, provenance={"value": value}).record()["provenance"]["value"]
    assert found == plain
    assert type(found) is type(plain)


def test_facts_of_ratings() -> None:
    ratings = from_wide([["a", "b"], ["a", None]]).assign_attrs(read_as="by hand", skipped="none")
    facts = data_facts(ratings, summary(ratings))
    assert (facts.items, facts.annotators, facts.labels, facts.ratings) == (2, 2, 2, 3)
    assert facts.label_values == ("a", "b")
    assert facts.annotator_names == ("annotator 1", "annotator 2")
    assert (facts.read_as, facts.skipped) == ("by hand", "none")


def test_facts_of_counts_name_no_annotator() -> None:
    ratings = from_counts([[3, 0], [1, 2]])
    facts = data_facts(ratings, summary(ratings))
    assert facts.annotator_names == ()
    assert facts.anonymous


def test_facts_of_numbers_name_no_label() -> None:
    ratings = from_values([[1.5, 2.0], [3.0, 3.5]])
    facts = data_facts(ratings, summary(ratings))
    assert (facts.labels, facts.label_values) == (0, ())


def test_facts_list_so_many_names_and_no_more() -> None:
    columns = NAMES_LIMIT + 5
    ratings = from_wide(np.arange(2 * columns).reshape(2, columns) % 3)
    facts = data_facts(ratings, summary(ratings))
    assert facts.annotators == columns
    assert len(facts.annotator_names) == NAMES_LIMIT


def test_a_result_is_not_changed() -> None:
    before = result()
    after = before.copy(deep=True)
    result_rows(after)
    xr.testing.assert_identical(before, after)


def test_rows_and_facts_are_values() -> None:
    assert replace(ROW) == ROW
    assert undefined(ROW, "0/0").code == 2
    assert replace(FACTS) == FACTS
