"""Finds the document and annotator of each file, in INCEpTION projects and similar folders.

A project has a folder ``annotation`` with a folder for each document, which has a file for each
user. ``exportedproject*.json`` states who has finished which document.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

from iaa_jax._errors import IaaError, brief
from iaa_jax.io.export.folders import rest_of_name
from iaa_jax.io.export.json_records import document_of, keyed, listed
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.table.content import Watched
from iaa_jax.io.table.json_fields import Json
from iaa_jax.io.table.source import Source
from iaa_jax.wording import Note

CURATOR = "CURATION_USER"
NO_ANNOTATORS = {CURATOR: "curator", "INITIAL_CAS": "predictions"}
"""Users in projects who are not annotators, and what the option ``include`` calls their files."""

_SHAPE = ("annotation", "curation")
_LISTS = ("annotation_documents", "source_documents")
_FINISHED = ("FINISHED", "CURATION_FINISHED")
_NOT_BEGUN = ("NEW", "IGNORE")


class Location(NamedTuple):
    """The location of a file in a project: folder, document and user."""

    root: tuple[str, ...]
    document: str
    user: str


class Filed(NamedTuple):
    """The document, annotator and state of a file; None if unknown."""

    document: str
    annotator: str | None
    state: str | None


class Project:
    """Files inside or outside projects, and the states of documents."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self.states: dict[Location, str] = {}
        self.roots: set[tuple[str, ...]] = set()
        self.files: list[Source] = []
        for source in sources:
            if is_project(source):
                self._add_states(source)
            else:
                self.files.append(source)

    def taken(self, export: Export) -> list[Source]:
        """Return the files to read, without documents that a user has not begun.

        Files of curators and predictions are read only on request, and so are documents that a
        project states as unfinished.
        """
        not_begun = 0
        taken = []
        for source in self.files:
            place = location_of(source)
            user = place.user if place is not None else _user(source)
            state = self.state(place)
            known = place is not None and place.root in self.roots
            if user in NO_ANNOTATORS and not export.remarks.wants(NO_ANNOTATORS[user]):
                continue
            if state in _NOT_BEGUN:
                not_begun += 1
            elif (
                not known
                or state in _FINISHED
                or user == "INITIAL_CAS"
                or export.remarks.wants("drafts")
            ):
                taken.append(source)
        if not_begun:
            export.remarks.notes.append(Note("skipped_not_begun", {"count": not_begun}))
        return taken

    def state(self, place: Location | None) -> str | None:
        """Return the state of a document for a user."""
        return None if place is None else self.states.get(place)

    def filed(
        self,
        sources: Sequence[Source],
        texts: Sequence[Hashable],
        titles: Sequence[tuple[str, str] | None],
    ) -> list[Filed]:
        """Return the document and the annotator of each file.

        In a project, the location of a file shows both. Outside of projects, the first rule that
        applies decides:

        - The file names contain the annotators.
        - The ``titles``, which are the document and user stated in each file, all differ, and some
          files share a document.
        - The ``texts`` are equal for all files in each folder: each folder is a document.
        - The ``texts`` are equal for all files with the same name: each name is a document.

        Otherwise each file is a document, and its annotator is unknown.
        """
        places = [location_of(source) for source in sources]
        has_several = len({place.root for place in places if place is not None}) > 1
        others = [k for k, place in enumerate(places) if place is None]
        named = _by_texts(
            [sources[k] for k in others], [texts[k] for k in others], [titles[k] for k in others]
        )
        names = dict(zip(others, named, strict=True))
        filed_files = []
        for k, place in enumerate(places):
            if place is None:
                filed_files.append(Filed(*names[k], None))
                continue
            of_project = [place.root[-1]] if has_several and place.root else []
            document = "/".join([*of_project, place.document])
            filed_files.append(Filed(document, place.user, self.state(place)))
        return filed_files

    def _add_states(self, source: Source) -> None:
        root = source.inside[:-1]
        for name in _LISTS:
            for entry in _entries(source, name):
                user = entry.get("user") if name == _LISTS[0] else CURATOR
                document, state = entry.get("name"), entry.get("state")
                if not all(isinstance(text, str) for text in (user, document, state)):
                    raise IaaError(
                        f"{source}: an entry of {name} without name, user or state: {brief(entry)}"
                    )
                self.states[Location(root, str(document), str(user))] = str(state)
                self.roots.add(root)


def is_project(source: Source) -> bool:
    """Tell whether a file has the states of the documents of a project."""
    if source.suffix != ".json":
        return False
    if source.name.startswith("exportedproject"):
        return True
    start = source.once("start of project", lambda: source.beginning(1 << 12))
    return '"source_documents"' in start and '"mode"' in start


def location_of(source: Source) -> Location | None:
    """Return the location of a file in a project, if it is in one."""
    folders = source.inside[:-1]
    for k in reversed(range(len(folders) - 1)):
        if folders[k] in _SHAPE:
            return Location(folders[:k], "/".join(folders[k + 1 :]), _user(source))
    return None


def with_project(files: Sequence[Source], sources: Sequence[Source]) -> list[Source]:
    """Return files of a format, followed by the files with the states of documents.

    Imported documents of a project are not taken.
    """
    if not files:
        return []
    placed = [file for file in files if location_of(file) is not None]
    return [*(placed or files), *[source for source in sources if is_project(source)]]


def _entries(source: Source, name: str) -> Iterable[dict[str, Json]]:
    project = source.once("project", lambda: document_of(source))
    for entry in listed(project.get(name), f"{source}: {name}"):
        yield keyed(entry, f"{source}: an entry of {name}")


def _by_texts(
    sources: Sequence[Source],
    texts: Sequence[Hashable],
    titles: Sequence[tuple[str, str] | None],
) -> list[tuple[str, str | None]]:
    ways = [_folders(source) for source in sources]
    stems = [source.stem for source in sources]
    shared = set(ways[0]).intersection(*ways) if ways else set()
    inner = ["/".join(part for part in way if part not in shared) for way in ways]
    folders = [
        name or (way[-1] if way else stem)
        for name, way, stem in zip(inner, ways, stems, strict=True)
    ]
    if any(source.annotator is not None for source in sources):
        rests = map(rest_of_name, sources)
        return [
            (
                "/".join([*[name] * bool(name), *[name_rest] * bool(name_rest)]) or folder,
                source.annotator,
            )
            for name, name_rest, folder, source in zip(inner, rests, folders, sources, strict=True)
        ]
    named = [title for title in titles if title is not None and title[0] != title[1]]
    if len({*named}) == len(titles) > len({document for document, _ in named}):
        return list(named)
    if _are_one(folders, texts):
        return list(zip(folders, stems, strict=True))
    if _are_one(stems, texts):
        return list(zip(stems, inner, strict=True))
    return [(stem, None) for stem in stems]


def _are_one(names: Sequence[str], texts: Sequence[Hashable]) -> bool:
    """Tell whether files with the same name have the same text, and some name recurs."""
    by_name: dict[str, set[Hashable]] = defaultdict(set)
    for name, text in zip(names, texts, strict=True):
        by_name[name].add(text)
    return len(by_name) < len(names) and all(len(known) == 1 for known in by_name.values())


def _folders(source: Source) -> tuple[str, ...]:
    """Return the folders of a file below the given folder, or the last four."""
    if len(source.inside) > 1 or not isinstance(source.path, Watched):
        return source.inside[:-1]
    return source.path.path.parent.parts[-4:]


def _user(source: Source) -> str:
    return source.annotator or source.stem
