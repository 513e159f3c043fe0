"""The gallery: one page per subject, from the recorded results beside the package and the pictures in docs/results/.

Building it trains and draws nothing. ``closedform record DIR`` makes the records from a folder of traces.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from rst import bullets, code, escape, heading, table

from bridge import printed, recorded
from bridge.cli.figures import numbers
from empirics.experiments import FIGURES, STUDIES, registry

ROOT = Path(__file__).resolve().parents[2]
RESULTS = "results"  # folder of the pictures below docs/


def gallery() -> dict[str, list[str]]:
    """Return the pages by name."""
    pages: dict[str, list[str]] = {}
    for package in registry.packages():
        if names := getattr(package, "STUDIES", {}):
            page = pages[f"gallery/{subject_of(package)}"] = heading(title_of(package), "=")
            for paper in getattr(package, "FIGURES", {}):
                page += overview(paper)
            for name in names:
                page += section(STUDIES[name], recorded.load(name))
    names = list(pages)
    pages["gallery"] = [
        *heading("Gallery", "="),
        "Each figure and table of the papers, with what the paper states and what was recorded here, and the figures",
        "of every study. Numbers, figures and the sentences below them come from runs whose results are kept with this",
        "documentation, at the scale that each section names. ``closedform figures`` prints the same tables.",
        "",
        ".. toctree::",
        "   :maxdepth: 2",
        "",
        *(f"   {name}" for name in names),
    ]
    return pages


def overview(paper: str) -> list[str]:
    """Return the table of all figures of a paper."""
    if paper not in FIGURES:
        return []
    lines = [*heading(f"Figures of {paper}", "-")]
    rows = []
    for row in printed.rows(paper):
        ours = f"{row['quantity']}: {numbers(row)}" if row["of"] else ""
        verdict = f"{row['verdict']} ({row['reason']})" if row["reason"] else row["verdict"]
        command = f"``{row['command'].removeprefix('closedform run ')}``" if row["command"] else ""
        rows.append((*map(escape, (row["figure"], row["shows"], row["stated"], ours, verdict)), command))
    return [*lines, *table(("figure", "shows", "stated", "ours", "verdict", "closedform run"), rows)]


def subject_of(package: ModuleType) -> str:
    """Return the subject of a package of experiments: X of ``empirics.experiments.X`` or a plugin's ``X.empirics``."""
    return package.__name__.removesuffix(f".{registry.FLOOR}").rpartition(".")[2]


def title_of(package: ModuleType) -> str:
    """Return the title of a subject's page: the text of the package's docstring before its first colon."""
    first = (package.__doc__ or "").partition("\n")[0]
    return first.partition(":")[0].rstrip(".") or subject_of(package)


def section(study: Any, results: Mapping[Any, recorded.Recorded]) -> list[str]:
    """Return the section of a study: question, figures with captions, findings of the largest scale, and commands."""
    figure_text = study.figure[0].upper() + study.figure[1:]
    lines = [*heading(escape(study.name), "-"), escape(f"{study.question} {figure_text}."), ""]
    current = [result for result in results.values() if result.is_current]
    scale = current[-1].scale if current else "laptop"
    command = code("console", f"$ closedform run {study.name} --scale {scale} --out DIR\n$ closedform report DIR")
    if scripts := [f":download:`{path} </../{path}>`" for path in examples(study.name)]:
        command += [f"As a script: {', '.join(scripts)}.", ""]
    if not current:
        why = "its configurations have changed since it was recorded" if results else "nothing is recorded"
        return [*lines, f"*Not drawn here:* {why}.", "", *command]
    return [*lines, *_shown(current[-1]), *command]


def _shown(result: recorded.Recorded) -> list[str]:
    lines = [escape(_origin(result)), ""]
    for name, caption in result.pictures.items():
        path = f"/{RESULTS}/{result.study}-{result.scale}/{name}.png"
        if (ROOT / "docs" / path[1:]).is_file():
            lines += [f".. figure:: {path}", f"   :alt: {name.replace('-', ' ')}", "", f"   {escape(caption)}", ""]
    lines += bullets(result.findings)
    return [*lines, "Doubts:", "", *bullets(result.doubts)] if result.doubts else lines


def _origin(result: recorded.Recorded) -> str:
    changed = "".join(f", {name} = {value}" for name, value in result.changed.items())
    missing = f"; without {', '.join(result.missing)}" if result.missing else ""
    versions = ", ".join(f"{name} {text}" for name, text in result.versions.items())
    return (
        f"Scale {result.scale}{changed}: {len(result.configurations)} configurations in {result.seconds:.0f} s"
        f"{missing}. {versions}."
    )


def examples(study: str) -> list[str]:
    """Return the scripts in examples/ that run a study, as paths from the root of the repository."""
    scripts = sorted((ROOT / "examples").glob("*/*.py"))
    matching = [path for path in scripts if f'STUDIES["{study}"]' in path.read_text(encoding="utf-8")]
    return [path.relative_to(ROOT).as_posix() for path in matching]
