"""Where do two representations end, for many distances of the two inputs and of the two targets?

One network is trained for every cell of a grid of distances, all cells as one batch (appendix B.1, Figure 5). The
trace has the state before the first and after the last update.
"""

from __future__ import annotations

import numpy as np

from empirics.experiments.two_point.config import GridConfig as Config
from empirics.experiments.two_point.run import output_state, trainer
from empirics.runs.device import threads_suited_to
from empirics.runs.session import NEVER, RunResult, Session, run_of
from empirics.training.loop import first_bad_epoch, train

__all__ = ["Config", "run"]

CELL = ("seed", "input_distance", "target_distance")


@run_of(Config)
def run(config: Config, session: Session[Config]) -> RunResult:
    """Train a network for every cell of the grid and return where it began and ended.

    Returns:
        Dataset with dimensions ``seed`` (grid), ``input_distance``, ``target_distance`` and variables of all three:
        ``dh2_0`` and ``dy2_0`` before the first update, ``dh2``, ``dy2``, ``w`` and ``loss`` after the last one,
        ``network_diverged_at`` (-1: never).
    """
    assert config.layer is not None  # __post_init__ filled it
    session.during(threads_suited_to(config.width))
    record = train(
        trainer(config, config.cell(*config.cells[0]).seed_numbers), config.epochs, (config.layer,),
        checkpoint=session.checkpoint, progress=session.progress, stop_on_divergence=session.stops,
        label=f"{config.architecture}, {config.activation}",
    )  # fmt: skip
    diverged = session.mark(first_bad_epoch(record))
    target = config.data()[1].numpy()
    first, last = record.outputs[0], record.outputs[-1]  # [network, point, output]
    dy2_0, (dy2, w, loss) = output_state(first, target)[0], output_state(last, target)
    measured = {
        "dh2_0": (
            record.dh2[0, :, 0],
            "squared distance of the two representations before training",
        ),
        "dy2_0": (dy2_0, "squared distance of the outputs before it"),
        "dh2": (
            record.dh2[-1, :, 0],
            "squared distance of the two representations after training",
        ),
        "dy2": (dy2, "squared distance of the two outputs after training"),
        "w": (w, "dy2 - dy . (y2 - y1) after training"),
        "loss": (loss, "half the mean squared error (Eq. 1)"),
        "network_diverged_at": (diverged, f"first epoch that is not finite; {NEVER}: none"),
    }
    shape = (config.seeds, len(config.input_distances), len(config.target_distances))
    variables = {
        name: (CELL, values.reshape(shape), meaning)
        for name, (values, meaning) in measured.items()
    }
    coordinates = {
        "input_distance": (
            np.asarray(config.input_distances),
            {"long_name": "distance of the two inputs"},
        ),
        "target_distance": (
            np.asarray(config.target_distances),
            {"long_name": "distance of the two targets"},
        ),
    }
    return RunResult(variables, coordinates, {"layer": config.layer, "epochs": config.epochs})
