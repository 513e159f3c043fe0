"""The commands that train networks: experiments, run."""

from __future__ import annotations

import argparse
import dataclasses
import os
import sys
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bridge.cli import options
from bridge.cli.near import unknown
from bridge.report import folder

SINGLE = "two-point"
DEFAULT_SCALE = "laptop"
NARROW = 200  # units in a layer


def run_experiments(arguments: argparse.Namespace) -> int:
    """Every experiment: its question, its figure, how many configurations it has at which scale."""
    from empirics.experiments import STUDIES
    from empirics.experiments.study import SCALES

    print(f"{SINGLE}\n    One network, or several seeds of it, on two points; every option of its Config is yours.")
    for study in STUDIES.values():
        sizes = ", ".join(f"{len(study.configs(scale))} at {scale}" for scale in SCALES)
        print(f"{study.name}\n    {study.question}\n    {study.figure}; configurations: {sizes}")
    print("\n`closedform run EXPERIMENT --options` lists the options of its Config.")
    return 0


def run_run(arguments: argparse.Namespace) -> int:
    """Train, keep the traces, say where they are."""
    from empirics.experiments import STUDIES
    from empirics.experiments.two_point import Config

    name = arguments.experiment
    if name.startswith("-"):
        raise ValueError("the name of the experiment comes first: closedform run EXPERIMENT --option value")
    if name != SINGLE and name not in STUDIES:
        raise ValueError(unknown("experiment", name, [SINGLE, *STUDIES]))
    if arguments.options:
        for option, kind, default in options.listed(Config):
            print(f"  {option:<20}{kind:<60} {default}")
        return 0
    overrides = options.parse(Config, arguments.rest)
    directory = Path(arguments.out)
    if name == SINGLE:
        if arguments.scale is not None:
            raise ValueError(f"--scale belongs to a study; size {SINGLE} by --width, --depth, --epochs, --seeds")
        config = Config(**overrides)
        _finish(directory, train(directory, {SINGLE: config}, resume=arguments.resume))
        return 0
    study = STUDIES[name]
    scale: Any = arguments.scale or DEFAULT_SCALE
    configs = {label: dataclasses.replace(each, **overrides) for label, each in study.configs(scale).items()}
    _finish(directory, run_study(directory, study, scale, configs, resume=arguments.resume))
    return 0


def run_study(
    directory: Path,
    study: Any,
    scale: str,
    configs: Mapping[str, Any],
    *,
    resume: bool = False,
    done: Collection[Path] = (),
) -> list[Path]:
    """Train a study into a folder: its record first, so that a report can say what is still missing.

    Args:
        directory: where the record and the traces go.
        study: of ``empirics.experiments.STUDIES``.
        scale: at which its configurations are.
        configs: configuration label to Config.
        resume: keep the traces that are there.
        done: traces to keep anyway.
    """
    from empirics import store

    runs = {label: store.path_of(config, directory / folder.TRACES).name for label, config in configs.items()}
    folder.record(directory, folder.StudyRuns(study.name, study.question, study.figure, scale, runs))
    return train(directory, configs, resume=resume, done=done)


def train(directory: Path, configs: Mapping[str, Any], *, resume: bool, done: Collection[Path] = ()) -> list[Path]:
    """Train each configuration and keep its trace; one line each on stderr. Returns the files."""
    from empirics import store

    traces = directory / folder.TRACES
    on_divergence = "mark" if len(configs) > 1 else "raise"  # one bad seed does not end a study
    files = []
    for number, (label, config) in enumerate(configs.items(), start=1):
        path = store.path_of(config, traces)
        keep = resume or path in done
        known = keep and path.is_file()
        began = time.perf_counter()
        with _threads_for(config):
            store.run_or_load(config, traces, resume=keep, on_divergence=on_divergence)
        seconds = "already there" if known else f"{time.perf_counter() - began:.1f} s"
        print(f"[{number}/{len(configs)}] {label} ({described(config)}): {seconds}", file=sys.stderr, flush=True)
        files.append(path)
    return files


@contextmanager
def _threads_for(config: Any) -> Iterator[None]:
    """One thread for narrow networks, whose matrices are too small to share, unless OMP_NUM_THREADS says otherwise."""
    import torch

    before = torch.get_num_threads()
    if config.width <= NARROW and "OMP_NUM_THREADS" not in os.environ:
        torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def described(config: Any) -> str:
    """A configuration in a few words."""
    return (
        f"{config.architecture}, {config.nonlinearity}, {config.depth}×{config.width}, {config.epochs} epochs, "
        f"{config.seeds} seed{'s' if config.seeds > 1 else ''}, {config.device}"
    )


def _finish(directory: Path, files: list[Path]) -> None:
    print(f"{len(files)} trace{'s' if len(files) > 1 else ''} in {directory / folder.TRACES}")
    for path in files if len(files) <= 3 else []:
        print(f"  {path}")
    print(f"next: closedform report {directory}")
