"""Alpha for units, place by place.

Krippendorff, K. (1995). On the reliability of unitizing continuous data. Sociological Methodology
25, 47-76. doi:10.2307/271061. Krippendorff, K., Mathet, Y., Bouvry, S. and Widlocher, A. (2016).
On the reliability of unitizing textual continua: further developments. Quality and Quantity 50,
2347-2364. doi:10.1007/s11135-015-0266-1.

Documents are pairs of a length and the units (start, end, label) of each annotator who saw it;
those that one annotator saw are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

Unit = tuple[int, int, str]
Document = tuple[int, dict[str, list[Unit]]]
NAN = float("nan")


def with_pairs(documents: Sequence[Document]) -> list[Document]:
    return [(length, marked) for length, marked in documents if len(marked) >= 2]


def labels_of(documents: Sequence[Document]) -> list[str]:
    used = {unit[2] for _, marked in documents for units in marked.values() for unit in units}
    return sorted(used)


def sections(length: int, units: list[Unit], label: str) -> list[tuple[int, int, bool]]:
    """Units of the label and the gaps between them, in order: start, end, whether it is a unit."""
    found = []
    reached = 0
    for start, end, own in sorted(units):
        if own != label:
            continue
        if start > reached:
            found.append((reached, start, False))
        found.append((start, end, True))
        reached = end
    if reached < length:
        found.append((reached, length, False))
    return found


def difference(g: tuple[int, int, bool], h: tuple[int, int, bool]) -> int:
    """The squared difference of two sections of different annotators."""
    if g[2] and h[2] and g[0] < h[1] and h[0] < g[1]:
        return (g[0] - h[0]) ** 2 + (g[1] - h[1]) ** 2
    if g[2] and not h[2] and h[0] <= g[0] and g[1] <= h[1]:
        return (g[1] - g[0]) ** 2
    if h[2] and not g[2] and g[0] <= h[0] and h[1] <= g[1]:
        return (h[1] - h[0]) ** 2
    return 0


def alpha_u_of_label(documents: Sequence[Document], label: str) -> tuple[float, float]:
    """Observed and expected disagreement of one label, in squares of a mean length."""
    known = with_pairs(documents)
    mean_length = sum(length for length, _ in known) / len(known)
    places = sum(length * len(marked) for length, marked in known)
    observed = 0.0
    everything = []
    for length, marked in known:
        of = {who: sections(length, units, label) for who, units in marked.items()}
        everything += [section for each in of.values() for section in each]
        pairs = list(permutations(of, 2))
        differ = sum(difference(g, h) for a, b in pairs for g in of[a] for h in of[b])
        observed += len(marked) * differ / len(pairs)
    units = [end - start for start, end, unit in everything if unit]
    gaps = [end - start for start, end, unit in everything if not unit]
    differ_by_chance = 0
    for place, extent in enumerate(units):
        for other in range(len(units)):
            if other != place:  # as far apart as they can be and still meet
                differ_by_chance += sum(apart**2 for apart in range(-extent + 1, extent))
        for gap in gaps:
            for _ in range(gap - extent + 1):  # every place in the gap
                differ_by_chance += extent**2
    ways = places * (places - 1) - sum(extent * (extent - 1) for extent in units)
    return observed / places / mean_length, 2 * differ_by_chance / ways / mean_length


def alpha_u(documents: Sequence[Document]) -> float:
    """1 less observed over expected disagreement, each added up over the labels used."""
    both = [alpha_u_of_label(documents, label) for label in labels_of(with_pairs(documents))]
    expected = sum(each[1] for each in both)
    return 1 - sum(each[0] for each in both) / expected if expected else NAN


def values(length: int, units: list[Unit], binary: bool) -> list[tuple[object, object]]:
    """For each place its value, and what tells its unit from others; None for gaps."""
    found: list[tuple[object, object]] = [(None, None)] * length
    for unit in units:
        for place in range(unit[0], unit[1]):
            found[place] = ("unit" if binary else unit[2], unit)
    return found


def u_alpha(documents: Sequence[Document], binary: bool = False) -> float:
    """Places of two annotators, and all places but those of the same unit."""
    places = []
    coincidences = differing = 0.0
    for number, (length, marked) in enumerate(with_pairs(documents)):
        of = {who: values(length, units, binary) for who, units in marked.items()}
        for who, row in of.items():
            for place, (value, unit) in enumerate(row):
                key = (number, who, place) if unit is None else (number, who, unit)
                places.append((value, key))
        for a, b in permutations(of, 2):
            for one, other in zip(of[a], of[b], strict=True):
                coincidences += 1 / (len(of) - 1)
                differing += (one[0] != other[0]) / (len(of) - 1)
    pairs = [(one, other) for one in places for other in places if one[1] != other[1]]
    unlike = sum(one[0] != other[0] for one, other in pairs)
    return 1 - differing / coincidences / (unlike / len(pairs)) if unlike else NAN


def _met(documents: Sequence[Document]) -> Iterator[tuple[tuple[int, str, Unit], str, int, float]]:
    """Each place where units of two annotators meet: the one's unit, the other's label, weight."""
    for number, (length, marked) in enumerate(with_pairs(documents)):
        of = {who: values(length, units, False) for who, units in marked.items()}
        for a, b in permutations(of, 2):
            for place in range(length):
                (one, unit), (other, _) = of[a][place], of[b][place]
                if one is not None and other is not None:
                    yield (number, a, unit), other, place, 1 / (len(of) - 1)


def cu_alpha(documents: Sequence[Document], label: str | None = None) -> float:
    """Of places that both gave a label; of one label against the others if one is named."""
    met = list(_met(documents))
    whole = sum(weight for *_, weight in met)
    labels = sorted({unit[2][2] for unit, *_ in met})
    length = {each: sum(w for unit, _, _, w in met if unit[2][2] == each) for each in labels}
    mine = labels if label is None else [label]
    parts: dict[object, set[int]] = {}
    for unit, _, place, _ in met:
        parts.setdefault(unit, set()).add(place)
    alike = sum(len(there) ** 2 for unit, there in parts.items() if unit[2][2] in mine)
    own = sum(length.get(each, 0) for each in mine)
    if not own:
        return NAN
    differing = sum(w for unit, other, _, w in met if unit[2][2] in mine and other != unit[2][2])
    by_chance = sum(length[each] * (whole - length[each]) for each in mine)
    if not by_chance:
        return 1.0
    return 1 - differing / own / (by_chance / (own * whole - alike))


def coverage(documents: Sequence[Document], label: str) -> float:
    """Share of a label's length that is met."""
    known = with_pairs(documents)
    marked = [unit for _, of in known for units in of.values() for unit in units]
    length = sum(end - start for start, end, own in marked if own == label)
    return sum(w for unit, _, _, w in _met(known) if unit[2][2] == label) / length
