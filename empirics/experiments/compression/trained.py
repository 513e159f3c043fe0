"""Training of networks in the feature regime, all realisations at once, until their training points are fitted.

The points have invariant directions, with one random stream for each realisation: the stripe and the cylinder of
Paccolat et al. (2021), section 3 with footnote 2 and section 4 with footnote 4.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from empirics.data.invariant import CYLINDER, STRIPE, shell_labels, stripe_labels
from empirics.experiments.compression.learning_curves_config import INFORMATIVE
from empirics.measure.compression.first_layer import amplification
from empirics.training.checkpoint import Checkpoint
from empirics.training.hidden_layer import values
from empirics.training.hinge_flow import HingeFlow, extended
from empirics.training.progress import bar

if TYPE_CHECKING:
    from empirics.experiments.compression.learning_curves_config import Config

# up to this round every round is recorded, up to twice this every second one, and so on
DENSE = 400

# Random streams of a realisation; FRESH gives points that the network is not trained on.
TRAIN, TEST, FRESH, WEIGHTS = range(4)


def draw(model: str, shape: tuple[int, ...], *entropy: int) -> tuple[Tensor, Tensor]:
    """Draw Gaussian points and labels (the paper's), float64 on the CPU; ``entropy`` identifies the random stream."""
    points = torch.from_numpy(np.random.default_rng(entropy).standard_normal(shape))
    labels = (
        stripe_labels(points, STRIPE, 1)
        if model == "stripe"
        else shell_labels(points, CYLINDER, 2, -1)
    )
    return points, labels.to(points.dtype)


def wrong_share(outputs: Tensor, labels: Tensor) -> Tensor:
    """Return the fraction of points ``[N]`` whose output has the wrong sign, a float64 number on the CPU."""
    return ((outputs > 0) != (labels > 0)).double().mean().cpu()


def compressed(model: str, points: Tensor, factor: float) -> Tensor:
    r"""Return points ``[..., d]`` with uninformative directions compressed, :math:`x_\perp \to x_\perp/\Lambda`."""
    scale = torch.ones(points.shape[-1], dtype=points.dtype, device=points.device)
    scale[INFORMATIVE[model] :] = 1 / factor
    return points * scale


REACHED = 0.1  # fraction of fitted training points that defines t*


@dataclass(frozen=True)
class Trained:
    """The trained networks of all realisations: the flow at its end."""

    flow: HingeFlow
    amplification: Tensor  # of each network at t*, [seed], or at the end if t* was not reached

    @property
    def fitted(self) -> Tensor:
        """Fraction of fitted training points, ``[seed]``, on the CPU."""
        return self.flow.fitted.cpu()

    @property
    def steps(self) -> Tensor:
        """Number of accepted steps, ``[seed]``, on the CPU."""
        return self.flow.steps.cpu()

    def weights(self, realisation: int) -> tuple[Tensor, Tensor]:
        """Return the hidden and output weights of one network at the end, in float64."""
        return self.flow.hidden[realisation].double(), self.flow.output[realisation].double()

    def predictor(self, realisation: int, points: Tensor) -> Tensor:
        """Return the predictor *F* ``[N]`` of one network at points ``[N, d]``, in float64."""
        inputs, chosen = extended(points.double())[None], slice(realisation, realisation + 1)
        before, after = (
            values(inputs, hidden[chosen].double(), output[chosen].double())[0]
            for hidden, output in (self.flow.initial, (self.flow.hidden, self.flow.output))
        )
        return self.flow.alpha * (after - before)


def train(config: Config, size: int, stream: int, device: torch.device) -> Trained:
    """Train the networks of all realisations with ``size`` training points, in float32.

    Args:
        config: data and networks.
        size: number of training points.
        stream: random stream of the data.
        device: device of the training.
    """
    drawn = [
        draw(config.model, (size, config.dimension), seed, size, stream)
        for seed in config.seed_numbers
    ]
    x, y = (torch.stack(tensors).float().to(device) for tensors in zip(*drawn, strict=True))
    hidden, output = _initial(config, size, device)
    flow = HingeFlow(
        x, y, hidden, output, alpha=config.alpha, turning=config.turning, moving=config.moving
    )
    informative = range(INFORMATIVE[config.model])
    history = follow(
        flow, (REACHED, 1.0), informative=informative, rounds=config.most_steps, progress=False
    )
    at_t_star, final = (
        history.at["amplification"][0],
        amplification(flow.weights, informative).cpu(),
    )
    return Trained(flow, torch.where(at_t_star.isnan(), final, at_t_star))


def _initial(config: Config, size: int, device: torch.device) -> tuple[Tensor, Tensor]:
    """Return standard Gaussian weights ``[seed, neuron, d + 1]`` and ``[seed, neuron]``."""
    shape = (config.width, config.dimension + 2)
    weights = [
        np.random.default_rng((seed, size, WEIGHTS)).standard_normal(shape)
        for seed in config.seed_numbers
    ]
    stacked = torch.from_numpy(np.stack(weights)).float().to(device)
    return stacked[..., :-1].contiguous(), stacked[..., -1].contiguous()


@dataclass
class History:
    """The record of a flow. The realisations have different times."""

    reached: Tensor  # time of each share, [share, realisation], tau, interpolated within the step; NaN if not reached
    largest: Tensor  # largest amplification of all steps, [realisation]
    largest_time: Tensor  # its time, [realisation], tau
    # [record, realisation, ...], 0 before all steps
    curves: dict[str, list[Tensor]] = field(default_factory=dict)
    # the same and the snapshot, just after a share was reached
    at: dict[str, Tensor] = field(default_factory=dict)
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
    """Run every realisation until it has fitted the largest share, or to ``longest`` (tau), or ``rounds``; in place."""
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
    # the denominator is positive where is_new
    fraction = (levels[:, None] - fitted) / (flow.fitted - fitted)
    crossing = time + fraction.clamp(0, 1) * (flow.time - time)
    history.reached = torch.where(is_new, crossing, history.reached)
    for name, value in values.items():
        history.at[name][is_new.cpu()] = (
            value.cpu().to(torch.float64).expand(len(levels), *value.shape)[is_new.cpu()]
        )


def _state(flow: HingeFlow, history: History) -> dict[str, Any]:
    """Return what :func:`_resumed` needs to continue."""
    curves = {name: torch.stack(values) for name, values in history.curves.items()}
    return {"flow": flow.state(), **vars(history), "curves": curves}


def _resumed(flow: HingeFlow, shares: int, checkpoint: Checkpoint | None) -> History:
    """Return the history stored in the checkpoint, or an empty one."""
    state = checkpoint.load(flow.time.device) if checkpoint is not None else None
    if state is None:
        never = torch.full(
            (shares, len(flow.time)), torch.nan, dtype=torch.float64, device=flow.time.device
        )
        return History(never, torch.zeros_like(flow.time), torch.zeros_like(flow.time))
    flow.restore(state.pop("flow"))
    state["curves"] = {name: list(values.cpu()) for name, values in state["curves"].items()}
    state["at"] = {name: values.cpu() for name, values in state["at"].items()}
    return History(**state)
