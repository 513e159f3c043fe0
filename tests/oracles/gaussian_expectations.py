"""Expectations over two Gaussians by composite Gauss-Legendre quadrature of functions written by hand."""

from __future__ import annotations

import numpy as np
from scipy.special import erf

FUNCTIONS = {
    "erf": lambda z: erf(z / np.sqrt(2)),
    "gelu": lambda z: z * (1 + erf(z / np.sqrt(2))) / 2,
    "sin": np.sin,
    "cos": np.cos,
    "exp": np.exp,
    "gaussian": lambda z: np.exp(-(z**2) / 2),
    "relu": lambda z: np.maximum(z, 0),
    "leaky_relu": lambda z: np.where(z > 0, z, z / 4),
    "relu_power_2": lambda z: np.maximum(z, 0) ** 2,
    "relu_power_3": lambda z: np.maximum(z, 0) ** 3,
    "monomial_3": lambda z: z**3 / np.sqrt(15),
    "hermite_4": lambda z: z**4 - 6 * z**2 + 3,
    "wave_packet": lambda z: np.exp(-(z**2)) * np.sin(z),
    "tanh": np.tanh,
    "softplus": lambda z: np.logaddexp(0, z),
}
# deviations on either side; panels on either side of the kink; nodes in each
REACH, PANELS, NODES = (14.0, 24, 20)


def _half_lines(cut):
    """Nodes and weights on [-REACH, cut] and [cut, REACH], for every cut: two arrays [..., nodes]."""
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    fractions = ((np.arange(PANELS)[:, None] + (1 + nodes) / 2) / PANELS).ravel()
    shares = np.tile(weights / (2 * PANELS), PANELS)
    cut = np.clip(np.asarray(cut), -REACH, REACH)[..., None]
    left, right = -REACH + (cut + REACH) * fractions, cut + (REACH - cut) * fractions
    places = np.concatenate([left, right], -1)
    return places, np.concatenate([(cut + REACH) * shares, (REACH - cut) * shares], -1)


def single_mean(function, variance):
    """``E[function(z)]``; the function may have a kink at 0."""
    u, weight = _half_lines(0.0)
    return (
        function(np.sqrt(variance) * u) * np.exp(-(u**2) / 2) / np.sqrt(2 * np.pi) * weight
    ).sum()


def pair_mean(one, other, variance_x, variance_y, covariance):
    """``E[one(z) other(z')]``, by conditioning z' on z; both are cut at 0, where they may have kinks."""
    slope = covariance / variance_x
    rest = np.sqrt(variance_y - covariance * slope)
    u, weight = _half_lines(0.0)
    z = np.sqrt(variance_x) * u
    t, inner_weight = _half_lines(-slope * z / rest)
    density = np.exp(-(t**2) / 2) / np.sqrt(2 * np.pi)
    inner = (other(slope * z[:, None] + rest * t) * density * inner_weight).sum(-1)
    return (one(z) * inner * np.exp(-(u**2) / 2) / np.sqrt(2 * np.pi) * weight).sum()
