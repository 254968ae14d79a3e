"""What holds at all looks, what deciding takes, and what the evidence is worth."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

import iaa_jax as iaa
from iaa_jax.analyses.watch.sequence import evidence_by_influence
from iaa_jax.kernels.betting import log_wealth_above, log_wealth_below
from watch_study.batch import (
    A_LOOK,
    ALPHA,
    LOG_OF_ENDS,
    Groups,
    Looked,
    Z,
    ends_after,
    first,
    groups_of,
    looks_of,
    outside,
    ruled_out,
)
from watch_study.cells import CELLS

ITEMS = 1000
STRONG = 20
"""An e-value of so much is strong evidence."""

TOGETHER = 250
"""Sets that are drawn at once where there are many items."""

POWER = 0.8416212
"""Standard errors by which an interval must lie beyond a bar for a power of 80 %."""

Figures = dict[str, float]
Row = tuple[str, str, Figures]
"""The part, the cell, and its figures."""


def all_looks(only: str, sets: int, seed: int) -> Iterator[Row]:
    """Parts 1 and 3: how often the truth is ever outside, widths, and e-values at the truth."""
    reach = iaa.plan.looks(4)["reach"].values
    quarters = slice(ITEMS // 4 // A_LOOK - 1, None, ITEMS // 4 // A_LOOK)
    for at, (name, make) in enumerate(CELLS.items()):
        if only not in name:
            continue
        law, rng = make(), np.random.default_rng([seed, at])
        places = law.drawn(rng, (sets, ITEMS))
        groups = groups_of(law, places, rng.random(places.shape))
        low, high = ends_after(law, groups.bets)
        looked = looks_of(law, places)
        sequence, one = looked.sequence(law), looked.reaching(Z)
        planned = Looked(*(each[..., quarters] for each in looked)).reaching(reach)
        width = np.nanmean(
            np.subtract(*(np.clip(one[side][:, -1], *law.bounds_of_figure) for side in (1, 0)))
        )
        missed = {"influence": sequence, "daily": one, "four": planned}
        figures = {
            "truth": law.truth,
            "betting": ruled_out(groups.bets, law.truth).any(axis=1).mean(),
            **{way: outside(ends, law.truth).any(axis=1).mean() for way, ends in missed.items()},
            "one": outside(one, law.truth)[:, -1].mean(),
            "width_one": width,
            "width_betting": (high - low).mean() / width,
            "width_influence": np.fmax(sequence[1] - sequence[0], 0)[:, -1].mean() / width,
        }
        yield "looks", name, figures
        yield "evidence", name, evidence(groups, looked, law.truth)


def evidence(groups: Groups, looked: Looked, bar: float) -> Figures:
    """Means of the e-value at the end and when one stops, and how often it ever is strong."""
    figures = {}
    others = evidence_by_influence(looked.estimate, looked.error, looked.number, ALPHA, bar)
    for side, log_wealth in (("above", log_wealth_above), ("below", log_wealth_below)):
        log = log_wealth(groups.bets, bar)
        strong = log >= math.log(STRONG)
        figures[f"{side}_ever"] = strong.any(axis=1).mean()
        figures[f"{side}_influence"] = (getattr(others, side) >= STRONG).any(axis=1).mean()
        stop = np.where(strong.any(axis=1), strong.argmax(axis=1), log.shape[1] - 1)
        for when, at in (("end", -1), ("stop", stop)):
            values = np.exp(log[np.arange(len(log)), at])
            figures[f"{side}_{when}"] = values.mean()
            figures[f"{side}_{when}_error"] = values.std() / math.sqrt(len(values))
    return figures


DECIDED = (
    *("2 people, .5", "2 people, .05", "3 people, .2", "6 people, .2", "gaps by difficulty"),
    *("five steps, ordinal", "numbers", "own margins, Cohen", "gaps, Brennan-Prediger"),
)


def decide(only: str, sets: int, seed: int) -> Iterator[Row]:
    """Part 2: items until a bar below the truth is decided."""
    reach = iaa.plan.looks(4)["reach"].values
    for at, (name, below) in enumerate((name, below) for name in DECIDED for below in (0.1, 0.2)):
        if only not in f"{name}, {below:.1f}":
            continue
        law, rng = CELLS[name](), np.random.default_rng([seed, 2, at])
        bar = law.truth - below
        fixed = math.ceil(law.variance * ((Z + POWER) / below) ** 2)
        quarter = math.ceil(law.variance * ((reach[-1] + POWER) / below) ** 2 / 4)
        most = math.ceil(max(6 * fixed, 3000) / 100) * 100
        found: dict[str, list[np.ndarray]] = {}
        for start in range(0, sets, TOGETHER):
            places = law.drawn(rng, (min(TOGETHER, sets - start), most))
            groups = groups_of(law, places, rng.random(places.shape))
            log = log_wealth_above(groups.bets, bar)
            come = np.where(groups.items > 0, groups.items, most)
            looked = looks_of(law, places)
            four = looks_of(law, places[:, : 4 * quarter], quarter)
            for way, items in {
                "betting": first(log >= LOG_OF_ENDS, come),
                "betting_e": first(log >= math.log(STRONG), come),
                "influence": first(looked.sequence(law)[0] >= bar, looked.items),
                "four": first(four.reaching(-reach)[1] >= bar, four.items),
            }.items():
                found.setdefault(way, []).append(items)
        whole = {way: np.concatenate(parts) for way, parts in found.items()}
        by_four = whole.pop("four")
        # at looks after every 25
        medians = {way: np.median(np.ceil(items / A_LOOK) * A_LOOK) for way, items in whole.items()}
        yield (
            "decide",
            f"{name}, {below:.1f}",
            {
                "fixed": fixed,
                "four": np.median(np.fmin(by_four, 4 * quarter)),
                "four_power": np.isfinite(by_four).mean(),
                **medians,
                "most": most,
            },
        )
