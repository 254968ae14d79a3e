"""G9: coefficients of labels refuse spans and say what measures them, and the other way round."""

from __future__ import annotations

import pytest

import iaa_jax as iaa
from iaa_jax.catalog import CATALOG, NAMES

SPANS = iaa.from_spans(
    {
        "d1": {"ann": [(0, 5, "PER"), (9, 12, "ORG")], "bob": [(0, 5, "PER"), (9, 14, "ORG")]},
        "d2": {"ann": [(3, 8, "ORG")], "bob": []},
    },
    lengths={"d1": 20, "d2": 10},
)
OF_LABELS = [name for name in NAMES if not CATALOG[NAMES[name]].measure.compares]
OF_SPANS = [name for name in NAMES if name not in OF_LABELS]


@pytest.mark.parametrize("name", OF_LABELS)
def test_G9_spans_are_refused_with_what_measures_them(name: str) -> None:
    """Nobody knows how many stretches of a text could have been marked, and were not."""
    with pytest.raises(iaa.IaaError) as caught:
        iaa.agreement(SPANS, name, interval=None)
    said = str(caught.value)
    for instead in ("span_f1", "unitizing_alpha", "gamma"):
        assert f" {instead}," in said
    assert "leave unmarked" in said
    assert "token_ratings" in said


@pytest.mark.parametrize("name", OF_SPANS)
def test_G9_labels_are_refused_with_how_to_read_spans(name: str) -> None:
    ratings = iaa.from_wide([["a", "b"], ["a", "a"], ["b", "b"]])
    with pytest.raises(iaa.IaaError, match="read spans with read_spans"):
        getattr(iaa, name)(ratings, interval=None)


def test_G9_a_token_universe_makes_kappa_possible() -> None:
    """Where the lengths of documents are declared, places are items."""
    tokens = iaa.token_ratings(SPANS)
    assert float(iaa.cohen_kappa(tokens, interval=None).estimate) < 1
    unknown = iaa.from_spans({"d": {"ann": [(0, 5, "PER")], "bob": []}})
    with pytest.raises(iaa.IaaError, match="length"):
        iaa.token_ratings(unknown)
