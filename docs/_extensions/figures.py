"""The gallery: every study run at one scale and drawn, one page per subject, by the code that also writes reports.

Traces are stored in docs/generated/traces/, so that only the first build trains networks.
"""

from __future__ import annotations

import os
from pathlib import Path
from types import ModuleType
from typing import Any

from rst import bullets, code, escape, heading

from bridge import analyses
from bridge.figures import style
from empirics import store
from empirics.data.loading import DIRECTORY
from empirics.experiments import STUDIES, registry

ROOT = Path(__file__).resolve().parents[2]
NO_FIGURES = "none"
SCALES = {
    "smoke": "the smallest one, which takes seconds per study; reliable results need a larger scale",
    "laptop": "which takes a few minutes per study",
    "paper": "the size of the papers",
}


def gallery(directory: Path, scale: str) -> dict[str, list[str]]:
    """Return the pages by name, after writing their figures to ``directory``/figures.

    Args:
        directory: directory of the generated pages.
        scale: scale of the studies, "smoke", "laptop" or "paper"; "none" trains and draws nothing.
    """
    if scale == NO_FIGURES:
        return {"gallery": [*heading("Gallery", "="), "This build has no figures; ``make docs`` draws them."]}
    pages: dict[str, list[str]] = {}
    for package in registry.packages():
        if names := getattr(package, "STUDIES", {}):
            page = pages[f"gallery/{subject_of(package)}"] = heading(title_of(package), "=")
            for name in names:
                page += section(STUDIES[name], STUDIES[name].configs(scale), directory, scale)
    names = list(pages)
    pages["gallery"] = [
        *heading("Gallery", "="),
        f"Every figure is drawn when this site is built, from networks trained at scale ``{scale}``, {SCALES[scale]}. "
        "The sentences below the figures are computed from the same runs.",
        "",
        ".. toctree::",
        "   :maxdepth: 2",
        "",
        *(f"   {name}" for name in names),
    ]
    return pages


def subject_of(package: ModuleType) -> str:
    """Return the subject of a package of experiments: X of ``empirics.experiments.X`` or a plugin's ``X.empirics``."""
    return package.__name__.removesuffix(f".{registry.FLOOR}").rpartition(".")[2]


def title_of(package: ModuleType) -> str:
    """Return the title of a subject's page: the text of the package's docstring before its first colon."""
    first = (package.__doc__ or "").partition("\n")[0]
    return first.partition(":")[0].rstrip(".") or subject_of(package)


def section(study: Any, configs: Any, directory: Path, scale: str) -> list[str]:
    """Return the section of a study: question, figures with captions, findings, commands; or why it is absent."""
    figure_text = study.figure[0].upper() + study.figure[1:]
    lines = [*heading(escape(study.name), "-"), escape(f"{study.question} {figure_text}."), ""]
    command = code("console", f"$ closedform run {study.name} --scale {scale} --out DIR\n$ closedform report DIR")
    if scripts := [f":download:`{path} </../{path}>`" for path in examples(study.name)]:
        command += [f"As a script: {', '.join(scripts)}.", ""]
    try:
        traces = {
            label: store.run_or_load(config, directory / "traces", progress=False) for label, config in configs.items()
        }
        analysis = analyses.analyse(study.name, traces)
    except (FileNotFoundError, ModuleNotFoundError, ValueError) as problem:
        if (reason := lacking(problem)) is None:
            raise
        return [*lines, f"*Not drawn here.* {escape(reason)}", "", *command]
    for picture in analysis.pictures:
        name = f"figures/{study.name}/{picture.name}.png"
        style.save(picture.figure, directory / name)
        lines += [f".. figure:: /{directory.name}/{name}", f"   :alt: {picture.name.replace('-', ' ')}", ""]
        lines += [f"   {escape(picture.caption)}", ""]
    lines += bullets(analysis.findings)
    if analysis.doubts:
        doubts = ((f"{one.label}, {one.seeds}" if one.seeds else one.label, one.text) for one in analysis.doubts)
        lines += ["Doubts:", "", *bullets(f"{label}: {text}" for label, text in doubts)]
    return [*lines, *command]


def examples(study: str) -> list[str]:
    """Return the scripts in examples/ that run a study, as paths from the root of the repository."""
    scripts = sorted((ROOT / "examples").glob("*/*.py"))
    matching = [path for path in scripts if f'STUDIES["{study}"]' in path.read_text(encoding="utf-8")]
    return [path.relative_to(ROOT).as_posix() for path in matching]


def lacking(problem: Exception) -> str | None:
    """Return a sentence on missing data or a missing package; None if the error has another reason."""
    text = str(problem)
    if isinstance(problem, ModuleNotFoundError):
        is_own = (problem.name or "").partition(".")[0] in ("theory", "empirics", "bridge")
        return None if is_own else f"A package is not installed: {text}."
    if text.startswith("directory: "):
        if folder := os.environ.get(DIRECTORY):
            text = text.replace(folder, f"``{DIRECTORY}``")  # a page must not contain paths of this machine
        return f"Data are absent: {text.removeprefix('directory: ')}."
    return None
