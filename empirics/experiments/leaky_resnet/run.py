"""Students of teachers at several effective depths, trained as one batch and then measured layer by layer.

Network number ``depth * seeds + seed`` of the batch is the student of that seed's teacher at that effective depth. Its
initial weights come from the same random numbers at every depth.
"""

from __future__ import annotations

import json

import numpy as np
import torch

from empirics.data.teacher import TeacherData, teacher_data
from empirics.experiments.leaky_resnet.config import Config
from empirics.experiments.leaky_resnet.variables import first_bad_step, measured
from empirics.networks.leaky_resnet import initial_nets
from empirics.runs.device import DTYPES, find
from empirics.runs.session import RunResult, Session, run_of
from empirics.training.leaky_objective import Objective
from empirics.training.leaky_resnet import train_leaky


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
    """Return the objective of the networks of ``config`` at initialisation, with their data."""
    data = teachers(config)
    seeds = list(config.seed_numbers) * len(config.depths)
    depths = [depth for depth in config.depths for _ in config.seed_numbers]
    nets = initial_nets(
        seeds=seeds, depth=depths, inputs=config.dimensions[0], outputs=config.dimensions[-1], width=config.width,
        layers=config.layers, bias=config.bias, mesh=config.mesh, slope=config.slope, gain=config.gain,
        dtype=DTYPES[config.dtype], device=find(config.device),
    )  # fmt: skip
    x, y = (torch.stack([getattr(d, name) for d in data]).repeat(len(config.depths), 1, 1) for name in ("x", "y"))
    decay = config.decay / nets.depth
    return Objective(nets, x, y, decay, learned_maps=config.maps == "learned")


@run_of(Config, unit="step")
def run(config: Config, session: Session[Config]) -> RunResult:
    """Train the networks of ``config`` and measure them for each depth, seed and layer.

    On one CPU the values are the same to the last bit each time (same versions, instruction set and number of threads).

    Returns:
        Dataset with dimensions ``depth``, ``seed``, ``record`` (during training), ``layer`` (1 ... L), ``node`` (0 ...
        L), ``rank`` and ``component``; :mod:`empirics.experiments.leaky_resnet.variables` lists its variables.

    >>> config = Config(dimensions=(4, 2, 4), layers=4, points=8, width=4, seeds=2, adam=20, polishing=2)
    >>> run(config, progress=False).sizes["layer"]
    4
    """
    problem = objective(config)
    training = train_leaky(
        problem, config.schedule(), checkpoint=session.checkpoint, progress=session.progress,
        label=f"k = {'-'.join(map(str, config.dimensions))}, {config.mesh}", stop_on_divergence=session.stops,
    )  # fmt: skip
    diverged_at = session.mark(first_bad_step(training))
    variables = measured(config, problem, training, teachers(config), diverged_at)
    coordinates = {
        "depth": (np.asarray(config.depths), {"long_name": "effective depth"}),
        "record": (training.steps, {"units": "step", "long_name": "steps made"}),
        "layer": (np.arange(1, config.layers + 1), {"long_name": "layer, counted from 1"}),
        "node": (np.arange(config.layers + 1), {"long_name": "node, 0 is the input"}),
        "rank": (np.arange(1, config.width + 1), {"long_name": "singular value, largest first"}),
        "component": (np.arange(1, 3), {"long_name": "principal component of the path"}),
    }
    attributes = {"dimensions": json.dumps(config.dimensions), "decay": config.decay}
    return RunResult(variables, coordinates, attributes)
