"""What a campaign would do: its studies in their order, what is finished, and what is known of the time they take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bridge.campaign import driver
from bridge.results import folder, record
from closedform import checks
from empirics.experiments import STUDIES
from empirics.runs.study import SCALES, Scale
from empirics.sweep import store


@dataclass(frozen=True)
class Planned:
    """One study of a campaign.

    Attributes:
        study: its name.
        finished: number of configurations that have traces.
        configurations: number of all configurations.
        times: recorded times, ``{scale: (seconds, device)}``, of the configurations of today.
    """

    study: str
    finished: int
    configurations: int
    times: dict[str, tuple[float, str]]

    def __str__(self) -> str:
        times = (f"{seconds:.0f} s at {scale} ({device})" for scale, (seconds, device) in self.times.items())
        done = f"{self.finished} of {self.configurations}"
        return f"{self.study:<32}{done:>10}  {'; '.join(times) or 'no recorded time'}"


def plan(directory: Path, scale: Scale, device: str | None = None, names: Sequence[str] = ()) -> list[Planned]:
    """Return the studies of a campaign in their order; nothing is run or written.

    Args:
        directory: folder of the traces; it need not exist.
        scale: scale of the studies.
        device: torch device of all runs; None (default) takes that of the configurations.
        names: the studies; none (default) means all.

    Raises:
        ValueError: if the scale or a study is unknown.
    """
    checks.one_of("scale", scale, SCALES)
    return [_planned(directory, name, scale, device) for name in driver.order(scale, names)]


def _planned(directory: Path, name: str, scale: Scale, device: str | None) -> Planned:
    configs, _ = driver.on_device(STUDIES[name].configs(scale), device)
    finished = sum(store.path_of(config, directory / folder.TRACES).is_file() for config in configs.values())
    results = {at: result for at, result in record.load(name).items() if result.is_current}
    return Planned(name, finished, len(configs), {at: (one.seconds, one.device) for at, one in results.items()})


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
