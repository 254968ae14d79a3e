"""Finds lists of ratings inside JSON records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from iaa_jax._errors import IaaError
from iaa_jax.data.usual_names import ANNOTATOR, LABEL, usual_name
from iaa_jax.io.base import Options
from iaa_jax.io.table.lists import are_lists
from iaa_jax.io.table.nested import Unfolded, is_path, lists_of
from iaa_jax.io.table.opening import head, is_kind
from iaa_jax.io.table.source import Source
from iaa_jax.wording import keyword

if TYPE_CHECKING:
    from iaa_jax.io.table.json_records import Document

_NAMED = {"item", "annotator", "label", "blank", "unordered"}
SHOWN = 4


def told_by_path(files: Sequence[Source], options: Options) -> dict[str, Any]:
    """Infer the columns of item, annotator and label of lists inside records.

    The caller has to name a path through lists, or a column inside them; otherwise the result is
    empty.
    """
    if not _is_open(options):
        return {}
    try:
        if all(is_path(file.records) and _is_json(file) for file in files):
            return _roles(files, options)
        return (_are_inside(files[0], options) and told_by_lists(files, options)) or {}
    except IaaError:
        return {}  # the reader will report why


def told_by_lists(files: Sequence[Source], options: Options) -> dict[str, Any] | None:
    """Return options that read a list of objects with annotator and label, if there is one.

    The records of the files are then the objects in the list.

    Raises
    ------
    IaaError
        If there are several such lists.
    """
    if not _is_open(options) or any(file.records is not None for file in files):
        return None
    paths_of_files = [_list_paths(file, options) for file in files]
    paths = [
        way for way in paths_of_files[0] if all(way in others for others in paths_of_files[1:])
    ]
    if not paths:
        return None
    if len(paths) > 1:
        listed = " or ".join(keyword("records", way) for way in paths[:SHOWN])
        raise IaaError(
            f"{files[0]}: {len(paths):,} lists inside its records hold annotators and labels; name "
            f"the one to read: {listed}"
        )
    for file in files:
        file.look_inside(paths[0])
    roles = _roles(files, options)
    if not {"item", "annotator", "label"} <= {*roles, *options.columns_named()}:
        for file in files:
            file.look_inside(None)
        return None
    return roles


def describe_lists(source: Source) -> str:
    """Return advice on reading lists inside the records as rows."""
    paths = [] if source.records is not None else [*_lists_inside(source)][:SHOWN]
    listed = " or ".join(keyword("records", way) for way in paths)
    return f"if a row is an object of a list inside the records, give {listed}" if paths else ""


def _document(source: Source) -> Document:
    from iaa_jax.io.table.json_records import document_of  # only JSON files have a document

    return document_of(source)


def _lists_inside(source: Source) -> dict[str, set[str]]:
    try:
        return lists_of(_document(source).records) if _is_json(source) else {}
    except IaaError:
        return {}


def _is_open(options: Options) -> bool:
    return set(options.columns_named()) <= _NAMED


def _is_json(source: Source) -> bool:
    return is_kind(source, "json_records")


def _are_inside(source: Source, options: Options) -> bool:
    """Tell whether a named column is not a field of the records."""
    named = [name for name in (options.annotator, options.label) if name is not None]
    if not named or source.records is not None or not _is_json(source):
        return False
    fields = _document(source).fields
    return any(name not in fields for name in named)


def _list_paths(source: Source, options: Options) -> list[str]:
    return [
        way
        for way, fields in _lists_inside(source).items()
        if (options.annotator in fields or usual_name(sorted(fields), ANNOTATOR))
        and (options.label in fields or (not options.label and usual_name(sorted(fields), LABEL)))
    ]


def _roles(files: Sequence[Source], options: Options) -> dict[str, Any]:
    roles: dict[str, Any] = {}
    each = [_document(file).unfolded for file in files]
    unfolded = [one for one in each if isinstance(one, Unfolded)]
    fields = sorted(unfolded[0].own)
    for option, known in (("annotator", ANNOTATOR), ("label", LABEL)):
        best = usual_name(fields, known)
        if getattr(options, option) is None and best is not None:
            roles[option] = best
    start, label = head(files[0]), roles.get("label", options.label)
    listed = [label] if label else fields  # an object may hold all ratings of an item
    listed = [name for name in listed if name in start.positions and are_lists(start.column(name))]
    if options.item is None and ("annotator" in roles or options.annotator or not listed):
        ids = {one.item() for one in unfolded}
        common = ids.pop() if len(ids) == 1 else None
        if common is not None:
            roles["item"] = list(common)
        elif len(files) == 1:
            roles["item"] = [unfolded[0].place]
    if options.annotator is None and (options.anonymous or files[0].annotator is not None):
        roles.pop("annotator", None)
    return roles
