"""The commands that compare theory with measurements: fit, report, evidence, dossier, campaign."""

import argparse
import shlex
import sys
import time
from contextlib import nullcontext
from pathlib import Path

from bridge.cli import console, options, script
from closedform.missing import ANALYSIS, TRAINING, require
from closedform.suggestions import unknown


def run_fit(arguments: argparse.Namespace) -> int:
    """Fit one file and print the table of results."""
    from bridge.results.analyses import FITS

    if arguments.name not in FITS:
        raise ValueError(unknown("fit", arguments.name, FITS))
    function = FITS[arguments.name]
    if arguments.options:
        print(console.wrapped((function.__doc__ or "").partition("\n")[0], ""))
        options.show(function)
        return 0
    require("fit", *ANALYSIS)
    values = options.parse(function, arguments.rest)
    name = next(iter(values))  # of the file, the one positional argument
    from bridge.tables import logs, table_file

    file = Path(values[name])
    is_ours = function.__module__.startswith("bridge.")  # a guest's fit takes the name of a file
    is_text = is_ours and file.suffix.lower() in table_file.TEXT
    if arguments.column or arguments.time or file.is_dir() or is_text:
        values[name] = logs.table(values[name], _columns(arguments))
    fit = function(**values)
    print(fit.summary())
    if arguments.plot:
        from bridge.plots import style

        figure = fit.plot().get_figure(root=True)
        assert figure is not None
        print(f"figure: {style.save(figure, arguments.plot)}")
    return 0


def _columns(arguments: argparse.Namespace) -> dict[str, str]:
    """Return our name -> name in the file, from ``--column`` and ``--time``."""
    pairs = [text.partition("=") for text in arguments.column]
    wrong = [name + equals + theirs for name, equals, theirs in pairs if not (name and theirs)]
    if wrong:
        raise ValueError(f"--column: got {wrong[0]!r}, needs NAME=COLUMN, such as dh2='run-1 - dh2'")
    return {name: theirs for name, _, theirs in pairs} | ({"t": arguments.time} if arguments.time else {})


def run_report(arguments: argparse.Namespace) -> int:
    """Analyse all traces in a folder and write its report."""
    require("report", *ANALYSIS, *(TRAINING if arguments.file else ()))
    from bridge.report import formulas, write

    began = time.perf_counter()
    directory = Path(arguments.directory)
    with nullcontext() if arguments.file is None else script.opened(arguments.file):
        sections = write.sections(directory)
    print("checking the theory", file=sys.stderr, flush=True)
    written = write.write(directory, sections, formulas.check(write.theory_of(sections)))
    for section in written.sections:
        for finding in section.analysis.findings:
            print(f"- {finding}")
    print(f"report: {written.page} ({time.perf_counter() - began:.1f} s)")
    return 0


def run_evidence(arguments: argparse.Namespace) -> int:
    """Write the measurements that decide entries of the ledger next to it, and print them."""
    from bridge.results import evidence

    measured = evidence.measurements()
    for (paper, label), measurement in measured.items():
        print(f"{console.paint(f'{paper} {label}', 'bold')}  {console.verdict(measurement.ruling.name)}")
        print(console.wrapped(f"  {measurement}", " " * 4))
    for path, labels in evidence.write(measured).items():
        print(f"{path}: {len(labels)} written")
    return 0


def run_dossier(arguments: argparse.Namespace) -> int:
    """Run the user's script, measure the network that it defines, and write the report."""
    require("dossier", *TRAINING, *ANALYSIS)
    import bridge

    path = Path(arguments.file)
    needs = "needs a Python script that defines model and inputs (and labels, task, layers, budget)"
    if not path.is_file():
        raise ValueError(f"FILE: got {arguments.file!r}, where no file is, {needs}")
    if path.suffix != ".py":
        raise ValueError(f"FILE: got {arguments.file!r}, {needs}")
    with script.run(path) as defined:
        missing = [name for name in ("model", "inputs") if name not in defined]
        if missing:
            raise ValueError(f"FILE: got {arguments.file!r} without {', '.join(missing)}, {needs}")
        began = time.perf_counter()
        chosen = {name: defined[name] for name in ("labels", "task", "layers", "budget") if name in defined}
        dossier = bridge.dossier(defined["model"], defined["inputs"], points=arguments.points, **chosen)
    written = dossier.write(Path(arguments.out))
    print(dossier)
    print(f"report: {written.page} ({time.perf_counter() - began:.1f} s)")
    return 0


def run_campaign(arguments: argparse.Namespace) -> int:
    """Run studies, the most valuable first, and print how far each has come; 1 if one could not be run or analysed."""
    require("campaign", *TRAINING, *ANALYSIS)
    from bridge.campaign import driver

    directory, seconds = Path(arguments.out), driver.seconds(arguments.budget)
    if arguments.dry_run:
        print(described(arguments.device))
        for progress in driver.plan(directory, arguments.scale, arguments.device, arguments.studies):
            print(f"{progress}  {_times(progress.study)}")
        return 0
    studies = driver.run(
        directory,
        arguments.scale,
        seconds,
        arguments.device,
        arguments.studies,
        say=lambda line: print(line, file=sys.stderr, flush=True),
    )
    print(*studies, sep="\n")
    if any(progress.is_open for progress in studies):
        print("unfinished; the same command continues")
    print(f"next: closedform report {shlex.quote(str(directory))}, closedform record {shlex.quote(str(directory))}")
    return 1 if any(progress.problem for progress in studies) else 0


def _times(study: str) -> str:
    """Return the recorded times of the configurations that a study has today, with scales and devices."""
    from bridge.results import record

    results = record.current(study).items()
    return "; ".join(f"{one.seconds:.0f} s at {scale} ({one.device})" for scale, one in results) or "no recorded time"


def described(device: str | None) -> str:
    """Return a sentence about the device of a campaign: its name and free memory, or that it is not here."""
    import torch

    from empirics.runs.device import find

    if device is None:
        return "device: as in the configurations"
    try:
        place = find(device)
    except ValueError as problem:
        return str(problem)
    if place.type != "cuda":
        return f"device: {device}"
    free, total = torch.cuda.mem_get_info(place)
    return f"device: {torch.cuda.get_device_name(place)}, {free / 2**30:.1f} of {total / 2**30:.1f} GiB free"
