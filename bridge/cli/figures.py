"""The commands on the figures of the papers: figures, plan, record."""

import json
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from bridge.cli import console
from bridge.cli.command import FILE, command
from closedform.missing import ANALYSIS, TRAINING, require
from closedform.suggestions import unknown

MANY = 12  # numbers that a card shows


@command("figures")
@click.argument("paper", metavar="[PAPER]", required=False)
@click.argument("figure", metavar="[FIGURE]", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print a list of objects.")
def run_figures(paper: str | None, figure: str | None, as_json: bool) -> int:
    """List the figures and tables of the papers.

    Each has a line with our verdict. PAPER is the key of a paper, such as zavatoneveth2023 (default: all). Of a FIGURE,
    such as 5, all that is known is printed.
    """
    from bridge.results import figure_table
    from bridge.results.analyses import FIGURES

    if paper is not None and paper not in FIGURES:
        raise ValueError(unknown("paper", paper, FIGURES))
    rows = figure_table.rows(paper)
    if figure is not None and paper is not None:
        rows = _named(rows, figure, [printed.label for printed in FIGURES[paper]])
    if as_json:
        print(json.dumps(rows, indent=1, ensure_ascii=False))
        return 0
    for key in dict.fromkeys(row["paper"] for row in rows):
        print(("\n" if key != rows[0]["paper"] else "") + console.paint(key, "bold"))
        for row in (row for row in rows if row["paper"] == key):
            _print(row, is_whole=figure is not None)
    print(
        f"\n{len(rows)} figures, tables and statements: {_counted(row['verdict'] for row in rows)}"
    )
    _print_counts(rows)
    if figure is None:
        print(
            "`closedform figures PAPER FIGURE` prints all that is known of one, `closedform plan` the plans."
        )
    return 0


def _print_counts(rows: list[dict[str, Any]]) -> None:
    """Print how many sentences have which verdict, what kinds of tests agree, and what became of earlier verdicts."""
    from bridge.results import figure_table
    from bridge.results.sentences import sentences
    from closedform.verdicts import FOR

    verdicts = [sentence.verdict for sentence in sentences(rows)]
    print(f"{len(verdicts)} sentences, each with one verdict: {_counted(verdicts)}")
    agreeing = [row["test"] for row in rows if row["verdict"] in FOR and row["test"]]
    if agreeing:
        print(f"numbers that agree: {_counted(agreeing)}")
    numbers = figure_table.tested(rows)
    if numbers.comparisons:
        print(
            f"{numbers.comparisons} comparisons with a number, which could fail on either side, from {numbers.runs} "
            f"independent runs (rows of one share networks); {numbers.rare} deviate at a false discovery rate of "
            f"{figure_table.RARE:.0%} in their paper, by more or by less than matters"
        )
    repeated = _counted(row["replicated"] for row in rows if row["replicated"])
    if repeated:
        print(f"on fresh seeds: {repeated}")


def _named(rows: list[dict[str, Any]], figure: str, labels: list[str]) -> list[dict[str, Any]]:
    """Return the rows of a figure, which may be named by its label or its place."""
    named = [
        row
        for row in rows
        if figure in (row["figure"], row["where"], row["where"].removeprefix("Figure "))
    ]
    if not named:
        raise ValueError(unknown("figure", figure, labels))
    return named


def _print(row: dict[str, Any], is_whole: bool) -> None:
    head = f"  {row['figure']}: {console.verdict(row['verdict'])}  {row['shows']}"
    print(console.wrapped(head, " " * 8))
    decided = numbers(row)
    if decided:
        print(console.wrapped(f"      {measured_quantity(row)}: {decided}", " " * 8))
    for name, text in card(row).items() if is_whole else ():
        print(console.wrapped(f"      {name}: {text}", " " * 8))


def _counted(words: Iterable[str]) -> str:
    return ", ".join(f"{count} {word}" for word, count in Counter(words).most_common())


def measured_quantity(row: dict[str, Any]) -> str:
    """Return what the number that decides a row measures; the number itself is shown, not its logarithm."""
    meaning = str(row["deciding"]["meaning"])
    return re.sub(r"^logarithm of (the )?", r"\1", meaning)


def numbers(row: dict[str, Any]) -> str:
    """Return the number that decides a row with what is expected, in the paper's unit, as text; empty without one."""
    one = row["deciding"]
    if one is None:
        return ""
    expected = f", expected {one['expected']}" if one["expected"] else ""
    return f"{one['shown']}{expected} ({origin(row)})"


def origin(row: dict[str, Any]) -> str:
    """Return of what the number that decides a row is: configuration, among how many, scale, repetitions."""
    one = row["deciding"]
    others = f"; one of {len(row['measured'])}" if len(row["measured"]) > 1 else ""
    n = f", n = {repetitions(one)}" if one["n"] else ""
    return f"{one['label']}{others}; {row['scale']}{n}"


def repetitions(number: dict[str, Any]) -> str:
    """Return how many repetitions a number has, and as how many its error counts where these are others."""
    counted = f"{number['counted']:g}"
    return (
        counted
        if number["n"] == number["counted"]
        else f"{counted}, error as of {number['n']:.3g}"
    )


def card(row: dict[str, Any]) -> dict[str, str]:
    """Return all that is known of a row as texts by name, without what is empty; the terminal and the pages show it."""
    from bridge.results.runs import in_words

    number = row["deciding"] or {"meaning": "", "needs": ""}
    noted = f", noted as {row['noted']} before its hash held the code" if row["noted"] else ""
    resolved = f"{row['plan']}, {row['kind']}{noted}" if row["plan"] else ""
    measured = "; ".join(
        f"{m['label']} {m['shown']} ({m['verdict'] or 'no verdict'})"
        for m in row["measured"][:MANY]
    )
    more = f"; and {len(row['measured']) - MANY} more" if len(row["measured"]) > MANY else ""
    texts = {
        "shows": row["shows"],
        "sentence": f"“{row['sentence']}”" if row["sentence"] else "",
        "but": f"“{row['counter']}”" if row["counter"] else "",
        "quantity": number["meaning"],
        "chance": f"{abs(number['z']):.1f} standard errors, q = {number['q']:.2g}"
        if "q" in number
        else "",
        "numbers": measured + more if len(row["measured"]) > 1 else "",
        "why": row["reason"],
        "hangs on": "; ".join(row["settings"]),
        "by size": row["trend"],
        "before": row["before"],
        "runs": in_words(row["runs"]) if len(row["runs"]) > 1 else "",
        "undecided": number["needs"],
        "lacking": "; ".join(row["lacking"]),
        "plan": resolved,
        "command": row["command"] or "",
        "recorded at": ", ".join(row["scales"]),
        "picture": pictured(row),
    }
    return {name: text for name, text in texts.items() if text}


def pictured(row: dict[str, Any]) -> str:
    """Return the picture of a row, and of what it is where that is not the run that decides; empty without one."""
    picture = str(row["picture"] or "")
    return f"{picture} (of {row['pictured']})" if row["pictured"] else picture


@command("plan")
@click.argument("name", metavar="[NAME]", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print a list of objects.")
def run_plan(name: str | None, as_json: bool) -> int:
    """Show how numbers are compared with papers.

    A plan has the sentence, the rule, the seeds, and the hash. NAME is a paper, a figure such as 5, or an entry of the
    ledger (default: all).
    """
    from bridge.results import plan

    plans = plan.named(name)
    if as_json:
        print(json.dumps(plans, indent=1, ensure_ascii=False))
        return 0
    for planned in plans:
        print(console.paint(f"{planned['plan']}  {planned['paper']}  {planned['figure']}", "bold"))
        for field, value in planned.items():
            if value and field not in ("plan", "paper", "figure", "where"):
                print(console.wrapped(f"  {field}: {_as_text(value)}", " " * 6))
    print(f"\n{len(plans)} plans")
    return 0


def _as_text(value: Any) -> str:
    if isinstance(value, dict):
        return "; ".join(f"{key}: {text}" for key, text in value.items())
    return "; ".join(value) if isinstance(value, list) else str(value)


@command("record")
@click.argument("directory", type=FILE, metavar="[DIR]", required=False)
@click.option(
    "--evidence", is_flag=True, help="Write next to the ledger what the recorded results decide."
)
def run_record(directory: str | None, evidence: bool) -> int:
    """Record what the studies in a folder found.

    DIR is the folder in which `closedform run` saved its traces. Numbers and pictures are kept for figures and gallery;
    the exit code is 1 if a study could not be recorded.
    """
    if directory is None and not evidence:
        raise ValueError("DIR: got nothing, needs a folder of traces, or --evidence")
    problems = 0 if directory is None else _record(Path(directory))
    if evidence:
        _write_evidence()
    return 1 if problems else 0


def _write_evidence() -> None:
    """Write the measurements that decide entries of the ledger next to it, and print them."""
    from bridge.results import evidence

    measured = evidence.measurements()
    for (paper, label), measurement in measured.items():
        print(
            f"{console.paint(f'{paper} {label}', 'bold')}  {console.verdict(measurement.ruling.name)}"
        )
        print(console.wrapped(f"  {measurement}", " " * 4))
    for path, labels in evidence.write(measured).items():
        print(f"{path}: {len(labels)} written")


def _record(directory: Path) -> int:
    """Record the studies in a folder, and return how many could not be."""
    require("record", *TRAINING, *ANALYSIS)
    from bridge.results import folder, recording
    from empirics.experiments import STUDIES

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
            is_kept = dict(result.changed) != dict(runs.changed)
            stay = " stay, since they are of more seeds" if is_kept else ""
            print(f"{path}: {len(result.measured)} numbers, {len(result.findings)} findings{stay}")
            print("".join(f"  {picture}\n" for picture in drawn), end="")
    return problems
