"""The demonstration: it derives and checks the two-point theory, trains networks, fits, compares and reports.

It needs no internet connection, no GPU and no configuration, and takes about two minutes on two cores at the default
scale.
"""

from __future__ import annotations

import sys
import time
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bridge.cli import console
from bridge.cli.command import FILE, RUNS_ARE_KEPT, SCALES, command
from bridge.report.formulas import Checked
from closedform.missing import ANALYSIS, TRAINING, require

if TYPE_CHECKING:
    from empirics.runs.study import Scale

DEMO_OUT = "closedform-demo"
STUDIES = ("two-point-architectures", "two-point-initial-weights")
QUICK = tuple(
    f"two_point.{name}"
    for name in ("dh2_rate", "dy2_rate", "w_rate", "conserved_quantity", "final_distance", "loss")
)  # closed forms whose steps are decided in seconds
TITLE = "Two points: a theory of representation learning, compared with trained networks"


@command("demo", how_to_go_on=RUNS_ARE_KEPT)
@click.option(
    "--out",
    type=FILE,
    metavar="DIR",
    default=DEMO_OUT,
    help=f"Folder of all results (default: ./{DEMO_OUT}).",
)
@click.option(
    "--scale",
    type=click.Choice(SCALES),
    default="laptop",
    help="Size of the experiments (default: laptop).",
)
def run_demo(out: str, scale: Scale) -> int:
    """Derive the two-point theory, train networks, fit, compare.

    Every step is checked, and a report is written.
    """
    require("demo", *TRAINING, *ANALYSIS)
    run(Path(out), scale)
    return 0


def run(directory: Path, scale: Scale = "laptop") -> Path:
    """Run the demonstration, whose results go into a folder, and return the path of its report."""
    if directory.exists() and not directory.is_dir():
        raise ValueError(f"--out: got the file {str(directory)!r}, needs a folder")
    began = time.perf_counter()
    directory.mkdir(parents=True, exist_ok=True)
    print(f"All results are written to {directory}/ (choose another folder with --out DIR).")
    theory = _derive(scale)
    _train(directory, scale)
    console.heading("3  Fit the theory to every network, and compare it with what was measured")
    from bridge.report import write

    sections = write.sections(directory)
    for section in sections:
        print(console.paint(section.title, "bold"))
        for line in section.analysis.summary().splitlines():
            print(console.wrapped(f"  {line}", "    "))
    written = write.write(directory, sections, theory, TITLE)
    print(
        f"\n  report   {console.paint(str(written.page), 'bold')}  (one file, opens in any browser)"
    )
    print(f"  tables   {', '.join(map(str, written.tables))}")
    print(f"  figures  {directory / 'figures'}")
    print(f"  traces   {directory / 'traces'}")
    print(f"\n{time.perf_counter() - began:.0f} s in total.")
    return written.page


def _derive(scale: Scale) -> tuple[Checked, ...]:
    """Check the derivations of the two-point theory; at smoke scale, only those that take seconds."""
    from bridge.cli.formulas import counted, names_of
    from bridge.report import formulas

    names = list(QUICK) if scale == "smoke" else names_of(["two_point"])

    console.heading("1  Derive the two-point theory and check every step")
    began = time.perf_counter()
    checked = formulas.check(names, progress=console.verdicts)
    print(f"{counted(checked)} ({time.perf_counter() - began:.1f} s)")
    return checked


def _train(directory: Path, scale: Scale) -> None:
    from bridge.cli.training import run_study
    from empirics.experiments import STUDIES as KNOWN

    configs = {name: KNOWN[name].configs(scale) for name in STUDIES}
    distinct = set(chain.from_iterable(study.values() for study in configs.values()))
    networks, kinds = sum(config.seeds for config in distinct), len(distinct)
    console.heading(
        f"2  Train {kinds} configurations on two points, {networks} networks in total ({scale} scale)"
    )
    began = time.perf_counter()
    sys.stdout.flush()
    trained: set[Path] = set()  # the default network belongs to both studies and is trained once
    for name, labelled in configs.items():
        trained |= set(run_study(directory, KNOWN[name], scale, labelled, done=trained))
    print(f"trained in {time.perf_counter() - began:.1f} s")
