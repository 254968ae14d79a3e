"""What ends a command early: one message and nothing written, or a word about the options."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from iaa_jax.cli import choices, groups
from iaa_jax.cli.options import ColumnOptions, RatingOptions
from iaa_jax.data.duplicates import DUPLICATES
from iaa_jax.io.export.answers import SKIPPED_AS
from iaa_jax.io.reading_ratings import read
from iaa_jax.io.registry import READERS, TOOLS
from iaa_jax.measure.options.declared import options_of

WIDE = ("--item", "item", "--annotators", "ann,bob")

BAD_FILES = {
    "empty file": (b"", ()),
    "header alone": (b"item,ann,bob\n", WIDE),
    "ragged row": (b"item,ann,bob\n1,x,y\n2,x\n", WIDE),
    "NUL bytes": (b"item,ann,bob\n1,x,\0\n2,x,x\n", WIDE),
    "infinite number": (b"item,ann,bob\n1,1,inf\n2,2,2\n", WIDE),
    "unknown column": (b"item,ann,bob\n1,x,y\n", ("--item", "text")),
    "unknown annotator column": (b"item,ann,bob\n1,x,y\n", ("--annotators", "ann,carl")),
    "duplicate": (b"item,annotator,label\n1,ann,x\n1,ann,y\n1,bob,x\n", ()),
    "one annotator": (b"item,annotator,label\n1,ann,x\n2,ann,y\n", ()),
    "no pairable item": (b"item,annotator,label\n1,ann,x\n2,bob,y\n", ()),
    "unknown label": (b"item,ann,bob\n1,x,y\n2,x,x\n", (*WIDE, "--labels", "x,z")),
    "unknown kept label": (b"item,ann,bob\n1,x,y\n2,x,x\n", (*WIDE, "--keep-labels", "x,z")),
    "unknown kept annotator": (b"item,ann,bob\n1,x,y\n", (*WIDE, "--keep-annotators", "ann,carl")),
    "one annotator kept": (b"item,ann,bob\n1,x,y\n", (*WIDE, "--keep-annotators", "ann")),
    "nothing left to pair": (b"item,ann,bob\n1,x,y\n2,x,z\n", (*WIDE, "--keep-labels", "y,z")),
    "text on an ordinal level": (b"item,ann,bob\n1,x,y\n2,y,y\n", (*WIDE, "--level", "ordinal")),
    "two annotators needed": (
        b"item,ann,bob,cleo\n1,x,y,y\n2,x,x,y\n",
        ("--coefficients", "cohen_kappa"),
    ),
    "line break in a name": (b'item,ann,bob\n1,"x\ny",y\n2,x,x\n', (*WIDE, "--labels", "x,y")),
}


@pytest.mark.parametrize("what", BAD_FILES)
def test_bad_data_get_one_message_and_nothing_is_written(iaa, folder: Path, what: str) -> None:
    content, options = BAD_FILES[what]
    (folder / "bad.csv").write_bytes(content)
    done = iaa("agree", "bad.csv", *options, "--interval", "none", "--json", "out.json")
    assert done.exit_code == 1, done.output
    assert done.stdout == ""
    assert done.stderr.startswith("iaa: ")
    _, *ways = done.stderr.splitlines()
    assert all(way.startswith("  - ") for way in ways)
    assert len(ways) > 1 or not ways
    assert "Traceback" not in done.stderr
    assert sorted(path.name for path in folder.iterdir()) == ["bad.csv", "wide.csv"]


def test_targets_that_cannot_be_written(iaa, folder: Path) -> None:
    (folder / "taken").mkdir()
    for target, code in {"nowhere/out.json": 1, "taken": 1, "wide.csv": 2}.items():
        done = iaa("agree", "wide.csv", "--json", target)
        assert (done.exit_code, done.stdout) == (code, "")
        assert done.stderr.startswith("iaa: ")
        assert target.split("/")[0] in done.stderr
    assert (folder / "wide.csv").read_text().startswith("item,")


@pytest.mark.parametrize(
    ("options", "listed"),
    [
        (("--coefficients", "kappa"), "krippendorff_alpha"),
        (("--coefficients", "scott_pi,,pabak"), "empty part"),
        (("--level", "ordnal"), "did you mean"),
        (("--weights", "cubic"), "quadratic"),
        (("--weights-on", "ranks"), "rank"),
        (("--distance", "mas"), "masi"),
        (("--interval", "wald"), "percentile"),
        (("--undefined", "two"), "zero"),
        (("--duplicates", "all"), "first"),
        (("--skipped", "none"), "missing"),
        (("--format", "excel"), "wide"),
        (("--confidence", "1"), "between 0 and 1"),
        (("--replicates", "0"), "1"),
        (("--replicates", "39"), "give 40 or more"),
        (("--replicates", "199", "--confidence", "0.99"), "give 200 or more"),
        (("--seed", "-1"), "0"),
        (("--p", "0.3"), "p must lie between 0.5 and 1"),
        (("--p", "nan"), "nan is not a finite number"),
        (("--seed", "one"), "seed"),
        (("--seed", "1", "--seed", "2"), "it is given twice: name one value"),
        (("--labels", "x", "--labels", "y"), "all values at once, with commas: --labels A,B"),
        (("--nonsense",), "--nonsense"),
        (("--require", "kappa>=0.5"), "iaa coefficients"),
        (("--require", "scott_pi=0.5"), "figure>=number"),
        (("--require", "scott_pi.low>=0.5"), "ci_low"),
        (("--require", "scott_pi>=much"), "not a number"),
        (("--require", "scott_pi>=nan"), "not a number"),
        (("--require", "specific_agreement>=0.5"), "one estimate per label"),
        (("--require", "scott_pi>0", "--coefficients", "gwet_ac1"), "not among"),
    ],
)
def test_wrong_usage_ends_with_2_and_says_what_is_valid(
    iaa, folder: Path, options: tuple[str, ...], listed: str
) -> None:
    done = iaa("agree", "wide.csv", *options, "--json", "out.json")
    assert done.exit_code == 2
    assert done.stdout == ""
    text = " ".join(line.strip("│ ") for line in done.stderr.splitlines())
    assert listed in text
    assert not (folder / "out.json").exists()


def test_the_command_line_offers_what_the_functions_take() -> None:
    assert choices.DUPLICATES == DUPLICATES
    assert choices.SKIPPED_AS == SKIPPED_AS
    assert list(choices.FORMATS) == [*TOOLS, *READERS]
    keywords = inspect.signature(read).parameters
    declared = [*options_of(ColumnOptions), *options_of(RatingOptions)]
    both = {
        one.name: one.default
        for one in declared
        if one.name not in (*groups.AFTER_READING, *groups.SCANNING, "no_header")
    }
    assert both == {name: keywords[name].default for name in both}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--annotators", "ann,carl"), "no column 'carl' (named by --annotators)"),
        (("--weights", "linear"), "give --labels from lowest to highest"),
        (("--item", "ann", "--label", "ann", "--anonymous"), "--item and --label both name"),
        (("--question", "q"), "--question is for formats with several questions"),
    ],
)
def test_the_line_speaks_of_options(iaa, options: tuple[str, ...], words: str) -> None:
    done = iaa("agree", "wide.csv", *options, "--interval", "none")
    assert done.exit_code == 1
    assert words in done.stderr


def test_a_fault_of_ours_is_one_line_with_a_way_on(iaa, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        message = "a thing\nof two lines"
        raise ZeroDivisionError(message)

    monkeypatch.setattr(groups.InputOptions, "ratings", broken)
    done = iaa("agree", "wide.csv")
    assert done.exit_code == 1
    assert done.stderr == (
        "iaa: unexpected ZeroDivisionError: a thing of two lines (please report this; run again "
        "with --debug to see the traceback)\n"
    )
    shown = iaa("agree", "wide.csv", "--debug")
    assert isinstance(shown.exception, ZeroDivisionError)
