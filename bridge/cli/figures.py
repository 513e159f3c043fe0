"""The commands on the figures of the papers: figures, record."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from bridge.cli import console
from closedform.missing import ANALYSIS, TRAINING, require
from closedform.suggestions import unknown

FEW = 4  # numbers that a line shows


def run_figures(arguments: argparse.Namespace) -> int:
    """Print every figure and table of the papers, or of one, with its command, our numbers and the verdict."""
    from bridge.results import figure_table
    from bridge.results.analyses import FIGURES

    if arguments.paper is not None and arguments.paper not in FIGURES:
        raise ValueError(unknown("paper", arguments.paper, FIGURES))
    rows = figure_table.rows(arguments.paper)
    if arguments.json:
        print(json.dumps(rows, indent=1, ensure_ascii=False))
        return 0
    paper = ""
    for row in rows:
        if row["paper"] != paper:
            paper = row["paper"]
            print(("\n" if row is not rows[0] else "") + console.paint(paper, "bold"))
        for line in _lines(row):
            print(console.wrapped(line, " " * 8))
    with_command = sum(row["command"] is not None for row in rows)
    with_result = sum(bool(row["scales"]) for row in rows)
    print(
        f"\n{len(rows)} figures, tables and statements; {with_command} have a command, {with_result} a recorded result"
    )
    return 0


def _lines(row: dict[str, Any]) -> list[str]:
    lines = [f"  {row['figure']}  {row['shows']}: {row['verdict']}" + (f" ({row['reason']})" if row["reason"] else "")]
    if row["stated"]:
        lines.append(f"      stated: {row['stated']}")
    if row["measured"]:
        lines.append(f"      ours, {numbers(row)}")
    if needs := what_would_decide(row):
        lines.append(f"      {needs}")
    if row["command"]:
        done = f"  [{', '.join(row['scales'])}]" if row["scales"] else ""
        lines.append(f"      {row['command']}{done}")
    return lines


def numbers(row: dict[str, Any]) -> str:
    """Return the first numbers of a row with their errors and labels, as text; empty without any."""
    listed: dict[str, list[str]] = {}
    for one in row["measured"][:FEW]:
        listed.setdefault(one["meaning"], []).append(f"{one['value']:.4g} ± {one['error']:.2g} ({one['label']})")
    shown = [f"{meaning}: {'; '.join(texts)}" for meaning, texts in listed.items()]
    more = [f"and {len(row['measured']) - FEW} more"] if len(row["measured"]) > FEW else []
    return "; ".join([*shown, *more])


def what_would_decide(row: dict[str, Any]) -> str:
    """Return what would decide the numbers of a row that are too blunt to say; empty without any."""
    blunt = [one for one in row["measured"] if one["needs"]]
    needs = [f"{one['needs']} for {one['label']}" if len(row["measured"]) > 1 else one["needs"] for one in blunt]
    more = [f"and {len(needs) - FEW} more"] if len(needs) > FEW else []
    return f"would be decided, if mean and scatter stay, by {'; '.join([*needs[:FEW], *more])}" if needs else ""


def run_record(arguments: argparse.Namespace) -> int:
    """Record the results of the studies in a folder of traces, with their pictures; 1 if one could not be recorded."""
    require("record", *TRAINING, *ANALYSIS)
    from bridge.results import folder, recording
    from empirics.experiments import STUDIES

    directory = Path(arguments.directory)
    studies = [runs for runs in folder.studies(directory) if runs.study in STUDIES]
    if not studies:
        raise ValueError(
            f"DIR: got {str(directory)!r} without a study, needs one; `closedform run STUDY` makes its traces"
        )
    problems = 0
    for runs in studies:
        try:
            recorded = recording.record_study(directory, runs)
        except ValueError as problem:  # some analyses need all configurations of a study
            problems += 1
            print(f"{runs.study}: not recorded, {problem}")
            continue
        if recorded is not None:
            result, (path, *drawn) = recorded
            print(f"{path}: {len(result.measured)} numbers, {len(result.findings)} findings")
            print("".join(f"  {picture}\n" for picture in drawn), end="")
    return 1 if problems else 0
