"""The commands on the figures of the papers: figures, plan, record."""

import argparse
import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bridge.cli import console
from closedform.missing import ANALYSIS, TRAINING, require
from closedform.suggestions import unknown

MANY = 12  # numbers that a card shows


def run_figures(arguments: argparse.Namespace) -> int:
    """Print a line for every figure and table of the papers, or the cards of those of a paper that are named."""
    from bridge.results import figure_table
    from bridge.results.analyses import FIGURES

    if arguments.paper is not None and arguments.paper not in FIGURES:
        raise ValueError(unknown("paper", arguments.paper, FIGURES))
    rows = figure_table.rows(arguments.paper)
    wanted = arguments.figure
    if wanted:
        named = [row for row in rows if wanted in (row["figure"], row["where"], row["where"].removeprefix("Figure "))]
        rows = named
        if not rows:
            raise ValueError(unknown("figure", wanted, [f.label for f in FIGURES[arguments.paper]]))
    if arguments.json:
        print(json.dumps(rows, indent=1, ensure_ascii=False))
        return 0
    for paper in dict.fromkeys(row["paper"] for row in rows):
        print(("\n" if paper != rows[0]["paper"] else "") + console.paint(paper, "bold"))
        for row in (row for row in rows if row["paper"] == paper):
            _print(row, is_whole=bool(wanted))
    print(f"\n{len(rows)} figures, tables and statements: {_counted(row['verdict'] for row in rows)}")
    repeated = _counted(row["replicated"] for row in rows if row["replicated"])
    if repeated:
        print(f"on fresh seeds: {repeated}")
    if not wanted:
        print("`closedform figures PAPER FIGURE` prints all that is known of one, `closedform plan` the plans.")
    return 0


def _print(row: dict[str, Any], is_whole: bool) -> None:
    decided = f"  {shown}" if (shown := numbers(row)) else ""
    print(console.wrapped(f"  {row['figure']}: {console.verdict(row['verdict'])}{decided}", " " * 8))
    for name, text in card(row).items() if is_whole else ():
        print(console.wrapped(f"      {name}: {text}", " " * 8))


def _counted(words: Iterable[str]) -> str:
    return ", ".join(f"{count} {word}" for word, count in Counter(words).most_common())


def numbers(row: dict[str, Any]) -> str:
    """Return the number that decides a row with what is expected, in the paper's unit, as text; empty without one."""
    one = row["deciding"]
    if one is None:
        return ""
    expected = f", expected {one['expected']}" if one["expected"] else ""
    others = f"; one of {len(row['measured'])}" if len(row["measured"]) > 1 else ""
    n = f", n = {one['n']:g}" if one["n"] else ""
    return f"{one['shown']}{expected} ({one['label']}{others}; {row['scale']}{n})"


def card(row: dict[str, Any]) -> dict[str, str]:
    """Return all that is known of a row as texts by name, without what is empty; the terminal and the pages show it."""
    one = row["deciding"] or {"meaning": "", "needs": ""}
    resolved = f"{row['plan']}, {row['kind']}" if row["plan"] else ""
    measured = "; ".join(f"{m['label']} {m['shown']} ({m['verdict'] or 'no verdict'})" for m in row["measured"][:MANY])
    more = f"; and {len(row['measured']) - MANY} more" if len(row["measured"]) > MANY else ""
    texts = {
        "shows": row["shows"],
        "sentence": f"“{row['sentence']}”" if row["sentence"] else "",
        "but": f"“{row['counter']}”" if row["counter"] else "",
        "quantity": one["meaning"],
        "numbers": measured + more if len(row["measured"]) > 1 else "",
        "why": row["reason"],
        "by size": row["trend"],
        "before": row["before"],
        "on fresh seeds": row["replicated"],
        "undecided": one["needs"],
        "lacking": "; ".join(row["lacking"]),
        "plan": resolved,
        "command": row["command"] or "",
        "recorded at": ", ".join(row["scales"]),
        "picture": row["picture"] or "",
    }
    return {name: text for name, text in texts.items() if text}


def run_plan(arguments: argparse.Namespace) -> int:
    """Print the plans of all rows, or of a paper, a figure or an entry of the ledger."""
    from bridge.results import plan

    plans = plan.named(arguments.name)
    if arguments.json:
        print(json.dumps(plans, indent=1, ensure_ascii=False))
        return 0
    for one in plans:
        print(console.paint(f"{one['plan']}  {one['paper']}  {one['figure']}", "bold"))
        for name, value in one.items():
            if value and name not in ("plan", "paper", "figure", "where"):
                print(console.wrapped(f"  {name}: {_as_text(value)}", " " * 6))
    print(f"\n{len(plans)} plans")
    return 0


def _as_text(value: Any) -> str:
    if isinstance(value, dict):
        return "; ".join(f"{key}: {text}" for key, text in value.items())
    return "; ".join(value) if isinstance(value, list) else str(value)


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
