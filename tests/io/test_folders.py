"""Folders, archives and lists of files: what is read of them, and what is left aside."""

from __future__ import annotations

import json
import os
import zipfile
from contextlib import ExitStack
from pathlib import Path

import pytest

from iaa_jax import IaaError, read, read_long
from iaa_jax.data.groups import natural
from iaa_jax.io.base import Options
from iaa_jax.io.files import listing

LABELS = {"ann": "xyx", "bob": "xyy"}


def prodigy(annotator: str, labels: str, first: int = 1) -> str:
    tasks = [
        {"_input_hash": k, "_view_id": "choice", "answer": "accept", "accept": [label]}
        for k, label in enumerate(labels, start=first)
    ]
    return "\n".join(json.dumps(task | {"_annotator_id": annotator}) for task in tasks)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, labels in LABELS.items():
        (tmp_path / "f" / name).mkdir(parents=True)
        (tmp_path / "f" / name / "out.jsonl").write_text(prodigy(name, labels))
    return tmp_path / "f"


def packed(folder: Path) -> Path:
    path = folder.with_suffix(".zip")
    with zipfile.ZipFile(path, "w") as archive:
        for file in sorted(folder.rglob("*")):
            archive.write(file, file.relative_to(folder))
    return path


def test_folders_archives_and_lists_give_the_same(folder: Path) -> None:
    every = sorted(folder.rglob("*.jsonl"))
    same = [
        read(paths) for paths in (folder, packed(folder), every, every[::-1], [*folder.iterdir()])
    ]
    for ratings in same:
        assert ratings["primary"].sel(annotator=["ann", "bob"]).values.tolist() == [
            [0, 0],
            [1, 1],
            [0, 1],
        ]
        assert "2 files" in ratings.attrs["read_as"]


def test_what_is_no_export_is_left_aside_and_said(folder: Path) -> None:
    (folder / "readme.txt").write_text("about")
    (folder / "ann" / "notes.csv").write_text("item,annotator,label\n1,a,x\n")
    for paths in (folder, packed(folder)):
        skipped = read(paths).attrs["skipped"]
        assert skipped.startswith("2 files of f")
        assert "ann/notes.csv" in skipped
        assert "readme.txt" in skipped


def test_hidden_files_are_left_aside(folder: Path) -> None:
    for name in (".hidden.jsonl", ".git/out.jsonl", "__MACOSX/out.jsonl"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(prodigy("eve", "xyx"))
    for paths in (folder, packed(folder)):
        assert read(paths)["annotator"].values.tolist() == ["ann", "bob"]
        assert "3 files of f" in read(paths).attrs["skipped"]


def test_a_file_that_was_named_is_never_left_out(folder: Path, tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    table.write_text("item,annotator,label\n1,a,x\n1,b,x\n")
    for paths in ([folder, table], [table, *folder.rglob("*.jsonl")]):
        with pytest.raises(IaaError, match=r"table\.csv' is no export of Prodigy, as .*out\.jsonl"):
            read(paths)


def test_files_are_in_natural_order(tmp_path: Path) -> None:
    for k in (10, 9, 1):
        (tmp_path / f"part{k}.jsonl").write_text(
            "\n".join(prodigy(name, "x", k) for name in ("ann", "bob"))
        )
    assert read(tmp_path)["item"].values.tolist() == [1, 9, 10]
    assert sorted(["b/1", "a10/2", "a9/x", "A1"], key=natural) == ["A1", "a9/x", "a10/2", "b/1"]
    assert natural("a\u00b2")[0] == [(1, 0.0, "a\u00b2")]  # no number


def test_links(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "out.jsonl").write_text(prodigy("eve", "xyx"))
    (folder / "loop").symlink_to(folder, target_is_directory=True)
    (folder / "there").symlink_to(outside, target_is_directory=True)
    assert read(folder)["annotator"].values.tolist() == ["ann", "bob"]
    (folder / "link.jsonl").symlink_to(outside / "out.jsonl")
    assert "eve" in read(folder)["annotator"].values.tolist()
    assert "'link.jsonl' is a link that leads out of the folder" in read(folder).attrs["read_as"]
    (folder / "broken.jsonl").symlink_to(outside / "none")
    assert read(folder).attrs["skipped"].startswith("1 file of f ('broken.jsonl')")
    monkeypatch.chdir(folder)
    assert read(".").attrs["skipped"].startswith(f"1 file of {folder.name} ('broken.jsonl')")
    tables = tmp_path / "tables"
    tables.mkdir()
    for name in ("ann", "bob"):
        (tables / f"{name}.csv").write_text("item,label\n1,x\n2,y\n")
    (tables / "last.csv").symlink_to("bob.csv")
    with pytest.raises(IaaError, match=r"last\.csv is a link to .*bob\.csv, which is read, too"):
        read(tables)
    assert read(tables, file_pattern="*a*.csv")["annotator"].values.tolist() == ["ann", "last"]


def test_empty_folders(tmp_path: Path) -> None:
    with pytest.raises(IaaError, match="holds no table to read: its members are none"):
        read(tmp_path)
    (tmp_path / ".hidden.csv").write_text("item,annotator,label\n1,a,x\n1,b,x\n")
    with pytest.raises(IaaError, match=r"its members are '\.hidden\.csv'"):
        read(tmp_path)


def test_what_may_not_be_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: str) -> None:
        raise PermissionError(13, "Permission denied", f"{path}/ann")

    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(IaaError, match="f/ann cannot be read: Permission denied"):
        read(folder)


def test_pipes_in_folders_are_not_waited_for(folder: Path) -> None:
    os.mkfifo(folder / "pipe.jsonl")
    if Path("/proc/self/environ").exists():  # what it says is of this machine, not of the folder
        for number, name in enumerate(("system.csv", "system.qdpx")):
            (folder / name).symlink_to("/proc/self/environ")
            assert f"{number + 2} files of f" in read(folder).attrs["skipped"]
            assert name in read(folder).attrs["skipped"]
        for name in ("system.csv", "system.qdpx"):
            (folder / name).unlink()
    assert read(folder)["annotator"].values.tolist() == ["ann", "bob"]
    assert "1 file of f ('pipe.jsonl')" in read(folder).attrs["skipped"]


def test_file_patterns_choose_files_and_name_annotators(folder: Path) -> None:
    (folder / "ann" / "out.jsonl").rename(folder / "eve.jsonl")
    (folder / "bob" / "out.jsonl").rename(folder / "joe.jsonl")
    (folder / "gold.json").write_text(prodigy("gold", "xyx"))
    ratings = read(folder, file_pattern="{annotator}.jsonl")
    assert ratings["annotator"].values.tolist() == ["eve", "joe"]
    assert "annotators from file names" in ratings.attrs["read_as"]
    assert "gold.json" in ratings.attrs["skipped"]


def test_members_with_strange_names(folder: Path) -> None:
    path = folder.with_suffix(".zip")
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("/abs/ann", "../../bob", "a\\b\n"):
            archive.writestr(zipfile.ZipInfo(f"{name}.jsonl"), prodigy(name.strip("/."), "xyx"))
    ratings = read(path)
    assert ratings.sizes["annotator"] == 3
    assert not (folder.parent.parent / "bob.jsonl").exists()


def test_archives_in_archives_and_folders_are_to_be_unpacked(tmp_path: Path, folder: Path) -> None:
    inner = packed(folder)
    outer = tmp_path / "all.zip"
    with zipfile.ZipFile(outer, "w") as archive:
        archive.write(inner, "exports/tool.zip")
        archive.writestr("README.md", "of our project")
    (tmp_path / "only").mkdir()
    inner.rename(tmp_path / "only" / "tool.zip")
    for path, name in ((outer, "exports/tool.zip"), (tmp_path / "only", "tool.zip")):
        with pytest.raises(IaaError, match="are not opened: unpack ") as caught:
            read(path)
        assert str(caught.value).endswith(f"unpack {name!r}")


def test_the_way_to_a_file_is_known(folder: Path) -> None:
    with ExitStack() as stack:
        for paths in ([folder], [packed(folder)]):
            files = listing(paths, stack, Options(max_megabytes=1)).files
            assert [file.inside for file in files] == [
                ("f", "ann", "out.jsonl"),
                ("f", "bob", "out.jsonl"),
            ]


def test_folders_of_archives_made_by_windows(folder: Path) -> None:
    path = folder.with_name("windows.zip")
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("ann\\", b"")
        for who in ("ann", "bob"):
            archive.writestr(f"{who}\\out.jsonl", (folder / who / "out.jsonl").read_bytes())
    ratings = read(path)
    assert ratings.equals(read(packed(folder)))
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("ann/out.jsonl", prodigy("eve", "xyx"))
    with pytest.raises(IaaError, match=r"'ann/out.jsonl', 'ann/out.jsonl' have the same name"):
        read(path)


def test_no_file_is_read_twice_by_whatever_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its ratings would count twice where annotators are unknown, or rate repeatedly."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "all" / "below").mkdir(parents=True)
    (tmp_path / "all" / "below" / "r.csv").write_text("item,annotator,label\n1,a,x\n1,b,y\n2,a,x\n")
    os.link("all/below/r.csv", "hard.csv")
    os.symlink("all/below/r.csv", "soft.csv")
    os.symlink("all", "way")
    for names, words in (
        (("hard.csv", "hard.csv"), "hard.csv and hard.csv are the same file"),
        (("hard.csv", "soft.csv"), "hard.csv and soft.csv are the same file"),
        (("all/below/../below/r.csv", "soft.csv"), "are the same file"),
        (("all", "way"), "are the same file"),
        (("soft.csv", "way"), "soft.csv lies in way, which is read as a whole"),
        (("all/below", "all"), "all/below lies in all, which is read as a whole"),
        ((), "no file to read"),
        (("",), "no file to read"),  # the folder that one is in, for the system
        (("x" * 5000,), "cannot be read: File name too long"),
    ):
        for function in (read, read_long):
            with pytest.raises(IaaError, match=words):
                function(list(names), duplicates="votes" if function is read else "keep")
    assert len(read_long(["all"])) == 3


TABLE = "item,annotator,label\n{n},ann,x\n{n},bob,{other}\n"


@pytest.fixture
def batches(tmp_path: Path) -> Path:
    folder = tmp_path / "batches"
    folder.mkdir()
    for n in range(1, 6):
        other = "xy"[n % 2]
        (folder / f"b{n}.csv").write_text(TABLE.format(n=n, other=other), encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("item,annotator,label\n9,ann,x,no idea\n9,bob,x\n", "line 2 has 4 cells"),
        ("", "empty"),
        ("item,annotator,label\n9,ann,\udcff\n", "is not UTF-8"),
        ("code,meaning\nx,yes\ny,no\n", "has other columns ('code', 'meaning')"),
    ],
)
@pytest.mark.parametrize("name", ["a.csv", "z.csv"])
def test_a_file_that_is_no_table_of_a_folder_is_left_out(
    batches: Path, text: str, reason: str, name: str
) -> None:
    whole = read(batches)
    (batches / name).write_bytes(text.encode("utf-8", "surrogateescape"))
    ratings = read(batches)
    assert ratings["primary"].equals(whole["primary"])
    assert (
        "1 of 6 files or sheets, which cannot be read like the others" in ratings.attrs["skipped"]
    )
    assert reason in ratings.attrs["skipped"]
    assert name in ratings.attrs["skipped"]
    with pytest.raises(IaaError):  # where it was named
        read(sorted(batches.iterdir()))


def test_a_file_without_the_columns_that_are_named_is_left_out(batches: Path) -> None:
    (batches / "a.csv").write_text("item,annotator,answer\n9,ann,x\n9,bob,x\n")
    ratings = read(batches, label="label")
    assert "a.csv has no column 'label'" in ratings.attrs["skipped"]
    assert ratings.sizes["item"] == 5
    for n in range(1, 3):
        (batches / f"b{n}.csv").write_text("item,annotator,answer\n9,ann,x\n9,bob,x\n")
    with pytest.raises(IaaError, match=r"a\.csv has no column 'label'"):  # half of them
        read(batches, label="label")
