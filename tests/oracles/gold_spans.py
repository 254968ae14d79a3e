"""Gold spans by a slow loop from their definition; units are those of `tests.oracles.spans`.

A span is gold if more than half of the annotators who saw the document marked it. By "partial" the
next span is the one for which most annotators have a unit left, with its label and a place in
common; it takes one unit of each, and the search begins again with what is left.
"""

from __future__ import annotations

from tests.oracles.spans import Documents, Marks, Unit, overlap, touches

Row = tuple[str, Unit, int, int, int]
"""Document, span, and how many marked it, marked it exactly, and saw the document."""


def gold_rows(documents: Documents, match: str) -> list[Row]:
    """Every span that somebody marked, with its counts."""
    rows: list[Row] = []
    for document, by_annotator in documents.items():
        marks = {who: list(dict.fromkeys(units)) for who, units in by_annotator.items()}
        if match == "partial":
            found = _greedy(marks)
        elif match == "strict":
            found = _equal(marks)
        else:
            found = _same_places(marks)
        rows += [(document, *row, len(marks)) for row in found]
    return sorted(rows)


def _equal(marks: dict[str, Marks]) -> list[tuple[Unit, int, int]]:
    spans = {unit for units in marks.values() for unit in units}
    counts = {span: sum(span in units for units in marks.values()) for span in spans}
    return [(span, count, count) for span, count in counts.items()]


def _same_places(marks: dict[str, Marks]) -> list[tuple[Unit, int, int]]:
    found = []
    for parts in {unit[0] for units in marks.values() for unit in units}:
        labels = sorted({u[1] for units in marks.values() for u in units if u[0] == parts})
        by_label = [sum((parts, x) in units for units in marks.values()) for x in labels]
        label = labels[by_label.index(max(by_label))]
        votes = sum(any(unit[0] == parts for unit in units) for units in marks.values())
        found.append(((parts, label), votes, max(by_label)))
    return found


def _greedy(marks: dict[str, Marks]) -> list[tuple[Unit, int, int]]:
    left = {who: list(units) for who, units in marks.items()}
    found = []
    while spans := sorted({unit for units in left.values() for unit in units}):
        best = None
        for span in spans:
            taken = {}
            for who, units in left.items():
                near = [u for u in units if u[1] == span[1] and touches(span, u)]
                if near:
                    taken[who] = min(near, key=lambda u: (u != span, -overlap(span, u), u))
            exact = sum(unit == span for unit in taken.values())
            score = len(taken), exact, sum(overlap(span, unit) for unit in taken.values())
            if best is None or score > best[0]:
                best = score, span, taken
        assert best is not None
        score, span, taken = best
        found.append((span, score[0], score[1]))
        for who, unit in taken.items():
            left[who].remove(unit)
    return found
