"""The code that every ``run`` shares: checks of arguments, timing, treatment of divergence and provenance.

An experiment defines only a body, a function of its ``Config`` and a :class:`Session` that returns a
:class:`RunResult`; :func:`run_of` turns it into ``run(config, *, progress, on_divergence, checkpoint) -> trace``.
"""

from __future__ import annotations

import inspect
import re
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any, Final, Generic, Literal, Protocol, TypeVar

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from closedform import checks
from empirics.runs import own_code, trace
from empirics.runs.config import Configuration
from empirics.runs.device import DTYPES, find
from empirics.runs.parts import Parts
from empirics.training.checkpoint import Checkpoint
from empirics.training.loop import DivergedError
from empirics.training.progress import bar

NUMBER = re.compile(r"[-+]?\d+(?:\.\d*)?(?:e[-+]?\d+)?")

NEVER: Final = -1  # in ``diverged_at``
ARGUMENTS = """\
On one CPU the values are the same to the last bit each time (same versions, instruction set and number of threads).

Args:
    config: which run.
    progress: whether to show bars on stderr for what takes more than two seconds; default True.
    on_divergence: ``"raise"`` (the default), or ``"mark"``: a network whose values stop being finite is marked in
        ``diverged_at``, a warning names it, and the others are kept.
    checkpoint: where to keep the state of an unfinished run; see :func:`empirics.sweep.store.run_or_load`."""
ERRORS = """\
    training.DivergedError: if a network's values stop being finite and ``on_divergence`` is ``"raise"``.
    TypeError: if ``config`` is the configuration of another experiment.
    ValueError: if ``on_divergence`` is neither, the device is not there, no data directory is named, or there are too
        few images.
    FileNotFoundError, ModuleNotFoundError: if data files are not in the directory, or scikit-learn is not installed."""

ConfigType = TypeVar("ConfigType", bound=Configuration)
ConfigArgument = TypeVar("ConfigArgument", bound=Configuration, contravariant=True)


@dataclass(frozen=True)
class RunResult:
    """The result of the body of a run, to which the wrapper adds the seeds as a coordinate and the provenance."""

    # name -> (dimensions, values, meaning)
    variables: Mapping[str, tuple[Sequence[str], Any, str]]
    # dimension -> (values, attributes), without seed
    coordinates: Mapping[str, tuple[Any, Mapping[str, str]]]
    # text and numbers, besides the provenance
    attributes: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Check the parts of every variable."""
        for name, parts in self.variables.items():
            is_whole = isinstance(parts, tuple) and len(parts) == 3
            needs = "(dimensions, values, meaning)"
            checks.require(
                is_whole, f"variables[{name!r}]", f"{type(parts).__name__} of other parts", needs
            )


@dataclass(frozen=True)
class SeedResult:
    """The result of one seed."""

    values: Mapping[str, Any]  # variable -> array or tensor, without the seed dimension
    diverged_at: int = NEVER  # step at which the training diverged, in the unit of the session
    notes: Mapping[str, Any] = field(default_factory=dict)


@dataclass
class Session(Generic[ConfigType]):
    """The state of a run in progress."""

    config: ConfigType
    progress: bool
    stops: bool  # whether a diverging network ends the run; otherwise it is marked
    checkpoint: Checkpoint | None  # where to store the state of the unfinished run
    unit: str  # in which ``diverged_at`` counts
    contexts: ExitStack  # stay open until the trace is made
    # network -> step, of those that were marked
    diverged: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.device = find(getattr(self.config, "device", "cpu"))
        self._began = time.process_time()
        if self.checkpoint is not None:
            self.checkpoint.began = self._began
        self._parts: Parts | None = None

    @property
    def seconds(self) -> float:
        """The processor time that the run has taken, in seconds, including that before an interruption."""
        return (
            time.process_time() - self._began
            if self.checkpoint is None
            else self.checkpoint.elapsed
        )

    def during(self, context: AbstractContextManager[object]) -> None:
        """Enter a context that lasts until the trace is made."""
        self.contexts.enter_context(context)

    def bar(self, label: str, total: int, unit: str, **options: Any) -> Any:
        """Return a progress bar, see :func:`empirics.training.progress.bar`."""
        return bar(label, total, unit, progress=self.progress, **options)

    def parts(self, name: str = "seeds") -> Parts:
        """Return the parts of the run, including those finished before an interruption."""
        self._parts = Parts(self.checkpoint, name)
        return self._parts

    @property
    def unfinished(self) -> Parts:
        """Where the part in progress stores its state; for the functions given to :meth:`one_by_one`."""
        return self.parts() if self._parts is None else self._parts

    def one_by_one(self, learn: Callable[[int], SeedResult]) -> Parts:
        """Run every seed that is not in the checkpoint; DivergedError where one diverges and ``stops`` is set."""
        parts = self.parts()
        for position, seed in enumerate(self.config.seed_numbers):
            if position == len(parts.done):
                outcome = learn(seed)
                parts.add({**outcome.values, "diverged_at": outcome.diverged_at}, **outcome.notes)
            self.mark_one(position, int(parts.done[position]["diverged_at"]))
        return parts

    def mark(self, first_bad: Mapping[int, int]) -> NDArray[np.int64]:
        """Mark diverged networks ``{position in the batch: step}``; return the steps ``[network]``, -1 for the rest."""
        if first_bad and self.stops:
            raise DivergedError(first_bad)
        self.diverged |= self.named(first_bad)
        marks = np.full(len(self.config.members), NEVER, dtype=np.int64)
        for position, when in first_bad.items():
            marks[position] = when
        return marks

    def mark_one(self, position: int, diverged_at: int) -> None:
        """Mark the network at a position that diverged at a step, maybe before an interruption; none for ``NEVER``."""
        self.mark({} if diverged_at == NEVER else {position: diverged_at})

    def named(self, first_bad: Mapping[Any, int]) -> dict[str, int]:
        """Replace the positions in ``first_bad`` by the names of the networks."""
        members = self.config.members
        return {members[position]: when for position, when in first_bad.items()}

    def trace(self, record: RunResult, dtype: str) -> xr.Dataset:
        """Make the labelled dataset with its provenance."""
        name = getattr(self.config, "dtype", dtype)
        own = own_code.of(self.config) if self.checkpoint is None else self.checkpoint.own_code
        origin = trace.provenance(
            self.config.experiment,
            self.config.to_json(),
            self.device,
            DTYPES[name],
            self.seconds,
            own,
        )
        has_seeds = any("seed" in dims for dims, _, _ in record.variables.values())
        seeds: dict[str, Any] = (
            {"seed": (np.asarray(self.config.seed_numbers), {})} if has_seeds else {}
        )
        return trace.dataset(
            record.variables, {**seeds, **record.coordinates}, {**origin, **record.attributes}
        )


class Run(Protocol[ConfigArgument]):
    """The signature of the ``run`` of every experiment."""

    def __call__(
        self,
        config: ConfigArgument,
        *,
        progress: bool = True,
        on_divergence: Literal["raise", "mark"] = "raise",
        checkpoint: Checkpoint | None = None,
    ) -> xr.Dataset:
        """Run the experiment and return its trace."""
        ...


def run_of(
    kind: type[ConfigType],
    *,
    dtype: Literal["float32", "float64"] = "float64",
    unit: str = "epoch",
) -> Callable[[Callable[[ConfigType, Session[ConfigType]], RunResult]], Run[ConfigType]]:
    """Return a decorator that makes the body of an experiment its ``run``; ``dtype`` is for configs without one."""
    named = isinstance(getattr(kind, "experiment", None), str)
    checks.require(
        named,
        kind.__name__,
        "no name of its experiment",
        'a line like experiment: ClassVar[str] = "walk"',
    )

    def decorate(body: Callable[[ConfigType, Session[ConfigType]], RunResult]) -> Run[ConfigType]:
        def run(
            config: ConfigType,
            *,
            progress: bool = True,
            on_divergence: Literal["raise", "mark"] = "raise",
            checkpoint: Checkpoint | None = None,
        ) -> xr.Dataset:
            if not isinstance(config, kind) or config.experiment != kind.experiment:
                raise TypeError(
                    f"config: got {type(config).__name__}, needs a {kind.experiment}.Config"
                )
            checks.one_of("on_divergence", on_divergence, ("raise", "mark"))
            config.load_user_choices()
            with ExitStack() as contexts:
                contexts.enter_context(summarised())
                session = Session(
                    config, progress, on_divergence == "raise", checkpoint, unit, contexts
                )
                try:
                    record = checks.instance(
                        f"{body.__name__}()", body(config, session), RunResult, "a RunResult"
                    )
                except DivergedError as error:
                    raise DivergedError(session.named(error.epochs), unit) from None
                if session.diverged:
                    warnings.warn(
                        str(DivergedError(session.diverged, unit)), RuntimeWarning, stacklevel=2
                    )
                return session.trace(record, dtype)

        run.__name__, run.__qualname__, run.__module__ = (
            body.__name__,
            body.__qualname__,
            body.__module__,
        )
        run.__doc__ = _documented(body)
        run.made_of = body  # type: ignore[attr-defined]
        kind.own_run = staticmethod(run)
        kind.own_code = own_code.at_definition(kind, body)
        return run

    return decorate


def _documented(body: Callable[..., RunResult]) -> str:
    """Return the docstring of a body, extended by the arguments and errors of every run."""
    text, start, example = (inspect.getdoc(body) or "").partition("\n\n>>> ")
    head, returns, rest = text.partition("\n\nReturns:\n")
    raises = "" if "\n\nRaises:\n" in rest else "\n\nRaises:"
    return f"{head}\n\n{ARGUMENTS}{returns}{rest}{raises}\n{ERRORS}{start}{example}\n"


@contextmanager
def summarised() -> Iterator[None]:
    """Of RuntimeWarnings that differ in numbers only, show the first, and at the end the one whose last is largest."""
    show = warnings.showwarning
    kinds: dict[tuple[type[Warning], str], list[str]] = {}
    is_running = True

    def first_of_its_kind(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: Any = None,
        line: Any = None,
    ) -> None:
        kind = category, NUMBER.sub("0", str(message))
        if is_running and issubclass(category, RuntimeWarning) and kind in kinds:
            kinds[kind].append(str(message))
            return
        kinds[kind] = []
        show(message, category, filename, lineno, file, line)

    warnings.showwarning = first_of_its_kind
    try:
        yield
    finally:
        is_running = False
        warnings.showwarning = show
    for (category, _), others in kinds.items():
        if others:
            strongest = max(others, key=_last_number)
            warnings.warn(
                f"{len(others)} more such warnings, the strongest: {strongest}",
                category,
                stacklevel=3,
            )


def _last_number(text: str) -> float:
    numbers = NUMBER.findall(text)
    return float(numbers[-1]) if numbers else 0.0
