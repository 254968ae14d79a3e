"""The two-way bootstrap, which resamples both items and annotators.

Owen, A. B. (2007). The pigeonhole bootstrap. Annals of Applied Statistics 1(2).
https://doi.org/10.1214/07-AOAS122; Owen, A. B. and Eckles, D. (2012). Bootstrapping data arrays of
arbitrary order. Annals of Applied Statistics 6(3). https://doi.org/10.1214/12-AOAS547

The weight of a rating is the product of its item's weight and its annotator's weight, drawn
independently. Only the weights of annotators are drawn here. Their counts are multinomial with
equal shares; their Dirichlet weights are exponential numbers (Gamma of shape 1) divided by their
sum.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from iaa_jax.engine.computing import Computing
from iaa_jax.engine.drawing.resampling import ITEMS, Resampling
from iaa_jax.engine.drawing.streams import BLOCK, Purpose, stream
from iaa_jax.engine.problem import Floats


def annotator_rows(
    annotators: int,
    replicates: int,
    seed: int,
    resampling: Resampling = ITEMS,
    *,
    computing: Computing,
) -> Iterator[Floats]:
    """Yield weights (row, annotator) that add up to the number of annotators, block by block."""
    if (drawer := computing.drawer) is not None:
        yield from drawer.annotators(computing, resampling.weights, annotators, replicates, seed)
        return
    for block in range(-(-replicates // BLOCK)):
        rng = stream(seed, Purpose.ANNOTATORS, block)
        if resampling.weights == "multinomial":
            share = np.full(annotators, 1 / annotators)
            yield rng.multinomial(annotators, share, size=BLOCK).astype(np.float64)
        else:
            drawn = rng.standard_exponential((BLOCK, annotators))
            yield drawn * (annotators / drawn.sum(axis=1, keepdims=True))
