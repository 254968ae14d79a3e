"""The words of what is noted while coefficients are measured.

Notes on single figures are parts of sentences: which figures they are about stands before them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from iaa_jax.wording import Note, Words, say

_OTHER_KINDS = (
    "a kind of annotator that is not among them, such as one who guesses, is not allowed for"
)

OF_FIGURES: Words = {
    "said": "{text}",
    "matrix_not_symmetric": (
        "the agreement matrix is not symmetric: the mean of it and its transpose is used"
    ),
    "incomplete_items": (
        "{left_out:count} of {items:count} items are left out: not every annotator rated them"
    ),
    "parts_are_units": (
        "{units:count unit} of several parts {units:counts|count} as their parts, each a unit "
        "on the continuum"
    ),
    "counted_by_ratings": (
        "half of all pairs of ratings are on {heavy:short} of {items:short} items, so that items "
        "count by their ratings here, not by their pairs"
    ),
    "annotators_by_name": (
        "annotators are random, as the name says: the interval is over items and annotators{how}; "
        "one for these annotators alone is had with annotators fixed"
    ),
    "by_t": (
        " (Student's t within the range, from the standard error over both: in simulations it held "
        "the truth more often than F)"
    ),
    "by_mean_squares": (
        " (modified large-sample, as for a normal model, and as wide as a jackknife where "
        "annotators are not alike: in simulations it held the truth more often than F and "
        "Student's t)"
    ),
    "f_of_few_annotators": (
        "F over {annotators:count annotator} is too narrow where these differ much: in simulations "
        "intervals of 95 % held the truth in as few as {held:level}"
    ),
    "kinds_not_shown": "{annotators:count annotator} stand for all others: " + _OTHER_KINDS,
    "far_tails": (
        "the interval is {times:short} times as wide as its standard error alone would make it: "
        "the spread stands on about {carriers:count item}, and tails like these may go on"
    ),
    "few_carriers": (
        "a few {of_what} make most of its spread, as if there were {carriers:short} and not "
        "{units:short}: others like them may be missing here, and the interval is rough"
    ),
    "unlike_annotators": (
        "the {annotators:count annotator} differ in scale or in noise ({p_value:p}), and "
        "do not show how others would: the interval over annotators is too narrow"
    ),
    "near_chance": (
        "near chance, on {items:short} items with {labels:count} labels: the interval leans up, as "
        "the pseudo-items that it begins with agree more often than that"
    ),
    "no_end": (
        "too many replicates are at the end of the range or have no spread: this kind of interval "
        "has no end there; use bca, percentile or t"
    ),
    "unvaried_annotators": (
        "these annotators do not differ at all, which does not show that others would not: no "
        "interval over annotators"
    ),
    "unanimous": (
        "nothing disagrees, and resampling cannot show what never occurred: the lower end stands "
        "on the share of {of_what} that agree, by the binomial distribution for {units:short} "
        "{of_what}{chance}"
    ),
    "unanimous_by_prior": (
        "nothing disagrees, and the items cannot show what never occurred: the lower end stands on "
        "their number and on the prior"
    ),
    "chance_as_seen": (
        ", and takes the agreement by chance as it is seen here: it is rough where labels are rare"
    ),
    "sizes_as_seen": (
        ", each counted by what is marked in it, and takes those that would not agree to hold no "
        "more: it is rough where sizes differ"
    ),
    "few_replicates_defined": (
        "{defined:count} of {replicates:count} replicates are defined, too few for an interval of "
        "{confidence:level}, which needs {needed:count}"
    ),
    "one_sided": (
        "nearly all replicates lie on one side of the figure, {shift:estimate 1} standard errors "
        "away on average: it is biased on these items{why}, and a BCa interval would not cover it"
    ),
    "one_sided_everywhere": (
        "nearly all replicates lie on one side of the figure: it is biased on these items{why}, "
        "and a BCa interval would not cover it"
    ),
    "few_shared": (" (pairs of annotators share few items, median {common:short})"),
    "few_pairable": (
        "the items with two ratings weigh {items:short} together (weights are numbers of items): "
        "no standard error and no interval"
    ),
    "few_telling_clusters": (
        "items with two ratings are in only {clusters:count} of the clusters, and spread shows "
        "between clusters: no standard error and no interval"
    ),
    "pairs_unsteady": (
        "pairs of annotators share few items (median {common:short}), so that pairs come and go "
        "between replicates: no standard error and no interval"
    ),
    "abc_too_long": (
        "an ABC interval would follow each of {patterns:count} rating patterns through the sums of "
        "all annotators or their pairs, which takes too long: a BCa interval is had sooner"
    ),
    "no_prior": (
        "such an interval has pseudo-items that agree, or do not, on one of a few labels, and "
        "these ratings are no such labels: use kurtosis_t or bca"
    ),
    "likelihood_by_label": "likelihood intervals are those of single figures: use posterior",
    "undefined_without_annotator": (
        "the figure is undefined without one of the annotators: no standard error"
    ),
    "undefined_without_items": (
        "the figure is undefined without some of the items ({times:count time}): no jackknife"
    ),
    "no_analytic_form": "has no {form} form",
    "no_width": "the interval has no width: resampling these items cannot show the uncertainty",
    "at_bound": (
        "the same in all items that show any of it, and resampling cannot show what never "
        "occurred: the other end stands on the binomial distribution, with each item counted by "
        "what is marked in it: it is rough where sizes differ"
    ),
    "perfect": "agreement is perfect: an interval from these items cannot show its uncertainty",
    "many_undefined": "so many replicates are undefined that the interval should not be used",
}

OF_RESULTS: Words = {
    "not_measured": "Not measured: {coefficients:join , } ({reason}).",
    "numbers_as_names": (
        "The labels are numbers ({lowest:short} to {highest:short}), taken here as names. If they "
        "are a scale, say {level:option =ordinal} or {level:option =interval}; if not, "
        "{level:option =nominal}."
    ),
    "order_as_names": (
        "The labels were declared ({lowest:name} to {highest:name}), and taken here as names. If "
        "they are in order, say {level:option =ordinal}; if not, {level:option =nominal}."
    ),
    "few_telling_items": (
        "There {few:is|are} only {few:count} {what}: intervals are {held}{figures}."
    ),
    "no_telling_item": "There is no {what}: intervals are {held}{figures}.",
    "coverage": (
        " (in the coverage study {nominal:level} intervals covered the truth in {held:level} of "
        "such data{single})"
    ),
    "coverage_single": ", and in single designs in as few as {lowest:level}",
    "few_items": "Only {items:count item} with two ratings or more: intervals are rough.",
    "few_clusters": (
        "There are only {clusters:count} clusters: intervals over fewer than {least:count} are "
        "unreliable."
    ),
    "uneven_clusters": (
        "The {clusters:count} clusters differ so much in size that they tell no more than "
        "{even:short} even ones: intervals over fewer than {least:count} are unreliable."
    ),
    "few_annotators": (
        "Only {annotators:count} annotators stand for all others: " + _OTHER_KINDS + "."
    ),
}


OF_LABELS: Words = {"on_labels": "{coefficient} of {labels:names 10}: {note}."}
"""What is noted of figures of each label, as present or absent."""

QUESTIONS = ("numbers_as_names", "order_as_names")
"""What only who knows the labels can answer: it stands before figures where it can."""

UNWEIGHTED = ("", "identity", "level nominal")
"""How labels agree where two labels are the same or not, and nothing between."""

UNSAID = (*UNWEIGHTED, "numbers")
"""What needs no word behind the name of a coefficient."""


_FIELDS = re.compile(r"(\{[^}]*\})")
_OF_SPANS = (
    (" with two ratings or more", " that two annotators saw"),
    (" with two ratings", " that two annotators saw"),
    ("items", "documents"),
    ("item", "document"),
)


def of_documents(words: Mapping[str, str]) -> dict[str, str]:
    """The same words where items are documents with spans in them.

    Examples
    --------
    >>> of_documents({"few": "Only {items:count item} with two ratings: these items are rough."})
    {'few': 'Only {items:count document} that two annotators saw: these documents are rough.'}
    """
    return {code: "".join(map(_of_spans, _FIELDS.split(text))) for code, text in words.items()}


def _of_spans(part: str) -> str:
    if part.startswith("{"):
        return part.replace(" item}", " document}")
    for item, document in _OF_SPANS:
        part = part.replace(item, document)
    return part


FOR_SPANS: Words = of_documents({**OF_FIGURES, **OF_RESULTS})
"""What is noted while coefficients of spans are measured, in place of the words for items."""


def note_text(notes: Iterable[Note], words: Words = OF_FIGURES) -> str:
    """What is noted on a figure, as the variable ``note`` of a result has it."""
    return "; ".join(say(note, words) for note in notes)
