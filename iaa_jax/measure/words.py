"""The wording of the notes that measurement attaches to coefficients (figures) and results.

A note on a figure is part of a sentence: it is printed after the name of the figure.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from string import Template

from iaa_jax.wording import Note, Words, say

_OTHER_KINDS = "other kinds of annotators, for example one who guesses, are not covered"

_OF_FIGURES: Words = {
    "said": "{text}",
    "matrix_not_symmetric": (
        "the agreement matrix is not symmetric, so the mean of it and its transpose is used"
    ),
    "incomplete_items": (
        "{left_out:count} of {items:count} $items are left out, as not every annotator rated them"
    ),
    "parts_are_units": (
        "each part of {units:count unit} with several parts counts as a unit of its own"
    ),
    "counted_by_ratings": (
        "{heavy:short} of {items:short} $items hold half of all pairs of ratings, so each $item is "
        "weighted by its ratings"
    ),
    "annotators_by_name": (
        "the interval generalises to other $items and other annotators{how}; "
        "{annotators:option =fixed} makes it about these annotators only"
    ),
    "by_t": (
        " (Student's t from the standard error over both: better coverage than F in simulations)"
    ),
    "by_mean_squares": (
        " (modified large-sample, widened by a jackknife where annotators differ: better coverage "
        "than F and Student's t in simulations)"
    ),
    "f_of_few_annotators": (
        "F over {annotators:count annotator} is too narrow where they differ much: 95 % intervals "
        "covered the truth in as few as {held:level} of simulations"
    ),
    "kinds_not_shown": "{annotators:count annotator} stand for all other annotators: "
    + _OTHER_KINDS,
    "far_tails": (
        "the interval is {times:short} times as wide as one from its standard error alone, because "
        "about {carriers:count $item} cause most of the spread, and more extreme ones may follow"
    ),
    "few_carriers": (
        "a few {of_what} cause most of the spread (as if there were {carriers:short}, not "
        "{units:short}), so the interval is rough"
    ),
    "unlike_annotators": (
        "the {annotators:count annotator} differ in scale or in noise ({p_value:p}), so the "
        "interval over annotators is too narrow"
    ),
    "no_end": (
        "too many resamples are at the end of the range or have no spread for this kind of "
        "interval; use bca, percentile or t"
    ),
    "unvaried_annotators": (
        "these annotators do not differ at all, but others may: no interval over annotators"
    ),
    "unanimous": (
        "nothing disagrees, so the lower end comes from the binomial distribution for "
        "{units:short} {of_what}{chance}"
    ),
    "unanimous_by_prior": (
        "nothing disagrees, so the lower end depends on the number of $items and on the prior"
    ),
    "chance_as_seen": (" and the agreement expected by chance here: rough where labels are rare"),
    "sizes_as_seen": (", each weighted by what is marked in it: rough where sizes differ"),
    "few_replicates_defined": (
        "{defined:count} of {replicates:count} resamples are defined, too few for an interval of "
        "{confidence:level}, which needs {needed:count}"
    ),
    "one_sided": (
        "nearly all resamples lie on one side of the figure, {shift:estimate 1} standard errors "
        "away on average: it is biased here{why}, and a BCa interval would not cover it"
    ),
    "one_sided_everywhere": (
        "nearly all resamples lie on one side of the figure: it is biased here{why}, and a BCa "
        "interval would not cover it"
    ),
    "few_shared": (" (pairs of annotators share few $items, median {common:short})"),
    "few_pairable": (
        "the $items $with_two have a total weight of {items:short} (weights count $items): "
        "no standard error and no interval"
    ),
    "few_telling_clusters": (
        "only {clusters:count} of the clusters {clusters:has|have} $items $with_two: no "
        "standard error and no interval"
    ),
    "pairs_unsteady": (
        "pairs of annotators share few $items (median {common:short}), too few to resample: no "
        "standard error and no interval"
    ),
    "abc_too_long": (
        "an ABC interval would follow each of {patterns:count} rating patterns through the sums of "
        "all annotators or their pairs, which takes too long: use bca, which is faster"
    ),
    "no_prior": (
        "the pseudo-$items of this interval need a few labels, which these ratings do not have: "
        "use kurtosis_t or bca"
    ),
    "likelihood_by_label": (
        "likelihood intervals exist for single figures only: use empirical_bayes"
    ),
    "undefined_without_annotator": (
        "the figure is undefined without one of the annotators: no standard error"
    ),
    "undefined_without_items": (
        "the figure is undefined without some of the $items ({times:count time}): no jackknife"
    ),
    "no_analytic_form": "has no {form} form",
    "no_width": "the interval has no width, because resampling these $items changes nothing",
    "wide_interval": (
        "the interval spans more than half of what the figure can be, so these $items say little "
        "about it"
    ),
    "at_bound": (
        "all $items concerned have one value, so the interval's other end comes from the "
        "binomial distribution (rough where sizes differ)"
    ),
    "perfect": "agreement is perfect, so these $items cannot show how uncertain that is",
    "many_undefined": "so many resamples are undefined that the interval should not be used",
}

_OF_RESULTS: Words = {
    "items_independent": (
        "Items count as independent: where several come from one document or conversation, "
        "intervals are wider, and {cluster:option} with that column's name draws such items "
        "together."
    ),
    "group_in_doubt": ", in doubt: its interval spans more than half of the range",
    "gpu_there": (
        "JAX finds a GPU here that was not asked for: with {device:option =gpu} replicates are "
        "drawn and computed there."
    ),
    "next_across_groups": (
        "Across the two groups: {iaa:judge --judges {judges}} measures how far each annotator of "
        "{few:quoted} agrees with those of {many:quoted}."
    ),
    "next_across_large_groups": (
        "Across the two groups: {try:judge --judges NAMES} with the {number:count annotator} of "
        "{few:quoted} measures how far each agrees with those of {many:quoted} if they share "
        "enough items; otherwise no command does."
    ),
    "about_agreement_by": "{by:name} {rows:names 5}: {note}.",
    "whose_gaps": (
        "{name:name} left out {gaps:count ${item}}, of {missing:count} missing ratings in all."
    ),
    "not_measured": "Not measured: {coefficients:join , } ({reason}).",
    "numbers_as_names": (
        "Are the labels (numbers from {lowest:short} to {highest:short}) a scale or names? Give "
        "{level:option =ordinal} or {level:option =interval} for a scale, {level:option =nominal} "
        "for names. Until then other figures take them as names, and nothing is concluded{beside}."
    ),
    "levels_elsewhere": "{advice:next_levels}",
    "next_levels": "; {iaa:agree} has agreement at each level",
    "order_as_names": (
        "The labels were declared ({lowest:name} to {highest:name}) and are treated as names. If "
        "they are in order, give {level:option =ordinal}; if not, {level:option =nominal}."
    ),
    "until_then": "Until then nothing is concluded.",
    "steps_as_names": (
        "The labels look like steps, and are treated as names. If they are in order, give "
        "{labels:option labels} with {level:option =ordinal}; if not, {level:option =nominal}."
    ),
    "few_telling_items": (
        "There {few:is|are} only {few:count} {what}: intervals are {held}{figures}."
    ),
    "no_telling_item": "There is no {what}: intervals are {held}{figures}.",
    "coverage": (
        " ({nominal:level} intervals covered the truth in {held:level} of simulations of such "
        "data{single})"
    ),
    "coverage_single": ", in the worst design {lowest:level}",
    "few_items": "Only {items:count $item} $with_two_or_more: intervals are rough.",
    "blank_clusters": (
        "{items:count item} {items:has|have} no {cluster:name}: each is a cluster of its own."
    ),
    "few_clusters": (
        "There are only {clusters:count} clusters: intervals over fewer than {least:count} are "
        "unreliable."
    ),
    "uneven_clusters": (
        "The {clusters:count} clusters differ so much in size that they are worth only "
        "{even:short} equal ones: intervals over fewer than {least:count} are unreliable."
    ),
    "few_annotators": (
        "Only {annotators:count} annotators stand for all others: " + _OTHER_KINDS + "."
    ),
}


OF_GROUPS: Words = {
    "group_undefined": "undefined ({reason})",
    "group_has_few_items": "fewer than {least} items with two ratings, so that intervals are rough",
    "group_has_few_clusters": (
        "fewer than {least} clusters, or uneven ones worth fewer, so that intervals are unreliable"
    ),
}
"""Parts of sentences on groups, which follow the groups' names."""

OF_LABELS: Words = {"on_labels": "{coefficient} of {labels:names 10}: {note}."}
"""Wording of notes on figures that take each label as present or absent."""

_DOUBTS: Words = {
    "doubt": ", in doubt: {why}",
    "doubt_few_items": "few $items",
    "doubt_few_clusters": "few clusters",
    "doubt_uneven_clusters": "clusters of very different size",
    "doubt_few_carriers": "a few $items decide it",
    "doubt_few_telling_items": "few $items tell labels apart",
    "doubt_no_telling_item": "no $item tells labels apart",
    "doubt_few_annotators": "few annotators",
    "doubt_unlike_annotators": "two annotators who differ much",
    "doubt_no_width": "it has no width",
    "doubt_wide_interval": "it spans more than half of the range",
}
"""Short reasons why an interval is in doubt, printed after the interval; a note has the details."""


_ITEMS = {
    "item": "item",
    "items": "items",
    "with_two": "with two ratings",
    "with_two_or_more": "with two ratings or more",
}
_DOCUMENTS = {
    "item": "document",
    "items": "documents",
    "with_two": "that two annotators saw",
    "with_two_or_more": "that two annotators saw",
}


def _about(units: Mapping[str, str], words: Words) -> Words:
    return {code: Template(text).substitute(units) for code, text in words.items()}


OF_FIGURES = _about(_ITEMS, _OF_FIGURES)
OF_RESULTS = _about(_ITEMS, _OF_RESULTS)
DOUBTS = _about(_ITEMS, _DOUBTS)
FOR_SPANS = _about(_DOCUMENTS, {**_OF_FIGURES, **_OF_RESULTS, **_DOUBTS})
"""Wording of all notes for spans, about documents instead of items."""


def note_text(notes: Iterable[Note], words: Words = OF_FIGURES) -> str:
    """Return the notes on a figure as text, for the variable ``note`` of a result."""
    return "; ".join(say(note, words) for note in notes)
