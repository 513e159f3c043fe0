"""Small networks with different numbers of layers, trained to stationary weights and compared with geodesics.

Input and output map are the identity. Linear networks learn a symmetric positive map of white points, for which the
geodesic is known in closed form. ReLU networks learn the positive part of such a map at positive points, where the
direct solver of :mod:`empirics.training.geodesic` is the only comparison. The solver finds two geodesics between the
ends of each network's path, both from a start away from that path. The first follows the layer rule of the weights, and
the network must agree with it up to rounding. The second is discretised at midpoints, which is of second order in the
step and approximates the continuum.
"""

from __future__ import annotations

import math
from itertools import chain
from typing import Any

import numpy as np
import torch
from torch import Tensor

from empirics import seeding
from empirics.experiments.leaky_resnet.config import GeodesicsConfig as Config
from empirics.experiments.leaky_resnet.run import first_bad_step
from empirics.measure.leaky_resnet.path import path_state
from empirics.networks.leaky_resnet import initial_nets
from empirics.runs.session import RunResult, Session, run_of
from empirics.training.geodesic import geodesic
from empirics.training.leaky_objective import Objective
from empirics.training.leaky_resnet import LeakySchedule, train_leaky

__all__ = ["Config", "points", "run"]

BENT = 1.02  # factor on the inner nodes of the network's path, which gives the initial path of the solver


@run_of(Config, unit="step")
def run(config: Config, session: Session[Config]) -> RunResult:
    """Train the networks of ``config``, and compute the geodesics between the ends of their paths.

    Returns:
        Dataset with dimensions ``size`` (number of layers), ``seed``, ``node`` (NaN beyond a network's last), ``unit``
        and ``point``.
    """
    rows = list(
        chain.from_iterable(
            _networks(session, layers, max(config.layers) + 1) for layers in config.layers
        )
    )
    shape = (len(config.layers), config.seeds)
    variables = {}
    for name, (value, meaning) in rows[0].items():
        values = np.stack([row[name][0] for row in rows]).reshape(*shape, *np.shape(value))
        variables[name] = (
            ("size", "seed", *("node", "unit", "point")[: np.ndim(value)]),
            values,
            meaning,
        )
    coordinates = {
        "size": (np.asarray(config.layers), {"long_name": "number of layers"}),
        "node": (np.arange(max(config.layers) + 1), {"long_name": "node, 0 is the input"}),
        "unit": (np.arange(len(config.targets)), {}),
        "point": (np.arange(config.points), {}),
    }
    attributes = {"depth": config.depth, "decay": config.decay, "linear": int(config.linear)}
    return RunResult(variables, coordinates, attributes)


def points(config: Config) -> tuple[Tensor, Tensor]:
    """Return inputs and targets, both ``[seed, dimension, point]``."""
    xs, ys = [], []
    eigenvalues = torch.tensor(config.targets, dtype=torch.float64)
    for stream in seeding.generators(list(config.seed_numbers), "teacher"):
        size = len(eigenvalues)
        eigenvectors = torch.linalg.qr(
            torch.randn(size, size, generator=stream, dtype=torch.float64)
        ).Q
        symmetric = (eigenvectors * eigenvalues) @ eigenvectors.T
        if config.linear:
            white = torch.linalg.qr(
                torch.randn(size, config.points, generator=stream, dtype=torch.float64)
            ).Q
            xs.append(math.sqrt(config.points) * white)
            ys.append(symmetric @ xs[-1])
        else:
            xs.append(0.2 + torch.rand(size, config.points, generator=stream, dtype=torch.float64))
            ys.append((symmetric @ xs[-1]).clamp_min(0))
    return torch.stack(xs), torch.stack(ys)


def _networks(
    session: Session[Config], layers: int, nodes: int
) -> list[dict[str, tuple[Any, str]]]:
    """Return the recorded values of each seed's network with this number of layers, as ``{name: (value, meaning)}``."""
    config = session.config
    x, y = points(config)
    size = len(config.targets)
    nets = initial_nets(
        seeds=list(config.seed_numbers), depth=config.depth, inputs=size, outputs=size, width=size, layers=layers,
        bias=config.bias, linear=config.linear, gain=config.gain,
    )  # fmt: skip
    nets.input_map[:] = nets.output_map[:] = torch.eye(size, dtype=torch.float64)
    problem = Objective(nets, x, y, torch.full((config.seeds,), config.decay, dtype=torch.float64))
    schedule = LeakySchedule(
        adam=config.adam, rate=config.learning_rate, polishing=config.polishing
    )
    training = train_leaky(
        problem, schedule, progress=session.progress, label=f"{layers} layers", stop_on_divergence=session.stops
    )  # fmt: skip
    passed = problem.propagate(training.nets)
    path, momenta = torch.stack(passed.path, 1), torch.stack(passed.momenta, 1)
    first_bad = session.mark(first_bad_step(training))
    rows = []
    for net in range(config.seeds):
        weights, rho = training.nets.weights[net], training.nets.rho[net]
        padded = np.full((nodes, size, config.points), np.nan)
        row: dict[str, tuple[Any, str]] = {
            "diverged_at": (
                first_bad[net],
                "step of the first record that is not finite; -1: none",
            ),
            "residual": (
                training.residual[-1, net],
                "gradient with respect to the weights, relative to the penalty's",
            ),
            "cost": (training.cost[-1, net], "mean squared error, summed over outputs"),
            "weight_norm": (
                float((rho[:, None, None] * weights.square()).sum()),
                "integral of the squared weights",
            ),
            "path": (padded, "representations"),
            "hamiltonian": (np.nan, "H, mean over layers"),
            "hamiltonian_spread": (np.nan, "largest minus smallest H of a layer"),
        }
        if first_bad[net] < 0:
            padded[: layers + 1] = path[net].numpy()
            state = path_state(
                path[net], rho, config.depth, weights=weights, momenta=momenta[net], bias=config.bias,
                linear=config.linear,
            )  # fmt: skip
            assert state.hamiltonian is not None
            row["hamiltonian"] = (float(state.hamiltonian.mean()), row["hamiltonian"][1])
            row["hamiltonian_spread"] = (
                float(np.ptp(state.hamiltonian)),
                row["hamiltonian_spread"][1],
            )
        rows.append(row | _solved(config, path[net]))
    return rows


def _solved(config: Config, path: Tensor) -> dict[str, tuple[Any, str]]:
    values = dict.fromkeys(
        ("action", "distance", "slope", "midpoint_action", "midpoint_slope"), np.nan
    )
    bent = torch.cat([path[:1], BENT * path[1:-1], path[-1:]])
    for scheme, prefix in (("euler", ""), ("midpoint", "midpoint_")):
        try:
            solution = geodesic(
                bent, config.depth, bias=config.bias, linear=config.linear, scheme=scheme,  # type: ignore[arg-type]
                iterations=config.solving,
            )  # fmt: skip
        except ValueError:  # the solver needs representations of full column rank
            continue
        values[prefix + "action"], values[prefix + "slope"] = solution.action, solution.slope
        if not prefix:
            values["distance"] = float((solution.path - path).abs().max() / path.abs().max())
    meanings = {
        "action": "action of the geodesic under the layer rule",
        "distance": "largest difference between path and geodesic, relative to the path's largest entry",
        "slope": "largest relative derivative of the action at the geodesic",
        "midpoint_action": "action of the geodesic at midpoints",
        "midpoint_slope": "largest relative derivative of that action",
    }
    return {name: (value, meanings[name]) for name, value in values.items()}
