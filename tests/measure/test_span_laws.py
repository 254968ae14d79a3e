"""Laws of F1 for any spans: order, names, shifts, weights, slots, and libraries."""

from __future__ import annotations

from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import iaa_jax as iaa
from iaa_jax.catalog import CATALOG
from iaa_jax.data.as_ratings import span_ratings
from iaa_jax.data.marked.comparisons import COMPARISONS
from iaa_jax.data.marked.documents import documents_of
from iaa_jax.data.marked.overlaps import confusions
from iaa_jax.data.slots import in_slots
from iaa_jax.kernels import pair_shares
from iaa_jax.measure import functions
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.resolver import Resolver
from tests.data.marked.made import dataset, documents
from tests.taken import one_of

NAMES = [name for name in CATALOG if name.endswith("span_f1")]
VARIANTS = [
    (name, dict(zip(CATALOG[name].variants, choices, strict=True)))
    for name in NAMES
    for choices in CATALOG[name].combined
]
KERNELS = [
    pair_shares.span_f1,
    pair_shares.macro_span_f1,
    pair_shares.label_span_f1,
    pair_shares.mean_pair_span_f1,
    pair_shares.mean_pair_span_f1_of_gate,
]
few = settings(max_examples=10)


def figures(made, **options):
    """Every coefficient by every variant."""
    resolver = Resolver(Rated.of(span_ratings(dataset(made, **options))))
    return [figure(resolver, *variant) for variant in VARIANTS]


def figure(resolver, name, variants):
    problem = resolver.request(name, variants).problem
    measure = problem.measure
    return measure.kernel(problem.data, item_weight=problem.table.count).estimate


def same(one, other):
    for a, b in zip(one, other, strict=True):
        np.testing.assert_allclose(a, b, rtol=0, atol=1e-12)


def identified(made, match="partial"):
    """Data that tell annotators apart, of the documents as they come."""
    _, laid_out = documents_of(span_ratings(dataset(made)))
    return COMPARISONS[match](laid_out, True)


@few
@given(documents(), st.randoms(use_true_random=False))
def test_no_order_matters(made, random):
    def mixed(several):
        several = list(several)
        random.shuffle(several)
        return several

    other = {
        document: {name: mixed(made[document][name]) for name in mixed(made[document])}
        for document in mixed(made)
    }
    same(figures(made), figures(other))
    tables = [
        confusions(documents_of(span_ratings(dataset(each)))[1], "partial")
        for each in (made, other)
    ]
    np.testing.assert_array_equal(*tables)


@few
@given(documents())
def test_the_two_annotators_of_a_pair_are_alike(made):
    name = {"a": "c", "b": "b", "c": "a"}
    swapped = {
        document: {name[who]: marks for who, marks in by_name.items()}
        for document, by_name in made.items()
    }
    same(figures(made), figures(swapped))


@few
@given(documents())
def test_labels_are_only_names(made):
    name = {"X": "Z", "Y": "X"}
    renamed = {
        document: {
            who: [(parts, name[label]) for parts, label in marks] for who, marks in by_name.items()
        }
        for document, by_name in made.items()
    }
    by_label = [variant[0] == "label_span_f1" for variant in VARIANTS]
    order = [2, 0, 1]
    same(
        figures(made),
        [
            np.asarray(each)[..., order] if apart else each
            for each, apart in zip(figures(renamed), by_label, strict=True)
        ],
    )


@few
@given(documents(), st.integers(1, 2**40))
def test_where_a_document_begins_does_not_matter(made, shift):
    shifted = {
        document: {
            who: [
                (tuple((start + shift, end + shift) for start, end in parts), label)
                for parts, label in marks
            ]
            for who, marks in by_name.items()
        }
        for document, by_name in made.items()
    }
    same(figures(made), figures(shifted))


@few
@given(documents())
def test_what_matches_strictly_matches_in_part(made):
    strict, in_part = (identified(made, match) for match in ("strict", "partial"))
    held = np.nan_to_num(strict)[:, :, :, 1]
    assert (np.nan_to_num(in_part) >= np.nan_to_num(strict)).all()
    assert (np.nan_to_num(in_part)[:, :, :, 0] <= held).all()


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)
@few
@given(documents(), st.lists(st.integers(0, 3), min_size=3, max_size=3))
def test_whole_weights_repeat_documents(kernel, made, times):
    data = identified(made)
    times = np.array(times[: len(data)])
    weighted = kernel(data, item_weight=times.astype(float))
    repeated = kernel(data.repeat(times, axis=0))
    np.testing.assert_allclose(weighted.estimate, repeated.estimate, rtol=0, atol=1e-12)
    np.testing.assert_array_equal(weighted.code, repeated.code)


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)
@few
@given(documents())
def test_an_annotator_without_weight_is_left_out(kernel, made):
    data = identified(made)
    weight = np.ones(data.shape[1])
    weight[-1] = 0.0
    left_out = kernel(data, annotator_weight=weight)
    rest = kernel(data[:, :-1, :-1])
    np.testing.assert_allclose(left_out.estimate, rest.estimate, rtol=0, atol=1e-12)
    np.testing.assert_array_equal(left_out.code, rest.code)


@pytest.mark.slow
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)
@settings(max_examples=6)
@given(documents())
def test_traced_as_by_hand(kernel, made):
    data = np.concatenate([identified(made)] * 4)[:3]
    weight = np.array([1.0, 2.0, 0.5])
    by_hand = kernel(data, item_weight=weight)
    with jax.enable_x64(True):
        traced = jax.jit(lambda w: kernel(jnp.asarray(data), item_weight=w))(weight)
        slopes = jax.grad(lambda w: jnp.nansum(kernel(data, item_weight=w).estimate))(weight)
    np.testing.assert_allclose(traced.estimate, by_hand.estimate, rtol=0, atol=1e-12)
    np.testing.assert_array_equal(traced.code, by_hand.code)
    assert np.isfinite(slopes).all()


@pytest.mark.parametrize(("name", "variants"), one_of(5, VARIANTS))
@settings(max_examples=6)
@given(documents())
def test_by_slot_it_is_the_same(name, variants, made):
    ratings = span_ratings(dataset(made))
    one, other = (Resolver(Rated.of(each)) for each in (ratings, in_slots(ratings)))
    weight = np.array([1.0, 3.0, 2.0])[: ratings.sizes["annotator"]]
    results = []
    for resolver in (one, other):
        request = resolver.request(name, variants)
        measure = request.problem.measure
        tables = resolver.tables
        measure = replace(measure, identified=True)
        results.append(
            measure.kernel(
                tables.mass(measure),
                item_weight=tables.table(measure).count,
                annotator_weight=weight,
                annotator_of=tables.annotator_of(measure),
            ).estimate
        )
    same(results[:1], results[1:])


@pytest.mark.parametrize("seed", range(5))
def test_specific_agreement_of_a_label_is_the_f1_of_its_items(seed):
    rng = np.random.default_rng(seed)
    table = rng.choice(["yes", "no", "maybe"], size=(30, 4))
    marked = {
        f"a{who}": [(item, item + 1, label) for item, label in enumerate(column)]
        for who, column in enumerate(table.T)
    }
    of_items = iaa.specific_agreement(iaa.from_wide(table), interval=None)
    of_spans = functions.label_span_f1(iaa.from_spans({"d": marked}), interval=None)
    np.testing.assert_allclose(
        of_spans.estimate, of_items.estimate.sel(label=of_spans.label), rtol=0, atol=1e-12
    )
