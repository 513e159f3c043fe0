"""Students of teachers at several effective depths, trained as one batch and then measured layer by layer.

Network number ``depth * seeds + seed`` of the batch is the student of that seed's teacher at that effective depth. Its
initial weights come from the same random numbers at every depth.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from operator import attrgetter
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from closedform.checks.arrays import Array
from empirics.data.teacher import TeacherData, teacher_data
from empirics.experiments.leaky_resnet.config import Config
from empirics.measure.leaky_resnet.path import path_state
from empirics.measure.leaky_resnet.state import LeakyResNetState
from empirics.networks.leaky_resnet import LeakyResNets, initial_nets, stretched
from empirics.runs.device import DTYPES, find
from empirics.runs.session import RunResult, Session, run_of
from empirics.training.leaky_objective import Objective
from empirics.training.leaky_resnet import train_leaky
from empirics.training.leaky_schedule import LeakyTraining
from empirics.training.loop import DivergedError

Variables = Mapping[str, tuple[Sequence[str], Any, str]]
NODE, LAYER, RUN = ("depth", "seed", "node"), ("depth", "seed", "layer"), ("depth", "seed")
STATE: Mapping[str, tuple[tuple[str, ...], str]] = {
    "position": (NODE, "position in [0, 1]"),
    "cost_of_identity": (NODE, "cost of identity; inf off the image"),
    "image_residual": (NODE, "fraction of the representation outside the image of sigma(A)"),
    "gamma": (NODE, "gamma of the stable quantities"),
    "stable_cost_of_identity": (NODE, "cost of identity with K + gamma"),
    "hamiltonian_at_nodes": (NODE, "H from A and B at a node"),
    "momentum_norm": (NODE, "norm of B"),
    "activation_values": ((*NODE, "rank"), "singular values of A"),
    "centred_values": ((*NODE, "rank"), "singular values of A minus its mean over points"),
    "negative_share": (NODE, "norm of the negative entries of A, relative to the norm of A"),
    "kinetic_energy": (LAYER, "kinetic energy; inf off the image"),
    "stable_kinetic_energy": (LAYER, "kinetic energy with K + gamma"),
    "stable_hamiltonian": (
        LAYER,
        "stable kinetic energy minus depth/2 times the stable cost of identity",
    ),
    "hamiltonian": (LAYER, "H of a layer, from A before and B after it"),
    "weight_from_momenta_norm": (LAYER, "norm of B sigma(A)'"),
    "weight_values": ((*LAYER, "rank"), "singular values of the weights"),
    "stationarity": (LAYER, "relative distance of the weights from depth B sigma(A)'"),
    "balancedness": (
        LAYER,
        "squared weight norm minus the value that balancedness predicts from the first layer",
    ),
    "exchange": (LAYER, "residual of the exact discrete law of Tr B A'"),
    "path_length": (RUN, "length of the path of representations"),
}
TRAINING = ("depth", "seed", "record")


def teachers(config: Config) -> list[TeacherData]:
    """Return the data of each seed's teacher."""
    return [
        teacher_data(
            seed, config.dimensions, config.points, test_points=config.test_points, hidden=config.hidden,
            kind=config.teacher, code=config.code, bias=config.bias,
        )
        for seed in config.seed_numbers
    ]  # fmt: skip


def objective(config: Config) -> Objective:
    """Return the objective of the networks of ``config`` at initialisation, with their data.

    Args:
        config: the configuration.

    Returns:
        The objective, with one network for each depth and seed, and their points ``[network, dimension, N]``.

    >>> config = Config(dimensions=(4, 2, 4), layers=4, points=8, width=4, seeds=2)
    >>> list(objective(config).x.shape)
    [2, 4, 8]
    """
    data = teachers(config)
    seeds = list(config.seed_numbers) * len(config.depths)
    depths = [depth for depth, _ in product(config.depths, config.seed_numbers)]
    nets = initial_nets(
        seeds=seeds, depth=depths, inputs=config.dimensions[0], outputs=config.dimensions[-1], width=config.width,
        layers=config.layers, bias=config.bias, mesh=config.mesh, slope=config.slope, gain=config.gain,
        dtype=DTYPES[config.dtype], device=find(config.device),
    )  # fmt: skip
    x = torch.stack([d.x for d in data]).repeat(len(config.depths), 1, 1)
    y = torch.stack([d.y for d in data]).repeat(len(config.depths), 1, 1)
    decay = config.decay / nets.depth
    return Objective(nets, x, y, decay, learned_maps=config.maps == "learned")


@run_of(Config, unit="step")
def run(config: Config, session: Session[Config]) -> RunResult:
    """Train the networks of ``config`` and measure them for each depth, seed and layer.

    Args:
        config: the configuration.
        session: what keeps time, checkpoints and progress; the decorated function takes its options as keywords.

    Returns:
        Dataset with dimensions ``depth``, ``seed``, ``record`` (during training), ``layer`` (1 ... L), ``node`` (0 ...
        L), ``rank`` and ``component``; its variables are listed above.

    >>> config = Config(dimensions=(4, 2, 4), layers=4, points=8, width=4, seeds=2, adam=20, polishing=2)
    >>> run(config, progress=False).sizes["layer"]
    4
    """
    if config.continued:
        steps, variables = np.array([config.adam + config.polishing]), _continued(config, session)
    else:
        problem = objective(config)
        training = train_leaky(
            problem, config.schedule(), checkpoint=session.checkpoint, progress=session.progress,
            label=f"k = {'-'.join(map(str, config.dimensions))}, {config.mesh}", stop_on_divergence=session.stops,
        )  # fmt: skip
        diverged_at = session.mark(first_bad_step(training))
        steps, variables = (
            training.steps,
            measured(config, problem, training, teachers(config), diverged_at),
        )
    coordinates = {
        "depth": (np.asarray(config.depths), {"long_name": "effective depth"}),
        "record": (steps, {"units": "step", "long_name": "steps made"}),
        "layer": (np.arange(1, config.layers + 1), {"long_name": "layer, counted from 1"}),
        "node": (np.arange(config.layers + 1), {"long_name": "node, 0 is the input"}),
        "rank": (np.arange(1, config.width + 1), {"long_name": "singular value, largest first"}),
        "component": (np.arange(1, 3), {"long_name": "principal component of the path"}),
    }
    attributes = {"dimensions": json.dumps(config.dimensions), "decay": config.decay}
    return RunResult(variables, coordinates, attributes)


def _continued(config: Config, session: Session[Config]) -> Variables:
    """Train the networks of each effective depth from the stretched ones of the one before; keep their last records.

    Adam finds networks at large effective depths whose gradients stay large, or minima that keep more directions than
    they need; near a minimum at a smaller effective depth there is one at a larger.
    """
    parts: list[Variables] = []
    nets: LeakyResNets | None = None
    for depth in config.depths:
        of_depth = replace(config, depths=(depth,))
        problem, schedule = objective(of_depth), of_depth.schedule()
        if nets is not None:
            problem.nets.weights = stretched(nets, problem.nets.depth).weights
            schedule = replace(schedule, adam=0)
        training = train_leaky(
            problem, schedule, progress=session.progress, label=f"effective depth {depth:g}"
        )
        nets = training.nets
        parts.append(
            measured(of_depth, problem, training, teachers(of_depth), np.full(config.seeds, -1))
        )
    last = {
        name: np.s_[..., -1:] if "record" in dims else np.s_[:]
        for name, (dims, _, _) in parts[0].items()
    }
    joined: dict[str, tuple[Sequence[str], Any, str]] = {}
    for name, (dims, _, meaning) in parts[0].items():
        joined[name] = (
            dims,
            np.concatenate([part[name][1][last[name]] for part in parts]),
            meaning,
        )
    return joined


def measured(
    config: Config,
    problem: Objective,
    training: LeakyTraining,
    data: Sequence[TeacherData],
    diverged_at: NDArray[np.int64],
) -> Variables:
    """Return all variables of the trace of ``config``, with the steps ``[net]`` at which networks diverged."""
    shape = (len(config.depths), config.seeds)

    def grid(values: NDArray[Any]) -> NDArray[Any]:
        """Return values ``[net, ...]`` as ``[depth, seed, ...]``."""
        return values.reshape(*shape, *values.shape[1:])

    states = _states(config, problem, training)
    variables: dict[str, tuple[Sequence[str], Any, str]] = {
        "cost": (TRAINING, grid(training.cost.T), "mean squared error, summed over outputs"),
        "penalty": (TRAINING, grid(training.penalty.T), "regulariser"),
        "residual": (
            TRAINING,
            grid(training.residual.T),
            "gradient with respect to the weights, relative to the penalty's",
        ),
        "at_kink": (
            RUN,
            grid(training.at_kink),
            "fraction of representation entries on a kink of the ReLU",
        ),
        "diverged_at": (
            RUN,
            grid(diverged_at),
            "step of the first record that is not finite; -1: none",
        ),
        "decay": (("depth",), config.decay / np.asarray(config.depths), "lambda"),
        "projection": (
            (*NODE, "component"),
            grid(_stacked(states, lambda s: _plane(s.path))),
            "path on its principal plane",
        ),
    }
    if training.smoothed_residual is not None:
        meaning = "residual at the end with the ReLU smoothed at a thousandth of each layer's representations"
        variables["smoothed_residual"] = (RUN, grid(training.smoothed_residual), meaning)
    if config.test_points:
        variables["test_cost"] = (
            RUN,
            grid(_test_cost(config, training.nets, data)),
            "cost at the test points",
        )
    for name, (dims, meaning) in STATE.items():
        variables[name] = (dims, grid(_stacked(states, attrgetter(name))), meaning)
    return variables


def first_bad_step(training: LeakyTraining) -> dict[int, int]:
    """Return ``{position in the batch: step of the first record that is not finite}``; empty if all are finite."""
    is_diverged = ~np.isfinite(training.cost + training.penalty)
    return {
        int(net): int(training.steps[np.argmax(is_diverged[:, net])])
        for net in np.flatnonzero(is_diverged.any(0))
    }


def _stacked(
    states: Sequence[LeakyResNetState | None], value: Callable[[LeakyResNetState], Array]
) -> Array:
    """Return ``value`` of every state, NaN of the right shape for networks without one."""
    values = [None if state is None else np.asarray(value(state)) for state in states]
    example = next((v for v in values if v is not None), None)
    if example is None:
        raise DivergedError(dict.fromkeys(range(len(states)), 0))
    return np.stack([np.full(example.shape, np.nan) if v is None else v for v in values])


def _states(
    config: Config, problem: Objective, training: LeakyTraining
) -> list[LeakyResNetState | None]:
    """Return every network's state, None if it diverged; with the smoothed ReLU of its last stage, if it had one."""
    nets = training.nets
    problem.smoothing = training.smoothing
    passed = problem.propagate(nets)
    problem.smoothing = None
    path, momenta = torch.stack(passed.path, 1), torch.stack(passed.momenta, 1)
    # it warns of nodes where rounding affects the cost of identity
    with warnings.catch_warnings():
        warnings.filterwarnings(
            "ignore", message="cost of identity at nodes", category=RuntimeWarning
        )
        return [
            path_state(
                path[i], nets.rho[i], float(nets.depth[i]), weights=nets.weights[i], momenta=momenta[i],
                bias=nets.bias, gamma=config.gamma,
            )
            if bool(torch.isfinite(path[i]).all() & torch.isfinite(momenta[i]).all())
            else None
            for i in range(len(path))
        ]  # fmt: skip


def _test_cost(config: Config, nets: LeakyResNets, data: Sequence[TeacherData]) -> Array:
    x = torch.stack([d.x_test for d in data]).repeat(len(config.depths), 1, 1).to(nets.weights)
    y = torch.stack([d.y_test for d in data]).repeat(len(config.depths), 1, 1).to(nets.weights)
    cost: Array = (nets(x) - y).square().sum((1, 2)).div(config.test_points).double().cpu().numpy()
    return cost


def _plane(path: Array) -> Array:
    """Return the path, each node one point in the space of all entries, on its principal plane, ``[node, 2]``."""
    flat = path.reshape(len(path), -1)
    flat = flat - flat.mean(0)
    u, s, _ = np.linalg.svd(flat, full_matrices=False)
    plane: Array = u[:, :2] * s[:2]
    # the signs are arbitrary; this choice puts the input at the lower left
    return plane * np.where(plane[0] > 0, -1.0, 1.0)
