"""Faults that the tests catch: each is planted in a copy of the package, and its tests must fail.

``python -m tests.planted [NUMBER ...]`` (``.ci/run planted``) plants all of them, or those of the
numbers, one after the other. Who takes tests away runs it before and after: a fault that is caught
no more was held by these tests alone. A fault whose text is not there exactly once is an error, so
that the list follows the code.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
ONE_SEED = "test_one_seed_draws_the_same_whatever_order"
FAILED = 1  # how pytest ends where tests ran, and one failed


class Fault(NamedTuple):
    """A change to one place of a file, what it breaks, and the tests that fail on it."""

    file: str
    old: str
    new: str
    breaks: str
    held_by: Sequence[str]


FAULTS = (
    # kernels
    Fault(
        "kernels/counts.py",
        "others = counted.labels[:, None, :] - counted.weighted_mass",
        "others = counted.labels[:, None, :] - 0 * counted.weighted_mass",
        "A rating is compared with itself.",
        ["kernels/test_oracles.py"],
    ),
    Fault(
        "kernels/counts.py",
        "xp.astype(rated & (v > 0), xp.int32), axis=1) >= 2",
        "xp.astype(rated & (v > 0), xp.int32), axis=1) >= 1",
        "An item with one rating counts as one on which all agree.",
        ["kernels/test_oracles.py"],
    ),
    Fault(
        "kernels/counts.py",
        "weight = xp.where(rated, v, 0)",
        "weight = xp.where(rated, v, v)",
        "A missing rating counts as a rating without a label.",
        ["kernels/test_oracles.py"],
    ),
    Fault(
        "kernels/kernel.py",
        "several = xp.any(masses > _MOST_MASS)",
        "several = xp.all(masses > _MOST_MASS)",
        "A formula for one label per rating takes label sets without a word.",
        ["kernels/test_degenerate.py"],
    ),
    Fault(
        "kernels/alpha.py",
        "middle = xp.cumulative_sum(totals) - totals / 2",
        "middle = xp.cumulative_sum(totals)",
        "Ordinal alpha takes the highest rank of a label, not its middle one.",
        ["kernels/test_oracles.py"],
    ),
    Fault(
        "kernels/kappa.py",
        "defined = pairs.expected_disagreement != 0",
        "defined = pairs.expected_disagreement >= 0",
        "Two annotators who use one label alone enter the mean of kappas, as 1.",
        ["kernels/test_degenerate.py", "kernels/test_oracles.py"],
    ),
    Fault(
        "kernels/icc.py",
        "of_items = subtract(xp, items, xp.ones_like(items))",
        "of_items = subtract(xp, items, xp.zeros_like(items))",
        "Two-way intraclass correlations divide by n items, not by n - 1.",
        ["kernels/test_icc.py"],
    ),
    Fault(
        "kernels/conger.py",
        "present = xp.where(sums.rated != 0, annotator_weight, xp.zeros_like(annotator_weight))",
        "present = xp.where(sums.rated >= 0, annotator_weight, xp.zeros_like(annotator_weight))",
        "An annotator who rated nothing lowers the chance agreement of the others.",
        ["kernels/test_laws.py"],
    ),
    Fault(
        "kernels/label_agreement.py",
        "monotonicity = subset",
        "monotonicity = overlap",
        "MASI takes a subset for sets that overlap.",
        ["kernels/test_multi_label.py", "oracles/test_label_agreement.py"],
    ),
    Fault(
        "kernels/labelling/voting.py",
        "return xp.astype(tied & (before == 1), probability.dtype)",
        "return xp.astype(tied & (before == xp.max(before, axis=1, keepdims=True)), "
        "probability.dtype)",
        "Of tied labels the last one becomes the hard label of the model.",
        ["kernels/labelling/test_methods_by_loops.py"],
    ),
    Fault(
        "kernels/labelling/confusion.py",
        "return sum_of_rows(xp, item_weight, probability) / xp.sum(item_weight)",
        "return sum_of_rows(xp, xp.ones_like(item_weight), probability) / item_weight.shape[0]",
        "The prior of Dawid and Skene leaves the weights of items out.",
        ["kernels/labelling/test_laws.py", "kernels/labelling/test_methods_by_loops.py"],
    ),
    Fault(
        "kernels/intervals.py",
        "freedom = xp.where(enough, items - 1, xp.ones_like(items))",
        "freedom = xp.where(enough, items, xp.ones_like(items))",
        "The infinitesimal jackknife divides by n, not by n - 1.",
        ["engine/test_intervals.py"],
    ),
    Fault(
        "kernels/intervals.py",
        "share = (below + tied / 2) / count",
        "share = below / count",
        "Replicates that equal the estimate bias the interval of Efron to one side.",
        ["engine/test_intervals.py"],
    ),
    Fault(
        "kernels/intervals.py",
        "return Ends(2 * estimate - high, 2 * estimate - low)",
        "return Ends(2 * estimate - low, 2 * estimate - high)",
        "The ends of the basic interval are swapped.",
        ["engine/test_intervals.py"],
    ),
    Fault(
        "kernels/intervals.py",
        "return Ends(estimate - high * standard_error, estimate - low * standard_error)",
        "return Ends(estimate + low * standard_error, estimate + high * standard_error)",
        "The bootstrap-t interval takes the quantile of the other side.",
        ["engine/test_intervals.py"],
    ),
    Fault(
        "kernels/intervals.py",
        "last = xp.where(defined > 0, defined - 1, xp.zeros_like(defined))",
        "last = 0 * defined + ordered.shape[-1] - 1",
        "Undefined replicates count as the largest ones.",
        ["engine/test_intervals.py"],
    ),
    # engine
    Fault(
        "engine/drawing/streams.py",
        "yield stream(seed, purpose, *numbers, block), min(BLOCK, number - block * BLOCK)",
        "yield stream(seed, purpose, *numbers, 0), min(BLOCK, number - block * BLOCK)",
        "Every block of 64 draws repeats the first one.",
        ["engine/drawing/test_reference.py"],
    ),
    Fault(
        "engine/padding.py",
        "return np.pad(array, widths, constant_values=fill)",
        'return np.pad(array, widths, mode="edge")',
        "What fills an array up counts like its last item.",
        ["engine/test_batched.py", "engine/test_prepared.py"],
    ),
    Fault(
        "engine/padding.py",
        "chunk[order] = np.repeat(np.cumsum(chunks) - chunks, size) + position // width",
        "chunk[order] = np.repeat(np.cumsum(chunks) - chunks, size) + (position + 1) // width",
        "The last place of a full chunk goes to the next chunk, and may be lost there.",
        ["engine/on_device", "engine/test_fits.py"],
    ),
    Fault(
        "engine/studentized.py",
        "error = np.sqrt(many / (many - 1) * total) * self.sampling.spread",
        "error = np.sqrt(many / (many - 1) * total)",
        "Standard errors of replicates leave out that the population is finite.",
        ["engine/test_studentized.py"],
    ),
    # measure
    Fault(
        "measure/intervals/uncertainty.py",
        "if not (corrects and 0 < pairable_items < FEWEST_ITEMS):",
        "if not (corrects and pairable_items < 0):",
        "Alpha of a group whose item weights sum to less than two items is above 1.",
        ["measure/test_options.py"],
    ),
    Fault(
        "measure/intervals/family_wise.py",
        "return np.asarray((1 + reached.sum(axis=0)) / (1 + len(reached)))",
        "return np.asarray(reached.sum(axis=0) / len(reached))",
        "A p-value of finitely many exchanges can be 0.",
        ["analyses/compare/test_compare.py"],
    ),
    Fault(
        "catalog/nominal.py",
        "attainable_minimum=attainable_minimum.with_own_margins,",
        "attainable_minimum=None,",
        "Conger's kappa of two annotators has another interval than Cohen's, below -1.",
        ["measure/test_attainable_minimum.py"],
    ),
    Fault(
        "measure/results.py",
        "> WIDE * bounds.length",
        "> 9 * bounds.length",
        "An interval that says next to nothing stands without a doubt.",
        ["measure/test_doubts.py"],
    ),
    Fault(
        "measure/requests/spread.py",
        "return np.asarray(-np.expm1(np.log((1 - confidence) / 2) / units))",
        "return np.asarray(-np.expm1(np.log(1 - confidence) / units))",
        "The bound where all items agree is one-sided.",
        ["measure/test_no_interval.py", "measure/test_one_sided.py", "measure/test_intervals.py"],
    ),
    Fault(
        "measure/requests/level.py",
        "labels = resolver.tables.label_names.tolist()",
        "labels = sorted(resolver.tables.label_names.tolist())",
        "The question about an order names labels in the order of the alphabet.",
        ["measure/test_level.py"],
    ),
    # data
    Fault(
        "data/compression.py",
        "    weight = weight_of(ratings)\n    groups",
        "    weight = None\n    groups",
        "Compressing what is compressed forgets how many items each pattern stands for.",
        ["data/test_compress.py"],
    ),
    Fault(
        "data/slots.py",
        'order = np.argsort(annotators.view(np.uint32), axis=1, kind="stable")[:, :width]',
        'order = np.argsort(annotators, axis=1, kind="stable")[:, :width]',
        "Empty slots come first, and cut ratings off.",
        ["data/test_slots.py"],
    ),
    Fault(
        "data/slots.py",
        "np.take_along_axis(annotators, order, axis=1))",
        "annotators[:, : order.shape[1]])",
        "Ratings are put in order, and annotators stay behind.",
        ["data/test_slots.py"],
    ),
    Fault(
        "data/orders.py",
        "if set(before) & set(now):",
        "if set(before) != set(now) and set(before) & set(now):",
        "Labels that were moved without their codes are believed.",
        ["data/test_label_order.py", "data/test_labels.py", "data/test_schema.py"],
    ),
    # io
    Fault(
        "io/layout/rating_rows.py",
        "- np.clip(by_person, -1, SURE)",
        "+ np.clip(by_person, -1, SURE)",
        "Items and annotators are told apart by names alone.",
        ["io/test_evidence.py"],
    ),
    Fault(
        "io/layout/evidence.py",
        "repeated = total - len(distinct(one * len(second) + other))",
        "repeated = expected",
        "Any two columns may be item and annotator.",
        ["io/test_evidence.py", "io/test_advice_for_kinds.py"],
    ),
    Fault(
        "io/table/long.py",
        "unknown = options.anonymous and rows.annotators is None",
        "unknown = options.anonymous",
        "With --anonymous one person's set of labels counts as the ratings of several.",
        ["io/test_layouts.py"],
    ),
    Fault(
        "io/table/cells.py",
        "return Missing(frozenset((MISSING - declared) | codes), frozenset(numbers))",
        "return Missing(frozenset(MISSING | codes), frozenset(numbers))",
        "Ratings of a declared label NA are lost.",
        ["io/test_codes.py", "io/test_long.py", "io/test_no_wrong_guess.py"],
    ),
    Fault(
        "io/table/cells.py",
        "grid[:, start:end] = np.array(lookup, dtype=dtype).take(codes)",
        "grid[:, start:end] = codes",
        "Annotators whose labels first occur in another order have their labels mixed up.",
        ["../iaa_jax/io/table/cells.py", "io/test_good_files.py"],
    ),
    Fault(
        "io/table/cells.py",
        '(codes, [str(cell).replace(",", ".") for cell in distinct])',
        '(codes, [str(cell).replace(",", "") for cell in distinct])',
        "A rating of 3,5 is read as 35.",
        ["io/test_formats.py", "io/test_no_wrong_guess.py"],
    ),
    Fault(
        "io/table/content.py",
        'codecs.BOM_UTF32_LE: "utf-32"',
        'codecs.BOM_UTF32_LE: "utf-16"',
        "A file in UTF-32 is read as UTF-16.",
        ["io/test_marks.py", "io/test_formats.py"],
    ),
    Fault(
        "io/table/repeated.py",
        "lost = np.flatnonzero((rows.items[0] < 0) & (np.asarray(answers[0]) >= 0))",
        "lost = np.flatnonzero((rows.items[0] < -1) & (np.asarray(answers[0]) >= 0))",
        "Ratings without an item are counted to the first item.",
        ["io/test_repeated_rows.py"],
    ),
    Fault(
        "io/archives.py",
        'member.name.startswith("/") or ".." in parts or not parts',
        'member.name.startswith("/") or not parts',
        "A member of an archive whose name leads outside is read.",
        ["io/test_tar.py"],
    ),
    Fault(
        "io/export/times.py",
        "at if at.tzinfo else at.replace(tzinfo=UTC)",
        "at.replace(tzinfo=UTC)",
        "The zone of a time is dropped, so that ratings change places in time.",
        ["../iaa_jax/io/export/times.py"],
    ),
    Fault(
        "io/tools/nltk.py",
        "missing = label == _MISSING",
        'missing = label == ""',
        "Of triples, None becomes a label.",
        ["io/tools/test_nltk.py"],
    ),
    Fault(
        "io/tools/label_sleuth.py",
        '.casefold() == "weak"',
        '.casefold() == "Weak"',
        "Labels that rules gave count as a person's.",
        ["io/tools/test_label_sleuth.py"],
    ),
    Fault(
        "io/tools/doccano.py",
        '_label(part.get("label"), where) for part in given',
        '_label(part.get("label"), where) for part in given[:1]',
        "Of several labels of a user on an item one alone is read.",
        ["io/tools/test_doccano.py"],
    ),
    # scale
    Fault(
        "scale/files.py",
        '"skip": str(head.header_lines)',
        '"skip": str(head.header_lines + 1)',
        "A scan loses the first rating of a file.",
        ["scale/test_scan.py"],
    ),
    Fault(
        "scale/two_sets.py",
        "in_set = (tally.ratings >= start) & (tally.ratings < stop)",
        "in_set = (tally.ratings >= start) & (tally.ratings <= stop)",
        "A rating of the second set is taken for one of the first.",
        ["scale"],
    ),
    Fault(
        "engine/middles.py",
        "if distance[farthest] <= thresholds.FAR_APART * varied[farthest, 1]:",
        "if distance[farthest] > 0:",
        "Sets of numbers that lie far from each other are counted from one middle.",
        ["analyses/test_numbers.py::test_sets_far_from_each_other_keep_their_digits"],
    ),
    # analyses
    Fault(
        "analyses/drift/cuts.py",
        "return Differences(after - before, error,",
        "return Differences(before - after, error,",
        "A rise is called a fall.",
        ["analyses/drift/test_windows.py", "analyses/drift/test_conclusion.py"],
    ),
    Fault(
        "analyses/judge/testing.py",
        "(np.maximum(tested, 1) * harmonic)",
        "np.maximum(tested, 1)",
        "Tests that depend on each other are taken for independent ones: too many judges pass.",
        ["analyses/judge/test_judge.py"],
    ),
    Fault(
        "analyses/judge/testing.py",
        "passes, low, middle), np.where(passes, middle, high)",
        "passes, low, middle), np.where(passes, high, middle)",
        "The least epsilon of a judge is searched for on the wrong side.",
        ["analyses/judge/test_judge.py"],
    ),
    Fault(
        "analyses/missing/extremes.py",
        "least[rows, least.argmin(axis=1)] += filled < gaps",
        "least[rows, votes.argmin(axis=1)] += filled < gaps",
        "The least agreement that gaps allow is not the least.",
        ["analyses/missing/test_missing.py"],
    ),
    Fault(
        "analyses/panels/subsets.py",
        "ties[number] = np.sum(figures > figures[order[0]] - ROUNDING) - 1",
        "ties[number] = np.sum(figures > figures[order[0]]) - 1",
        "Panels that agree as well as the best are not counted.",
        ["analyses/panels/test_panels.py"],
    ),
    Fault(
        "analyses/gold/certainty.py",
        "shape = probability * voters[:, None] + 1 / votes.labels",
        "shape = probability * voters[:, None] + 1",
        "Labels that nobody gave are as probable as a vote each.",
        ["analyses/gold/test_certainty.py", "analyses/gold/test_votes.py"],
    ),
    Fault(
        "analyses/compare/by_interval.py",
        "np.hypot(self.b.estimate - low_b, high_a - self.a.estimate)",
        "np.hypot(self.b.estimate - low_b, self.a.estimate - low_a)",
        "The lower end of a difference takes the wrong side of the first set.",
        ["analyses/compare/test_zero_spread.py"],
    ),
    Fault(
        "analyses/plan/error_model.py",
        "return np.asarray(of_pilot * self.ratings / np.asarray(ratings))",
        "return np.asarray(of_pilot * np.asarray(ratings) / self.ratings)",
        "In a plan more annotators make a figure less certain.",
        ["analyses/plan/test_sampling.py"],
    ),
    Fault(
        "analyses/plan/model.py",
        "np.full(resolver.tables.codes.distinct + 1, -1)",
        "np.full(resolver.tables.codes.distinct, -1)",
        "A plan's model takes a missing rating for the last label.",
        ["analyses/plan/test_plan.py"],
    ),
    # pages
    Fault(
        "_cells.py",
        "[=+\\\\-@\\uff1d",
        "[=+\\\\-\\uff1d",
        "A spreadsheet runs a cell that begins with @.",
        ["pages/test_csv.py"],
    ),
    Fault(
        "pages/html/__init__.py",
        "autoescape=True",
        "autoescape=False",
        "A label runs as a script in the reader's browser.",
        ["pages/test_html.py"],
    ),
    Fault(
        "pages/latex.py",
        '"&%$#_{}"',
        '"&$#_{}"',
        "What follows a percent sign is lost in LaTeX.",
        ["pages/test_renderers.py"],
    ),
    Fault(
        "pages/records.py",
        "if isinstance(value, float) and not math.isfinite(value):\n        return None",
        "if isinstance(value, float) and not math.isfinite(value):\n        return 0.0",
        "What is undefined is 0 in JSON.",
        ["pages/test_records.py"],
    ),
    # the command
    Fault(
        "cli/requirements.py",
        "return _OPERATORS[self.operator](value, self.bound)",
        "return math.isnan(value) or _OPERATORS[self.operator](value, self.bound)",
        "What is undefined meets every requirement.",
        ["analyses/agree/test_requirements.py"],
    ),
    Fault(
        "cli/requirements.py",
        "raise typer.Exit(NOT_MET)",
        "raise typer.Exit(0)",
        "A requirement that is not met ends as though it were.",
        ["analyses/agree/test_requirements.py"],
    ),
    Fault(
        "cli/project.py",
        "(everywhere | of_command).items()",
        "(of_command | everywhere).items()",
        "What iaa.toml says of all commands counts instead of what it says of this one.",
        ["cli/test_project.py"],
    ),
    Fault(
        "_files.py",
        "target = Path(os.path.realpath(path))  # replaces",
        "target = Path(path)  # replaces",
        "A link is replaced by a file, and its target keeps the old text.",
        ["cli/test_targets.py", "cli/test_parts.py"],
    ),
    Fault(
        "cli/targets.py",
        "return cls(name, (status.st_dev, status.st_ino), stat.S_ISREG(status.st_mode))",
        "return cls(name, os.path.realpath(name), stat.S_ISREG(status.st_mode))",
        "Another name of a file is taken for another file: both outputs go to one.",
        ["cli/test_targets.py"],
    ),
    Fault(
        "cli/targets.py",
        "if file.is_regular:\n            check_decisions",
        "if not file.is_regular:\n            check_decisions",
        "What people decided on a sheet is written over.",
        ["cli/test_targets.py"],
    ),
    # words
    Fault(
        "wording/formats.py",
        "if not 0.005 <= value < 0.995:",
        "if not 0 < value < 1:",
        "A label that is nearly certain is called certain, 100 %.",
        ["../iaa_jax/wording/formats.py"],
    ),
    Fault(
        "wording/templates.py",
        "return singular if value == 1 else plural",
        "return plural if value == 1 else singular",
        "Verbs disagree with their counts.",
        ["wording"],
    ),
    Fault(
        "analyses/compare/words.py",
        '"{title}{weights} is higher for {higher:quoted} than for {lower:quoted}: {figures}."',
        '"{title}{weights} is higher for {lower:quoted} than for {higher:quoted}: {figures}."',
        "The verdict names the wrong set.",
        ["analyses/compare/test_command.py"],
    ),
    Fault(
        "measure/requests/prior.py",
        "np.where(level < 0.5, low, high)",
        "ordered",
        "A pseudo-item of a large panel outweighs what all items say.",
        ["measure/test_intervals_of_few_items.py"],
    ),
    Fault(
        "measure/intervals/pseudo_item.py",
        "random.standard_gamma(0.25, ",
        "random.standard_gamma(0.0, ",
        "No item is thought of that differs: intervals have no width where all agree.",
        ["analyses/test_interval_laws.py"],
    ),
    Fault(
        "measure/intervals/shares.py",
        "return Ends(np.minimum(low, share), np.maximum(high, share))",
        "return Ends(low, high)",
        "A share of 1 lies above its interval.",
        ["analyses/test_interval_laws.py"],
    ),
    Fault(
        "analyses/judged_scores/estimation.py",
        "corrected.item_variance < (1 - _ALIKE) * alone.item_variance",
        "corrected.item_variance < alone.item_variance",
        "Where judges gain nothing, rounding decides whether they are followed.",
        ["analyses/test_whatever_order.py::" + ONE_SEED + "[labels-judged_scores-]"],
    ),
)


def main(numbers: Sequence[str]) -> int:
    """Plant the faults of these numbers from 1, or all; the exit code is 1 if one was missed."""
    chosen = [*map(int, numbers)] or [*range(1, len(FAULTS) + 1)]
    if moved := [number for number in chosen if not _stands(FAULTS[number - 1])]:
        print(f"no more there, or several times: the old text of {moved}; bring them up to date")
        return 2
    missed = []
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder, "tree")
        ignored = shutil.ignore_patterns(".*")
        shutil.copytree(ROOT, tree, ignore=ignored)
        for number in chosen:
            fault = FAULTS[number - 1]
            start = time.monotonic()
            code, output = _tested(tree, fault)
            caught = code == FAILED
            missed += [] if caught else [number]
            by = re.search(r"^FAILED (\S+)", output, re.MULTILINE)
            said = f"caught by {by[1] if by else fault.held_by}"
            if not caught:
                said = f"NOT CAUGHT: pytest ended with {code}"
            took = f"{time.monotonic() - start:.0f} s"
            print(f"{number:3} {fault.file}: {fault.breaks}\n    {said}, {took}", flush=True)
    print(f"{len(chosen) - len(missed)} of {len(chosen)} caught; missed: {missed or 'none'}")
    return int(bool(missed))


def _stands(fault: Fault) -> bool:
    text = (ROOT / "iaa_jax" / fault.file).read_text(encoding="utf-8")
    return text.count(fault.old) == 1


def _tested(tree: Path, fault: Fault) -> tuple[int, str]:
    """How the tests of a fault end while it is there, and what they print."""
    original, planted = (root / "iaa_jax" / fault.file for root in (ROOT, tree))
    text = original.read_text(encoding="utf-8")
    planted.write_text(text.replace(fault.old, fault.new), encoding="utf-8")
    # programs that tests start import the copy too; compiled files are those of the original
    process = {**os.environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    tests = [f"tests/{path}" for path in fault.held_by]
    options = ["-x", "-q", "--tb=no", "-p", "no:cacheprovider"]
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *options, *tests],
            cwd=tree, env=process, capture_output=True, text=True, check=False,
        )  # fmt: skip
    finally:
        shutil.copy2(original, planted)
    return done.returncode, done.stdout


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
