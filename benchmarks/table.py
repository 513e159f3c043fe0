"""All rows side by side: this package, what one would use instead, the ratio, and the ratio that we want.

The table is written to ``docs/_data/benchmarks.json`` and, for reading, to ``docs/benchmarks.md`` with a chart; a row
that is behind its goal says so, and one that fails says why. Everything runs with one thread; run it on a machine that
does nothing else. The exit status is 1 if a row failed.

    python benchmarks/table.py --beside      # keeps the runs that the table has, and shows them beside this one
    python benchmarks/table.py [WORD ...]    # only the rows whose job contains one of the words; writes nothing
    python benchmarks/table.py --without-numba [WORD ...]    # shows these rows without the extra beside the table
"""

from __future__ import annotations

import datetime
import importlib.metadata
import json
import os
import platform
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

# One thread, also of the processes that are started. A library reads these when it is first imported.
os.environ.update(
    dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
)
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"

if "--without-numba" in sys.argv:
    sys.modules["numba"] = None  # type: ignore[assignment]

import chart
import closed_forms
import commands
import formulas
import measures
import torch
import training
from growing import growths
from page import CHART, DATA, PAGE, cells, page

PACKAGES = ("closedform", "numpy", "scipy", "sympy", "torch", "jax", "lmfit", "numba")
MODULES = (commands, closed_forms, formulas, measures, training)


def machine() -> dict[str, str]:
    """Return what the times depend on: processor, load, threads, Python and packages."""
    cpu = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [
            line.split(":")[1].strip()
            for line in info.read_text(encoding="utf-8").splitlines()
            if line.startswith("model name")
        ]
        cpu = names[0] if names else cpu
    versions = {}
    for name in PACKAGES:
        try:
            versions[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            versions[name] = "not installed"
    if sys.modules.get("numba", machine) is None:
        versions["numba"] = "left out"
    vectors = torch.backends.cpu.get_cpu_capability()
    load = f"{os.getloadavg()[1]:.1f}"
    return {"processor": cpu, "vectors": vectors, "cores": str(os.cpu_count()), "load before": load,
            "threads": str(torch.get_num_threads()), "Python": platform.python_version(), **versions}  # fmt: skip


def measured(group: Callable, words: list[str]) -> Iterator[dict]:
    """Yield the measured rows of a group; a row that fails, or the making of one, is a row with the reason."""
    rows = iter(group())
    while True:
        try:
            row = next(rows, None)
        except Exception as error:
            yield {
                "job": f"the next row of {group.__module__}",
                "failed": f"{type(error).__name__}: {error}",
            }
            return
        if row is None:
            return
        if words and not any(word in row.job for word in words):
            continue
        try:
            yield row.measured()
        except Exception as error:
            yield {"job": row.job, "failed": f"{type(error).__name__}: {error}"}


def beside(table: dict) -> list[dict]:
    """Return the runs of a table, each with its machine, its date, and our time and the ratio of each job."""
    jobs = {
        row["job"]: [row["minimum"]["ours"], row["ratio"]]
        for row in table["rows"]
        if "failed" not in row
    }
    return [
        *table.get("beside", []),
        {"machine": table["machine"], "date": table["date"], "jobs": jobs},
    ]


def main() -> int:
    """Measure, print and write the table; return 1 if a row failed."""
    words = [word for word in sys.argv[1:] if word not in ("--beside", "--without-numba")]
    table = {"machine": machine(), "date": datetime.date.today().isoformat(), "rows": []}
    table["beside"] = beside(json.loads(DATA.read_text())) if "--beside" in sys.argv else []
    for group in (group for module in MODULES for group in module.GROUPS):
        for row in measured(group, words):
            table["rows"].append(row)
            print(" | ".join(cells(row)), flush=True)
    failed = sum("failed" in row for row in table["rows"])
    if "--without-numba" in sys.argv:
        whole = json.loads(DATA.read_text())
        whole["beside"] += beside(table | {"beside": []})
        write(whole)
    elif not words:
        table["growth"] = list(growths())
        write(table)
    return 1 if failed else 0


def write(table: dict) -> None:
    """Write a table, its page and its chart."""
    DATA.parent.mkdir(exist_ok=True)
    DATA.write_text(json.dumps(table, indent=1) + "\n")
    PAGE.write_text(page(table))
    chart.write(table["rows"], CHART)


if __name__ == "__main__":
    sys.exit(main())
