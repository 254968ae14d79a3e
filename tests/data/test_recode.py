"""Labels renamed, merged, and cut in two."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import iaa_jax as iaa
from iaa_jax._errors import IaaError

ROWS = [["a", "b", "c"], ["b", "b", None], ["c", "a", "c"], ["a", "a", "b"]] * 3


def replaced(rows, new):
    return [[new.get(label, label) for label in row] for row in rows]


@pytest.mark.parametrize(
    "new", [{"b": "a"}, {"a": "c"}, {"a": "z"}, {"a": "b", "b": "a"}, {"a": "x", "b": "x"}]
)
def test_recoded_ratings_are_those_of_a_recoded_table(new):
    done = iaa.data.recode(iaa.from_wide(ROWS), new)
    expected = iaa.from_wide(replaced(ROWS, new))
    codes = np.append(done["label"].values, None)[done["primary"].values]
    np.testing.assert_array_equal(
        codes, np.append(expected["label"].values, None)[expected["primary"].values]
    )
    got, want = (iaa.krippendorff_alpha(each, interval=None).estimate for each in (done, expected))
    assert float(got) == pytest.approx(float(want))
    by_slot = iaa.data.recode(iaa.data.in_slots(iaa.from_wide(ROWS)), new)
    again = iaa.krippendorff_alpha(by_slot, interval=None).estimate
    assert float(again) == pytest.approx(float(want))


def test_numbers_stay_numbers():
    ratings = iaa.from_wide([[1, 2], [3, 2], [1, 3]])
    assert iaa.data.recode(ratings, {3: 2})["label"].values.tolist() == [1, 2]
    assert iaa.data.recode(ratings, {"3": "7"})["label"].values.tolist() == [1, 2, 7]
    assert iaa.data.recode(ratings, {"3": "many"})["label"].values.tolist() == ["1", "2", "many"]


def test_a_secondary_label_that_becomes_the_primary_one_goes():
    ratings = iaa.from_long(
        {"item": [1, 1], "annotator": ["x", "y"], "label": ["a", "b"], "second": ["b", "c"]},
        secondary="second",
    )
    done = iaa.data.recode(ratings, {"b": "a"})
    assert done["secondary"].values.tolist() == [[-1, 1]]


def test_sets_and_shares():
    sets = iaa.from_sets([[["a", "b"], ["c"]], [["b"], ["a", "c"]]])
    assert iaa.data.recode(sets, {"b": "a"})["mass"].values.tolist() == [
        [[1, 0], [0, 1]],
        [[1, 0], [1, 1]],
    ]
    soft = iaa.data.recode(
        iaa.from_mass(np.array([[[0.5, 0.3, 0.2], [0.1, 0.9, 0.0]]] * 2), ["a", "b", "c"]),
        {"c": "a"},
    )
    np.testing.assert_allclose(soft["mass"][0], [[0.7, 0.3], [0.1, 0.9]])


def test_spans_that_become_equal_are_one():
    spans = iaa.from_spans({"d": {"x": [(0, 4, "PER"), (0, 4, "ORG")], "y": [(0, 4, "PER")]}})
    done = iaa.data.recode(spans, {"ORG": "PER"})
    assert done.sizes["span"] == 1
    # parts of a discontinuous span are no spans of their own; whole ones may be equal
    parts = [(0, 5), (8, 9)]
    units = [(*at, label, label) for label in ("PER", "per") for at in parts]
    other = [(0, 5, "per", "other"), (9, 10, "per", "other")]
    spans = iaa.from_spans({"d": {"x": [*units, *other, (0, 5, "per")], "y": [(0, 5, "PER")]}})
    done = iaa.data.recode(spans, {"per": "PER"})
    assert np.bincount(done["unit_of"].values).tolist() == [2, 2, 1, 1]


def test_a_bound_cuts_numbers_and_ordered_labels():
    numbers = iaa.data.at_least(iaa.from_values([[0.5, 2], [1, np.nan], [0, 0.2]]), 1)
    assert numbers["primary"].values.tolist() == [[0, 1], [1, -1], [0, 0]]
    assert numbers["label"].values.tolist() == ["below 1", "1 or more"]
    declared = iaa.from_wide([["low", "high"], ["mid", "mid"]], labels=["low", "mid", "high"])
    cut = iaa.data.at_least(declared, "mid")
    assert cut["primary"].values.tolist() == [[0, 1], [1, 1]]


def test_a_star_stands_for_the_labels_that_match():
    ratings = iaa.from_wide([["J18.1", "J20"], ["K[5]", "a*c"], ["abc", "J18.1"], ["K[5]", "a*c"]])
    new = {"J*": "J", "a*c": "x", "*": "other", "J20": "flu"}
    done = iaa.data.recode(ratings, new)
    want = {"J18.1": "J", "J20": "flu", "K[5]": "other", "a*c": "x", "abc": "other"}
    assert done.equals(iaa.data.recode(ratings, want))
    with pytest.raises(IaaError, match=r"there is no label '\[K\]\*'"):
        iaa.data.recode(ratings, {"[K]*": "never"})


def test_what_cannot_be_recoded_says_so():
    ratings = iaa.from_wide(ROWS)
    with pytest.raises(IaaError, match=r"there is no label 'bb'; did you mean 'b'\?"):
        iaa.data.recode(ratings, {"bb": "a"})
    with pytest.raises(IaaError, match="no label is named"):
        iaa.data.recode(ratings, {})
    with pytest.raises(IaaError, match="cut them in two with at_least"):
        iaa.data.recode(iaa.from_values([[1.0, 2.0]]), {1: 2})
    with pytest.raises(IaaError, match="declare their order"):
        iaa.data.at_least(ratings, "b")
    with pytest.raises(IaaError, match="all ratings are below 99"):
        iaa.data.at_least(iaa.from_values([[1.0, 2.0], [0.0, 1.0]]), 99)


def test_the_command_line_has_both(request, folder):
    command = request.getfixturevalue("iaa")
    pd.DataFrame(ROWS, columns=["x", "y", "z"]).to_csv("r.csv", index_label="item")
    done = command("agree", "r.csv", "--recode", "b=a", "--interval", "none")
    assert "labels recoded: b = a" in " ".join(done.stdout.split())
    assert command("agree", "r.csv", "--recode", "b").exit_code == 2
    pd.DataFrame([[0, 2], [1, 1], [3, 0]], columns=["x", "y"]).to_csv("n.csv", index_label="item")
    done = command("agree", "n.csv", "--at-least", "2", "--interval", "none")
    assert "below 2, 2 or more" in done.stdout


def test_labels_that_are_all_numbers_become_numbers():
    rows = [["9/10", "10/10", "2/10"], ["2/10", "2/10", "9/10"]]
    done = iaa.data.recode(iaa.from_wide(rows), {"9/10": "9", "10/10": "10", "2/10": "2"})
    assert done["label"].values.tolist() == [2, 9, 10]
    assert done["primary"].values.tolist() == [[1, 2, 0], [0, 0, 1]]
    expected = iaa.from_wide([[9, 10, 2], [2, 2, 9]])
    got, want = (
        iaa.krippendorff_alpha(r, level="ordinal", interval=None) for r in (done, expected)
    )
    assert float(got.estimate) == pytest.approx(float(want.estimate))
    some = iaa.data.recode(iaa.from_wide(rows), {"9/10": "9"})
    assert some["label"].values.tolist() == ["10/10", "2/10", "9"]
    texts = iaa.data.recode(iaa.from_wide([["1", "2"], ["2", "3"]]), {"3": "2"})
    assert texts["label"].values.tolist() == ["1", "2"]


def test_the_command_declares_labels_as_they_are_after_recoding(tmp_path):
    from typer.testing import CliRunner

    from iaa_jax.cli.app import app

    file = tmp_path / "t.csv"
    rows = [["lo/3", "2", "hi/3"], ["hi/3", "hi/3", "2"], ["lo/3", "lo/3", "2"]]
    file.write_text("item,a,b,c\n" + "".join(f"{k},{','.join(r)}\n" for k, r in enumerate(rows)))

    def run(*given):
        done = CliRunner().invoke(app, ["agree", str(file), "--interval", "none", *given])
        return done.exit_code, " ".join(f"{done.output} {done.exception}".split())

    recode = ("--recode", "lo/3=1,hi/3=3", "--level", "ordinal")
    want = iaa.krippendorff_alpha(
        iaa.from_wide([[1, 2, 3], [3, 3, 2], [1, 1, 2]]), level="ordinal", interval=None
    )
    status, said = run(*recode, "--labels", "1,2,3")
    assert not status
    assert f"{float(want.estimate):.3f}" in said
    assert "which --labels does not name" in run(*recode, "--labels", "1,2")[1]
    wrong = ("--recode", "lo/3=1,hi/3=3,x=3", "--labels", "1,2,3")
    assert "there is no label 'x'" in run(*wrong)[1]
    assert "cannot have 'lo*'" in run("--recode", "lo*=1", "--labels", "1,2,3")[1]
    assert not run(*recode, "--labels", "1,2,3", "--keep-annotators", "a,b")[0]


def test_the_command_recodes_in_a_process_of_its_own(tmp_path):
    import subprocess
    import sys

    file = tmp_path / "t.csv"
    file.write_text("item,a,b\n1,x,z\n2,y,y\n3,x,x\n")
    words = ["agree", str(file), "--item", "item", "--annotators", "a,b", "--recode", "z=x"]
    done = subprocess.run(
        [sys.executable, "-m", "iaa_jax", *words], capture_output=True, text=True, check=False
    )
    assert "alpha is 1.000" in done.stdout, done.stderr
