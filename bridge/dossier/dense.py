r"""Recognition of fully connected networks, and what infinite width predicts of their kernels at initialisation.

The network has L hidden layers of widths :math:`n_1, \dots, n_L`, with independent weights of variance
:math:`\sigma_l^2` and biases of variance :math:`\zeta_l^2` in layer l. With
:math:`k_0(x, y) = x \cdot y / n_0`, the pre-activations of layer l have the covariance
:math:`n_{l-1} \sigma_l^2 k_{l-1} + \zeta_l^2`; :math:`k_l` and :math:`\dot k_l` are the expectations of
:math:`\varphi(z_x) \varphi(z_y)` and :math:`\varphi'(z_x) \varphi'(z_y)`. The tangent kernel, summed over the C
outputs, is

.. math:: \Theta = \sum_{l=1}^{L+1} (n_{l-1} k_{l-1} + 1)\, D_l, \qquad
    D_{L+1} = C, \quad D_l = n_l \sigma_{l+1}^2 \dot k_l D_{l+1},

without the 1 in layers without biases. It is the kernel of the parametrisation that torch trains, at the actual widths.
"""

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from bridge.dossier.network import MeasuredNetwork
from bridge.statistics.arrays import Array
from closedform.activation_names import NAMES
from empirics.networks import Elementwise
from theory.activations import Activation

# sums are found by the outputs below
PASSED_OVER = ("Flatten", "Identity", "Dropout", "AlphaDropout", "add()")
SAME = 1e-5  # relative difference of an activation in float32 from its expression


@dataclass(frozen=True)
class Dense:
    """A fully connected network."""

    maps: tuple[nn.Linear, ...]  # from first to last
    activations: tuple[Activation, ...]  # between each two of them, as expressions
    names: tuple[str, ...]  # of the calls of the activations

    @property
    def widths(self) -> tuple[int, ...]:
        """Numbers of inputs and of units of all layers, outputs included."""
        return (self.maps[0].in_features, *(layer.out_features for layer in self.maps))

    def parameters(self) -> list[tuple[Array, Array]]:
        """Return weights ``[out, in]`` and biases ``[out]`` of every layer; zeros for missing biases."""
        return [
            (_numbers(m.weight), np.zeros(m.out_features) if m.bias is None else _numbers(m.bias))
            for m in self.maps
        ]

    def default_variances(self) -> tuple[list[float], list[float]]:
        """Return the variances of weights and biases with which torch initialises linear layers."""
        weights = [1 / (3 * layer.in_features) for layer in self.maps]
        return weights, [
            0.0 if m.bias is None else w for m, w in zip(self.maps, weights, strict=True)
        ]

    def variances(self) -> tuple[list[float], list[float]]:
        """Return the mean squares of the current weights and biases of every layer."""
        biases = [
            0.0 if m.bias is None else float(m.bias.detach().double().square().mean())
            for m in self.maps
        ]
        return [float(m.weight.detach().double().square().mean()) for m in self.maps], biases


def dense_of(network: MeasuredNetwork) -> Dense:
    """Return the network as linear layers and activations in turn; a ValueError says what else it is."""
    sites = [site for site in network.sites if site.operation not in PASSED_OVER]
    between = sites[1::2]
    if (
        len(sites) < 3
        or len(sites) % 2 == 0
        or any(site.operation != "Linear" for site in sites[::2])
    ):
        raise ValueError(
            "only networks of linear layers and activations in turn have a known infinite width here"
        )
    if not all(site.is_nonlinearity for site in between):
        raise ValueError("a call between two linear layers is not an elementwise activation")
    maps = [network.model.get_submodule(site.key[0]) for site in sites[::2]]
    weights = list(chain.from_iterable(layer.parameters() for layer in maps))
    if any(weight.is_complex() for weight in weights):
        raise ValueError("weights are complex, and infinite width here has real ones")
    if len(set(map(id, weights))) < len(weights):
        raise ValueError(
            "linear layers share parameters, which infinite width here takes to be independent"
        )
    functions = [_function(network.model, site) for site in between]
    _require_nothing_else(network, maps, functions)
    dtype = network.example.dtype
    known = tuple(
        _expression(function, dtype, site.operation)
        for function, site in zip(functions, between, strict=True)
    )
    return Dense(
        tuple(m for m in maps if isinstance(m, nn.Linear)),
        known,
        tuple(site.name for site in between),
    )


def _require_nothing_else(
    network: MeasuredNetwork, maps: Sequence[Any], functions: Sequence[Any]
) -> None:
    """Raise ValueError unless the layers and activations in turn give the outputs of the network."""
    x = network.inputs[:4]
    if x[0].numel() != maps[0].in_features:
        raise ValueError("the network does more than its linear layers and activations in turn")
    with torch.no_grad():
        h = x.flatten(1)
        for layer, activation in zip(maps, [*functions, None], strict=True):
            h = layer(h) if activation is None else activation(layer(h))
        expected = network.model(x.clone())
        if h.shape != expected.shape or not torch.allclose(h, expected, rtol=1e-4, atol=1e-6):
            raise ValueError(
                "the network does more than its linear layers and activations in turn"
            )


def _function(model: nn.Module, site: Any) -> Any:

    if not site.operation.endswith("()"):
        return model.get_submodule(site.key[0])
    name = site.operation.removesuffix("()")
    return getattr(torch.nn.functional, name, None) or getattr(torch, name)


def _expression(function: Any, dtype: Any, name: str) -> Activation:
    """Return the activation whose expression has the values of ``function``."""
    import sympy as sp

    from theory import activations

    slope = getattr(function, "negative_slope", 0.01)
    candidates = [activations.from_text(name) for name in NAMES]
    candidates += [
        activations.LEAKY_RELU(slope),
        activations.from_expression(sp.erf(activations.z)),
    ]
    if isinstance(function, Elementwise):
        with contextlib.suppress(ValueError):  # a name that only empirics knows, or an import path
            candidates.append(activations.from_text(function.name))
    z = torch.linspace(-3, 3, 25, dtype=torch.float64)
    if torch.finfo(dtype).eps > SAME and not list(getattr(function, "parameters", list)()):
        dtype = torch.float64  # half precision is too coarse to tell expressions apart
    with torch.no_grad():
        values = function(z.to(dtype)).double().numpy()
    for candidate in candidates:
        if np.allclose(candidate.function(0)(z.numpy()), values, rtol=SAME, atol=SAME):
            return candidate
    raise ValueError(f"the activation {name} has none of the expressions known here")


def _numbers(parameter: Tensor) -> Array:
    return np.asarray(parameter.detach().double().cpu().numpy())


def pairs(count: int) -> tuple[Any, Any]:
    """Return the indices of the pairs of different points, first and second."""
    return np.triu_indices(count, 1)


@np.errstate(over="ignore")  # 1/cosh of a large number is 0
def wide_kernels(
    network: Dense, weights: list[float], biases: list[float], x: Array
) -> tuple[list[Array], Array]:
    """Return kernels ``[N, N]`` of infinitely wide layers and the tangent kernel, at the variances of each layer."""
    from theory.geometry.kernel_layers import wide_layer

    widths = network.widths
    kernel, below, slopes = x @ x.T / widths[0], [], []
    first, second = pairs(len(x))
    for level, activation in enumerate(network.activations):
        layer = wide_layer(activation, True)
        covariance = widths[level] * weights[level] * kernel + biases[level]
        variance = np.diag(covariance)
        values = layer.pair(variance[first], variance[second], covariance[first, second])
        below.append(kernel)
        kernel, slope = (
            _symmetric(on, off) for on, off in zip(layer.diagonal(variance), values, strict=True)
        )
        slopes.append(slope)
    has_bias = [float(m.bias is not None) for m in network.maps]
    backward = np.full_like(kernel, widths[-1])
    tangent = (widths[-2] * kernel + has_bias[-1]) * backward
    for level in reversed(range(len(slopes))):
        backward = widths[level + 1] * weights[level + 1] * slopes[level] * backward
        tangent = tangent + (widths[level] * below[level] + has_bias[level]) * backward
    return [*below[1:], kernel], tangent


def _symmetric(diagonal: Array, off: Any) -> Array:
    matrix = np.diag(diagonal)
    first, second = pairs(len(diagonal))
    matrix[first, second] = matrix[second, first] = off
    return matrix


def finite_kernels(
    network: Dense, weights: list[float], biases: list[float], x: Array, seed: int
) -> tuple[list[Array], Array]:
    """Return the same kernels of one network of the given widths with normal weights drawn at random."""
    random = np.random.default_rng(seed)
    drawn = [
        (
            random.normal(0, w**0.5, (m.out_features, m.in_features)),
            random.normal(0, b**0.5, m.out_features),
        )
        for m, w, b in zip(network.maps, weights, biases, strict=True)
    ]
    return kernels_of(network, drawn, x)


@np.errstate(over="ignore")
def kernels_of(
    network: Dense, layers: list[tuple[Array, Array]], x: Array
) -> tuple[list[Array], Array]:
    """Return the kernels of a network with the given weights and biases, by backpropagation written out."""
    features, slopes = [x], []
    for (w, b), activation in zip(layers, network.activations, strict=False):
        z = features[-1] @ w.T + b
        features.append(activation.function(0)(z))
        slopes.append(activation.function(1)(z))
    outputs, count = network.widths[-1], len(x)
    backward = np.broadcast_to(np.eye(outputs)[:, None, :], (outputs, count, outputs))
    tangent = np.zeros((count, count))
    for level in reversed(range(len(layers))):
        products = np.einsum("oni,omi->nm", backward, backward, optimize=True)
        has_bias = network.maps[level].bias is not None
        tangent += (features[level] @ features[level].T + has_bias) * products
        if level:
            backward = (backward @ layers[level][0]) * slopes[level - 1]
    return [h @ h.T / h.shape[1] for h in features[1:]], tangent
