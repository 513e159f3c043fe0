"""The recursion of a kernel through the layers of a deep network, for all pairs of a few inputs at once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from closedform.checks.arrays import Array
from theory.geometry.kernel_layers import WideLayer
from theory.geometry.kernel_textbook import ErrorFunction, PiecewiseLinear


@dataclass(frozen=True)
class Recursion:
    """The recursion through all layers.

    Attributes:
        layer: expectations over the pre-activations of each layer.
        slopes: whether the kernel is a tangent kernel, for which the layer has the kernel of the slopes, too.
        depth: number of hidden layers.
        weights: variance of each weight, in 1/input^2 in the first layer and dimensionless above.
        biases: variance of each bias, dimensionless.
        readout: variance of each readout weight, dimensionless.
        gains: of a tangent kernel, factors of the gradients in weights, biases and readout weights; else empty.
    """

    layer: WideLayer | PiecewiseLinear | ErrorFunction
    slopes: bool
    depth: int
    weights: float
    biases: float
    readout: float
    gains: tuple[float, ...] = ()

    @property
    def scales(self) -> tuple[float, ...]:
        """Return what ``through`` takes."""
        return self.weights, self.biases, self.readout, *self.gains

    def diagonal(self, squared: Array) -> tuple[list[Array], Array]:
        """Return the variances of the pre-activations of every layer and the kernel, from squared norms ``[n]``."""
        variances: list[Array] = []

        def layer(level: int, variance: Array) -> tuple[Array, ...]:
            variances.append(variance)
            return self.layer.diagonal(variance, self.biases > 0)

        return variances, through(self.scales, self.depth, squared, layer)

    def kernel(self, products: Array, down: Sequence[Array], right: Sequence[Array]) -> Array:
        """Return the kernel of the inputs of some rows and columns.

        Args:
            products: inner products of the inputs, ``[n, m]``.
            down: variances of the inputs of the rows in every layer, ``[n]`` each.
            right: variances of the inputs of the columns in every layer, ``[m]`` each.

        Returns:
            The kernel ``[n, m]``, dimensionless.
        """

        def layer(level: int, covariance: Array) -> tuple[Array, ...]:
            return self.layer.pair(down[level][:, None], right[level][None], covariance)

        return through(self.scales, self.depth, products, layer)  # type: ignore[no-any-return]


def through(
    scales: Sequence[Any], depth: int, kernel: Any, layer: Callable[[int, Any], Sequence[Any]]
) -> Any:
    """Return the kernel above all layers, from that of the inputs.

    ``layer`` has the kernel of the features, and of the slopes if wanted, for a level and covariances below it.
    """
    weights, biases, readout, *gains = scales
    tangent = gains[1] + gains[0] * kernel if gains else None
    for level in range(depth):
        kernel, *slopes = layer(level, weights * kernel + biases)
        if gains and level == depth - 1:
            return gains[2] * kernel + readout * slopes[0] * tangent
        if gains:
            tangent = gains[1] + gains[0] * kernel + weights * slopes[0] * tangent
    return kernel
