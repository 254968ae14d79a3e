"""The words of findings: a sentence for each kind of cause."""

from __future__ import annotations

from iaa_jax.wording import Words, joined
from iaa_jax.wording.times import TIMES

KINDS: Words = {
    "exchanged_labels": (
        "{annotator:name} seems to have exchanged {label:quoted} and {other_label:quoted} "
        "({items:count rating}): exchanged back, {annotator:name} agrees with the others {first} "
        "instead of {agreement:share}.{mended}"
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
        "{annotator:name} agrees with the others {first}, and the others with one another {second}"
        "{on_items}: as if {guessed:share} of the ratings were guessed.{mended}"
    ),
    "guesses_all": (
        "{annotator:name} agrees with the others {first}, and the others with one another {second}"
        "{on_items}: as if all ratings were guessed.{mended}"
    ),
    "guesses_numbers": (
        "{annotator:name}'s numbers are {apart:short} away from the others' (root of the mean "
        "square), and theirs {among:short} from one another{on_items}.{mended}"
    ),
    "guesses_steps": (
        "{annotator:name}'s labels are {apart:estimate} steps away from the others' (root of the "
        "mean square), and theirs {among:estimate} from one another{on_items}.{mended}"
    ),
    "guesses_spans": (
        "{annotator:name} marks differently from the others: F1 with them is {agreement:share} on "
        "average, among them {among_others:share}.{mended}"
    ),
    "marks_less": (
        "{annotator:name} marks less than the others: {share:short} spans per document, the "
        "others {of_others:short} {in_documents}.{mended}"
    ),
    "marks_more": (
        "{annotator:name} marks more than the others: {share:short} spans per document, the "
        "others {of_others:short} {in_documents}.{mended}"
    ),
    "shorter_spans": (
        "The spans of {annotator:name} are shorter than the others': {share:short} on average, "
        "theirs {of_others:short}.{mended}"
    ),
    "longer_spans": (
        "The spans of {annotator:name} are longer than the others': {share:short} on average, "
        "theirs {of_others:short}.{mended}"
    ),
    "label_use_spans": (
        "{annotator:name} {does}: {share:short} spans with {which} per document, the others "
        "{of_others:short} {in_documents}.{mended}"
    ),
    "near_ends": (
        "{annotator:name}'s spans begin or end one or two places from the others' in {share:share} "
        "of the pairs that overlap (begin in {begins:share}, end in {ends:share}), and the others' "
        "from one another in {of_others:share}.{mended}"
    ),
    "near_ends_all": (
        "Spans that overlap begin or end one or two places apart in {share:share} of pairs (begin "
        "in {begins:share}, end in {ends:share}): see whether blanks and punctuation belong to "
        "them.{mended}"
    ),
    "changed_since": (
        "Since {since} {annotator:name} agrees with the others {first}, before {second}{labels}."
        "{mended}"
    ),
    "changed_until": (
        "Before {until} {annotator:name} agreed with the others {first}, since then {second}"
        "{labels}.{mended}"
    ),
    "changed_spans_since": (
        "Since {since} {annotator:name} marks differently: F1 with the others is {agreement:share} "
        "on average, before it was {then:share}.{mended}"
    ),
    "changed_spans_until": (
        "Before {until} {annotator:name} marked differently: F1 with the others was "
        "{agreement:share} on average, since then it is {then:share}.{mended}"
    ),
    "changed_distance_since": (
        "Since {since} the {what} of {annotator:name} are farther from the others' than before."
        "{mended}"
    ),
    "changed_distance_until": (
        "Before {until} the {what} of {annotator:name} were farther from the others' than after."
        "{mended}"
    ),
    "of_numbers": "numbers",
    "of_steps": "labels",
    "labels_confused": ": mostly {label:quoted} and {other_label:quoted} are confused",
    "label_given_for": ": mostly {label:quoted} where they give {other_label:quoted}",
    "about_time": "about {time}",
    "severe": (
        "{annotator:name}'s numbers are {away:short} {lower} than the others' {of_items}"
        "{from_when}.{mended}"
    ),
    "severe_steps": (
        "{annotator:name}'s labels are {away:estimate} steps {lower} than the others' {of_items}"
        "{from_when}.{mended}"
    ),
    "given_label": "{label:quoted}",
    "further_labels": "{number:count} more {number:label|labels}",
    "same_items": "on the same items",
    "three_rated_items": "on the {compared:count item} with three ratings",
    "on_three_rated": " (on the {compared:count item} with three ratings)",
    "same_documents": "in the same documents",
    "three_rated_documents": "in the {compared:count document} with three annotators",
    "in_comparisons": "in {of:share} of comparisons",
    "in_others": "in {of:share}",
    "in_part_steps": "to {of:share} (near labels count in part)",
    "in_part_sets": "to {of:share} (shared labels count in part)",
    "in_part_others": "to {of:share}",
    "severe_since": ", since {since} (before {then:signed 2})",
    "severe_until": ", before {until} (since then {then:signed 2})",
    "lower": "lower",
    "higher": "higher",
    "scale_use": (
        "{annotator:name} uses {less} of the scale than the others: the numbers are {ratio:share} "
        "as far apart.{mended}"
    ),
    "less": "less",
    "more": "more",
    "leaves_label_out": (
        "{annotator:name} {does}: {which} is in {share:share} of the ratings, and in "
        "{of_others:share} of the others' {of_items}.{mended}"
    ),
    "adds_label": (
        "{annotator:name} {does}: {any}in {share:share} of the ratings, the others in "
        "{of_others:share} of theirs {of_items}.{mended}"
    ),
    "leaves_label_out_one": "leaves {label:quoted} out",
    "leaves_label_out_several": "leaves out {several:and}",
    "adds_label_one": "gives {label:quoted} more freely than the others",
    "adds_label_several": "gives more freely than the others {several:and}",
    "one_label_alone": "it",
    "any_label": "any of them",
    "any_label_and_blank": "any of them ",
    "confused_unmerged": (
        "{label:quoted} and {other_label:quoted} are confused. Separate them better in the "
        "guidelines: a merge would remove {share_gained:share} of the disagreement beyond chance "
        "and {share_lost:share} of the information in the labels."
    ),
    "confused_pair": (
        "{label:quoted} and {other_label:quoted} are confused. Separate them better in the "
        "guidelines, or merge them{once_right}, which loses {share_lost:share} of the information "
        "in the labels.{mended}"
    ),
    "once_right": " once the causes above are mended",
    "hard_group": (
        "On items with {column:name} {group:quoted} {title} is {on_these:estimate}, and on all "
        "others {on_others:estimate}{then}.{mended}"
    ),
    "once_mended": ", with the causes above mended",
    "one_answer": (
        "{annotators:count} of {of_annotators:count} annotators with {least:count} or more items "
        "always give the same answer ({names:names 3}), although others do not on the same items."
        "{mended}"
    ),
    "one_label": (
        "{annotators:count} of {of_annotators:count} annotators with {least:count} or more items "
        "always give {label:quoted} ({names:names 3}), although others do not on the same items."
        "{mended}"
    ),
    "one_answer_spans": (
        "{annotators:count} of {of_annotators:count} annotators with {least:count} or more "
        "items never mark anything ({names:names 3}), although others do on the same items.{mended}"
    ),
    "many": (
        "{number:count} of {of:count} annotators with {least:count} or more items {do} "
        "({names:names 3})."
    ),
    "many_marks_less": "mark less than the others of the same documents",
    "many_marks_more": "mark more than the others of the same documents",
    "many_shorter_spans": "mark shorter spans than the others",
    "many_longer_spans": "mark longer spans than the others",
    "many_leaves_label_out": "leave {label:quoted} out where the others give it",
    "many_adds_label": "give {label:quoted} more freely than the others",
    "many_selective": "rated the {easier} items",
    "many_stopped": "stopped, or nearly",
    "many_self_disagreement": "answer differently when asked again",
    "easier": "easier",
    "harder": "harder",
    "stopped": (
        "{annotator:name} stopped, or nearly: {before:share} of all ratings before {since}, "
        "{after:share} since."
    ),
    "selective": (
        "{annotator:name} rated the {easier} items: on these the others agree {first}, on the rest "
        "{second}.{mended}"
    ),
    "selective_numbers": (
        "{annotator:name} rated the {easier} items: on these the others' numbers are "
        "{apart:short} apart (root of the mean square), on the rest {among:short}.{mended}"
    ),
    "self_disagreement": (
        "Asked again, {annotator:name} gives the same answer in {with_oneself:share} of "
        "{items:count rating}, and agrees with the others there in {agreement:share}: {chance}."
        "{mended}"
    ),
    "self_disagreement_all": (
        "Asked again, annotators give the same answer in {with_oneself:share} of "
        "{items:count rating}, and agree with one another there in {agreement:share}: {chance}."
        "{mended}"
    ),
    "self_disagreement_numbers": (
        "Asked again, {who} {apart:short} from the first on average, and {among:short} from the "
        "others' ({items:count rating}): {chance}.{mended}"
    ),
    "self_disagreement_in_part": (
        "Asked again, {who} with the first answer {first} ({items:count rating}), and with the "
        "others there {second}: {chance}.{mended}"
    ),
    "chance": (
        "{noise:share} of that disagreement is chance, which more ratings even out and guidelines "
        "do not"
    ),
    "practice_changed": (
        "less with oneself than with the others, which is not due to chance: practice has changed "
        "in between, or first answers were talked over"
    ),
    "everybody_agrees": "annotators agree",
    "one_agrees": "{annotator:name} agrees",
    "everybody_gives": "annotators give numbers",
    "one_gives": "{annotator:name} gives numbers",
    "doubtful_reading": "Check first how the file was read: {reading}.",
    "copies": "Perhaps copies: {reading}.",
    "same_ratings": (
        "{annotator:name} and {group:name} give the same answer on all items that they share, "
        "{items:count} unusual ones among them: check whether these are copies, or one "
        "was saved under the other's name.{mended}"
    ),
    "ordered_labels": (
        "{question} As steps in their order {title} is {if_mended:estimate}, as names "
        "{estimate:estimate}."
    ),
    "clusters": (
        "Items with the same {column:quoted} have similar agreement, so they are not independent, "
        "and standard errors are some {wider:estimate 1} times as large{advice:next_cluster}."
    ),
    "next_cluster": ": {iaa:agree --cluster {column}} draws them together",
    "clusters_or_questions": (
        "Items with the same {column:quoted} have similar agreement. If these are a sample, such "
        "as documents, items are not independent, and standard errors are some {wider:estimate 1} "
        "times as large{advice:next_cluster}. If each is a question of its own, agreement on each "
        "shows where it is low{advice:next_question}."
    ),
    "next_question": ": {iaa:agree --by {column}}",
}

MENDED: Words = {
    "mended_copies": (
        " With only one annotator of each group, as in all that follows, {title} is "
        "{if_mended:estimate} instead of {from:estimate}."
    ),
    "mended_recoded": " With that put right {would_be}.",
    "mended_as_others": " With these labels as most others have them {would_be}.",
    "mended_left_out": " Without {which} {would_be}.",
    "mended_near": " With ends so near made alike {would_be}.",
    "would_be": (
        "{title} would be {if_mended:estimate} instead of {from:estimate} "
        "(gain {gain:signed}{ends})"
    ),
    "beside_those_left": " This is a comparison with the annotators who are left.{mended}",
    "mended_kept": (
        " No gain is given: without these ratings, half of the annotators or fewer would be left."
    ),
    "mended_hardly": " Mending this hardly changes {title}.",
    "mended_merged": (
        " {title} would then be {if_mended:estimate} instead of {from:estimate} "
        "(gain {gain:signed}{ends})."
    ),
    "mended_ends": ", {confidence:level} interval {ends:signed_interval}",
    "which_all": "{annotator:name}'s ratings",
    "which_these": "these ratings",
    "which_since": "{annotator:name}'s ratings since then",
    "which_until": "{annotator:name}'s ratings before then",
    "which_label": "{annotator:name}'s ratings with {label:quoted}",
}

PAGE: Words = {
    "found": "{title} is {estimate:estimate}{sets}{copies}{then}.",
    "of_equal_sets": " if only identical label sets count as agreement",
    "without_copies": ", {then:estimate} without what may be copies",
    "put_right": "with these causes put right",
    "left_out": "without the ratings of these causes",
    "put_right_and_left_out": "with these causes put right, or their ratings left out,",
    "found_doubts": (
        ", and no single cause of disagreement stands out while this is open (small ones may be "
        "missed)"
    ),
    "found_then": "; {how} it would be {if_all_mended:estimate}",
    "none": (
        "No single cause of disagreement stands out: {title} is {estimate:estimate}{sets}. "
        "Small ones may be missed."
    ),
    "on_top": (
        "Each gain is in addition to the gains above it, and shares are computed after the causes "
        "above are mended. If ratings are left out, the coefficient describes only the others: "
        "talk to the annotators named, and have these items rated again. The ratings of half of "
        "the annotators or more are never all left out."
    ),
    "kinds_of_items": (
        "{advice:next_kinds}Kinds of items with rare labels have lower figures without being "
        "harder."
    ),
    "next_kinds": ("{iaa:agree --by {column}} shows {title} in each kind of items. "),
    "how_sure": (
        "A cause is named if ratings without any cause would show one in less than {sure:level} of "
        "projects, all questions together, as long as items are independent{apart}{docs:findings}."
    ),
    "unless_together": (
        " unless they have the same {column:name}, because these have similar agreement"
    ),
    "second_ratings": (
        "Second ratings by the same annotators are left out ({names:names 5}): they agree with the "
        "first{advice:next_repeats}."
    ),
    "next_repeats": ", as {iaa:annotators --repeats} measures",
    "no_dates": (
        "No column of dates was read: {by:option} names one, and {by:option =order} takes "
        "the items in their order, to see what changed when."
    ),
    "two_cannot_tell": (
        "Few items, or none, have three ratings: if two annotators differ, it is unknown who is "
        "wrong, unless one of them differs from most of four partners or more."
    ),
    "two_ratings": (
        "{two:count} of {items:count item} have two ratings, of which nothing tells which one is "
        "wrong: three ratings an item would, or known answers{known}."
        "{advice:next_who_agrees}"
    ),
    "known_answers": "{advice:next_known_answers}",
    "next_known_answers": " ({try:judge --gold COLUMN})",
    "next_who_agrees": " {iaa:annotators} says who agrees least with the others.",
    "two_annotators": (
        "Of two annotators, neither can be named as the cause{advice:next_two_annotators}."
    ),
    "next_two_annotators": ": {iaa:annotators} shows who gives which label more often",
    "two_annotators_measure": (
        "Of two annotators, neither can be named as the cause{advice:next_two_annotators_measure}."
    ),
    "next_two_annotators_measure": (
        ": {iaa:agree --coefficients krippendorff_alpha,icc2,icc3} shows whether one is stricter, "
        "as ICC(2) is then lower than ICC(3)"
    ),
    "two_annotators_spans": (
        "Of two annotators, neither can be named as the cause{advice:next_two_annotators_spans}."
    ),
    "next_two_annotators_spans": ": {iaa:annotators} shows who marks more",
    "who_gives": "{advice:next_who_gives}",
    "next_who_gives": "{iaa:label-sets} says whose labels differ, whoever is right.",
    "without_gain": (
        "No gain is given if these ratings do not show what they would be without the cause."
    ),
    "caption": "Gain from mending each cause",
    "picture": "What each cause costs: the gain in {title} without it",
    "picture_from": (
        "From {estimate:estimate} to {if_all_mended:estimate}; each gain is on top of those above "
        "it. Lines: {confidence:level} intervals"
    ),
}

WORDS = joined(KINDS, MENDED, PAGE, TIMES)
