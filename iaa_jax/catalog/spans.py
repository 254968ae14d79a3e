"""Coefficients for spans: F1 by several kinds of match."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

from iaa_jax.catalog.model import Coefficient, Measure
from iaa_jax.kernels import pair_shares
from iaa_jax.kernels.kernel import Kernel

_KERNELS: Mapping[str, Kernel] = {
    "micro": pair_shares.span_f1,
    "macro": pair_shares.macro_span_f1,
    # the mean over labels, weighted by the spans of both annotators, is the pooled F1
    "weighted": pair_shares.span_f1,
    "pairs": pair_shares.mean_pair_span_f1,
    "documents": pair_shares.mean_document_span_f1,
}
_DUPLICATES = {"set": "", "multiset": " multiset"}
_NO_LABELS = " (labels are ignored, so that no label has an F1 of its own)"


def _measure(compares: str, kernel: Kernel) -> Measure:
    by_pair = kernel.statistics is pair_shares.pair_share_statistics
    by_document = by_pair or kernel.statistics is pair_shares.document_share_statistics
    return Measure(
        kernel, polynomial=False, compares=compares, identified=by_document, by_pair=by_pair
    )


def _by_label(compares: str) -> Measure:
    return Measure(pair_shares.label_span_f1, polynomial=False, compares=compares, per_label=True)


def _varied(measures: Mapping[tuple[str, ...], Measure], *options: str) -> dict[str, Any]:
    usual = next(iter(measures))
    return {
        "measure": measures[usual],
        "variants": {
            option: {
                choices[index]: measure
                for choices, measure in measures.items()
                if choices[:index] + choices[index + 1 :] == usual[:index] + usual[index + 1 :]
            }
            for index, option in enumerate(options)
        },
        "combined": dict(measures),
    }


def _f1(match: str, averages: tuple[str, ...] = tuple(_KERNELS)) -> dict[str, Any]:
    measures: dict[tuple[str, ...], Measure] = {
        (average, duplicates): _measure(match + suffix, _KERNELS[average])
        for average, (duplicates, suffix) in product(averages, _DUPLICATES.items())
    }
    without_labels = averages != tuple(_KERNELS)
    return _varied(measures, "average", "duplicates") | {
        "why_not": {"average": _NO_LABELS} if without_labels else {}
    }


def _gate() -> dict[str, Any]:
    kernels = {**_KERNELS, "pairs": pair_shares.mean_pair_span_f1_of_gate}
    return _varied(
        {
            (credit, average): _measure(f"gate_{credit} multiset", kernel)
            for credit in ("average", "strict", "lenient")
            for average, kernel in kernels.items()
        },
        "credit",
        "average",
    )


_HRIPCSAK = {"sources": "{hripcsak2005}"}
_MUC = {"sources": "{chinchor1993}"}
_GATE = {"sources": "{cunningham2013}"}

_OF_SPANS: dict[str, Any] = {
    "short": "F1",
    "range": "0 to 1",
    "bounds": (0.0, 1.0),
    "undefined": "nobody marked anything in a document that two annotators saw",
    "beyond_chance": False,
    "takes_weights": False,
    "pair_counts": pair_shares.pairs_of_shares,
}

_OF_LABELS: dict[str, Any] = (
    _OF_SPANS
    | _HRIPCSAK
    | {
        "range": "0 to 1, one estimate per label",
        "undefined": "nobody used the label in a document that two annotators saw",
    }
)

ROWS = (
    Coefficient(
        name="span_f1",
        title="Strict F1",
        summary=(
            "Share of marked units that the other annotator of a pair marked too, with the same "
            'label and boundaries (of every part). Called "strict" in Prodigy, nervaluate and '
            'seqeval. In bratiaa it is the F1 of instances; its total is average="pairs" here.'
        ),
        equation="F1 = 2 sum_i w_i sum_ab matches_iab / sum_i w_i sum_ab (units_ia + units_ib)",
        example=0.5,
        **_OF_SPANS | _HRIPCSAK | _f1("strict"),
    ),
    Coefficient(
        name="partial_span_f1",
        within='span_f1(match="partial")',
        title="Partial F1",
        aliases=("type_span_f1",),
        summary=(
            "Like strict F1, but units with the same label match if they overlap: one to one, and "
            "as many as possible, so that the order of spans does not matter. Called "
            '"partial" in Prodigy, and "type" in nervaluate and SemEval 2013, which pair units in '
            "the order of the list and may find fewer matches. What nervaluate calls partial is "
            "half_credit_span_f1."
        ),
        equation=(
            "F1 = 2 sum_i w_i sum_ab most_matches_iab / sum_i w_i sum_ab (units_ia + units_ib)"
        ),
        example=1.0,
        **_OF_SPANS | _HRIPCSAK | _f1("partial"),
    ),
    Coefficient(
        name="boundary_span_f1",
        within='span_f1(match="boundary")',
        title="Boundary F1",
        summary=(
            "Like strict F1, but labels are ignored: the share of units whose boundaries the other "
            'annotator marked too. Called "exact" in nervaluate. A stretch with two labels counts '
            "twice."
        ),
        equation="F1 = 2 sum_i w_i sum_ab matches_iab / sum_i w_i sum_ab (units_ia + units_ib)",
        example=0.5,
        **_OF_SPANS | _HRIPCSAK | _f1("boundary", ("micro", "pairs", "documents")),
    ),
    Coefficient(
        name="token_span_f1",
        within='span_f1(match="token")',
        title="Token F1",
        summary=(
            "Share of positions (tokens or characters) to which the other annotator of a pair gave "
            "the same label. A position in two spans of a label counts twice. This is the token "
            "mode of bratiaa."
        ),
        equation=(
            "F1 = 2 sum_i w_i sum_ab sum_l,t min(n_ialt, n_iblt) / sum_i w_i sum_ab sum_l,t "
            "(n_ialt + n_iblt), n_ialt the spans of label l at position t"
        ),
        example=0.8889,
        **_OF_SPANS | _HRIPCSAK | _f1("token"),
    ),
    Coefficient(
        name="half_credit_span_f1",
        within='span_f1(match="half_credit")',
        title="Half-credit F1",
        summary=(
            "Labels are ignored: as many matches as possible with the same boundaries count 1, "
            "then as many as possible that overlap count 0.5. Called partial in nervaluate, MUC "
            "and SemEval 2013, which pair units in the order of the list and may find fewer "
            "matches."
        ),
        equation=(
            "F1 = 2 sum_i w_i sum_ab (exact_iab + overlapping_iab / 2) / "
            "sum_i w_i sum_ab (units_ia + units_ib)"
        ),
        example=0.75,
        listed="asked",
        **_OF_SPANS | _MUC | _f1("half_credit", ("micro", "pairs", "documents")),
    ),
    Coefficient(
        name="gate_span_f1",
        within='span_f1(match="gate")',
        title="GATE's F1",
        summary=(
            "Matches by GATE's rule: strict, lenient (an overlap is enough) or the average of "
            "both. Pairs of units are taken one after another, in the order of their credit minus "
            "the credit of the pairs they rule out. This can find fewer matches than "
            "partial_span_f1. Ties are decided by overlap and position here, and by the order of "
            "the list in GATE. A unit that is marked twice counts twice. With "
            'average="pairs", two annotators who marked nothing have F1 = 1.'
        ),
        equation=(
            "F1 = 2 sum_i w_i sum_ab (correct_iab + c partial_iab) / "
            "sum_i w_i sum_ab (units_ia + units_ib), c = 1/2, 0 or 1"
        ),
        example=0.75,
        listed="asked",
        **_OF_SPANS | _GATE | _gate(),
    ),
    Coefficient(
        name="label_span_f1",
        within="span_f1(...).label_f1",
        title="F1 by label",
        summary="F1 of the units of each label: strict, partial or by position.",
        equation=(
            "F1_l = 2 sum_i w_i sum_ab matches_iabl / sum_i w_i sum_ab (units_ial + units_ibl)"
        ),
        example=(0.0, 1.0),
        **_OF_LABELS
        | _varied(
            {
                (match, duplicates): _by_label(match + suffix)
                for match, (duplicates, suffix) in product(
                    ("strict", "partial", "token"), _DUPLICATES.items()
                )
            },
            "match",
            "duplicates",
        ),
    ),
    Coefficient(
        name="partial_gain",
        within="span_f1(...).gap",
        title="Partial minus strict F1",
        summary=(
            "Partial F1 minus strict F1: the share of units that overlap a unit with the same "
            "label but other boundaries. If it is large, annotators disagree on boundaries."
        ),
        equation=(
            "2 sum_i w_i sum_ab (most_matches_iab - matches_iab) / "
            "sum_i w_i sum_ab (units_ia + units_ib)"
        ),
        example=0.5,
        listed="asked",
        **_OF_SPANS
        | _HRIPCSAK
        | {"short": "Gain"}
        | _varied(
            {
                (duplicates,): _measure(f"partial_gain{suffix}", pair_shares.span_f1)
                for duplicates, suffix in _DUPLICATES.items()
            },
            "duplicates",
        ),
    ),
    Coefficient(
        name="label_partial_gain",
        within="span_f1(...).label_gap",
        title="Partial minus strict F1 by label",
        summary="Partial F1 minus strict F1 of the units of each label.",
        equation=(
            "2 sum_i w_i sum_ab (most_matches_iabl - matches_iabl) / "
            "sum_i w_i sum_ab (units_ial + units_ibl)"
        ),
        example=(1.0, 0.0),
        listed="asked",
        **_OF_LABELS
        | {"short": "Gain"}
        | _varied(
            {
                (duplicates,): _by_label(f"partial_gain{suffix}")
                for duplicates, suffix in _DUPLICATES.items()
            },
            "duplicates",
        ),
    ),
)

STRICT, PARTIAL = "strict", "partial"
"""The two kinds of match whose difference in F1 shows disagreement on boundaries."""

GAINS = ("partial_gain", "label_partial_gain")
"""The coefficients that measure the difference between partial and strict F1: over all spans, and
by label."""

BY_LABEL = "label_span_f1"
"""The coefficient for F1 by label, with variants for strict, partial and token matches."""

MATCHES: Mapping[str, str] = {
    name.removesuffix("_span_f1") if name != ROWS[0].name else STRICT: name
    for row in ROWS
    for name in row.names
    if "average" in row.variants
} | dict.fromkeys(("gate_strict", "gate_lenient"), "gate_span_f1")
"""The coefficient of each kind of match."""


def credit_of(match: str) -> Mapping[str, str]:
    """Return the option of GATE's F1 that a kind of match names; {} if it names none.

    Examples
    --------
    >>> credit_of("gate_lenient"), credit_of("strict")
    ({'credit': 'lenient'}, {})
    """
    name, _, credit = match.partition("_")
    return {"credit": credit} if name == "gate" and credit else {}


def compared_by(match: str) -> str:
    """Return the comparison of spans that a kind of match uses."""
    row = next(row for row in ROWS if MATCHES[match] in row.names)
    credit = credit_of(match)
    measure = row.variants["credit"][credit["credit"]] if credit else row.measure
    return measure.compares
