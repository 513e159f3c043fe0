"""How far the kernels of finite networks are expected to be from :func:`kernel_matrix`, which is of infinite width."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from closedform import networks
from closedform.checks import MOST_LAYERS, integer, one_of
from theory.activations import ActivationLike
from theory.activations.naming import activation as chosen_activation
from theory.core.numbers.arguments import in_domain
from theory.engine.expected_spread import ExpectedSpread, expected_spread
from theory.geometry.kernel_arrays import inputs, number
from theory.geometry.network_matrices import words_of
from theory.geometry.ntk_metric import XI
from theory.geometry.symbols import SIGMA, ZETA


class KernelAtWidth(NamedTuple):
    """A kernel of infinite width, and how far that of a network of finite width is expected to be from it.

    Printed, it says so in words.

    >>> from theory.geometry import kernel_matrix
    >>> pair = kernel_matrix("relu", [[1.0, 0.0]], sigma=2**0.5, width=50)
    >>> pair.kernel.round(6).tolist(), round(pair.spread.deviation, 6)
    ([[1.0]], 0.316228)
    """

    kernel: Any
    """Kernel of infinite width, ``[N, M]``."""
    spread: ExpectedSpread
    """Its relative variance over random networks of this width, at the mean squared norm of the inputs."""

    def __repr__(self) -> str:
        return f"{self.kernel!r}\n{self.spread}"


def kernel_spread(
    activation: ActivationLike | networks.Network,
    X: Any,
    depth: int = 1,
    kind: Literal["nngp", "ntk", "scaled_ntk"] = "nngp",
    *,
    width: int | Sequence[int] | None = None,
    sigma: float = 1.0,
    zeta: float = 0.0,
    xi: float = 1.0,
) -> ExpectedSpread:
    """Return the relative variance that the kernel of :func:`kernel_matrix` has over random networks of finite width.

    It is that of the kernel of an input with itself, to first order in 1/width, at the mean squared norm of the inputs.

    Args:
        activation, depth, kind, sigma, zeta, xi: as for :func:`kernel_matrix`, with its defaults. Of a network in
            words, the widths are those of its layers.
        X: inputs ``[N, d]``.
        width: number of units of every hidden layer, or one number for each of them.

    Returns:
        The spread, dimensionless, with a sentence; printed, it also says where it was measured to hold.

    Raises:
        TypeError: if an argument has the wrong type.
        ValueError: if a value is not as described, or the network has other layers than dense ones.

    >>> spread = kernel_spread("relu", [[1.0, 0.0], [0.0, 2.0]], depth=6, width=100, sigma=2**0.5)
    >>> round(spread.spread, 12), spread.where
    (0.3, 'at width 100, depth 6')
    """
    squared_norm = float(np.square(inputs("X", X, finite=True)).sum(axis=1).mean())
    chosen = str(one_of("kind", kind, ("nngp", "ntk", "scaled_ntk")))
    of: Literal["nngp", "ntk"] = "nngp" if chosen == "nngp" else "ntk"
    if isinstance(activation, networks.Network):
        if width is not None:
            raise ValueError(
                "width: got one beside a network, which has its own in its layers; kernel_spread(network, X) uses them"
            )
        return expected_spread(activation, squared_norm, of)
    layers = integer("depth", depth, 1, MOST_LAYERS)
    scales = number("sigma", sigma), number("zeta", zeta), number("xi", xi)
    in_domain((SIGMA, ZETA, XI), scales)
    chosen_act = chosen_activation("activation", activation)
    variances = [scale**2 for scale in scales]
    net = words_of(chosen_act, _widths(width, layers), chosen, variances)
    return expected_spread(net, squared_norm, of)


def _widths(width: Any, depth: int) -> list[int]:
    """Return the width of each hidden layer; TypeError or ValueError if they are no such numbers."""
    if width is None:
        raise ValueError(
            "width: got none, needs the number of units of every hidden layer, or one for each"
        )
    if not isinstance(width, (list, tuple, np.ndarray)):
        return [integer("width", width, 1)] * depth
    if len(width) != depth:
        raise ValueError(
            f"width: got {len(width)} numbers, needs one, or one for each of the {depth} hidden layers"
        )
    return [integer("width", units, 1) for units in width]
