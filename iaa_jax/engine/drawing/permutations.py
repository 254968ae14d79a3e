"""Permutations: what is shuffled within groups, and items dealt out into random groups.

Why it is exact. NumPy's ``permutation`` is the shuffle of Fisher and Yates, which gives every order
the same chance. Shuffling each group by itself then gives the same chance to every order that keeps
the groups. Items dealt out in a random order into groups of fixed sizes are samples without
replacement: the counts of a pattern in a group are hypergeometric, those of all patterns
multivariate hypergeometric. Which of several patterns of one coarse pattern an item shows does not
matter to the coarse counts, so that labels drawn for the coarse table serve every finer one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from iaa_jax.engine.drawing.clusters import Clusters
from iaa_jax.engine.drawing.streams import BLOCK, stream
from iaa_jax.engine.drawing.tables import roots_of
from iaa_jax.engine.problem import Integers, PatternTable


def shuffles(
    values: Integers, groups: Sequence[Integers], permutations: int, seed: int
) -> Iterator[Integers]:
    """The values, shuffled within groups of their indices and these one after the other."""
    for number in range(permutations):
        if number % BLOCK == 0:
            rng = stream(seed, number // BLOCK)
        yield np.concatenate([rng.permutation(values[group]) for group in groups])


def random_groups(tables: Sequence[PatternTable], groups: int, seed: int) -> Clusters:
    """Random groups of items, as equal as they can be: each an exact draw without replacement.

    The counts must be whole. Groups of a coarse table do not depend on the finer ones beside it.
    """
    from scipy.sparse import csr_array

    if any(np.any(table.count != np.rint(table.count)) for table in tables):
        message = "random groups of items need items that count once: these have weights"
        raise ValueError(message)
    roots, root_of = roots_of(tables)
    labels = [
        stream(seed, 0, 2 * number, 0).permutation(
            np.arange(round(root.items), dtype=np.intp) % groups
        )
        for number, root in enumerate(roots)
    ]
    matrices = []
    for table, number in zip(tables, root_of, strict=True):
        order = np.arange(len(table.count))
        if table.pattern_of is not None:
            # the items of a coarse pattern stand side by side: the labels are already in any order
            order = np.argsort(table.pattern_of, kind="stable")
        pattern = np.repeat(order, table.count[order].astype(np.intp))
        entries = (np.ones(len(pattern)), (labels[number], pattern))
        matrices.append(csr_array(entries, shape=(groups, len(table.count))))
    return Clusters(tables, matrices)
