"""What is measured of a Leaky ResNet, layer by layer: the names of :func:`empirics.measure.path_state`'s numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float64
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class LeakyResNetState:
    r"""A Leaky ResNet at given points; ``layer`` is ℓ = 1 ... L, ``node`` is ℓ = 0 ... L.

    Quantities that need the momenta are None where no target was given, those that need the weights where these are not
    known.

    Attributes:
        position: :math:`p_\ell`, ``[node]``, from 0 to 1.
        path: A, ``[node, width, point]``.
        momenta: B, ``[node, width, point]``.
        cost_of_identity: :math:`\|A_\ell\|_K^2`, ``[node]``, dimensionless; inf off the image.
        image_residual: fraction of A_ℓ outside the image of σ(A_ℓ)ᵀ, ``[node]``.
        condition: of σ(A_ℓ), ``[node]``.
        gamma: :math:`\gamma_\ell = \gamma_0 \|\sigma(A_\ell)\|_{op}^2`, ``[node]``.
        stable_cost_of_identity: with K + γ, ``[node]``.
        kinetic_energy: :math:`\frac{1}{2 \tilde L} \|\dot A_\ell\|_K^2`, K at ℓ - 1, ``[layer]``; inf off the image.
        velocity_residual: fraction of the velocity outside the image, ``[layer]``.
        stable_kinetic_energy: with K + γ, ``[layer]``.
        stable_hamiltonian: stable kinetic energy minus L̃/2 times the stable cost of identity, ``[layer]``.
        hamiltonian: :math:`\frac{\tilde L}{2} \|B_\ell \sigma(A_{\ell-1})^\top\|^2 - \tilde L \operatorname{Tr} B_\ell
            A_{\ell-1}^\top`, ``[layer]``.
        hamiltonian_at_nodes: the same with (A_ℓ, B_ℓ), ``[node]``.
        activation_values: singular values of A_ℓ, ``[node, rank]``, descending.
        centred_values: of A_ℓ with its mean over points removed, ``[node, rank]``.
        weight_values: singular values of W_ℓ, ``[layer, rank]``.
        path_length: :math:`\sum_\ell \|A_\ell - A_{\ell-1}\|_F`.
        momentum_norm: :math:`\|B_\ell\|_F`, ``[node]``.
        weight_from_momenta_norm: :math:`\|B_\ell \sigma(A_{\ell-1})^\top\|_F`, ``[layer]``.
        stationarity: :math:`\|W_\ell - \tilde L B_\ell \sigma(A_{\ell-1})^\top\|_F / \|W_\ell\|_F`, ``[layer]``: zero
            in a critical net.
        balancedness: :math:`\|W_\ell\|^2 - \|W_1\|^2 - 2 \tilde L \int \|b\|^2` (trapezoidal), ``[layer]``; O(1/L).
        exchange: :math:`\operatorname{Tr} B_\ell A_\ell^\top - \operatorname{Tr} B_{\ell-1} A_{\ell-1}^\top -
            \rho_\ell \|b_\ell\|^2 / \tilde L`, ``[layer]``: the exact discrete law behind balancedness, zero in a
            critical net on any mesh.
    """

    position: Float64[Array, " node"]
    path: Float64[Array, "node width point"]
    cost_of_identity: Float64[Array, " node"]
    image_residual: Float64[Array, " node"]
    condition: Float64[Array, " node"]
    gamma: Float64[Array, " node"]
    stable_cost_of_identity: Float64[Array, " node"]
    kinetic_energy: Float64[Array, " layer"]
    velocity_residual: Float64[Array, " layer"]
    stable_kinetic_energy: Float64[Array, " layer"]
    stable_hamiltonian: Float64[Array, " layer"]
    activation_values: Float64[Array, "node rank"]
    centred_values: Float64[Array, "node rank"]
    path_length: float
    momenta: Float64[Array, "node width point"] | None = None
    hamiltonian: Float64[Array, " layer"] | None = None
    hamiltonian_at_nodes: Float64[Array, " node"] | None = None
    momentum_norm: Float64[Array, " node"] | None = None
    weight_from_momenta_norm: Float64[Array, " layer"] | None = None
    weight_values: Float64[Array, "layer rank"] | None = None
    stationarity: Float64[Array, " layer"] | None = None
    balancedness: Float64[Array, " layer"] | None = None
    exchange: Float64[Array, " layer"] | None = None
