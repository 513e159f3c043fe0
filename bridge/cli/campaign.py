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
    from bridge.campaign import driver

    directory, seconds = Path(arguments.out), driver.seconds(arguments.budget)
    if arguments.dry_run:
        print(described(arguments.device))
        for progress in driver.plan(directory, arguments.scale, arguments.device, arguments.studies):
            print(f"{progress}  {_times(progress.study)}")
        return 0
    studies = driver.run(
        directory,
        arguments.scale,
        seconds,
        arguments.device,
        arguments.studies,
        say=lambda line: print(line, file=sys.stderr, flush=True),
    )
    print(*studies, sep="\n")
    for path in sorted(directory.rglob("*")):
        if path.is_file() and path.stat().st_size > LARGEST:
            print(f"larger than 16 MiB: {path}")
    if any(progress.is_open for progress in studies):
        print("unfinished; the same command continues")
    print(f"next: closedform report {shlex.quote(str(directory))}, closedform record {shlex.quote(str(directory))}")
    return 1 if any(progress.problem for progress in studies) else 0


def _times(study: str) -> str:
    """Return the recorded times of the configurations that a study has today, with scales and devices."""
    from bridge.results import record

    results = record.current(study).items()
    return "; ".join(f"{one.seconds:.0f} s at {scale} ({one.device})" for scale, one in results) or "no recorded time"


def described(device: str | None) -> str:
    """Return a sentence about the device of a campaign: its name and free memory, or that it is not here."""
    import torch

    from empirics.runs.device import find

    if device is None:
        return "device: as in the configurations"
    try:
        place = find(device)
    except ValueError as problem:
        return str(problem)
    if place.type != "cuda":
        return f"device: {device}"
    free, total = torch.cuda.mem_get_info(place)
    return f"device: {torch.cuda.get_device_name(place)}, {free / 2**30:.1f} of {total / 2**30:.1f} GiB free"
