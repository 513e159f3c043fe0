"""Campaigns: as many studies as fit into a time budget, the most valuable first, in pieces that can be resumed.

First come studies for which a figure states a number and which have no current recorded result at this scale or a
larger one; then the others without a result; then those with one; among equals, the one that took less time. In a first
round each study may use twice its equal share of the time that is left; a second round continues what is unfinished.
"""

import math
import multiprocessing
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Any

from bridge.results import folder, record, recording
from bridge.results.analyses import FIGURES
from closedform import checks, keyboard
from closedform.suggestions import unknown
from empirics.experiments import STUDIES
from empirics.runs.study import SCALES, Scale
from empirics.sweep import SweepError, run_all, store

SHARES = 2  # equal shares of the time left that one study may use in the first round
RESULTS = "results"
GRACE = 25.0  # seconds that a run has to save its state
UNITS = {"s": 1, "m": 60, "h": 3600}


@dataclass
class Progress:
    """How far a study has come."""

    study: str
    configs: Mapping[str, Any]  # by label
    changed: Mapping[str, Any]  # options that differ from those of the scale
    # labels of the configurations that have traces
    finished: list[str] = field(default_factory=list)
    problem: str = ""  # why it cannot be run or analysed; empty where it can

    @property
    def is_open(self) -> bool:
        """Whether there is something left to run."""
        return not self.problem and len(self.finished) < len(self.configs)

    def __str__(self) -> str:
        done = f"{len(self.finished)} of {len(self.configs)}"
        return f"{self.study:<32}{done:>10}  {self.problem}".rstrip()


def seconds(text: str) -> float:
    """Return the time that a text such as ``"25m"``, ``"90s"`` or ``"1.5h"`` states, in seconds."""
    match = re.fullmatch(r"(\d+(?:\.\d*)?|\.\d+)\s*([smh])", text.strip())
    if match is None or float(match[1]) <= 0:
        raise ValueError(f"budget: got {text!r}, needs a positive time such as 25m, 90s or 1.5h")
    return float(match[1]) * UNITS[match[2]]


def order(scale: Scale, names: Sequence[str] = ()) -> list[str]:
    """Return the names of studies, or of all, in the order of a campaign at a scale; see the text of this module."""
    chosen = list(names) or [
        name for name, _ in STUDIES.each(lambda name: STUDIES[name].configs(scale))
    ]
    for name in chosen:
        if name not in STUDIES:
            raise ValueError(unknown("study", name, STUDIES))

    def with_number(paper: str) -> set[str]:
        return {figure.study for figure in FIGURES[paper] if figure.quantity}

    stated = set().union(*(studies for _, studies in FIGURES.each(with_number)))

    def value(name: str) -> tuple[bool, bool, float]:
        results = record.current(name)
        is_known = any(SCALES.index(at) >= SCALES.index(scale) for at in results)
        cost = max((result.seconds for result in results.values()), default=math.inf)
        return is_known, name not in stated, cost

    return sorted(chosen, key=value)


def run(
    directory: Path,
    scale: Scale = "paper",
    budget: float = 1500.0,
    device: str | None = None,
    names: Sequence[str] = (),
    say: Callable[[str], object] = print,
) -> list[Progress]:
    """Run studies until they are finished or the time is over; the same call continues where an earlier one ended.

    ``directory``/results receives results and pictures; ``budget`` is in seconds; no ``device`` means those of the
    configurations, and no ``names`` all studies.
    """
    end = time.monotonic() + checks.positive_number("budget", budget)
    studies = plan(directory, scale, device, names)
    for progress in studies:
        runs = folder.runs_of(STUDIES[progress.study], scale, progress.configs, progress.changed)
        folder.record(directory, runs)
    for is_first_round in (True, False):
        for position, progress in enumerate(studies):
            seconds_left = end - time.monotonic()
            waiting = sum(other.is_open for other in studies[position:])
            if progress.is_open and seconds_left > 0:
                share = min(1.0, SHARES / waiting) if is_first_round else 1.0
                _advance(directory, progress, seconds_left * share)
                say(str(progress))
    for progress in studies:
        if progress.finished and not progress.problem:
            _conclude(directory, progress)
    return studies


def plan(
    directory: Path, scale: Scale, device: str | None = None, names: Sequence[str] = ()
) -> list[Progress]:
    """Return the studies of a campaign in their order, with what is finished; arguments as for :func:`run`."""
    checks.one_of("scale", scale, SCALES)
    studies = []
    for name in order(scale, names):
        configs = STUDIES[name].configs(scale)
        has_device = any(hasattr(config, "device") for config in configs.values())
        changed = {"device": device} if device is not None and has_device else {}
        configs = {label: config.changed(**changed) for label, config in configs.items()}
        studies.append(Progress(name, configs, changed, _finished(directory, configs)))
    return studies


def _finished(directory: Path, configs: Mapping[str, Any]) -> list[str]:
    return [
        label
        for label, config in configs.items()
        if store.is_stored(config, directory / folder.TRACES)
    ]


def _advance(directory: Path, progress: Progress, allowed: float) -> None:
    """Do the open runs of a study, one after another, in a process that ends after at most ``allowed`` seconds."""
    # which imports once and has no threads when it forks
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(
        target=_work, args=(str(directory / folder.TRACES), progress.configs, sender)
    )
    try:
        resource_tracker.ensure_running()  # which would unblock the signal when it is started later
        with keyboard.unseen_by_children():
            process.start()
        sender.close()
        process.join(allowed)
    finally:  # the time is over, or Ctrl-C has come, which the process itself does not see
        was_alive = process.is_alive()
        if was_alive:
            process.terminate()  # the run saves its state first
            process.join(GRACE)
            process.kill()  # what it wrote is complete, and its claim on the run ends with it
            process.join()
    if not was_alive:
        try:
            progress.problem = str(receiver.recv())
        except EOFError:
            progress.problem = f"its process ended with code {process.exitcode}"
    progress.finished = _finished(directory, progress.configs)


def _work(traces: str, configs: Mapping[str, Any], sender: Any) -> None:
    """Do the runs without a trace, and send the text of an error, or an empty one at the end."""
    try:
        run_all(configs, traces, on_divergence="mark", progress=False)
        sender.send("")
    except KeyboardInterrupt:  # the time is over
        return
    except SweepError as failed:  # the other studies go on, and the problems are named
        sender.send(" ".join(str(failed).partition("\n")[2].split()))
    except Exception as problem:
        sender.send(f"{type(problem).__name__}: {' '.join(str(problem).split())}")


def _conclude(directory: Path, progress: Progress) -> None:
    """Analyse what is finished and write its compact results."""
    (runs,) = (
        runs_of_study
        for runs_of_study in folder.studies(directory)
        if runs_of_study.study == progress.study
    )
    try:
        recording.record_study(directory, runs, directory / RESULTS, directory / RESULTS)
    except (ValueError, ArithmeticError) as problem:  # some analyses need all configurations
        progress.problem = f"not analysed: {' '.join(str(problem).split())}"
