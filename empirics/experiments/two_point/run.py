r"""Two points: how far apart does a network represent them, while it learns to tell them apart?

Trains networks on :math:`\{(x_1, y_1), (x_2, y_2)\}` by full-batch gradient descent (or Adam) on :math:`\tfrac12
\langle \|f(x) - y\|^2 \rangle` (Eq. 1) and records, at every epoch and for every seed, :math:`\|dh\|^2` in chosen
hidden layers (after the activation),
:math:`\|dy\|^2`, :math:`w = \|dy\|^2 - dy \cdot (y_2 - y_1)` (Eq. 8), the loss and the mean of the two outputs.

The default data are the released settings of the paper: inputs -1 and 0, targets 0.6 and
0.6 + sqrt(0.5), so that ``dx2 = 1`` and ``target2 = 0.5``.
Those printed in its appendix B.1 (dx = 0.5, dy = 1) do not reproduce its fits.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np

from closedform.checks.arrays import Array
from empirics import networks
from empirics.experiments.two_point.config import Config
from empirics.experiments.two_point.config import GridConfig as Grid
from empirics.networks.architecture import Architecture
from empirics.runs.device import DTYPES, find, threads_suited_to
from empirics.runs.session import NEVER, RunResult, Session, run_of
from empirics.training.autograd import Autograd
from empirics.training.backpropagation import Backpropagation
from empirics.training.loop import Trainer, first_bad_epoch, train

__all__ = ["Config", "run", "trainer"]


def trainer(
    config: Config | Grid, seeds: Sequence[int] | None = None, by_hand: bool | None = None
) -> Trainer:
    """Create the networks of ``config`` at initialisation, ready to train.

    Args:
        config: the settings of the run.
        seeds: seeds of the networks; None (default) takes those of ``config``.
        by_hand: whether to use the hand-written backward pass; None (default) uses it wherever it exists (fully
            connected networks with gradient descent).

    >>> trainer(Config(depth=3, width=10, seeds=2)).parameters[0][0].shape
    torch.Size([2, 1, 10])
    """
    seeds, architecture = config.seed_numbers if seeds is None else seeds, config.network()
    parameters = networks.initial_weights(
        architecture, config.gain, seeds, DTYPES[config.dtype], find(config.device)
    )  # fmt: skip
    x, y = config.data()
    if by_hand is None:
        by_hand = type(architecture) is Architecture and config.optimiser == "gd"
    if by_hand:
        return Backpropagation(architecture, parameters, x, y, config.learning_rate)
    return Autograd(architecture, parameters, x, y, config.learning_rate, config.optimiser, seeds)


def output_state(outputs: Array, targets: Array) -> tuple[Array, Array, Array]:
    """Return ``dy2``, ``w`` and the loss ``[...]`` of outputs at two points, ``[..., point, output]``."""
    with np.errstate(all="ignore"):
        dy, difference = (values[..., 1, :] - values[..., 0, :] for values in (outputs, targets))
        dy2 = np.sum(dy**2, axis=-1)
        loss = np.sum((outputs - targets) ** 2, axis=-1).mean(axis=-1) / 2
        return dy2, dy2 - np.sum(dy * difference, axis=-1), loss


@run_of(Config)
def run(config: Config, session: Session[Config]) -> RunResult:
    """Train the networks of ``config`` and return the trace.

    Args:
        config: the configuration.
        session: what keeps time, checkpoints and progress; the decorated function takes its options as keywords.

    Returns:
        Dataset with dimensions ``seed``, ``step`` (epochs; 0 is before any update), ``layer``, ``output`` and variables
        ``dh2[seed, step, layer]``, ``dy2``, ``w``, ``loss`` ``[seed, step]``, ``output_mean[seed, step, output]``,
        ``diverged_at[seed]`` (-1: never).

    >>> trace = run(Config(depth=3, width=10, epochs=50, seeds=2), progress=False)
    >>> trace.sizes["seed"]
    2
    """
    assert config.layers is not None  # __post_init__ filled it
    session.during(threads_suited_to(config.width))
    record = train(
        trainer(config), config.epochs, config.layers, checkpoint=session.checkpoint, progress=session.progress,
        stop_on_divergence=session.stops, label=f"{config.architecture}, {config.activation}",
    )  # fmt: skip
    x, y = (tensor.numpy() for tensor in config.data())
    outputs = record.outputs.swapaxes(0, 1)  # [seed, epoch, point, output]
    dy2, w, loss = output_state(outputs, y)
    with np.errstate(all="ignore"):  # diverged seeds are marked below
        output_mean = outputs.mean(axis=2)
    diverged = session.mark(first_bad_epoch(record))
    curve = ("seed", "step")
    variables = {
        "dh2": (
            (*curve, "layer"),
            record.dh2.swapaxes(0, 1),
            "squared distance of the two representations",
        ),
        "dy2": (curve, dy2, "squared distance of the two outputs"),
        "w": (curve, w, "dy2 - dy . (y2 - y1)"),
        "loss": (curve, loss, "half the mean squared error (Eq. 1)"),
        "output_mean": ((*curve, "output"), output_mean, "mean of the two outputs"),
        "diverged_at": (("seed",), diverged, f"first epoch that is not finite; {NEVER}: none"),
    }
    coordinates = {
        "step": (np.arange(config.epochs + 1), {"units": "epoch", "long_name": "updates made"}),
        "layer": (np.asarray(config.layers), {"long_name": "hidden layer, counted from 1"}),
        "output": (np.arange(config.outputs), {}),
    }
    attributes = {
        "dx2": float(np.sum((x[1] - x[0]) ** 2)),
        "target2": float(np.sum((y[1] - y[0]) ** 2)),
        "target_mean": json.dumps(y.mean(axis=0).tolist()),
        "learning_rate": config.learning_rate,
    }
    return RunResult(variables, coordinates, attributes)
