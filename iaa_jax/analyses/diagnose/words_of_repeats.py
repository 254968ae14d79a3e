"""Sentences of the page on annotators' agreement with themselves."""

from __future__ import annotations

from iaa_jax.wording import Words

REPEATS: Words = {
    "repeats_first": (
        "{title} of annotators with themselves is {estimate:estimate}{ends}, on {rated} {times}."
    ),
    "repeats_items": "{items:count item} that an annotator rated",
    "repeats_pairs": "{pairs:count pair} of annotator and item ({items:count item}) rated",
    "repeats_twice": "twice",
    "repeats_times": "up to {most:count} times",
    "repeats_further": "{title} with themselves is {estimate:estimate}{ends}.",
    "repeats_deviation": (
        "The standard deviation of an annotator's answers to the same item is {value:estimate}."
    ),
    "repeats_ends": " ({ends:interval})",
    "repeats_share_ends": " ({ends:shares})",
    "repeats_occasion": (
        "Their own wavering makes up {value:share}{ends} of their disagreement with others, and "
        "twice that if the others waver as much."
    ),
    "repeats_occasion_of_numbers": (
        "Their own wavering makes up {value:share}{ends} of their mean squared difference from "
        "others, and twice that if the others waver as much."
    ),
    "repeats_gain": (
        "The most frequent of an annotator's answers to an item agrees with others at "
        "{all:estimate}, one answer at {one:estimate}: a gain of {value:signed}{ends}."
    ),
    "repeats_gain_of_numbers": (
        "The mean squared difference from others is {all:estimate} for the mean of an annotator's "
        "answers and {one:estimate} for one answer: {value:estimate}{ends} less."
    ),
    "repeats_shift": (
        "From {first:quoted} to {second:quoted} {there:count answer} {there:moves|move} from "
        "{from:quoted} to {to:quoted} and {back:count} back ({p_value:p}): that is more than "
        "random wavering. Between two orders of answers it is position bias."
    ),
    "repeats_wavering": "Disagreement with others that is the annotator's own wavering:",
    "repeats_wavering_of_numbers": "Wavering of each annotator between answers to the same item:",
    "wavering_of_numbers": (
        "share of the mean squared difference from others that is the annotator's own wavering."
    ),
    "deviation_within": (
        "standard deviation of an annotator's answers to the same item. 95 % of the differences of "
        "two answers are smaller than 2.77 times it, the repeatability coefficient (Bland and "
        "Altman 1999, doi:10.1177/096228029900800204)."
    ),
    "repeats_kinds": "Agreement with themselves by {by:quoted}:",
    "repeats_runs": "Each answer compared with the others by the same annotator:",
    "repeats_labels": "Turned: how often another answer to the same item has another label:",
    "repeats_changes": "Items whose answers change most:",
    "repeats_changes_of_numbers": (
        "Items whose answers change most, by the mean squared difference of two answers:"
    ),
    "repeats_groups": "Agreement of each annotator with themselves:",
    "repeats_ceiling": (
        "Nobody can be expected to agree more with others than with themselves. Leave weeks "
        "between the two ratings: anyone who remembers the first one will agree too much."
    ),
}
