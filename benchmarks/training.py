"""Rows of the table for training: several small networks as one batch, the hinge flow, and sweeps of tiny runs."""

from __future__ import annotations

import copy
import itertools
import math
import tempfile
from collections.abc import Iterator

import torch
from compression_gradient_flow import PlainLoop
from side_by_side import Row
from torch import nn
from torch.func import functional_call, grad, jacrev, stack_module_state, vmap

import bridge
import empirics
from empirics.experiments import compression, two_point
from empirics.experiments.compression.run import start
from empirics.networks.resnet import resnet
from empirics.sweep import run_all
from empirics.training import train
from papers.vanrossem2024.studies.fitted import fit_each
from papers.vanrossem2024.studies.predictions import final_distances, scored

SEEDS, EPOCHS = 5, {(10, 100): 50, (20, 500): 3}  # (hidden layers, width): epochs
RATE = 0.05
# images, those measured, steps, steps between
WATCHED, WATCHED_POINTS, WATCHED_STEPS, EVERY = (200, 16, 100, 10)
BUDGET = 10.0
TINY, TINY_EPOCHS = 20, 5  # configurations of a sweep
REPORTED = 20  # traces of a report
FLOW_POINTS, FLOW_WIDTH, FLOW_STEPS = 1000, 1000, 4
# points and neurons; preactivations that fit into the second cache
PAPER_SIZE, IN_BLOCK = ((4640, 10_000), 52)


def network(depth: int, width: int) -> nn.Sequential:
    """Return a fully connected network with leaky ReLUs."""
    sizes = [1, *[width] * depth]
    layers = [
        layer for a, b in itertools.pairwise(sizes) for layer in (nn.Linear(a, b), nn.LeakyReLU())
    ]
    return nn.Sequential(*layers, nn.Linear(width, 1))


def one_by_one(depth: int, width: int, epochs: int):
    """Return a call that trains the networks one after another by autograd and torch.optim.SGD, and records nothing."""
    nets = [network(depth, width) for _ in range(SEEDS)]
    x, y = torch.tensor([[0.0], [1.0]]), torch.tensor([[0.0], [0.7]])

    def call() -> None:
        for net in nets:
            optimiser = torch.optim.SGD(net.parameters(), RATE)
            for _ in range(epochs):
                optimiser.zero_grad()
                ((net(x) - y).square().sum() / 4).backward()
                optimiser.step()

    return call


def ensemble(depth: int, width: int, epochs: int):
    """Return a call that trains the networks together by torch.func, vmap of grad, and records nothing."""
    net = network(depth, width)
    x, y = torch.tensor([[0.0], [1.0]]), torch.tensor([[0.0], [0.7]])
    gradient = vmap(grad(lambda p: (functional_call(net, p, (x,)) - y).square().sum() / 4))
    parameters, _ = stack_module_state([network(depth, width) for _ in range(SEEDS)])
    parameters = {name: values.detach() for name, values in parameters.items()}

    def call() -> None:
        for _ in range(epochs):
            for name, values in gradient(parameters).items():
                parameters[name] -= RATE * values

    return call


def training_rows() -> Iterator[Row]:
    """Yield the training of five seeds, in float32, with our recording of the distances in every epoch."""
    for (depth, width), epochs in EPOCHS.items():
        config = two_point.Config(depth=depth, width=width, epochs=epochs, seeds=SEEDS)
        trainer = two_point.trainer(config)

        def ours(trainer=trainer, epochs=epochs, layers=config.layers) -> None:
            train(trainer, epochs, layers, progress=False)

        yield Row(
            f"{SEEDS} networks of {depth} layers of {width} units, {epochs} epochs, float32",
            ours,
            {
                "torch.optim, one by one": one_by_one(depth, width, epochs),
                "torch.func, vmap of grad": ensemble(depth, width, epochs),
            },
            goal=1,
        )


def evaluation_row() -> Row:
    """Return one evaluation of margins and forces at the size of the paper, and products of matrices in blocks."""
    points, width = PAPER_SIZE
    flow = start(compression.Config(points=points, width=width, seeds=1))
    x, y, weights, output = (
        flow.inputs[0],
        flow.labels[0],
        flow.hidden[0].T.contiguous(),
        flow.output[0],
    )

    def by_hand() -> torch.Tensor:
        forces, before = torch.zeros_like(weights), flow.initial_values[0]
        for first in range(0, points, IN_BLOCK):
            part = slice(first, first + IN_BLOCK)
            active = (x[part] @ weights).clamp_min_(0)
            margins = (
                y[part] * flow.alpha * (math.sqrt(2) / width * (active @ output) - before[part])
            )
            pulls = (y[part] * (margins < 1) / points)[:, None] * x[part]
            forces += pulls.T @ active.sign_()
        return forces

    row = torch.arange(1)
    return Row(
        f"hinge flow, one evaluation, {points} points, width {width}, float32",
        lambda: flow._evaluate(row, flow.hidden, flow.output)[1][0].T,
        {"torch, in blocks": by_hand},
        limit=0.015,
        tolerance=1e-5,
    )


def flow_row() -> Row:
    """Return steps of the hinge flow, which costs the same at every step, and the loop with autograd."""
    config = compression.Config(points=FLOW_POINTS, width=FLOW_WIDTH, seeds=1)
    flow, plain = start(config), PlainLoop(config)

    def often(step):
        def call() -> None:
            for _ in range(FLOW_STEPS):
                step()

        return call

    return Row(
        f"hinge flow, {FLOW_STEPS} steps, {FLOW_POINTS} points, width {FLOW_WIDTH}, float32",
        often(flow.step),
        {"autograd loop": often(plain.step)},
        goal=1,
    )


def sweep_rows() -> Iterator[Row]:
    """Yield sweeps of tiny configurations: each run and stored, and each found and read."""
    configs = {
        f"width {2 + n}": two_point.Config(depth=1, width=2 + n, epochs=TINY_EPOCHS, seeds=1)
        for n in range(TINY)
    }

    def fresh() -> None:
        with tempfile.TemporaryDirectory() as folder:
            run_all(configs, folder, progress=False)

    with tempfile.TemporaryDirectory() as folder:

        def again() -> None:
            run_all(configs, folder, progress=False)

        again()
        yield Row(
            f"sweep of {TINY} tiny configurations, each run and stored", fresh, limit=0.020 * TINY
        )
        yield Row(f"sweep of {TINY} tiny configurations, all stored", again, limit=0.008 * TINY)


def report_rows() -> Iterator[Row]:
    """Yield the fits of a report on two-point traces: each network whole, half way, and forecast from there."""
    config = two_point.Config(depth=4, width=40, layers=(2,), epochs=800, seeds=2)
    traces = {
        f"run {n}": two_point.run(config.changed(first_seed=2 * n), progress=False)
        for n in range(REPORTED)
    }

    def numbers() -> None:
        fitted = fit_each(traces)
        final_distances(fitted)
        scored(fitted)

    yield Row(
        f"report on {REPORTED} traces of two networks, without reading and pictures",
        numbers,
        limit=0.060 * REPORTED,
        note="Eight searches, four of them with errors, a trace; those of all traces are one, with the same bits. "
        "The whole report on 1000 such traces took 52 processor seconds, with a job on the other core.",
    )


def watch_row() -> Row:
    """Return a training whose tangent kernel is measured now and then, and the same with torch by hand."""
    torch.manual_seed(0)
    images, labels = torch.randn(WATCHED, 1, 8, 8), torch.arange(WATCHED) % 10
    convolutions = [nn.Conv2d(1, 16, 3), nn.ReLU(), nn.Conv2d(16, 16, 3), nn.ReLU(), nn.Flatten()]
    fresh = nn.Sequential(*convolutions, nn.Linear(256, 10))
    places = torch.linspace(0, WATCHED - 1, WATCHED_POINTS).round().long()
    some, one_hot = images[places].double(), torch.eye(10, dtype=torch.float64)[labels[places]]
    centred = one_hot - one_hot.mean(0)

    def steps(model: nn.Module) -> Iterator[int]:
        optimiser = torch.optim.SGD(model.parameters(), 0.01)
        for step in range(WATCHED_STEPS):
            yield step
            optimiser.zero_grad()
            nn.functional.cross_entropy(model(images), labels).backward()
            optimiser.step()
        yield WATCHED_STEPS

    def watched() -> list[float]:
        model = copy.deepcopy(fresh)
        with empirics.watch(
            model, images, labels, every=EVERY, measures=["kernel"], points=WATCHED_POINTS
        ) as run:
            for _ in steps(model):
                pass
        return run.trace.kernel_trace.values.tolist()

    def by_hand() -> list[float]:
        model, found, first = copy.deepcopy(fresh), [], None
        for step in steps(model):
            if step % EVERY == 0:
                weights = {name: each.detach().double() for name, each in model.named_parameters()}
                rows = vmap(
                    jacrev(lambda p, x: functional_call(model, p, (x[None],))[0]), (None, 0)
                )(weights, some)
                flat = torch.cat([each.flatten(2) for each in rows.values()], dim=2).flatten(1)
                gram = flat @ flat.T
                about = gram - gram.mean(0) - gram.mean(1, keepdim=True) + gram.mean()
                first = gram if first is None else first
                (
                    torch.linalg.eigvalsh(gram)[-1] / gram.trace(),
                    (gram / gram.norm() - first / first.norm()).norm(),
                )
                (about * (centred @ centred.T)).sum() / about.norm()
                found.append(float(gram.trace()) / len(gram))
        return found

    job = f"training of {WATCHED_STEPS} steps, tangent kernel of {WATCHED_POINTS} points at every {EVERY}th"
    return Row(job, watched, {"vmap of jacrev": by_hand}, goal=1, tolerance=1e-4)


def dossier_row() -> Row:
    """Return a dossier with a budget of ten seconds, which takes what it counts."""
    torch.manual_seed(0)
    model = nn.Sequential(
        nn.Linear(784, 200), nn.ReLU(), nn.Linear(200, 200), nn.ReLU(), nn.Linear(200, 10)
    )
    images, labels = torch.randn(500, 784), torch.arange(500) % 10
    return Row(
        f"dossier of an MLP 784-200-200-10 on 500 points, budget of {BUDGET} seconds",
        lambda: bridge.dossier(model, images, labels, budget=BUDGET, progress=False),
        limit=BUDGET,
        repeats=False,
    )


def resnet_row() -> Row:
    """Return a dossier of a ResNet-18 at images of 32 pixels, with a budget that not all parts fit into."""
    model = resnet(18, "relu", width=64, seed=0).eval()
    torch.manual_seed(0)
    images, labels = torch.randn(60, 3, 32, 32), torch.arange(60) % 10
    return Row(
        f"dossier of a ResNet-18 on 60 images of 32 x 32, budget of {BUDGET} seconds",
        lambda: bridge.dossier(model, images, labels, budget=BUDGET, progress=False),
        limit=BUDGET,
        repeats=False,
        note="Parts that do not fit say which budget allows their first points; the default one allows all.",
    )


def decision_rows() -> Iterator[Row]:
    """Yield a claim about trained networks that is decided at one configuration, and a map of where it holds."""
    claim = bridge.claims()["two_point.final_distance"]
    yield Row(
        "`bridge.testing.require` of two_point.final_distance, one configuration",
        lambda: bridge.testing.require(claim, claim.base),
        limit=20,
        repeats=False,
    )
    yield Row(
        "`bridge.validity` of two_point.final_distance over dx, 60 networks",
        lambda: bridge.validity(claim, {"dx": (0.2, 3.0)}, budget=60, progress=False),
        limit=20,
        repeats=False,
    )


GROUPS = (
    training_rows,
    lambda: (flow_row(), evaluation_row()),
    lambda: (watch_row(), dossier_row(), resnet_row()),
    decision_rows,
    sweep_rows,
    report_rows,
)
