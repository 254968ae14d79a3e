"""Recognises what a star (Label Studio's "ground truth") means."""

from __future__ import annotations

import re
from collections.abc import Sequence

from iaa_jax._errors import IaaError
from iaa_jax.io.export.answers import text_of
from iaa_jax.io.export.json_records import Json, Record, json_records
from iaa_jax.io.table.source import Source
from iaa_jax.io.tools.label_studio.answers import person, task_of

_STAR = re.compile(rb'"ground_truth"\s*:\s*true')
_BLOCK = 1 << 20


def are_ordinary(sources: Sequence[Source]) -> bool:
    """Tell whether stars only mark which annotation of a task to keep.

    They do if each task has one star, on an annotation by somebody who has no other annotation of
    the task, but has annotations of other tasks without a star.
    """
    try:
        return any(map(_has_stars, sources)) and _one_of_each(sources)
    except IaaError:  # reading reports errors in order
        return False


def _has_stars(source: Source) -> bool:
    end = b""
    for block in source.blocks(_BLOCK):
        if _STAR.search(end + block):
            return True
        end = block[-100:]
    return False


def _one_of_each(sources: Sequence[Source]) -> bool:
    stars: dict[str, list[str]] = {}
    others: dict[str, set[str]] = {}
    for source in sources:
        for _, record in json_records(source):
            task = task_of(record)
            item = text_of(task.get("id"))
            for annotation in _annotations(task):
                who = text_of(person(annotation.get("completed_by")))
                if annotation.get("ground_truth"):
                    is_skipped = annotation.get("was_cancelled") or annotation.get("skipped")
                    stars.setdefault(item, []).append("" if is_skipped else who)
                else:
                    others.setdefault(item, set()).add(who)
    coders = set[str]().union(*others.values()) - {""}
    return all(
        len(given := stars.get(item, [])) == 1
        and given[0] in coders
        and given[0] not in others.get(item, ())
        for item in stars.keys() | others.keys()
    )


def _annotations(task: Record) -> list[Record]:
    value: Json = task.get("annotations" if "annotations" in task else "completions")
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []
