"""An option that changes nothing is refused, or the page names it: for every command and option."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from iaa_jax.cli.app import app
from iaa_jax.cli.options import ColumnOptions, RatingOptions
from iaa_jax.measure import IntervalOptions
from iaa_jax.measure.options.declared import options_of


def named(group: type) -> list[str]:
    """The options of a group as the command line has them."""
    return [option.name.replace("_", "-") for option in options_of(group)]


GIVEN = {
    "memory": "500MB", "scan": "",
    "above": ".5", "against": "later.csv", "bar": ".5", "bounds": "0,9",
    "adjudicated": "sheet.csv", "assurance": ".95", "annotators": "ann,bob",
    "at-least": "y", "annotators-b": "ann,cleo", "band": "0.2,0.8",
    "bayesian": "", "blank": "z", "blind": "",
    "between": "q,p", "brief": "", "by": "page", "cluster": "page", "compare": "all",
    "coefficient": "fleiss_kappa", "coefficients": "fleiss_kappa", "concentration": "none",
    "confidence": ".9", "link": "logodds", "max-iter": "1", "omega": ".9",
    "prior": "2", "prior-strength": "40", "tol": ".5",
    "control": "half", "cost-item": "2", "cost-rating": "2", "counts": "ann,bob",
    "distance": "masi",
    "draws": "20", "epsilon": ".3", "false-discovery-rate": ".001", "min-items": "21",
    "gold": "half", "judges": "bob", "score": "distance",
    "corrected": "", "people": "ann", "scored": "bob", "these-items": "",
    "exponent": "1.5", "file-pattern": "{annotator}.csv", "half-width": ".2", "high": ".1",
    "imputations": "3", "include": "drafts", "interval": "percentile",
    "items": "20,30", "keep": "half",
    "keep-annotators": "ann,bob", "keep-annotators-b": "ann,cleo", "keep-labels": "x,y",
    "exclude": "item=t0", "join": "people.csv",
    "labels": "z,y,x", "level": "ordinal", "looks": "2", "margin": ".2", "match": "partial",
    "merge-ids": "case", "merge-labels": "case", "method": "wawa", "min-common": "99",
    "missing": "z",
    "multi-hot": "ann,bob", "names": "P,Q", "normalize": "ceiling", "null": ".1",
    "one-hot": "ann,bob", "p": ".6", "paired": "no", "per-item": "2,3", "permutations": "0",
    "points": "4", "pool": "components",
    "population": "100", "power": ".9", "probability": "half", "question": "q",
    "questions": "label,second", "recode": "x=y", "records": "data", "repeats": "",
    "records-b": "data",
    "jury": "", "runs": "gpt*",
    "replicates": "60",
    "skipped": "drop",
    "require": "scott_pi>2", "restarts": "3", "scale": "fleiss", "secondary": "bob", "seed": "7",
    "sentence": "",
    "separator": ";", "simulations": "41", "sort": "-estimate", "spending": "pocock",
    "show": "2", "size": "2", "standard-error": "jackknife",
    "strength": "page",
    "suggest-merges": "", "target": ".9", "tau": "0", "text": "half",
    "ties": "skip",
    "tokens": "", "unordered": "", "top": "1", "transform": "range", "votes": "",
    "weights": "linear",
    "weights-on": "rank", "zero": "",
}  # fmt: skip
"""A value of each option that is none of its default."""

SATISFIED = {
    "all-rows", "annotator", "annotator-b", "anonymous", "bandwidth", "device", "duplicates",
    "empty", "encoding",
    "format", "header-line", "item", "item-b", "label", "label-b", "leave-out", "max-megabytes",
    "min-items", "no-header", "order", "per-label", "random-annotators", "sections", "texts",
    "title", "undefined", "undefined-pairs",
}  # fmt: skip
"""What these ask for may be so anyway: a column, or what to do about what may occur."""

OUTPUTS = {
    "help-all",
    "files",
    "help",
    "json",
    "output",
    "sheet",
    "plot",
    "debug",
    "keep-replicates",
    "record",
    "save",
}

BASE: dict[str, tuple[str, ...]] = {
    "compare": ("--by", "half", "--permutations", "19"),
    "drift": ("--by", "order", "--permutations", "19"),
    "missing": ("--missing", "z"),
    "plan": ("--simulations", "0", "--replicates", "0"),
    "judge": ("--judges", "cleo", "--min-items", "5", "--epsilon", "0.2"),
    "sweep": ("--secondary", "second"),
}

ITEMS = [*zip("xxxxyyyyzzzzxxyyzzxy", "xxyxyyyxzzxzxxyyzyxy", "xxxyyyzyzxzzxyyyxzxx", strict=True)]


@pytest.fixture
def ratings(folder: Path) -> str:
    """A long table in which nothing is missing, with second labels for whoever names them.

    And beside it one of spans.
    """
    lines = ["item,annotator,label,second,half,page"]
    lines += [
        f"t{k},{who},{label},{'xyz'['yzx'.index(label)] if k % 3 else ''},{'pq'[k % 2]},{k // 2}"
        for k, labels in enumerate(ITEMS)
        for who, label in zip(("ann", "bob", "cleo"), labels, strict=True)
    ]
    (folder / "ratings.csv").write_text("\n".join(lines) + "\n")
    spans = ["document,annotator,start,end,label"]
    spans += [
        f"d{k},{who},{10 + (k % 3 == 0 and who == 'bob')},14,{label}"
        for k, labels in enumerate(ITEMS)
        for who, label in zip(("ann", "bob", "cleo"), labels, strict=True)
    ]
    (folder / "spans.csv").write_text("\n".join(spans) + "\n")
    (folder / "people.csv").write_text("who,team\nann,red\nbob,red\ncleo,blue\n")
    return "ratings.csv"


COMMANDS = {
    name: [parameter.opts[0].removeprefix("--") for parameter in command.params]
    for name, command in get_command(app).commands.items()  # type: ignore[attr-defined]
    if name not in ("coefficients", "convert", "demo", "formats", "prodigy")
}
SHARED = {name for group in (ColumnOptions, RatingOptions) for name in named(group)}
DRAWING = {*named(IntervalOptions)}


def asked(command: str) -> list[str]:
    """The options of a command that it does not share with those that were asked before."""
    elsewhere = set() if command == "agree" else SHARED | (DRAWING if command != "items" else set())
    return [name for name in COMMANDS[command] if name in GIVEN and name not in elsewhere]


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_changes_something_or_is_refused(
    iaa: Callable[..., Any], ratings: str, command: str
) -> None:
    def outcome(*options: str) -> tuple[object, str] | None:
        base = [*BASE.get(command, ())]
        for option in set(options[:1]).intersection(base):
            del base[base.index(option) : base.index(option) + 2]
        without = ("plan", "items", "missing", "variance", "findings", "watch")
        few = () if command in without else ("--replicates", "50")
        few = () if "--replicates" in options else few
        file = "spans.csv" if command == "spans" else ratings
        done = iaa(command, file, *base, *few, *options, "--json", "figures.json")
        assert done.exit_code in (0, 1, 2, 3), done.output
        if done.exit_code:
            assert done.stderr
            return None
        record = json.loads(Path("figures.json").read_text())
        return {name: part for name, part in record.items() if name != "provenance"}, done.stdout

    plain = outcome()
    assert plain is not None
    silent = []
    for name in asked(command):
        options = (f"--{name}", GIVEN[name]) if GIVEN[name] else (f"--{name}",)
        if outcome(*options) == plain:
            silent.append(" ".join(options))
    assert not silent


def test_every_option_is_asked_or_may_be_satisfied() -> None:
    every = {name for names in COMMANDS.values() for name in names}
    assert every == set(GIVEN) | SATISFIED | (OUTPUTS & every)


@pytest.mark.parametrize(
    ("command", "options", "words"),
    [
        ("agree", ("--p", ".5"), "name their column with --secondary"),
        ("agree", ("--weights-on", "rank"), "give --weights to a coefficient that takes them"),
        ("agree", ("--file-pattern", "{annotator}.csv"), "give --file-pattern '*.csv'"),
        ("agree", ("--level", "nominal", "--coefficients", "gwet_ac1"), "nothing for gwet_ac1"),
        ("drift", ("--by", "order", "--min-common", "5"), "changes nothing for krippendorff_alpha"),
        ("judge", ("--gold", "g", "--coefficient", "scott_pi"), "nothing without --judges"),
        ("plan", ("--spending", "pocock"), "give --looks as well"),
        ("label-sets", ("--band", "0,1"), "read them with --separator or --multi-hot"),
        ("agree", ("--interval", "none", "--transform", "range"), "--interval none asks for none"),
    ],
)
def test_the_line_says_how_to_go_on(
    iaa: Callable[..., Any], command: str, options: tuple[str, ...], words: str
) -> None:
    done = iaa(command, "wide.csv", *options)
    assert (done.exit_code, done.stdout) == (2, "")
    assert words in " ".join(done.stderr.replace("│", " ").split())
