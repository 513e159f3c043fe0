"""The page of the documentation that shows the table of ``table.py``."""

from __future__ import annotations

import re
import textwrap
from itertools import chain
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DATA, PAGE = ROOT / "docs" / "_data" / "benchmarks.json", ROOT / "docs" / "benchmarks.md"
CHART = ROOT / "docs" / "benchmarks.svg"
HEAD = """\
# Benchmarks

Each job is done by this package and by what one would use instead, in turns, with one thread. The ratio is the time of
the fastest alternative over ours: above 1, this package is faster.

![Ratios of all jobs that have an alternative](benchmarks.svg)

*Every mark is a job; jobs on one line differ in what their names say last. Filled: it reaches its goal.*

"""
HOW = """\
<details><summary>How this was measured</summary>

Times are processor milliseconds, the shortest of several turns with the median in brackets. The alternative is the
fastest one that does the job. MB are the most that arrays of numpy took; threads are those that did a twentieth of the
work or more, one where nothing is said; ± is the largest error of a result, relative to the largest number, from more
digits where ours has one, too, and otherwise from ours. Everything runs as README installs it, with `[all]` and in the
default mode: numba computes kernel matrices, planar curvature and the hinge flow from a stated size on, and where a row
says `function('numba')` ([decision 28](decisions/0028-one-printer-and-numba.md)); `benchmarks/table.py --without-numba`
puts a run without it beside. Goals were set before the measurement; most were set for slower alternatives than those
that stand here now. `make benchmarks` writes this page; runs on other machines, or with other vector instructions in
numpy, torch and their libraries (our own loops keep those of the processor), stand beside it by their letters, with our
time and the ratio.

Rows come in an order in which memory is at first as in a new process. Once an array of several megabytes has been
freed, the C library keeps the memory of smaller ones, and temporary arrays cost no new pages, which helps alternatives
with many of them.
"""
BEHIND = "**behind**"
GROWTH = """\
## Growth

Times at three sizes, each ten times the one before, the exponents of a power law in both decades, and the exponent of
the line through all three in logarithms. At the smaller sizes the costs that do not depend on the size lower them.
"""


def milliseconds(seconds: float) -> str:
    """Return a time in milliseconds with three digits."""
    return f"{1e3 * seconds:,.0f}" if seconds >= 1 else f"{1e3 * seconds:.3g}"


def verdict(row: dict) -> str:
    """Return the goal of a row and whether it is reached."""
    if row["limit"] is not None:
        reached, goal = (
            row["minimum"]["ours"] <= row["limit"],
            f"at most {1e3 * row['limit']:g} ms",
        )
    elif row["ratio"] is None:
        reached, goal = True, f"at least {row['goal']:g}; nothing to compare with"
    else:
        reached, goal = row["ratio"] >= row["goal"], f"at least {row['goal']:g}"
    return goal if reached else f"{goal}: {BEHIND}"


def cells(row: dict) -> list[str]:
    """Return the cells of a row of the table."""
    if "failed" in row:
        return [
            row["job"],
            "",
            "",
            "",
            f"**failed**: {' '.join(row['failed'].split()).replace('|', '/')}",
        ]
    medians = row["median"]
    memory = {
        name: f", {most / 1e6:.2g} MB" for name, most in row.get("memory", {}).items() if most
    }
    threads = {
        name: f", {count} threads" for name, count in row.get("threads", {}).items() if count > 1
    }
    errors = {name: f", ±{error:.0e}" for name, error in row.get("errors", {}).items()}
    further = {
        name: "".join(each.get(name, "") for each in (memory, threads, errors)) for name in medians
    }
    times = {
        name: f"{milliseconds(least)} ({milliseconds(medians[name])}{further[name]})"
        for name, least in row["minimum"].items()
    }
    others = [f"{name}: {text}" for name, text in times.items() if name != "ours"]
    others += [f"{name}: not installed" for name in row["missing"]]
    ratio = "" if row["ratio"] is None else f"{row['ratio']:.2f}"
    reached = verdict(row)
    reason = f". {row['note']}" if row["note"] and "**" in reached else ""
    return [
        row["job"],
        times["ours"],
        "; ".join(others) or "nothing known",
        ratio,
        reached + reason,
    ]


def others(row: dict, runs: list[dict]) -> str:
    """Return our time and the ratio of a job in the runs beside, by their letters."""
    found = [
        (letter, run["jobs"][row["job"]])
        for letter, run in zip("ABCDEF", runs, strict=False)
        if row["job"] in run["jobs"]
    ]
    return ", ".join(
        f"{letter} {milliseconds(ours)}{f' ({ratio:.2f})' if ratio else ''}"
        for letter, (ours, ratio) in found
    )


def item(row: dict, runs: list[dict]) -> str:
    """Return a row as an item of a list, whose lines have at most 120 columns."""
    job, ours, instead, ratio, goal = cells(row)
    parts = [
        f"**{job}**: {ours}" if ours else f"**{job}**",
        others(row, runs),
        f"instead {instead}" if instead else "",
    ]
    text = "; ".join(
        filter(None, [*parts, f"ratio {ratio}" if ratio else "", f"goal {goal}" if ours else goal])
    )
    return textwrap.fill(
        f"- {text}", 120, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )


def fastest(row: dict) -> str:
    """Return the time and the name of the alternative with which a row is compared, the fastest one."""
    if row["against"]:
        name = row["against"]
    else:
        others = {name: least for name, least in row["minimum"].items() if name != "ours"}
        if not others:
            return "–"
        name = min(others, key=others.__getitem__)
    return f"{milliseconds(row['minimum'][name])}, {name}" if name in row["minimum"] else "–"


def table_row(row: dict) -> list[str]:
    """Return a row of the table, a cell on each line: job, our time, that of the alternative, ratio with its goal."""
    if "failed" in row:
        cells_of_row = [row["job"], "<strong>failed</strong>", "–", "–"]
    else:
        ratio = "–" if row["ratio"] is None else f"{row['ratio']:.2f}"
        goal = verdict(row).replace(BEHIND, "<strong>behind</strong>")
        ours = milliseconds(row["minimum"]["ours"])
        cells_of_row = [row["job"], ours, fastest(row), f"{ratio}; {goal}"]
    cells_of_row[0] = re.sub(r"`([^`]+)`", r"<code>\1</code>", cells_of_row[0])
    return ["<tr>", *(f"<td>{text}</td>" for text in cells_of_row), "</tr>"]


def page(table: dict) -> str:
    """Return the page: the chart of ratios, a table of four columns, and folded what stands behind its numbers."""
    behind = sum("**" in cells(row)[-1] for row in table["rows"])
    lines = [
        HEAD + f"{len(table['rows']) - behind} of {len(table['rows'])} rows reach their goal.",
        "",
        '<div class="table-wrapper"><table class="docutils benchmarks">',
        "<tr><th>job</th><th>ours, ms</th><th>instead, ms</th><th>ratio; goal</th></tr>",
        *chain.from_iterable(map(table_row, table["rows"])),
        "</table></div>",
        "",
        HOW,
    ]
    for letter, run in zip(["", *"ABCDEF"], [table, *table["beside"]], strict=False):
        machine = ", ".join(f"{name} {value}" for name, value in run["machine"].items())
        lines += [textwrap.fill(f"{letter and f'{letter}: '}{machine}; {run['date']}.", 120), ""]
    lines += [
        "</details>",
        "",
        "<details><summary>All alternatives, medians, memory and reasons, job by job</summary>",
        "",
        *(item(row, table["beside"]) for row in table["rows"]),
        "",
        "</details>",
    ]
    lines += [
        "",
        GROWTH,
        "| job | size | milliseconds | exponent by decade | both decades |",
        "|---|---|---|---|---|",
    ]
    for line in table["growth"]:
        if "failed" in line:
            lines.append(f"| {line['job']} | | | | **failed**: {line['failed']} |")
            continue
        sizes = ", ".join(f"{size:g}" for size in line["sizes"])
        seconds = ", ".join(map(milliseconds, line["seconds"]))
        decades = ", ".join(f"{value:.2f}" for value in line["exponents"])
        lines.append(
            f"| {line['job']} | {line['unit']} = {sizes} | {seconds} | {decades} | {line['exponent']:.2f} |"
        )
    return "\n".join(lines) + "\n"
