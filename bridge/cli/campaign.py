"""The command that runs as many studies as fit into a time budget: campaign."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path

from closedform.missing import ANALYSIS, TRAINING, require

LARGEST = 16 * 2**20  # bytes


def run_campaign(arguments: argparse.Namespace) -> int:
    """Run studies, the most valuable first, and print how far each has come; 1 if one could not be run or analysed."""
    require("campaign", *TRAINING, *ANALYSIS)
    from bridge.campaign import driver, plan

    directory = Path(arguments.out)
    if arguments.dry_run:
        driver.seconds(arguments.budget)
        lines = plan.plan(directory, arguments.scale, arguments.device, arguments.studies)
        print(plan.described(arguments.device), *lines, sep="\n")
        return 0
    studies = driver.run(
        directory,
        arguments.scale,
        driver.seconds(arguments.budget),
        arguments.device,
        arguments.studies,
        say=lambda line: print(line, file=sys.stderr, flush=True),
    )
    for progress in studies:
        done = f"{len(progress.finished)} of {len(progress.configs)}"
        print(f"{progress.study:<32}{done:>10}  {progress.problem}".rstrip())
    for path in sorted(directory.rglob("*")):
        if path.is_file() and path.stat().st_size > LARGEST:
            print(f"larger than 16 MiB: {path}")
    if any(progress.is_open for progress in studies):
        print("unfinished; the same command continues")
    print(f"next: closedform report {shlex.quote(str(directory))}, closedform record {shlex.quote(str(directory))}")
    return 1 if any(progress.problem for progress in studies) else 0
