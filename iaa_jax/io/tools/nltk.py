"""Reads triples of coder, item and label without a header, as NLTK's `AnnotationTask` takes them.

The coder comes first. Triples that begin with the item look the same, but usually have more names
in the first column.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from iaa_jax._errors import IaaError
from iaa_jax.io.export.answers import Status
from iaa_jax.io.export.headerless import headerless_rows, headerless_start
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.table.source import Source
from iaa_jax.wording import keyword

_WIDTH, _LIKE = 3, "coder1\titem7\tyes"
_MISSING = "None"
_ONCE = 0.9  # minimum share of rows with a new pair of coder and item


class Nltk:
    """Reads NLTK's triples."""

    name = "nltk"
    title = "NLTK"
    summary = "NLTK: triples of coder, item and label, a line each, without a line of names"
    known_by = "three columns without names; the names in the first two recur in different pairs"
    example = "agree triples.txt"

    def choose(self, sources: Sequence[Source]) -> Sequence[Source]:
        """Return the files of triples."""
        return [source for source in sources if _known(source)]

    def read(self, sources: Sequence[Source], export: Export) -> None:
        """Read the triples; columns are named by number."""
        export.note_format("triples without names of columns")
        export.named_by.items, export.named_by.annotators = "2", "1"
        question = export.question("label")
        for source in sources:
            export.begin_file(source, "line")
            for line, (coder, item, label) in headerless_rows(source, _WIDTH, _LIKE):
                missing = label == _MISSING
                export.add(
                    question,
                    item,
                    coder,
                    () if missing else (label,),
                    line,
                    status=Status.SKIPPED if missing else None,
                    fields={"1": coder, "2": item, "3": label},
                )
        columns_named = export.options.item is not None or export.options.annotator is not None
        if not columns_named and len(export.annotators) > len(export.items):
            if not export.is_named:
                _refuse_order(export)
            export.remarks.notice("triples_turned")

    def take(self, sources: Sequence[Source]) -> Sequence[Source]:
        """Return files of triples in which names recur."""
        return [source for source in sources if _recur(headerless_start(source, _WIDTH))]


TOOL = Nltk()


def _refuse_order(export: Export) -> None:
    first, second = len(export.annotators), len(export.items)
    raise IaaError(
        f"triples without column names, whose first column has {first:,} names and the second "
        f"{second:,}: if the first names items, give {keyword('item', '1')} and "
        f"{keyword('annotator', '2')}; if it names annotators, {keyword('format', 'nltk')}"
    )


def _recur(rows: Sequence[Sequence[str]]) -> bool:
    return all(len({row[place] for row in rows}) < len(rows) for place in (0, 1))


def _known(source: Source) -> bool:
    return source.once("triples", lambda: _crossed(source))


def _crossed(source: Source) -> bool:
    start = headerless_start(source, _WIDTH)
    if len(start) < 2 or start[0][0] not in {row[0] for row in start[1:]}:
        return False
    try:
        rows = [row for _, row in headerless_rows(source, _WIDTH, _LIKE)]
    except IaaError:
        rows = list(start)  # reading reports errors
    firsts, seconds = ({row[place] for row in rows} for place in (0, 1))
    pairs = Counter((row[0], row[1]) for row in rows)
    crossed = 2 <= len(firsts) <= len(rows) / 2 and len(seconds) < len(rows)
    return crossed and len(pairs) >= _ONCE * len(rows)
