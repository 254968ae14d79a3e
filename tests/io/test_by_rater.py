"""Files of an annotator each, in which nothing says who rated."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import iaa_jax as iaa
from iaa_jax import IaaError, read
from iaa_jax.data.provenance import parts_of
from tests.fuzz.workbooks import workbook

Write = Callable[..., Path]

R1 = "study,edema,fracture\ns1,1,0\ns2,0,0\ns3,1,1\n"
R2 = "study,edema,fracture\ns2,0,0\ns1,1,1\ns3,0,1\n"


@pytest.fixture
def folder(write: Write, tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    write(R1, "in/r1.csv")
    write(R2, "in/r2.csv")
    return tmp_path / "in"


@pytest.mark.parametrize(("label", "expected"), [("edema", 2 / 3), ("fracture", 2 / 3)])
def test_a_finding(folder: Path, label: str, expected: float) -> None:
    ratings = read(folder, label=label)
    assert ratings["annotator"].values.tolist() == ["r1", "r2"]
    assert ratings["item"].values.tolist() == ["s1", "s2", "s3"]
    estimate = iaa.percent_agreement(ratings, interval=None).estimate.item()
    assert estimate == pytest.approx(expected)
    assert "read_annotators_from_files" in {note.code for note in parts_of(ratings, "read_as")}


def test_all_findings_as_a_set(folder: Path) -> None:
    ratings = read(folder, multi_hot="edema,fracture")
    assert ratings["mass"].values.tolist() == [
        [[1, 0], [1, 1]],
        [[0, 0], [0, 0]],
        [[1, 1], [0, 1]],
    ]


def test_columns_may_stand_in_another_order(write: Write, folder: Path) -> None:
    whole = read(folder, label="edema")
    write("fracture,edema,study\n0,0,s2\n1,1,s1\n1,0,s3\n", "in/r2.csv")
    turned = read(folder, label="edema", item="study")
    assert turned["item"].values.tolist() == ["s1", "s2", "s3"]
    assert turned["primary"].equals(whole["primary"])


def test_no_first_column_is_an_item_where_files_differ_in_it(write: Write, folder: Path) -> None:
    write("nr,edema\ns1,1\ns2,0\n", "in/r1.csv")
    write("edema,nr\n1,s1\n1,s2\n", "in/r2.csv")
    with pytest.raises(IaaError, match="annotator"):
        read(folder, label="edema")
    assert read(folder, label="edema", item="nr").sizes["item"] == 2


def test_robustness_an_item_that_is_no_column_is_refused(folder: Path) -> None:
    with pytest.raises(IaaError, match=r"r1\.csv"):
        read(folder, label="edema", item="1")


def test_folders_name_annotators(write: Write, tmp_path: Path) -> None:
    for who, text in (("ann", R1), ("ben", R2)):
        (tmp_path / "in" / who).mkdir(parents=True)
        write(text, f"in/{who}/t.csv")
    ratings = read(tmp_path / "in", label="edema")
    assert ratings["annotator"].values.tolist() == ["ann", "ben"]
    assert "read_annotators_from_folders" in {n.code for n in parts_of(ratings, "read_as")}


@pytest.fixture
def coders(write: Write, tmp_path: Path) -> Path:
    """A folder for each coder, with the same files, in which two columns name an item."""
    codes = {"ann": ("101", "001"), "bob": ("111", "001")}
    for who, answers in codes.items():
        (tmp_path / "in" / who).mkdir(parents=True)
        for number, rows in enumerate(answers, start=1):
            lines = [f"d{number},{seq},{code}" for seq, code in enumerate(rows, start=1)]
            write("\n".join(["doc,seq,code", *lines]) + "\n", f"in/{who}/q{number}.csv")
    return tmp_path / "in"


def test_a_pattern_of_ways_takes_folders_for_annotators(coders: Path, tmp_path: Path) -> None:
    archive = shutil.make_archive(str(tmp_path / "coders"), "zip", tmp_path, "in")
    folders, files = [coders / "ann", coders / "bob"], sorted(coders.rglob("*.csv"))
    ways = ((coders, ""), (folders, ""), (files, ""), (archive, "in/"))
    for paths, before in ways:
        for ratings in (read(paths), read(paths, file_pattern=f"{before}{{annotator}}/*.csv")):
            assert sorted(ratings["annotator"].values.tolist()) == ["ann", "bob"]
            assert ratings.sizes["item"] == 6
            alpha = iaa.krippendorff_alpha(ratings, interval=None).estimate.item()
            assert alpha == pytest.approx(1 - (2 / 12) / (5 * 7 * 2 / (12 * 11)))


def test_names_of_files_that_begin_with_their_folder_are_of_its_annotator(coders: Path) -> None:
    for path in coders.rglob("*.csv"):
        path.rename(path.with_name(f"{path.parent.name}_{path.name}"))
    ratings = read(coders)
    assert ratings.equals(read(coders, item="doc,seq", label="code"))
    assert ratings["annotator"].values.tolist() == ["ann", "bob"]
    alone = read(coders, item="doc,seq", label="code", file_pattern="*_q1.csv")
    assert alone["annotator"].values.tolist() == ["ann_q1", "bob_q1"]


def test_files_of_batches_in_folders_are_of_the_annotators_they_name(coders: Path) -> None:
    for number in (1, 2):
        (coders / f"batch{number}").mkdir()
        for who in ("ann", "bob"):
            (coders / who / f"q{number}.csv").rename(coders / f"batch{number}" / f"{who}.csv")
    assert read(coders)["annotator"].values.tolist() == ["ann", "bob"]


def test_a_pattern_of_ways_refuses_files_at_another_depth(coders: Path) -> None:
    with pytest.raises(IaaError, match=r"none follows the file pattern '\*/\*/\*\.csv'"):
        read(coders / "ann", file_pattern="*/*/*.csv")
    (coders / "codes.csv").write_text("code,meaning\n1,yes\n")
    ratings = read(coders, file_pattern="{annotator}/*.csv")
    (note,) = parts_of(ratings, "skipped")
    assert (note.code, note.values["names"]) == ("skipped_files", ["codes.csv"])


def test_without_labels_it_is_refused_with_the_columns(folder: Path) -> None:
    with pytest.raises(IaaError, match=r"r1\.csv .*label='edema'.*multi_hot='edema,fracture'"):
        read(folder)


def test_a_usual_label_is_enough(write: Write) -> None:
    files = [write(text.replace("edema", "label"), n) for n, text in (("a.csv", R1), ("b.csv", R2))]
    ratings = read(files)
    assert ratings["annotator"].values.tolist() == ["a", "b"]
    assert ratings["primary"].values.tolist() == [[1, 1], [0, 0], [1, 0]]


def test_batches_are_of_no_annotator(write: Write) -> None:
    other = "study,edema,fracture\ns4,0,0\ns5,1,1\ns3,0,1\n"
    files = [write(R1, "b1.csv"), write(other, "b2.csv")]
    with pytest.raises(IaaError, match="annotator"):
        read(files, label="edema")
    plots = "site,plot,score\nn,1,3\nn,2,4\ns,1,3\ns,2,5\n"
    for names in (("2019.csv", "2020.csv"), ("wave_1.csv", "wave_2.csv")):
        with pytest.raises(IaaError, match="item='site,plot' and label='score'"):
            read([write(plots, name) for name in names])


def test_items_that_repeat_in_a_file_are_of_several_annotators(write: Write) -> None:
    files = [write(R1 + "s1,0,0\n", "a.csv"), write(R2, "b.csv")]
    with pytest.raises(IaaError, match="annotator"):
        read(files, label="edema")


def test_a_pattern_still_tells(write: Write, folder: Path) -> None:
    named = {"item": "study", "label": "edema"}
    ratings = read(folder, file_pattern="r{annotator}.csv", **named)
    assert ratings["annotator"].values.tolist() == ["1", "2"]
    write("study,edema,fracture\ns3,1,1\ns4,0,0\ns5,0,1\n", "in/r2.csv")  # few items in common
    with pytest.raises(IaaError, match=r"one annotator, file_pattern='{annotator}\.csv'; "):
        read(folder, **named)
    assert read(folder, file_pattern="{annotator}.csv", **named).sizes["item"] == 5


def test_workbooks_of_raters(folder: Path) -> None:
    whole = read(folder, label="edema")
    for name, text in (("r1", R1), ("r2", R2)):
        rows = [line.split(",") for line in text.splitlines()]
        (folder / f"{name}.csv").unlink()
        (folder / f"{name}.xlsx").write_bytes(workbook({"findings": rows}))
    (folder / "~$r1.xlsx").write_bytes(b"\x05user")
    ratings = read(folder, label="edema")
    assert ratings["annotator"].values.tolist() == ["r1", "r2"]
    assert ratings["primary"].equals(whole["primary"])


def test_workbooks_beside_tables_are_left_aside(folder: Path) -> None:
    (folder / "codebook.xlsx").write_bytes(workbook({"labels": [["edema", "meaning"], ["1", "a"]]}))
    ratings = read(folder, label="edema")
    assert ratings["annotator"].values.tolist() == ["r1", "r2"]
    (note,) = parts_of(ratings, "skipped")
    assert (note.code, note.values["names"]) == ("skipped_files", ["codebook.xlsx"])


def test_a_workbook_that_lost_bytes_is_refused(folder: Path) -> None:
    rows = [line.split(",") for line in R1.splitlines()]
    whole = workbook({"findings": rows})
    for path in folder.iterdir():
        path.unlink()
    (folder / "r1.xlsx").write_bytes(whole)
    (folder / "r2.xlsx").write_bytes(whole[:700] + whole[705:])
    with pytest.raises(IaaError, match=r"r2\.xlsx"):
        read(folder)
