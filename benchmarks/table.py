"""All rows side by side: this package, what one would use instead, the ratio, and the ratio that we want.

The table is written to ``docs/_data/benchmarks.json`` and, for reading, to ``docs/benchmarks.md``; a row that is behind
its goal says so. Run it with one thread, on a machine that does nothing else (``make benchmarks`` does the first).

    python benchmarks/table.py [WORD ...]    # only the rows whose job contains one of the words; writes nothing
"""

from __future__ import annotations

import datetime
import importlib.metadata
import json
import platform
import sys
from pathlib import Path

import formulas
import measures
import torch
from side_by_side import measured

ROOT = Path(__file__).resolve().parents[1]
DATA, PAGE = ROOT / "docs" / "_data" / "benchmarks.json", ROOT / "docs" / "benchmarks.md"
PACKAGES = ("closedform", "numpy", "scipy", "sympy", "torch")
HEAD = """\
---
orphan: true
---

# Benchmarks

Each job is done by this package and by what one would use instead, in turns, with one thread. Times are processor
milliseconds, the shortest of several turns with the median in brackets. The ratio is the time of an alternative over
ours, from the shortest times: above 1, this package is faster. The alternative is the fastest one, or the one that the
goal names. This page is written by `make benchmarks`.
"""


def machine() -> dict[str, str]:
    """Return what the times depend on: processor, threads, Python and packages."""
    cpu = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [line.split(":")[1].strip() for line in info.read_text().splitlines() if line.startswith("model name")]
        cpu = names[0] if names else cpu
    versions = {name: importlib.metadata.version(name) for name in PACKAGES}
    return {"processor": cpu, "threads": str(torch.get_num_threads()), "Python": platform.python_version(), **versions}


def ratio(row: dict) -> float | None:
    """Return the time of the fastest peer, or of that which the goal names, over ours; None without peers."""
    peers = {name: seconds for name, seconds in row["minimum"].items() if name != "ours"}
    if not peers:
        return None
    return (peers[row["against"]] if row["against"] else min(peers.values())) / row["minimum"]["ours"]


def verdict(row: dict) -> str:
    """Return the goal of a row and whether it is reached."""
    if row["limit"] is not None:
        reached, goal = row["minimum"]["ours"] <= row["limit"], f"at most {1e3 * row['limit']:g} ms"
    else:
        reached, goal = ratio(row) >= row["goal"], f"at least {row['goal']:g}"
        goal += f" against {row['against']}" if row["against"] else ""
    return goal if reached else f"{goal}: **behind**"


def cells(row: dict) -> list[str]:
    """Return the cells of a row of the table."""
    times = {name: f"{1e3 * row['minimum'][name]:.3g} ({1e3 * row['median'][name]:.3g})" for name in row["minimum"]}
    others = "; ".join(f"{name}: {text}" for name, text in times.items() if name != "ours") or "nothing known"
    value = ratio(row)
    return [row["job"], times["ours"], others, "" if value is None else f"{value:.2f}", verdict(row)]


def page(table: dict) -> str:
    """Return the page of the documentation."""
    lines = [HEAD, ", ".join(f"{name} {value}" for name, value in table["machine"].items()) + f"; {table['date']}.", ""]
    lines += ["| job | ours | instead | ratio | goal |", "|---|---|---|---|---|"]
    lines += ["| " + " | ".join(cells(row)) + " |" for row in table["rows"]]
    lines += ["", "## Growth", "", "The exponent is that of a power law through the three largest sizes.", ""]
    lines += ["| job | size | milliseconds | exponent |", "|---|---|---|---|"]
    for line in table["growth"]:
        sizes = ", ".join(f"{size:g}" for size in line["sizes"])
        seconds = ", ".join(f"{1e3 * value:.3g}" for value in line["seconds"])
        lines.append(f"| {line['job']} | {line['unit']} = {sizes} | {seconds} | {line['exponent']:.2f} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure, print and write the table."""
    words, table = sys.argv[1:], {"machine": machine(), "date": datetime.date.today().isoformat(), "rows": []}
    for module in (measures, formulas):
        for row in module.rows():
            if not words or any(word in row.job for word in words):
                table["rows"].append(measured(row))
                print(" | ".join(cells(table["rows"][-1])), flush=True)
    if words:
        return
    table["growth"] = [line for module in (measures, formulas) for line in module.growths()]
    for line in table["growth"]:
        print(f"{line['job']}: {line['unit']}^{line['exponent']:.2f}")
    DATA.parent.mkdir(exist_ok=True)
    DATA.write_text(json.dumps(table, indent=1) + "\n")
    PAGE.write_text(page(table))


if __name__ == "__main__":
    main()
