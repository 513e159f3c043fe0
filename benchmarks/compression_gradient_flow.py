"""The hinge flow compared with a plain PyTorch loop with the same step control: Euler steps on autograd's gradients.

Both undo a step that turns the forces or moves the predictor too far, with the same bounds. They differ in the step (a
hyperbolic rotation of the weights under constant forces, or a straight line) and in the computation of the gradients.
The program measures the time of one accepted step, then the steps and the time to t* (10 % of the points fitted). It
runs on the CPU by default.

    python benchmarks/compression_gradient_flow.py [--width 10000] [--points 1000 4640] [--device cuda] [--to-t-star]
"""

from __future__ import annotations

import argparse
import math
import time

import torch

from empirics.experiments import compression
from empirics.experiments.compression.run import start
from empirics.training.hinge_flow import FIRST_STEP, GROWTH, SHRINKING

WARM_UP, TIMED = 2, 5


class PlainLoop:
    """The plain loop: a forward pass, ``backward``, and a step that is undone if it was too long."""

    def __init__(self, config: compression.Config) -> None:
        flow = start(config)
        self.x, self.y = flow.inputs[0], flow.labels[0]
        self.hidden, self.output = (
            weights[0].clone().requires_grad_() for weights in (flow.hidden, flow.output)
        )
        self.config, self.length, self.time, self.accepted, self.attempts = (
            config,
            FIRST_STEP,
            0.0,
            0,
            0,
        )
        with torch.no_grad():
            self.at_start = self.network()
        self.gradients, self.margins = self.evaluate()

    def network(self) -> torch.Tensor:
        """Return the values of the network on the training points, ``[point]``."""
        h = len(self.output)
        return math.sqrt(2) / h * torch.relu(self.x @ self.hidden.T) @ self.output

    def evaluate(self) -> tuple[tuple[torch.Tensor, ...], torch.Tensor]:
        """Return the gradients of the loss divided by alpha, and the margins ``[point]``."""
        margins = self.y * self.config.alpha * (self.network() - self.at_start)
        loss = torch.relu(1 - margins).mean() / self.config.alpha
        return torch.autograd.grad(loss, (self.hidden, self.output)), margins.detach()

    def step(self) -> None:
        """Attempt one step."""
        before = [parameter.detach().clone() for parameter in (self.hidden, self.output)]
        tau = len(self.output) * math.sqrt(self.config.dimension / 2)
        with torch.no_grad():
            for parameter, gradient in zip(
                (self.hidden, self.output), self.gradients, strict=True
            ):
                parameter -= self.length * tau * gradient
        gradients, margins = self.evaluate()
        old, new = self.gradients[0], gradients[0]
        turned = (
            float((old - new).square().sum() / (old.norm() * new.norm())) / self.config.turning
        )
        worst = max(turned, float((margins - self.margins).abs().max()) / self.config.moving)
        self.attempts += 1
        if worst < 1:
            self.gradients, self.margins = gradients, margins
            self.time += self.length
            self.accepted += 1
            self.length *= GROWTH if worst < 0.5 else 1
            return
        self.length *= SHRINKING
        with torch.no_grad():
            for parameter, value in zip((self.hidden, self.output), before, strict=True):
                parameter.copy_(value)


def seconds_a_step(step, synchronise) -> float:
    """Return the mean wall time of a step after warming up, in seconds."""
    for _ in range(WARM_UP):
        step()
    synchronise()
    started = time.perf_counter()
    for _ in range(TIMED):
        step()
    synchronise()
    return (time.perf_counter() - started) / TIMED


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--width", type=int, default=10_000)
    parser.add_argument("--points", type=int, nargs="+", default=[1000, 4640])
    parser.add_argument("--device", default="cpu")
    parser.add_argument(
        "--to-t-star",
        action="store_true",
        help="run both to t*; takes minutes on a CPU at full width",
    )
    given = parser.parse_args()
    synchronise = torch.cuda.synchronize if given.device.startswith("cuda") else lambda: None
    print(
        f"h = {given.width}, d = 5, float32, {given.device}, {torch.get_num_threads()} thread(s)"
    )
    print(f"{'p':>6} {'hinge flow, ms a step':>22} {'autograd loop':>14} {'ratio':>6}")
    for points in given.points:
        config = compression.Config(points=points, width=given.width, seeds=1, device=given.device)
        ours, plain = start(config), PlainLoop(config)
        pair = [1e3 * seconds_a_step(step, synchronise) for step in (ours.step, plain.step)]
        print(f"{points:>6} {pair[0]:22.1f} {pair[1]:14.1f} {pair[1] / pair[0]:6.2f}", flush=True)
        if given.to_t_star:
            ours, plain = start(config), PlainLoop(config)
            started = time.perf_counter()
            while float(ours.fitted) < 0.1:
                ours.step()
            first = time.perf_counter() - started
            while float((plain.margins > 1).double().mean()) < 0.1:
                plain.step()
            second = time.perf_counter() - started - first
            counts = f"{int(ours.steps)} steps of {ours.attempts}, {first:.1f} s, t* = {float(ours.time):.3f}"
            print(f"       to t*: hinge flow {counts}; autograd {plain.accepted} steps of {plain.attempts}, "
                  f"{second:.1f} s, t* = {plain.time:.3f}", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
