"""The command that runs as many studies as a time budget allows: campaign."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bridge.cli.command import FILE, OUT, RUNS_ARE_KEPT, SCALES, command
from closedform.missing import ANALYSIS, TRAINING, require

if TYPE_CHECKING:
    from empirics.runs.study import Scale


@command("campaign", how_to_go_on=RUNS_ARE_KEPT)
@click.argument("studies", metavar="[STUDY]...", nargs=-1)
@click.option(
    "--scale",
    type=click.Choice(SCALES),
    default="paper",
    help="Size of the studies (default: paper).",
)
@click.option(
    "--budget", metavar="TIME", default="25m", help="Such as 25m, 90s, 1.5h (default: 25m)."
)
@click.option(
    "--device",
    help="Torch device of all runs, such as cuda (default: that of the configurations).",
)
@click.option(
    "--out",
    type=FILE,
    metavar="DIR",
    default=OUT,
    help=f"Folder of the traces (default: ./{OUT}).",
)
@click.option("--dry-run", is_flag=True, help="List the studies in their order, and run nothing.")
def run_campaign(
    studies: tuple[str, ...],
    scale: Scale,
    budget: str,
    device: str | None,
    out: str,
    dry_run: bool,
) -> int:
    """Run as many studies as a time budget allows.

    The most valuable come first; only each STUDY, if one is given. How far each has come is printed; the exit code is 1
    if one could not be run or analysed.
    """
    chosen = list(studies)
    require("campaign", *TRAINING, *ANALYSIS)
    from bridge.campaign import driver

    directory, seconds = Path(out), driver.seconds(budget)
    if dry_run:
        print(described(device))
        for progress in driver.plan(directory, scale, device, chosen):
            print(f"{progress}  {_times(progress.study)}")
        return 0
    reached = driver.run(
        directory,
        scale,
        seconds,
        device,
        chosen,
        say=lambda line: print(line, file=sys.stderr, flush=True),
    )
    print(*reached, sep="\n")
    if any(progress.is_open for progress in reached):
        print("unfinished; the same command continues")
    print(
        f"next: closedform report {shlex.quote(str(directory))}, closedform record {shlex.quote(str(directory))}"
    )
    return 1 if any(progress.problem for progress in reached) else 0


def _times(study: str) -> str:
    """Return the recorded times of the configurations that a study has today, with scales and devices."""
    from bridge.results import record

    results = record.current(study).items()
    return (
        "; ".join(
            f"{result.seconds:.0f} s at {scale} ({result.device})" for scale, result in results
        )
        or "no recorded time"
    )


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
