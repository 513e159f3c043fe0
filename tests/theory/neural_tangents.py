"""Networks in words, whose kernels neural-tangents 0.6.5 computed in float64.

``REFERENCE`` has inputs ``x`` [2, 5] and ``xc`` [2, 4 positions, 3 channels] and, by the name of a network, the kernel
and the tangent kernel of both inputs, [kind, input, input]. Their own diagonals of tangent kernels have nine digits.
"""

from __future__ import annotations

import json
from pathlib import Path

import sympy as sp

from theory.engine import Act, Conv, Dense, Flatten, Norm, Pool, Product, residual

REFERENCE = json.loads((Path(__file__).parent / "engine" / "neural_tangents.json").read_text())


def square(decimal: float) -> sp.Rational:
    """The variance of a standard deviation as it is printed."""
    return sp.Rational(str(decimal)) ** 2


def dense(weight: float = 1.3, bias: float = 0.4) -> Dense:
    """A dense layer with standard deviations of weights and biases."""
    return Dense(square(weight), square(bias))


def conv(weight: float = 1.3, bias: float = 0.4) -> Conv:
    """A convolution with standard deviations of weights and biases."""
    return Conv(square(weight), square(bias))


RELU, ERF, READOUT = Act("relu"), Act("erf(z)"), dense(1, 0)
IMAGES = conv() >> RELU >> conv(1.1, 0.2) >> ERF
BRANCH = RELU >> dense(1.1, 0.2) >> ERF >> dense(0.9, 0.3)
NORMED = dense() >> Norm() >> RELU >> dense(1.1, 0.2)
NETWORKS = {
    "relu_erf_sin": dense() >> BRANCH >> Act("sin") >> READOUT,
    "residual_relu_erf": dense() >> residual(BRANCH) >> RELU >> READOUT,
    "norm": NORMED >> Norm() >> Act("gelu") >> dense(1, 0.1),
    "product": dense()
    >> Product(dense(1, 0.1) >> RELU, dense(0.7, 0.2) >> ERF)
    >> dense(1.2, 0.1),
    "conv_flat": IMAGES >> Flatten() >> dense(1, 0.1),
    "conv_pool": IMAGES >> Pool() >> dense(1, 0.1),
}
