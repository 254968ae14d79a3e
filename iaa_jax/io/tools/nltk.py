"""NLTK: triples of coder, item and label without a line of names, as `AnnotationTask` takes them.

The coder comes first; where items do, the triples look the same, and only the counts may tell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from iaa_jax._errors import IaaError
from iaa_jax.io.export.answers import Status
from iaa_jax.io.export.bare import bare_rows, bare_start
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.table.source import Source

_WIDTH, _LIKE = 3, "coder1\titem7\tyes"
_MISSING = "None"
_ONCE = 0.9  # of the rows, at least, rate an item by a coder for the first time


class Nltk:
    """Reads triples of NLTK."""

    name = "nltk"
    title = "NLTK"
    summary = "NLTK: triples of coder, item and label, a line each, without a line of names"
    known_by = "three columns without names, the first two of which recur in each other's rows"
    example = "agree triples.txt"

    def choose(self, sources: Sequence[Source]) -> Sequence[Source]:
        """The files of triples."""
        return [source for source in sources if _known(source)]

    def read(self, sources: Sequence[Source], export: Export) -> None:
        """Read the triples; columns are named by their number."""
        export.wrote("triples without names of columns")
        export.items_from, export.annotators_from = "2", "1"
        question = export.ask("label")
        for source in sources:
            export.enter(source, "line")
            for line, (coder, item, label) in bare_rows(source, _WIDTH, _LIKE):
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
        named = export.options.item is not None or export.options.annotator is not None
        if not named and len(export.annotators) > len(export.items):
            export.notice("triples_turned")


TOOL = Nltk()


def _known(source: Source) -> bool:
    """Whether rows are triples: two columns name who and what, each more than once."""
    return source.once("triples", lambda: _crossed(source))


def _crossed(source: Source) -> bool:
    start = bare_start(source, _WIDTH)
    if len(start) < 2 or start[0][0] not in {row[0] for row in start[1:]}:
        return False
    try:
        rows = [row for _, row in bare_rows(source, _WIDTH, _LIKE)]
    except IaaError:
        rows = list(start)  # what is wrong is said when it is read
    firsts, seconds = ({row[place] for row in rows} for place in (0, 1))
    pairs = Counter((row[0], row[1]) for row in rows)
    crossed = 2 <= len(firsts) <= len(rows) / 2 and len(seconds) < len(rows)
    return crossed and len(pairs) >= _ONCE * len(rows)
