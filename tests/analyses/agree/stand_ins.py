"""Small results made by hand, of the shape that `agreement` and `specific_agreement` give."""

from __future__ import annotations

import math
from dataclasses import replace
from io import StringIO
from typing import Any

import numpy as np
import xarray as xr
from rich.console import Console

from iaa_jax.analyses.agree.page import print_agreement
from iaa_jax.report.records import AgreementReport, DataFacts, Row

FACTS = DataFacts(
    items=1200,
    annotators=3,
    labels=2,
    ratings=3400,
    missing_share=0.0556,
    pairable_items=1150,
    single_rated_items=40,
    unrated_items=10,
    largest_panel=3,
    task="single",
    anonymous=False,
    labels_declared=True,
    label_values=("no", "yes"),
    annotator_names=("ann", "bob", "cleo"),
    read_as="long table",
    skipped="",
)

ROW = Row(
    name="fleiss_kappa",
    title="Fleiss' kappa",
    estimate=0.6123,
    standard_error=0.0456,
    ci_low=0.5211,
    ci_high=0.7019,
    observed=0.8111,
    expected=0.5128,
    code=0,
    reason="",
    interval="bca",
    weights="identity",
    undefined_replicates=0,
)

PROVENANCE = {"confidence": 0.95, "replicates": 2000, "seed": 7}


def undefined(row: Row, reason: str) -> Row:
    nothing = dict.fromkeys(("estimate", "standard_error", "ci_low", "ci_high"), math.nan)
    return replace(row, **nothing, code=2, reason=reason)


def report(*rows: Row, facts: DataFacts = FACTS, **more: Any) -> AgreementReport:
    return AgreementReport(
        data=facts,
        coefficients=rows,
        specific_agreement=more.pop("labels", ()),
        provenance={**PROVENANCE, **more.pop("provenance", {})},
        **more,
    )


def printed(it: AgreementReport, width: int = 80) -> str:
    stream = StringIO()
    console = Console(
        file=stream, width=width, markup=False, emoji=False, highlight=False, _environ={}
    )
    print_agreement(console, it)
    return stream.getvalue()


def flat(text: str) -> str:
    """The text in one line, so that sentences can be found across line ends."""
    return " ".join(text.split())


def result() -> xr.Dataset:
    along = "coefficient"
    return xr.Dataset(
        {
            "estimate": (along, [0.61, np.nan]),
            "observed": (along, [0.81, 1.0]),
            "expected": (along, [0.51, 1.0]),
            "standard_error": (along, [0.04, np.nan]),
            "ci_low": (along, [0.52, np.nan]),
            "ci_high": (along, [0.70, np.nan]),
            "code": (along, [0, 2]),
            "reason": (along, np.array(["", "0/0"])),
            "undefined_replicates": (along, [3, 2000]),
            "interval": (along, np.array(["bca", "bca"])),
            "weights": (along, np.array(["identity", "linear"])),
            "pairs": (along, [-1, 3]),
            "undefined_pairs": (along, [-1, 0]),
        },
        {along: np.array(["fleiss_kappa", "mean_pairwise_cohen_kappa"])},
        {"seed": 0},
    )
