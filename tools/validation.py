"""Run every check against a published or independent figure: python tools/validation.py.

It prints a table of the sources and how many checks hold, to be filed with a study. ``--csv FILE``
writes one line per check. Real data sets are checked if ``IAA_JAX_DATA`` names their folder. The
exit code is 1 if a check fails.
"""

from __future__ import annotations

import argparse
import csv
import importlib.metadata
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(Path(__file__).parent)]

import conformance  # noqa: E402

AGAINST: Mapping[str, tuple[str, ...]] = {
    "slow loops written from the papers, on all reference tables": (
        "tests/oracles/test_oracles.py",
    ),
    "published figures of Hubert, Bangdiwala, van Oest, and tests of zero agreement": (
        "tests/kernels/test_further.py",
        "tests/analyses/agree/test_zero.py",
    ),
    "analytic errors and intervals of ICC as printed": (
        "tests/kernels/test_analytic.py",
        "tests/kernels/test_f_intervals.py",
    ),
    "spans, units and segments: verified cases": (
        "tests/data/marked/test_counts.py",
        "tests/data/marked/test_segments.py",
        "tests/data/marked/test_unitizing.py",
        "tests/data/marked/disorder/test_alignment.py",
        "tests/analyses/spans/test_gamma.py",
    ),
    "worked examples of Prodigy's documentation": (
        "tests/analyses/prodigy/test_worked_examples.py",
        "tests/analyses/prodigy/test_spans.py",
    ),
    "gold labels, Expert Coder Index and sharpening: verified cases": (
        "tests/kernels/labelling/test_reference.py",
        "tests/kernels/labelling/test_expert_coder.py",
        "tests/kernels/labelling/test_sharpening.py",
    ),
    "real sets with published or recomputed figures": (
        "tests/test_real_data.py",
        "tests/test_real_crowds.py",
        "tests/test_real_spans.py",
        "tests/test_gold_on_real_crowds.py",
    ),
    "studies of coverage, of tests and of plans as they are summed up": (
        "tests/test_coverage_study.py",
        "tests/test_levels.py",
        "tests/test_levels_of_plans.py",
    ),
}
"""The sources, and the tests that check against them."""


class Check(NamedTuple):
    """A check, and its outcome: "holds", "fails" or "left out"."""

    against: str
    name: str
    ended: str


def values() -> Iterator[Check]:
    """Check the reference values of coefficients, one by one."""
    for value in conformance.values():
        source = "values from papers" if value.case.provenance == "published" else "other programs"
        ended = "holds" if value.holds else "fails"
        yield Check(f"coefficients: {source}", f"{value.case.id} {value.field}", ended)


def tests() -> Iterator[Check]:
    """Run the tests against all sources together."""
    files = [file for several in AGAINST.values() for file in several]
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder) / "record.xml"
        command = [sys.executable, "-m", "pytest", "-q", "-n", "2", f"--junitxml={record}", *files]
        subprocess.run(command, cwd=ROOT, check=False, stdout=subprocess.DEVNULL)
        # a file that this process wrote
        cases = [*ElementTree.parse(record).getroot().iter("testcase")]
    for case in cases:
        module = case.get("classname", "").replace(".", "/") + ".py"
        against = next(name for name, several in AGAINST.items() if module in several)
        ends = {child.tag for child in case}
        ended = "fails" if ends & {"failure", "error"} else "left out" if ends else "holds"
        yield Check(against, f"{module}::{case.get('name')}", ended)


def main() -> int:
    """Run all checks, and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--csv", type=Path, help="write one line per check")
    chosen = parser.parse_args()
    checks = [*values(), *tests()]
    if chosen.csv is not None:
        with chosen.csv.open("w", newline="", encoding="utf-8") as out:
            csv.writer(out).writerows([Check._fields, *checks])
    versions = [
        f"{name} {importlib.metadata.version(name)}" for name in ("iaa_jax", "numpy", "jax")
    ]
    print(f"{', '.join(versions)}, Python {platform.python_version()}, {platform.platform()}")
    if "IAA_JAX_DATA" not in os.environ:
        print("IAA_JAX_DATA is not set: real sets are left out")
    print(
        "\n| held against | checks | hold | fail | left out |\n| --- | ---: | ---: | ---: | ---: |"
    )
    for against in dict.fromkeys(check.against for check in checks):
        ended = [check.ended for check in checks if check.against == against]
        counts = [ended.count(each) for each in ("holds", "fails", "left out")]
        print(f"| {against} | {len(ended)} | {' | '.join(map(str, counts))} |")
    failed = [check for check in checks if check.ended == "fails"]
    for check in failed:
        print(f"fails: {check.name}")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
