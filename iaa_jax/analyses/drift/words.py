"""The words of the page of agreement over time."""

from __future__ import annotations

from iaa_jax.wording import Words, joined
from iaa_jax.wording.times import TIMES

VERDICT: Words = {
    "no_drift": (
        "No change in {title} is shown ({p:p}){trend}. Changes of single annotators may cancel in "
        "it{advice:next_findings}."
    ),
    "next_findings": ": {iaa:findings} looks at each of them",
    "either": "Either {forms:join  or }: these figures do not show which.",
    "step": (
        "{what} {moved} from {before:estimate} before {at} to {after:estimate} from {since} on "
        "({p_value:p})."
    ),
    "step_as_seen": (
        "{what} is {before:estimate} before {at} and {after:estimate} from that batch on "
        "({p_value:p}), in the batches' order of first appearance: a step in time only if that is "
        "their order ({order:option} sets another)."
    ),
    "trend": (
        "As a straight trend, {what} {moves} by {change:estimate} over the whole period "
        "({ends}{p:p}).{unlike}"
    ),
    "deviation": ("{title} {where} is {there:estimate}, against {others:estimate} {rest} ({p:p})."),
    "unclear": "Something differs ({p:p}), but nothing stands out: see the table.",
    "two_differ": "{title} differs between the two batches: {figures:join , } ({p:p}).",
    "two_alike": (
        "No difference in {title} is shown between the two batches: {figures:join , } ({p:p})."
    ),
    "not_tested": (
        "No verdict: without a test ({permutations:option none}) drift cannot be told from chance."
    ),
    "cannot_test": "No verdict: too few estimates, or nothing varies.",
    "too_narrow": (
        "{bandwidth:option reach} is too narrow: no window holds enough items. Leave it out, or "
        "take about {usual:short}."
    ),
}
"""Sentences of the verdict."""

FURTHER: Words = {
    "labels_differ": (
        "Label rates differ: label {label:quoted} is {lowest:share} of the ratings {lowest_where} "
        "and {highest:share} {highest_where} ({p:p}). That alone can change a coefficient that "
        "corrects for chance, and no test here can tell the two apart."
    ),
    "trend_bounds": ("{trend} excludes {bounds:and}.{wide}"),
    "trend_beside": (
        ": the trend over the whole time is {change:signed}, {confidence:level} interval "
        "{low:signed} to {high:signed}{alone}"
    ),
    "trend_alone": ", which just excludes 0 (p is for all shapes of change together)",
    "trend_beside_untested": (
        "The straight trend over the whole period is {change:signed} ({confidence:level} interval "
        "{low:signed} to {high:signed}), which"
    ),
    "trend_told": "The interval of the trend",
    "steady_fall": "a steady fall of more than {size:estimate}",
    "steady_rise": "a steady rise of more than {size:estimate}",
    "wide_trend": (
        " That is wide: these items cannot tell steady agreement from a change that large."
    ),
    "largest_step": (
        "{which}, from {before:estimate} before {at} to {after:estimate} from then on{order}, may "
        "well be due to chance ({p:p})."
    ),
    "largest_of": "The largest of {cuts:count} steps tried",
    "only_one": "The only step tried",
    "as_seen": " in the batches' order of first appearance",
    "explained": "Already explained by this finding: {found:and}.",
    "not_excluded": "These figures do not exclude {found:join  or } instead.",
    "same_annotators": (
        "Nearly the same annotators rated before and after: {moved:share} of the ratings changed "
        "hands."
    ),
    "same_annotators_as_often": (
        "The same annotators rated before and after, each with the same share of the ratings."
    ),
    "other_annotators": (
        "The annotators changed there, too: {moved:share} of the ratings changed hands "
        "({moves:join ; }). That may be the cause{further}"
    ),
}
"""Further conclusions, among the remarks."""

_PARTS: Words = {
    "a_step": "a step",
    "a_trend": "a trend",
    "single_batch": "a single batch",
    "single_stretch": "a single stretch",
    "fell": "fell",
    "rose": "rose",
    "change_between": "between {low} and {high}",
    "nowhere_else": "at this cut",
    "falls": "falls",
    "rises": "rises",
    "trend_ends": "{confidence:level} interval {low:signed decimals} to {high:signed decimals}; ",
    "unlike_p": (
        " (p comes from simulation and the interval from the standard error, so that they may "
        "disagree near {alpha:short}.)"
    ),
    "straight_falls": (
        "A straight line through the whole period would fall by {change:estimate} "
        "({ends}{p:p}).{unlike}"
    ),
    "straight_rises": (
        "A straight line through the whole period would rise by {change:estimate} "
        "({ends}{p:p}).{unlike}"
    ),
    "in_batch": "in {at}",
    "in_stretch": "in the stretch of about {items:count item} from {at}",
    "in_eighth": "in the eighth of the items from {at}",
    "other_batches": "in the other batches",
    "other_stretches": "in the {others:count} others of equal size",
    "beside_step": (
        "the step from {before:estimate} to {after:estimate} at {at} ({p:p} by itself, {left:p} "
        "given the main finding)"
    ),
    "beside_slope": (
        "the straight trend of {change:signed} over the whole period ({p:p} by itself, {left:p} "
        "given the main finding)"
    ),
    "beside_deviation": (
        "the {there:estimate} {where} ({p:p} by itself, {left:p} given the main finding)"
    ),
    "figure_at": "{estimate:estimate}{ends} in {at}",
    "ends": " ({ends:interval})",
    "share_moved": "{name:name} {before:share} to {after:share}",
    "came_and_went": "{stopped:count} stopped, {began:count} began",
    "again_with": ": run again with {keep_annotators:option names}, who rated in both.",
    "in_both": ". {count:count annotator} rated in both.",
    "either_of": "{title} changes, by {forms:join  or }: these figures do not show which.",
    "rates_differ": (
        "Label rates change as well, and that alone can move the coefficient (see 'Label rates "
        "differ')."
    ),
    "rates_differ_alone": (
        "Label rates do change, which can hide or mimic a change in agreement (see 'Label rates "
        "differ')."
    ),
    "step_place": "{confidence:level} of resamples place the step {place}.",
    "step_errors": (
        "Standard errors: {before_standard_error:estimate} before the step and "
        "{after_standard_error:estimate} after it."
    ),
    "next_at": "Next: look at what changed {when}: guidelines, annotators, sources, the tool.",
    "next_where": "Next: look at the items and annotators {where}.",
    "next_trend": (
        "Next: look at what changed over time: guidelines, annotators, sources, the tool."
    ),
    "next_two_differ": (
        "Next: look at what differs (guidelines, annotators, sources, the tool); {try:compare} "
        "compares the batches in full."
    ),
    "next_two_alike": "Next: {try:compare} shows how large a difference these items could show.",
    "next_wide": "Next: rate more items, to tell a large change from steady agreement.",
    "next_none": ("Next: no action is needed; run this again when more items have been rated."),
}
"""Parts of sentences, and advice."""

WORDS: Words = joined(
    TIMES,
    VERDICT,
    FURTHER,
    _PARTS,
    {
        "agreement_over_time": "Agreement over time",
        "agreement_by": "Agreement by {by:name}",
        "agreement_over_column": "Agreement over time ({by:quoted})",
        "times_read": "{by:name} ({times})",
        "all_items": "{estimate:estimate}{ends}",
        "here": "{confidence:level} interval",
        "everywhere": "{confidence:level} jointly",
        "band_meaning": "the interval holds for all {points:count} {point} together{cut}.",
        "band_cut": "; cut at the ends of the coefficient's range in {count:count} of them",
        "batches": "batches",
        "windows": "windows",
        "around": (
            "{within}, weighted by nearness ({bandwidth:option reach}); only one side at either "
            "end."
        ),
        "within_units": "items within {reach:short} {unit:name}s on each side",
        "within_items": "items at most {reach:estimate 0} places before or after",
        "within_values": "items whose {by:quoted} is at most {reach:count} lower or higher",
        "worth": "effective number of items in the window.",
        "batches_without": (
            "Not computed in {count:count batch batches} ({names:names 3}): {reason}."
        ),
        "windows_without": "Not computed in {count:count window} ({names:names 3}): {reason}.",
        "undefined_replicates": (
            "Many resamples are undefined and left out of the intervals: {count:count} in all."
        ),
        "tested_together": "p allows for the search for {tests:and}{docs:drift}.",
        "tested_each": "Each p allows for all the positions that were tried{docs:drift}.",
        "independent_in_order": (
            "Items count as independent. If neighbouring rows come from one document or "
            "conversation, these tests take a difference between documents for a change: name the "
            "column with {cluster:option}."
        ),
        "step_tried": (
            "The step is the largest of {cuts:count} tried, so its size is overestimated"
            "{docs:drift}."
        ),
        "most_items": "batches, those with the most items",
        "batches_alike": (
            "Batches whose names hardly differ count as different: {names:quoted 4}."
        ),
        "any_change": ("Shuffles alone give {p:p}: something changes, perhaps only label rates."),
        "about": "{title}: {note}.",
        "undefined_overall": "Undefined on all items: {reason}.",
        "nothing_disagrees": "All ratings agree{where}, so there is no interval{there}.",
        "unanimous_in": " in {names:and}",
        "unanimous_around": " around {names:and}",
        "bars": "o is the estimate, - its interval, : the figure of all items.",
        "further_windows": "{count:count} more",
        "rough_around": (
            "Few items at {names:and}: with fewer than {least:count}, intervals of this kind miss "
            "the coefficient more often than they claim, and so does the joint interval."
        ),
        "few_clusters_around": (
            "Few clusters at {names:and}: intervals over fewer than {least:count}, or over uneven "
            "ones worth fewer, are unreliable, and so is the joint interval; over one cluster "
            "there is none."
        ),
        "without_annotator": (
            "In {names:and} the figure is undefined without one of the annotators, so that it has "
            "no interval and is left out of the tests."
        ),
        "no_cut": (
            "No step was looked for: a cut needs at least 20 items with two ratings, and 5 % of "
            "them, on each side."
        ),
        "no_step": "No step can be tested: at {where} {reasons:join  or }.",
        "the_only_cut": "the only cut",
        "each_cut": "each of the {cuts:count} cuts",
        "nothing_varies": "nothing varies on either side",
        "batches_without_figure": (
            "no batch has an estimate, which needs 10 items with two ratings (use longer batches, "
            "or a column with times)"
        ),
        "undefined_on_a_side": "the coefficient is undefined on a side",
        "annotators_as_they_are": (
            "The interval of {coefficient:name} for all items treats annotators as random; changes "
            "and errors of single batches treat them as fixed."
        ),
        "untimed_items": "{items:count item} without a value in {by:name} {items:is|are} left out.",
        "middle_times": (
            "If the ratings of an item differ in {by:quoted}, the item gets their median."
        ),
        "pairs_come_and_go": (
            "Pairs of annotators share few items (median {common:short}) and come and go between "
            "resamples: read intervals and tests with care."
        ),
        "picture": "{title} by {by:quoted}",
        "picture_step": "{what} {moved} from {before:estimate 2} to {after:estimate 2} {when}",
        "picture_of": "{files}{items:count item}",
        "picture_files": "{files:names 2}, ",
        "picture_by": "{by:name}",
        "band": "{confidence:level} band, all points jointly",
        "interval": "{confidence:level} interval, at each point",
        "step_mark": "step: {before:estimate 2} to {after:estimate 2}",
    },
)
