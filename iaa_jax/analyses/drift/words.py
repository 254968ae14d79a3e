"""The words of the page of agreement over time."""

from __future__ import annotations

from iaa_jax.wording import Words, joined

TIMES: Words = {
    "dates": "dates",
    "text_as_dates": "text as dates{day}{zone}",
    "day_first": ", day first",
    "month_first": ", month first",
    "in_utc": ", in UTC",
    "numbers": "numbers",
    "numbers_as_dates": "numbers as dates (year, month, day)",
    "seconds_since_1970": "numbers as seconds since 1970, in UTC",
    "milliseconds_since_1970": "numbers as milliseconds since 1970, in UTC",
    "each_a_batch": "{values}, each a batch",
    "items_as_they_stand": "the items in their order",
    "months": "months in calendar order; {order:option} sets another",
    "weekdays": "days of the week, from Monday; {order:option} sets another",
    "batches_given": "batches in the order given",
    "batches_natural": "batches in natural order",
    "batches_as_seen": "in order of first appearance: {names:names 6}; {order:option} sets another",
    "at_batch": "{name:name}",
    "at_date": "{date}",
    "at_item": "item {number:short}",
    "at_number": "{by:name} {number:short}",
}
"""How times were read, and a time in a sentence."""

ANSWER: Words = {
    "no_drift": (
        "No change of {title} can be shown: differences as large as these may well be chance "
        "({p:p} for {tests:and} together)."
    ),
    "a_step": "a step",
    "a_trend": "a trend",
    "single_batch": "a single batch",
    "single_stretch": "a single stretch",
    "trend_bounds": (
        "The straight trend is {change:signed} over the whole time ({low:signed} to "
        "{high:signed}): {bounds:and} {number:is|are} excluded at {confidence:level}.{wide}"
    ),
    "steady_fall": "a steady fall of more than {size:estimate}",
    "steady_rise": "a steady rise of more than {size:estimate}",
    "wide_trend": (
        " That is wide: these items cannot tell a steady agreement from one that changes that much."
    ),
    "largest_step": (
        "{which} is from {before:estimate} to {after:estimate} at {at}{order} ({p:p}): chance "
        "alone may produce such steps."
    ),
    "largest_of": "The largest of {cuts:count} steps tried",
    "only_one": "The only step tried",
    "as_seen": ", in the batches' order of first appearance,",
    "step": (
        "{what} {moved} from {before:estimate} (SE {before_standard_error:estimate}) before {at} "
        "to {after:estimate} (SE {after_standard_error:estimate}) from then on ({p_value:p}); "
        "{place}. Look at what changed then: guidelines, annotators, sources, the tool."
    ),
    "fell": "fell",
    "rose": "rose",
    "change_between": "{confidence:level} of replicates place it between {low} and {high}",
    "nowhere_else": "{confidence:level} of replicates place it at this cut",
    "step_as_seen": (
        "{what} is {before:estimate} (SE {before_standard_error:estimate}) before {at} and "
        "{after:estimate} (SE {after_standard_error:estimate}) from there on ({p_value:p}), in the "
        "batches' order of first appearance in the file: a step in time only if that is their "
        "order ({order:option} sets another)."
    ),
    "trend": (
        "As a straight trend, {what} {moves} by {change:estimate} over the whole time "
        "({ends}{p:p}), {slope:short} per {unit:name}."
    ),
    "it": "it",
    "it_first": "It",
    "falls": "falls",
    "rises": "rises",
    "trend_ends": "{low:signed} to {high:signed}; ",
    "deviation": (
        "{title} {where} is {there:estimate}, against {others:estimate} {rest} (mean of their "
        "figures, weighted by 1 / SE^2; {p:p}). Look at its items and annotators."
    ),
    "in_batch": "in {at}",
    "in_stretch": "in the stretch from {at}",
    "other_batches": "in the other batches",
    "other_stretches": "in the {others:count} others of equal size",
    "explained": "That explains {found:and}.",
    "either": "Either {forms:join  or }: these figures do not tell which.",
    "not_excluded": "The figures do not exclude {found:join  or } instead: see the table.",
    "beside_step": (
        "the step from {before:estimate} to {after:estimate} at {at} ({p:p} by itself, {left:p} "
        "beside it)"
    ),
    "beside_slope": (
        "the straight trend of {change:signed} over the whole time ({p:p} by itself, {left:p} "
        "beside it)"
    ),
    "beside_deviation": ("the {there:estimate} {where} ({p:p} by itself, {left:p} beside it)"),
    "unclear": (
        "Something differs ({p:p} for {tests:and} together), but none stands out: look at the "
        "table."
    ),
    "two_differ": (
        "{title} differs between the two batches: {figures:join , } ({p:p}). Look at what differs: "
        "guidelines, annotators, sources, the tool. 'iaa compare' compares them in full."
    ),
    "two_alike": (
        "No difference of {title} can be shown between the two batches: {figures:join , } ({p:p}). "
        "'iaa compare' says how large a difference these items could show."
    ),
    "figure_at": "{estimate:estimate}{ends} in {at}",
    "ends": " ({ends:interval})",
    "not_tested": (
        "No test was made ({permutations:option none}): nothing here distinguishes drift from "
        "chance."
    ),
    "cannot_test": ("No test could be made: too few items with a figure, or nothing that varies."),
    "too_narrow": (
        "No window holds enough items: {bandwidth:option reach} is too narrow. Leave it out, or "
        "widen it: these items need about {usual:short}."
    ),
    "labels_differ": (
        "Labels occur differently: label {label:name} is {lowest:share} of the ratings "
        "{lowest_where} and {highest:share} {highest_where} ({p:p}). A coefficient that corrects "
        "for chance can change with that alone while annotators work as before: no test here can "
        "tell the two apart."
    ),
    "same_annotators": (
        "Much the same people rated before and after: {moved:share} of the ratings moved to others."
    ),
    "other_annotators": (
        "The annotators changed there too: {moved:share} of the ratings moved to others "
        "({moves:join ; }). The cause may be other annotators rather than other habits{further}"
    ),
    "share_moved": "{name:name} {before:share} to {after:share}",
    "came_and_went": "{stopped:count} stopped, {began:count} began",
    "again_with": ": run again with {keep_annotators:option names}, who rated in both.",
    "in_both": ". {count:count annotator} rated in both.",
}
"""What a result comes to: the conclusion, and what is said with it."""

WORDS: Words = joined(
    TIMES,
    ANSWER,
    {
        "times_read": "{by:name} ({times})",
        "measured": "{title}",
        "measured_with": "{title}, {weights}",
        "all_items": "{estimate:estimate}{ends}",
        "here": "{confidence:level} here",
        "everywhere": "{confidence:level} everywhere",
        "band_meaning": (
            "the interval widened to hold for all {points:count} {point} together{cut}."
        ),
        "band_cut": "; cut at the ends of the coefficient's range in {count:count} of them",
        "batches": "batches",
        "windows": "windows",
        "around": (
            "{within} to each side, weighted by nearness ({bandwidth:option reach}); at both ends "
            "of the time only on one side."
        ),
        "within_units": "items within {reach:short} {unit:name}s",
        "within_values": "items whose {by:name} lies within {reach:short}",
        "worth": "how many items the window is worth.",
        "batches_without": "No figure in {count:count batch batches} ({names:names 3}): {reason}.",
        "windows_without": "No figure in {count:count window} ({names:names 3}): {reason}.",
        "undefined_replicates": (
            "Undefined replicates, left out of the intervals: {count:count} in all."
        ),
        "tests": (
            "Tests: p is the larger of two. One compares the figures of {figures} with those of "
            "{units} drawn from all, with labels as frequent as in each (they may "
            "change){annotators}. The other shuffles times among {units}, {permutations:count "
            "time}, seed {seed} ({permuted}): exact if nothing changes at all, label frequencies "
            "included{exchanged}.{independent}"
        ),
        "of_items": "items",
        "of_clusters": "clusters",
        "annotators_left_out": ", and with what leaving out each annotator changes",
        "nested": ", and clusters may be exchanged",
        "one_after_the_other": (
            ", and clusters may be exchanged and follow one another (on the safe side where they "
            "overlap in time)"
        ),
        "independent": (
            " Items count as independent: where several come from one source, name it with "
            "{cluster:option}."
        ),
        "of_batches": "batches",
        "of_stretches": "{stretches:count} stretches of items",
        "permuted_anew": "coefficients recomputed",
        "permuted_first_order": "to first order, by influences, for the data and the shuffles",
        "step_tried": (
            "The step is the largest of {cuts:count cut}, and tested as such; its two figures lie "
            "too far apart on average, as those of any largest do. {sides}"
        ),
        "sides_of_batches": (
            "The figures before and after it are means of the batches' figures, weighted by 1 / "
            "SE^2."
        ),
        "sides_of_items": "The figures before and after it are those of all items there.",
        "any_change": (
            "By shuffles alone {p:p}: something changes, perhaps only how often labels occur."
        ),
        "about": "{title}: {note}.",
        "undefined_overall": "Undefined on all items: {reason}.",
        "nothing_disagrees": (
            "Nothing disagrees{where}: no interval there, for resampling and standard errors "
            "cannot show what never occurred."
        ),
        "unanimous_in": " in {names:join , }{more}",
        "further_windows": " and {count:count} more",
        "without_annotator": (
            "In {names:join , }{more} the figure is undefined without one of the annotators: no "
            "interval there, and no part in the tests."
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
            "no batch has a figure of its own, which takes 10 items with two ratings "
            "(take longer batches, or a column with times)"
        ),
        "undefined_on_a_side": "the coefficient is undefined on a side",
        "annotators_as_they_are": (
            "{coefficient:name} of all items is over items and annotators drawn anew; changes, and "
            "errors of single batches, are over items, the annotators as they are."
        ),
        "untimed_items": "{items:count item} without a value in {by:name} {items:is|are} left out.",
        "middle_times": "Ratings of an item differ in {by:name}: the median is taken.",
        "pairs_come_and_go": (
            "Pairs of annotators share few items (median {common:short}), so that pairs come and "
            "go between replicates: read intervals and tests with care."
        ),
        "picture": "{title} by {by:name}",
        "picture_step": "{what} {moved} from {before:estimate 2} to {after:estimate 2} at {at}",
        "picture_of": "{files}{items:count item}",
        "picture_files": "{files:names 2}, ",
        "picture_by": "by {by:name}",
        "band": "{confidence:level} band, everywhere at once",
        "interval": "{confidence:level} interval, at each point",
        "step_mark": "step: {before:estimate 2} to {after:estimate 2}",
    },
)
