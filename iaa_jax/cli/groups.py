"""Groups of options that commands share, turned into arguments of the package's functions."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, TypeVar

from iaa_jax._errors import IaaError, LayoutError, OptionError
from iaa_jax.cli import choices, options
from iaa_jax.cli.context import as_option, reading_too, running
from iaa_jax.cli.exits import complain, exits
from iaa_jax.cli.grouping import joined
from iaa_jax.cli.help import HELP_ALL, with_help
from iaa_jax.cli.large_files import advice_on
from iaa_jax.cli.options import COLUMNS, INTERVALS, MEASURE, RATINGS
from iaa_jax.measure import IntervalOptions, LabelOptions, Sampling
from iaa_jax.measure.options.declared import OneOf, Option, Whole, options_of, with_signature
from iaa_jax.wording import keyword, named
from iaa_jax.wording.spelling import respelled

if TYPE_CHECKING:
    import xarray as xr

    from iaa_jax.cli.progress import LateProgress
    from iaa_jax.scale.scanning import ScanRequest

Group = TypeVar("Group")
Result = TypeVar("Result")

_KEYWORD = inspect.Parameter.KEYWORD_ONLY

Keywords = dict[str, Any]
"""Values of options, by their names as keywords of the package's functions."""


def takes(
    *groups: Callable[..., Any], common: Sequence[str] = (), rare: Sequence[str] = ()
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator that gives a command the options of whole groups.

    The command's function first takes one value per group, made from the group's options, and then
    its own options. The first screen of the help shows the options declared as common; ``common``
    and ``rare`` name exceptions for this command. The function's docstring is the help. The lines
    under "Examples", which must run unchanged, become its ``examples``.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        joined_command = joined(command, *groups)

        def with_options(**values: object) -> None:
            del values[HELP_ALL.name]
            choices.check_given(values)
            file_values = (values[name] for name in to_read)
            lists = (each if isinstance(each, list) else [each] for each in file_values if each)
            files_to_read = [str(file) for files in lists for file in files]
            with running(values), reading_too(files_to_read), exits(bool(values.get("debug"))):
                joined_command(**values)

        declared = inspect.signature(joined_command).parameters.values()
        to_read = options.that_read(declared)
        parameters = sorted(with_help(declared, common, rare), key=_place)
        with_options.__annotations__ = {option.name: option.annotation for option in parameters}
        with_options.__name__ = command.__name__
        text, _, examples = (inspect.getdoc(command) or "").partition("\n\nExamples\n--------\n")
        with_options.examples = examples  # type: ignore[attr-defined]
        # the terminal wraps a paragraph at its own width
        paragraphs = text.split("\n\n")
        with_options.__doc__ = "\n\n".join(" ".join(part.split()) for part in paragraphs)
        return with_signature(with_options, inspect.Signature(parameters))

    return decorate


def _place(parameter: inspect.Parameter) -> tuple[int, int]:
    (declared,) = parameter.annotation.__metadata__
    panel = options.PANELS.index(getattr(declared, "rich_help_panel", None))
    places = {"coefficient": 0, "coefficients": 0, "level": 1, "seed": 3}
    return panel, places.get(parameter.name, 2)


OF_SPANS = ("item", "annotator", "file_pattern", "encoding", "max_megabytes", "format", "question")
OF_SPAN_RATINGS = (
    *("labels", "merge_labels", "merge_ids", "duplicates", "skipped", "empty"),
    *("exclude", "include"),
)
"""Options for files of spans, named as the keywords of `iaa_jax.read_spans`."""

AFTER_READING = ("recode", "keep_labels", "keep_annotators", "at_least")
"""Options that change ratings after they are read."""

SCANNING = ("scan", "memory")
"""Options for reading files that do not fit in memory."""

_OF_SCANS = ("item", "annotator", "label", "labels", "missing")
"""Options for files that are scanned, named as the keywords of `iaa_jax.scan`."""


@dataclass(frozen=True)
class InputOptions:
    """The ratings to use: the files, their columns, and the labels and annotators to keep."""

    files: tuple[str, ...]
    columns: Keywords = field(default_factory=dict)
    keep_labels: Sequence[str] | None = None
    keep_annotators: Sequence[str] | None = None
    recode: Mapping[str, str] | None = None
    at_least: str | None = None
    before: Sequence[str] = ()  # old names in --recode that must occur in the data
    shown: tuple[str, ...] = ()
    scan: bool = False
    memory: str | None = None

    @property
    def names(self) -> list[str]:
        """The names of the files on a page."""
        from iaa_jax.io.files import file_name

        return [file_name(file) for file in self.shown or self.files]

    def ratings(
        self,
        progress: LateProgress,
        keep: Sequence[str] = (),
        *,
        single_items: bool = False,
    ) -> xr.Dataset:
        """Return the chosen ratings in the files, with the columns ``keep``.

        Spans become ratings of documents. With ``single_items``, a scan of large files is refused:
        it only counts items with the same ratings, and cannot name single items.
        """
        progress.step("Reading")
        if self.scan:
            if single_items:
                self._refuse_items()
            return self._kept(self._scanned(progress, keep))
        if advice := advice_on(self.files):
            complain(respelled(advice, as_option))
        return self._kept(self._read(list(keep) or None, progress))

    def _read(self, keep: Sequence[str] | None, progress: LateProgress) -> xr.Dataset:
        """Read the files; the annotators to keep may show which columns hold ratings."""
        from iaa_jax.io import read

        read_with = partial(read, list(self.files), keep=keep, progress=progress.done)
        try:
            return read_with(**self.columns)
        except LayoutError as unclear:
            columns = unclear.wide(self.keep_annotators or ())
            if columns is None:
                raise
            try:
                return read_with(**{**self.columns, **columns})
            except IaaError:
                raise unclear from None

    def with_every_column(self, progress: LateProgress, keep: Sequence[str]) -> xr.Dataset:
        """Return the ratings with all columns; if one cannot be kept, only with those in ``keep``.

        The name "order" in ``keep`` stands for the order of the items, and needs no column.
        """
        from iaa_jax.measure.shared.times import ORDER

        keep = [name for name in keep if name != ORDER]
        try:
            ratings = self.ratings(progress, ["*"], single_items=True)
        except IaaError:  # a column cannot be kept; other errors are raised again below
            return self.ratings(progress, keep, single_items=True)
        if {*keep} <= {*map(str, ratings.coords)}:
            return ratings
        return self.ratings(progress, keep, single_items=True)

    def _refuse_items(self) -> NoReturn:
        from iaa_jax.scale.scanning import MOST, SOME, command_for_some

        raise OptionError(
            "a scan only counts items with the same ratings, and cannot name items: extract the "
            f"items of interest from the files, and name {SOME} in their place without "
            f"{named('scan')}; this extracts {MOST:,} on which annotators differ: "
            f"{command_for_some(self._asked(()))}"
        )

    def scanned_with(
        self, other: InputOptions, progress: LateProgress, keep: Sequence[str]
    ) -> tuple[xr.Dataset, xr.Dataset]:
        """Scan two sets in one pass, so that common items are recognised."""
        from iaa_jax.scale.two_sets import scan_two

        progress.step("Reading")
        asked = self._asked(keep), other._asked(keep)
        a, b = scan_two(*asked, **self._limit(), progress=progress.done)
        return self._kept(a), other._kept(b)

    def rounds(
        self,
        by: str,
        choose: Callable[[Sequence[str]], Sequence[str]],
        progress: LateProgress,
        keep: Sequence[str],
    ) -> xr.Dataset:
        """Scan a set of two rounds; an item that was rated in both rounds counts as two items."""
        from iaa_jax.scale.two_sets import scan_rounds

        progress.step("Reading")
        asked = self._asked(keep)
        return self._kept(scan_rounds(asked, by, choose, **self._limit(), progress=progress.done))

    def _scanned(self, progress: LateProgress, keep: Sequence[str]) -> xr.Dataset:
        from iaa_jax.scale.scanning import scan

        return scan(**self._asked(keep)._asdict(), **self._limit(), progress=progress.done)

    def _limit(self) -> Keywords:
        return {} if self.memory is None else {"memory": self.memory}

    def _asked(self, keep: Sequence[str]) -> ScanRequest:
        from iaa_jax.scale.scanning import ScanRequest

        usual = {**options.ColumnOptions().keywords, **vars(options.RatingOptions())}
        for name, value in self.columns.items():
            if name not in _OF_SCANS and value != usual[name]:
                raise OptionError(
                    f"{named(name)} is not for scans, which read long tables as they are"
                )
        given = {name: self.columns[name] for name in _OF_SCANS}
        return ScanRequest(list(self.files), **given, by=list(keep))

    def spans(self, progress: LateProgress, *, texts: bool = False) -> xr.Dataset:
        """Return the chosen spans in the files, even if the files also hold other annotations.

        With ``texts``, texts of the documents are included if the files have them.
        """
        from iaa_jax._errors import MissingColumnError
        from iaa_jax.io import read_spans

        progress.step("Reading")
        columns = {name: self.columns[name] for name in (*OF_SPANS, *OF_SPAN_RATINGS)}
        columns |= {"progress": progress.done}
        try:
            spans = read_spans(list(self.files), **columns, keep="text" if texts else None)
        except MissingColumnError:
            if not texts:
                raise
            spans = read_spans(list(self.files), **columns)
        return self._kept(spans)

    def _kept(self, ratings: xr.Dataset) -> xr.Dataset:
        from iaa_jax import data
        from iaa_jax.data.as_ratings import span_ratings
        from iaa_jax.data.recoding import advising_new_labels, check_given

        if self.shown:
            ratings.attrs["files"] = json.dumps(self.names, ensure_ascii=False)
        if self.recode is not None:  # before annotators are selected
            check_given(ratings, self.before)
            ratings = advising_new_labels(data.recode(ratings, self.recode), self.recode)
        if self.keep_annotators is not None:
            ratings = data.keep_annotators(ratings, self.keep_annotators)
        if self.keep_labels is not None:
            ratings = data.keep_labels(ratings, self.keep_labels)
        if self.at_least is not None:
            ratings = data.at_least(ratings, self.at_least)
        return span_ratings(ratings)

    def other(self, files: Sequence[str], **columns: Any) -> InputOptions:
        """Return a copy with these files, and with the options in ``columns`` replaced."""
        return replace(self, files=tuple(files), columns=self.columns | columns)


def coefficient_options(coefficient: options.Coefficient = None) -> str | None:
    """Return the chosen coefficient, if any."""
    return choices.one_of(coefficient, choices.NAMES, "--coefficient")


def shared(group: type[Group], panel: str, *names: str) -> Callable[..., Group]:
    """Return a function that makes a group from its options, or only from those in ``names``."""
    declared = [
        option
        for option in options_of(group)
        if option.help and (option.name in names or not names)
    ]

    def group_of(**values: object) -> Group:
        return group(
            **{option.name: choices.declared(values[option.name], option) for option in declared}
        )

    parameters = [
        inspect.Parameter(
            option.name, _KEYWORD, default=option.default, annotation=_typed(option, panel)
        )
        for option in declared
    ]
    return with_signature(group_of, inspect.Signature(parameters))


def _typed(option: Option, panel: str) -> object:
    values = option.values
    if values is None:
        raise ValueError(f"{option.name} takes no values that a command line could give")
    help_text = option.help
    if isinstance(values, OneOf):
        names = (*values.names, values.nothing) if values.nothing else values.names
        help_text = f"{option.help}: {', '.join(names)}."
    least = values.least if isinstance(values, Whole) else None
    kind = values.type | None if option.default is None else values.type
    flag = f"--{option.name.replace('_', '-')}"
    return Annotated[
        kind,
        options.option(panel, values.metavar, help_text, flag, min=least, common=option.common),
    ]


def reading_of(
    columns: options.ColumnOptions, ratings: options.RatingOptions, files: options.Files
) -> InputOptions:
    """Return the options for files, columns and ratings as one value."""
    choices.format_of(columns.format)
    keywords = {**columns.keywords, **vars(ratings)}
    kept = {name: keywords.pop(name) for name in AFTER_READING}
    kept["recode"] = choices.pairs_of(kept["recode"], "--recode")
    keywords["labels"], before = choices.before_recoding(keywords["labels"], kept["recode"])
    scanning = {name: keywords.pop(name) for name in SCANNING if name in keywords}
    if scanning.get("memory") is not None and not scanning["scan"]:
        raise OptionError(f"{named('memory')} is for scans: also give {named('scan')}")
    return InputOptions(tuple(files), keywords, **kept, before=before, **scanning)


reading_options = joined(
    reading_of, shared(options.ColumnOptions, COLUMNS), shared(options.RatingOptions, RATINGS)
)

label_options = shared(LabelOptions, MEASURE)
interval_options = shared(
    IntervalOptions, INTERVALS, "interval", "confidence", "replicates", "seed", "device"
)


def with_sampling(
    chosen: IntervalOptions,
    cluster: options.Cluster = None,
    random_annotators: options.RandomAnnotators = None,
    bayesian: options.Bayesian = False,
    population: options.Population = None,
    standard_error: options.StandardError = None,
    transform: options.Transform = None,
    prior: options.Prior = None,
) -> IntervalOptions:
    """Return the options for intervals, sampling and standard errors as one value."""
    choices.one_of(transform, choices.TRANSFORMS, "--transform")
    given = bool(standard_error or transform or prior is not None)
    if chosen.interval is None and given:
        raise OptionError(
            f"{named('standard_error')}, {named('transform')} and {named('prior')} are about "
            f"intervals, and {keyword('interval', 'none')} asks for none: leave them out"
        )
    if given:
        error = standard_error or chosen.how.standard_error
        how = chosen.how
        if prior is not None and how.method == "auto":  # only this method has a prior
            how = replace(how, method="empirical_bayes")
        how = replace(how, standard_error=error, transform=transform, prior=prior)
        chosen = replace(chosen, interval=how)
    if cluster or random_annotators is not None or bayesian or population:
        annotators = {None: None, True: "random", False: "fixed"}[random_annotators]
        drawn = Sampling(cluster, annotators, population, bayesian=bayesian)
        chosen = replace(chosen, sampling=drawn)
    return chosen


sampling_options = joined(with_sampling, interval_options)
unit_options = joined(with_sampling, interval_options, only=("cluster", "random_annotators"))
difference_options = joined(
    with_sampling, interval_options, only=("cluster", "random_annotators", "prior")
)
cluster_options = joined(with_sampling, interval_options, only=("cluster",))
plain_draws = shared(IntervalOptions, INTERVALS, "confidence", "seed", "device")
drawing_options = joined(with_sampling, plain_draws, only=("cluster",))


def columns_of(chosen: IntervalOptions) -> tuple[str, ...]:
    """Return the names of the columns that the sampling needs."""
    cluster = chosen.random.cluster
    return () if cluster is None else (cluster,)
