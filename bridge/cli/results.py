"""The commands that hold theory against measurement: fit, report, demo; and dossier, which waits for its subjects."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from bridge.cli.near import unknown

SUBJECTS = ("two-point",)


def run_fit(arguments: argparse.Namespace) -> int:
    """Fit one file and print the table of results."""
    if arguments.subject not in SUBJECTS:
        raise ValueError(unknown("subject to fit", arguments.subject, SUBJECTS))
    from bridge import two_point

    fit = two_point.fit(arguments.file, dx2=arguments.dx2, target2=arguments.target2, layer=arguments.layer)
    print(fit.summary())
    if arguments.plot:
        from bridge.report import style

        with style.context():
            figure = fit.plot()
        print(f"figure: {style.save(figure, arguments.plot)}")
    return 0


def run_report(arguments: argparse.Namespace) -> int:
    """Fit everything in a folder and write its report."""
    from bridge.report import formulas, write

    began = time.perf_counter()
    directory = Path(arguments.directory)
    sections = write.sections(directory)
    print("checking the theory", file=sys.stderr, flush=True)
    written = write.write(directory, sections, formulas.check(write.theory_of(sections)))
    for section in written.sections:
        for finding in section.analysis.findings:
            print(f"- {finding}")
    print(f"report: {written.page} ({time.perf_counter() - began:.1f} s)")
    return 0


def run_dossier(arguments: argparse.Namespace) -> int:
    """Not there yet: a dossier needs measurements of single networks that the subjects to come bring with them."""
    raise NotImplementedError(
        "dossier is not there yet: of its subjects only two-point exists, and that needs a record of training, not a "
        "trained network; fit one with `closedform fit two-point FILE`"
    )


def run_demo(arguments: argparse.Namespace) -> int:
    """The whole slice, from the derivation to the report."""
    from bridge.demo import run

    run(Path(arguments.out), arguments.scale)
    return 0
