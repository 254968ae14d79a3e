"""Coverage and width of the automatic interval of labels on designs that want it to fail.

python -m coverage_study.hostile_study [--half first|kept|aimed|earlier] [--only WORDS]
    [--data-sets N] [--before CHECKOUT] [--public] [--write] [--page]

From the folder of the benchmarks. Data sets are measured by `coverage_study.twin`; with --public
some of them by the public functions: what these say is doubted, what the likelihood's interval is,
and how far the ends of both are apart (coverage_hostile_public.csv). --before takes a checkout of
the package, of which the rule of `measure/requests/prior.py` is the one that was the default before
(commit 0fc6436a). With --write the rows of each design go to coverage_hostile.csv as soon as it is
done, and what is there already of as many data sets is left out; --page writes coverage_hostile.md
of them and runs nothing.
"""

from __future__ import annotations

import argparse
import os
import time
import warnings
import zlib
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")

import numpy as np
import pandas as pd

import iaa_jax as iaa
from coverage_study import twin
from coverage_study.hostile import AIMED, EARLIER, HOSTILE, SEED, Codes, Hostile
from coverage_study.tables import put
from iaa_jax._errors import IaaError

TABLE = Path(__file__).parents[1] / "coverage_hostile.csv"
PUBLIC = TABLE.with_name("coverage_hostile_public.csv")
FUNCTIONS = {"alpha": "krippendorff_alpha", "ac1": "gwet_ac1", "percent": "percent_agreement"}
NEAR = 1e-9
BEFORE = 150
"""Data sets that the rule before is asked of where its pseudo-items are thousands."""


def figures(design: Hostile, *, by_ratings: bool) -> list[twin.Figure]:
    """What is asked; specific agreement by pairs, or by ratings."""
    made = [twin.figure(name, design.labels, design.distance) for name in design.figures]
    return [each._replace(by_ratings=by_ratings) for each in made]


def truths(design: Hostile, *, by_ratings: bool) -> list[float]:
    """The figures of many items, in parts."""
    draw = np.random.default_rng([SEED, zlib.crc32(design.name.encode())])
    asked = figures(design, by_ratings=by_ratings)
    total: list[Any] = [0.0] * len(asked)
    size = max(2000, 2_000_000 // design.labels // 10)
    annotators = 0
    for _ in range(max(1, design.many // size)):
        codes = design.draw(draw, size)
        annotators = codes.shape[1]
        for place, each in enumerate(asked):
            total[place] = total[place] + twin.sums(codes, each).sum(axis=0)
    return [
        float(twin.value(each[None], one, annotators)[0])
        for each, one in zip(total, asked, strict=True)
    ]


def public(design: Hostile, codes: Codes, **options: Any) -> dict[str, tuple[float, ...]]:
    """Estimate, ends and whether it is doubted, of each figure that the public functions give."""
    rows = np.where(codes < 0, np.nan, codes)
    found: dict[str, tuple[float, ...]] = {}
    if design.distance == "jaccard":
        return found
    ratings = iaa.from_wide(rows, labels=range(design.labels))
    for name in design.figures:
        of_label = name.startswith(("specific", "alpha_of"))
        try:
            own = _public(design, name, ratings, codes.shape[1], options)
        except IaaError:
            continue
        at = 0
        if of_label:
            shown = [str(label) for label in own.label.values]
            wanted = "0" if name.endswith("_first") else str(design.labels - 1)
            if wanted not in shown:
                continue
            at = shown.index(wanted)
        values = [float(np.ravel(own[key].values)[at]) for key in ("estimate", "ci_low", "ci_high")]
        doubted = "doubt" in own and str(np.ravel(own.doubt.values)[at]) != ""
        found[name] = (*values, float(doubted))
    return found


def _public(
    design: Hostile, name: str, ratings: Any, annotators: int, options: dict[str, Any]
) -> Any:
    if design.distance:
        if name == "alpha":
            return iaa.krippendorff_alpha(ratings, level="interval", **options)
        return iaa.gwet_ac2(ratings, weights="quadratic", **options)
    if name.startswith("specific"):
        return iaa.specific_agreement(ratings, **options)
    if name.startswith("alpha_of"):
        return iaa.per_label(ratings, "krippendorff_alpha", **options)
    if name == "kappa":
        kappa = iaa.cohen_kappa if annotators == 2 else iaa.conger_kappa
        return kappa(ratings, **options)
    return getattr(iaa, FUNCTIONS[name])(ratings, **options)


def one_set(
    design: Hostile, place: int, before: twin.Before | None = None
) -> tuple[Codes, list[twin.Ends]]:
    """A data set and the ends of its figures; the same however many there are."""
    seed = [SEED, zlib.crc32(design.title.encode()), place]
    codes = design.draw(np.random.default_rng(seed), design.items)
    asked = figures(design, by_ratings=twin.heavy(codes))
    few = design.labels < 10 or asked[0].of_label or place < BEFORE
    draw = np.random.default_rng([*seed, 1])
    return codes, twin.ends(codes, asked, draw, before=before if few else None)


def counted(design: Hostile, sets: int, before: twin.Before | None) -> list[dict[str, object]]:
    """A row for each figure."""
    whole = bool((one_set(design, 0)[0] >= 0).all())
    of_pairs = truths(design, by_ratings=False)
    of_ratings = of_pairs if whole else truths(design, by_ratings=True)
    truth = np.empty((sets, len(of_pairs)))
    ends = np.full((*truth.shape, 3, 2, len(twin.LEVELS)), np.nan)
    estimate = np.full(truth.shape, np.nan)
    for place in range(sets):
        codes, measured = one_set(design, place, before)
        truth[place] = of_ratings if twin.heavy(codes) else of_pairs  # as the data set is counted
        for k, found in enumerate(measured):
            estimate[place, k] = found.estimate
            ends[place, k] = np.stack([found.now, found.before, found.without])
    return [
        _row(design, name, truth[:, k], estimate[:, k], ends[:, k])
        for k, name in enumerate(design.figures)
    ]


def publicly(design: Hostile, sets: int) -> list[dict[str, object]]:
    """What the public functions say of the first data sets: a row for each figure."""
    said: dict[str, list[list[float]]] = {name: [] for name in design.figures}
    for place in range(sets):
        codes, ours = one_set(design, place)
        found = public(design, codes, replicates=500)
        likely = public(design, codes, interval="likelihood", replicates=100)
        for name, twins in zip(design.figures, ours, strict=True):
            if name in found and np.isfinite(found[name][1]):
                _, low, high, doubted = found[name]
                apart = np.abs(twins.now[:, 0] - [low, high]).mean()
                likelihood = np.subtract(*likely[name][2:0:-1]) if name in likely else np.nan
                said[name].append([high - low, apart, doubted, float(likelihood)])
    rows = []
    for name, each in said.items():
        row: dict[str, object] = {"design": design.title, "figure": name, "public": len(each)}
        if each:
            width, apart, doubted, likelihood = np.array(each).T
            row["apart"] = round(float(apart.sum() / max(width.sum(), NEAR)), 4)
            row["doubted"] = round(float(doubted.mean()), 3)
            both = np.isfinite(likelihood)
            if design.regime and likelihood[both].sum() > 0:
                row["over_likelihood"] = round(float(width[both].sum() / likelihood[both].sum()), 3)
        rows.append(row)
    return rows


def _row(
    design: Hostile, name: str, truths: np.ndarray, estimate: np.ndarray, ends: np.ndarray
) -> dict[str, object]:
    row: dict[str, object] = {
        "design": design.title, "half": design.half, "regime": design.regime, "figure": name,
        "data_sets": len(estimate), "truth": round(float(np.mean(truths)), 4),
    }  # fmt: skip
    known = np.isfinite(estimate)
    number = max(int(known.sum()), 1)
    row["no_figure"] = round(1 - number / len(estimate), 4)
    for rule, kind in enumerate(("now", "before", "without")):
        for at, level in enumerate(twin.LEVELS):
            low, high = ends[known, rule, 0, at], ends[known, rule, 1, at]
            given = np.isfinite(low)
            if not given.any():
                continue
            if kind == "before":  # of which some data sets are not asked
                low, high, given = low[given], high[given], given[given]
            number = len(low)
            truth = (
                truths[known][np.isfinite(ends[known, rule, 0, at])]
                if kind == "before"
                else truths[known]
            )
            below, above = truth < low - NEAR, truth > high + NEAR
            tag = kind if level == 0.95 else f"{kind}_{100 * level:g}"
            held = given & ~below & ~above
            row[tag] = round(float(held.sum() / number), 4)
            if level == 0.95:
                row[f"{tag}_below"] = round(float((below & given).sum() / number), 4)
                row[f"{tag}_above"] = round(float((above & given).sum() / number), 4)
                row[f"{tag}_width"] = round(float(np.nanmean(high - low)), 5)
                if kind == "before":
                    both = np.isfinite(ends[known, 1, 0, 0])
                    own = (ends[known, 0, 1, 0] - ends[known, 0, 0, 0])[both]
                    row["over_before"] = round(float(np.nanmean(own) / row[f"{tag}_width"]), 4)
                row[f"{tag}_sets"] = number
    return row


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--half", choices=("first", "kept", "aimed", "earlier"))
    parser.add_argument("--only", default="", help="designs with this in the title")
    parser.add_argument("--data-sets", type=int, help="1,000, or 20 by the public functions")
    parser.add_argument("--public", action="store_true", help="the public functions, not the twin")
    parser.add_argument("--before", help="a checkout of the package with the rule before")
    parser.add_argument("--write", action="store_true", help=f"write {TABLE.name}")
    parser.add_argument("--page", action="store_true", help="write the page of what is there")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    if asked.page:
        from coverage_study.hostile_page import PAGE, written

        PAGE.write_text(written(), encoding="utf-8")
        return
    before = twin.Before(asked.before) if asked.before else None
    sets = asked.data_sets or (20 if asked.public else 1000)
    table = PUBLIC if asked.public else TABLE
    done = set()
    if asked.write and table.exists() and not asked.public:
        frame = pd.read_csv(table)
        done = {*frame[frame.data_sets >= sets].design}
    for design in (*HOSTILE, *AIMED, *EARLIER):
        if asked.half not in (None, design.half) or asked.only not in design.title:
            continue
        if design.title in done:
            continue
        began = time.time()
        rows = publicly(design, sets) if asked.public else counted(design, sets, before)
        for row in rows:
            print(*(f"{key} {row[key]}" for key in row), sep=" | ", flush=True)
        print(f"{time.time() - began:.0f} s", flush=True)
        if asked.write:
            put(table, pd.DataFrame(rows), ["design"], ("design", "figure"))


if __name__ == "__main__":
    main()
