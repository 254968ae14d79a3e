"""Infers the annotator and document of a file from its folders and name, as in ``ann/doc1.xml``."""

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
    """Parse each file, and report progress to the caller."""
    contents = []
    for done, source in enumerate(sources, 1):
        contents.append(parse(source))
        if progress is not None:
            progress(done, len(sources))
    return contents


def fields_of(source: Source, document: str, annotator: str | None) -> Fields:
    """Return the fields by which the caller may name documents and annotators."""
    folders: list[Json] = [*source.inside[:-1]]
    return {
        "document": document, "annotator": annotator, "file": source.name, "folders": folders,
    }  # fmt: skip


def rest_of_name(source: Source) -> str:
    """Return a file name without its ending and without the annotator."""
    return _rest(source, source.stem)


def _rest(source: Source, stem: str) -> str:
    return stem.replace(source.annotator or "", "", 1).strip(_MARKS)


def by_folder(
    sources: Sequence[Source], documents: Sequence[tuple[str, ...]] | None = None
) -> list[tuple[str | None, str]]:
    """Return the annotator (None if unknown) and the document of each file.

    The annotator is the first folder in which the paths differ; if all files are in one folder, it
    is this folder. If the pattern of file names contains the annotator, the document is named by
    the folders and the rest of the name. `documents` has the folders and names of documents, if
    they differ from those of files.
    """
    named = documents or [(*each.inside[:-1], each.stem) for each in sources]
    all_parents = [parents[:-1] for parents in named]
    shared = sum(
        1 for _ in takewhile(lambda parts: len({*parts}) == 1, zip(*all_parents, strict=False))
    )
    in_one_folder = all(len(parents) == shared for parents in all_parents)
    pairs: list[tuple[str | None, str]] = []
    for source, (*_, stem), parents in zip(sources, named, all_parents, strict=True):
        below = parents[shared:]
        who = below[0] if below else parents[-1] if in_one_folder and parents else None
        if source.annotator is not None:
            name_rest = _rest(source, stem)
            parts = [*below, *[name_rest] * bool(name_rest)] or parents[-1:] or ["document"]
            pairs.append((source.annotator, "/".join(parts)))
        else:
            pairs.append((who, "/".join([*below[1:], stem])))
    return pairs
