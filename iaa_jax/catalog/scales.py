"""Verbal scales: conventional words for the size of a coefficient."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from iaa_jax.catalog.works import Sourced


@dataclass(frozen=True)
class Scale(Sourced):
    """Verbal bands for the value of a coefficient, from the worst to the best.

    Attributes
    ----------
    name, title : str
        The name of the option, and the printed title.
    words : tuple of str
        One word or phrase for each band.
    bounds : tuple of float
        The bounds between bands: one fewer than the words.
    closed : tuple of {"left", "right"}
        Whether a bound belongs to the band above it ("left": closed on the left) or below it
        ("right").
    made_for : str
        The coefficients for which it was proposed.
    sources : str
        The publications that define it, by keys of `works.bib`.
    """

    name: str
    title: str
    words: tuple[str, ...]
    bounds: tuple[float, ...]
    closed: tuple[str, ...]
    made_for: str
    sources: str

    def band_of(self, number: float) -> int:
        """Return the index of the band in which a value lies.

        Examples
        --------
        >>> SCALES["landis_koch"].band_of(0.4), SCALES["fleiss"].band_of(0.4)
        (2, 1)
        """
        return sum(
            number >= bound if side == "left" else number > bound
            for bound, side in zip(self.bounds, self.closed, strict=True)
        )


_ROWS = (
    Scale(
        name="landis_koch",
        title="Landis and Koch 1977",
        words=("poor", "slight", "fair", "moderate", "substantial", "almost perfect"),
        bounds=(0.0, 0.2, 0.4, 0.6, 0.8),
        closed=("left", "right", "right", "right", "right"),
        made_for="kappa",
        sources="{landis1977}, p. 165",
    ),
    Scale(
        name="altman",
        title="Altman 1991",
        words=("poor", "fair", "moderate", "good", "very good"),
        bounds=(0.2, 0.4, 0.6, 0.8),
        closed=("right", "right", "right", "right"),
        made_for="kappa",
        sources="{altman1991}, Practical Statistics for Medical Research, p. 404",
    ),
    Scale(
        name="fleiss",
        title="Fleiss 1981",
        words=("poor", "fair to good", "excellent"),
        bounds=(0.4, 0.75),
        closed=("left", "right"),
        made_for="kappa",
        sources="{fleiss1981}; {fleiss2003}, p. 604",
    ),
    Scale(
        name="cicchetti",
        title="Cicchetti and Sparrow 1981",
        words=("poor", "fair", "good", "excellent"),
        bounds=(0.4, 0.6, 0.75),
        closed=("left", "left", "left"),
        made_for="kappa and intraclass correlations",
        sources="{cicchetti1981}; {cicchetti1994}, p. 286",
    ),
    Scale(
        name="krippendorff",
        title="Krippendorff 2004",
        words=("not reliable", "tentative", "reliable"),
        bounds=(0.667, 0.8),
        closed=("left", "left"),
        made_for="alpha",
        sources="{krippendorff2004}, Content Analysis, 2nd edition, p. 241",
    ),
)

SCALES: Mapping[str, Scale] = {scale.name: scale for scale in _ROWS}
"""Every scale by its name."""
