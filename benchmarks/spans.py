"""F1 of spans, and its replicates, through the public functions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import xarray as xr
from coverage_study.spans import LABELS, Texts
from nervaluate import Evaluator
from results import Line, Target
from timing import in_turn

import iaa_jax as iaa

PEER = "nervaluate, three pairs"

CALLS = 10
"""Calls of strict F1 that the replicates may take as long as."""


def spans(quick: bool) -> Iterator[Line]:
    """Against nervaluate on each pair of annotators, and against our own F1."""
    documents = 500 if quick else 10_000
    drawn = Texts(6, 0.5, (0.1, 0.15, 0.25), 0.5)(np.random.default_rng(0), documents)
    lists = as_lists(drawn)
    work = f"{documents:,} documents x 3, {drawn.sizes['span']:,} spans"

    def peer() -> None:
        for first, second in combinations(lists, 2):
            Evaluator(first, second, tags=[*LABELS], loader="dict").evaluate()

    def alone(name: str) -> None:
        iaa.agreement(drawn, [name], interval=None)

    runs = 1 if quick else 3
    for title, name in (("strict", "span_f1"), ("partial", "partial_span_f1")):
        ours, theirs = in_turn(runs, lambda name=name: alone(name), peer)
        yield Line(f"{title} F1, {work}", ours, PEER, theirs)
    ours, theirs = in_turn(runs, lambda: iaa.span_f1(drawn), peer)
    yield Line(f"all that iaa.span_f1 gives, with intervals, {work}", ours, PEER, theirs)
    stream = np.random.Generator(np.random.Philox(0))
    even = np.full(documents, 1 / documents)

    def calls() -> None:
        for _ in range(CALLS):
            alone("span_f1")

    ours, theirs, limit = in_turn(
        runs,
        lambda: iaa.agreement(drawn, ["span_f1"], interval="percentile", replicates=2000),
        calls,
        lambda: stream.multinomial(documents, even, size=2000),
    )
    yield Line(
        f"strict F1 with 2,000 replicates, {work}",
        ours,
        f"{CALLS} calls of it alone",
        theirs,
        Target(ratio=1),
        "2,000 NumPy multinomials",
        limit,
    )


def as_lists(drawn: xr.Dataset) -> list[list[list[dict[str, object]]]]:
    """The spans of each annotator and document, as nervaluate takes them."""
    lists: list[list[list[dict[str, object]]]] = [
        [[] for _ in range(drawn.sizes["document"])] for _ in range(drawn.sizes["annotator"])
    ]
    names = ("annotator_of", "document_of", "label_of", "start", "end")
    for annotator, document, label, start, end in zip(
        *(drawn[name].values.tolist() for name in names), strict=True
    ):
        # its ends are the last places of spans
        lists[annotator][document].append({"label": LABELS[label], "start": start, "end": end - 1})
    return lists
