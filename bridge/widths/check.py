"""A check of widths: models of several widths are trained for a few steps, and each layer gets an exponent."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from bridge.statistics.arrays import Array
from bridge.widths.exponents import CORRECTED, exponents
from bridge.widths.layer import LayerScaling
from bridge.widths.result import WidthCheck
from bridge.widths.roles import expected_exponents
from closedform import checks
from closedform.measured import Measured

if TYPE_CHECKING:
    import torch

    from empirics.measure.layer_updates import LayerUpdates

RESOLUTION = 0.1  # of an exponent


def width_check(
    make_model: Callable[[int], torch.nn.Module],
    widths: Sequence[int],
    optimizer: Callable[[torch.nn.Module, int], torch.optim.Optimizer],
    *,
    batch: tuple[Any, Any],
    loss: Callable[[Any, Any], torch.Tensor],
    steps: Sequence[int] = (1, 4),
    seeds: int = 5,
    first_seed: int = 0,
    layers: Collection[str] | None = None,
    parametrisation: str | None = None,
    expected: Mapping[str, float] | None = None,
    resolution: float = RESOLUTION,
    progress: Callable[[str], None] = lambda line: None,
) -> WidthCheck:
    """Train models of several widths for a few steps, and return how every layer's update depends on the width.

    What decides is the layer's *own* update: the output with its weights now minus that with its weights before, on
    the inputs that it has now. If this keeps its size at all widths, a learning rate that is good for one is good for
    all. Sizes of outputs, which are often looked at instead, stay of order one in parametrisations that do not
    transfer. Every model has a seed of its own, so that the errors of different widths are independent.

    Args:
        make_model: width -> a model, whose weights are drawn by torch's global generator.
        widths: at least three widths, increasing. From four on, the exponent is corrected for a scatter that falls
            with the width.
        optimizer: (model, width) -> the optimiser of its parameters.
        batch: inputs and targets, the same for all widths; inputs are a tensor, a tuple of arguments or a dict. It
            should have no more rows (samples, or tokens) than the narrowest width: the scatter that is corrected is of
            the order of the rows over the width.
        loss: (outputs, targets) -> a scalar.
        steps: numbers of updates after which it is looked. Default: 1 and 4.
        seeds: models of each width, at least two. Default: 5.
        first_seed: the models have the seeds from this one on. Default: 0.
        layers: names of modules. Default: all with parameters of their own.
        parametrisation: "standard", "ntk", "mean field" or "maximal update": own updates of dense layers are compared
            with what the theory derives for it, for gradient descent or Adam. Default: they shall keep their size.
        expected: name of a layer -> the exponent with which its own update is compared. Default: that of the
            parametrisation, or 0.
        resolution: smallest exponent that matters. Default: 0.1.
        progress: is called with a line for every width. Default: nothing.

    Raises:
        TypeError: if ``make_model`` returns no module.
        ValueError: if there are fewer than three widths or two seeds, a layer is unknown, or the theory has no
            exponents for the parametrisation and the optimiser.

    Source: the coordinate check of Yang et al. (2022), with own updates instead of sizes.

    >>> import torch
    >>> def model(width):
    ...     return torch.nn.Sequential(torch.nn.Linear(4, width), torch.nn.ReLU(), torch.nn.Linear(width, 8))
    >>> _ = torch.manual_seed(0)
    >>> batch = torch.randn(32, 4), torch.randn(32, 8)
    >>> check = width_check(
    ...     model, (32, 64, 128, 256), lambda model, width: torch.optim.Adam(model.parameters(), 1e-3),
    ...     batch=batch, loss=torch.nn.functional.mse_loss,
    ... )
    >>> check["2"].verdict
    'grows'
    """
    import torch

    from empirics.measure.layer_updates import layer_updates

    sizes = [checks.integer("widths", width, 1) for width in widths]
    if len(sizes) < 3 or sizes != sorted(set(sizes)):
        raise ValueError(f"widths: got {list(widths)}, needs three or more that increase")
    checks.integer("seeds", seeds, 2)
    measured: list[list[LayerUpdates]] = []
    for number, width in enumerate(sizes):
        progress(f"width {width}")
        measured.append([])
        for index in range(seeds):
            with torch.random.fork_rng():
                torch.manual_seed(first_seed + number * seeds + index)
                model = make_model(width)
                chosen = optimizer(model, width)
                measured[-1].append(layer_updates(model, chosen, batch, loss, steps, layers))
    names = list(measured[0][0].size)
    for name in expected or ():
        checks.one_of("expected", name, names)
    targets = dict(expected or {})
    if parametrisation is not None:
        shapes = measured[0][0].shapes, measured[-1][0].shapes
        targets = expected_exponents(parametrisation, chosen, *shapes) | targets
    # of each parameter the note of one model, since those of others differ in numbers only
    by_parameter = {
        note.partition(":")[0]: note for updates in measured[-1] for note in updates.notes
    }
    notes = list(by_parameter.values())
    if len(sizes) < CORRECTED:
        notes.append(
            "three widths: exponents are not corrected for a scatter that falls with the width"
        )
    notes += crowded(measured[0][0], measured[-1][0])
    axis = np.asarray(sizes, dtype=float)

    def scaling(name: str) -> LayerScaling:
        def exponent(what: str, values: Array, target: float) -> Measured | None:
            if not (np.isfinite(values) & (values > 0)).all():
                return None
            number = Measured.mean(
                f"width_check.{what}",
                name,
                exponents(axis, values),
                target,
                resolution=resolution,
            )
            return None if number is None else replace(number, among=len(names))

        def over_steps(what: str) -> list[Array]:
            return [
                np.array([[getattr(u, what)[name][step] for u in row] for row in measured])
                for step in range(len(steps))
            ]

        target = float(targets.get(name, 0.0))
        own, change = over_steps("own"), over_steps("change")
        size = np.array([[updates.size[name] for updates in row] for row in measured])
        looks = [values for values in own if (values > 0).all()]
        return LayerScaling(
            name or "(root)",
            exponent("size", size, 0.0),
            tuple(exponent("own", values, target) for values in own),
            tuple(exponent("change", values, 0.0) for values in change),
            looks[0] if looks else own[-1],
            target,
        )

    return WidthCheck(
        tuple(sizes),
        tuple(steps),
        tuple(scaling(name) for name in names),
        tuple(notes),
    )


def crowded(narrowest: LayerUpdates, widest: LayerUpdates) -> list[str]:
    """Return a note if the batch has more rows than a layer has inputs at the narrowest width, where these grow.

    The step on one row adds to the outputs of all others. This scatter is of the order of the number of rows over the
    number of inputs in the square of an update, and the correction is of first order in it.

    Args:
        narrowest: updates of a model of the narrowest width.
        widest: updates of a model of the widest.
    """
    rows_and_inputs = {
        name: (rows, inputs)
        for name, (rows, inputs, _) in narrowest.shapes.items()
        if inputs < widest.shapes[name][1] and rows > inputs
    }
    if not rows_and_inputs:
        return []
    name, (rows, inputs) = max(rows_and_inputs.items(), key=lambda item: item[1][0] / item[1][1])
    return [
        f"{name}: {rows} rows of the batch are more than its {inputs} inputs at the narrowest width, and their scatter "
        "makes exponents too low: take a smaller batch or wider networks"
    ]
