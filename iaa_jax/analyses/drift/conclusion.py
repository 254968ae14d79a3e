"""The conclusion of a study of drift, and the notes that state it."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import xarray as xr

from iaa_jax.catalog import title_of
from iaa_jax.measure.shared.times import Times
from iaa_jax.wording import Note
from iaa_jax.wording.times import later_on, named_once

ANNOTATORS_NAMED = 3
"""Maximum number of annotators named for a change in their shares of the ratings."""

OTHER_PANEL = 0.1
"""Minimum share of ratings moved to other annotators, who may then cause the change."""

SMALL_SHARE = 0.02
"""Minimum change in a named annotator's share of the ratings."""

TIMES_MORE = 5
"""Maximum factor between an annotator's shares of the ratings on both sides of a change; above it,
the annotator counts as absent on one side.
"""

FEW_ANNOTATORS, MANY_ANNOTATORS = 2, 8
"""Minimum and maximum number of annotators on both sides of a change, for advice to study them
alone.
"""

WIDE = 0.2
"""Width of the trend's interval above which the data say little."""

FEW_STRETCHES = 6
"""Number of stretches below which a trend may be a step within a stretch."""

AS_WELL = 1.25
"""Explanations are equally good if the ratio of their shares of evidence is less than this."""

_ROUNDING = 1e-12
_NEAR_0 = 0.0005
"""Smaller values are printed as 0.000."""


def conclude(result: xr.Dataset, times: Times) -> tuple[str, list[Note]]:
    """Return the conclusion of a study of drift, and its notes."""
    return _Conclusion(result, times).derive()


class _Conclusion:
    def __init__(self, result: xr.Dataset, times: Times) -> None:
        self.result, self.times = result, times
        self.title = title_of(str(result.attrs["coefficient"]))
        self.alpha = 1 - float(result.attrs["confidence"])
        self.batches = result.attrs["kind"] == "batches"

    def value(self, name: str) -> float:
        return float(self.result[name])

    def at(self, name: str) -> Note:
        """Return a time of the result, to be used in a sentence."""
        return self.times.note_of(self.result[name].values.flat[0])

    def significant(self, name: str) -> bool:
        return self.value(f"{name}_p_value") <= self.alpha

    def derive(self) -> tuple[str, list[Note]]:
        notes = [*self._too_narrow(), *self._other_labels()]
        p_value = self.value("p_value")
        if math.isnan(p_value):
            return "untested", [*notes, *self._untested()]
        two = self.batches and int(np.isfinite(self.result["estimate"].values).sum()) == 2
        if p_value > self.alpha + _ROUNDING:
            if two:
                return "two_alike", [*notes, self._comparison_of_two("two_alike")]
            values = {"title": self.title, "p": p_value, "tests": [*self._tests().values()]}
            excluded = [*self._trend_bounds("trend_told")]
            low, high = self._trend_ends()
            excludes_0 = "" if low <= 0 <= high else Note("trend_alone")
            trend: Note | str = ""
            if excluded:
                trend = Note("trend_beside", {**excluded[0].values, "alone": excludes_0})
            verdict = Note("no_drift", {**values, "trend": trend})
            return "no_drift", [*notes, verdict, *excluded, *self._largest_step()]
        if two:
            conclusion, changes = "two_differ", [self._comparison_of_two("two_differ")]
        else:
            conclusion, changes = self._changes()
        if two or any(note.code in _STEPS for note in changes):
            changes += self._annotators()
        return conclusion, [*notes, *changes]

    def _changes(self) -> tuple[str, list[Note]]:
        findings = [name for name in _FINDINGS if self.significant(name)]
        if not findings:
            p_value, tests = self.value("p_value"), [*self._tests().values()]
            return "unclear", [Note("unclear", {"p": p_value, "tests": tests})]
        lead = self._lead(findings)
        others = [name for name in findings if name != lead]
        given_lead = {name: self._p_value_given(name, lead) for name in others}
        further = [name for name in others if given_lead[name] <= self.alpha]
        remaining = [name for name in others if name not in further]
        as_well = [name for name in remaining if self._too_coarse(name, lead)]
        remaining = [name for name in remaining if name not in as_well]
        explained = [name for name in remaining if self._p_value_given(lead, name) <= self.alpha]
        alternatives = [name for name in remaining if name not in explained]
        as_well += [name for name in alternatives if self._explains_as_well(name, lead)]
        forms = [name for name in _FINDINGS if name in (lead, *as_well)]
        notes = [self._finding_note(name) for name in (lead, *as_well, *further)]
        if as_well:
            looked_for = self._tests()
            notes.insert(0, Note("either", {"forms": [looked_for[name] for name in forms]}))
        less_well = [name for name in alternatives if name not in as_well]
        for code, names in (("explained", explained), ("not_excluded", less_well)):
            if names:
                brief = [self._brief_note(name, given_lead[name]) for name in names]
                notes.append(Note(code, {"found": brief}))
        return "_or_".join(_CONCLUSIONS[name] for name in forms), notes

    def _lead(self, findings: list[str]) -> str:
        """Return the finding that explains the estimates best."""
        if not self.times.in_order and "deviation" in findings:
            return "deviation"
        return max(findings, key=self._share)

    def _share(self, name: str) -> float:
        return float(self.result["finding_share"].sel(finding=_FINDINGS[name]))

    def _explains_as_well(self, name: str, lead: str) -> bool:
        """Return whether a finding explains the estimates about as well as the best one.

        The first or last batch alone and the step next to it are the same finding.
        """
        sizes = self.result["finding_z"].sel(finding=[_FINDINGS[name], _FINDINGS[lead]])
        same = self.batches and np.ptp(sizes.values) < _ROUNDING
        close = self._share(name) * AS_WELL > self._share(lead)
        return self.times.in_order and bool(same or close)

    def _too_coarse(self, name: str, lead: str) -> bool:
        """Return whether a trend may be a step within a stretch, because stretches are few."""
        few = not self.batches and self.result.attrs["stretches"] < FEW_STRETCHES
        return bool(few) and (lead, name) == ("slope", "change")

    def _p_value_given(self, name: str, given: str) -> float:
        """Return the p-value of a finding given another; 1 if untested."""
        left = self.result["left_over_p_value"]
        p_value = float(left.sel(finding=_FINDINGS[name], given=_FINDINGS[given]))
        return 1.0 if math.isnan(p_value) else p_value

    def _finding_note(self, name: str) -> Note:
        if name == "deviation":
            return self._deviation()
        return self._step() if name == "change" else self._trend()

    def _brief_note(self, name: str, left: float) -> Note:
        values: dict[str, object] = {"p": self.value(f"{name}_p_value"), "left": left}
        if name == "slope":
            values["change"] = self.value("period_change")
        else:
            values["at"] = self.at(f"{name}_at")
        if name == "change":
            values |= {side: self.value(f"change_{side}") for side in ("before", "after")}
        if name == "deviation":
            values |= {"there": self.value("deviation_estimate")}
            values["where"] = self._stretch(values.pop("at"))
        return Note(f"beside_{_FINDINGS[name]}", values)

    def _tests(self) -> dict[str, Note]:
        """Return notes on the kinds of change tested for."""
        deviation = "single_batch" if self.batches else "single_stretch"
        looked_for = {"change": "a_step", "slope": "a_trend", "deviation": deviation}
        tested = [name for name in looked_for if not math.isnan(self.value(f"{name}_p_value"))]
        return {name: Note(looked_for[name]) for name in tested}

    def _too_narrow(self) -> Iterator[Note]:
        attrs = self.result.attrs
        if not self.batches and attrs["windows_without_figure"] == self.result.sizes["point"]:
            values = {"reach": attrs["bandwidth"], "usual": attrs["usual_bandwidth"]}
            yield Note("too_narrow", values, "caution")

    def _other_labels(self) -> Iterator[Note]:
        """Yield a caution if label frequencies changed."""
        if not self.significant("label"):
            return
        where = "in_batch" if self.batches else "in_eighth"
        values: dict[str, object] = {"label": str(self.result["label_changed"].item())}
        for end in ("lowest", "highest"):
            values[end] = self.value(f"label_{end}")
            values[f"{end}_where"] = Note(where, {"at": self.at(f"label_{end}_at")})
        yield Note("labels_differ", {**values, "p": self.value("label_p_value")}, "caution")

    def _untested(self) -> Iterator[Note]:
        if self.result.attrs["permutations"]:
            yield Note("cannot_test")
        else:
            yield Note("not_tested", {"none": 0})
        yield from self._trend_bounds("trend_beside_untested")

    def _comparison_of_two(self, code: str) -> Note:
        figures = []
        for index in np.flatnonzero(np.isfinite(self.result["estimate"].values)).tolist():
            point = self.result.isel(point=index)
            low, high = float(point["ci_low"]), float(point["ci_high"])
            ends = Note("ends", {"ends": [low, high]}) if math.isfinite(low) else ""
            at = self.times.note_of(point["point"].values.flat[0])
            values = {"estimate": float(point["estimate"]), "ends": ends, "at": at}
            figures.append(Note("figure_at", values))
        return Note(code, {"title": self.title, "figures": figures, "p": self.value("p_value")})

    def _step(self) -> Note:
        names = ("before", "before_standard_error", "after", "after_standard_error", "p_value")
        values: dict[str, object] = {name: self.value(f"change_{name}") for name in names}
        values |= {"what": self.title, "at": self.at("change_at")}
        if not self.times.in_order:
            return Note("step_as_seen", values)
        low, high = self.at("change_low"), self.at("change_high")
        where = Note("nowhere_else")
        if low != high:
            where = Note("change_between", {"low": low, "high": named_once([low, high])[1]})
        fell = self.value("change_after") < self.value("change_before")
        moved = Note("fell" if fell else "rose")
        since = later_on("since", self.at("change_at"))
        return Note("step", {**values, "moved": moved, "place": where, "since": since})

    def _trend(self) -> Note:
        change, slope = self.value("period_change"), self.value("slope")
        low, high = self._trend_ends()
        values = {
            "what": self.title,
            "moves": Note("falls" if change < 0 else "rises"),
            "change": abs(change),
            "ends": "" if math.isnan(low) else self._ends_in_words(low, high),
            "p": self.value("slope_p_value"),
            # p comes from simulation, and may disagree with the interval near alpha
            "unlike": Note("unlike_p", {"alpha": round(self.alpha, 10)})
            if low <= 0 <= high
            else "",
            "slope": slope,
            "unit": str(self.result.attrs["unit"]),
        }
        return Note("trend", values)

    def _ends_in_words(self, low: float, high: float) -> Note:
        """Return a note on the interval; an end near 0 gets one more decimal."""
        decimals = 4 if min(abs(low), abs(high)) < _NEAR_0 else 3
        confidence = float(self.result.attrs["confidence"])
        ends = {"low": low, "high": high, "decimals": decimals}
        return Note("trend_ends", {**ends, "confidence": confidence})

    def _trend_ends(self) -> tuple[float, float]:
        return self.value("period_change_ci_low"), self.value("period_change_ci_high")

    def _deviation(self) -> Note:
        compared_with = Note("other_batches")
        if not self.batches:
            others = {"others": int(self.result.attrs["stretches"]) - 1}
            compared_with = Note("other_stretches", others)
        values = {
            "title": self.title,
            "where": self._stretch(self.at("deviation_at")),
            "there": self.value("deviation_estimate"),
            "others": self.value("deviation_others"),
            "rest": compared_with,
            "p": self.value("deviation_p_value"),
        }
        return Note("deviation", values)

    def _stretch(self, at: object) -> Note:
        if self.batches:
            return Note("in_batch", {"at": at})
        items = round(float(self.result.attrs["stretch_items"]))
        return Note("in_stretch", {"at": at, "items": items})

    def _trend_bounds(self, trend: str) -> Iterator[Note]:
        """Yield a note on the trends that the interval excludes."""
        low, high = self._trend_ends()
        if math.isnan(low) or high - low < 1e-9:
            return
        bounds = [Note("steady_fall", {"size": -low})] if low < 0 else []
        bounds += [Note("steady_rise", {"size": high})] if high > 0 else []
        if bounds:
            ends = {
                "change": self.value("period_change"),
                "low": low,
                "high": high,
                "confidence": float(self.result.attrs["confidence"]),
            }
            values = {
                **ends,
                "trend": Note(trend, ends),
                "bounds": bounds,
                "wide": Note("wide_trend") if high - low > WIDE else "",
            }
            yield Note("trend_bounds", values)

    def _largest_step(self) -> Iterator[Note]:
        before, cuts = self.value("change_before"), self.result.sizes["cut"]
        if math.isnan(before):
            return
        values = {
            "which": Note("largest_of", {"cuts": cuts}) if cuts > 1 else Note("only_one"),
            "before": before,
            "after": self.value("change_after"),
            "at": self.at("change_at"),
            "order": "" if self.times.in_order else Note("as_seen"),
            "p": self.value("change_p_value"),
        }
        yield Note("largest_step", values)

    def _annotators(self) -> Iterator[Note]:
        """Yield a note on the annotators before and after the change."""
        moved = self.value("panel_change")
        if math.isnan(moved):
            return
        if moved < OTHER_PANEL:
            yield Note("same_annotators" if moved else "same_annotators_as_often", {"moved": moved})
            return
        names = np.array([str(name) for name in self.result["annotator"].values], dtype=object)
        before, after = (
            self.result[f"ratings_{side}"].values / self.result[f"ratings_{side}"].values.sum()
            for side in ("before", "after")
        )
        changed_most = np.argsort(-np.abs(after - before), kind="stable")[:ANNOTATORS_NAMED]
        moves = [
            Note("share_moved", {"name": names[k], "before": before[k], "after": after[k]})
            for k in changed_most
            if abs(after[k] - before[k]) >= SMALL_SHARE
        ]
        stopped = int((after < before / TIMES_MORE).sum())
        began = int((before < after / TIMES_MORE).sum())
        least = np.minimum(before, after)
        both = names[(least > 0) & (least >= np.maximum(before, after) / TIMES_MORE)].tolist()
        in_both = Note("in_both", {"count": len(both)})
        if FEW_ANNOTATORS <= len(both) <= MANY_ANNOTATORS and stopped + began:
            in_both = Note("again_with", {"names": both})
        moves.append(Note("came_and_went", {"stopped": stopped, "began": began}))
        yield Note("other_annotators", {"moved": moved, "moves": moves, "further": in_both})


_FINDINGS = {"change": "step", "slope": "slope", "deviation": "deviation"}
"""Coordinate of each finding, by the prefix of its variables."""

_STEPS = ("step", "step_as_seen")

_CONCLUSIONS = {"change": "step", "slope": "trend", "deviation": "deviation"}
"""Conclusion for each finding, by the prefix of its variables."""
