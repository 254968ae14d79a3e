"""Documents with spans: what the designs of kinds.py draw from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

import iaa_jax as iaa

LABELS = ("person", "place", "thing", "event")
SHARES = (0.5, 0.3, 0.17, 0.03)
APART = 20
"""Places between the beginnings of two true units."""


@dataclass(frozen=True)
class Texts:
    """Documents with units that annotators find, find with other boundaries, mislabel, or miss.

    Attributes
    ----------
    units : float
        True units of a document, on average.
    uneven : float
        Standard deviation of the logarithm of a document's mean number of units.
    errors : sequence of float
        Of each annotator: the share of units missed; half as many get another boundary, a third
        another label, and half as many units are marked where there is none.
    hard : float
        Standard deviation of the logarithm of what a document's errors are multiplied with.
    """

    units: float
    uneven: float
    errors: Sequence[float]
    hard: float = 0.0

    def __call__(self, stream: np.random.Generator, documents: int) -> xr.Dataset:
        """Draw documents, and what each annotator marks in them."""
        mean = self.units * np.exp(self.uneven * stream.normal(size=documents))
        mean *= np.exp(-(self.uneven**2) / 2)
        document = np.repeat(np.arange(documents), stream.poisson(mean))
        place = np.arange(len(document)) - np.searchsorted(document, document)
        label = stream.choice(len(LABELS), size=len(document), p=SHARES)
        length = stream.integers(1, 6, len(document))
        times = np.exp(self.hard * stream.normal(size=documents))
        parts = [self._seen(documents, len(self.errors))]
        for annotator, error in enumerate(self.errors):
            share = np.minimum(error * times, 0.9)
            missed = stream.random(len(document)) < share[document]
            longer = stream.random(len(document)) < share[document] / 2
            other = stream.random(len(document)) < share[document] / 3
            guess = stream.choice(len(LABELS), size=len(document), p=SHARES)
            start = APART * place
            found = pd.DataFrame(
                {
                    "document": document,
                    "annotator": annotator,
                    "start": start,
                    "end": start + length + longer,
                    "label": np.where(other, guess, label),
                }
            )[~missed]
            extra = np.repeat(np.arange(documents), stream.poisson(mean * share / 2))
            begin = APART * stream.integers(0, 200, len(extra)) + APART // 2
            parts.append(found)
            parts.append(
                pd.DataFrame(
                    {
                        "document": extra,
                        "annotator": annotator,
                        "start": begin,
                        "end": begin + 2,
                        "label": stream.choice(len(LABELS), size=len(extra), p=SHARES),
                    }
                )
            )
        frame = pd.concat(parts, ignore_index=True)
        known = frame["label"].notna()
        frame["label"] = frame["label"].astype(object)
        codes = frame.loc[known, "label"].astype(int)
        frame.loc[known, "label"] = np.array(LABELS, dtype=object)[codes]
        return iaa.from_spans(frame, labels=LABELS)

    @staticmethod
    def _seen(documents: int, annotators: int) -> pd.DataFrame:
        """A row without places for each document and annotator: everybody sees all."""
        seen: dict[str, Any] = {
            "document": np.repeat(np.arange(documents), annotators),
            "annotator": np.tile(np.arange(annotators), documents),
        }
        return pd.DataFrame(seen | dict.fromkeys(("start", "end", "label")))


KINDS = (
    ("usual entities", Texts(6, 0.5, (0.1, 0.15, 0.25), 0.5)),
    ("few entities", Texts(0.8, 0.5, (0.1, 0.15, 0.25), 0.5)),
    ("uneven documents", Texts(6, 1.2, (0.1, 0.15, 0.25), 1.0)),
    ("hardly any errors", Texts(6, 0.5, (0.01, 0.02, 0.02), 0.5)),
    ("two annotators", Texts(6, 0.5, (0.15, 0.25), 0.5)),
    ("far from one another", Texts(6, 0.5, (0.4, 0.5, 0.6), 0.5)),
)
"""What documents are like, and how annotators mark them."""
