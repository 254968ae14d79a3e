"""What stands in a file is shown in messages as it is, but nothing of it acts on a terminal."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from iaa_jax import IaaError, read
from iaa_jax.cli.context import as_option, running

Write = Callable[..., Path]
Refused = Callable[..., str]

ESCAPE = "\x1b]0;owned\x07\x1b[31m"


def test_names_of_members_are_printable(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"{ESCAPE}.csv", "item,annotator,label\n1,a,x,y\n")
    with pytest.raises(IaaError) as caught:
        read(path)
    assert repr(caught.value).isprintable()
    for message in (str(caught.value), caught.value.spelled(as_option)):
        assert message.isprintable()
        assert "\\x1b]0;owned\\x07\\x1b[31m.csv line 2 has 4 cells" in message


def test_names_of_files_are_printable(tmp_path: Path) -> None:
    path = tmp_path / f"a\n{ESCAPE}.csv"
    for text in (None, "", "item,annotator,label\n"):
        if text is not None:
            path.write_text(text)
        with pytest.raises(IaaError) as caught:
            read(path)
        assert str(caught.value).isprintable()


def test_every_message_is_printable() -> None:
    assert str(IaaError(f"no {ESCAPE}\r\n")) == "no \\x1b]0;owned\\x07\\x1b[31m\\r\\n"


@pytest.mark.parametrize("cell", ['encoding="utf-8"', "labels=", "give labels=['a']", "--labels"])
def test_options_in_the_data_stay_as_they_are(write: Write, cell: str) -> None:
    path = write(f"item,annotator,label\n1,a,x\n1,b,{cell}\n".replace('"', '""'))
    with pytest.raises(IaaError) as caught:
        read(path, labels=["x"])
    with running({"labels": None, "encoding": None}):
        message = caught.value.spelled(as_option)
    assert repr(cell.replace('"', '""')) in message
    assert "add the label to --labels" in message


def test_marks_of_options_in_the_name_of_a_file_are_text(tmp_path: Path) -> None:
    path = tmp_path / "\ufdd0labels\ufdd1'\ufdd2.csv"
    with pytest.raises(IaaError) as caught, running({"labels": None}):
        read(path)
    assert caught.value.options == ()
    with running({"labels": None}):
        assert "\\ufdd0labels\\ufdd1'\\ufdd2.csv" in caught.value.spelled(as_option)


def test_long_cells_are_cut(refused: Refused) -> None:
    long = "x" * 5000
    header = refused(f"{long}\n1\n2\n")
    assert header.startswith("t.csv has a single column, 'xxxxx")
    rows = f"item,annotator,label\n{long},{long},{long}\n{long},{long},{long}\n"
    cells = (refused(rows), refused(rows.replace(f"\n{long},{long}", "\n1,2", 1), labels=["a"]))
    counts = refused(f"id,a,b\n{long},{long},1\n", counts="a,b")
    for message in (header, *cells, counts):
        assert len(message) < 1500
        assert "xxx...xxx" in message


def test_large_numbers_have_marks_as_on_pages(refused: Callable[..., str]) -> None:
    rows = "".join(f"{row},ann,x\n{row},ann,x\n" for row in range(1500))
    message = refused("item,annotator,label\n" + rows)
    assert "1,500 repeated ratings" in message
    assert "and 1,497 more" in message
