"""Comparisons, drift and plans of F1 against loops over documents."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest

import iaa_jax as iaa
from tests.analyses.marked import LABELS, Units, as_spans, marked, units
from tests.oracles import resampling, strict_f1
from tests.oracles.strict_f1 import Marks

A, B = units(40, 1), units(40, 2)
REPLICATES = {"replicates": 100}
FAST = {"permutations": 99, **REPLICATES}


def gradient(documents: list[Marks]) -> np.ndarray:
    """What each document adds to F1, to first order: of a ratio of two sums."""
    counts = [strict_f1.counts({"": one}) for one in documents]
    shared, held = (
        np.array([sum(getattr(row, name) for row in rows) for rows in counts])
        for name in ("shared", "held")
    )
    return (shared - shared.sum() / held.sum() * held) / held.sum()


def error(values: np.ndarray) -> float:
    return resampling.infinitesimal_jackknife_standard_error(values.tolist())


class TestCompare:
    def test_the_same_documents_are_compared_one_by_one(self) -> None:
        found = iaa.compare(as_spans(A), as_spans(B), **FAST)
        a, b = [*A.values()], [*B.values()]
        assert found.attrs["shared_items"] == 40
        assert found.coefficient.values.tolist()[0] == "span_f1"
        row = found.sel(coefficient="span_f1")
        assert float(row.difference) == pytest.approx(strict_f1.f1(b) - strict_f1.f1(a))
        assert float(row.standard_error) == pytest.approx(error(gradient(b) - gradient(a)))

    def test_other_documents_are_drawn_separately(self) -> None:
        others = {f"other {name}": marks for name, marks in B.items()}
        found = iaa.compare(as_spans(A), as_spans(others), "span_f1", **FAST)
        errors = [error(gradient([*made.values()])) for made in (A, B)]
        assert float(found.standard_error[0]) == pytest.approx(math.hypot(*errors))

    def test_p_is_that_of_exchanged_documents(self) -> None:
        found = iaa.compare(as_spans(A), as_spans(B), "span_f1", permutations=2000, interval=None)
        rng, a, b = np.random.default_rng(5), [*A.values()], [*B.values()]
        as_far = 0
        observed = abs(_studentized(a, b))
        for _ in range(400):
            swap = rng.random(40) < 0.5
            here = [y if s else x for x, y, s in zip(a, b, swap, strict=True)]
            there = [x if s else y for x, y, s in zip(a, b, swap, strict=True)]
            as_far += abs(_studentized(here, there)) >= observed - 1e-12
        slow = as_far / 400
        assert float(found.permutation_p_value[0]) == pytest.approx(
            slow, abs=4 * math.sqrt(slow * (1 - slow) / 400) + 0.01
        )

    def test_each_label_is_compared_by_its_own_units(self) -> None:
        found = iaa.compare(as_spans(A), as_spans(B), per_label=True, **FAST)
        assert found.label.values.tolist() == list(LABELS)
        for name, made in (("estimate_a", A), ("estimate_b", B)):
            slow = [strict_f1.f1([*made.values()], label=label) for label in LABELS]
            assert found[name].values == pytest.approx(slow)
        assert "of the units with each label" in " ".join(str(iaa.page(found)).split())

    def test_labels_that_are_marked_more_often_are_said_first(self) -> None:
        def renamed(made: Units) -> Units:
            """Every ORG but in the first documents is a LOC."""
            return {
                name: {
                    who: [
                        (*span[:2], "LOC") if span[2] == "ORG" and place > 9 else span
                        for span in spans
                    ]
                    for who, spans in marks.items()
                }
                for place, (name, marks) in enumerate(made.items())
            }

        found = iaa.compare(as_spans(A), as_spans(renamed(A)), **FAST)
        counts = [
            [span[2] for one in made.values() for spans in one.values() for span in spans]
            for made in (A, renamed(A))
        ]
        moved = found.attrs["label_moved"]
        for letter, labels in zip("ab", counts, strict=True):
            share = labels.count(moved) / len(labels)
            assert found.attrs[f"label_share_{letter}"] == pytest.approx(share)
        said = " ".join(str(iaa.page(found)).split())
        assert f"Label rates differ: label {moved!r} is on" in said
        assert "of the units in 'A'" in said
        assert "common_difference" not in found

    def test_documents_without_marks_say_nothing_where_all_agree(self) -> None:
        def agreed(marked_in: int) -> Units:
            marks = [[(0, 3, "A")] if place < marked_in else [] for place in range(40)]
            return {f"d{place}": {"a": some, "b": some} for place, some in enumerate(marks)}

        found = iaa.compare(as_spans(agreed(40)), as_spans(agreed(30)), "span_f1", **FAST)
        reach = 1 - 0.025 ** (1 / 30)
        ends = [float(found.ci_low[0]), float(found.ci_high[0])]
        assert ends == pytest.approx([-reach, reach])


def _studentized(a: list[Marks], b: list[Marks]) -> float:
    difference = strict_f1.f1(b) - strict_f1.f1(a)
    return difference / error(gradient(b) - gradient(a))


class TestDrift:
    def test_batches_have_their_own_f1(self) -> None:
        found = iaa.drift(marked(40, 1), "batch", "span_f1", **FAST)
        batches = [[*A.values()][start : start + 10] for start in range(0, 40, 10)]
        assert found.estimate.values == pytest.approx([*map(strict_f1.f1, batches)])
        slow = [error(gradient(batch)) for batch in batches]
        assert found.standard_error.values == pytest.approx(slow)

    def test_labels_are_shares_of_all_units(self) -> None:
        found = iaa.drift(marked(40, 1), "batch", "span_f1", **FAST)
        change = int(found.change_at)
        sides = [*A.values()][: 10 * change], [*A.values()][10 * change :]
        for name, side in zip(("before", "after"), sides, strict=True):
            labels = [span[2] for one in side for spans in one.values() for span in spans]
            slow = [labels.count(label) / len(labels) for label in LABELS]
            assert found[f"label_share_{name}"].values == pytest.approx(slow)

    def test_labels_that_come_to_be_marked_more_often_are_found(self) -> None:
        made = {
            name: {
                who: [(*span[:2], "LOC" if place >= 20 else span[2]) for span in spans]
                for who, spans in marks.items()
            }
            for place, (name, marks) in enumerate(A.items())
        }
        batch = ("document", np.arange(40) // 10)
        found = iaa.drift(as_spans(made).assign_coords(batch=batch), "batch", "span_f1", **FAST)
        assert float(found.label_p_value) < 0.001
        steady = iaa.drift(marked(40, 1), "batch", "span_f1", **FAST)
        assert float(steady.label_p_value) > 0.05


class TestPlan:
    def test_variances_are_those_of_sub_panels(self) -> None:
        documents = [*A.values()]
        found = iaa.plan(as_spans(A), "span_f1", half_width=0.05, per_item=[2, 3], simulations=0)
        of_three = 40 * error(gradient(documents)) ** 2
        two = [{a: one[a], b: one[b]} for one in documents for a, b in combinations(one, 2)]
        influence = np.array(gradient(two)) * 40 * 3
        of_two = (influence**2).sum() / 3 / 39
        assert found.variance.values == pytest.approx([of_two, of_three], rel=1e-6)
        needed = math.ceil(found.variance.values[1] * (1.959964 / 0.05) ** 2)
        assert float(found.needed_items) == needed

    def test_simulated_documents_are_the_pilots_own(self) -> None:
        found = iaa.plan(as_spans(A), "span_f1", half_width=0.1, replicates=0, seed=4)
        simulated = found.simulated_standard_error
        known = np.isfinite(simulated.values)
        assert known.any()
        assert simulated.values[known] == pytest.approx(
            found.standard_error.values[known], rel=0.12
        )
        assert not found.simulated_on_model.values[known].any()
        assert found.attrs["model"] == ""

    def test_there_is_no_model_of_further_annotators(self) -> None:
        two = units(40, 1, ("ann", "bob"))
        assert iaa.plan(as_spans(two), simulations=0).sizes["annotators"] == 1
        with pytest.raises(iaa.IaaError, match="cannot be varied on this pilot: its items have"):
            iaa.plan(as_spans(two), per_item=[2, 3])
        said = " ".join(str(iaa.page(iaa.plan(as_spans(A), simulations=0))).split())
        assert "help as little as its ratings allow" in said
        assert "model" not in said
