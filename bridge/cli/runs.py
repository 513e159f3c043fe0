"""The commands that train networks: experiments, run."""

from __future__ import annotations

import argparse
import dataclasses
import shlex
import sys
import time
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from bridge.cli import options
from bridge.report import folder
from theory.core.suggestions import unknown

DEFAULT_SCALE = "laptop"


def run_experiments(arguments: argparse.Namespace) -> int:
    """Print every experiment: its question, its figure, and its number of configurations at each scale."""
    from empirics.experiments import STUDIES
    from empirics.experiments.study import SCALES

    for study in STUDIES.values():
        sizes = ", ".join(f"{len(study.configs(scale))} at {scale}" for scale in SCALES)
        print(f"{study.name}\n    {study.question}\n    {study.figure}; configurations: {sizes}")
    for name in singles():
        print(f"{name}\n    A single run outside of any study, with every option of its Config.")
    print("\n`closedform run EXPERIMENT --options` lists the options of its Config.")
    return 0


def run_run(arguments: argparse.Namespace) -> int:
    """Train the networks of a study or a single experiment, save their traces, and print where they are."""
    from empirics.experiments import STUDIES, experiment

    name = arguments.experiment
    if name.startswith("-"):
        raise ValueError("the name of the experiment comes first: closedform run EXPERIMENT --option value")
    single = singles()
    if name not in single and name not in STUDIES:
        raise ValueError(unknown("experiment", name, [*STUDIES, *single]))
    scale: Any = arguments.scale or DEFAULT_SCALE
    configs = STUDIES[name].configs(scale) if name in STUDIES else {}
    kind = type(next(iter(configs.values()))) if configs else experiment(single[name]).Config
    if arguments.options:
        options.show(kind)
        return 0
    overrides = options.parse(kind, arguments.rest)
    directory = Path(arguments.out)
    if configs:
        configs = {label: dataclasses.replace(config, **overrides) for label, config in configs.items()}
        _finish(directory, run_study(directory, STUDIES[name], scale, configs, resume=arguments.resume))
        return 0
    if arguments.scale is not None:
        raise ValueError(f"--scale is only for studies; {name} has the options of its Config (--options lists them)")
    _finish(directory, train(directory, {name: kind(**overrides)}, resume=arguments.resume))
    return 0


def singles() -> dict[str, str]:
    """Return the experiments that can be run outside of a study: name on the command line -> name of the experiment."""
    from empirics.experiments import EXPERIMENTS, STUDIES

    names = {name.replace(".", "-").replace("_", "-"): name for name in EXPERIMENTS}
    return {hyphenated: name for hyphenated, name in names.items() if hyphenated not in STUDIES}


def run_study(
    directory: Path,
    study: Any,
    scale: str,
    configs: Mapping[str, Any],
    *,
    resume: bool = False,
    done: Collection[Path] = (),
) -> list[Path]:
    """Train the configurations of a study and save their traces in a folder.

    The list of all runs is saved first, so that a report can name missing traces.

    Args:
        directory: folder of the list and of the traces.
        study: entry of ``empirics.experiments.STUDIES``.
        scale: scale of the configurations.
        configs: configuration label -> Config.
        resume: whether to keep existing traces. Default: False.
        done: traces to keep in any case. Default: none.

    Returns:
        The paths of the traces.
    """
    from empirics import store

    runs = {label: store.path_of(config, directory / folder.TRACES).name for label, config in configs.items()}
    folder.record(directory, folder.StudyRuns(study.name, study.question, study.figure, scale, runs))
    return train(directory, configs, resume=resume, done=done)


def train(directory: Path, configs: Mapping[str, Any], *, resume: bool, done: Collection[Path] = ()) -> list[Path]:
    """Train each configuration, save its trace, print one line for it to stderr, and return the paths of the traces."""
    from empirics import store

    traces = directory / folder.TRACES
    on_divergence = "mark" if len(configs) > 1 else "raise"  # one diverging seed does not stop a study
    files = []
    for number, (label, config) in enumerate(configs.items(), start=1):
        path = store.path_of(config, traces)
        keep = resume or path in done
        exists = keep and path.is_file()
        began = time.perf_counter()
        store.run_or_load(config, traces, resume=keep, on_divergence=on_divergence)
        seconds = "exists already" if exists else f"{time.perf_counter() - began:.1f} s"
        print(f"[{number}/{len(configs)}] {label} ({config.described}): {seconds}", file=sys.stderr, flush=True)
        files.append(path)
    return files


def _finish(directory: Path, files: list[Path]) -> None:
    print(f"{len(files)} trace{'s' if len(files) > 1 else ''} in {directory / folder.TRACES}")
    for path in files if len(files) <= 3 else []:
        print(f"  {path}")
    print(f"next: closedform report {shlex.quote(str(directory))}")
