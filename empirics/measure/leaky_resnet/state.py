"""The record of all quantities measured on a Leaky ResNet, the result of :func:`empirics.measure.path_state`."""

from __future__ import annotations

from dataclasses import dataclass

from jaxtyping import Float64

from closedform.checks.arrays import Array
from empirics.measure.measurement_result import MeasurementResult


@dataclass(frozen=True, repr=False)
class LeakyResNetState(MeasurementResult):
    r"""The state of a Leaky ResNet at given points; ``layer`` is ℓ = 1 ... L, ``node`` is ℓ = 0 ... L.

    Quantities that need the momenta are None without a target; those that need the weights are None where the weights
    are not known.

    Attributes:
        position: depth coordinate :math:`p_\ell`, ``[node]``, from 0 to 1.
        path: representations A, ``[node, width, point]``.
        momenta: momenta B, ``[node, width, point]``.
        cost_of_identity: :math:`\|A_\ell\|_K^2`, ``[node]``, dimensionless; inf outside the image.
        image_residual: fraction of A_ℓ outside the image of σ(A_ℓ)ᵀ, ``[node]``, dimensionless.
        condition: condition number of σ(A_ℓ), ``[node]``.
        gamma: :math:`\gamma_\ell = \gamma_0 \|\sigma(A_\ell)\|_{op}^2`, ``[node]``.
        stable_cost_of_identity: cost of identity with K + γ in place of K, ``[node]``.
        kinetic_energy: :math:`\frac{1}{2 \tilde L} \|\dot A_\ell\|_K^2` with K at ℓ - 1, ``[layer]``; inf outside the
            image.
        velocity_residual: fraction of the velocity outside the image, ``[layer]``, dimensionless.
        stable_kinetic_energy: kinetic energy with K + γ in place of K, ``[layer]``.
        stable_hamiltonian: stable kinetic energy minus L̃/2 times the stable cost of identity, ``[layer]``.
        hamiltonian: :math:`\frac{\tilde L}{2} \|B_\ell \sigma(A_{\ell-1})^\top\|^2 - \tilde L \operatorname{Tr} B_\ell
            A_{\ell-1}^\top`, ``[layer]``.
        hamiltonian_at_nodes: the Hamiltonian with (A_ℓ, B_ℓ), ``[node]``.
        activation_values: singular values of A_ℓ, ``[node, rank]``, in descending order.
        centred_values: singular values of A_ℓ minus its mean over points, ``[node, rank]``, in descending order.
        weight_values: singular values of W_ℓ, ``[layer, rank]``, in descending order.
        negative_share: :math:`\|\min(A_\ell, 0)\|_F / \|A_\ell\|_F`, ``[node]``, dimensionless: 0 for representations
            without negative entries, :math:`1/\sqrt2` for as many of either sign.
        path_length: :math:`\sum_\ell \|A_\ell - A_{\ell-1}\|_F`.
        momentum_norm: :math:`\|B_\ell\|_F`, ``[node]``.
        weight_from_momenta_norm: :math:`\|B_\ell \sigma(A_{\ell-1})^\top\|_F`, ``[layer]``.
        stationarity: :math:`\|W_\ell - \tilde L B_\ell \sigma(A_{\ell-1})^\top\|_F / \|W_\ell\|_F`, ``[layer]``: zero
            at a critical point of the training loss.
        balancedness: :math:`\|W_\ell\|^2 - \|W_1\|^2 - 2 \tilde L \int \|b\|^2` (trapezoidal), ``[layer]``; O(1/L).
        exchange: :math:`\operatorname{Tr} B_\ell A_\ell^\top - \operatorname{Tr} B_{\ell-1} A_{\ell-1}^\top -
            \rho_\ell \|b_\ell\|^2 / \tilde L`, ``[layer]``: the residual of the exact discrete law behind
            balancedness, zero at a critical point on any mesh.
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
    negative_share: Float64[Array, " node"]
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
