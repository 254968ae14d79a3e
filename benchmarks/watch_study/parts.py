"""What holds at all looks, what deciding takes, and what the evidence is worth."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from iaa_jax.analyses.watch.sequence import evidence_by_influence
from iaa_jax.kernels.betting import log_wealth_above, log_wealth_below
from watch_study.batch import (
    A_LOOK,
    ALPHA,
    LOG_OF_ENDS,
    Groups,
    Z,
    ends_after,
    ever_missed,
    first,
    groups_of,
    looks_of,
    outside,
    planned,
)
from watch_study.cells import CELLS
from watch_study.laws import Law

ITEMS = 1000
ALL_GROUPS = 2_000_000
"""Groups over all of which a mean is taken."""

STRONG = 20
"""An e-value of so much is strong evidence."""

TOGETHER = 250
"""Sets that are drawn at once where there are many items."""

Figures = dict[str, float]
Row = tuple[str, str, Figures]
"""The part, the cell, and its figures."""


def bounds_of(law: Law) -> tuple[float, float]:
    return law.request.bounds.lower, law.request.bounds.highest


def all_looks(only: str, sets: int, seed: int) -> Iterator[Row]:
    """Parts 1 and 3: how often the truth is ever outside, widths, and e-values at the truth."""
    reach = planned()
    quarters = slice(ITEMS // 4 // A_LOOK - 1, None, ITEMS // 4 // A_LOOK)
    for at, (name, make) in enumerate(CELLS.items()):
        if only not in name:
            continue
        law = make()
        rng = np.random.default_rng([seed, at])
        places = law.drawn(rng, (sets, ITEMS))
        groups = groups_of(law, places, rng.random(places.shape))
        lower, upper = ends_after(groups.bets, bounds_of(law))
        looked = looks_of(law, places)
        sequence, one = looked.sequence(law), looked.reaching(Z)
        four = tuple(
            looked.estimate[:, quarters] + side * reach * looked.error[:, quarters]
            for side in (-1, 1)
        )
        widths = [np.clip(end[:, -1], *bounds_of(law)) for end in one]
        width = np.nanmean(widths[1] - widths[0])
        figures = {
            "truth": law.truth,
            "betting": ever_missed(groups.bets, law.truth).mean(),
            "influence": outside(sequence, law.truth).any(axis=1).mean(),
            "daily": outside(one, law.truth).any(axis=1).mean(),
            "four": outside(four, law.truth).any(axis=1).mean(),
            "one": outside(one, law.truth)[:, -1].mean(),
            "width_one": width,
            "width_betting": (upper - lower).mean() / width,
            "width_influence": (sequence[1] - sequence[0])[:, -1].mean() / width,
        }
        if law.kinds**law.size < ALL_GROUPS:
            figures["mean_bet"] = law.mean_bet
        yield "looks", name, figures
        for text, bar in (("at the bar", law.truth), (".02 below", law.truth + 0.02)):
            if bar < 1:
                by_influence = evidence_by_influence(
                    looked.estimate, looked.error, looked.number, ALPHA, bar
                )
                figures = evidence(groups, bar)
                for side, values in (("", by_influence.above), ("below_", by_influence.below)):
                    figures[f"{side}influence"] = (values >= STRONG).any(axis=1).mean()
                yield "evidence", f"{name}, {text}", figures


def evidence(groups: Groups, bar: float) -> Figures:
    """Means of the e-value at three times, and how often it ever is strong."""
    figures = {}
    for side, log_wealth in (("", log_wealth_above), ("below_", log_wealth_below)):
        log = log_wealth(groups.bets, bar)
        value = np.exp(log)
        strong = log >= math.log(STRONG)
        stop = np.where(strong.any(axis=1), strong.argmax(axis=1), log.shape[1] - 1)
        half = np.argmax(groups.items > ITEMS // 2, axis=1) - 1
        sets = np.arange(len(value))
        figures[f"{side}reach"] = strong.any(axis=1).mean()
        for when, at in (("end", -1), ("half", half), ("stop", stop)):
            values = value[sets, at]
            figures[f"{side}{when}"] = values.mean()
            figures[f"{side}{when}_error"] = values.std() / math.sqrt(len(values))
    return figures


DECIDED = (
    *("2 people, .5", "2 people, .05", "3 people, .2", "6 people, .2", "gaps by difficulty"),
    *("five steps, ordinal", "numbers", "own margins, Cohen", "gaps, Brennan-Prediger"),
)


def decide(only: str, sets: int, seed: int) -> Iterator[Row]:
    """Part 2: items until a bar below the truth is decided."""
    reach = planned()
    for at, name in enumerate(DECIDED):
        if only not in name:
            continue
        law = CELLS[name]()
        for below in (0.1, 0.2):
            bar = law.truth - below
            fixed = math.ceil(law.variance * ((Z + 0.8416212) / below) ** 2)
            quarter = math.ceil(fixed * ((reach[-1] + 0.8416212) / (Z + 0.8416212)) ** 2 / 4)
            most = math.ceil(max(6 * fixed, 3000) / 100) * 100
            rng = np.random.default_rng([seed, 2, at, int(10 * below)])
            found: dict[str, list[np.ndarray]] = {}
            for start in range(0, sets, TOGETHER):
                places = law.drawn(rng, (min(TOGETHER, sets - start), most))
                groups = groups_of(law, places, rng.random(places.shape))
                log = log_wealth_above(groups.bets, bar)
                come = np.where(groups.items > 0, groups.items, most)
                looked = looks_of(law, places)
                four = looks_of(law, places[:, : 4 * quarter], quarter)
                single = looks_of(law, places[:, :fixed], fixed)
                for way, items in {
                    "betting": first(log >= LOG_OF_ENDS, come),
                    "betting_e": first(log >= math.log(STRONG), come),
                    "influence": first(looked.sequence(law)[0] >= bar, looked.items),
                    "four": first(four.reaching(-reach)[1] >= bar, four.items),
                    "power": single.reaching(Z)[0][:, 0] >= bar,
                }.items():
                    found.setdefault(way, []).append(items)
            whole = {way: np.concatenate(parts) for way, parts in found.items()}
            by_four = whole["four"]
            yield (
                "decide",
                f"{name}, {below:.1f}",
                {
                    "bar": bar,
                    "fixed": fixed,
                    "power": whole["power"].mean(),
                    "four": np.median(np.where(np.isinf(by_four), 4 * quarter, by_four)),
                    "four_power": np.isfinite(by_four).mean(),
                    "betting": median(whole["betting"]),
                    "betting_e": median(whole["betting_e"]),
                    "influence": median(whole["influence"]),
                    "most": most,
                    "betting_decides": np.isfinite(whole["betting"]).mean(),
                },
            )


def median(items: np.ndarray) -> float:
    """Of items at which it was decided, at looks after every 25."""
    return float(np.median(np.ceil(items / A_LOOK) * A_LOOK))
