"""Commands that a page advises work as they stand: they read the files as the page was told to."""

from __future__ import annotations

import json
import re
import shlex
from html import unescape
from pathlib import Path

import pytest
from openpyxl import load_workbook

from iaa_jax import read
from tests.program import advised

FILE = 'it\'s "my $votes".csv'
COLUMNS = ("--item", "thing", "--annotator", "who", "--label", "my $answer's")
ROWS = [(f"t{k}", who, "yn"[(k * n) % 3 == 1]) for k in range(12) for n, who in enumerate("abc")]


@pytest.fixture
def data(folder: Path) -> Path:
    lines = [f"{item},{who},{label},{k}" for k, (item, who, label) in enumerate(ROWS)]
    lines += ["t11,c,y,99"]  # the last one again, with another label
    file = folder / FILE
    file.write_text("\n".join(["thing,who,my $answer's,number", *lines]) + "\n")
    return file


TRIED = {
    "agree": ["labels", "report"],
    "items": ["gold"],
    "annotators": [],
    "labels": ["findings", "items"],
    "gold": ["gold", "gold"],
    "findings": ["annotators"],
    "panels": [],
}
"""Commands, and those that their pages advise of these ratings."""


@pytest.mark.parametrize("command", TRIED)
def test_what_is_advised_can_be_pasted(iaa, data, command: str) -> None:
    given = (*COLUMNS, "--duplicates", "last", "--keep-annotators", "a,c")
    done = iaa(command, FILE, *given)
    assert done.exit_code == 0, done.output
    commands = advised(done.stdout)
    assert [words[0] for words in commands] == TRIED[command]
    for words in commands:
        assert words[1] == FILE
        for option, value in zip(given[::2], given[1::2], strict=True):
            assert words.count(option) == 1
            assert words[words.index(option) + 1] == value
        if "--adjudicated" in words:
            fill(data.parent / "sheet.xlsx")
        again = iaa(*words, "--json", "again.json")
        assert again.exit_code == 0, again.output
        record = json.loads((data.parent / "again.json").read_text())
        assert record["data"]["annotators"] == 2


def test_what_makes_a_label_of_none_is_complete(iaa, folder: Path) -> None:
    labels = ["None", "flu", "None", "cold"] * 6
    rows = [f"t{k},{who},{label}" for k, label in enumerate(labels) for who in "abc"]
    rows[1] = "t0,b,flu"
    (folder / "none.csv").write_text("\n".join(["item,annotator,label", *rows]) + "\n")
    done = iaa("agree", "none.csv", "--recode", "flu=Grippe")
    said = " ".join(done.stdout.split())
    given = ("--labels", "None,cold,Grippe", "--level", "nominal")
    assert f"give {given[0]} {given[1]} and {given[2]} {given[3]} unless the labels are" in said
    done = iaa("agree", "none.csv", "--recode", "flu=Grippe", *given)
    assert "Note " not in done.stdout
    assert "give --level" not in done.stdout
    done = iaa("gold", "none.csv")
    assert "level" not in done.stdout.partition("if it is a label")[2].partition(".")[0]


def test_labels_that_seem_joined_are_those_after_recoding(iaa, folder: Path) -> None:
    rows = [f"t{k},{who},{'xy'[k % 2]}" for k in range(20) for who in "abc"]
    rows[4] = "t1,b,x;y"
    (folder / "j.csv").write_text("\n".join(["item,annotator,label", *rows]) + "\n")
    said = " ".join(iaa("agree", "j.csv").stdout.split())
    assert "if it is one label, give --labels 'x,x;y,y' and --level nominal unless" in said
    for given in (("--recode", "x;y=x"), ("--labels", "x,x;y,y", "--level", "nominal")):
        assert "Note " not in iaa("agree", "j.csv", *given).stdout
    assert "while" not in iaa("findings", "j.csv", "--recode", "x;y=x").stdout


def test_names_with_commas_are_quoted_in_lists(iaa, folder: Path) -> None:
    rows = [f"t{k},{'xy'[k % 2]},{'xy'[k % 3 == 0]},x,{'xy'[k % 2]}" for k in range(20)]
    (folder / "c.csv").write_text("\n".join(['item,"Doe, Jane",bob,cem,gold', *rows]) + "\n")
    said = " ".join(iaa("agree", "c.csv", "--format", "wide").stdout.split())
    kept = re.search("--keep-annotators ('.*?')", said)
    assert kept is not None
    (names,) = shlex.split(kept[1])
    assert names == '"Doe, Jane",bob,cem'
    done = iaa("agree", "c.csv", "--format", "wide", "--keep-annotators", names)
    assert "3: Doe, Jane, bob, cem" in " ".join(done.stdout.split())
    assert read("c.csv", format="wide", labels='"x",y').sizes["label"] == 2


def test_dates_are_sent_to_drift_on_the_same_files(iaa, folder: Path) -> None:
    rows = [f"t{k},{who},{'yn'[k % 2]},{1 + k:02}.03.2026" for k in range(12) for who in "abA"]
    file = folder / "my votes.csv"
    file.write_text("\n".join(["thing,who,answer,on the day", *rows, "t1,a,y,01.04.2026"]) + "\n")
    given = ("--label", "answer", "--duplicates", "last", "--merge-ids", "case")
    done = iaa("agree", "my votes.csv", *given, "--by", "on the day")
    *_, line = done.stderr.splitlines()
    command = shlex.split(line)
    assert (done.exit_code, command[:3]) == (1, ["iaa", "drift", "my votes.csv"])
    assert command[-2:] == ["--by", "on the day"]
    assert {*given} < {*command}
    assert iaa(*command[1:], "--replicates", "99").exit_code == 0


def fill(sheet: Path) -> None:
    """Decide on the first item of a sheet."""
    book = load_workbook(sheet)
    rows = book["sheet"]
    names = [cell.value for cell in rows[1]]
    rows.cell(2, names.index("adjudicated") + 1).value = "y"
    book.save(sheet)


@pytest.mark.parametrize("ending", ["md", "html", "tex"])
def test_files_have_the_commands_of_the_terminal(iaa, data, ending: str) -> None:
    given = (*COLUMNS, "--duplicates", "last")
    done = iaa("agree", FILE, *given, "--interval", "none", "--output", f"page.{ending}")
    page = (data.parent / f"page.{ending}").read_text()
    lines = unescape(re.sub("</?code>", "\n", re.sub("</?span>", "", page))).splitlines()
    found = [line.strip() for line in lines if line.strip().startswith("iaa ")]
    told = [line.strip() for line in done.stdout.splitlines() if line.startswith("    iaa ")]
    assert found == ([] if ending == "tex" else told)
    assert told
    assert "Next:" in done.stdout
    assert ("Next:" in page) == (ending != "tex")


def test_options_that_are_many_can_be_kept_in_a_file(iaa, data) -> None:
    given = (*COLUMNS, "--duplicates", "last", "--missing", "a\\b", "--level", "nominal")
    done = iaa("agree", FILE, *given, "--json", "typed.json")
    told = done.stdout.splitlines()
    start = told.index(
        "- To keep these options, put in iaa.toml next to the data (docs/project.md):"
    )
    (data.parent / "iaa.toml").write_text("\n".join(told[start + 1 :]))
    kept = iaa("agree", FILE, "--json", "kept.json")
    assert kept.exit_code == 0, kept.output
    assert "To keep these options" not in kept.stdout
    typed, again = (
        json.loads((data.parent / name).read_text()) for name in ("typed.json", "kept.json")
    )
    assert typed == again
    for words in advised(kept.stdout):
        assert words[1:] == [FILE]
    (data.parent / "iaa.toml").unlink()
    assert "To keep" not in iaa("agree", FILE, *COLUMNS[:2]).stdout
    assert "To keep" not in (data.parent / "typed.json").read_text()


@pytest.mark.parametrize("ending", [".html", ".md", ".json"])
def test_no_name_of_an_annotator_is_told_where_they_are_anonymous(
    iaa, folder: Path, ending: str
) -> None:
    """Neither how the table was read nor a command may name those whose columns were named."""
    rows = [f"{k},{'yn'[k % 2]},{'yn'[k % 3 == 0]},{'yn'[k % 2]}" for k in range(20)]
    (folder / "t.csv").write_text("\n".join(["id,zelda,yorick,xaver", *rows]) + "\n")
    asked = ("--item", "id", "--annotators", "zelda,yorick,xaver", "--anonymous")
    done = iaa("report", "t.csv", *asked, "--no-texts", "--output", f"r{ending}")
    assert done.exit_code == 0, done.stderr
    text = Path(f"r{ending}").read_text() + done.stdout + done.stderr
    assert re.search("zelda|yorick|xaver", text) is None
    assert "anonymous" in text
    if ending == ".md":
        assert "iaa report t.csv --item id --annotators ..." in text
        assert "put them in place of ..." in " ".join(text.split())
        assert 'annotators = "..."  # their names' in text


def test_what_an_error_sends_to_can_be_pasted(iaa, data) -> None:
    done = iaa("spans", FILE, "--item", "thing", "--duplicates", "last")
    assert done.exit_code == 1
    assert "  - for labels, use 'iaa agree'" in done.stderr.splitlines()
    (words,) = advised(done.stderr)
    assert words == ["agree", FILE, "--item", "thing", "--duplicates", "last"]
    assert iaa(*words, *COLUMNS[2:]).exit_code == 0


def test_flags_and_numbers_are_repeated(iaa, data) -> None:
    lines = data.read_text().splitlines()[1:-1]
    data.write_text("\n".join(lines) + "\n")
    columns = ("--item", "1", "--annotator", "2", "--label", "3")
    done = iaa("agree", FILE, "--no-header", *columns)
    (words, *_) = advised(done.stdout)
    assert "--no-header" in words
    assert iaa(*words).exit_code == 0


def test_nothing_is_repeated_that_nobody_gave(iaa, data) -> None:
    data.write_text("item,annotator,label\n" + "".join(f"{','.join(row)}\n" for row in ROWS))
    done = iaa("agree", FILE, "--seed", "3")
    assert {tuple(words[1:]) for words in advised(done.stdout)} == {(FILE,)}


def test_an_option_of_both_commands_is_given_as_each_takes_it(iaa, folder: Path) -> None:
    rows = ["document,annotator,start,end,label"]
    rows += [f"d{k},{who},{n},{5 + k},{'xy'[n]}" for k in range(4) for n, who in enumerate("ab")]
    (folder / "s.csv").write_text("\n".join(rows) + "\n")
    done = iaa("spans", "s.csv", "--duplicates", "last,multiset", "--keep-annotators", "a,b")
    found = {words[0]: words for words in advised(done.stdout)}
    assert found["spans"][found["spans"].index("--duplicates") + 1] == "last,multiset"
    assert found["labels"][found["labels"].index("--duplicates") + 1] == "last"


def test_what_the_project_file_gives_to_all_is_left_to_it(iaa, data) -> None:
    lines = ['item = "thing"', 'annotator = "who"', 'label = "my $answer\'s"', "[agree]"]
    (data.parent / "iaa.toml").write_text("\n".join([*lines, 'duplicates = "first"', ""]))
    (words, *_) = advised(iaa("agree", FILE).stdout)
    assert words == ["findings", FILE, "--duplicates", "first"]
    assert iaa(*words).exit_code == 0


def scale_of(folder: Path, steps: tuple[str, ...]) -> None:
    """A table of three people who miss each other by a step now and then."""
    ends = len(steps) - 1
    rows = [
        [k % len(steps), min(k % len(steps) + k % 2, ends), k * k % len(steps)] for k in range(30)
    ]
    lines = [f"i{k},{','.join(steps[place] for place in row)}" for k, row in enumerate(rows)]
    (folder / "scale.csv").write_text("\n".join(["item,ann,bob,cat", *lines]) + "\n")


VERDICTS = re.compile("Next:|usual bars|least with the others|Merge|agree least")


@pytest.mark.parametrize("command", ["report", "labels"])
def test_numbers_that_may_be_a_scale_are_asked_about_and_judged_by_nobody(
    iaa, folder: Path, command: str
) -> None:
    scale_of(folder, ("1", "2", "3", "4"))
    fast = ("--interval", "none", "--output", "page.md")
    done = iaa(command, "scale.csv", *fast)
    assert done.stdout.startswith("Are the labels (numbers from 1 to 4) a scale or names?")
    assert not VERDICTS.search(done.stdout + (folder / "page.md").read_text())
    done = iaa(command, "scale.csv", *fast, "--level", "nominal")
    assert "a scale or names" not in done.stdout
    assert VERDICTS.search(done.stdout)


def test_a_gate_on_numbers_needs_their_level(iaa, folder: Path) -> None:
    scale_of(folder, ("1", "2", "3", "4"))
    gate = ("agree", "scale.csv", "--interval", "none", "--require")
    done = iaa(*gate, "krippendorff_alpha.estimate>=-1")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "--level nominal for names" in done.stderr
    assert iaa(*gate, "krippendorff_alpha.estimate>=-1", "--level", "ordinal").exit_code == 0
    done = iaa(*gate, "gwet_ac1>=-1", "--json", "-")  # which knows names alone
    record = json.loads(done.stdout)
    assert record["conclusion"] == "level_undecided"
    assert record["coefficients"]["krippendorff_alpha"]["level"] == "nominal"


def test_words_that_look_like_steps_stay_names_until_a_gate_needs_their_level(
    iaa, folder: Path
) -> None:
    words = ("never", "rarely", "often", "always")
    scale_of(folder, words)
    line, order = ("agree", "scale.csv", "--interval", "none"), ("--labels", ",".join(words))
    done = iaa(*line)
    lead, asked, *_ = done.stdout.splitlines()
    assert lead.startswith("Krippendorff's alpha (nominal) is")
    assert asked.startswith("The labels look like steps")
    advice = "--labels never,rarely,often,always with --level ordinal"
    assert advice in " ".join(done.stdout.split())
    gate = ("--require", "krippendorff_alpha.estimate>=-1")
    refused = iaa(*line, *gate)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert f"look like steps: give {advice} if they are in order, --level" in refused.stderr
    assert "were declared and may be in order: give" in iaa(*line, *gate, *order).stderr
    assert iaa(*line, *gate, *order, "--level", "ordinal").exit_code == 0
    assert iaa(*line, *gate, "--level", "nominal").exit_code == 0
    for judged in (("watch", "scale.csv", "--bar", "0.4"), ("plan", "scale.csv")):
        said = iaa(*judged).stdout
        assert said.startswith("The labels look like steps")
        assert "Until then nothing is concluded." in said


def test_a_refused_column_of_right_answers_is_for_judge(iaa, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [f"c{k},{'xyxz'[k % 4]},{'xyzz'[k % 4]},{'xyxz'[k % 4]}" for k in range(12)]
    head = "Comment ID,Anna,Bogdan,Gold"
    Path("gold.csv").write_text("\n".join([head, *rows]) + "\n")
    done = iaa("agree", "gold.csv")
    assert done.exit_code == 1
    assert "if 'Gold' holds the right answers, 'iaa judge --gold Gold' compares" in done.stderr
    command = done.stderr.splitlines()[-1].strip()
    assert command == "iaa judge gold.csv --gold Gold"
    assert iaa(*command.split()[1:]).exit_code == 0
    Path("other.csv").write_text("\n".join([head, *(row[:-1] + "0" for row in rows)]) + "\n")
    assert "judge" not in iaa("agree", "other.csv").stderr


def test_annotators_to_keep_tell_which_columns_hold_ratings(iaa, folder: Path) -> None:
    """A table that is unclear without them is read as with --item and --annotators."""
    rows = [
        f"{k // 3 + 1},{k + 1},{k % 4 + 1},{k % 2 + 1},{(k + k // 9) % 2 + 1}" for k in range(36)
    ]
    (folder / "w.csv").write_text("\n".join(["patient,letter,ward,Ann,Bob", *rows]) + "\n")
    measured = ("--interval", "none", "--level", "nominal")
    kept = iaa("agree", "w.csv", *measured, "--keep-annotators", "Bob,Ann")
    assert "items from 'letter'" in kept.stdout, kept.stderr
    asked = iaa("agree", "w.csv", *measured, "--item", "letter", "--annotators", "Bob,Ann")
    assert kept.stdout.split("\n\n")[:3] == asked.stdout.split("\n\n")[:3]
    for names in ("Ann,Zoe", "letter,Ann,Bob"):
        done = iaa("agree", "w.csv", *measured, "--keep-annotators", names)
        assert "cannot tell how the table is laid out" in done.stderr
