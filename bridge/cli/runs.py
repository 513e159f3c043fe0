"""The commands that train networks: experiments, run."""

import argparse
import dataclasses
import logging
import shlex
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bridge.cli import console, options, script
from bridge.results import folder
from closedform import checks
from closedform.missing import TRAINING, require
from closedform.suggestions import unknown

DEFAULT_SCALE = "laptop"


def run_experiments(arguments: argparse.Namespace) -> int:
    """Print every experiment: its question, its figure, and its number of configurations at each scale."""
    from bridge.results.figure_table import title_of
    from empirics.experiments import STUDIES
    from empirics.runs.study import SCALES

    def described(name: str) -> tuple[str, str]:
        study = STUDIES[name]
        sizes = ", ".join(f"{len(study.configs(scale))} at {scale}" for scale in SCALES)
        return study.question, "; ".join(filter(None, (title_of(study.name), f"configurations: {sizes}")))

    for name, texts in STUDIES.each(described):
        print(name)
        for text in texts:
            print(console.wrapped(f"    {text}", "    "))
    for name in singles():
        print(f"{name}\n    A single run outside of any study, with every option of its Config.")
    print("\n`closedform run EXPERIMENT --options` lists the options of its Config.")
    return 0


def run_run(arguments: argparse.Namespace) -> int:
    """Train the networks of a study or a single experiment, save their traces, and print where they are."""
    from empirics.experiments import EXPERIMENTS, STUDIES

    name = arguments.experiment
    if name.startswith("-"):
        raise ValueError(f"EXPERIMENT: got {name!r}, needs its name first: closedform run EXPERIMENT --option value")
    if script.is_file(name) or not arguments.options:
        require("run", *TRAINING, *(["distributed"] if arguments.scheduler or arguments.workers else []))
    if script.is_file(name):
        with script.opened(name) as module:
            return _run(arguments, *script.chosen(module), module)
    single = {known: known for known in EXPERIMENTS} | singles()
    if name not in single and name not in STUDIES:
        raise ValueError(unknown("experiment", name, [*STUDIES, *singles()]))
    study = STUDIES.get(name)
    return _run(arguments, study, None if study else EXPERIMENTS[single[name]].Config)


def _run(arguments: argparse.Namespace, study: Any | None, kind: Any, module: Any = None) -> int:
    """Run a study, or a single configuration of a class; ``module`` is the user's file, if they come from one."""
    scale: Any = arguments.scale or DEFAULT_SCALE
    configs = study.configs(scale) if study is not None else {}
    kind = type(next(iter(configs.values()))) if configs else kind
    if arguments.options:
        options.show(kind, [config for config in configs.values() if type(config) is kind])
        return 0
    sweep = options.parse_each(kind, arguments.rest)
    overrides = sweep[0]
    if study is not None and len(sweep) > 1:
        raise ValueError(f"{arguments.experiment}: got several values of an option, needs one, since it is a study")
    directory = Path(arguments.out)
    with _scheduler(arguments) as scheduler:
        if module is not None and scheduler is not None:
            script.for_workers(module)
        how = {"resume": not arguments.fresh, "scheduler": scheduler, "accept_older": arguments.accept_older}
        if study is None and arguments.only:
            raise ValueError(f"--only: got one with {arguments.experiment}, needs a study, whose runs have labels")
        if study is None and arguments.scale is not None:
            raise ValueError(
                f"--scale: got one with {arguments.experiment}, needs a study; other experiments have the options of "
                "their Config (--options lists them)"
            )
        if study is None:
            stem = Path(arguments.experiment).stem
            configs = {_label(stem, values, sweep): _single(kind, values) for values in sweep}
        else:
            configs = study.configs(scale, overrides)
        for config in configs.values():
            config.load_user_choices()  # before anything is written
        if study is None:
            files = train(directory, configs, **how)
        else:
            files = run_study(directory, study, scale, configs, changed=overrides, only=arguments.only, **how)
    _finish(directory, files, arguments.experiment if hasattr(module, "analyse") else None)
    return 0


def _label(stem: str, values: Mapping[str, Any], sweep: Sequence[Mapping[str, Any]]) -> str:
    """Return the name of a run, with the options in which it differs from others of its sweep."""
    varied = [name for name in values if any(other[name] != values[name] for other in sweep)]
    return ", ".join([stem, *(f"{name.replace('_', ' ')} {values[name]}" for name in varied)])


def _single(kind: Any, overrides: Mapping[str, Any]) -> Any:
    """Return a configuration with the given fields; the others follow these or have their defaults."""
    is_given = {f.name for f in dataclasses.fields(kind) if f.default is f.default_factory is dataclasses.MISSING}
    return kind(**{name: overrides[name] for name in is_given & overrides.keys()}).changed(**overrides)


@contextmanager
def _scheduler(arguments: argparse.Namespace) -> Iterator[Any]:
    """Return what ``sweep`` takes as scheduler, from ``--scheduler``, ``--workers``, ``--jobs`` and ``--queue``."""
    if arguments.workers is not None and arguments.scheduler is not None:
        raise ValueError(
            "--workers: got a number with --scheduler, needs this machine, without --scheduler; for slurm give --jobs, "
            "and a scheduler at an address has workers already"
        )
    if arguments.scheduler != "slurm":
        if arguments.jobs is not None or arguments.queue is not None:
            raise ValueError("--jobs, --queue: got one without --scheduler slurm, needs it")
        yield arguments.scheduler if arguments.workers is None else f"local:{arguments.workers}"
        return
    if arguments.jobs is None:
        raise ValueError("--jobs: got nothing with --scheduler slurm, needs the number of jobs to submit")
    from empirics.sweep import slurm

    with slurm.jobs(arguments.jobs, arguments.queue) as client:
        yield client


def singles() -> dict[str, str]:
    """Return the experiments that can be run outside of a study: name on the command line -> name of the experiment."""
    from empirics.experiments import EXPERIMENTS, STUDIES, registry

    names = {registry.command_name(name): name for name in EXPERIMENTS}
    return {hyphenated: name for hyphenated, name in names.items() if hyphenated not in STUDIES}


def run_study(
    directory: Path,
    study: Any,
    scale: str,
    configs: Mapping[str, Any],
    *,
    changed: Mapping[str, Any] | None = None,
    only: Collection[str] | None = None,
    **how: Any,
) -> list[Path]:
    """Train the configurations of a study (or ``only`` some) by :func:`train`, and save their list in the folder."""
    chosen = {checks.one_of("--only", label, tuple(configs)): configs[label] for label in only or configs}
    folder.record(directory, folder.runs_of(study, scale, configs, changed or {}))
    return train(directory, chosen, **how)


def train(
    directory: Path,
    configs: Mapping[str, Any],
    *,
    resume: bool = False,
    done: Collection[Path] = (),
    scheduler: Any = None,
    accept_older: bool = True,
) -> list[Path]:
    """Train each configuration, save its trace, print one line for it to stderr, and return the paths of the traces."""
    from empirics.sweep import SweepError, run_all

    paths = folder.trace_paths(directory, configs)
    on_divergence = "mark" if len(configs) > 1 else "raise"  # one diverging seed does not stop a study
    kept = {label: config for label, config in configs.items() if resume or paths[label] in done}
    anew = {label: config for label, config in configs.items() if label not in kept}
    how: dict[str, Any] = {"on_divergence": on_divergence, "accept_older": accept_older}
    with _lines_on_stderr("empirics.sweep"):
        for chosen, keep in ((kept, True), (anew, False)):
            try:
                if chosen:
                    run_all(chosen, directory / folder.TRACES, scheduler, resume=keep, **how)
            except SweepError as error:
                if len(configs) == 1:
                    raise next(iter(error.failures.values())) from None
                raise ValueError(f"{error} To go on, give the same command again.") from error
    return list(paths.values())


@contextmanager
def _lines_on_stderr(name: str) -> Iterator[None]:
    """Print what a logger and those below it say to stderr within this context, above the progress bars."""
    from tqdm.contrib.logging import logging_redirect_tqdm

    logger, handler = logging.getLogger(name), logging.StreamHandler(sys.stderr)
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        with logging_redirect_tqdm([logger]):
            yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)


def _finish(directory: Path, files: list[Path], analysed_by: str | None = None) -> None:
    print(f"{len(files)} trace{'s' if len(files) > 1 else ''} in {directory / folder.TRACES}")
    for path in files if len(files) <= 3 else []:
        print(f"  {path}")
    more = "" if analysed_by is None else f" {shlex.quote(analysed_by)}"
    print(f"next: closedform report {shlex.quote(str(directory))}{more}")
