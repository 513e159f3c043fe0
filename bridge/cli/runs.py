"""The commands that train networks: experiments, run."""

import dataclasses
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import click

from bridge.cli import console, options, script
from bridge.cli.command import COUNT, FILE, OUT, RUNS_ARE_KEPT, SCALES, command
from bridge.cli.training import run_study, train
from bridge.results import folder
from closedform.missing import TRAINING, require
from closedform.suggestions import unknown

DEFAULT_SCALE = "laptop"


@command("experiments")
def run_experiments() -> int:
    """List the experiments that `closedform run` can run.

    Each has its question, its figure, and its number of configurations at each scale.
    """
    from bridge.results.figure_table import title_of
    from empirics.experiments import STUDIES
    from empirics.runs.study import SCALES

    def described(name: str) -> tuple[str, str]:
        study = STUDIES[name]
        sizes = ", ".join(f"{len(study.configs(scale))} at {scale}" for scale in SCALES)
        return study.question, "; ".join(
            filter(None, (title_of(study.name), f"configurations: {sizes}"))
        )

    for name, texts in STUDIES.each(described):
        print(name)
        for text in texts:
            print(console.wrapped(f"    {text}", "    "))
    for name in singles():
        print(f"{name}\n    A single run outside of any study, with every option of its Config.")
    print("\n`closedform run EXPERIMENT --options` lists the options of its Config.")
    return 0


@dataclasses.dataclass(frozen=True)
class _Request:
    """What the options of the command say."""

    experiment: str
    scale: str | None
    directory: Path
    fresh: bool
    accept_older: bool
    only: tuple[str, ...]


@command("run", further="[--OPTION VALUE]...", how_to_go_on=RUNS_ARE_KEPT)
@click.argument("experiment", metavar="EXPERIMENT|FILE.py")
@click.option(
    "--scale",
    type=click.Choice(SCALES),
    help=f"Size of the experiment (default: {DEFAULT_SCALE}).",
)
@click.option(
    "--out",
    type=FILE,
    metavar="DIR",
    default=OUT,
    help=f"Folder of the traces (default: ./{OUT}).",
)
@click.option(
    "--resume/--fresh",
    default=True,
    help="Use finished traces and checkpoints (the default), or train again where a trace exists, and replace it.",
)
@click.option(
    "--accept-older/--no-accept-older",
    default=True,
    help="Count traces that were made by other code, and say what differs (the default), or train them again.",
)
@click.option(
    "--only", metavar="LABEL", multiple=True, help="Of a study, only this run (may be repeated)."
)
@click.option(
    "--options",
    "lists_options",
    is_flag=True,
    help="List the options of the experiment's Config and exit.",
)
@click.option(
    "--scheduler",
    metavar="WHERE",
    help="local:N, tcp://HOST:PORT or slurm (default: this process).",
)
@click.option("--workers", type=COUNT, metavar="N", help="The same as --scheduler local:N.")
@click.option(
    "--jobs", type=COUNT, metavar="N", help="Number of jobs of SLURM, one worker in each."
)
@click.option("--queue", metavar="Q", help="Queue (partition) of SLURM.")
@click.pass_context
def run_run(
    context: click.Context,
    /,
    *,
    experiment: str,
    scale: str | None,
    out: str,
    resume: bool,
    accept_older: bool,
    only: tuple[str, ...],
    lists_options: bool,
    scheduler: str | None,
    workers: int | None,
    jobs: int | None,
    queue: str | None,
) -> int:
    """Train the networks of an experiment, save their traces.

    EXPERIMENT is the name of a study or of a single experiment, FILE.py a file with one of your own. Every field of its
    Config is an option, such as --learning-rate 0.1.
    """
    from empirics.experiments import EXPERIMENTS, STUDIES

    if experiment.startswith("-"):
        raise ValueError(
            f"EXPERIMENT: got {experiment!r}, needs its name first: closedform run EXPERIMENT --option value"
        )
    request = _Request(experiment, scale, Path(out), not resume, accept_older, only)
    if script.is_file(experiment) or not lists_options:
        require("run", *TRAINING, *(["distributed"] if scheduler or workers else []))
    with nullcontext() if not script.is_file(experiment) else script.opened(experiment) as module:
        if module is not None:
            study, kind = script.chosen(module)
        else:
            single = {known: known for known in EXPERIMENTS} | singles()
            if experiment not in single and experiment not in STUDIES:
                raise ValueError(unknown("experiment", experiment, [*STUDIES, *singles()]))
            study = STUDIES.get(experiment)
            kind = None if study else EXPERIMENTS[single[experiment]].Config
        if lists_options:
            _show_options(request, study, kind)
            return 0
        with _scheduler(scheduler, workers, jobs, queue) as where:
            if module is not None and where is not None:
                script.for_workers(module)
            files = _trained(request, study, kind, context.args, where)
        _finish(request.directory, files, experiment if hasattr(module, "analyse") else None)
    return 0


def _configs(request: _Request, study: Any | None, kind: Any) -> tuple[dict[str, Any], Any]:
    """Return the configurations of a study, none of a single experiment, and the class of which they are."""
    configs = study.configs(request.scale or DEFAULT_SCALE) if study is not None else {}
    return configs, type(next(iter(configs.values()))) if configs else kind


def _show_options(request: _Request, study: Any | None, kind: Any) -> None:
    configs, kind = _configs(request, study, kind)
    options.show(kind, [config for config in configs.values() if type(config) is kind])


def _trained(
    request: _Request, study: Any | None, kind: Any, words: list[str], scheduler: Any
) -> list[Path]:
    """Train a study, or single configurations of a class with the options in ``words``; return the files of traces."""
    _, kind = _configs(request, study, kind)
    sweep = options.parse_each(kind, words)
    how = {
        "resume": not request.fresh,
        "scheduler": scheduler,
        "accept_older": request.accept_older,
    }
    if study is not None:
        if len(sweep) > 1:
            raise ValueError(
                f"{request.experiment}: got several values of an option, needs one, since it is a study"
            )
        scale: Any = request.scale or DEFAULT_SCALE
        configs = study.configs(scale, sweep[0])
        _load_user_choices(configs)
        return run_study(
            request.directory,
            study,
            scale,
            configs,
            changed=sweep[0],
            only=request.only or None,
            **how,
        )
    if request.only:
        raise ValueError(
            f"--only: got one with {request.experiment}, needs a study, whose runs have labels"
        )
    if request.scale is not None:
        raise ValueError(
            f"--scale: got one with {request.experiment}, needs a study; other experiments have the options of "
            "their Config (--options lists them)"
        )
    stem = Path(request.experiment).stem
    configs = {_label(stem, values, sweep): _single(kind, values) for values in sweep}
    _load_user_choices(configs)
    return train(request.directory, configs, **how)


def _load_user_choices(configs: Mapping[str, Any]) -> None:
    """Load what the configurations name by import paths, so that an error comes before anything is written."""
    for config in configs.values():
        config.load_user_choices()


def _label(stem: str, values: Mapping[str, Any], sweep: Sequence[Mapping[str, Any]]) -> str:
    """Return the name of a run, with the options in which it differs from others of its sweep."""
    varied = [name for name in values if any(other[name] != values[name] for other in sweep)]
    return ", ".join([stem, *(f"{name.replace('_', ' ')} {values[name]}" for name in varied)])


def _single(kind: Any, overrides: Mapping[str, Any]) -> Any:
    """Return a configuration with the given fields; the others follow these or have their defaults."""
    is_given = {
        f.name
        for f in dataclasses.fields(kind)
        if f.default is f.default_factory is dataclasses.MISSING
    }
    return kind(**{name: overrides[name] for name in is_given & overrides.keys()}).changed(
        **overrides
    )


@contextmanager
def _scheduler(
    scheduler: str | None, workers: int | None, jobs: int | None, queue: str | None
) -> Iterator[Any]:
    """Return what ``sweep`` takes as scheduler, from the four options of the command."""
    if workers is not None and scheduler is not None:
        raise ValueError(
            "--workers: got a number with --scheduler, needs this machine, without --scheduler; for slurm give --jobs, "
            "and a scheduler at an address has workers already"
        )
    if scheduler != "slurm":
        if jobs is not None or queue is not None:
            raise ValueError("--jobs, --queue: got one without --scheduler slurm, needs it")
        yield scheduler if workers is None else f"local:{workers}"
        return
    if jobs is None:
        raise ValueError(
            "--jobs: got nothing with --scheduler slurm, needs the number of jobs to submit"
        )
    from empirics.sweep import slurm

    with slurm.jobs(jobs, queue) as client:
        yield client


def singles() -> dict[str, str]:
    """Return the experiments that can be run outside of a study: name on the command line -> name of the experiment."""
    from empirics.experiments import EXPERIMENTS, STUDIES, registry

    names = {registry.command_name(name): name for name in EXPERIMENTS}
    return {hyphenated: name for hyphenated, name in names.items() if hyphenated not in STUDIES}


def _finish(directory: Path, files: list[Path], analysed_by: str | None = None) -> None:
    print(f"{len(files)} trace{'s' if len(files) > 1 else ''} in {directory / folder.TRACES}")
    for path in files if len(files) <= 3 else []:
        print(f"  {path}")
    more = "" if analysed_by is None else f" {shlex.quote(analysed_by)}"
    print(f"next: closedform report {shlex.quote(str(directory))}{more}")
