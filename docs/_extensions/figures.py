"""The gallery: one page per subject, from the recorded results in the package and the pictures in docs/results/.

Building it trains and draws nothing. ``closedform record DIR`` makes the records from a folder of traces.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import rows
from rst import bullets, code, escape, heading, indented, table

from bridge.cli.figures import card, origin
from bridge.results import figure_table, record
from bridge.results.analyses import FIGURES
from bridge.results.quantity import QUANTITIES
from bridge.results.record import command
from bridge.results.sentences import released
from bridge.results.settings import SETTINGS, UNKNOWN
from bridge.validity import recorded
from bridge.validity.drawing import CAPTION
from bridge.validity.recorded import planned_maps
from closedform.subjects import Subject, subjects
from empirics.experiments import STUDIES
from empirics.experiments.registry import FLOOR
from theory.core.text.measured_conditions import SECTION

ROOT = Path(__file__).resolve().parents[2]
RESULTS = "results"  # folder of the pictures below docs/
THUMBNAILS = "thumbnails"  # folder of the small pictures below docs/generated/


def gallery() -> dict[str, list[str]]:
    """Return the pages by name."""
    pages: dict[str, list[str]] = {}
    small: list[str] = []
    for subject in subjects(FLOOR):
        if names := subject.announced("STUDIES"):
            page = pages[f"gallery/{subject.name}"] = heading(title_of(subject), "=")
            for paper in papers_of(subject.name):
                page += overview(paper)
                page += settings_of(paper)
            for name in names:
                results = record.every(name)
                page += section(STUDIES[name], results)
                small += thumbnail(STUDIES[name], results, f"gallery/{subject.name}.html")
            page += maps(subject.name)
    pages["gallery/rows"] = all_rows()
    names = list(pages)
    pages["gallery"] = [
        *heading("Gallery", "="),
        "Each picture leads to a study, with its question, its figures and what was found. The pages of the subjects",
        "begin with a card for each figure of the papers: the sentence that is tested, what was recorded here, and the",
        "hash of the plan. All numbers and pictures come from runs whose results are kept with this documentation, at",
        "the scale that each section names. ``closedform figures`` and ``closedform plan`` print the same. A verdict",
        "that is too blunt to say is followed by the size of a fresh run that decides it, if mean and scatter stay.",
        "",
        ".. toctree::",
        "   :maxdepth: 1",
        "",
        *(f"   {name}" for name in names),
        "",
        ".. container:: thumbnails",
        "",
        *indented("\n".join(small)),
    ]
    return pages


def overview(paper: str) -> list[str]:
    """Return a card for each figure of a paper: picture, sentences, numbers, verdicts, plans, commands."""
    lines = [*heading(f"Figures of {paper}", "-")]
    rows = figure_table.rows(paper)
    for where in dict.fromkeys(row["where"] for row in rows):
        lines += card_of([row for row in rows if row["where"] == where])
    return lines


def card_of(rows: list[dict[str, Any]]) -> list[str]:
    """Return the card of one figure from its rows."""
    first = rows[0]
    lines = [
        f".. rubric:: {escape(first['where'])}",
        f"   :name: {anchor(first['paper'], first['where'])}",
        "",
    ]
    pictured = picture_of(rows)
    if pictured and (ROOT / "docs" / RESULTS / pictured["picture"]).is_file():
        lines += [
            f".. image:: /{RESULTS}/{pictured['picture']}",
            f"   :alt: {escape(first['shows'])}",
            "   :width: 400px",
            "",
        ]
        if pictured["pictured"]:
            lines += [f"*The picture is of {escape(pictured['pictured'])}.*", ""]
    tested, others = (
        [row for row in rows if bool(row["deciding"]) is has] for has in (True, False)
    )
    cells = [
        (escape(f"{row['shows']}. {known.get('sentence', '')}"), escape(row["deciding"]["expected"]),
         escape(f"{row['deciding']['shown']} ({origin(row)})"), escape(because(row, known)))
        for row, known in ((row, card(row)) for row in tested)
    ]  # fmt: skip
    lines += table(
        ("sentence and what is compared with it", "expected", "measured", "verdict"), cells
    )
    lines += bullets(". ".join(filter(None, (row["shows"], because(row, {})))) for row in others)
    commands = dict.fromkeys(row["command"] for row in rows if row["command"])
    plans = ", ".join(f"``{row['plan']}``" for row in tested)
    made = "; ".join(f"``{command}``" for command in commands)
    return (
        [*lines, "; ".join(filter(None, (made, f"plans {plans}" if plans else ""))), ""]
        if made
        else lines
    )


def picture_of(rows: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Return the first row of a figure that has a picture, or the row with the released settings for it."""
    pictured = [row for row in rows if row["picture"]]
    if not pictured:
        return None
    first = pictured[0]
    theirs = [row for row in pictured if row["figure"] == released(first["figure"])]
    return theirs[0] if first["settings"] and theirs else first


def settings_of(paper: str) -> list[str]:
    """Return the table of a paper's settings: as printed, as released, ours, and why ours differs."""
    cells = [
        tuple(map(escape, (setting.name, setting.printed or UNKNOWN, setting.released or UNKNOWN, setting.ours,
                           setting.reason, setting.effect, ", ".join((*setting.turns, *setting.rows)))))
        for setting in SETTINGS.get(paper, ())
    ]  # fmt: skip
    heads = (
        "setting",
        "printed",
        "released",
        "ours",
        "why ours differs",
        "with theirs",
        "figures",
    )
    return [*heading(f"Settings of {paper}", "-"), *table(heads, cells)]


def because(row: dict[str, Any], known: Mapping[str, str]) -> str:
    """Return the verdict of a row with what explains it."""
    said = ("by size", "before", "runs", "chance", "undecided", "but", "lacking")
    notes = [row["reason"], *(f"{name}: {known[name]}" for name in said if name in known)]
    notes += [f"hangs on: {setting}" for setting in row["settings"]]
    return ". ".join(filter(None, (row["verdict"], *notes)))


def anchor(paper: str, where: str) -> str:
    """Return the name of a figure's card, to which links lead."""
    return f"card-{paper}-{''.join(c if c.isalnum() else '-' for c in where.lower())}"


def all_rows() -> list[str]:
    """Return the table of all rows: sentence, plan, kind, scale, repetitions, and the verdicts before and now."""
    cells = [
        (f":ref:`{row['paper']} {escape(row['figure'])} <{anchor(row['paper'], where)}>`",
         *map(escape, (row["sentence"], f"{row['plan']}, {row['kind']}", row["scale"], row["repetitions"],
                       row["error as of"], row["verdict before plans"], row["verdict before"], row["verdict"],
                       row["on fresh seeds"])))
        for where, row in rows.judged()
    ]  # fmt: skip
    heads = (
        "figure",
        "sentence",
        "plan",
        "scale",
        "repetitions",
        "error as of",
        "before plans",
        "before",
        "verdict",
        "on fresh seeds",
    )
    return [*heading("All rows", "="), *table(heads, cells)]


def papers_of(subject: str) -> list[str]:
    """Return the keys of the papers whose wings have the quantities of a subject; none without quantities."""
    if subject not in QUANTITIES.targets:
        return []
    wing = QUANTITIES.targets[subject].rpartition(".")[0]
    return [paper for paper, target in FIGURES.targets.items() if target.startswith(f"{wing}.")]


def title_of(subject: Subject) -> str:
    """Return the title of a subject's page: the text of its package's docstring before the first colon."""
    first = (subject.announcement.__doc__ or "").partition("\n")[0]
    return first.partition(":")[0].rstrip(".") or subject.name


def section(study: Any, results: Sequence[record.Record]) -> list[str]:
    """Return the section of a study: question, commands, and figures with captions and findings of the drawn runs."""
    figures = figure_table.title_of(study.name)
    lines = [f".. _study-{study.name}:", "", *heading(escape(study.name), "-")]
    lines += [escape(f"{study.question} {figures}." if figures else study.question), ""]
    current = [result for result in results if result.is_current]
    drawn = [result for result in reversed(current) if result.pictures] or current[-1:]
    made = (
        command(study.name, drawn[0].scale, drawn[0].changed)
        if drawn
        else command(study.name, "laptop")
    )
    commands = code("console", f"$ {made} --out DIR\n$ closedform report DIR")
    if scripts := [f":download:`{path} </../{path}>`" for path in examples(study.name)]:
        commands += [f"As a script: {', '.join(scripts)}.", ""]
    if not drawn:
        why = (
            "its configurations have changed since it was recorded"
            if results
            else "nothing is recorded"
        )
        return [*lines, f"*Not drawn here:* {why}.", "", *commands]
    return [*lines, *chain.from_iterable(map(_shown, drawn)), *commands]


def maps(subject: str) -> list[str]:
    """Return the sections of the recorded maps of a subject: plan, picture, sentences, and the command."""
    lines: list[str] = []
    for name, path in recorded.recorded().items():
        region, plan = recorded.read(path), planned_maps().get(name)
        if plan is None or not region.claim.name.startswith(f"{subject}."):
            continue
        lines += [
            f".. _{SECTION.format(name)}:",
            "",
            *heading(escape(f"Map {name}"), "-"),
            escape(region.claim.sentence),
        ]
        lines += ["", f"Plan ``{plan.digest}``, networks with fresh seeds.", ""]
        lines += [
            f".. figure:: /{RESULTS}/maps/{name}.webp",
            f"   :alt: {name}",
            "",
            f"   {escape(CAPTION)}",
            "",
        ]
        lines += [
            *bullets(region.sentences()),
            *code("console", f"$ closedform validity {name} --out DIR"),
        ]
    return lines


def thumbnail(study: Any, results: Sequence[record.Record], page: str) -> list[str]:
    """Return the first picture of a study, small, with the study's question and a link; nothing if none is recorded."""
    current = [result for result in results if result.is_current and result.pictures]
    if not current:
        return []
    image = f"{THUMBNAILS}/{current[-1].name}.png"
    target = f"{page}#study-{study.name}"
    options = [f"   :target: {target}", f"   :alt: {study.name}"]
    return [
        f".. figure:: {image}",
        *options,
        "",
        f"   **{study.name}**: {escape(study.question)}",
        "",
    ]


def _shown(result: record.Record) -> list[str]:
    lines = [escape(_origin(result)), ""]
    of_some = f" Drawn: {result.share}." if result.share else ""
    for name, caption in result.pictures.items():
        path = f"/{RESULTS}/{result.name}/{name}.webp"
        if (ROOT / "docs" / path[1:]).is_file():
            lines += [
                f".. figure:: {path}",
                f"   :alt: {name.replace('-', ' ')}",
                "",
                f"   {escape(caption + of_some)}",
                "",
            ]
    lines += bullets(result.findings)
    return [*lines, "Doubts:", "", *bullets(result.doubts)] if result.doubts else lines


def _origin(result: record.Record) -> str:
    changed = "".join(f", {name} = {value}" for name, value in result.changed.items())
    lacking = figure_table.lacking(result, figure_table.figures_of(result.study))
    missing = (
        f"; without {', '.join([*result.missing, *lacking])}" if result.missing or lacking else ""
    )
    versions = ", ".join(f"{name} {text}" for name, text in result.versions.items())
    return (
        f"Scale {result.scale}{changed}: {len(result.configurations)} configurations in {result.seconds:.0f} s"
        f"{missing}. {versions}."
    )


def examples(study: str) -> list[str]:
    """Return the scripts in examples/ that run a study, as paths from the root of the repository."""
    scripts = sorted((ROOT / "examples").glob("*/*.py"))
    matching = [
        path for path in scripts if f'STUDIES["{study}"]' in path.read_text(encoding="utf-8")
    ]
    return [path.relative_to(ROOT).as_posix() for path in matching]
