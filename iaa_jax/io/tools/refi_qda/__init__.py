"""Reads REFI-QDA, as MAXQDA, NVivo and ATLAS.ti write it: codings of texts and recordings.

Only users with codings in a source count as having seen it. If projects of the same documents name
only one user in all, each project is one annotator.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

from iaa_jax._errors import IaaError
from iaa_jax.data.marked.texts import text_from_characters
from iaa_jax.io.export.answers import separate_units
from iaa_jax.io.export.folders import by_folder, fields_of, parsed
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.export.xml import root_name
from iaa_jax.io.table.source import Source
from iaa_jax.io.tools.refi_qda.projects import NAME_SPACE, QdaProject, project_of
from iaa_jax.wording import Note, keyword

_PROJECT = "project"  # field with the project of a coding
_START = 1 << 12  # number of bytes searched for the namespace


class RefiQda:
    """Reads REFI-QDA projects."""

    name = "refi_qda"
    title = "REFI-QDA"
    summary = "REFI-QDA of MAXQDA, NVivo, ATLAS.ti: .qdpx and .qde, codings of texts and recordings"
    known_by = "XML with the root `Project` of `urn:QDA-XML`, files .qde"
    example = "spans project.qdpx"

    def choose(self, sources: Sequence[Source]) -> Sequence[Source]:
        """Return the projects and their sources."""
        projects = [source for source in sources if _is_project(source)]
        roots = {project.inside[:-1] for project in projects}
        return [*projects, *[source for source in sources if _root(source) in roots]]

    def read(self, sources: Sequence[Source], export: Export) -> None:
        """Read the codings of texts and of recordings."""
        export.named_by.items = "name"
        texts = {(root, each.name): each for each in sources if (root := _root(each)) is not None}
        for text_file in texts.values():
            text_file.look_inside(text_file.records)  # it may have been tried as a table
        files = [source for source in sources if _is_project(source)]
        projects = parsed(files, lambda file: project_of(file, texts), export.options.progress)
        _refuse_uncoded(projects)
        for kind, count in _left_out(projects).items():
            export.remarks.notes.append(Note("skipped_codings", {"count": count, "kind": kind}))
        units = {unit for project in projects for unit in project.units}
        export.note_format(
            f"project, positions in {' and '.join(sorted(units))}" if units else "project"
        )
        export.remarks.notice("agreement_lists_what_was_made")
        names = _names(projects)
        by_user = _advise(projects, names, export)
        export.named_by.annotators = "creatingUser" if by_user else ""
        counts = (Counter(code[-1] for code in {*each.codes.values()}) for each in projects)
        repeated = {name for of_one in counts for name, count in of_one.items() if count > 1}
        for project, name in zip(projects, names, strict=True):
            is_one = project.source.annotator or export.options.annotator == _PROJECT
            codings = project.as_one_annotator() if is_one else project.codings
            wheres = [where for where, _ in codings.values()]
            export.begin_file(project.source, wheres.__getitem__)
            for place, (key, (_, marked)) in enumerate(codings.items()):
                question, document, user = key
                who = user if by_user else name
                spans = [
                    span._replace(label=" > ".join(code) if code[-1] in repeated else code[-1])
                    for code, span in marked
                ]
                fields = {**fields_of(project.source, document, who), _PROJECT: name}
                asked = export.question(question, "spans")
                export.add(
                    asked, document, who or None, separate_units(spans), place, fields=fields
                )
            for document, text in project.texts.items():
                export.add_text(document, text_from_characters(text))
        _measure(projects, export)


TOOL = RefiQda()


def _is_project(source: Source) -> bool:
    is_marked = root_name(source) == "Project" and NAME_SPACE in source.beginning(_START)
    return is_marked or source.suffix == ".qde"


def _root(source: Source) -> tuple[str, ...] | None:
    """Return the folder or archive of a text's project, if the text is in its folder `sources`."""
    way = source.inside[:-1]
    return way[:-1] if way and way[-1].lower() == "sources" else None


def _left_out(projects: Sequence[QdaProject]) -> Counter[str]:
    return sum((project.left_out for project in projects), Counter[str]())


def _refuse_uncoded(projects: Sequence[QdaProject]) -> None:
    if any(project.codings for project in projects):
        return
    others = ", ".join(f"{count:,} of {kind}" for kind, count in _left_out(projects).items())
    raise IaaError(
        f"{projects[0].source}: nothing is coded in a text or a recording (codings: "
        f"{others or 'none'}); export the whole project with its documents and codings, "
        "or make a table with the columns document, annotator, start, end and label"
    )


def _names(projects: Sequence[QdaProject]) -> list[str]:
    """Name projects by their archives or files, or else by folders."""
    files = [project.source for project in projects]
    names = [Path(file.called).stem for file in files]
    if len(files) > 1 and (len({*names}) == 1 or _clash(projects, names)):
        return [folder or "" for folder, _ in by_folder(files)]
    return names


def _clash(projects: Sequence[QdaProject], names: Sequence[str]) -> bool:
    """Tell whether projects with the same name have codings of the same document."""
    coded = [
        (name, question, document)
        for project, name in zip(projects, names, strict=True)
        for question, document in {key[:2] for key in project.codings}
    ]
    return len({*coded}) < len(coded)


def _advise(projects: Sequence[QdaProject], names: Sequence[str], export: Export) -> bool:
    """Decide whether users or projects are the annotators, and add advice."""
    users = {user for project in projects for _, _, user in project.codings}
    export.named_by.advice_on_nobody = (
        "its creatingUser is missing: export the project again with its users"
    )
    of_pattern = any(project.source.annotator for project in projects)
    if len(projects) > 1 and not of_pattern and not _clash(projects, names):
        of_project = f"give {keyword('annotator', _PROJECT)} if each project is one annotator's"
        export.named_by.advice_on_nobody += f", or {of_project}"
        export.named_by.advice_on_repeats = [
            of_project,
            "omit a project whose codings are also in another one",
        ]
    return len(users) > 1 or not _clash(projects, [""] * len(projects))


def _measure(projects: Sequence[QdaProject], export: Export) -> None:
    """Record the lengths of texts, unless a span ends beyond its text."""
    known: dict[str, set[str]] = defaultdict(set)
    for project in projects:
        for document, text in project.texts.items():
            known[document].add(text)
    export.remarks.notice("layers_of_other_text", sum(len(texts) > 1 for texts in known.values()))
    beyond = {*chain.from_iterable(project.beyond for project in projects)}
    export.remarks.notice("spans_beyond_text", len(beyond))
    if not beyond:
        export.lengths |= {document: max(map(len, texts)) for document, texts in known.items()}
