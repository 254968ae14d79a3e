"""Hold our values against published ones and those of other programs: python tools/conformance.py.

The cases stand in tests/reference/coefficients.json, which other packages can run as well: a table,
a coefficient with its options, the value with the tolerance that its source prints, the programs
that give it, and those that give another one. ``--write`` writes docs/conformance.md, and ``--csv
FILE`` a line for each value, to be filed. The exit code is 1 where a value of ours is not the
expected one, or a difference of a program is not explained.
"""

from __future__ import annotations

import argparse
import csv
import math
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(Path(__file__).parent)]

import conformance_reasons as reasons  # noqa: E402
import xarray as xr  # noqa: E402

import iaa_jax as iaa  # noqa: E402
from iaa_jax.catalog import title_of  # noqa: E402
from tests.reference import REST, ReferenceCase, all_cases  # noqa: E402

PAGE = ROOT / "docs" / "conformance.md"

SAME = 5e-7
"""How near a value of a program has to be to what explains it."""

NAMES = {
    "weighted_kappa": "cohen_kappa",
    "light_kappa": "mean_pairwise_cohen_kappa",
    "siegel_castellan_kappa": "fleiss_kappa",
}
"""Names in the file that are another coefficient here."""

ERRORS = ("gwet_linearized", "gwet_two_rater", "fleiss_cohen_everitt_1969")
"""Standard errors that can be asked for by the name that they have in the file."""


class Value(NamedTuple):
    """A value of a case, ours beside the expected one."""

    case: ReferenceCase
    field: str
    expected: float
    tolerance: float
    ours: float

    @property
    def holds(self) -> bool:
        """Whether they are the same, as far as the source prints it."""
        if math.isnan(self.expected):
            return math.isnan(self.ours)
        return abs(self.ours - self.expected) <= self.tolerance


def ratings_of(case: ReferenceCase) -> xr.Dataset:
    """The table of a case, collapsed to one label and the rest where the case says so."""
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
    """Every part of a case that the package gives, by its name in the file."""
    options, name = case.options, NAMES.get(case.coefficient, case.coefficient)
    if "masi_weights" in options:
        return {}  # 2/3 and 1/3 rounded to two digits: a convention that is not ours
    ratings, keywords = ratings_of(case), _keywords(case)
    error = options.get("se_method")
    if error in ERRORS:
        keywords["interval"] = iaa.Interval("t", standard_error=error)
    else:
        keywords["interval"] = None
    result = getattr(iaa, name)(ratings, **keywords)
    if name == "specific_agreement":
        result = result.sel(label=options["category"])
    found = {"estimate": float(result.estimate)}
    found |= {"observed_disagreement": 1 - float(result.observed)}
    found |= {"expected_disagreement": 1 - float(result.expected)}
    if name != "krippendorff_alpha":  # whose terms irrCAC has in a form of Gwet's
        found |= {"observed": float(result.observed), "expected_chance": float(result.expected)}
    if error in ERRORS:
        found["se"] = float(result.standard_error)
    if error in ERRORS and options.get("ci_method") == "student_t":
        found["ci_low"] = float(result.ci_low)
        found["ci_high"] = min(float(result.ci_high), 1.0)
    return found


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
    """Every expected value that the package gives, in the order of the file."""
    for case in all_cases():
        found = ours(case)
        for field, expected in case.expected.items():
            if field in found:
                wanted = math.nan if expected is None else expected
                yield Value(case, field, wanted, case.tolerance(field), found[field])


class Difference(NamedTuple):
    """A value of another program, and the reason that explains it, if one does."""

    case: ReferenceCase
    program: str
    field: str
    theirs: float
    ours: float
    reason: reasons.Reason | None


def differences() -> Iterator[Difference]:
    """Every value of a program that is not ours, with what explains it."""
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
    """The name of a program, without its version and without which parts it gives."""
    name = re.sub(r"\s*\(estimate.*", "", verified_by)
    kept = re.match(r"(.*?(?: \((?:R|Python)\))?)(?: [\d.]+| \([0-9a-f]+\))?$", name)
    assert kept is not None
    return kept[1]


def board(cases: Sequence[ReferenceCase]) -> tuple[list[str], dict[str, dict[str, list[int]]]]:
    """Of each coefficient and program: values that are the same, and values that it has."""
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


def page(checked: Sequence[Value], found: Sequence[Difference]) -> str:
    """The page of the documentation."""
    cases = all_cases()
    programs, counts = board(cases)
    held = sum(value.holds for value in checked)
    published = [value for value in checked if value.case.provenance == "published"]
    lines = [
        "# Conformance",
        "",
        "Written by `python tools/conformance.py --write`. "
        f"{held:,} of {len(checked):,} reference values are ours, to the last digit that their "
        "source "
        f"prints: {len(cases)} cases on {len({case.table for case in cases})} tables, "
        f"{sum(value.holds for value in published)} of {len(published)} values from papers, the "
        "others "
        "from the documentation, tests and runs of other programs. Where a program gives another "
        "value, it is said why, and the reason gives that value. `--csv FILE` writes a line for "
        "each "
        "value, and `python tools/validation.py` runs every other check against a published or "
        "independent figure. "
        "The cases stand in [coefficients.json](../tests/reference/coefficients.json), for "
        "other packages to run.",
        "",
        "## Programs",
        "",
        "Values of each coefficient that are the same as ours, of those that the program has.",
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
    lines += ["", "## Differences, and why", ""]
    lines += [
        "| program | why it differs | an example | ours | theirs | values |",
        "| --- | --- | --- | ---: | ---: | ---: |",
    ]
    groups: dict[tuple[str, str], list[Difference]] = defaultdict(list)
    for each in found:
        groups[each.program, "not explained" if each.reason is None else each.reason.words].append(
            each
        )
    for (program, words), several in sorted(groups.items()):
        first = several[0]
        name = NAMES.get(first.case.coefficient, first.case.coefficient)
        example = f"{first.case.table}, {title_of(name)}"
        if first.field != "estimate":
            example += f", {first.field}"
        lines.append(
            f"| {program} | {words} | {example} | {_number(first.ours)} "
            f"| {_number(first.theirs)} | {len(several)} |"
        )
    lines += ["", "## Tables", ""]
    lines += ["| table | source | values | the same |", "| --- | --- | ---: | ---: |"]
    by_table: dict[str, list[Value]] = defaultdict(list)
    for value in checked:
        by_table[value.case.table].append(value)
    for table, several in by_table.items():
        what = several[0].case.table_description.replace("|", "/")
        lines.append(
            f"| {table} | {what} | {len(several)} | {sum(each.holds for each in several)} |"
        )
    return "\n".join(lines) + "\n"


def _number(value: float) -> str:
    return "none" if math.isnan(value) else f"{value:.4f}"


def write_csv(file: Path, checked: Iterable[Value]) -> None:
    """A line for each value: the source, what it prints, ours, and whether they are the same."""
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
    """Check all values; write what is asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="write docs/conformance.md")
    parser.add_argument("--csv", type=Path, help="a line for each value")
    chosen = parser.parse_args()
    checked, found = [*values()], [*differences()]
    if chosen.write:
        PAGE.write_text(page(checked, found), encoding="utf-8")
    if chosen.csv is not None:
        write_csv(chosen.csv, checked)
    for value in checked:
        if not value.holds:
            print(f"{value.case.id}: {value.field} is {value.ours}, expected {value.expected}")
    for each in found:
        if each.reason is None:
            print(f"{each.case.id}: {each.program} gives {each.field} {each.theirs}, not explained")
    wrong = sum(not value.holds for value in checked) + sum(each.reason is None for each in found)
    print(
        f"{len(checked):,} values, {len(found)} differences of programs, {wrong} not as they "
        "should be"
    )
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
