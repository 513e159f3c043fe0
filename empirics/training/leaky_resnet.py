"""Full-batch training of Leaky ResNets, all networks at once: Adam, then L-BFGS (plain, smoothed) or SGD.

From small initial weights the leak makes the representation decay before anything is learned, and zero weights are a
local minimum. The regulariser therefore starts at a fraction of λ and grows geometrically to λ during the first part of
Adam, whose learning rate falls along a cosine. The adaptive mesh changes during Adam only.

The cost of a ReLU network has kinks, and minima lie on some of them (representations that are exactly zero, see
``at_kink``). There the one-sided gradient does not vanish, however long the training, and the residual stays finite.
:class:`empirics.training.leaky_smoothing.SmoothedLBFGS` finds such minima as the limit of those without kinks.
"""

import math
from typing import Any

import numpy as np
import torch
from torch import Tensor

from empirics.networks import leaky_resnet
from empirics.training.checkpoint import Checkpoint
from empirics.training.lbfgs import BatchedLBFGS
from empirics.training.leaky_objective import Objective
from empirics.training.leaky_schedule import LeakySchedule, LeakyTraining
from empirics.training.leaky_smoothing import SmoothedLBFGS
from empirics.training.loop import DivergedError
from empirics.training.progress import bar

LAST_RATE = 0.01  # fraction of Adam's learning rate that is left at its end
MOMENTUM = 0.9  # of SGD
KINK = 1e-5  # entries below this fraction of the root mean square of a layer's representations count as on the kink

__all__ = ["LeakySchedule", "LeakyTraining", "train_leaky"]


def train_leaky(
    objective: Objective,
    schedule: LeakySchedule | None = None,
    *,
    checkpoint: Checkpoint | None = None,
    stop_on_divergence: bool = True,
    progress: bool = True,
    label: str = "training",
) -> LeakyTraining:
    """Train every network of a batch, reproducibly on one CPU; the objective's ``decay`` and mesh change."""
    settings = schedule or LeakySchedule()
    run = _Run(objective, settings, stop_on_divergence)
    stored = None if checkpoint is None else checkpoint.load(objective.nets.weights.device)
    if stored is not None:
        run.load_state(stored)
    total = settings.adam + settings.polishing
    with bar(label, total, "step", progress=progress, initial=run.step) as progress_bar:
        while run.step < total and not run.done:
            # not again after a restart
            if run.step % settings.record_every == 0 and run.step not in run.steps[-1:]:
                run.record()
                progress_bar.update(run.step - progress_bar.n)
                if checkpoint is not None and run.step and checkpoint.due():
                    checkpoint.save(run.state())
            run.advance()
    return run.finish()


class _Run:
    """The state of one training run, and its steps."""

    def __init__(
        self, objective: Objective, plan: LeakySchedule, stop_on_divergence: bool
    ) -> None:
        self.objective, self.plan, self.stop = objective, plan, stop_on_divergence
        self.step = 0
        self.decay = objective.decay
        self.flat = objective.flat()
        self.adam = torch.optim.Adam([self.flat], lr=plan.rate)
        self.polish: BatchedLBFGS | SmoothedLBFGS | torch.optim.SGD | None = None
        self.records: list[Tensor] = []
        self.steps: list[int] = []

    @property
    def done(self) -> bool:
        """Whether all stages of smoothing have ended before their steps were used up."""
        return isinstance(self.polish, SmoothedLBFGS) and self.polish.done

    def advance(self) -> None:
        """Make one step of the optimiser that is due."""
        plan = self.plan
        if self.step < plan.adam:
            fraction = self.step / plan.adam
            warmed = fraction / plan.warm_up if plan.warm_up > 0 else 1.0
            self.objective.decay = self.decay * plan.warm_from ** max(0.0, 1 - warmed)
            if plan.mesh_every and self.step and self.step % plan.mesh_every == 0:
                self._adapt()
            self._descend(self.adam, plan.rate, fraction)
        else:
            if self.polish is None:
                self._begin_polishing()
            if isinstance(self.polish, BatchedLBFGS | SmoothedLBFGS):
                if not self.polish.done:
                    self.polish.step()
                    self.flat = self.polish.parameters
            elif self.polish is not None:
                self._descend(self.polish, plan.sgd_rate, (self.step - plan.adam) / plan.polishing)
        self.step += 1

    def _descend(self, optimiser: torch.optim.Optimizer, rate: float, fraction: float) -> None:
        """Make one step with the learning rate on its cosine, after the given fraction of this optimiser's steps."""
        optimiser.param_groups[0]["lr"] = rate * (
            LAST_RATE + (1 - LAST_RATE) * (1 + math.cos(math.pi * fraction)) / 2
        )
        _, self.flat.grad = self.objective(self.flat)
        optimiser.step()

    def _begin_polishing(self) -> None:
        """Set up the second optimiser at the full λ."""
        self.objective.decay = self.decay
        if self.plan.polish == "lbfgs":
            self.polish = BatchedLBFGS(self.objective, self.flat.detach())
        elif self.plan.polish in ("smoothed", "gauss_newton", "newton"):
            self.polish = SmoothedLBFGS(
                self.objective, self.flat.detach(), self.plan.polishing,
                curvature=self.plan.polish == "gauss_newton", newton=self.plan.polish == "newton",
            )  # fmt: skip
        else:
            self.polish = torch.optim.SGD([self.flat], lr=self.plan.sgd_rate, momentum=MOMENTUM)

    def _adapt(self) -> None:
        """Move the mesh of every network whose representations are finite."""
        nets = self.objective.nets_at(self.flat)
        path = torch.stack(self.objective.propagate(nets).path, 1)
        is_finite = torch.isfinite(path).flatten(1).all(1)
        rho = nets.rho.clone()
        rho[is_finite] = leaky_resnet.adapted(
            rho[is_finite], path[is_finite], self.plan.relaxation
        )
        self.objective.nets.rho = rho

    def record(self) -> None:
        """Record cost, penalty and residual at the full λ, whatever λ this step trains with."""
        current_decay, self.objective.decay = self.objective.decay, self.decay
        nets = self.objective.nets_at(self.flat)
        result = self.objective.propagate(nets)
        values = (
            torch.stack([result.cost, result.penalty, self.objective.residual(result, nets)])
            .double()
            .cpu()
        )
        self.objective.decay = current_decay
        diverged = torch.nonzero(~torch.isfinite(values).all(0)).flatten().tolist()
        if diverged and self.stop:
            raise DivergedError(dict.fromkeys(diverged, self.step))
        self.records.append(values)
        self.steps.append(self.step)

    def finish(self) -> LeakyTraining:
        """Return the trained networks and all records, with one of the last step."""
        self.objective.decay = self.decay
        self.record()
        nets = self.objective.nets_at(self.flat.detach().clone())
        path = torch.stack(self.objective.propagate(nets).path[:-1], 1)
        scale = path.square().mean((2, 3), keepdim=True).sqrt()
        kink = (path.abs() <= KINK * scale).double().mean((1, 2, 3))
        cost, penalty, residual = torch.stack(self.records, 1).numpy()
        training = LeakyTraining(
            nets, np.asarray(self.steps), cost, penalty, residual, kink.cpu().numpy()
        )
        if isinstance(self.polish, SmoothedLBFGS):
            training.smoothed_residual = self.polish.residual.double().cpu().numpy()
            training.smoothing = self.polish.widths
        return training

    def state(self) -> dict[str, Any]:
        polish, polish_state = self.polish, None
        if isinstance(polish, BatchedLBFGS | SmoothedLBFGS):
            polish_state = polish.state()
        elif polish is not None:
            polish_state = polish.state_dict()
        return {"step": self.step, "flat": self.flat.detach(), "rho": self.objective.nets.rho, "steps": self.steps,
                "records": self.records, "adam": self.adam.state_dict(), "polish": polish_state}  # fmt: skip

    def load_state(self, state: dict[str, Any]) -> None:
        self.step, self.steps = state["step"], list(state["steps"])
        self.records = [values.cpu() for values in state["records"]]
        self.objective.nets.rho = state["rho"]
        self.flat.copy_(state["flat"])
        self.adam.load_state_dict(state["adam"])
        if state["polish"] is not None:
            self._begin_polishing()
            if isinstance(self.polish, BatchedLBFGS | SmoothedLBFGS):
                self.polish.load_state(state["polish"])
                self.flat = self.polish.parameters
            elif self.polish is not None:
                self.polish.load_state_dict(state["polish"])
