"""Segmentations against the verified cases and slow loops, and where they are refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from tests.oracles import segments as oracle
from tests.reference.spans import SpanCase, span_cases

Segments = list[int]


def spans_of(segments: Segments, label: str = "s") -> list[tuple[int, int, str]]:
    ends = np.cumsum(segments).tolist()
    return [(end - length, end, label) for end, length in zip(ends, segments, strict=True)]


def dataset(documents: list[dict[str, Segments]]) -> xr.Dataset:
    return iaa.from_spans(
        {
            f"d{place:03}": {who: spans_of(segments) for who, segments in document.items()}
            for place, document in enumerate(documents)
        },
        lengths={
            f"d{place:03}": sum(next(iter(document.values())))
            for place, document in enumerate(documents)
        },
    )


def cut(rng: np.random.Generator, length: int) -> Segments:
    places = np.flatnonzero(rng.random(length - 1) < rng.uniform(0, 0.6)) + 1
    return np.diff([0, *places.tolist(), length]).tolist()


def random_documents(seed: int, number: int, annotators: int) -> list[dict[str, Segments]]:
    rng = np.random.default_rng(seed)
    made = []
    for _ in range(number):
        length = int(rng.integers(2, 30))
        who = [k for k in range(annotators) if not made or rng.random() < 0.8] or [0]
        made.append({f"a{k}": cut(rng, length) for k in who})
    return made


def estimate(function: Callable[..., xr.Dataset], made: Any, **options: Any) -> float:
    return float(function(dataset(made), interval=None, **options).estimate)


PAIRS = [
    pytest.param(case, pair, id=f"{case.id}-{pair}")
    for case in span_cases("segmentation_pair")
    for pair in case.expected["pairs"]
]


@pytest.mark.parametrize(("case", "pair"), PAIRS)
def test_pairs_are_those_of_the_verified_cases(case: SpanCase, pair: str) -> None:
    names = pair.split("|")
    made = [{name: case.record["segment_masses"][name] for name in names}]
    expected = case.expected["pairs"][pair]
    for function, key, options in (
        (iaa.boundary_similarity, "boundary_similarity_n2", {}),
        (iaa.window_diff, "window_diff", {"reference": "second"}),
        (iaa.pk, "pk", {"reference": "second"}),
    ):
        found = estimate(function, made, **options)
        assert found == pytest.approx(expected[key], abs=case.abs_tol)


SETS = [(seed, annotators) for annotators in (2, 3, 4) for seed in range(5)]


@pytest.mark.parametrize(("seed", "annotators"), SETS)
def test_figures_are_their_oracles(seed: int, annotators: int) -> None:
    made = random_documents(seed, 6, annotators)
    plain = [[*document.values()] for document in made]
    for n_t in (1, 2, 3, 5):
        wanted = oracle.boundary_similarity(plain, n_t)
        found = estimate(iaa.boundary_similarity, made, n_t=n_t)
        assert found == pytest.approx(wanted, abs=1e-12)
    for function, counted in ((iaa.window_diff, True), (iaa.pk, False)):
        for reference in ("both", "second"):
            wanted = oracle.window_share(plain, counted=counted, both=reference == "both")
            found = estimate(function, made, reference=reference)
            assert found == pytest.approx(wanted, abs=1e-12)


FUNCTIONS = (iaa.boundary_similarity, iaa.window_diff, iaa.pk)
each = pytest.mark.parametrize("function", FUNCTIONS, ids=lambda each: each.__name__)


@each
def test_order_and_names_do_not_count(function: Callable[..., xr.Dataset]) -> None:
    made = random_documents(9, 8, 3)
    rng = np.random.default_rng(1)
    other = [
        {f"b{rng.random()}": segments for segments in [*made[place].values()][::-1]}
        for place in rng.permutation(len(made))
    ]
    wanted = estimate(function, made)
    assert estimate(function, other) == pytest.approx(wanted, abs=1e-12)
    labelled = iaa.from_spans(
        {
            f"d{place}": {
                who: [(start, end, str(rng.integers(3))) for start, end, _ in spans_of(segments)]
                for who, segments in document.items()
            }
            for place, document in enumerate(made)
        },
        lengths={f"d{k}": sum(next(iter(each.values()))) for k, each in enumerate(made)},
    )
    found = float(function(labelled, interval=None).estimate)
    assert found == pytest.approx(wanted, abs=1e-12)


@each
def test_equal_segmentations_are_perfect(function: Callable[..., xr.Dataset]) -> None:
    made = [{who: segments for who in "abc"} for segments in ([2, 3, 6], [4, 4], [5, 1, 1])]
    best = 1.0 if function is iaa.boundary_similarity else 0.0
    result = function(dataset(made), replicates=100)
    assert float(result.estimate) == best
    assert float(result.observed) == 1.0


@each
def test_annotators_can_be_drawn_and_documents(function: Callable[..., xr.Dataset]) -> None:
    made = dataset(random_documents(4, 30, 4))
    for sampling in (None, iaa.Sampling(annotators="random")):
        result = function(made, sampling=sampling, replicates=200)
        assert 0 <= float(result.ci_low) < float(result.estimate) < float(result.ci_high) <= 1


@each
def test_documents_count_as_in_a_plain_bootstrap(function: Callable[..., xr.Dataset]) -> None:
    made = random_documents(6, 40, 3)
    result = function(dataset(made), interval="percentile", replicates=400)
    rng = np.random.default_rng(0)
    plain = [[*document.values()] for document in made]
    drawn = []
    for _ in range(200):
        again = [plain[place] for place in rng.integers(0, len(plain), len(plain))]
        drawn.append(
            oracle.boundary_similarity(again)
            if function is iaa.boundary_similarity
            else oracle.window_share(again, counted=function is iaa.window_diff)
        )
    assert float(result.standard_error) == pytest.approx(np.std(drawn), rel=0.25)


def test_where_there_is_nothing_to_compare() -> None:
    whole = [{"a": [9], "b": [9]}]
    found = iaa.boundary_similarity(dataset(whole), interval=None)
    assert np.isnan(found.estimate)
    assert "nobody set a boundary" in found.reason.item()
    short = [{"a": [2], "b": [1, 1]}]
    for function in (iaa.window_diff, iaa.pk):
        found = function(dataset(short), interval=None)
        assert np.isnan(found.estimate)
        assert "longer than a window" in found.reason.item()


@pytest.mark.parametrize(
    "marked",
    [
        [(0, 4, "s"), (5, 10, "s")],
        [(0, 6, "s"), (5, 10, "s")],
        [(1, 10, "s")],
        [(0, 9, "s")],
        [],
    ],
)
@each
def test_spans_that_tile_no_document_are_refused(
    function: Callable[..., xr.Dataset], marked: list[tuple[int, int, str]]
) -> None:
    good = {"ann": spans_of([4, 6]), "bob": spans_of([10])}
    documents = {"d1": good, "d2": {"ann": spans_of([5, 5]), "bob": marked}}
    spans = iaa.from_spans(documents, lengths={"d1": 10, "d2": 10})
    with pytest.raises(iaa.IaaError, match=r"cover a document.*'d2'.*'bob'"):
        function(spans)


@each
def test_lengths_have_to_be_known(function: Callable[..., xr.Dataset]) -> None:
    spans = iaa.from_spans({"d": {"ann": spans_of([4, 6]), "bob": spans_of([10])}})
    with pytest.raises(iaa.IaaError, match="lengths of the documents are not known"):
        function(spans)


def test_numbers_that_are_none_are_refused() -> None:
    for wrong in (0, 2.5, "2"):
        with pytest.raises(iaa.IaaError, match="n_t"):
            iaa.boundary_similarity(dataset([{"a": [9], "b": [4, 5]}]), n_t=wrong)


def test_every_analysis_takes_segmentations() -> None:
    made = dataset(random_documents(2, 40, 3)).assign_coords(
        batch=("document", np.arange(40) // 10)
    )
    other = dataset(random_documents(3, 40, 3))
    few = {"replicates": 100}
    for name in ("boundary_similarity", "window_diff", "pk"):
        results = [
            iaa.agreement(made, name, **few),
            iaa.compare(made, other, name, permutations=99, **few),
            iaa.drift(made, "batch", name, permutations=99, **few),
            iaa.influence(made, name),
            iaa.plan(made, name, half_width=0.1, simulations=50, **few),
        ]
        for result in results:
            assert result.attrs["conclusion"] not in ("undefined", "untested", "unknown")
            assert str(iaa.page(result))


@pytest.mark.parametrize("name", ["window_diff", "pk"])
def test_distances_have_no_word_of_agreement(name: str) -> None:
    made = dataset(random_documents(2, 10, 3))
    for source in (iaa.agreement(made, name, interval=None), getattr(iaa, name)(made)):
        with pytest.raises(iaa.IaaError, match=f"{name} is a distance"):
            iaa.in_words(source)
    with pytest.raises(iaa.IaaError, match="scales have words for"):
        iaa.in_words(made, coefficients=name)
