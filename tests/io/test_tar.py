"""Tar archives, packed or not, and what hostile ones hold."""

from __future__ import annotations

import gzip
import io
import tarfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import iaa_jax as iaa
from iaa_jax import IaaError, read
from iaa_jax.data.provenance import parts_of

Write = Callable[..., Path]

LONG = b"item,annotator,label\n1,a,x\n1,b,y\n2,a,x\n2,b,x\n"
BY_RATER = {"ann.csv": b"item,label\n1,x\n2,y\n", "ben.csv": b"item,label\n1,x\n2,x\n"}


def tarred(
    members: dict[str, bytes],
    mode: str = "w",
    *more: tarfile.TarInfo,
    form: int = tarfile.PAX_FORMAT,
) -> bytes:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode=mode, format=form) as archive:  # type: ignore[call-overload]
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
        for info in more:
            archive.addfile(info)
    return data.getvalue()


def special(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def test_members_are_read(write: Write) -> None:
    names = {
        "t.tar": "w", "t.tar.gz": "w:gz", "t.tgz": "w:gz", "t.tar.xz": "w:xz",
        "t.tar.bz2": "w:bz2", "ratings": "w:gz",  # known by its content
    }  # fmt: skip
    for form in (tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT):
        for name, mode in names.items():
            ratings = read(write(tarred({"./data/t.csv": LONG}, mode, form=form), name))
            assert ratings["primary"].values.tolist() == [[0, 1], [0, 0]], (name, form)
            assert ratings["item"].values.tolist() == [1, 2], (name, form)


def test_members_name_annotators(write: Write) -> None:
    path = write(tarred({f"x/{name}": text for name, text in BY_RATER.items()}, "w:gz"), "t.tar.gz")
    ratings = read(path, file_pattern="{annotator}.csv", item="item", label="label")
    assert ratings["annotator"].values.tolist() == ["ann", "ben"]
    assert ratings["primary"].values.tolist() == [[0, 0], [1, 0]]
    # observed .5; x x | y x: 3 x and 1 y of 4, so expected agreement is 6/12
    estimate = iaa.krippendorff_alpha(ratings, interval=None).estimate.item()
    assert np.isclose(estimate, 1 - 0.5 / (6 / 12))


def test_links_devices_and_places_outside_are_left_aside(write: Write) -> None:
    more = [
        special("link.csv", tarfile.SYMTYPE, "/etc/passwd"),
        special("hard.csv", tarfile.LNKTYPE, "t.csv"),
        special("null.csv", tarfile.CHRTYPE),
        special("pipe.csv", tarfile.FIFOTYPE),
        special("folder", tarfile.DIRTYPE),
    ]
    data = tarred({"t.csv": LONG, "/abs.csv": LONG, "../up.csv": LONG}, "w", *more)
    ratings = read(write(data, "t.tar"))
    assert ratings["primary"].values.tolist() == [[0, 1], [0, 0]]
    (note,) = parts_of(ratings, "skipped")
    assert (note.code, note.values["files"]) == ("skipped_files", 6)


def test_an_archive_of_links_alone_is_refused(write: Write) -> None:
    path = write(tarred({}, "w", special("t.csv", tarfile.SYMTYPE, "/etc/passwd")), "t.tar")
    with pytest.raises(IaaError, match=r"t\.tar holds no table to read.*t\.csv \(link\)"):
        read(path)


def test_names_that_repeat_are_refused(write: Write) -> None:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as archive:
        for _ in range(2):
            info = tarfile.TarInfo("t.csv")
            info.size = len(LONG)
            archive.addfile(info, io.BytesIO(LONG))
    with pytest.raises(IaaError, match="have the same name, packed or not"):
        read(write(data.getvalue(), "t.tar"))


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:xz"])
def test_the_limit_of_what_is_unpacked_holds(write: Write, mode: str) -> None:
    path = write(tarred({"t.csv": LONG + b",,\n" * 1_000_000}, mode), "t.tar")
    with pytest.raises(IaaError, match="holds more than 2 MB"):
        read(path, max_megabytes=2)
    assert read(path, max_megabytes=4).sizes["item"] == 2


def test_a_sparse_member_of_a_terabyte_is_refused(write: Write) -> None:
    info = tarfile.TarInfo("t.csv")
    info.pax_headers = {
        "GNU.sparse.major": "0",
        "GNU.sparse.minor": "1",
        "GNU.sparse.size": str(10**12),
        "GNU.sparse.map": "0,0",
    }
    with pytest.raises(IaaError):
        read(write(tarred({}, "w", info), "t.tar"), max_megabytes=2)


def test_what_is_inside_another_archive_is_named(write: Write) -> None:
    inner = tarred({"t.csv": LONG}, "w:gz")
    with pytest.raises(IaaError, match=r"unpack 'in\.tar\.gz'"):
        read(write(tarred({"in.tar.gz": inner}, "w:gz"), "t.tgz"))


def test_damaged_archives_are_refused_or_read(write: Write) -> None:
    generator = np.random.default_rng(1)
    for data, name in (
        (tarred({"a.csv": LONG, "b.csv": LONG.replace(b"1,", b"3,")}), "t.tar"),
        (tarred({"a.csv": LONG}, "w:gz"), "t.tar.gz"),
    ):
        for _ in range(200):
            bad = bytearray(data)
            for place in generator.integers(0, min(len(bad), 3000), 3):
                bad[place] = generator.integers(0, 256)
            path = write(bytes(bad[: generator.integers(1, len(bad) + 1)]), name)
            try:
                ratings = read(path, max_megabytes=2)
            except IaaError as error:
                assert name in str(error)  # noqa: PT017
            else:
                assert ratings.sizes["item"] >= 1


def test_a_size_below_zero_ends(write: Write) -> None:
    header = bytearray(tarred({"t.csv": b""})[:512])
    header[124:136] = b"\xff" * 10 + b"\xfc\x00"  # base 256, -1024
    header[148:156] = b" " * 8
    header[148:156] = f"{sum(header):06o}\0 ".encode()
    with pytest.raises(IaaError, match=r"t\.tar"):
        read(write(bytes(header) + bytes(1024), "t.tar"))


def test_a_packed_table_is_no_archive(write: Write) -> None:
    assert read(write(gzip.compress(LONG), "t.csv.gz")).sizes["item"] == 2
