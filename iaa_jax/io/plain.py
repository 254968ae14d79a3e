"""Recognises plain tables without loading the readers of annotation tools."""

from __future__ import annotations

from iaa_jax.io.export.columns import columns_of
from iaa_jax.io.export.headerless import headerless_start
from iaa_jax.io.table.source import Source

MARKS = (
    "annotation_id",  # Label Studio
    "Comments",  # doccano
    *("Layer", "begin"),  # INCEpTION
    "HITId",  # Mechanical Turk
    "ASSIGNMENT:",  # Toloka
    "_unit_id",  # CrowdFlower
    "subject_ids",  # Zooniverse
    *(":::", "user_id"),  # Potato
    "teamware_status",  # Teamware
    "severity",  # MQM
    *("True", "False"),  # Appraise, whose first row has these cells
    "stwr",  # Redewiedergabe
    "label_type",  # Label Sleuth
    *("Observation id", "Behavior"),  # BORIS
    "start",  # spans
    "region_shape_attributes",  # VIA, which is not read
)
"""Parts of column names in tables that annotation tools write or read."""

_OTHERWISE = b"{[<#"
"""First characters of JSON, XML and WebAnno files, whatever their names."""


def is_plain(source: Source) -> bool:
    """Tell whether a file is CSV with column names that no tool uses. Never raises."""
    return source.once("plain", lambda: _is_plain(source))


def _is_plain(source: Source) -> bool:
    start = source.start(1 << 10).lstrip(b"\xef\xbb\xbf\xff\xfe\0 \t\r\n")
    if source.suffix != ".csv" or start[:1] in _OTHERWISE:
        return False
    names = columns_of(source)
    if b"[{" in source.start(1 << 14):  # lists of objects in cells
        return False
    # rows of three or four cells without column names, as NLTK and tables of spans have
    is_bare = any(headerless_start(source, width) for width in (3, 4))
    return bool(names) and not is_bare and not any(m in name for m in MARKS for name in names)
