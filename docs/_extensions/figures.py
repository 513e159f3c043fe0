"""The gallery: every study trained at one scale, fitted and drawn, by the code that also writes the reports.

Traces are kept in docs/generated/traces/, so that only the first build trains anything.
"""

from __future__ import annotations

from pathlib import Path

from rst import bullets, code, escape, heading

from bridge import studies
from bridge.report import style
from empirics import store
from empirics.experiments import STUDIES


def gallery(directory: Path, scale: str) -> list[str]:
    """The page, after its figures are written to `directory`/figures.

    Args:
        directory: where the generated pages go.
        scale: of the studies: "smoke", "laptop" or "paper".
    """
    lines = heading("Gallery", "=")
    lines += [
        f"Every figure is drawn when this site is built, from networks trained at scale ``{scale}``: "
        "thin lines are seeds, the dashed line is the theory with fitted time constants.",
        "",
    ]
    for study in STUDIES.values():
        traces = {
            label: store.run_or_load(config, directory / "traces", progress=False)
            for label, config in study.configs(scale).items()
        }
        analysis = studies.analyse(study.name, traces)
        lines += [*heading(escape(study.name), "-"), escape(f"{study.question} {study.figure}."), ""]
        for picture in analysis.pictures:
            name = f"figures/{picture.name}.png"
            style.save(picture.figure, directory / name)
            lines += [f".. figure:: {name}", f"   :alt: {picture.name}", "", f"   {escape(picture.caption)}", ""]
        lines += bullets(analysis.findings)
        lines += code("console", f"$ closedform run {study.name} --scale {scale} --out DIR\n$ closedform report DIR")
    return lines
