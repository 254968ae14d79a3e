"""What was read, as the first lines of a page."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from iaa_jax.pages.blocks import Facts, Text
from iaa_jax.wording import Note

WORDS = {
    "fact": "{text:name}",
    "files": "{files:names 5}",
    "items": "{items:count}: {pairable_items:count} with two ratings or more, "
    "{single_rated_items:count} with one, {unrated_items:count} with none",
    "annotators": "{annotators:count}: {names:names 10 annotators}",
    "annotators_counted": "{annotators:count}",
    "annotators_unknown": "not told apart, at most {largest_panel:count rating} an item",
    "labels": "{labels:count}: {names:names 20 labels}",
    "labels_none": "none: ratings are numbers",
    "ratings": "{ratings:count} ({missing_share:share} missing)",
    "primary_secondary": "a primary and perhaps a secondary label a rating",
    "multi_label": "a set of labels a rating",
    "soft": "shares of labels a rating",
    "value": "a number a rating",
}


def ratings_facts(attrs: Mapping[Any, Any]) -> Facts:
    """All that was read, from the attributes of a result."""
    rows: list[tuple[Text, Text]] = []
    files = json.loads(attrs.get("files", "[]"))
    if files:
        rows.append(("File" if len(files) == 1 else "Files", Note("files", {"files": files})))
    rows += [
        ("Items", _said("items", attrs)),
        ("Annotators", _annotators(attrs)),
        ("Labels", _labels(attrs)),
        ("Ratings", _said("ratings", attrs)),
    ]
    if attrs["task"] != "single":
        rows.append(("", Note(str(attrs["task"]))))
    return Facts([*rows, *_reading(attrs), *([] if attrs.get("skipped") else [_NOTHING])])


def short_facts(attrs: Mapping[Any, Any]) -> Facts:
    """How much was read, how it was understood, and what was not taken."""
    who = "annotators_unknown" if attrs["anonymous"] else "annotators_counted"
    rows = [("Items", _said("items", attrs)), ("Annotators", _said(who, attrs))]
    return Facts([*rows, *_reading(attrs)])


_NOTHING = ("Skipped", "nothing")


def _reading(attrs: Mapping[Any, Any]) -> list[tuple[Text, Text]]:
    return [
        (heading, Note("fact", {"text": attrs[name]}))
        for heading, name in (("Read as", "read_as"), ("Skipped", "skipped"))
        if attrs.get(name)
    ]


def _said(code: str, attrs: Mapping[Any, Any]) -> Note:
    return Note(code, {str(name): value for name, value in attrs.items()})


def _annotators(attrs: Mapping[Any, Any]) -> Note:
    if attrs["anonymous"]:
        return _said("annotators_unknown", attrs)
    names = json.loads(attrs["annotator_names"])
    return Note("annotators", {"annotators": attrs["annotators"], "names": names})


def _labels(attrs: Mapping[Any, Any]) -> Note:
    if attrs["task"] == "value":
        return Note("labels_none")
    names = json.loads(attrs["label_values"])
    return Note("labels", {"labels": attrs["labels"], "names": names})
