"""Appendix C.1: moments of the kernels of linear layers, averaged over all weights by an exact quadrature."""

from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Any

import numpy as np

from papers.zavatoneveth2021.ledger.matrices import Array, Case
from theory.core import Programs, numerically

SIGMAS = (0.9, 1.2, 0.7)
SIZES = (3, 2, 2, 1)  # numbers of inputs and of units of each layer
PLACES: Case = {"mu": 11, "nu": 12, "rho": 13, "lambda_": 14}
"""Numbers of the inputs, which are no numbers of units."""
ROW = {number: row for row, number in enumerate(PLACES.values())}
INPUTS = np.random.default_rng(31).normal(size=(4, SIZES[0]))


def layer_of_weights(sigma: float, shape: tuple[int, int], count: int) -> tuple[Array, Array]:
    """All matrices of one layer at the nodes of a quadrature, ``[node, unit, input]``, and their masses."""
    nodes, masses = np.polynomial.hermite_e.hermegauss(count)
    entries = shape[0] * shape[1]
    weights = np.array(list(product(nodes, repeat=entries))).reshape(-1, *shape)
    return sigma * weights, np.prod(list(product(masses / masses.sum(), repeat=entries)), axis=1)


@cache
def kernels() -> tuple[Array, tuple[Array, ...]]:
    """Masses of the nodes of three layers, and the kernels of the layers there, ``[node, input, input]``.

    Fourth moments of normal weights are exact with three nodes for each weight, second ones, of the last layer, with
    two.
    """
    signals, masses, found = INPUTS[None], np.ones(1), []
    shapes = zip(SIZES[1:], SIZES, strict=False)
    for sigma, shape, count in zip(SIGMAS, shapes, (3, 3, 2), strict=True):
        weights, more = layer_of_weights(sigma, shape, count)
        forward = np.einsum("wij,spj->swpi", weights, signals) / shape[1] ** 0.5
        signals = forward.reshape(-1, len(INPUTS), shape[0])
        masses = np.outer(masses, more).ravel()
        found.append((signals @ signals.transpose(0, 2, 1) / shape[0], len(more)))
    repeated, behind = [], 1
    for values, count in reversed(found):
        repeated.append(np.repeat(values, behind, axis=0))
        behind *= count
    return masses, tuple(reversed(repeated))


def of_kernels(ell: int, later: int) -> Case:
    """Three small layers and four inputs; ``ell`` and ``later`` are the layers of the letters."""
    masses, values = kernels()
    gram = INPUTS @ INPUTS.T / SIZES[0]
    variances = np.cumprod(np.square(SIGMAS))

    def entries(matrices: Array) -> Callable[..., Array]:
        return lambda i, k: matrices[..., ROW[i], ROW[k]]

    return {
        "E_W": lambda numbers: float(numbers @ masses), "K_of": entries(values[ell - 1]),
        "K_later": entries(values[later - 1]), "K_before": entries(values[ell - 2]), "K_one": entries(values[0]),
        "K_one_inf": entries(variances[0] * gram), "K_inf_of": entries(variances[ell - 1] * gram),
        "sigma_ell": SIGMAS[ell - 1], "sigma_1": SIGMAS[0], "variances": variances[ell - 1],
        "variances_later": variances[later - 1] / variances[ell - 1],
        "n_ell": SIZES[ell], "n_1": SIZES[1], "n_0": SIZES[0],
        "x": lambda i: INPUTS[ROW[i]], "dot": lambda a, b: float(a @ b), **PLACES,
    }  # fmt: skip


def first_layer() -> list[Case]:
    """The first of three small layers, four inputs, all weights averaged exactly."""
    return [of_kernels(1, 2)]


def later_layers() -> list[Case]:
    """Pairs of three small layers, four inputs, all weights averaged exactly."""
    return [of_kernels(1, 2), of_kernels(1, 3), of_kernels(2, 3)]


def second_layer() -> list[Case]:
    """The second of three small layers, four inputs, all weights averaged exactly."""
    return [of_kernels(2, 3)]


def single_weights() -> list[Case]:
    """Products of four weights of one layer with two inputs and two outputs, for all indices, averaged exactly."""
    grid, weights = layer_of_weights(SIGMAS[1], (2, 2), 3)
    shared: dict[str, Any] = {
        "E_layer": lambda values: float(values @ weights), "sigma_ell": SIGMAS[1],
        "W": lambda a, b: grid[:, int(a) - 1, int(b) - 1], "delta_of": lambda a, b: float(a == b),
    }  # fmt: skip
    cases: list[Case] = [
        shared | dict(zip("ijklmr", indices, strict=True)) for indices in product((1, 2), repeat=6)
    ]
    return cases


def wide_layers() -> list[Case]:
    """Wide layers: second moments by the exact recursion in the layer, for four inputs."""
    widths = (3e6, 2e6)
    cases: list[Case] = []
    kernel = INPUTS @ INPUTS.T / SIZES[0]
    second = np.einsum("ab,cd->abcd", kernel, kernel)
    for ell, (width, sigma) in enumerate(zip(widths, SIGMAS[:2], strict=True), 1):
        # of K_mr K_nl and of K_ml K_nr of the layer before
        crossed = second.transpose(0, 2, 1, 3) + second.transpose(0, 2, 3, 1)
        second = sigma**4 * (second + crossed / width)
        kernel = sigma**2 * kernel
        later = float(np.prod(np.square(SIGMAS[ell:])))
        covariance = later * (second - np.einsum("ab,cd->abcd", kernel, kernel))
        cases.append(
            {
                "cov_W": lambda one, other, values=covariance: float(values[*one, *other]),
                "K_of": lambda i, k: (ROW[i], ROW[k]), "K_later": lambda i, k: (ROW[i], ROW[k]),
                "variances_later": later, "ell": ell, "rest_n": 0.0,
                "K_inf_of": lambda i, k, values=kernel: float(values[ROW[i], ROW[k]]),
                "n_of": lambda layer: widths[int(layer) - 1], **PLACES,
            }
        )  # fmt: skip
    return cases


PROGRAMS: Programs = {
    "C.1 mean": numerically(second_layer),
    "C.1 later layers": numerically(later_layers),
    "C.1 weights": numerically(single_weights, scale=1.0),
    "C.1 recursion": numerically(second_layer),
    "C.1 first layer": numerically(first_layer),
    "C.1 covariance": numerically(wide_layers, tolerance=1e-4),
}
