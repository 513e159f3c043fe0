"""A hinge flow followed until given shares of the training points are fitted, with what it passed on its way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from empirics.measure.global_amplification import amplification
from empirics.training.checkpoint import Checkpoint
from empirics.training.hinge_flow import HingeFlow
from empirics.training.progress import bar

DENSE = 400  # rounds that are all recorded; later ones ever more sparsely, in proportion to their number


@dataclass
class History:
    """What :func:`follow` returns; the last axis of a curve's entry is not time, each realisation has its own clock.

    Attributes:
        curves: name to ``[record, realisation]``: time (tau), share fitted, loss, amplification, and what ``observe``
            and ``watch`` gave (``[record, realisation, ...]``). Record 0 is before the first step.
        reached: ``[share, realisation]``, time at which the share was reached, by linear interpolation within the
            step; NaN where it never was.
        at: name to ``[share, realisation, ...]``: the same as ``curves``, and the snapshots, just after it was
            reached; NaN where it never was.
        largest: ``[realisation]``, largest amplification of all steps, and
        largest_time: when that was, tau.
        rounds: of attempted steps.
    """

    reached: Tensor
    largest: Tensor
    largest_time: Tensor
    curves: dict[str, list[Tensor]] = field(default_factory=dict)
    at: dict[str, Tensor] = field(default_factory=dict)
    rounds: int = 0


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
    """Let every realisation run until it has fitted the largest share.

    Args:
        flow: at its start; advanced in place.
        shares: of the training points, increasing, in (0, 1].
        informative: directions that the amplification is of.
        watch: measured at every record, name to ``[realisation, ...]``.
        snapshot: measured when a share is reached, name to ``[realisation, ...]``.
        longest: time after which a realisation stops anyway, tau.
        rounds: of steps after which all stop anyway.
        checkpoint: where to keep the state; a state found there is continued.
        progress: whether to show a bar on stderr when the run takes more than two seconds.
        label: text before the bar.
    """
    wanted = torch.tensor(tuple(shares), dtype=torch.float64, device=flow.time.device)
    history = _resumed(flow, len(wanted), checkpoint)

    def measured() -> dict[str, Tensor]:
        own = {"time": flow.time, "fitted": flow.fitted, "loss": flow.mean_loss}
        return own | {"amplification": amplification(flow.weights, informative)} | watch()

    if not history.curves:
        first = measured()
        history.curves = {name: [value.clone().cpu()] for name, value in first.items()}
        history.at = {name: _never(len(wanted), value) for name, value in (first | snapshot()).items()}
        history.largest = amplification(flow.weights, informative).clone()
    with bar(label, 100, "% fitted", progress=progress) as shown:
        while history.rounds < rounds:
            active = history.reached[-1].isnan() & (flow.time < longest)
            if not active.any():
                break
            before = flow.time.clone(), flow.fitted
            accepted = flow.step(active)
            history.rounds += 1
            _note_largest(history, flow, informative)
            new = (flow.fitted >= wanted[:, None]) & history.reached.isnan() & accepted
            if history.rounds % (1 + history.rounds // DENSE) == 0 or new.any():
                now = measured()
                for name, value in now.items():
                    history.curves[name].append(value.clone().cpu())
                if new.any():
                    _note_reached(history, flow, wanted, before, new, now | snapshot())
                shown.update(min(100, round(100 * float(flow.fitted.mean() / wanted[-1]))) - shown.n)
            if checkpoint is not None and checkpoint.due():
                checkpoint.save(_state(flow, history))
    return history


def _never(shares: int, value: Tensor) -> Tensor:
    return torch.full((shares, *value.shape), torch.nan, dtype=torch.float64)


def _note_largest(history: History, flow: HingeFlow, informative: Sequence[int]) -> None:
    now = amplification(flow.weights, informative)
    larger = now > history.largest
    history.largest = torch.where(larger, now, history.largest)
    history.largest_time = torch.where(larger, flow.time, history.largest_time)


def _note_reached(
    history: History,
    flow: HingeFlow,
    wanted: Tensor,
    before: tuple[Tensor, Tensor],
    new: Tensor,
    now: dict[str, Tensor],
) -> None:
    time, fitted = before
    part = (wanted[:, None] - fitted) / (flow.fitted - fitted)  # a share is reached by points that were not fitted
    between = time + part.clamp(0, 1) * (flow.time - time)
    history.reached = torch.where(new, between, history.reached)
    for name, value in now.items():
        history.at[name][new.cpu()] = value.cpu().to(torch.float64).expand(len(wanted), *value.shape)[new.cpu()]


def _state(flow: HingeFlow, history: History) -> dict[str, Any]:
    curves = {name: torch.stack(values) for name, values in history.curves.items()}
    return {"flow": flow.state(), **vars(history), "curves": curves}


def _resumed(flow: HingeFlow, shares: int, checkpoint: Checkpoint | None) -> History:
    state = checkpoint.load(flow.time.device) if checkpoint is not None else None
    if state is None:
        never = torch.full((shares, len(flow.time)), torch.nan, dtype=torch.float64, device=flow.time.device)
        return History(never, torch.zeros_like(flow.time), torch.zeros_like(flow.time))
    flow.restore(state.pop("flow"))
    state["curves"] = {name: list(values.cpu()) for name, values in state["curves"].items()}
    state["at"] = {name: values.cpu() for name, values in state["at"].items()}
    return History(**state)
