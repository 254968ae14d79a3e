"""The words of the page of spans."""

from __future__ import annotations

from iaa_jax.wording import Words

WORDS: Words = {
    "gamma_chance": (
        "Disorder by chance is the mean over {samples:count} chance continua that were drawn, from "
        "which gamma has a standard error of {error:estimate}; intervals are over documents, and "
        "leave it out."
    ),
    "how_far": (
        "Strict F1 (same boundaries and label) is {strict_f1}; partial F1 (same label, a place in "
        "common) is {partial_f1}."
    ),
    "how_far_of_few": (
        "Strict F1 (same boundaries and label) is {strict_f1:estimate}; partial F1 (same label, a "
        "place in common) is {partial_f1:estimate}. {documents:count document} that two annotators "
        "saw {documents:is|are} too few to say how sure that is."
    ),
    "figure": "{estimate:estimate decimals}{ends}",
    "figure_ends": " ({confidence:level} interval {ends:interval decimals})",
    "figure_ends_in_doubt": (
        " ({confidence:level} interval {ends:interval decimals}, in doubt: see below)"
    ),
    "nothing_marked": "Nobody marked anything in a document that two annotators saw.",
    "mostly_boundaries": (
        "Disagreement is mostly about boundaries: {boundaries:share} of the spans meet one with "
        "the same label and other boundaries, {labels:share} one with another label, and "
        "{missed:share} none."
    ),
    "mostly_labels": (
        "Disagreement is mostly about labels: {labels:share} of the spans meet one with another "
        "label, {boundaries:share} one with the same label and other boundaries, and "
        "{missed:share} none."
    ),
    "mostly_missed": (
        "Disagreement is mostly about what to mark at all: {missed:share} of the spans meet none "
        "of the other annotator, {boundaries:share} one with the same label and other boundaries, "
        "and {labels:share} one with another label."
    ),
    "mostly_mixed": (
        "No kind makes most of the disagreement: {boundaries:share} of the spans meet one with the "
        "same label and other boundaries, {labels:share} one with another label, and "
        "{missed:share} none."
    ),
    "most_label": (
        "The largest part of what has no match has the label {label:name} ({share:share}; {title} "
        "{f1:estimate})."
    ),
    "worst_label": (
        "{title} is lowest for the label {label:name}: {f1:estimate}, of {support:count span} on "
        "both sides of all pairs."
    ),
    "worst_annotator": (
        "{title} with the others is lowest for {annotator:name}: {f1:estimate}, in "
        "{documents:count document}."
    ),
    "times_as_many": (
        "{annotator:name} marked {times:estimate 1} times as many spans as the others in the same "
        "documents."
    ),
    "times_as_long": (
        "The spans of {annotator:name} are {times:estimate 1} times as long as those of the others "
        "in the same documents, on average."
    ),
    "places_later": (
        "{share:share} of the spans of {annotator:name} that meet one with the same label have its "
        "length and lie later, mostly by {places:short} {places:place|places}: see first whether "
        "places are counted alike (from 0 or 1; in characters or units of UTF-16)."
    ),
    "places_earlier": (
        "{share:share} of the spans of {annotator:name} that meet one with the same label have its "
        "length and lie earlier, mostly by {places:short} {places:place|places}: see first whether "
        "places are counted alike (from 0 or 1; in characters or units of UTF-16)."
    ),
    "marked_twice": (
        "{spans:count span} that an annotator marked twice with the same label: each counts "
        "{times:once|twice}."
    ),
    "never_met": (
        "{pairs:count pair} of annotators saw no document in common, and {pairs:has|have} no F1."
    ),
    "labels_ignored": "This match has no F1 of each label.",
    "other_documents": (
        "An interval says how far a figure may lie elsewhere in other documents of the same kind, "
        "with the same annotators: not with others, nor under other guidelines."
    ),
    "other_documents_and_annotators": (
        "An interval says how far a figure may lie elsewhere in other documents, and with other "
        "annotators, of the same kind."
    ),
    "gap_title": "Partial less strict",
    "micro": "micro",
    "macro": "macro: mean over labels",
    "weighted": "weighted by support",
    "mean_of_pairs": "mean over pairs",
    "sd_of_pairs": "SD over pairs",
    "gap": "partial less strict",
    "gap_meaning": "what partial F1 gains on strict: high where boundaries are the trouble.",
    "kinds": "For a span, the other has",
    "kind_strict": "the same span",
    "kind_boundaries": "the same label, other boundaries",
    "kind_labels": "another label",
    "kind_missed": "nothing",
    "support": "spans with the label, on both sides of all pairs.",
    "confusion": (
        "Partners: label of the first annotator of a pair (rows) and of the second, as shares of "
        "rows"
    ),
    "none_with_none": "{none:name} with {none:name} is a dash: what nobody marked is not counted.",
    "many_as": "spans for each one of the others in the same documents.",
    "long_as": "the mean length of spans in that of the others.",
    "disputed": "spans that another annotator does not match, the mean over the others.",
    "tokens": "The same documents by token: what stands at each place",
    "labelled": "{label:name}",
    "passages": "The most disputed passages, {shown:count} of {all:count}",
    "passage": (
        "{number:count}. {document:name}, {start:count} to {end:count}: {disputed:short} disputed "
        "{disputed:span|spans} for each pair of annotators"
    ),
    "no_text": (
        "The files hold no text of these documents: what was marked is told by its places."
    ),
    "about": "{names:names 10}: {note}.",
}
