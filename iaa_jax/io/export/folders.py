"""The annotator and document of a file by its folders and name, as in ``ann/doc1.xml``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import TypeVar

from iaa_jax.io.export.fields import Fields
from iaa_jax.io.table.head import Progress
from iaa_jax.io.table.json_fields import Json
from iaa_jax.io.table.source import Source

_MARKS = " -_."

Parsed = TypeVar("Parsed")


def parsed(
    sources: Sequence[Source], parse: Callable[[Source], Parsed], progress: Progress | None
) -> list[Parsed]:
    """Parse each file."""
    found = []
    for done, source in enumerate(sources, 1):
        found.append(parse(source))
        if progress is not None:
            progress(done, len(sources))
    return found


def fields_of(source: Source, document: str, annotator: str | None) -> Fields:
    """Return the fields by which the caller may name documents and annotators."""
    folders: list[Json] = [*source.inside[:-1]]
    return {
        "document": document, "annotator": annotator, "file": source.name, "folders": folders,
    }  # fmt: skip


def rest_of_name(source: Source) -> str:
    """Return a file name without its ending and its annotator."""
    return _rest(source, source.stem)


def _rest(source: Source, stem: str) -> str:
    return stem.replace(source.annotator or "", "", 1).strip(_MARKS)


def by_folder(
    sources: Sequence[Source], documents: Sequence[tuple[str, ...]] | None = None
) -> list[tuple[str | None, str]]:
    """Return annotator and document of each file, if annotators have folders with equal file names.

    The annotator is the first folder in which the paths differ. If a pattern of file names contains
    the annotator, the folders and the rest of the name are the document. `documents` has folders
    and names of documents, if they differ from those of files.
    """
    named = documents or [(*each.inside[:-1], each.stem) for each in sources]
    ways = [way[:-1] for way in named]
    shared = sum(1 for _ in takewhile(lambda parts: len({*parts}) == 1, zip(*ways, strict=False)))
    of_one = all(len(way) == shared for way in ways)  # the folder of one annotator
    found: list[tuple[str | None, str]] = []
    for source, (*_, stem), way in zip(sources, named, ways, strict=True):
        below = way[shared:]
        who = below[0] if below else way[-1] if of_one and way else None
        if source.annotator is not None:
            rest = _rest(source, stem)
            parts = [*below, *[rest] * bool(rest)] or way[-1:] or ["document"]
            found.append((source.annotator, "/".join(parts)))
        else:
            found.append((who, "/".join([*below[1:], stem])))
    return found
