"""The whole slice in one go: derive and check the two-point theory, train real networks, fit, compare, report.

No network, no GPU, no configuration. About two minutes on two cores at the default scale.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from bridge.cli import console
from bridge.report.formulas import Checked
from bridge.report.page import StudySection

STUDIES = ("two-point-architectures", "two-point-initial-weights")
TITLE = "Two points: a theory of representation learning, held against real networks"


def run(directory: Path, scale: str = "laptop") -> Path:
    """Derive, check, train, fit, compare, report; returns the report's path.

    Args:
        directory: where traces, tables, figures and the report go; made if need be.
        scale: ``"smoke"``, ``"laptop"`` or ``"paper"``.

    Raises:
        ValueError: for an unknown scale, or a folder that is a file.
    """
    if directory.exists() and not directory.is_dir():
        raise ValueError(f"--out: {str(directory)!r} is a file, needs a folder")
    began = time.perf_counter()
    print(f"Everything goes into {directory}/ (another place: --out DIR).")
    theory = _derive()
    _train(directory, scale)
    console.heading("3  Fit the theory to every network")
    from bridge.report import write

    sections = write.sections(directory)
    for section in sections:
        _fits(section)
    console.heading("4  Compare: where the representations end, against Eq. (10)")
    for section in sections:
        _comparisons(section)
    written = write.write(directory, sections, theory, TITLE)
    console.heading("5  What came out")
    for section in sections:
        for finding in section.analysis.findings:
            print(console.wrapped(f"  - {finding}", "    "))
    print(f"\n  report   {console.paint(str(written.page), 'bold')}  (one file, opens in any browser)")
    print(f"  tables   {written.fits}" + (f", {written.comparisons}" if written.comparisons else ""))
    print(f"  figures  {directory / 'figures'}")
    print(f"  traces   {directory / 'traces'}")
    print(f"\n{time.perf_counter() - began:.0f} s in all.")
    return written.page


def _derive() -> tuple[Checked, ...]:
    from bridge.report import formulas, write

    console.heading("1  Derive the two-point theory and check every step")
    began = time.perf_counter()
    checked = formulas.check(write.formula_names(), progress=console.verdicts)
    steps = [verdict for each in checked for _, verdict, _ in each.verdicts]
    print(
        f"{steps.count(formulas.HOLDS)} of {len(steps)} steps hold, in {len(checked)} closed forms "
        f"({time.perf_counter() - began:.1f} s)"
    )
    return checked


def _train(directory: Path, scale: str) -> None:
    from bridge.cli.runs import run_study
    from empirics.experiments import STUDIES as KNOWN

    configs = {name: KNOWN[name].configs(scale) for name in STUDIES}
    networks = sum(config.seeds for each in configs.values() for config in each.values())
    kinds = sum(map(len, configs.values()))
    console.heading(f"2  Train {kinds} configurations on two points, {networks} networks in all ({scale} scale)")
    began = time.perf_counter()
    sys.stdout.flush()
    for name, each in configs.items():
        run_study(directory, KNOWN[name], scale, each)
    print(f"trained in {time.perf_counter() - began:.1f} s")


def _fits(section: StudySection) -> None:
    widest = max(len(each.label) for each in section.analysis.fitted)
    print(f"{section.runs.study}")
    for each in section.analysis.fitted:
        fit = each.fit
        doubt = console.paint(f"  {len(fit.warnings)} warnings", "doubt") if fit.warnings else ""
        print(
            f"  {each.label:<{widest}}  tau_h {fit.tau_h:8.4g}  tau_y {fit.tau_y:8.4g}  fit loss {fit.loss:8.3g}  "
            f"R2 {fit.r_squared:.4f}{doubt}"
        )


def _comparisons(section: StudySection) -> None:
    if not section.analysis.compared:
        print("  nothing to compare: one seed only")
        return
    widest = max(len(each.label) for each in section.analysis.compared)
    for each in section.analysis.compared:
        found = each.comparison
        print(
            f"  {each.label:<{widest}}  {each.quantity:<25} predicted {found.predicted:<8.4g} "
            f"measured {found.measured:<8.4g} z {found.z:+6.1f}  {console.verdict(found.verdict)}"
        )
