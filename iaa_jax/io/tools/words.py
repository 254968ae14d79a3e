"""The words of what was skipped, and of what may be meant otherwise, in exports of tools."""

from __future__ import annotations

from iaa_jax.wording import Words

SKIPPED: Words = {
    "skipped_failed": "{count:count object} that failed, without an answer",
    "skipped_not_begun": (
        "{count:count document} that {count:its annotator|their annotators} had not begun, or that "
        "{count:was|were} locked"
    ),
    "skipped_irrelevant": "{count:count position} flagged as irrelevant",
    "skipped_of_hits": (
        "{count:count question} on whole HITs and not on their items ({names:quoted 5})"
    ),
    "skipped_annotations": "{count:count annotation} of parts of documents",
    "skipped_default_set": "{count:count annotation} of a default set",
    "skipped_open_marks": (
        "the {count:place|places} of {count:count error} whose {count:mark has|marks have} no "
        "other end"
    ),
    "skipped_untimed": "{count:count annotation} without times of {count:its|their} own",
    "skipped_codings": "{count:count coding} of {kind:name}",
    "skipped_relations": "{count:count relation}",
    "skipped_events": "{count:count event}",
    "skipped_attributes": "{count:count attribute} without value or not of a span",
    "skipped_normalizations": "{count:count normalization}",
    "skipped_remarks": "{count:count remark}",
    "skipped_unanswered": "{count:count task} without an answer",
    "skipped_views": "{count:count task} of other views ({views:quoted 5})",
}

OTHERWISE: Words = {
    "agreement_lists_what_was_made": (
        "the export lists only what annotators marked: a document without marks by an annotator "
        "counts as not seen by that annotator"
    ),
    "layers_without_state": (
        "{count:count file} without any span {count:counts|count} as finished with nothing to "
        "mark; only a whole project, with its exportedproject*.json, shows whether {count:it "
        "was|they were} finished"
    ),
    "layers_of_other_text": (
        "the text of {count:count document} differs between annotators, so places in it cannot be "
        "compared"
    ),
    "label_studio_gold": (
        "{count:count annotation} marked as ground truth {count:was|were} left out. {count:Its "
        "annotator|Their annotators} made other annotations as well, so the marked {count:one may "
        "be an ordinary one: to count it|ones may be ordinary: to count them}, give "
        "{include:option =gold}."
    ),
    "label_studio_gold_counted": (
        "{count:count annotation} marked as ground truth {count:counts|count} as "
        "{count:a judgement|judgements}: each task has one, by an annotator who has others too."
    ),
    "label_studio_from_prediction": (
        "{count:count annotation} {count:was|were} begun from a prediction; annotators who saw one "
        "prediction may agree because of it"
    ),
    "label_studio_same_data": (
        "{count:count task} {count:repeats|repeat} the data of another one and {count:counts as an "
        "item|count as items} of {count:its|their} own; to merge them, name items by the data, as "
        "in {item:option =text}"
    ),
    "label_studio_min": (
        "annotations that were skipped are not in this format, and those that count as ground "
        "truth are not marked: read the project's JSON if there may be any"
    ),
    "prodigy_without_hash": (
        "{count:count} {count:task has|tasks have} no _input_hash; their items are named by the "
        "text, image, audio or other input, apart from those with a hash"
    ),
    "prodigy_rejected": (
        "{count:count} {count:task was|tasks were} rejected where options or spans were to be "
        "chosen, and {count:counts|count} as skipped; give {include:option =rejected} to count "
        "what was chosen there"
    ),
    "prodigy_patterns": (
        "{count:count} {count:highlight|highlights} of patterns without a label {count:is|are} no "
        "{count:span|spans}"
    ),
    "prodigy_sessions": (
        "{count:count} {count:task names|tasks name} no annotator, or only the time of a session; "
        "their annotator is the name of the file"
    ),
    "prodigy_packed": (
        "{count:count option} answer several questions in one list, as in 'Question: answer'; they "
        "were read as one set of labels; to measure one question, keep its labels alone"
    ),
    "doccano_empty": (
        "{count:count} {count:list|lists} of labels or spans {count:is|are} empty: in doccano an "
        "item not done looks like one without labels"
    ),
    "files_mark_nothing": (
        "{count:count} {count:file marks|files mark} nothing: a document not begun looks "
        "like one with nothing to mark"
    ),
    "teamware_commas": (
        "{count:count answer} with commas {count:was|were} read as several labels: Teamware's CSV, "
        "unlike its JSON, does not mark commas within a label or text"
    ),
    "conll_not_whole": (
        "{count:count} {count:span lacks its|spans lack their} first tag (B-) or last (E-, L-), "
        "and a strict reading would leave {count:it|them} out"
    ),
    "conll_inside_without_begin": (
        "{count:count} {count:span begins|spans begin} with a tag I-, others in the file with B-"
    ),
    "potato_unclear": (
        "{count:count answer} {count:holds|hold} several options of a question that takes one, "
        "without the last choice; {count:it counts|they count} as not answered"
    ),
    "potato_several": (
        "{count:count answer} {count:holds|hold} several options, and {count:was|were} read as "
        "{count:a set|sets}; of a question that takes one option, Potato up to 2.7.1 kept every "
        "option that was clicked"
    ),
    "triples_turned": (
        "there are more annotators than items; if the items stand first and the annotators second, "
        "give {item:option =1} and {annotator:option =2}"
    ),
    "argilla_without_status": (
        "{count:count response} without a status: only flattened records, as from "
        "to_list(flatten=True) or the Hub, show whether {count:it was a draft|they were drafts} or "
        "discarded"
    ),
    "argilla_rankings": (
        "{count:count} {count:question|questions} whose answers put the same options into "
        "different orders {count:was|were} read as {count:a ranking|rankings}"
    ),
    "mturk_items": (
        "Each HIT was read as several items, named by {item:quoted}, as its answers "
        "{names:quoted 4 count} differ in a number alone. If they are questions on one HIT, read "
        "one of them, as by {question:option first}."
    ),
    "mturk_bars": (
        "{count:count} {count:answer holds|answers hold} '|', which MTurk puts between boxes that "
        "were ticked, and {count:was|were} read as a set of labels"
    ),
    "crowdflower_tainted": (
        "{count:count} tainted {count:judgement|judgements} {count:was|were} left out: the "
        "platform does not trust {count:its worker|their workers}. To count {count:it|them}, give "
        "{include:option =rejected}."
    ),
    "crowdflower_tainted_counted": (
        "{count:count} tainted {count:judgement|judgements} {count:counts|count}, though the "
        "platform does not trust {count:its worker|their workers}. To leave {count:it|them} out, "
        "give {exclude:option rows}."
    ),
    "crowdflower_tests": (
        "{count:count} {count:judgement|judgements} of {units:count} test "
        "{units:question|questions} ({names:quoted 5 units}) {count:was|were} left out; to count "
        "{count:it|them}, give {include:option =gold}."
    ),
    "crowdflower_tests_counted": (
        "{count:count} {count:judgement|judgements} of {units:count} test "
        "{units:question|questions} ({names:quoted 5 units}) {count:counts|count}: workers may "
        "know the answers, which are shown to them afterwards."
    ),
    "appraise_checks": (
        "{count:count row} of quality control (tutorials, documents that fill tasks up, types "
        "other than TGT) {count:was|were} left out; to count {count:it|them}, give "
        "{include:option =gold}."
    ),
    "appraise_checks_counted": (
        "{count:count row} of quality control (tutorials, documents that fill tasks up, types "
        "other than TGT) {count:counts|count}."
    ),
    "zooniverse_addresses": (
        "{count:count annotator} {count:was|were} not logged in, and {count:is|are} told from "
        "others by {count:an address|addresses} alone"
    ),
}
