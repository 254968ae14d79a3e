"""The words of findings: a sentence for each kind of cause."""

from __future__ import annotations

from iaa_jax.wording import Words, joined
from iaa_jax.wording.times import TIMES

KINDS: Words = {
    "exchanged_labels": (
        "{annotator:name} seems to have exchanged {label:quoted} and {other_label:quoted} "
        "({items:count rating}): exchanged back, {annotator:name} agrees in {then:share} of "
        "comparisons instead of {agreement:share}.{mended}"
    ),
    "one_for_another": (
        "{annotator:name} gives {label:quoted} where the others give {other_label:quoted} "
        "({items:count item}).{mended}"
    ),
    "favours_label": (
        "{annotator:name} favours {label:quoted}: {share:share} of the ratings, and "
        "{of_others:share} by the others of the same items.{mended}"
    ),
    "guesses": (
        "{annotator:name} agrees with the others in {agreement:share} of comparisons, and they "
        "with one another in {among_others:share}: as if {guessed:share} of the ratings were "
        "guessed.{mended}"
    ),
    "guesses_numbers": (
        "{annotator:name} is farther from the others than they are from one another: by "
        "{apart:short} on average, they by {among:short}.{mended}"
    ),
    "guesses_spans": (
        "{annotator:name} marks otherwise than the others: F1 with them is {agreement:share} on "
        "average, among them {among_others:share}.{mended}"
    ),
    "marks_less": (
        "{annotator:name} marks less than the others: {share:short} spans a document, they "
        "{of_others:short} in the same documents.{mended}"
    ),
    "marks_more": (
        "{annotator:name} marks more than the others: {share:short} spans a document, they "
        "{of_others:short} in the same documents.{mended}"
    ),
    "shorter_spans": (
        "The spans of {annotator:name} are shorter than the others': {share:short} on average, "
        "theirs {of_others:short}.{mended}"
    ),
    "longer_spans": (
        "The spans of {annotator:name} are longer than the others': {share:short} on average, "
        "theirs {of_others:short}.{mended}"
    ),
    "leaves_label_out_spans": (
        "{annotator:name} leaves {label:quoted} out: {share:short} spans with it a document, by "
        "the others {of_others:short} in the same documents.{mended}"
    ),
    "adds_label_spans": (
        "{annotator:name} gives {label:quoted} more freely than the others: {share:short} spans "
        "with it a document, by the others {of_others:short} in the same documents.{mended}"
    ),
    "changed_since": (
        "{annotator:name} has changed: since {since} agreement with the others is "
        "{agreement:share}, before it was {then:share}{labels}.{mended}"
    ),
    "changed_until": (
        "{annotator:name} has changed: before {until} agreement with the others was "
        "{agreement:share}, since then it is {then:share}{labels}.{mended}"
    ),
    "changed_numbers_since": (
        "{annotator:name} has changed: since {since} the numbers are farther from the others'."
        "{mended}"
    ),
    "changed_numbers_until": (
        "{annotator:name} has changed: before {until} the numbers were farther from the others'."
        "{mended}"
    ),
    "labels_confused": ", mostly because {label:quoted} and {other_label:quoted} are mixed up",
    "severe": (
        "The numbers of {annotator:name} are {away:short} {lower} than the others' on average."
        "{mended}"
    ),
    "severe_steps": (
        "{annotator:name} gives labels that are {away:short} steps {lower} than the others' on "
        "average.{mended}"
    ),
    "lower": "lower",
    "higher": "higher",
    "scale_use": (
        "{annotator:name} uses {less} of the scale than the others: the numbers are {ratio:share} "
        "as far apart.{mended}"
    ),
    "less": "less",
    "more": "more",
    "leaves_label_out": (
        "{annotator:name} leaves {label:quoted} out: it is in {share:share} of the ratings, and in "
        "{of_others:share} of the others' of the same items.{mended}"
    ),
    "adds_label": (
        "{annotator:name} gives {label:quoted} more freely than the others: in {share:share} of "
        "the ratings, and they in {of_others:share} on the same items.{mended}"
    ),
    "confused_pair": (
        "Everybody confuses {label:quoted} and {other_label:quoted}. Separate them better in the "
        "guidelines, or merge them, which loses {share_lost:share} of the information in the "
        "labels.{mended}"
    ),
    "hard_group": (
        "Items with {column:name} {group:quoted} are hard for everybody: ratings agree in "
        "{agreement:share} of comparisons, elsewhere in {then:share}.{mended}"
    ),
    "hard_group_numbers": (
        "Items with {column:name} {group:quoted} are hard for everybody: their numbers are farther "
        "apart than elsewhere.{mended}"
    ),
    "stopped": (
        "{annotator:name} stopped, or nearly: {before:share} of the items before {since}, "
        "{after:share} since.{mended}"
    ),
    "selective_easier": (
        "{annotator:name} rated the easier items: on these the others agree in "
        "{agreement:share} of comparisons, on the rest in {then:share}.{mended}"
    ),
    "selective_harder": (
        "{annotator:name} rated the harder items: on these the others agree in "
        "{agreement:share} of comparisons, on the rest in {then:share}.{mended}"
    ),
    "clusters": (
        "Items with the same {column:name} agree alike, so they are not independent and intervals "
        "are too narrow: {cluster}.{mended}"
    ),
    "by_cluster": "{column:option cluster} draws them together",
}

MENDED: Words = {
    "mended_recoded": (
        " With that put right {title} would be {if_mended:estimate} instead of {from:estimate} "
        "(gain {gain:signed}{ends})."
    ),
    "mended_left_out": (
        " Without these ratings {title} would be {if_mended:estimate} instead of {from:estimate} "
        "(gain {gain:signed}{ends})."
    ),
    "mended_merged": (
        " {title} would then be {if_mended:estimate} instead of {from:estimate} "
        "(gain {gain:signed}{ends})."
    ),
    "mended_ends": ", {confidence:level} interval {ends:signed_interval}",
    "not_mended": " What that costs cannot be read off these ratings.",
}

PAGE: Words = {
    "found": "{title} is {estimate:estimate}{then}.",
    "found_then": "; with all that can be put right below it would be {if_all_mended:estimate}",
    "none": (
        "No cause of disagreement with a name is found: {title} is {estimate:estimate}. That does "
        "not show that there is none."
    ),
    "on_top": (
        "Each gain is on top of those above it. What leaves ratings out measures the others alone: "
        "have these items rated again, and talk to whom it names before."
    ),
    "how_sure": (
        "A cause is named where ratings without any would show it in less than {sure:level} of "
        "projects, all questions together ({kinds:count kind} of them){docs:findings}."
    ),
    "no_dates": "No column of dates was read: {by:option} names one, to see what changed when.",
    "caption": "What mending each would bring",
}

WORDS = joined(KINDS, MENDED, PAGE, TIMES)
"""All words of the page."""
