"""The sentences of the page on spans."""

from __future__ import annotations

from iaa_jax.wording import Words

WORDS: Words = {
    "gamma_chance": (
        "Disorder by chance is the mean over {samples:count} random continua, which gives gamma a "
        "standard error of {error:estimate}; intervals are over documents and leave it out."
    ),
    "how_far": (
        "Strict F1 (same boundaries and label) is {strict_f1}. Partial F1 (same label, "
        "overlapping) is {partial_f1}."
    ),
    "how_far_partial": (
        "Partial F1 (same label, overlapping) is {partial_f1}. Strict F1 (same boundaries and "
        "label) is {strict_f1}."
    ),
    "how_far_of_few": (
        "Strict F1 (same boundaries and label) is {strict_f1:estimate}. Partial F1 (same label, "
        "overlapping) is {partial_f1:estimate}. {documents:count document} seen by two annotators "
        "{documents:is|are} too few to show how certain these figures are."
    ),
    "measured_ends": (
        "Spans end at measured places, such as times, and these are hardly ever equal: strict F1 "
        "is near 0 however well annotators agree. Judge by partial F1, token F1 or gamma "
        "({coefficients:option =partial_span_f1,token_span_f1,gamma})."
    ),
    "figure": "{estimate:estimate decimals}{ends}",
    "figure_ends": " ({confidence:level} interval {ends:interval decimals})",
    "figure_ends_in_doubt": (
        " ({confidence:level} interval {ends:interval decimals}, in doubt: {why})"
    ),
    "nothing_marked": "Nobody marked anything in a document that two annotators saw.",
    "mostly_boundaries": (
        "Disagreement is mostly about boundaries: {boundaries:share} of spans differ in "
        "boundaries, {labels:share} in the label, {missed:share} overlap no span of the "
        "other annotator{also_taken}."
    ),
    "mostly_labels": (
        "Disagreement is mostly about labels: {labels:share} of spans differ in the label, "
        "{boundaries:share} in boundaries, {missed:share} overlap no span of the "
        "other annotator{also_taken}."
    ),
    "mostly_missed": (
        "Disagreement is mostly about what to mark: {missed:share} of spans overlap no span of the "
        "other annotator, {boundaries:share} differ in boundaries, {labels:share} in the "
        "label{also_taken}."
    ),
    "mostly_taken": (
        "Disagreement is mostly about how spans divide or nest: {taken:share} of spans overlap "
        "only spans that are matched with a different span, {boundaries:share} differ in "
        "boundaries, {labels:share} in the label, {missed:share} overlap no span of the other "
        "annotator."
    ),
    "also_taken": ", {share:share} overlap only spans that are matched with a different span",
    "mostly_mixed": (
        "Disagreement is of several kinds: {boundaries:share} of spans differ in boundaries, "
        "{labels:share} in the label, {missed:share} overlap no span of the other "
        "annotator{also_taken}."
    ),
    "most_label": (
        "The label with the most spans that {title} does not match is {label:quoted} "
        "({share:share} of them; {title} {f1:estimate})."
    ),
    "worst_label": (
        "{title} is lowest for the label {label:quoted}{often}: {f1:estimate}{ends}, on "
        "{support:count span} (counted on both sides of all pairs)."
    ),
    "worst_of_often": ", of those with {least:count span} or more",
    "worst_annotator": (
        "{title} with the others is lowest for {annotator:name}{among}: {f1:estimate} in "
        "{documents:count document}."
    ),
    "worst_of_enough": (
        ", of those who marked {least:count span} or more in {documents:count document} or more"
    ),
    "times_as_many": (
        "{annotator:name} marked {times:estimate 1} times as many spans as the others in the same "
        "documents."
    ),
    "times_as_long": (
        "The spans of {annotator:name} are on average {times:estimate 1} times as long as those of "
        "the others in the same documents."
    ),
    "places_later": (
        "{share:share} of the overlapping spans of {annotator:name} lie later than the others' "
        "of equal length, mostly by {places:short} {places:position|positions}: check first that "
        "all annotators' positions are counted in the same way (from 0 or 1; in characters or "
        "UTF-16 units)."
    ),
    "places_earlier": (
        "{share:share} of the overlapping spans of {annotator:name} lie earlier than the others' "
        "of equal length, mostly by {places:short} {places:position|positions}: check first that "
        "all annotators' positions are counted in the same way (from 0 or 1; in characters or "
        "UTF-16 units)."
    ),
    "marked_twice": (
        "{spans:count span} that an annotator marked twice with the same label: each counts "
        "{times:once|twice}."
    ),
    "never_met": (
        "{pairs:count pair} of annotators shared no document and {pairs:has|have} no F1."
    ),
    "labels_ignored": "This match ignores labels, so there is no F1 by label.",
    "other_documents": (
        "Intervals are for other documents of this kind with these annotators and guidelines."
    ),
    "other_documents_and_annotators": (
        "Intervals are for other documents and other annotators of this kind."
    ),
    "gap_title": "Partial gain",
    "micro": "micro",
    "macro": "macro: mean over labels",
    "mean_of_documents": "mean over documents",
    "weighted": "weighted by support",
    "mean_of_pairs": "mean over pairs",
    "sd_of_pairs": "SD over pairs",
    "gap": "gain from partial matching",
    "kinds": "The other annotator has",
    "kind_strict": "the same span",
    "kind_boundaries": "the same label, other boundaries",
    "kind_labels": "another label",
    "kind_missed": "nothing",
    "kind_taken": "only spans that are matched with a different span",
    "confusion": (
        "Spans by the label of the first annotator of a pair (rows) and of the second "
        "(columns), as shares of each row"
    ),
    "none_with_none": (
        "{none:name}: the other annotator marked nothing there, or only spans that are matched "
        "with a different span."
    ),
    "none_with_none_strict": (
        "{none:name}: the other annotator has no span with these boundaries, whatever its label."
    ),
    "tokens": "Labels of single tokens",
    "passages": "The most disputed passages, {shown:count} of {all:count}",
    "passage": (
        "{number:count}. {document:name}, {start:count} to {end:count}: {disputed:estimate 1} "
        "disputed spans for each pair of annotators{part}"
    ),
    "part_of_passage": "; here {start:count} to {end:count}",
    "no_text": "The files contain the positions of the spans, but not the text of the documents.",
    "about_names": "{names:names 10}: {note}.",
    "summed_first": (
        "{title}: matches and misses are summed over all documents and pairs of annotators first "
        "(micro), so long documents and documents seen by many annotators weigh more."
    ),
    "next_of_spans": (
        "Next: {iaa:spans --show 5 --question {question}} shows the most disputed passages; "
        "{iaa:labels --question {question}} shows which labels are confused; {iaa:annotators "
        "--question {question}} shows who disagrees."
    ),
}
