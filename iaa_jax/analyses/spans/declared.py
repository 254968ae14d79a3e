"""Variables of agreement on spans, declared once."""

from __future__ import annotations

from iaa_jax.measure.figures import FIGURES
from iaa_jax.wording.figures import ERROR_AND_ENDS, MEANT, Figure

SCALARS = (
    *(figure for figure in FIGURES if figure.name not in ("pairs", "undefined_pairs")),
    Figure("f1", "F1 from sums over labels and pairs", beside=ERROR_AND_ENDS),
    Figure("macro_f1", "mean F1 over the labels in use", beside=ERROR_AND_ENDS),
    Figure(
        "weighted_f1",
        "mean of the labels' F1, weighted by support; it equals ``f1``, because support counts "
        "the spans of both annotators",
        beside=ERROR_AND_ENDS,
    ),
    Figure(
        "strict_f1", "F1 if spans match by boundaries and label", beside=(*ERROR_AND_ENDS, "doubt")
    ),
    Figure(
        "partial_f1",
        "F1 if spans match by label and a common position",
        beside=(*ERROR_AND_ENDS, "doubt"),
    ),
    Figure("gap", "``partial_f1`` minus ``strict_f1``", beside=ERROR_AND_ENDS),
    Figure("mean_pair_f1", "mean F1 over pairs of annotators"),
    Figure(
        "mean_document_f1",
        "mean over documents of the mean F1 over pairs of annotators, 1 for a pair that marked "
        "nothing: what Label Studio calls task agreement, with F1 as its metric",
    ),
    Figure("sd_pair_f1", "standard deviation of F1 over pairs (dividing by their number)"),
    Figure(
        "boundaries_share",
        "share of all spans whose counterpart has the same label and other boundaries; "
        "this share, the next three and ``strict_f1`` sum to 1",
        "share",
    ),
    Figure("labels_share", "spans whose counterpart has another label", "share"),
    Figure("missed_share", "spans that overlap no span of the other annotator", "share"),
    Figure("taken_share", "spans that overlap only spans which have other counterparts", "share"),
)
"""Variables of the whole result."""

LABELS = (
    Figure(
        "label_f1",
        "F1 of the label; NaN if the match ignores labels",
        heading="F1",
        beside=ERROR_AND_ENDS,
    ),
    Figure(
        "label_gap",
        "gain of the label's F1 from partial matching",
        beside=ERROR_AND_ENDS,
        footnote=MEANT,
    ),
    Figure(
        "support",
        "spans with the label, by both annotators of each pair",
        "count",
        "Support",
        footnote=MEANT,
    ),
    Figure(
        "label_unmatched",
        'spans with the label and without a match; for "token", positions',
        "count",
    ),
)
"""Variables along labels."""

CONFUSION = (
    Figure(
        "confusion",
        "spans of the first annotator of each pair, by label and by label of the counterpart, "
        "``NONE`` for spans without a counterpart",
        "count",
    ),
    Figure("confusion_share", "each count as a share of its row", "share"),
)
"""Variables along pairs of labels."""

PAIRS = (
    Figure("first", "the first annotator of the pair", "label", "First"),
    Figure("second", "the other annotator", "label", "Second"),
    Figure("pair_f1", "F1 of the two annotators", heading="F1"),
    Figure("pair_documents", "documents that both annotators saw", "count", "Documents"),
    Figure("n_a", "spans of the first annotator in these documents", "count"),
    Figure("n_b", "spans of the second annotator in these documents", "count"),
    Figure("tp", "matched pairs of spans", "count", "Shared"),
    Figure("fp", "spans of the first annotator without a match", "count", "First only"),
    Figure("fn", "spans of the second annotator without a match", "count", "Second only"),
)
"""Variables along pairs of annotators."""

ANNOTATORS = (
    Figure("annotator_f1", "F1 with all other annotators", heading="F1 with others"),
    Figure("annotator_documents", "documents that the annotator saw", "count", "Documents"),
    Figure("annotator_spans", "spans that the annotator marked", "count", "Spans"),
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
"""Variables along annotators."""

DOCUMENTS = (
    Figure("document_f1", "F1 of the document", heading="F1"),
    Figure("document_annotators", "annotators who saw the document", "count", "Annotators"),
    Figure("document_spans", "spans that they marked", "short", "Spans"),
    Figure(
        "document_disputed",
        "spans without a match, averaged over the other annotators",
        heading="Disputed spans",
        decimals=1,
        footnote=MEANT,
    ),
)
"""Variables along documents."""

PASSAGES = (
    Figure("document", "the document", "label"),
    Figure("start", "where the disputed spans begin", "count"),
    Figure("end", "where the disputed spans end", "count"),
    Figure(
        "disputed", "number of disputed spans per pair of annotators who saw the document", "short"
    ),
    Figure("pairs", "pairs of annotators who saw the document", "count"),
    Figure("seen", "whether an annotator saw the document (also along ``annotator``)"),
    Figure(
        "text",
        "the passage in its context, or part of a long passage; empty if the text is unknown",
        "text",
    ),
    Figure("text_begins", "position in the document where the text begins", "count"),
    Figure("text_ends", "where this text ends", "count"),
    Figure("text_goes_on", "whether the document continues after this text"),
)
"""Variables along disputed passages."""

MARKS = (
    Figure("passage_of", "index of the passage, counted from 0", "count"),
    Figure("mark_annotator", "the annotator who marked the span", "label"),
    Figure("mark_label", "the label of the span", "label"),
    Figure("mark_start", "where this part of the span begins", "count"),
    Figure("mark_end", "where this part of the span ends", "count"),
    Figure("unit_of", "index of the span to which the part belongs", "count"),
    Figure("is_disputed", "whether another annotator did not mark this span"),
    Figure("text_from", "first character of the part in the text of the passage", "count"),
    Figure("text_to", "first character after the part", "count"),
)
"""Variables along the parts of the spans marked in the passages."""

GAMMA = (
    *FIGURES,
    Figure("observed_disorder", "disorder of the best alignments, in units of delta"),
    Figure("expected_disorder", "disorder by chance, in units of delta"),
    Figure("chance_error", "standard error of gamma due to the finite number of chance continua"),
    Figure("chance_precision", "precision with which the expected disorder is known"),
    Figure("samples", "number of chance continua drawn", "count"),
    Figure(
        "gamma_cat", "gamma-cat: agreement on the labels of aligned units", beside=ERROR_AND_ENDS
    ),
)
"""Variables of gamma."""

GAMMA_OF_LABELS = (
    Figure("gamma_k", "gamma-k: gamma-cat of aligned pairs with the label", beside=ERROR_AND_ENDS),
)
"""Variables along labels."""

GAMMA_OF_DOCUMENTS = (
    Figure("document_gamma", "gamma of the document alone"),
    Figure("document_observed_disorder", "disorder of the best alignment, in units of delta"),
    Figure("document_expected_disorder", "disorder by chance, in units of delta"),
    Figure(
        "document_chance_error",
        "standard error of the document's gamma due to the finite number of chance continua",
    ),
    Figure("document_units", "units marked in the document", "count"),
    Figure("document_samples", "chance continua drawn for the document", "count"),
)
"""Variables along documents."""

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
"""Variables of each part of the JSON record, by name."""
