"""Templates of texts, by code: the page of formats, and the page of a table written to a file."""

from __future__ import annotations

from iaa_jax.pages.ratings import WORDS as RATINGS
from iaa_jax.wording import Words, joined

_WORDS: Words = {
    "format": "{summary}. Recognised by: {known_by}.",
    "format_brief": "{summary}.",
    "more": (
        "The format of a file is recognised, or stated by --format NAME. 'iaa convert' converts "
        "files of any format to a table."
    ),
    "wrote": "Wrote {rows:count row} to {file:name}: {judgements}",
    "of_labels": "{items:count item}, {annotators:count annotator}{statuses}.",
    "of_spans": (
        "{spans:count span}, {items:count document}, {annotators:count annotator}{statuses}."
    ),
    "written_formulas": (
        "{count:count text} {count:looks|look} like {count:a formula|formulas} ({texts:quoted 3}), "
        "and {count:is|are} written unchanged, so that the table can be read again: a spreadsheet "
        "may run {count:it|them} unless it imports the columns as text"
    ),
    "written_returns": (
        "{count:count text} {count:has|have} a carriage return or a null character "
        "({texts:quoted 3}), which delimited text loses: .jsonl and .parquet keep "
        "{count:it|them}"
    ),
    "statuses": "; {parts:join , }",
    "status": "{count:count} {status}",
}
WORDS: Words = joined(RATINGS, _WORDS)
