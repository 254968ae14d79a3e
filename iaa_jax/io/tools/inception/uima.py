"""Reads UIMA documents: the XMI and JSON that INCEpTION exports, a file per annotator."""

from __future__ import annotations

import zipfile
from collections import defaultdict
from collections.abc import Sequence
from functools import partial
from io import BytesIO
from typing import Any

from iaa_jax._errors import IaaError
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.table.content import Member, beginning_of
from iaa_jax.io.table.source import Source
from iaa_jax.io.table.unpacking import check_whole
from iaa_jax.io.tools.inception.layers import Version, add_versions
from iaa_jax.io.tools.inception.project import is_project, with_project

_START = 1 << 12
_ZIP = b"PK\x03\x04"
_JAVA = b"\xac\xed\x00\x05"


class Uima:
    """Reads XMI and UIMA JSON."""

    name = "uima"
    title = "INCEpTION"
    summary = "INCEpTION and UIMA: CAS XMI and UIMA JSON, alone or in a whole project"
    known_by = "XMI, JSON with `%FEATURE_STRUCTURES`, archives of XMI in a project"
    example = "spans project.zip"

    def choose(self, sources: Sequence[Source]) -> Sequence[Source]:
        """Return the documents, their type systems, and the states of projects."""
        kinds = [(_kind(source), source) for source in sources]
        files = [source for kind, source in kinds if kind in ("xmi", "json", "zip")]
        if not files:  # `read` refuses serialised Java
            java = [source for kind, source in kinds if kind == "java"]
            of_project = any("annotation_ser" in source.inside for source in java)
            return java if of_project or len(java) == len(sources) else []
        described = [source for kind, source in kinds if kind == "types"]
        if len(described) > 1:  # a type system belongs to documents next to it
            packed_in = {*map(_packed_in, files)}
            described = [source for source in described if _packed_in(source) in packed_in]
        return [*with_project(files, sources), *described]

    def read(self, sources: Sequence[Source], export: Export) -> None:
        """Read the files, one for each document and annotator."""
        from iaa_jax.io.tools.inception.cas import version_of_json, version_of_xmi

        export.note_format("UIMA, positions in UTF-16 units")
        layer = (export.options.question or "").partition(".")[0]
        described: dict[tuple[str, ...], list[Source]] = defaultdict(list)
        documents: list[Source] = []
        for source in sources:
            is_packed = _kind(source) == "zip"
            for inner in _members(source) if is_packed else [source]:
                kind = _kind(inner, is_packed)
                if kind == "types":
                    described[_packed_in(inner)].append(inner)
                elif kind in ("xmi", "json") or is_project(inner):
                    documents.append(inner)
                elif kind == "java":
                    raise IaaError(
                        f"{inner} holds serialised Java objects, which only Java can read: export "
                        "the project with the format UIMA CAS XMI or WebAnno TSV 3"
                    )
        loaded: dict[bytes, Any] = {}
        everywhere = [source for known in described.values() for source in known]

        def version(source: Source) -> Version:
            if _kind(source) == "json":
                return version_of_json(source, layer, has_text=export.keeps_texts)
            near = described.get(_packed_in(source)) or everywhere
            types = near[0] if len(near) == 1 else None
            return version_of_xmi(source, types, layer, loaded, has_text=export.keeps_texts)

        add_versions(documents, export, version)


TOOL = Uima()


def _kind(source: Source, is_packed: bool = False) -> str:
    """Return the kind of a file: xmi, json, types, zip, java, or "".

    An archive in a project is opened, but no archive inside it.
    """
    return source.once("kind of uima", lambda: _found(source, is_packed))


def _found(source: Source, is_packed: bool) -> str:
    start = source.start(_START)
    if start.startswith(_ZIP) and len(source.inside) > 1 and not is_packed:
        return "zip" if any(_kind(inner, True) == "xmi" for inner in _members(source)) else ""
    text = beginning_of(start, source.encoding)
    if "http://www.omg.org/XMI" in text and ":XMI" in text:
        return "xmi"
    if "<typeSystemDescription" in text:
        return "types"
    if text.lstrip().startswith("{") and ('"%TYPES"' in text or '"%FEATURE_STRUCTURES"' in text):
        return "json"
    return "java" if start.startswith(_JAVA) or source.suffix == ".ser" else ""


def _members(source: Source) -> list[Source]:
    return source.once("members", lambda: _unpacked(source))


def _unpacked(source: Source) -> list[Source]:
    try:
        file = BytesIO(source.raw())
        archive = zipfile.ZipFile(file)
        check_whole(archive, file)
    except (zipfile.BadZipFile, NotImplementedError, ValueError, IaaError):
        return []
    return [
        Source(
            Member(str(source), name.replace("\\", "/"), partial(archive.open, name)),
            inside=(*source.inside[:-1], name.rpartition("/")[2]),
            annotator=source.annotator,
            encoding=source.encoding,
            allowed=source.allowed,
        )
        for name in archive.namelist()
        if not name.endswith("/")
    ]


def _packed_in(source: Source) -> tuple[str, ...]:
    """Return the archive that contains a file, or its folder."""
    path = source.path
    return (path.outer,) if isinstance(path, Member) else source.inside[:-1]
