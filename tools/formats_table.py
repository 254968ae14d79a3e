"""Make the table of annotation tools in docs/formats.md, from the descriptions of the readers."""

from __future__ import annotations

from iaa_jax.io.registry import tools
from iaa_jax.io.unsupported import UNSUPPORTED

START, END = "<!-- formats, written by tools/generate.py -->", "<!-- end of formats -->"

NOT_READ = {
    "label_studio": "regions of images; texts; drafts, predictions, ground truth unless asked for",
    "prodigy": "views without answers, as of images; tasks of `review` unless asked for",
    "webanno_tsv": "relations and chains; Java's serialised `.ser`; curators unless asked for",
    "uima": "relations and chains; Java's serialised `.ser`; curators unless asked for",
    "inception": "positions flagged as irrelevant",
    "doccano": "relations; exports that share the labels of all members, which name nobody",
    "brat": "events, relations, normalizations and remarks; attributes without a value",
    "refi_qda": "regions of pictures and pages, whole sources, notes, sets, cases and variables",
    "conll": "the columns between the token and the last",
    "gate": "the default set and original markups; key and consensus sets unless asked for",
    "argilla": "answers in text; drafts and suggestions unless asked for",
    "potato": "predictions unless asked for",
    "sagemaker": "the consolidated manifest, which names no workers",
    "label_sleuth": "labels of rules (Weak) unless asked for",
    "teamware": "annotations of parts of documents",
    "mturk": "rejected assignments unless asked for",
    "toloka": "control tasks, rejected and unfinished pages unless asked for",
    "mqm": "errors that were put in as a test (HOTW) unless asked for",
    "elan": "annotations without times of their own, as words of a symbolic subdivision",
    "mmax2": "relations: attributes that name markables or sets of them",
    "crowdflower": "test questions and tainted judgements unless asked for; the aggregated report",
    "appraise": "marks of errors; rows of quality control unless asked for",
    "lewidi": "soft and hard labels; the data of annotators",
    "zooniverse": "drawings and texts; classifications of the gold standard unless asked for",
}
"""Parts of a tool's files that are not read, or left out; a note reports what was skipped in a
file.
"""


def with_table(page: str) -> str:
    """Return the page with the current table."""
    before, _, after = page.partition(START)
    return f"{before}{START}\n{table()}{END}{after.partition(END)[2]}"


def table() -> str:
    """Return a row per reader, the most used first."""
    rows = ["| format | is read | is not read | known by |", "| --- | --- | --- | --- |"]
    rows += [
        f"| `{tool.name}` | {tool.summary} | {NOT_READ.get(tool.name, '')} | {tool.known_by} |"
        for tool in tools()
    ]
    others = ", ".join(dict.fromkeys(known.title for known in UNSUPPORTED))
    return "\n".join([*rows, "", f"Recognised, and refused by name: {others}.", ""])
