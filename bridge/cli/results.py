"""The commands that compare theory with measurements: fit, report, evidence, dossier."""

from __future__ import annotations

import argparse
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
    if arguments.column or arguments.time or file.is_dir() or file.suffix.lower() in table_file.TEXT:
        values[name] = logs.table(values[name], _columns(arguments))
    fit = function(**values)
    print(fit.summary())
    if arguments.plot:
        from bridge.plots import style

        print(f"figure: {style.save(style.figure_of(fit.plot()), arguments.plot)}")
    return 0


def _columns(arguments: argparse.Namespace) -> dict[str, str]:
    """Return our name -> name in the file, from ``--column`` and ``--time``."""
    pairs = [text.partition("=") for text in arguments.column]
    if wrong := [name + equals + theirs for name, equals, theirs in pairs if not (name and theirs)]:
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
    from bridge.cli import script

    path = Path(arguments.file)
    needs = "needs a Python script that defines model and inputs (and labels, task, layers, budget)"
    if not path.is_file():
        raise ValueError(f"FILE: got {arguments.file!r}, where no file is, {needs}")
    if path.suffix != ".py":
        raise ValueError(f"FILE: got {arguments.file!r}, {needs}")
    with script.run(path) as defined:
        if missing := [name for name in ("model", "inputs") if name not in defined]:
            raise ValueError(f"FILE: got {arguments.file!r} without {', '.join(missing)}, {needs}")
        began = time.perf_counter()
        chosen = {name: defined[name] for name in ("labels", "task", "layers", "budget") if name in defined}
        dossier = bridge.dossier(defined["model"], defined["inputs"], points=arguments.points, **chosen)
    written = dossier.write(Path(arguments.out))
    print(dossier)
    print(f"report: {written.page} ({time.perf_counter() - began:.1f} s)")
    return 0
