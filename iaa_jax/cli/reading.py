"""Which ratings: the options that every command with files shares, and what they become."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from iaa_jax.cli import choices, options
from iaa_jax.cli.context import running

if TYPE_CHECKING:
    import xarray as xr


@dataclass(frozen=True)
class Reading:
    """Which ratings: the files, their columns, and what of them is kept."""

    files: tuple[str, ...]
    item: Sequence[str] | None = None
    annotator: str | None = None
    label: str | None = None
    secondary: str | None = None
    annotators: Sequence[str] | None = None
    labels: Sequence[str] | None = None
    counts: Sequence[str] | None = None
    one_hot: Sequence[str] | None = None
    multi_hot: Sequence[str] | None = None
    anonymous: bool = False
    records: str | None = None
    file_pattern: str | None = None
    encoding: str | None = None
    separator: str | None = None
    missing: Sequence[str] | None = None
    keep_labels: Sequence[str] | None = None
    keep_annotators: Sequence[str] | None = None
    format: str | None = None
    question: str | None = None
    duplicates: str = "error"
    skipped: str = "missing"

    def shown_files(self) -> list[str]:
        """The files by the names that a report gives them."""
        from iaa_jax.io.files import name_of

        return [name_of(file) for file in self.files]

    def ratings(
        self, progress: Callable[[int, int], None] | None = None, keep: Sequence[str] = ()
    ) -> xr.Dataset:
        """Read the files with further columns, and keep what is asked for."""
        from iaa_jax.cli.context import as_option
        from iaa_jax.data.select import keep_annotators, keep_labels
        from iaa_jax.io import read
        from iaa_jax.io.words import in_words

        item = self.item[0] if self.item and len(self.item) == 1 else self.item
        ratings = read(
            list(self.files),
            format=self.format,
            item=item,
            annotator=self.annotator,
            label=self.label,
            secondary=self.secondary,
            annotators=self.annotators,
            labels=self.labels,
            question=self.question,
            duplicates=self.duplicates,
            skipped=self.skipped,
            counts=self.counts,
            one_hot=self.one_hot,
            multi_hot=self.multi_hot,
            anonymous=self.anonymous,
            separator=self.separator,
            missing=self.missing,
            records=self.records,
            file_pattern=self.file_pattern,
            encoding=self.encoding,
            keep=list(keep) or None,
            progress=progress,
        )
        if self.keep_annotators is not None:
            ratings = keep_annotators(ratings, self.keep_annotators)
        if self.keep_labels is not None:
            ratings = keep_labels(ratings, self.keep_labels)
        if "notices" in ratings.attrs:
            notices = in_words(ratings.attrs["reading"], as_option)["notices"]
            ratings = ratings.assign_attrs(notices="\n".join(notices))
        return ratings


def reading_options(
    files: options.Files,
    item: options.Item = None,
    annotator: options.Annotator = None,
    label: options.Label = None,
    secondary: options.Secondary = None,
    annotators: options.Annotators = None,
    counts: options.Counts = None,
    one_hot: options.OneHot = None,
    multi_hot: options.MultiHot = None,
    anonymous: options.Anonymous = False,
    records: options.Records = None,
    file_pattern: options.FilePattern = None,
    encoding: options.Encoding = None,
    format: options.Format = None,
    question: options.Question = None,
    labels: options.Labels = None,
    missing: options.MissingCodes = None,
    separator: options.Separator = None,
    keep_labels: options.KeepLabels = None,
    keep_annotators: options.KeepAnnotators = None,
    duplicates: options.Duplicates = "error",
    skipped: options.Skipped = "missing",
) -> Reading:
    """The options, checked."""
    return Reading(
        files=tuple(files),
        item=choices.listed(item, "--item"),
        annotator=annotator,
        label=label,
        secondary=secondary,
        annotators=choices.listed(annotators, "--annotators"),
        counts=choices.listed(counts, "--counts"),
        one_hot=choices.listed(one_hot, "--one-hot"),
        multi_hot=choices.listed(multi_hot, "--multi-hot"),
        anonymous=anonymous,
        records=records,
        file_pattern=file_pattern,
        encoding=encoding,
        separator=separator,
        missing=choices.listed(missing, "--missing"),
        labels=choices.listed(labels, "--labels"),
        keep_labels=choices.listed(keep_labels, "--keep-labels"),
        keep_annotators=choices.listed(keep_annotators, "--keep-annotators"),
        format=choices.format_of(format),
        question=question,
        duplicates=choices.one_of(duplicates, choices.DUPLICATES, "--duplicates"),
        skipped=choices.one_of(skipped, choices.SKIPPED, "--skipped"),
    )


@dataclass(frozen=True)
class Resampling:
    """Which interval, and the replicates behind it."""

    interval: str | None = "auto"
    confidence: float = 0.95
    replicates: int = 2000
    seed: int = 0


def resampling_options(
    interval: options.Interval = "auto",
    confidence: options.Confidence = 0.95,
    replicates: options.Replicates = 2000,
    seed: options.Seed = 0,
) -> Resampling:
    """The options, checked."""
    return Resampling(
        interval=choices.interval_of(interval),
        confidence=choices.share(confidence, "--confidence"),
        replicates=replicates,
        seed=seed,
    )


def takes(
    *groups: Callable[..., Any],
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the options of whole groups.

    The command takes what each group makes of its options first, in their order, and then its
    own options. Its help shows all of them by panel.
    """
    of_group = [inspect.signature(group, eval_str=True).parameters for group in groups]

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        own = list(inspect.signature(command, eval_str=True).parameters.values())[len(groups) :]
        every = [*(parameter for found in of_group for parameter in found.values()), *own]

        def with_options(**given: Any) -> None:
            with running(given):
                made = [
                    group(**{name: given.pop(name) for name in found})
                    for group, found in zip(groups, of_group, strict=True)
                ]
                command(*made, **given)

        keyword = inspect.Parameter.KEYWORD_ONLY
        parameters = [one.replace(kind=keyword) for one in sorted(every, key=_panel)]
        with_options.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        with_options.__annotations__ = {one.name: one.annotation for one in parameters}
        with_options.__name__, with_options.__doc__ = command.__name__, command.__doc__
        return with_options

    return decorate


def _panel(parameter: inspect.Parameter) -> int:
    (declared,) = parameter.annotation.__metadata__
    return options.PANELS.index(getattr(declared, "rich_help_panel", None))
