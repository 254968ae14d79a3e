"""Best alignments: verified disorders, and every alignment of small continua tried out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from iaa_jax.data.marked.disorder.alignment import Alignments, best_alignments
from iaa_jax.data.marked.disorder.continua import Continua, Dissimilarity, joined
from iaa_jax.data.marked.disorder.figures import label_disorders
from tests.oracles import gamma as oracle
from tests.reference.spans import SpanCase, span_cases

Units = dict[str, list[tuple[float, float, str]]]


def continuum_of(units: Units, labels: list[str]) -> Continua:
    """A continuum of marks in plain Python."""
    rows = [
        (line, start, end, labels.index(label))
        for line, name in enumerate(sorted(units))
        for start, end, label in sorted(units[name])
    ]
    line, start, end, label = np.array(rows, dtype=float).reshape(-1, 4).T
    whole = np.zeros(len(rows), dtype=int)
    return Continua(1, len(units), whole, line.astype(int), start, end, label.astype(int))


def dissimilarity_of(options: dict[str, Any]) -> Dissimilarity:
    matrix = options.get("matrix")
    labels = None if matrix is None else np.array(matrix, dtype=float)
    return Dissimilarity(options["alpha"], options["beta"], options["delta_empty"], labels)


def units_of(case: SpanCase) -> Units:
    marked = case.record["annotators"]
    return {name: [tuple(span) for span in spans] for name, spans in marked.items()}


def labels_of(units: Units, options: dict[str, Any]) -> list[str]:
    used = {label for marked in units.values() for _, _, label in marked}
    return options.get("categories") or sorted(used)


@pytest.mark.parametrize("case", span_cases("gamma_observed_disorder"), ids=lambda case: case.id)
def test_observed_disorder(case: SpanCase) -> None:
    units = units_of(case)
    continuum = continuum_of(units, labels_of(units, case.options))
    found = best_alignments(continuum, dissimilarity_of(case.options)).disorder
    wanted = case.expected["observed_disorder"]
    np.testing.assert_allclose(found, [wanted], atol=case.abs_tol, rtol=0)


@pytest.mark.parametrize(
    "case",
    [case for case in span_cases("gamma") if "chance_continua" in case.options],
    ids=lambda case: case.id,
)
def test_gamma_of_given_chance_continua(case: SpanCase) -> None:
    units, several = units_of(case), case.options["chance_continua"]
    labels = labels_of(units, case.options)
    dissimilarity = dissimilarity_of(case.options)
    observed = best_alignments(continuum_of(units, labels), dissimilarity).disorder[0]
    together = joined([continuum_of(each, labels) for each in several])
    drawn = best_alignments(together, dissimilarity).disorder
    wanted = case.expected
    assert observed == pytest.approx(wanted["observed_disorder"], abs=case.abs_tol)
    np.testing.assert_allclose(drawn, wanted["sample_disorders"], atol=case.abs_tol, rtol=0)
    assert 1 - observed / drawn.mean() == pytest.approx(wanted["gamma"], abs=case.abs_tol)


@pytest.mark.parametrize("case", span_cases("gamma_cat_disorder"), ids=lambda case: case.id)
def test_disorder_of_labels_in_a_given_alignment(case: SpanCase) -> None:
    alignment = case.record["alignment"]
    labels = sorted({unit[2] for row in alignment for unit in row if unit})
    rows = [(line, *unit) for row in alignment for line, unit in enumerate(row) if unit]
    numbers = iter(range(len(rows)))
    members = [[next(numbers) for unit in row if unit] for row in alignment]
    width = len(alignment[0])
    together = [each + [-1] * (width - len(each)) for each in members if len(each) > 1]
    continuum = Continua(
        1,
        width,
        np.zeros(len(rows), dtype=int),
        np.array([row[0] for row in rows]),
        np.array([row[1] for row in rows], dtype=float),
        np.array([row[2] for row in rows], dtype=float),
        np.array([labels.index(row[3]) for row in rows]),
    )
    given = Alignments(continuum, np.array(together), np.zeros(1))
    for kind, wanted in case.expected.items():
        unaligned = kind == "with_unaligned_penalty"
        found, weight = label_disorders(
            given, dissimilarity_of(case.options), len(labels), unaligned=unaligned
        )
        for place, name in enumerate(("all", *labels)):
            known = 0.0 if weight[0, place] == 0 else found[0, place]  # the peer's word for 0/0
            assert known == pytest.approx(wanted[name], abs=case.abs_tol), (kind, name)


def small(seed: int) -> tuple[Units, dict[str, Any]]:
    """Two to four lines of few units on few places, and any parameters."""
    rng = np.random.default_rng(seed)
    annotators = int(rng.integers(2, 5))
    most = {2: 5, 3: 3, 4: 2}[annotators]
    units: Units = {
        f"a{line}": [
            (int(start), int(start + rng.integers(1, 6)), str(rng.choice(list("xyz"))))
            for start in rng.integers(0, 12, rng.integers(0, most + 1))
        ]
        for line in range(annotators)
    }
    units["a0"].append((3, 5, "x"))
    alpha, beta, delta = rng.choice([0.0, 0.5, 1.0, 3.0]), rng.choice([0.0, 1.0, 2.0]), 1 + seed % 2
    return units, {"alpha": float(alpha), "beta": float(beta), "delta": float(delta)}


@pytest.mark.parametrize("seed", range(60))
def test_no_alignment_costs_less(seed: int) -> None:
    units, how = small(seed)
    dissimilarity = Dissimilarity(how["alpha"], how["beta"], how["delta"])
    found = best_alignments(continuum_of(units, ["x", "y", "z"]), dissimilarity)
    assert found.disorder[0] == pytest.approx(oracle.disorder(units, **how), abs=1e-9)
    members = found.units[found.units >= 0]
    assert len(set(members.tolist())) == len(members)
    for row in found.units:
        lines = found.continua.annotator[row[row >= 0]]
        assert len(set(lines.tolist())) == len(lines) > 1


def test_many_continua_are_aligned_as_one_by_one() -> None:
    made = [continuum_of(small(seed)[0], ["x", "y", "z"]) for seed in range(80)]
    three = [each for each in made if each.annotators == 3]
    together = best_alignments(joined(three), Dissimilarity()).disorder
    alone = [best_alignments(each, Dissimilarity()).disorder[0] for each in three]
    assert len(three) > 10
    np.testing.assert_allclose(together, alone, atol=1e-9)


def test_what_could_as_well_be_aligned_is() -> None:
    """Two units of three annotators so far apart that aligning them costs as much as not."""
    units: Units = {"a": [(44, 60, "7")], "b": [], "c": [(40, 44, "6")]}
    found = best_alignments(continuum_of(units, ["6", "7"]), Dissimilarity())
    assert found.cost[0] == 2.0
    assert sorted(found.units[0].tolist()) == [-1, 0, 1]
