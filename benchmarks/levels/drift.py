"""Levels and power of `iaa_jax.drift`: documents, prevalence, annotators drawn anew."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import xarray as xr
from numpy.typing import NDArray

import iaa_jax as iaa
from levels import Outcomes, main

BATCHES, LEVEL, DRAWS = 6, 0.05, 199

Stream = np.random.Generator
Codes = NDArray[np.int64]


def looked_at(
    draw: Stream, ratings: xr.Dataset, by: str = "batch", wanted: str = "", **options: object
) -> Outcomes:
    """Whether each test finds something, and whether the conclusion is the ``wanted`` one."""
    few = {"interval": None, "permutations": DRAWS, "replicates": 20}
    found = iaa.drift(ratings, by, seed=int(draw.integers(1 << 31)), **few, **options)
    names = {"": "all together", "change_": "step", "slope_": "trend", "deviation_": "batch"}
    p_values = {column: float(found[f"{name}p_value"]) for name, column in names.items()}
    outcomes: dict[str, bool | None] = {
        column: None if np.isnan(p) else p <= LEVEL for column, p in p_values.items()
    }
    shuffled = float(found["any_change_p_value"])
    outcomes["shuffles alone"] = None if np.isnan(shuffled) else shuffled <= LEVEL
    if wanted:
        conclusion, anything = found.attrs["conclusion"], bool(outcomes["all together"])
        outcomes["named, of found"] = conclusion == wanted if anything else None
        outcomes["told as one of two"] = "_or_" in conclusion if anything else None
    return outcomes


def of_codes(codes: Codes, **coords: object) -> xr.Dataset:
    """Codes (item, annotator), -1 for none, as ratings with coordinates along items."""
    cells = np.array([*"abcdefgh", None], dtype=object)[codes]
    labels = list("abcdefgh"[: int(codes.max()) + 1])
    ratings = iaa.from_wide(cells, labels=labels)
    return ratings.assign_coords({name: ("item", values) for name, values in coords.items()})


def agreeing(
    draw: Stream, shares: NDArray[np.float64], alpha: NDArray[np.float64], annotators: int = 2
) -> Codes:
    """Labels (item, annotator) with these shares (item, label) and this alpha between any two.

    An item has a label of its own, which an annotator gives with the root of alpha, or else any.
    """
    items = len(shares)
    ends = np.cumsum(shares, axis=1)

    def any_label() -> Codes:
        return (draw.random(items)[:, None] > ends[:, :-1]).sum(axis=1)

    own = any_label()
    sees = draw.random((items, annotators)) < np.sqrt(alpha)[:, None]
    return np.where(sees, own[:, None], np.stack([any_label() for _ in range(annotators)], axis=1))


def of_prevalence(
    draw: Stream,
    of_first: NDArray[np.float64],
    labels: int = 2,
    each: int = 50,
    alpha: object = 0.6,
    wanted: str = "",
) -> Outcomes:
    """Batches with shares of the first label; the others share the rest."""
    first = np.repeat(of_first, each)
    rest = np.repeat((1 - first)[:, None] / (labels - 1), labels - 1, axis=1)
    shares = np.column_stack([first, rest])
    alphas = np.repeat(np.broadcast_to(np.asarray(alpha, dtype=float), len(of_first)), each)
    codes = agreeing(draw, shares, alphas)
    batch = np.repeat(np.arange(len(of_first)), each)
    return looked_at(draw, of_codes(codes, batch=batch), wanted=wanted)


def of_documents(
    draw: Stream,
    documents: int = 48,
    *,
    clustered: bool = True,
    continuous: bool = False,
    trend: bool = False,
    step: float = 0.0,
) -> Outcomes:
    """Documents of 1 to 12 items, each with a difficulty and with frequent labels of its own."""
    size = draw.integers(1, 13, documents)
    of_item = np.repeat(np.arange(documents), size)
    batch = np.arange(documents) * BATCHES // documents
    if trend:
        first = np.linspace(0.08, 0.5, BATCHES)[batch]
        own = draw.beta(6 * first, 6 * (1 - first))
        given = np.where(np.arange(2) == 0, first[:, None], 1 - first[:, None])
        truth = (draw.random(len(of_item)) > own[of_item]).astype(np.int64)
        sees = draw.random((len(of_item), 2)) < np.sqrt(0.6)
        other = (draw.random((len(of_item), 2)) > given[of_item][:, :1]).astype(np.int64)
        codes = np.where(sees, truth[:, None], other)
    else:
        shares = draw.dirichlet(np.ones(3), documents)
        quality = draw.beta(4, 1.2, documents) - step * (batch >= BATCHES // 2)
        truth = (
            draw.random(len(of_item))[:, None] > np.cumsum(shares, axis=1)[of_item][:, :-1]
        ).sum(1)
        sees = draw.random((len(of_item), 3)) < quality[of_item][:, None]
        codes = np.where(sees, truth[:, None], draw.integers(0, 3, (len(of_item), 3)))
    coords = {"document": of_item, "batch": batch[of_item], "time": np.arange(len(of_item)) * 1.0}
    options = {"sampling": iaa.Sampling(cluster="document")} if clustered else {}
    by = "time" if continuous else "batch"
    return looked_at(draw, of_codes(codes, **coords), by, **options)


def of_annotators(draw: Stream, *, random: bool = True, stay: int = 5) -> Outcomes:
    """Annotators with skills of their own; ``stay`` of them all the time, the others in a half."""
    others = 5 - stay
    annotators = stay + 2 * others
    skill = draw.beta(8, 2, annotators)
    items, half = 300, np.arange(300) >= 150
    truth = draw.integers(0, 3, items)
    sees = draw.random((items, annotators)) < skill
    codes = np.where(sees, truth[:, None], draw.integers(0, 3, (items, annotators)))
    codes[np.ix_(half, np.arange(stay, stay + others))] = -1
    codes[np.ix_(~half, np.arange(stay + others, annotators))] = -1
    options = {"sampling": iaa.Sampling(annotators="random")} if random else {}
    return looked_at(draw, of_codes(codes, batch=np.arange(300) // 50), **options)


def shifted(shift: Callable[[int], float]) -> NDArray[np.float64]:
    """Alphas of the batches."""
    return np.array([0.6 + shift(batch) for batch in range(BATCHES)])


RISING = np.linspace(0.08, 0.5, BATCHES)
EVEN = np.full(BATCHES, 0.3)

CELLS = {
    "nothing changes, 50 a batch": partial(of_prevalence, of_first=EVEN),
    "label .08 to .5, 50 a batch": partial(of_prevalence, of_first=RISING),
    "label .08 to .5, 100 a batch": partial(of_prevalence, of_first=RISING, each=100),
    "label .5 to .08 of three, 50 a batch": partial(of_prevalence, of_first=RISING[::-1], labels=3),
    "label .5 to .08 of three, 100 a batch": partial(
        of_prevalence, of_first=RISING[::-1], labels=3, each=100
    ),
    "48 documents in 6 batches, items alone": partial(of_documents, clustered=False),
    "48 documents in 6 batches": of_documents,
    "24 documents in 6 batches": partial(of_documents, documents=24),
    "48 documents, label .08 to .5": partial(of_documents, trend=True),
    "48 documents along time": partial(of_documents, continuous=True),
    "120 documents along time": partial(of_documents, documents=120, continuous=True),
    "5 random annotators stay": of_annotators,
    "3 of 5 random annotators stay": partial(of_annotators, stay=3),
    "3 of 5 annotators stay, taken as fixed": partial(of_annotators, stay=3, random=False),
    "POWER: alpha falls by .3 at batch 4, 100 a batch": partial(
        of_prevalence,
        of_first=EVEN,
        each=100,
        alpha=shifted(lambda batch: -0.3 * (batch >= 3)),
        wanted="step",
    ),
    "POWER: alpha .6 less in batch 3, 50 a batch": partial(
        of_prevalence,
        of_first=EVEN,
        alpha=shifted(lambda batch: -0.6 * (batch == 2)),
        wanted="deviation",
    ),
    "POWER: alpha falls by .4 in a line, 100 a batch": partial(
        of_prevalence,
        of_first=EVEN,
        each=100,
        alpha=shifted(lambda batch: 0.15 - 0.08 * batch),
        wanted="trend",
    ),
    "POWER: 48 documents, quality falls by .3": partial(of_documents, step=0.3),
}

if __name__ == "__main__":
    main("drift", "Levels of drift: how often each test finds something at 5 %", CELLS)
