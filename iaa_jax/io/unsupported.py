"""Recognises file formats that are not read, and says what to read instead."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NamedTuple

from iaa_jax._errors import IaaError
from iaa_jax.io.export.columns import columns_of
from iaa_jax.io.export.json_records import Record, first_record
from iaa_jax.io.export.xml import root_name
from iaa_jax.io.plain import is_plain
from iaa_jax.io.table.source import Source

_START = 1 << 12  # number of bytes searched

_REGIONS = (
    "agreement on regions of images is not measured (planned for boxes, docs/formats.md); for "
    "labels of whole images, make a table with the columns item, annotator and label"
)
_TIMES = (
    "make a table with the columns document, annotator, start, end and label, and times in seconds"
)


class Unsupported(NamedTuple):
    """A format that is recognised but not read.

    Attributes
    ----------
    title : str
        The name of the format, as in "COCO (JSON)".
    marks : callable
        Tells whether a file has the format; may raise `IaaError`.
    instead : str
        Why it is not read, or what to read instead.
    """

    title: str
    marks: Callable[[Source], bool]
    instead: str


def unsupported(source: Source) -> Unsupported | None:
    """Return the unsupported format of a file; None for all other files. Never raises."""
    return source.once("unsupported", lambda: _recognise(source))


def _recognise(source: Source) -> Unsupported | None:
    if is_plain(source):
        return None
    for row in UNSUPPORTED:
        with suppress(IaaError):
            if row.marks(source):
                return row
    return None


def _file(endings: str, start: bytes = b"(?!)") -> Callable[[Source], bool]:
    """Return a function that recognises a file by its ending, or by its first bytes."""
    return lambda source: (
        source.suffix in endings.split() or re.match(start, source.raw(_START)) is not None
    )


def _text(source: Source) -> bytes:
    return source.raw(_START).lstrip(b"\xef\xbb\xbf\xff\xfe").replace(b"\0", b"").lstrip()


def _xml(root: str, inner: bytes = b"") -> Callable[[Source], bool]:
    """Return a function that recognises XML by its root, and by an inner element if given."""

    def marks(source: Source) -> bool:
        is_root = re.fullmatch(root, root_name(source)) is not None
        return is_root and re.search(inner, _text(source)) is not None

    return marks


def _keys(*groups: set[str]) -> Callable[[Source], bool]:
    """Return a function that recognises a record or table by a group of keys."""
    return lambda source: any(
        {*(first_record(source) or {}), *columns_of(source)} >= group for group in groups
    )


_TAGGED = re.compile(rb"\w[^<>]*<([A-Za-z][\w.-]*)[^<>/]*>[^<>]*\w[^<>]*</\1>")


def _is_inline(source: Source) -> bool:
    """Tell whether words of running text are tagged, in XML or in the first line of a text."""
    if source.suffix not in (".xml", ".txt", ".sgml"):
        return False
    start = _text(source)
    if start[:1] == b"<":
        return re.match(rb"<(!doctype )?html", start.lower()) is None and bool(
            re.search(rb">[^<>]*" + _TAGGED.pattern, start)
        )
    return source.suffix == ".txt" and bool(_TAGGED.search(start.splitlines()[0] if start else b""))


def _is_conllu(source: Source) -> bool:
    token = rb"(#[^\n]*\n)*1(-\d+)?\t([^\t\n]+\t){5}(\d+|_)\t[^\t\n]+\t[^\t\n]+\t[^\t\n]+(\n|$)"
    return re.match(token, _text(source).replace(b"\r", b"")) is not None


def _is_yolo(source: Source) -> bool:
    line = rb"\d+( [01]?\.\d+){4,}\s*(\n|$)"
    return source.suffix == ".txt" and re.match(line, source.raw(_START)) is not None


def _is_aggregated(source: Source) -> bool:
    names = columns_of(source)
    has_answers = any(name.endswith(":confidence") for name in names)
    return "_unit_id" in names and "_worker_id" not in names and has_answers


def _is_manifest(source: Source) -> bool:
    record: Record = first_record(source) or {}
    return any(
        name.endswith("-metadata") and isinstance(value, dict) and {"job-name", "type"} <= {*value}
        for name, value in record.items()
    )


UNSUPPORTED: Sequence[Unsupported] = (
    Unsupported("CVAT (XML)", _xml("annotations", b"<(version|meta|image|track)>?"), _REGIONS),
    Unsupported("Pascal VOC (XML)", _xml("annotation", b"<(filename|object|bndbox)>"), _REGIONS),
    Unsupported("YOLO (text)", _is_yolo, _REGIONS),
    Unsupported(
        "COCO, VIA, VoTT, LabelMe or Labelbox (JSON)",
        _keys(
            *({"images", "annotations", "categories"}, {"image_id", "category_id", "bbox"}),
            *({"_via_img_metadata"}, {"filename", "region_attributes"}),
            *({"assets", "videoSettings"}, {"asset", "regions"}),
            *({"shapes", "imagePath"}, {"data_row", "projects"}),
        ),
        _REGIONS,
    ),
    Unsupported("EXMARaLDA (.exb)", _xml("basic-transcription"), _TIMES),
    Unsupported("Praat (TextGrid)", lambda s: _text(s).startswith(b'File type = "ooText'), _TIMES),
    Unsupported(
        "a project of BORIS (.boris)",
        _keys({"behaviors_conf", "observations"}),
        "export the events in BORIS, as tabular or aggregated events, a file for each observer",
    ),
    Unsupported(
        "the output manifest of SageMaker Ground Truth",
        _is_manifest,
        "it holds one label for each object and names no worker; read the workers' answers, "
        "in the folder annotations/worker-response of the same job",
    ),
    Unsupported(
        "the aggregated report of CrowdFlower or Figure Eight",
        _is_aggregated,
        "it holds one answer for each unit and names no worker; read the full report of the same "
        "job, which has the columns _unit_id and _worker_id",
    ),
    Unsupported(
        "a treebank in CoNLL-U",
        _is_conllu,
        "any of its ten columns can be compared: make a table with the columns item (sentence and "
        "token), annotator and label, the label from UPOS, DEPREL or HEAD",
    ),
    Unsupported(
        "text with inline tags",
        _is_inline,
        "make a table of the tags with the columns document, annotator, start, end and label, and "
        "positions in the text without the tags, and read it with 'iaa spans'",
    ),
    Unsupported(
        "a file of a spreadsheet, office or statistics program",
        _file(
            ".ods .docx .odt .rdata .rda .por .omv",
            rb"\xd0\xcf\x11\xe0|RD[AX]\d\n|\0{12}\xc2\xea\x81\x60|HEADER RECORD\*{7}LIB",
        ),
        "save its data as CSV there; a data frame of R may be one in .rds, a file of SPSS .sav",
    ),
    Unsupported(
        "a database (SQLite) or Arrow file (Feather)",
        _file("", rb"SQLite format 3\0|ARROW1"),
        "save it as Parquet or CSV, or export the judgements from the tool that keeps them there "
        "(of Prodigy: prodigy db-out)",
    ),
)
