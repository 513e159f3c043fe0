"""A hinge flow run until given fractions of the training points are fitted, with a record of its course."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from empirics.measure.compression.first_layer import amplification
from empirics.training.checkpoint import Checkpoint
from empirics.training.hinge_flow import HingeFlow
from empirics.training.progress import bar

DENSE = 400  # up to this round every round is recorded, up to twice this every second one, and so on


@dataclass
class History:
    """The record of a flow. The realisations have different times."""

    reached: Tensor  # time of each share, [share, realisation], tau, interpolated within the step; NaN if not reached
    largest: Tensor  # largest amplification of all steps, [realisation]
    largest_time: Tensor  # its time, [realisation], tau
    curves: dict[str, list[Tensor]] = field(default_factory=dict)  # [record, realisation, ...], 0 before all steps
    at: dict[str, Tensor] = field(default_factory=dict)  # the same and the snapshot, just after a share was reached
    rounds: int = 0  # in each of which every active realisation attempts a step


def follow(
    flow: HingeFlow,
    shares: Sequence[float],
    *,
    informative: Sequence[int] = (0,),
    watch: Callable[[], dict[str, Tensor]] = dict,
    snapshot: Callable[[], dict[str, Tensor]] = dict,
    longest: float = float("inf"),
    rounds: int = 100_000,
    checkpoint: Checkpoint | None = None,
    progress: bool = True,
    label: str = "gradient flow",
) -> History:
    """Run every realisation until it has fitted the largest share; the flow is advanced in place.

    ``watch`` gives further curves and ``snapshot`` measurements when a share is reached, both ``{name: [realisation,
    ...]}``. A realisation stops in any case at the time ``longest`` (tau), and all after ``rounds`` rounds.
    """
    levels = torch.tensor(tuple(shares), dtype=torch.float64, device=flow.time.device)
    history = _resumed(flow, len(levels), checkpoint)

    def measured() -> dict[str, Tensor]:
        values = {"time": flow.time, "fitted": flow.fitted, "loss": flow.mean_loss}
        return values | {"amplification": amplification(flow.weights, informative)} | watch()

    if not history.curves:
        initial = measured()
        history.curves = {name: [value.clone().cpu()] for name, value in initial.items()}
        history.at = {
            name: torch.full((len(levels), *value.shape), torch.nan, dtype=torch.float64)
            for name, value in (initial | snapshot()).items()
        }
        history.largest = amplification(flow.weights, informative).clone()
    with bar(label, 100, "% fitted", progress=progress) as progress_bar:
        while history.rounds < rounds:
            active = history.reached[-1].isnan() & (flow.time < longest)
            if not active.any():
                break
            before = flow.time.clone(), flow.fitted
            accepted = flow.step(active)
            history.rounds += 1
            _note_largest(history, flow, informative)
            is_new = (flow.fitted >= levels[:, None]) & history.reached.isnan() & accepted
            if history.rounds % (1 + history.rounds // DENSE) == 0 or is_new.any():
                values = measured()
                for name, value in values.items():
                    history.curves[name].append(value.clone().cpu())
                if is_new.any():
                    _note_reached(history, flow, levels, before, is_new, values | snapshot())
                share = min(100, round(100 * float(flow.fitted.mean() / levels[-1])))
                progress_bar.update(max(share - progress_bar.n, 0))  # the share may fall
            if checkpoint is not None and checkpoint.due():
                checkpoint.save(_state(flow, history))
    return history


def _note_largest(history: History, flow: HingeFlow, informative: Sequence[int]) -> None:
    """Update the largest amplification and its time."""
    current = amplification(flow.weights, informative)
    is_larger = current > history.largest
    history.largest = torch.where(is_larger, current, history.largest)
    history.largest_time = torch.where(is_larger, flow.time, history.largest_time)


def _note_reached(
    history: History,
    flow: HingeFlow,
    levels: Tensor,
    before: tuple[Tensor, Tensor],
    is_new: Tensor,
    values: dict[str, Tensor],
) -> None:
    """Store times and values of the realisations that have just reached a share."""
    time, fitted = before
    fraction = (levels[:, None] - fitted) / (flow.fitted - fitted)  # the denominator is positive where is_new
    crossing = time + fraction.clamp(0, 1) * (flow.time - time)
    history.reached = torch.where(is_new, crossing, history.reached)
    for name, value in values.items():
        history.at[name][is_new.cpu()] = value.cpu().to(torch.float64).expand(len(levels), *value.shape)[is_new.cpu()]


def _state(flow: HingeFlow, history: History) -> dict[str, Any]:
    """Return what :func:`_resumed` needs to continue."""
    curves = {name: torch.stack(values) for name, values in history.curves.items()}
    return {"flow": flow.state(), **vars(history), "curves": curves}


def _resumed(flow: HingeFlow, shares: int, checkpoint: Checkpoint | None) -> History:
    """Return the history stored in the checkpoint, or an empty one."""
    state = checkpoint.load(flow.time.device) if checkpoint is not None else None
    if state is None:
        never = torch.full((shares, len(flow.time)), torch.nan, dtype=torch.float64, device=flow.time.device)
        return History(never, torch.zeros_like(flow.time), torch.zeros_like(flow.time))
    flow.restore(state.pop("flow"))
    state["curves"] = {name: list(values.cpu()) for name, values in state["curves"].items()}
    state["at"] = {name: values.cpu() for name, values in state["at"].items()}
    return History(**state)
