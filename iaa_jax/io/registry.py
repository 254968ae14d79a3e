"""The registry of readers of tables and annotation tools, with one row per reader.

A row has the name of a format, and its reader as "module:name".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from iaa_jax.io.base import Reader
    from iaa_jax.io.export.tool import Tool

GROUP = "iaa_jax.readers"
"""The group of entry points by which other packages add readers."""

TOOLS: dict[str, str] = {
    "label_studio": "iaa_jax.io.tools.label_studio:TOOL",
    "prodigy": "iaa_jax.io.tools.prodigy:TOOL",
    "webanno_tsv": "iaa_jax.io.tools.inception.webanno_tsv:TOOL",
    "uima": "iaa_jax.io.tools.inception.uima:TOOL",
    "inception": "iaa_jax.io.tools.inception.agreement:TOOL",
    "doccano": "iaa_jax.io.tools.doccano:TOOL",
    "brat": "iaa_jax.io.tools.brat:TOOL",
    "refi_qda": "iaa_jax.io.tools.refi_qda:TOOL",
    "argilla": "iaa_jax.io.tools.argilla:TOOL",
    "mturk": "iaa_jax.io.tools.mturk:TOOL",
    "toloka": "iaa_jax.io.tools.toloka:TOOL",
    "crowdflower": "iaa_jax.io.tools.crowdflower:TOOL",
    "zooniverse": "iaa_jax.io.tools.zooniverse:TOOL",
    "potato": "iaa_jax.io.tools.potato:TOOL",
    "conll": "iaa_jax.io.tools.conll:TOOL",
    "gate": "iaa_jax.io.tools.gate:TOOL",
    "mmax2": "iaa_jax.io.tools.mmax2:TOOL",
    "elan": "iaa_jax.io.tools.elan:TOOL",
    "boris": "iaa_jax.io.tools.boris:TOOL",
    "mqm": "iaa_jax.io.tools.mqm:TOOL",
    "appraise": "iaa_jax.io.tools.appraise:TOOL",
    "teamware": "iaa_jax.io.tools.teamware:TOOL",
    "redewiedergabe": "iaa_jax.io.tools.redewiedergabe:TOOL",
    "sagemaker": "iaa_jax.io.tools.sagemaker:TOOL",
    "lighttag": "iaa_jax.io.tools.lighttag:TOOL",
    "label_sleuth": "iaa_jax.io.tools.label_sleuth:TOOL",
    "lewidi": "iaa_jax.io.tools.lewidi:TOOL",
    # formats of no single tool, recognised by their shape: tried last
    "hugging_face": "iaa_jax.io.tools.hugging_face:TOOL",
    "nltk": "iaa_jax.io.tools.nltk:TOOL",
    "spans": "iaa_jax.io.tools.span_table:TOOL",
}
"""Readers of annotation tools, the most used first."""

READERS: dict[str, str] = {
    "paired": "iaa_jax.io.table.paired:PairedTable",
    "by_label": "iaa_jax.io.table.by_label:ByLabelTable",
    "long": "iaa_jax.io.table.long:LongTable",
    "wide": "iaa_jax.io.table.wide:WideTable",
    "counts": "iaa_jax.io.table.counts:CountTable",
    "one_hot": "iaa_jax.io.table.one_hot:OneHotTable",
    "contingency": "iaa_jax.io.table.contingency:ContingencyTable",
    "transposed": "iaa_jax.io.table.transposed:TransposedTable",
}
"""Readers of plain tables, in the order in which they are tried."""


def tools(formats: Iterable[str] = TOOLS) -> Iterator[Tool]:
    """Load the readers of tools one after the other."""
    for each in formats:
        yield cast("Tool", _loaded(TOOLS[each]))


def readers() -> Iterator[Reader]:
    """Load the readers of tables, this package's first."""
    for target in READERS.values():
        yield cast("type[Reader]", _loaded(target))()
    from importlib.metadata import entry_points  # takes as long to load as all readers

    for entry in sorted(entry_points(group=GROUP)):
        reader = cast("Reader", entry.load())
        if reader.name not in READERS:
            yield reader


def _loaded(target: str) -> object:
    module, _, name = target.partition(":")
    return getattr(import_module(module), name)


def formats() -> dict[str, str]:
    """Return the name and summary of each format that `read` knows: tools, then tables.

    Examples
    --------
    >>> list(formats())[:2]
    ['label_studio', 'prodigy']
    """
    summaries = {tool.name: tool.summary for tool in tools()}
    return summaries | {reader.name: reader.summary for reader in readers()}
