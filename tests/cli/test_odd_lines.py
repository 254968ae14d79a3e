"""The law of odd command lines: exit code 1 or 2, one sentence, no traceback and no apology.

Wrong usage, which is 2, is what no ratings could make right; all else is 1.
"""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tests.taken import one_of

WRONG_USAGE = """
agree
agree ''
agree wide.csv --item
agree wide.csv --item ''
agree wide.csv --item ,
agree wide.csv --format
agree wide.csv --format xlsx
agree wide.csv --format ''
agree wide.csv --encoding klingon
agree wide.csv --encoding ''
agree wide.csv --separator ''
agree wide.csv --file-pattern '{annotator}{annotator}'
agree wide.csv --duplicates 7
agree wide.csv --skipped x
agree wide.csv --coefficients ''
agree wide.csv --coefficients krippendorf
agree wide.csv --coefficient foo
agree wide.csv --weights none
agree wide.csv --p 2
agree wide.csv --p nan
agree wide.csv --p x
agree wide.csv --min-common 0
agree wide.csv --min-common 1e9
agree wide.csv --interval 95
agree wide.csv --confidence 95
agree wide.csv --confidence 0
agree wide.csv --confidence nan
agree wide.csv --confidence inf
agree wide.csv --replicates 0
agree wide.csv --replicates 1.5
agree wide.csv --replicates 2
agree wide.csv --seed 1e3
agree wide.csv --population 0
agree wide.csv --population nan
agree wide.csv --population inf
agree wide.csv --standard-error nope
agree wide.csv --standard-error ''
agree wide.csv --transform log
agree wide.csv --transform range --interval percentile
agree wide.csv --scale nobody
agree wide.csv --above 2
agree wide.csv --above nan
agree wide.csv --above -inf
agree wide.csv --above x
agree wide.csv --require x
agree wide.csv --require ''
agree wide.csv --require 'scott_pi>'
agree wide.csv --keep-replicates -
agree wide.csv --keep-replicates ''
agree wide.csv --json ''
agree wide.csv --json wide.csv
agree wide.csv --output x
agree wide.csv --output x.pdf.exe
agree wide.csv --output ''
agree wide.csv --output -.exe
agree wide.csv --output wide.csv
agree wide.csv --output ./
agree wide.csv --nonsense
agree wide.csv --jsn x
agree --json
agree - -
demo --save wide.csv
demo --save .
demo extra
demo --replicates 3
items wide.csv --top 0
items wide.csv --sort ''
items wide.csv --keep ''
items wide.csv --keep ,
items wide.csv --text ''
items wide.csv --by ''
items wide.csv --coefficient a,b
items wide.csv --random-annotators
annotators wide.csv --ties x
annotators wide.csv --min-items -1
label-sets wide.csv --coefficient x
label-sets wide.csv --distance x
label-sets wide.csv --top 0
sweep wide.csv --points 1
sweep wide.csv --plot x.gif
sweep wide.csv --normalize x
compare wide.csv
compare wide.csv wide.csv wide.csv
compare wide.csv wide.csv --by ann
compare wide.csv wide.csv --between x,y
compare wide.csv wide.csv --names x
compare wide.csv wide.csv --names x,x
compare wide.csv wide.csv --paired maybe
compare wide.csv wide.csv --margin -1
compare wide.csv wide.csv --margin nan
compare wide.csv wide.csv --permutations -1
compare - -
plan wide.csv --half-width 0
plan wide.csv --half-width -1
plan wide.csv --half-width nan
plan wide.csv --half-width inf
plan wide.csv --null 2
plan wide.csv --null nan
plan wide.csv --power 0.8
plan wide.csv --null 0.2 --power 1
plan wide.csv --population 0
plan wide.csv --looks 0
plan wide.csv --looks x
plan wide.csv --looks .5,.2
plan wide.csv --looks 2 --spending x
plan wide.csv --looks 2 --spending power --exponent 0
plan wide.csv --cost-item -1
plan wide.csv --cost-rating nan
plan wide.csv --items 0
plan wide.csv --items x
plan wide.csv --per-item 1
plan wide.csv --replicates -1
plan wide.csv --simulations -1
drift wide.csv --by order --bandwidth x
drift wide.csv --by order --bandwidth 0
drift wide.csv --by order --bandwidth nan
drift wide.csv --by order --points 1
drift wide.csv --by order --permutations -5
drift wide.csv --by order --plot x.txt
coefficients nope
coefficients ''
coefficients icc fleiss
nonsense
--nonsense
--json x
"""

UNUSABLE = """
agree nowhere.csv
agree wide.csv nowhere.csv
agree .
agree empty.csv
agree loop.csv
agree wide.csv wide.csv
agree wide.csv --annotators ann,ann
agree wide.csv --annotators ann
agree wide.csv --label ann
agree wide.csv --format long
agree wide.csv --format counts
agree wide.csv --encoding utf-16
agree wide.csv --labels x
agree wide.csv --labels x,x
agree wide.csv --missing x,y,z
agree wide.csv --counts 'ann*'
agree wide.csv --one-hot ann
agree wide.csv --multi-hot '*'
agree wide.csv --file-pattern 'x*.csv'
agree wide.csv --question q
agree wide.csv --secondary bob
agree wide.csv --keep-labels q
agree wide.csv --keep-annotators nobody
agree wide.csv --coefficients icc1
agree wide.csv --coefficients cohen_kappa
agree wide.csv --level interval
agree wide.csv --distance masi
agree wide.csv --undefined raise --coefficients scott_pi --keep-labels x
agree wide.csv --cluster item
agree wide.csv --cluster ann
agree wide.csv --population 3
agree wide.csv --require 'cohen_kappa>0.5'
agree wide.csv --keep-replicates nowhere/x.nc
agree wide.csv --json nowhere/x.json
agree wide.csv --output nowhere/x.md
agree wide.csv --interval none --coefficients specific_agreement --output x.png
demo --save nowhere/x.csv
items wide.csv --by ann
items wide.csv --by item
items wide.csv --sort x
items wide.csv --sort -
items wide.csv --text ann
annotators wide.csv --sort x
annotators wide.csv --by bob
labels wide.csv --sort x
labels wide.csv --keep item
labels wide.csv --coefficient icc1
sweep wide.csv
sweep wide.csv --secondary bob
compare wide.csv nowhere.csv
compare wide.csv --by ann
compare wide.csv --by item
compare wide.csv --label-b ann
compare wide.csv --keep-annotators-b ann
plan wide.csv --population 3
plan wide.csv --coefficient cohen_kappa
drift wide.csv
drift wide.csv --by nope
drift wide.csv --by ann
drift wide.csv --by order --order a,b
"""

LINES = [
    *((line, 2) for line in WRONG_USAGE.strip().splitlines()),
    *((line, 1) for line in UNUSABLE.strip().splitlines()),
]


@pytest.mark.parametrize(("line", "code"), one_of(2, LINES))
def test_an_odd_line_is_answered_in_a_sentence(iaa, folder: Path, line: str, code: int) -> None:
    (folder / "empty.csv").touch()
    (folder / "loop.csv").symlink_to("loop.csv")
    before = sorted(path.name for path in folder.iterdir())
    done = iaa(*shlex.split(line))
    assert isinstance(done.exception, SystemExit)
    assert done.exit_code == code, done.output
    assert "Traceback" not in done.output
    assert "iaa: unexpected" not in done.output
    assert sorted(path.name for path in folder.iterdir()) == before
    if done.stderr.startswith("iaa: "):
        _, *ways = done.stderr.splitlines()
        assert all(way.startswith(("  - ", "    iaa ")) for way in ways)
        assert len(done.stderr) < 600
        assert line.startswith("demo") or not done.stdout  # which says first what it shows
    else:  # the parser's own box, or the help
        assert code == 2
