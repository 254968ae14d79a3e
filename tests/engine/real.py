"""Ratings for the engine tests: the packaged demo data, and made ones."""

from __future__ import annotations

from importlib import resources

import numpy as np
import pandas as pd
import xarray as xr

import iaa_jax as iaa
from iaa_jax.engine import Prepared
from iaa_jax.measure.options.label_options import LabelOptions
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.request import Request
from iaa_jax.measure.requests.resolver import Resolver


def demo() -> xr.Dataset:
    """PandaLM: 999 items, three people and two language models, some gaps."""
    with resources.files("iaa_jax.demo").joinpath("pandalm.csv").open(encoding="utf-8") as file:
        frame = pd.read_csv(file, dtype=str).set_index("item")
    return iaa.from_wide(frame, labels=["1", "2", "tie"])


def made(items: int = 60, annotators: int = 4, labels: int = 3, seed: int = 0) -> xr.Dataset:
    """Numbers as labels, gaps, disagreement."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(1, labels + 1, items)
    guess = rng.integers(1, labels + 1, (items, annotators))
    codes = np.where(rng.random((items, annotators)) < 0.7, truth[:, None], guess).astype(float)
    codes[rng.random(codes.shape) < 0.15] = np.nan
    codes[0] = np.arange(annotators) % labels + 1
    return iaa.from_wide(codes, labels=list(range(1, labels + 1)))


def asked(ratings: xr.Dataset, *, p: float = 1.0, **options: str) -> list[Request]:
    """Return all coefficients that apply, including those listed only for other ratings."""
    resolver = Resolver(Rated.of(ratings), LabelOptions(**options, p=p))
    names = list(dict.fromkeys([*resolver.applicable(), "scott_pi", "gwet_ac2"]))
    return [resolver.request(name) for name in names]


def prepared(ratings: xr.Dataset, **options: str) -> Prepared:
    """Prepare the problems of all coefficients."""
    return Prepared([one.problem for one in asked(ratings, **options)])
