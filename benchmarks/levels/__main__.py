"""How often each test finds something where there is nothing, at 5 %, and what that costs in power.

`python -m levels`, from ``benchmarks/``, writes ``levels.csv`` and ``levels.md``. All through the
public functions, on 1,000 data sets a row unless that takes more than `--seconds`; the table says
how many.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections.abc import Callable
from functools import cache, partial
from math import sqrt
from pathlib import Path

import numpy as np

import iaa_jax as iaa
from levels import FOLDER, compare as comparing, drift as drifting

LEVEL = 0.05
Draw = np.random.Generator
Found = bool | None
Codes = np.ndarray

HABITS = ((0.6, 0.25, 0.15), (0.35, 0.4, 0.25), (0.25, 0.25, 0.5))
ALIKE = ((0.5, 0.3, 0.2),) * 3


def guessed(draw: Draw, items: int, shares: tuple[tuple[float, ...], ...]) -> Codes:
    """Labels by chance alone, each annotator's with shares of its own."""
    return np.stack([draw.choice(len(each), items, p=each) for each in shares], axis=1)


def zero(draw: Draw, items: int, null: str, *, agreeing: float = 0.0, alike: bool = False) -> Found:
    """Whether Fleiss' kappa is found to be other than 0."""
    codes = guessed(draw, items, ALIKE if alike else HABITS)
    sees = draw.random(codes.shape) < sqrt(agreeing)
    codes = np.where(sees, draw.integers(3, size=items)[:, None], codes)
    ratings = iaa.from_wide(codes, labels=[0, 1, 2])
    found = iaa.zero_agreement(ratings, "fleiss_kappa", null=null, permutations=199)
    return bool(found.p_value.item() <= LEVEL)


def zero_documents(draw: Draw, *, together: bool, agreeing: float = 0.0) -> Found:
    """Guesses copied down 20 documents of 5 items, and some of them known."""
    document = np.repeat(np.arange(20), 5)
    known = draw.random((20, 3)) < agreeing
    copied = np.where(known, draw.integers(2, size=(20, 1)), draw.integers(2, size=(20, 3)))
    codes = copied[document]
    codes = np.where(draw.random(codes.shape) < 0.1, 1 - codes, codes)
    ratings = iaa.from_wide(codes, labels=[0, 1]).assign_coords(document=("item", document))
    sampling = iaa.Sampling(cluster="document" if together else None)
    found = iaa.zero_agreement(ratings, "krippendorff_alpha", permutations=199, sampling=sampling)
    return bool(found.p_value.item() <= LEVEL)


def zero_labels(draw: Draw, null: str) -> Found:
    """Whether any label is, with all tested at once."""
    ratings = iaa.from_wide(guessed(draw, 30, HABITS), labels=[0, 1, 2])
    found = iaa.zero_agreement(ratings, per_label=True, null=null, permutations=199)
    return bool((found.adjusted_p_value <= LEVEL).any())


def rare(draw: Draw, items: int) -> Codes:
    """A label of 3 %, that each of three annotators tells in 97 %."""
    truth = draw.random(items) < 0.03
    return np.where(draw.random((items, 3)) < 0.97, truth[:, None], ~truth[:, None]).astype(int)


def correlated(draw: Draw, items: int) -> Codes:
    """Annotators who err on the same items, and then alike."""
    truth, other = draw.integers(3, size=items), draw.integers(3, size=items)
    lure = draw.random(items) < 0.3
    right = draw.random((items, 3)) < np.where(lure, 0.4, 0.9)[:, None]
    return np.where(right, truth[:, None], other[:, None])


def easy_and_hard(draw: Draw, items: int) -> Codes:
    """Four labels; two of five items are hard."""
    truth = draw.integers(4, size=items)
    right = draw.random((items, 3)) < np.where(draw.random(items) < 0.4, 0.4, 0.95)[:, None]
    return np.where(right, truth[:, None], draw.integers(4, size=(items, 3)))


@cache
def whole(source: Callable[[Draw, int], Codes]) -> float:
    """Alpha of so many items that it is that of all."""
    ratings = iaa.from_wide(source(np.random.default_rng(1), 400_000))
    return float(iaa.krippendorff_alpha(ratings, interval=None).estimate)


def looks(
    draw: Draw, source: Callable[[Draw, int], Codes], items: int, spending: str, by: str
) -> Found:
    """Whether any of five looks leaves the truth out."""
    codes, truth = source(draw, items), whole(source)
    planned = iaa.plan.looks(5, spending=spending)
    missed = False
    for number in planned.look.values:
        look = planned.sel(look=number)
        if np.isnan(look.replicates):
            continue
        seen = iaa.from_wide(codes[: round(items * float(look.fraction))], labels=[*range(4)])
        draws = min(int(look.replicates), 20_000)
        found = (
            iaa.krippendorff_alpha(
                seen, confidence=float(look.confidence), replicates=max(draws, 2000)
            )
            if by == "posterior"
            else iaa.krippendorff_alpha(seen, replicates=50, interval="t")
        )
        if not found.standard_error > 0 and by != "posterior":
            missed |= abs(float(found.estimate) - truth) > 0
        elif by == "posterior":
            missed |= not found.ci_low <= truth <= found.ci_high
        else:
            missed |= bool(abs(found.estimate - truth) > look.z * found.standard_error)
    return bool(missed)


def groups(draw: Draw, *, apart: float = 0.0, by: str = "conclusion") -> Found:
    """Four annotators against four of one population: whether one kind is called higher."""
    skill = np.clip(draw.beta(7, 2, 8) + np.repeat([0.0, apart], 4), 0, 1)
    truth = draw.integers(3, size=100)
    knows = draw.random((100, 8)) < skill
    codes = np.where(knows, truth[:, None], draw.integers(3, size=(100, 8)))
    ratings = iaa.from_wide(codes).assign_coords(kind=("annotator", [*"aaaabbbb"]))
    found = iaa.compare(ratings, by="kind", coefficients="krippendorff_alpha", **comparing.DRAWS)
    if by == "items":
        return bool(found.p_value.item() <= LEVEL)
    return found.attrs["conclusion"] in ("a_higher", "b_higher")


def of_compare(draw: Draw, *, paired: bool, labels: bool, better: float = 0.0) -> Found:
    """Two sets of 60 items by three annotators; whether they, or any of the labels, differ."""
    prevalence = comparing.FIVE if labels else comparing.FIVE[:3]
    first = comparing.truths(draw, 60, prevalence)
    second = first if paired else comparing.truths(draw, 60, prevalence)
    skills = (0.7, 0.7 + better)
    a, b = (
        comparing.rated(draw, truth, [skill] * 3, prevalence)
        for truth, skill in zip((first, second), skills, strict=True)
    )
    found = iaa.compare(
        a, b, "krippendorff_alpha", paired=paired, per_label=labels, **comparing.DRAWS
    )
    if labels:
        return bool(found.attrs["conclusion"] == "labels_differ")
    return found.attrs["conclusion"] in ("a_higher", "b_higher")


def drifts(draw: Draw) -> Found:
    """Six batches of 50 items, nothing changes."""
    return drifting.of_prevalence(draw, of_first=drifting.EVEN)["all together"]


def merges(draw: Draw) -> Found:
    """Four labels of which no two are confused."""
    truth = draw.integers(4, size=200)
    right = draw.random((200, 3)) < 0.8
    codes = np.where(right, truth[:, None], draw.integers(4, size=(200, 3)))
    found = iaa.labels.merges(iaa.from_wide(codes), replicates=200)
    return bool(found.attrs["conclusion"] == "merge")


def judged(draw: Draw, *, worse: float) -> Found:
    """Three people, and a judge as good as them but for ``worse``, which is epsilon at 0.1."""
    truth = draw.integers(3, size=200)
    skill = np.array([0.85, 0.85, 0.85, 0.85 - worse])
    codes = np.where(draw.random((200, 4)) < skill, truth[:, None], draw.integers(3, size=(200, 4)))
    ratings = iaa.from_wide(codes).assign_coords(annotator=["p", "q", "r", "judge"])
    return bool(iaa.judge(ratings, "judge", epsilon=0.1, replicates=0).attrs["conclusion"] == "all")


def _boundary() -> float:
    """How much less often the judge knows, so that people are better by just 0.1 in rho."""
    low, high = 0.0, 0.6
    for _ in range(14):
        middle = (low + high) / 2
        draw = np.random.default_rng(2)
        truth = draw.integers(3, size=60_000)
        skill = np.array([0.85, 0.85, 0.85, 0.85 - middle])
        knows = draw.random((60_000, 4)) < skill
        codes = np.where(knows, truth[:, None], draw.integers(3, size=(60_000, 4)))
        ratings = iaa.from_wide(codes).assign_coords(annotator=["p", "q", "r", "judge"])
        found = iaa.judge(ratings, "judge", epsilon=0.1, replicates=0)
        gap = float((found.advantage_of_person - found.advantage).mean())
        low, high = (middle, high) if gap < 0.1 else (low, middle)
    return (low + high) / 2


def known_or_guessed(draw: Draw, items: int, skills: Codes, share: float) -> Codes:
    """Two labels, one of a ``share``: known, or guessed at that share."""
    shape = (items, len(skills))
    truth, guess = draw.random((items, 1)) < share, draw.random(shape) < share
    return np.where(draw.random(shape) < skills, truth, guess).astype(int)


def best_panel(
    draw: Draw, items: int, annotators: int, share: float, weakest: float | None = None
) -> Found:
    """Whether a panel of annotators who are alike, but perhaps for one, is called better."""
    skills = np.full(annotators, 0.8 if weakest is None else 0.85)
    skills[-1] = skills[-1] if weakest is None else weakest
    codes = known_or_guessed(draw, items, skills, share)
    found = iaa.panels(iaa.from_wide(codes, labels=[0, 1]), replicates=50)
    return bool(found.attrs["conclusion"] == "better")


def most_accurate(draw: Draw, items: int, skills: tuple[float, ...]) -> Found:
    """Whether the best annotator is called more accurate than the weakest, by gold labels."""
    shape = (items, len(skills))
    truth = draw.integers(3, size=(items, 1))
    other = (truth + draw.integers(1, 3, size=shape)) % 3
    codes = np.where(draw.random(shape) < skills, truth, other)
    ratings = iaa.from_wide(codes, labels=[0, 1, 2])
    gold = dict(zip(ratings.item.values.tolist(), truth[:, 0].tolist(), strict=True))
    found = iaa.judge.against_gold(ratings, gold, replicates=0)
    return bool(found.attrs["conclusion"] == "apart")


def gaps(draw: Draw, *, skipped: float) -> Found:
    """100 items, of which two of five are hard; of these more may be missing."""
    from iaa_jax.analyses.agree.gaps import note_on_gaps
    from iaa_jax.measure.ratings.rated import Rated

    hard = draw.random(100) < 0.4
    truth = draw.integers(3, size=100)
    right = draw.random((100, 5)) < np.where(hard, 0.5, 0.95)[:, None]
    codes = np.where(right, truth[:, None], draw.integers(3, size=(100, 5)))
    missing = draw.random((100, 5)) < 0.2 + np.where(hard, skipped, -skipped / 2)[:, None]
    labels = np.array(list("abc"), dtype=object)[codes]
    return note_on_gaps(Rated.of(iaa.from_wide(np.where(missing, None, labels))), 0) is not None


Row = Callable[[Draw], Found]
LOOKS = {
    "label of 3 %, 300 items": (rare, 300),
    "correlated errors, 200 items": (correlated, 200),
    "easy and hard, 100 items": (easy_and_hard, 100),
}


def rows() -> dict[str, tuple[Row, Row | None]]:
    """Each null, as it is now and as it was before; where nothing was before, now alone."""
    found: dict[str, tuple[Row, Row | None]] = {}
    for items in (30, 150):
        now, before = (partial(zero, items=items, null=null) for null in ("auto", "analytic"))
        found[f"zero_agreement, Fleiss, habits of their own, {items} items"] = now, before
    found["zero_agreement, any label, habits of their own, 30 items"] = (
        partial(zero_labels, null="auto"),
        partial(zero_labels, null="analytic"),
    )
    found["zero_agreement, guesses copied down documents"] = (
        partial(zero_documents, together=True),
        partial(zero_documents, together=False),
    )
    for spending in ("pocock", "obrien_fleming"):
        for name, (source, items) in LOOKS.items():
            found[f"looks, {spending}, {name}"] = (
                partial(looks, source=source, items=items, spending=spending, by="posterior"),
                partial(looks, source=source, items=items, spending=spending, by="z"),
            )
    found["compare, 4 against 4 annotators of one population"] = groups, partial(groups, by="items")
    for paired in (True, False):
        design = "paired" if paired else "independent"
        found[f"compare, {design}"] = partial(of_compare, paired=paired, labels=False), None
        found[f"compare, any of five labels, {design}"] = (
            partial(of_compare, paired=paired, labels=True),
            None,
        )
    found["drift, six batches of 50"] = drifts, None
    found["label_merges, four labels, none confused"] = merges, None
    found["judge at its boundary"] = lambda draw: judged(draw, worse=_cached_boundary()), None
    found["agree: items with more ratings agree more, missing at random"] = (
        partial(gaps, skipped=0.0),
        None,
    )
    for annotators, share, items in ((4, 0.05, 30), (5, 0.05, 60), (5, 0.07, 40), (4, 0.5, 60)):
        found[f"panels, {annotators} alike, label of {100 * share:g} %, {items} items"] = (
            partial(best_panel, items=items, annotators=annotators, share=share),
            None,
        )
    for annotators, skill, items in ((8, 0.8, 60), (5, 0.95, 100), (5, 0.97, 30)):
        found[f"apart by gold labels, {annotators} of {skill:g}, {items} items"] = (
            partial(most_accurate, items=items, skills=(skill,) * annotators),
            None,
        )
    for agreeing in (0.1, 0.2):
        name = f"POWER zero_agreement, alike, kappa {agreeing:g}, 60 items"
        now, before = (
            partial(zero, items=60, null=null, agreeing=agreeing, alike=True)
            for null in ("auto", "analytic")
        )
        found[name] = now, before
    found["POWER compare, 4 against 4, .25 better"] = (
        partial(groups, apart=0.25),
        partial(groups, apart=0.25, by="items"),
    )
    found["POWER compare, paired, .15 better"] = (
        partial(of_compare, paired=True, labels=False, better=0.15),
        None,
    )
    found["POWER zero_agreement, of documents .6 are known"] = (
        partial(zero_documents, together=True, agreeing=0.6),
        partial(zero_documents, together=False, agreeing=0.6),
    )
    for weakest in (0.6, 0.7):
        found[f"POWER panels, one of five knows {weakest:g}, others .85, 60 items"] = (
            partial(best_panel, items=60, annotators=5, share=0.3, weakest=weakest),
            None,
        )
    found["POWER apart by gold labels, one of five .75, others .9, 100 items"] = (
        partial(most_accurate, items=100, skills=(0.9,) * 4 + (0.75,)),
        None,
    )
    found["POWER judge as good as people"] = partial(judged, worse=0.0), None
    found["POWER agree: hard items have more gaps"] = partial(gaps, skipped=0.35), None
    return found


@cache
def _cached_boundary() -> float:
    return _boundary()


def share(one: Row, data_sets: int, seconds: float) -> tuple[int, int]:
    """How many data sets found something, of how many in the time."""
    hits = done = 0
    begun = time.monotonic()
    for number in range(data_sets):
        outcome = one(np.random.default_rng([0, number]))
        if outcome is not None:
            hits, done = hits + outcome, done + 1
        if time.monotonic() - begun > seconds:
            break
    return hits, done


def main() -> None:
    """Simulate the rows, and write the tables as each is done."""
    parser = argparse.ArgumentParser(prog="python -m levels", description=__doc__)
    parser.add_argument("--data-sets", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=300, help="the most for a row")
    parser.add_argument("--quick", action="store_true", help="50 data sets, nothing is written")
    parser.add_argument("--only", default="", help="rows whose name holds this text")
    given = parser.parse_args()
    file = FOLDER.parent / "levels.csv"
    table = _read(file)
    for name, (now, before) in rows().items():
        if given.only not in name:
            continue
        data_sets = 50 if given.quick else given.data_sets
        counts = [share(each, data_sets, given.seconds) for each in (now, before) if each]
        table[name] = [str(number) for pair in counts for number in pair]
        print(name, *(f"{hits}/{of}" for hits, of in counts), flush=True)
        if not given.quick:
            _write(file, {key: table[key] for key in rows() if key in table})


HEADING = ["null", "found", "data_sets", "found_before", "data_sets_before"]


def _read(file: Path) -> dict[str, list[str]]:
    if not file.exists():
        return {}
    with file.open(encoding="utf-8", newline="") as lines:
        return {row[0]: [cell for cell in row[1:] if cell] for row in list(csv.reader(lines))[1:]}


def _write(file: Path, table: dict[str, list[str]]) -> None:
    with file.open("w", encoding="utf-8", newline="") as lines:
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerow(HEADING)
        writer.writerows([name, *(cells + [""] * 4)[:4]] for name, cells in table.items())
    head = "| % | now | data sets | before | data sets |\n| --- | ---: | ---: | ---: | ---: |"
    body = "\n".join(
        f"| {name} | {_percent(cells[:2])} | {_percent(cells[2:])} |"
        for name, cells in table.items()
    )
    file.with_suffix(".md").write_text(f"{ABOUT}\n{head}\n{body}\n", encoding="utf-8")


def _percent(cells: list[str]) -> str:
    if not cells:
        return " | "
    hits, of = map(int, cells)
    rate = hits / of if of else 0.0
    return f"{100 * rate:.1f} ± {100 * sqrt(rate * (1 - rate) / max(of, 1)):.1f} | {of:,}"


ABOUT = """# Levels of tests

How often tests find something at 5 % where there is nothing, and, in rows with POWER, where there
is; ± is the Monte-Carlo error. "Before" is the analytic form for `zero_agreement` (of documents
their items one by one), estimate +- z SE for looks, and the p-value over items alone for groups of
annotators. `python -m levels`, from `benchmarks/`, writes it: 1,000 data sets a row, fewer where
that takes more than five minutes (or the `--seconds` that were given).
"""

if __name__ == "__main__":
    main()
