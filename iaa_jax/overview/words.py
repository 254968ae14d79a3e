"""Templates of the sentences of a report that belong to no single analysis."""

from __future__ import annotations

from iaa_jax.wording import Words

WORDS: Words = {
    "report_title": "Agreement in {files:names 3}",
    "report_without_files": "Agreement",
    "primary_alone": ("Second labels do not count in these figures{advice:next_second}."),
    "next_second": "; {iaa:sweep} shows what they change",
    "judges_apart": (
        "These figures are about people, without {judges:and}, who have a section of their own."
    ),
    "judges_left_out": "These figures are about people, without {judges:and}.",
    "brief_drift_left_out": (
        "Agreement over {by:quoted} is not on this page{advice:next_brief_drift}."
    ),
    "next_brief_drift": ": {iaa:drift --by {by}} shows it",
    "brief_left_out": "This page has nothing on {section:spaced}: {reason:message}.",
    "step_undefined": (
        "Next: correct whatever makes the coefficient undefined, and measure again."
    ),
    "step_few": "Next: have more items rated; these are too few to rely on the interval.",
    "step_change": (
        "Next: find out what changed {when}: the coefficient fell from {before:estimate} to "
        "{after:estimate}."
    ),
    "step_trend": (
        "Next: find out why annotators agree less and less: a straight trend through the "
        "coefficient falls by {change:estimate} from the first items to the last."
    ),
    "step_ask": "Next: go through {which} with {annotator:name}{labels}.",
    "items_since": "items since {since}",
    "items_until": "items before {until}",
    "any_items": "items",
    "some_items": "some items",
    "any_items_of_spans": "documents",
    "some_items_of_spans": "some documents",
    "label_for_other": " ({label:quoted} where others give {other_label:quoted})",
    "label_and_other": " ({label:quoted} against {other_label:quoted})",
    "step_rate_again": "Next: have somebody else rate the items of {annotator:name}.",
    "step_label_of_one": (
        "Next: go through items to which {annotator:name} gave {label:quoted}, with "
        "{annotator:name}."
    ),
    "step_copies": "Next: find out whether {annotator:name} and {group:name} rated by themselves.",
    "step_one_answer": (
        "Next: have somebody else rate the items of the annotators who give only one answer."
    ),
    "step_ends": (
        "Next: state in the guidelines whether spans include the blanks and the punctuation at "
        "their ends."
    ),
    "step_pair": (
        "Next: read items with {label:quoted} and {other_label:quoted}, and make clearer in the "
        "guidelines which of them applies when."
    ),
    "step_group": (
        "Next: read items with {column:name} {group:quoted}, and add to the guidelines what they "
        "lack."
    ),
    "step_label": (
        "Next: make the guidelines for label {label:quoted} clearer, on which annotators agree "
        "least (specific agreement {agreement:estimate})."
    ),
    "step_label_of_spans": (
        "Next: make the guidelines for label {label:quoted} clearer, on whose spans annotators "
        "agree least ({agreement:estimate})."
    ),
    "step_label_of_two": (
        "Next: make clearer when label {label:quoted} applies: if one annotator gave it, another "
        "did so in {agreement:share} of comparisons."
    ),
    "step_labels": (
        "Next: make the guidelines clearer for the labels on which annotators agree least, such "
        "as {label:quoted} ({agreement:estimate})."
    ),
    "step_items": (
        "Next: have more items rated; the interval of ±{half:estimate} is too wide to say more."
    ),
    "step_items_of_spans": (
        "Next: have more documents annotated; the interval of ±{half:estimate} is too wide to say "
        "more."
    ),
    "step_discuss": ("Next: discuss the {disputed:count item} on which annotators disagree."),
    "step_discuss_of_spans": (
        "Next: discuss the {disputed:count document} in which annotators disagree."
    ),
    "next_more_causes": "{causes:count} more causes: {iaa:findings}.",
    "step_read": "Next: read the sections below, which show where agreement is lost.",
    "step_report": (
        "Next: read the whole report, which shows where agreement is lost: {iaa:report}."
    ),
    "step_none": "Next: nothing needs to be improved; the gold labels can be used.",
    "section_left_out": "There is no section on {section:spaced}: {reason:message}.",
    "plan_takes_long": (
        "There is no section on plans, which may take more than 20 s here{advice:next_plan}."
    ),
    "next_plan": ": {iaa:plan} shows what more ratings would bring",
    "said_above": "The head of the report has more on this.",
    "items_numbered": (
        "Ids of items may be texts, which this report leaves out: numbers stand for them, from 1 "
        "in the order of the file."
    ),
    "agreement_is_not_accuracy": (
        "Agreement is not accuracy: annotators may share an error, and disagreement may be right "
        "where an item allows more than one label."
    ),
    "same_population": (
        "Intervals are about other items like these, with the same annotators and guidelines."
    ),
    "coefficients_differ": (
        "A coefficient that corrects for chance is 1 if annotators always agree, and 0 if they "
        "agree no more than by chance. Chance is not the same in all of them: compare only figures "
        "of the same coefficient."
    ),
    "made_with": "iaa_jax {iaa_jax_version}, JAX {jax_version}, NumPy {numpy_version}",
    "made_of_draws": "{replicates:count replicate}, seed {seed}",
    "required": "{verdict}.",
    "made_command": "Made by this command{withheld}:{command:below}",
    "made_withheld": " (names of annotators are not shown: put them in place of ...)",
    "making_sources": "Sources as BibTeX",
    "making_scale": "words for figures",
    "made_files": "{files:names 20}",
}
