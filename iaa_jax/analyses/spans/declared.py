"""Figures of agreement on spans, declared once."""

from __future__ import annotations

from iaa_jax.measure.figures import FIGURES
from iaa_jax.wording.figures import ERROR_AND_ENDS, MEANT, Figure

SCALARS = (
    *(figure for figure in FIGURES if figure.name not in ("pairs", "undefined_pairs")),
    Figure("f1", "sums over labels and pairs first, then the ratio", beside=ERROR_AND_ENDS),
    Figure("macro_f1", "mean over labels that anybody used", beside=ERROR_AND_ENDS),
    Figure(
        "weighted_f1",
        "mean of the labels' F1, weighted by support: the same as ``f1``, as support counts both "
        "sides of a pair",
        beside=ERROR_AND_ENDS,
    ),
    Figure("strict_f1", "by boundaries and label", beside=(*ERROR_AND_ENDS, "doubt")),
    Figure("partial_f1", "by label and a place in common", beside=(*ERROR_AND_ENDS, "doubt")),
    Figure("gap", "what partial gains on strict", beside=ERROR_AND_ENDS),
    Figure("mean_pair_f1", "mean over pairs of annotators"),
    Figure(
        "mean_document_f1",
        "mean over documents of the mean over their pairs, 1 where two marked nothing: the task "
        "agreement of Label Studio with F1",
    ),
    Figure("sd_pair_f1", "standard deviation over pairs (population)"),
    Figure(
        "boundaries_share",
        "spans without a strict match whose counterpart has other boundaries, of all spans; with "
        "the next three and ``strict_f1`` the shares make 1",
        "share",
    ),
    Figure("labels_share", "spans whose counterpart has another label", "share"),
    Figure("missed_share", "spans that overlap no span of the other annotator", "share"),
    Figure("taken_share", "spans that overlap only spans with another counterpart", "share"),
)
"""Figures of the whole result."""

LABELS = (
    Figure("label_f1", "of the label; NaN if there is none", heading="F1", beside=ERROR_AND_ENDS),
    Figure("label_gap", "gain of F1 from partial matching", beside=ERROR_AND_ENDS, footnote=MEANT),
    Figure("support", "spans with it, on both sides of pairs", "count", "Support", footnote=MEANT),
    Figure("label_unmatched", 'those without a match; places by "token"', "count"),
)
"""Figures along labels."""

CONFUSION = (
    Figure(
        "confusion",
        "spans of the first annotator of each pair, by label and by label of the counterpart, "
        "``NONE`` where there is none",
        "count",
    ),
    Figure("confusion_share", "the share of its row", "share"),
)
"""Figures along pairs of labels; counterparts have equal boundaries, or overlap (other matches)."""

PAIRS = (
    Figure("first", "an annotator", "label", "First"),
    Figure("second", "another", "label", "Second"),
    Figure("pair_f1", "of the two", heading="F1"),
    Figure("pair_documents", "documents that both saw", "count", "Documents"),
    Figure("n_a", "spans of the first there", "count"),
    Figure("n_b", "spans of the second", "count"),
    Figure("tp", "matches", "count", "Shared"),
    Figure("fp", "spans of the first without one", "count", "First only"),
    Figure("fn", "spans of the second without one", "count", "Second only"),
)
"""Figures along pairs of annotators."""

ANNOTATORS = (
    Figure("annotator_f1", "with all others", heading="F1 with others"),
    Figure("annotator_documents", "documents shared with others", "count", "Documents"),
    Figure("annotator_spans", "spans there", "count", "Spans"),
    Figure(
        "times_as_many",
        "ratio of the annotator's number of spans to the others', in the same documents",
        heading="Spans vs. others",
        decimals=2,
        footnote=MEANT,
    ),
    Figure(
        "times_as_long",
        "ratio of the mean length of the annotator's spans to the others', in the same documents",
        heading="Length vs. others",
        decimals=2,
        footnote=MEANT,
    ),
)
"""Figures along annotators."""

DOCUMENTS = (
    Figure("document_f1", "of the document", heading="F1"),
    Figure("document_annotators", "annotators who saw it", "count", "Annotators"),
    Figure("document_spans", "spans that they marked", "short", "Spans"),
    Figure(
        "document_disputed",
        "spans without a match, mean over the other annotators",
        heading="Disputed spans",
        decimals=1,
        footnote=MEANT,
    ),
)
"""Figures along documents."""

PASSAGES = (
    Figure("document", "the document", "label"),
    Figure("start", "where the disputed spans begin", "count"),
    Figure("end", "where it ends", "count"),
    Figure("disputed", "disputed spans, over pairs of annotators who saw the document", "short"),
    Figure("pairs", "these pairs", "count"),
    Figure("seen", "whether an annotator saw the document (also along ``annotator``)"),
    Figure(
        "text",
        "the passage in its context, or part of a long one; empty where it is not known",
        "text",
    ),
    Figure("text_begins", "where that begins", "count"),
    Figure("text_ends", "where it ends", "count"),
    Figure("text_goes_on", "whether the document's text goes on after it"),
)
"""Figures along disputed passages."""

MARKS = (
    Figure("passage_of", "the passage, from 0", "count"),
    Figure("mark_annotator", "who marked it", "label"),
    Figure("mark_label", "as what", "label"),
    Figure("mark_start", "where the part begins", "count"),
    Figure("mark_end", "where it ends", "count"),
    Figure("unit_of", "number of the span it belongs to", "count"),
    Figure("is_disputed", "whether another annotator lacks this span"),
    Figure("text_from", "the first of its characters in the text of the passage", "count"),
    Figure("text_to", "the first behind them", "count"),
)
"""Figures along the spans marked there, part by part."""

GAMMA = (
    *FIGURES,
    Figure("observed_disorder", "in units of delta"),
    Figure("expected_disorder", "that by chance, in units of delta"),
    Figure("chance_error", "standard error of gamma due to the draws of chance"),
    Figure("chance_precision", "the precision of the expected disorder that was reached"),
    Figure("samples", "chance continua that were drawn", "count"),
    Figure("gamma_cat", "gamma-cat: of the labels of aligned units", beside=ERROR_AND_ENDS),
)
"""Figures of gamma."""

GAMMA_OF_LABELS = (
    Figure("gamma_k", "gamma-k: gamma-cat of aligned pairs with the label", beside=ERROR_AND_ENDS),
)
"""Figures along labels."""

GAMMA_OF_DOCUMENTS = (
    Figure("document_gamma", "gamma of the document alone"),
    Figure("document_observed_disorder", "in units of delta"),
    Figure("document_expected_disorder", "that by chance, in units of delta"),
    Figure("document_chance_error", "standard error of its gamma due to the draws of chance"),
    Figure("document_units", "units that were marked in it", "count"),
    Figure("document_samples", "chance continua that were drawn for it", "count"),
)
"""Figures along documents."""

IN_JSON = {
    "span_f1": SCALARS,
    "span_f1.labels": LABELS,
    "span_f1.label_as": CONFUSION,
    "span_f1.pairs": PAIRS,
    "span_f1.annotators": ANNOTATORS,
    "span_f1.documents": DOCUMENTS,
    "passages.passages": PASSAGES,
    "passages.marks": MARKS,
}
"""Figures of each part of the JSON record, by name."""
