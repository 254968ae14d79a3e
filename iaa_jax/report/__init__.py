"""Tables and records from results: they are given numbers and compute none."""

from __future__ import annotations

from iaa_jax.report.agreement import print_agreement
from iaa_jax.report.catalogue import print_catalogue, print_coefficient
from iaa_jax.report.records import AgreementReport, DataFacts, Row, data_facts, result_rows

__all__ = [
    "AgreementReport",
    "DataFacts",
    "Row",
    "data_facts",
    "print_agreement",
    "print_catalogue",
    "print_coefficient",
    "result_rows",
]
