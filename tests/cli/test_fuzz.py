"""Command lines made at random: they end with 0, 1, 2 (by --require 3, 4), never by surprise.

What measures is told to draw nothing, so that nothing is compiled that other tests do not need.
"""

from __future__ import annotations

import random
import shlex
from pathlib import Path

import pytest
import typer

from iaa_jax.cli.app import app
from tests.program import WIDE
from tests.taken import one_of

SEEDS = range(12)
LINES = 20
"""Command lines for each seed."""

FILES = {
    "wide.csv": WIDE,
    "long.csv": "item,annotator,label,second,batch\n1,a,x,y,b1\n1,b,x,,b1\n2,a,y,,b1\n2,b,x,y,b1\n"
    "3,a,y,x,b2\n3,b,y,,b2\n4,a,x,,b2\n4,b,y,x,b2\n",
    "ranks.csv": "item,a,b,c\n1,1,2,1\n2,3,3,3\n3,2,3,2\n4,1,1,1\n5,2,2,3\n",
    "counts.csv": "item,yes,no\n1,3,0\n2,2,1\n3,0,3\n4,1,2\n",
    "sets.csv": 'item,a,b\n1,"x;y",x\n2,y,"y;x"\n3,x,x\n4,"x;z",z\n',
    "records.json": '[{"item": 1, "annotator": "a", "label": "x"}, {"item": 1, "annotator": "b", '
    '"label": "x"}, {"item": 2, "annotator": "a", "label": "y"}, {"item": 2, "annotator": "b", '
    '"label": "x"}]',
    "spans.csv": "document,annotator,start,end,label\nd1,a,0,5,x\nd1,b,0,5,x\nd2,a,3,4,y\n"
    "d2,b,2,4,y\nd3,a,1,2,x\nd3,b,1,2,y\n",
    "tasks.jsonl": "".join(
        f'{{"_input_hash": {item}, "_view_id": "choice", "answer": "accept", "accept": ["{label}"],'
        f' "_annotator_id": "{who}"}}\n'
        for item, who, label in ((1, "a", "x"), (1, "b", "x"), (2, "a", "y"), (2, "b", "x"))
    ),
}

VALUES = (
    *("", ",", "a", "x,y", "x,y,z", "item", "ann,bob", "batch", "second", "order", "label", "*"),
    *(
        "-1",
        "0",
        "1",
        "2",
        "3,4",
        "0.5",
        "1e9",
        "nan",
        "-inf",
        "x",
        "none",
        "auto",
        "yes",
        "-",
        "=1",
    ),
    *("krippendorff_alpha", "fleiss_kappa,percent_agreement", "icc1", "am_agreement", "ordinal"),
    *("quadratic", "masi", "first", "missing", "wide", "long", "counts", "range", "\x1b[31m", "ü"),
    *(";", "utf-8", "scott_pi>0.1", "out.json", "out.csv", "out.md", "tables/", "wide.csv", "99"),
)

QUICK = {
    "agree": ("--interval", "none"),
    "report": ("--interval", "none", "--sections", "labels"),
    "items": ("--interval", "none"),
    "annotators": ("--interval", "none"),
    "findings": (),
    "labels": ("--interval", "none"),
    "label-sets": ("--interval", "none"),
    "sweep": ("--interval", "none", "--points", "2"),
    "compare": ("--interval", "none", "--permutations", "0"),
    "plan": ("--replicates", "0", "--simulations", "0"),
    "variance": (),
    "drift": ("--interval", "none", "--permutations", "0", "--by", "order", "--points", "3"),
    "watch": ("--order", "order"),
    "gold": ("--interval", "none"),
    "sharpen": ("--interval", "none"),
    "panels": ("--replicates", "0", "--draws", "0"),
    "missing": ("--points", "1", "--imputations", "2"),
    "judge": ("--judges", "ann", "--replicates", "0"),
    "spans": ("--interval", "none"),
    "convert": (),
    "formats": (),
    "prodigy binary": ("--interval", "none"),
    "prodigy doc": ("multilabel", "--interval", "none"),
    "prodigy span": ("--interval", "none"),
    "coefficients": (),
}
WITHOUT_FILES = ("coefficients", "formats")
SLOW = {
    *(
        "help",
        "help_all",
        "debug",
        "interval",
        "replicates",
        "permutations",
        "simulations",
        "points",
    ),
    *("keep_replicates", "zero", "above", "scale", "random_annotators", "bayesian", "plot", "seed"),
}
"""Options that draw, or that the lines above have."""

COMMANDS = {
    f"{name} {inner}" if inner else name: found
    for name, command in typer.main.get_command(app).commands.items()  # type: ignore[attr-defined]
    for inner, found in getattr(command, "commands", {"": command}).items()
}
ODD_OPTIONS = {
    name: [
        each for each in COMMANDS[name].params if each.opts[0][0] == "-" and each.name not in SLOW
    ]
    for name in QUICK
}


def line_of(chosen: random.Random) -> list[str]:
    """A command, mostly with a file, and some odd options before what keeps it quick."""
    name = chosen.choice(list(QUICK))
    files = [] if name in WITHOUT_FILES else chosen.choices(list(FILES), k=chosen.choice((1, 1, 2)))
    odd = []
    for option in chosen.choices(ODD_OPTIONS[name], k=chosen.choice((0, 1, 1, 2, 3))):
        odd.append(option.opts[0])
        if not option.is_flag:
            odd.append(chosen.choice(VALUES))
    return [*name.split(), *files, *odd, *QUICK[name]]


def test_every_command_is_tried() -> None:
    assert set(COMMANDS) == {*QUICK, "demo"}
    assert all(ODD_OPTIONS[name] for name in QUICK)


@pytest.mark.parametrize("seed", one_of(4, SEEDS))
def test_lines_made_at_random_end_as_they_should(iaa, folder: Path, seed: int) -> None:
    for name, text in FILES.items():
        (folder / name).write_text(text)
    chosen = random.Random(seed)
    for _ in range(LINES):
        line = line_of(chosen)
        done = iaa(*line)
        said = f"iaa {shlex.join(line)}\n{done.output}"
        assert done.exit_code in ((0, 1, 2, 3, 4) if "--require" in line else (0, 1, 2)), said
        assert done.exception is None or isinstance(done.exception, SystemExit), said
        assert "iaa: unexpected" not in done.stderr, said
        assert "Traceback" not in done.output, said
        assert "\x1b" not in done.output, said
        assert bool(done.exit_code) <= bool(done.stderr), said
        for name in set(line) & set(FILES) if line[0] not in WITHOUT_FILES else ():
            assert (folder / name).read_text() == FILES[name], said  # which it has read
