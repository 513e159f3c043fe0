"""Symbols for two pre-activations, which are centred Gaussians with two variances and a covariance."""

import sympy as sp

from theory.core import Argument, Condition, Premise

variance = sp.Symbol("variance", positive=True)
variance_x, variance_y = sp.symbols("variance_x variance_y", positive=True)
covariance = sp.Symbol("covariance", real=True)

VARIANCE = Argument(
    variance, "variance of the pre-activation", sample=(0.2, 3), example=1, latex="v"
)
VARIANCE_X = Argument(
    variance_x, "variance of the first pre-activation", sample=(0.6, 3), example=1, latex="v_x"
)
VARIANCE_Y = Argument(
    variance_y, "variance of the second pre-activation", sample=(0.6, 3), example=1, latex="v_y"
)
COVARIANCE = Argument(
    covariance, "covariance of the two pre-activations", sample=(-0.5, 0.5), example=0.3, latex="c"
)
PAIR = (VARIANCE_X, VARIANCE_Y, COVARIANCE)

CAUCHY_SCHWARZ = Condition(
    variance_x * variance_y - covariance**2,
    "covariance^2 <= variance_x * variance_y, by Cauchy and Schwarz",
)

z_x, z_y, m_x, m_y = sp.symbols("z_x z_y m m_y", real=True)
_DETERMINANT = variance_x * variance_y - covariance**2
_SQUARES = (
    variance_y * (z_x - m_x) ** 2
    + variance_x * (z_y - m_y) ** 2
    - 2 * covariance * (z_x - m_x) * (z_y - m_y)
)
MEAN = Premise(
    "E is the mean over jointly Gaussian pre-activations, of mean zero where no other mean is named",
    sp.exp(-_SQUARES / (2 * _DETERMINANT)) / (2 * sp.pi * sp.sqrt(_DETERMINANT)),
)
