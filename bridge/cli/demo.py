"""The demonstration: it derives and checks the two-point theory, trains networks, fits, compares and reports.

It needs no internet connection, no GPU and no configuration, and takes about two minutes on two cores at the default
scale.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from bridge.cli import console
from bridge.report.formulas import Checked
from bridge.report.page import Section
from bridge.results.quantity import words
from closedform.missing import ANALYSIS, TRAINING, require

if TYPE_CHECKING:
    from empirics.runs.study import Scale

STUDIES = ("two-point-architectures", "two-point-initial-weights")
TITLE = "Two points: a theory of representation learning, compared with trained networks"


def run_demo(arguments: argparse.Namespace) -> int:
    """Run the command ``closedform demo``."""
    require("demo", *TRAINING, *ANALYSIS)
    run(Path(arguments.out), arguments.scale)
    return 0


def run(directory: Path, scale: Scale = "laptop") -> Path:
    """Run the demonstration and return the path of its report.

    Args:
        directory: folder of the traces, tables, figures and the report, which is created if necessary.
        scale: ``"smoke"``, ``"laptop"`` or ``"paper"``. Default: ``"laptop"``.

    Raises:
        ValueError: if the scale is unknown, or the folder is a file.
    """
    if directory.exists() and not directory.is_dir():
        raise ValueError(f"--out: got the file {str(directory)!r}, needs a folder")
    began = time.perf_counter()
    directory.mkdir(parents=True, exist_ok=True)
    print(f"All results are written to {directory}/ (choose another folder with --out DIR).")
    theory = _derive(scale)
    _train(directory, scale)
    console.heading("3  Fit the theory to every network")
    from bridge.report import write

    sections = write.sections(directory)
    for section in sections:
        _fits(section)
    console.heading("4  Compare the final distance of the representations with Eq. (10)")
    print("fitted: constants from the whole training; forecast: from the time until the outputs are half way")
    for section in sections:
        _comparisons(section)
    written = write.write(directory, sections, theory, TITLE)
    console.heading("5  Findings")
    for section in sections:
        for finding in section.analysis.findings:
            print(console.wrapped(f"  - {finding}", "    "))
    print(f"\n  report   {console.paint(str(written.page), 'bold')}  (one file, opens in any browser)")
    print(f"  tables   {', '.join(map(str, written.tables))}")
    print(f"  figures  {directory / 'figures'}")
    print(f"  traces   {directory / 'traces'}")
    print(f"\n{time.perf_counter() - began:.0f} s in total.")
    return written.page


def _derive(scale: Scale) -> tuple[Checked, ...]:
    """Check the derivations of the two-point theory; at smoke scale, only those that take seconds."""
    from bridge.cli.formulas import names_of
    from bridge.report import formulas
    from bridge.two_point.studies.fitted import PREMISES, RESULTS

    names = [*PREMISES, *RESULTS] if scale == "smoke" else names_of(["two_point"])

    console.heading("1  Derive the two-point theory and check every step")
    began = time.perf_counter()
    checked = formulas.check(names, progress=console.verdicts)
    steps = [verdict for form in checked for _, verdict, _ in form.verdicts]
    print(
        f"{steps.count(formulas.HOLDS)} of {len(steps)} steps in {len(checked)} closed forms hold "
        f"({time.perf_counter() - began:.1f} s)"
    )
    return checked


def _train(directory: Path, scale: Scale) -> None:
    from bridge.cli.runs import run_study
    from empirics.experiments import STUDIES as KNOWN

    configs = {name: KNOWN[name].configs(scale) for name in STUDIES}
    distinct = {config for study in configs.values() for config in study.values()}
    networks, kinds = sum(config.seeds for config in distinct), len(distinct)
    console.heading(f"2  Train {kinds} configurations on two points, {networks} networks in total ({scale} scale)")
    began = time.perf_counter()
    sys.stdout.flush()
    trained: set[Path] = set()  # the default network belongs to both studies and is trained once
    for name, labelled in configs.items():
        trained |= set(run_study(directory, KNOWN[name], scale, labelled, done=trained))
    print(f"trained in {time.perf_counter() - began:.1f} s")


def _fits(section: Section) -> None:
    from bridge.two_point.studies.fitted import TwoPointAnalysis

    assert isinstance(section.analysis, TwoPointAnalysis)
    fitted = section.analysis.fitted
    widest = max(len(entry.label) for entry in fitted)
    print(f"{section.title}")
    for entry in fitted:
        fit = entry.fit
        count = len(fit.warnings)
        doubt = console.paint(f"  {count} warning{'s' * (count > 1)}", "doubt") if count else ""
        print(
            f"  {entry.label:<{widest}}  tau_h {fit.tau_h:8.4g}  tau_y {fit.tau_y:8.4g}  fit loss {fit.loss:8.3g}  "
            f"R2 {fit.r_squared:.4f}{doubt}"
        )


def _comparisons(section: Section) -> None:
    if not section.analysis.compared:
        print("  nothing to compare: one seed only")
        return
    widest = max(len(compared.label) for compared in section.analysis.compared)
    for quantity in dict.fromkeys(compared.quantity for compared in section.analysis.compared):
        print(f"  {words(quantity)}")
        for compared in section.analysis.compared:
            if compared.quantity == quantity:
                print(
                    f"    {compared.label:<{widest}}  predicted {compared.prediction:<8}  "
                    f"measured {compared.value:<7.4g}  z {compared.z:+6.1f}  "
                    f"{console.verdict(compared.verdict)}"
                )
