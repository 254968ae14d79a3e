"""Matches of spans that overlap densely are as many as those from a list of all couples."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

import iaa_jax as iaa
from iaa_jax import _thresholds
from iaa_jax._types import Floats
from iaa_jax.data.as_ratings import span_ratings
from iaa_jax.data.marked import matches, overlaps
from iaa_jax.data.marked.documents import Markings, Pairs, documents_of
from iaa_jax.data.marked.matches import (
    GATE_MATCHES,
    half_credit_matches,
    partial_matches,
    swept_credits,
    swept_matches,
)
from iaa_jax.measure import functions

Matches = Callable[[Markings, Pairs], Floats]


def marked(seed: int, spans: int, reach: int, extent: int) -> pd.DataFrame:
    """Three annotators of two documents; of small extent with ties and places without extent."""
    rng = np.random.default_rng(seed)
    start = rng.integers(0, extent, 6 * spans)
    return pd.DataFrame(
        {
            "document": np.tile(["d1", "d2"], 3 * spans),
            "annotator": np.repeat(["ann", "bob", "cat"], 2 * spans),
            "start": start,
            "end": start + rng.integers(0, reach, len(start)),
            "label": rng.choice(["x", "y"], len(start)),
        }
    )


WAYS = [(partial_matches, swept_matches), (half_credit_matches, swept_credits)]


@pytest.mark.parametrize(("matched", "swept"), WAYS)
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("spans", "reach", "extent"), [(4, 4, 8), (25, 30, 60), (60, 200, 300)])
def test_as_many_as_a_largest_matching(
    matched: Matches,
    swept: Matches,
    seed: int,
    spans: int,
    reach: int,
    extent: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ratings = iaa.from_spans(marked(seed, spans, reach, extent))
    _, documents = documents_of(span_ratings(ratings))
    for markings in (documents.markings, documents.markings.distinct):
        monkeypatch.setattr(_thresholds, "SPANS_MET", 10**9)
        listed = matched(markings, documents.pairs)
        np.testing.assert_array_equal(swept(markings, documents.pairs), listed)
        for met in (0, 3):  # some pairs by either way
            monkeypatch.setattr(_thresholds, "SPANS_MET", met)
            np.testing.assert_array_equal(matched(markings, documents.pairs), listed)


@pytest.mark.parametrize("matched", [partial_matches, half_credit_matches, *GATE_MATCHES.values()])
def test_many_pairs_are_listed_in_blocks(matched: Matches, monkeypatch: pytest.MonkeyPatch) -> None:
    """No pair overlaps densely, and all together would be more than are listed."""
    ratings = iaa.from_spans(marked(0, 60, 20, 300))
    _, documents = documents_of(span_ratings(ratings))
    markings, pairs = documents.markings, documents.pairs
    listed = matched(markings, pairs)
    met = overlaps.overlaps_of_pairs(markings, pairs)
    monkeypatch.setattr(overlaps, "MOST_COUPLES", int(met.sum()) - 1)
    monkeypatch.setattr(_thresholds, "COUPLES_TOGETHER", int(met.max()))
    np.testing.assert_array_equal(matched(markings, pairs), listed)


def test_spans_of_several_parts_keep_others_from_no_sweep(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = marked(1, 60, 200, 300)
    whole["unit"] = range(len(whole))
    two = whole[(whole.document == "d1") & (whole.annotator == "ann")].index[:2]
    whole.loc[two, ["unit", "label"]] = whole.loc[two[0], ["unit", "label"]].tolist()
    _, documents = documents_of(span_ratings(iaa.from_spans(whole)))
    markings, pairs = documents.markings, documents.pairs
    monkeypatch.setattr(_thresholds, "SPANS_MET", 10**9)
    listed = partial_matches(markings, pairs)
    monkeypatch.setattr(_thresholds, "SPANS_MET", 0)
    swept = []
    monkeypatch.setattr(
        matches, "swept_matches", lambda *given: swept.append(given) or swept_matches(*given)
    )
    np.testing.assert_array_equal(partial_matches(markings, pairs), listed)
    assert len(swept[0][1].first) == 4  # of six pairs, two with the annotator of d1


def test_more_couples_than_memory_are_refused_before_they_are_listed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ratings = iaa.from_spans(marked(0, 60, 200, 300))
    monkeypatch.setattr(overlaps, "MOST_COUPLES", 100)
    monkeypatch.setattr(_thresholds, "SPANS_MET", 10**9)  # too many for a list are dense, too
    without_a_list = ["partial_span_f1", "span_f1", "half_credit_span_f1"]
    iaa.agreement(ratings, without_a_list, interval=None)
    with pytest.raises(iaa.IaaError, match="can be compared one by one"):
        functions.gate_span_f1(ratings)
