r"""The tangent kernel of a large network by random projections of its outputs.

With independent signs :math:`r_o = \pm 1`, the kernel of the one number :math:`\sum_o r_o f_o` has the expectation
:math:`\sum_o \nabla f_o(x) \cdot \nabla f_o(y)`, the tangent kernel. One backward pass for each projection takes the
place of one for each output. The scatter over projections gives the error.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from jaxtyping import Float64, Real
from scipy import stats
from torch import Tensor, nn

from closedform import checks
from closedform.checks.arrays import Array
from closedform.repetitions import jackknife
from empirics.measure.kernels.neural_tangent import neural_tangent_gram
from empirics.measure.measurement_result import MeasurementResult
from empirics.measure.models.feature_map import prepare
from empirics.measure.models.points import Precision
from empirics.measure.models.prepared_model import PreparedModel

FEWEST = 2  # projections, for an error
MOST = 2**20  # whose signs fit into the memory


class Projected(nn.Module):
    """A model followed by a fixed linear function of its outputs, ``[batch, *input] -> [batch, 1]``."""

    def __init__(self, model: nn.Module, weights: Tensor) -> None:
        super().__init__()
        self.model, self.weights = model, weights

    def forward(self, x: Tensor) -> Tensor:
        """Return the function of the outputs."""
        outputs = self.model(x).reshape(len(x), -1)
        projected: Tensor = outputs @ self.weights.to(outputs)[:, None]
        return projected


@dataclass(frozen=True, repr=False)
class TangentSketch(MeasurementResult):
    """The tangent kernel with its error.

    Attributes:
        grams: estimates without bias, ``[projections, N, N]``, float64; one exact kernel if the model has
            a single output.
        is_exact: whether there is one kernel without an error.
    """

    grams: Float64[Tensor, "projections N N"]
    is_exact: bool

    @property
    def gram(self) -> Float64[Tensor, "N N"]:
        """The mean of the estimates."""
        return self.grams.mean(0)

    def interval(self, quantity: Callable[[Array], Array]) -> tuple[Array, Array, Array]:
        """Return a quantity of the kernel with its 95 % interval over projections: value, lower and upper end.

        The error is that of the jackknife over projections, with Student's t. Where the quantity is not linear in the
        kernel, the jackknife also removes the leading part of the bias.

        Args:
            quantity: function of a kernel ``[N, N]`` to a number or an array.
        """
        grams = self.grams.cpu().numpy()
        whole = np.asarray(quantity(grams.mean(0)), dtype=np.float64)
        if self.is_exact:
            return whole, whole, whole
        count = len(grams)
        left_out = np.array(
            [quantity((grams.sum(0) - gram) / (count - 1)) for gram in grams], dtype=np.float64
        )
        estimate = jackknife(whole, left_out)
        value, half = np.asarray(estimate.value), estimate.error * stats.t.ppf(0.975, count - 1)
        return value, value - half, value + half


def neural_tangent_sketch(
    model: nn.Module,
    x: Real[Tensor, "N ..."] | Any,
    *,
    projections: int = 8,
    seed: int = 0,
    memory: int | str = "4GiB",
    precision: Precision = "model",
) -> TangentSketch:
    """Estimate the tangent kernel of a model of many outputs between all points, without bias and with its error.

    The work is that of ``projections`` kernels of a single output, whatever the number of outputs.

    Args:
        model, x, memory: as for :func:`empirics.measure.neural_tangent_gram`.
        projections: number of projections, at least 2; default 8.
        seed: seed of the signs; default 0.
        precision: ``"model"`` (default) keeps the precision of the model, ``"float64"`` copies it in float64.

    Raises:
        ValueError, TypeError: under the conditions of :func:`empirics.measure.neural_tangent_gram`.

    >>> sketch = neural_tangent_sketch(nn.Linear(3, 10), torch.randn(4, 3), projections=4)
    >>> sketch.grams.shape, sketch.is_exact
    (torch.Size([4, 4, 4]), False)
    """
    checks.instance("model", model, nn.Module, "an nn.Module")
    count = checks.integer("projections", projections, FEWEST, MOST)
    generator = torch.Generator().manual_seed(checks.seed("seed", seed))
    outputs = prepare(model, x, precision, tokens=True).features
    if outputs == 1:
        gram = neural_tangent_gram(model, x, memory=memory, precision=precision)
        return TangentSketch(gram.unsqueeze(0), is_exact=True)
    signs = _signs(count, outputs, generator)
    projected = Projected(model, signs[0])
    prepared, grams = PreparedModel(projected), []
    for row in signs:
        projected.weights = row
        grams.append(neural_tangent_gram(prepared, x, memory=memory, precision=precision))
    return TangentSketch(torch.stack(grams), is_exact=False)


def _signs(count: int, outputs: int, generator: torch.Generator) -> Tensor:
    """Return orthogonal rows of a Hadamard matrix with random signs ``[count, outputs]``, which lowers variance."""
    order = 1 << (max(count, outputs) - 1).bit_length()
    rows = torch.randperm(order, generator=generator)[:count, None]
    parity = rows & torch.arange(outputs)
    for half in (32, 16, 8, 4, 2, 1):
        parity = parity ^ (parity >> half)
    flips = torch.randint(0, 2, (outputs,), generator=generator)
    return 1.0 - 2.0 * ((parity ^ flips) & 1)
