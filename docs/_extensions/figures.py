"""The gallery: every study run at one scale and drawn, a page for each subject, by the code that also writes reports.

Traces are kept in docs/generated/traces/, so that only the first build trains anything.
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
    "smoke": "the smallest, seconds for each study: they show what it looks at, and larger scales what is true",
    "laptop": "a minute or a few for each study",
    "paper": "the size of the papers",
}


def gallery(directory: Path, scale: str) -> dict[str, list[str]]:
    """The pages by name, after their figures are written to ``directory``/figures.

    Args:
        directory: where the generated pages go.
        scale: of the studies: "smoke", "laptop" or "paper"; "none" trains and draws nothing.
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
    """The subject of a package of experiments, here (``empirics.experiments.X``) or of a plugin (``X.empirics``)."""
    return package.__name__.removesuffix(f".{registry.FLOOR}").rpartition(".")[2]


def title_of(package: ModuleType) -> str:
    """The title of the page of a subject: what its docstring says before the first colon."""
    first = (package.__doc__ or "").partition("\n")[0]
    return first.partition(":")[0].rstrip(".") or subject_of(package)


def section(study: Any, configs: Any, directory: Path, scale: str) -> list[str]:
    """A study: its question, figures with their captions, findings, how to run it; or what it lacks to be run."""
    where = study.figure[0].upper() + study.figure[1:]
    lines = [*heading(escape(study.name), "-"), escape(f"{study.question} {where}."), ""]
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
        about = ((f"{each.label}, {each.seeds}" if each.seeds else each.label, each.text) for each in analysis.doubts)
        lines += ["To be doubted:", "", *bullets(f"{label}: {text}" for label, text in about)]
    return [*lines, *command]


def examples(study: str) -> list[str]:
    """The scripts in examples/ that run a study: paths from the root of the repository."""
    scripts = sorted((ROOT / "examples").glob("*/*.py"))
    found = [path for path in scripts if f'STUDIES["{study}"]' in path.read_text(encoding="utf-8")]
    return [path.relative_to(ROOT).as_posix() for path in found]


def lacking(problem: Exception) -> str | None:
    """What data or package is absent, in a sentence; None if something else went wrong."""
    text = str(problem)
    if isinstance(problem, ModuleNotFoundError):
        own = (problem.name or "").partition(".")[0] in ("theory", "empirics", "bridge")
        return None if own else f"A package is not installed: {text}."
    if text.startswith("directory: "):
        if folder := os.environ.get(DIRECTORY):
            text = text.replace(folder, f"``{DIRECTORY}``")  # a page has no business with this machine's paths
        return f"Data are absent: {text.removeprefix('directory: ')}."
    return None
