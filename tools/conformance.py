"""Compare our values with published ones and with other programs: python tools/conformance.py.

The cases are in tests/reference/coefficients.json, which other packages can also run. A case has a
table, a coefficient with its options, the value with the tolerance of its source, the programs that
give this value, and the programs that give another. ``--write`` writes docs/conformance.md, and
``--csv FILE`` one line per value. The exit code is 1 if one of our values is not the expected one,
or the difference of a program is unexplained.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(Path(__file__).parent), str(Path(__file__).parent / "peers")]

import compare  # noqa: E402
import conformance_reasons as reasons  # noqa: E402
import xarray as xr  # noqa: E402

import iaa_jax as iaa  # noqa: E402
from iaa_jax.catalog import title_of  # noqa: E402
from tests.reference import REST, ReferenceCase, all_cases  # noqa: E402

PAGE = ROOT / "docs" / "conformance.md"

SAME = 5e-7
"""Tolerance for a program's value and its explanation."""

NAMES = {
    "weighted_kappa": "cohen_kappa",
    "light_kappa": "mean_pairwise_cohen_kappa",
    "siegel_castellan_kappa": "fleiss_kappa",
}
"""Names in the file that belong to another coefficient here."""

ERRORS = ("gwet_linearized", "gwet_two_rater", "fleiss_cohen_everitt_1969")
"""Names of standard errors in the file."""


class Value(NamedTuple):
    """A value of a case: ours and the expected one."""

    case: ReferenceCase
    field: str
    expected: float
    tolerance: float
    ours: float

    @property
    def holds(self) -> bool:
        """Whether both values agree to the precision that the source prints."""
        if math.isnan(self.expected):
            return math.isnan(self.ours)
        return abs(self.ours - self.expected) <= self.tolerance


def ratings_of(case: ReferenceCase) -> xr.Dataset:
    """Return the table of a case, collapsed to one label and the rest if the case says so."""
    labels, data = case.categories, case.data
    if case.layout == "label_sets":
        return iaa.from_sets(data)
    if case.layout == "items_by_category_counts":
        ratings = iaa.from_counts(data, labels=labels)
    elif case.layout == "contingency_two_annotators":
        ratings = iaa.from_contingency(data, labels=labels)
    else:
        ratings = iaa.from_wide([list(row) for row in data], labels=labels)
    kept = case.options.get("collapse_to_category")
    if kept is None:
        return ratings
    others = {label: REST for label in ratings.label.values.tolist() if label != kept}
    return iaa.data.recode(ratings, others)


def ours(case: ReferenceCase) -> dict[str, float]:
    """Return every part of a case that the package computes, by its name in the file."""
    options, name = case.options, NAMES.get(case.coefficient, case.coefficient)
    if "masi_weights" in options:
        return {}  # 2/3 and 1/3 rounded to two digits, a convention that we do not share
    ratings, keywords = ratings_of(case), _keywords(case)
    error = options.get("se_method")
    if error in ERRORS:
        keywords["interval"] = iaa.Interval("t", standard_error=error)
    else:
        keywords["interval"] = None
    result = getattr(iaa, name)(ratings, **keywords)
    if name == "specific_agreement":
        result = result.sel(label=options["category"])
    parts = {"estimate": float(result.estimate)}
    parts |= {"observed_disagreement": 1 - float(result.observed)}
    parts |= {"expected_disagreement": 1 - float(result.expected)}
    if name != "krippendorff_alpha":  # irrCAC has the terms of alpha in a form of Gwet's
        parts |= {"observed": float(result.observed), "expected_chance": float(result.expected)}
    if error in ERRORS:
        parts["se"] = float(result.standard_error)
    if error in ERRORS and options.get("ci_method") == "student_t":
        parts["ci_low"] = float(result.ci_low)
        parts["ci_high"] = min(float(result.ci_high), 1.0)
    return parts


def _keywords(case: ReferenceCase) -> dict[str, Any]:
    options = case.options
    keywords = {
        key: options[key] for key in ("level", "distance", "undefined_pairs") if key in options
    }
    weights = options.get("weights", "identity")
    if weights != "identity":
        keywords["weights"] = weights
    if "aggregation" in options:
        keywords["average"] = options["aggregation"]
    return keywords


def values() -> Iterator[Value]:
    """Yield every expected value that the package computes, in the order of the file."""
    for case in all_cases():
        parts = ours(case)
        for field, expected in case.expected.items():
            if field in parts:
                wanted = math.nan if expected is None else expected
                yield Value(case, field, wanted, case.tolerance(field), parts[field])


class Difference(NamedTuple):
    """A value of another program that differs, and the reason for this, if it is known."""

    case: ReferenceCase
    program: str
    field: str
    theirs: float
    ours: float
    reason: reasons.Reason | None


def differences() -> Iterator[Difference]:
    """Yield every program's value that differs from ours, with its explanation."""
    for case in all_cases():
        for program, parts in (case.peer_disagreements or {}).items():
            for field, value in parts.items():
                theirs = value if isinstance(value, float) else math.nan
                known = ours(case).get(field, case.recomputed.get(field, math.nan))
                reason = reasons.reason_of(
                    case, _program(program), field, theirs, ratings_of(case), SAME
                )
                yield Difference(case, _program(program), field, theirs, known, reason)


def _program(verified_by: str) -> str:
    """Return the name of a program, without its version or the parts it gives."""
    name = re.sub(r"\s*\(estimate.*", "", verified_by)
    kept = re.match(r"(.*?(?: \((?:R|Python)\))?)(?: [\d.]+| \([0-9a-f]+\))?$", name)
    assert kept is not None
    return kept[1]


def board(cases: Sequence[ReferenceCase]) -> tuple[list[str], dict[str, dict[str, list[int]]]]:
    """Count, per coefficient and program, the values that agree, and all values."""
    counts: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0]))
    programs: dict[str, int] = defaultdict(int)
    for case in cases:
        name = NAMES.get(case.coefficient, case.coefficient)
        agree = {_program(each) for each in case.verified_by if not each.startswith("numpy")}
        differ = {_program(each) for each in case.peer_disagreements or {}} - agree
        for program in agree | differ:
            programs[program] += 1
            cell = counts[name][program]
            cell[0] += program in agree
            cell[1] += 1
    return sorted(programs, key=lambda each: -programs[each]), counts


class Row(NamedTuple):
    """A row of the table of differences."""

    program: str
    words: str
    example: str
    ours: float
    theirs: float


def rows_of_differences(
    found: Iterable[Difference], compared: Sequence[compare.Comparison]
) -> Iterator[Row]:
    """Yield differences on the reference cases, then on the tables that programs were run on.

    An estimate of a reference case is left out if the program was run on its table.
    """
    run = {(each.theirs.program, each.theirs.table, each.theirs.coefficient) for each in compared}
    for each in found:
        name = NAMES.get(each.case.coefficient, each.case.coefficient)
        if each.field == "estimate" and (each.program, each.case.table, name) in run:
            continue
        example = f"{each.case.table}, {title_of(name)}"
        if each.field != "estimate":
            example += f", {each.field}"
        words = "not explained" if each.reason is None else each.reason.words
        yield Row(each.program, words, example, each.ours, each.theirs)
    for each in compared:
        if not each.same:
            words = "not explained" if each.reason is None else each.reason.words
            example = f"{each.theirs.table}, {title_of(each.theirs.coefficient)}"
            if each.theirs.weights:
                example += f", {each.theirs.weights}"
            theirs = compare.number(each.theirs.value)
            yield Row(each.theirs.program, words, example, each.ours, theirs)


def page(
    checked: Sequence[Value], found: Sequence[Difference], compared: Sequence[compare.Comparison]
) -> str:
    """Return the page of the documentation."""
    cases = all_cases()
    programs, counts = board(cases)
    held = sum(value.holds for value in checked)
    published = [value for value in checked if value.case.provenance == "published"]
    of_papers = f"{sum(value.holds for value in published)} of {len(published)}"
    lines = [
        "# Conformance",
        "",
        f"{held:,} of {len(checked):,} reference values are reproduced to the last digit that "
        f"their source prints: {len(cases)} cases on {len({case.table for case in cases})} tables, "
        f"{of_papers} values from papers, the others from the documentation, tests and runs of "
        "other programs. If a program gives a value that its source does not, it is no reference "
        "value but one of the differences below, with the reason: a formula that yields that "
        "value. The tables below count whatever a program returns, so fewer of its values can "
        "equal ours.",
        "",
        "    python tools/conformance.py --write    # this page; --csv FILE: a line for each value",
        "    python tools/peers/run.py              # run the programs again, each in its own "
        "environment",
        "    python tools/validation.py             # every check against a published figure",
        "",
        "The cases are in [coefficients.json](../tests/reference/coefficients.json), for other "
        "packages to run.",
        "",
        "## Reference cases",
        "",
        "For each program, the number of its values that equal ours, of all its values.",
        "",
        f"| coefficient | {' | '.join(programs)} |",
        f"| --- | {' | '.join('---:' for _ in programs)} |",
    ]
    for name in sorted(counts, key=title_of):
        cells = [
            "" if not counts[name][each][1] else "{} of {}".format(*counts[name][each])
            for each in programs
        ]
        lines.append(f"| {title_of(name)} | {' | '.join(cells)} |")
    lines += [*_runs(compared), *_verified(), "", "## Differences, and why", ""]
    lines += [
        "| program | why it differs | an example | ours | theirs | values |",
        "| --- | --- | --- | ---: | ---: | ---: |",
    ]
    groups: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows_of_differences(found, compared):
        groups[row[:2]].append(row)
    for (program, words), group in sorted(groups.items()):
        first = group[0]
        lines.append(
            f"| {program} | {words} | {first.example} | {_number(first.ours)} "
            f"| {_number(first.theirs)} | {len(group)} |"
        )
    lines += ["", "## Tables", ""]
    lines += ["| table | source | values | the same |", "| --- | --- | ---: | ---: |"]
    by_table: dict[str, list[Value]] = defaultdict(list)
    for value in checked:
        by_table[value.case.table].append(value)
    for table, group in by_table.items():
        what = group[0].case.table_description.replace("|", "/")
        lines.append(f"| {table} | {what} | {len(group)} | {sum(each.holds for each in group)} |")
    return "\n".join(lines) + "\n"


def _runs(compared: Sequence[compare.Comparison]) -> list[str]:
    """Return the section on programs that were run on every table."""
    tables = {each.theirs.table for each in compared}
    degenerate = sorted(each for each in tables if each.startswith("degenerate-"))
    lines = [
        "",
        "## Programs run on every table",
        "",
        "Every coefficient of each program, with and without weights but without distances of "
        f"sets, on {len(tables)} tables: the {len(tables) - len(degenerate)} reference tables that "
        "have single labels by known annotators, and "
        f"{len(degenerate)} [degenerate](../tests/reference/degenerate.json) ones (all "
        "ratings alike, a single item, a label that nobody gave, gaps of every kind). If neither "
        "has a value, that counts as the same.",
        "",
        "| program | version | values | ours too | on degenerate tables | ours too |",
        "| --- | --- | ---: | ---: | ---: | ---: |",
    ]
    for program in dict.fromkeys(each.theirs.program for each in compared):
        runs = [each for each in compared if each.theirs.program == program]
        hard = [each for each in runs if each.theirs.table in degenerate]
        lines.append(
            f"| {program} | {runs[0].theirs.version} | {len(runs)} "
            f"| {sum(each.same for each in runs)} | {len(hard)} "
            f"| {sum(each.same for each in hard)} |"
        )
    return lines


VERIFIED = re.compile(
    r"(crowd-kit|cleanlab|quallmer|nervaluate|GATE AnnotationDiffer|bratiaa|dkpro-statistics"
    r"|segeval|pygamma-agreement|seqeval)"
)
"""Programs that were run on the cases of spans and of gold labels."""


def _verified() -> list[str]:
    """Return the section on spans and gold labels: cases that a program was run on."""
    lines = [
        "",
        "## Spans, units and gold labels",
        "",
        "All cases hold ([spans.json](../tests/reference/spans.json), "
        "[aggregation.json](../tests/reference/aggregation.json)); "
        "each is verified by a program, or by two independent calculations.",
        "",
        "| measure | cases | programs that give the same value (cases) |",
        "| --- | ---: | --- |",
    ]
    measures: dict[str, list[list[str]]] = defaultdict(list)
    for file, key in (("spans.json", "measure"), ("aggregation.json", "method")):
        text = (ROOT / "tests" / "reference" / file).read_text(encoding="utf-8")
        for case in json.loads(text)["cases"]:
            measures[case[key]].append(case["verified_by"])
    for measure, several in sorted(measures.items()):
        programs: dict[str, int] = defaultdict(int)
        for verified in several:
            agree = [each for each in verified if not re.search("DISAGREES|differs|fewer", each)]
            for program in {match[1] for each in agree if (match := VERIFIED.search(each))}:
                programs[program] += 1
        words = ", ".join(f"{name} ({count})" for name, count in sorted(programs.items()))
        lines.append(f"| {measure.replace('_', ' ')} | {len(several)} | {words} |")
    return lines


def _number(value: float) -> str:
    return "none" if math.isnan(value) else f"{value:.4f}"


def write_csv(file: Path, checked: Iterable[Value]) -> None:
    """Write a line per value: the source, what it prints, ours, and whether they agree."""
    with file.open("w", newline="", encoding="utf-8") as out:
        rows = csv.writer(out)
        rows.writerow(
            ("case", "source", "provenance", "figure", "expected", "tolerance", "ours", "same")
        )
        for case, field, expected, tolerance, found in checked:
            holds = Value(case, field, expected, tolerance, found).holds
            rows.writerow(
                (case.id, case.source, case.provenance, field, expected, tolerance, found, holds)
            )


def main() -> int:
    """Check all values, and write the requested files."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="write docs/conformance.md")
    parser.add_argument("--csv", type=Path, help="a line for each value")
    chosen = parser.parse_args()
    checked, found = [*values()], [*differences()]
    compared = [*compare.comparisons()]
    if chosen.write:
        PAGE.write_text(page(checked, found, compared), encoding="utf-8")
    if chosen.csv is not None:
        write_csv(chosen.csv, checked)
    for value in checked:
        if not value.holds:
            print(f"{value.case.id}: {value.field} is {value.ours}, expected {value.expected}")
    for each in found:
        if each.reason is None:
            print(f"{each.case.id}: {each.program} gives {each.field} {each.theirs}, not explained")
    unexplained = [each.theirs for each in compared if not each.same and each.reason is None]
    for theirs in unexplained:
        print(f"{theirs}, not explained")
    wrong = sum(not value.holds for value in checked) + sum(each.reason is None for each in found)
    print(
        f"{len(checked):,} values, {len(found)} differences of programs; "
        f"{len(compared):,} values of programs run, {sum(not each.same for each in compared)} "
        f"differences; {wrong + len(unexplained)} not as they should be"
    )
    return int(wrong + len(unexplained) > 0)


if __name__ == "__main__":
    sys.exit(main())
