"""Small documents that tests draw: nested, repeated and discontinuous units, empty and unseen."""

from __future__ import annotations

from hypothesis import strategies as st

import iaa_jax as iaa
from tests.oracles.spans import Documents, Unit

LABELS = ("X", "Y", "Z")
PLACES = 7


@st.composite
def units(draw: st.DrawFn) -> Unit:
    """One part, now and then two, rarely without extent."""
    wide = draw(st.integers(0, 9)) > 0
    ends = draw(st.lists(st.integers(0, PLACES), min_size=2, max_size=2, unique=wide).map(sorted))
    parts = [(ends[0], ends[1])]
    if wide and draw(st.integers(0, 3)) == 0:
        gap, size = draw(st.integers(1, 2)), draw(st.integers(1, 2))
        parts.append((ends[1] + gap, ends[1] + gap + size))
    return tuple(parts), draw(st.sampled_from(LABELS[:2]))


marks = st.lists(units(), max_size=4)


@st.composite
def documents(draw: st.DrawFn) -> Documents:
    """Up to three of them, by two or three annotators; two have seen the first."""
    made = {}
    for number in range(draw(st.integers(1, 3))):
        names = draw(st.sampled_from(["ab", "abc", "ac"] + ["c", "bc"] * bool(number)))
        made[f"d{number}"] = {name: draw(marks) for name in names}
    return made


def dataset(made: Documents, **options: object):
    """The same as a Dataset."""
    return iaa.from_spans(
        {
            document: {
                name: [
                    (start, end, label, number)
                    for number, (parts, label) in enumerate(units_of)
                    for start, end in parts
                ]
                for name, units_of in by_name.items()
            }
            for document, by_name in made.items()
        },
        labels=LABELS,
        **options,
    )
