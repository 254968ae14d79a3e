"""``iaa.toml``: options that hold for the data beside it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

TABLE = "id,who,answer,second\n" + "".join(
    f"{k},{who},{'xy'[(k + n) % 3 == 0]},{'xyz'[k % 3]}\n"
    for k in range(12)
    for n, who in enumerate(("ann", "bob", "cleo"))
)


@pytest.fixture
def data(folder: Path) -> Path:
    (folder / "project").mkdir()
    (folder / "project" / "r.csv").write_text(TABLE)
    return folder / "project"


def toml(data: Path, text: str) -> None:
    (data / "iaa.toml").write_text(text)


COLUMNS = 'item = "id"\nannotator = "who"\nlabel = "answer"\n'


def test_columns_hold_for_every_command(iaa, data) -> None:
    given = ("--item", "id", "--annotator", "who", "--label", "answer", "--interval", "none")
    plain = iaa("agree", "project/r.csv", *given)
    assert plain.exit_code == 0
    toml(data, COLUMNS)
    done = iaa("agree", "project/r.csv", "--interval", "none")
    figures, _, advice = done.stdout.partition("Next: ")
    assert figures == plain.stdout.partition("Next: ")[0]
    assert "--item" not in advice  # which the file gives to what is advised, too
    assert "from project/iaa.toml: --item=id --annotator=who --label=answer" in done.stderr
    assert iaa("gold", "project/r.csv", "--interval", "none").exit_code == 0
    assert iaa("items", "project").exit_code == 0


def test_the_command_line_and_its_own_table_count_more(iaa, data) -> None:
    toml(
        data,
        COLUMNS + 'seed = 5\n[agree]\nseed = 7\ncoefficients = ["fleiss_kappa", "gwet_ac1"]\n',
    )

    def record(*options: str) -> dict:
        return json.loads(iaa("agree", "project/r.csv", "--json", "-", *options).stdout)

    assert list(record()["coefficients"]) == ["fleiss_kappa", "gwet_ac1"]
    assert record()["provenance"]["seed"] == 7
    assert record("--seed", "9")["provenance"]["seed"] == 9
    other = json.loads(iaa("labels", "project/r.csv", "--json", "-").stdout)
    assert other["provenance"]["seed"] == 5


def test_lists_flags_and_repeated_options(iaa, data) -> None:
    toml(
        data,
        COLUMNS + 'keep-annotators = ["ann", "bob"]\n[agree]\nzero = true\ninterval = "none"\n'
        'require = ["percent_agreement>=0", "percent_agreement<0"]\n',
    )
    done = iaa("agree", "project/r.csv")
    assert done.exit_code == 3
    assert "required percent_agreement < 0" in done.stderr
    assert "2: ann, bob" in done.stdout


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("item = ", "is no TOML"),
        ('itm = "id"', "'itm' is no option; did you mean 'item'"),
        ("[agre]\nseed = 1", "'agre' is no command; did you mean 'agree'"),
        ("[agree]\nepsilon = 1", "'epsilon' is no option of agree"),
        ('seed = "many"', "--seed=many Usage: iaa agree"),
        ("item = true", "item must be a text, a number or a list, not true"),
        ("[agree]\nzero = 3", "zero must be true or false, not 3"),
    ],
)
def test_what_is_wrong_is_said(iaa, data, text: str, words: str) -> None:
    toml(data, text)
    done = iaa("agree", "project/r.csv")
    assert done.exit_code == 2
    assert words in " ".join(done.stderr.replace("│", " ").split())


def test_a_command_named_as_an_option_has_its_table_too(iaa, data) -> None:
    toml(data, COLUMNS + 'labels = ["x", "y", "z"]\n["iaa labels"]\nsort = "share"\n')
    done = iaa("labels", "project/r.csv", "--interval", "none")
    assert done.exit_code == 0, done.stderr
    assert "--labels=x,y,z --sort=share" in done.stderr


def test_options_of_other_commands_are_left_to_them(iaa, data) -> None:
    toml(
        data, COLUMNS + 'epsilon = "0.2"\n[judge]\njudges = "cleo"\nmin-items = 5\nreplicates = 0\n'
    )
    assert iaa("agree", "project/r.csv", "--interval", "none").exit_code == 0
    done = iaa("judge", "project/r.csv")
    assert "at epsilon 0.2" in done.stdout, done.output


PEOPLE = "who,team\nann,red\nbob,red\ncleo,blue\n"


@pytest.mark.parametrize("beside", ["people.csv", "more/people.csv", "../people.csv"])
def test_a_file_to_join_is_named_from_where_the_project_file_stands(iaa, data, beside) -> None:
    path = data / beside
    path.parent.mkdir(exist_ok=True)
    path.write_text(PEOPLE)
    for name in (beside, str(path.resolve())):
        toml(data, COLUMNS + f'join = "{name}"\n')
        record = json.loads(iaa("annotators", "project/r.csv", "--json", "-").stdout)
        assert "'team' from" in record["data"]["read_as"]
        done = iaa("convert", "project/r.csv", "--output", "long.csv")
        assert done.exit_code == 0, done.output
        lines = (data.parent / "long.csv").read_text().splitlines()
        assert lines[0] == "item,annotator,label,team"
        assert {line.split(",", 1)[1][-4:] for line in lines if ",ann," in line} == {",red"}
