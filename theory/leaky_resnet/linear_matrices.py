r"""Hamilton's equations of linear Leaky ResNets, solved for full matrices by two exponentials.

Without activation and bias the critical weights obey a Lax equation, :math:`\partial_p W = [W, W^\top]`: their spectrum
and their antisymmetric part :math:`W - W^\top = \Omega` do not change, and

.. math:: W_p = e^{p\Omega} W_0 e^{-p\Omega}, \quad A_p = e^{p\Omega} e^{p(W_0^\top - \tilde L)} A_0, \quad
   B_p = e^{p\Omega} e^{p(\tilde L - W_0)} B_0 .

The paper does not have these results.
"""

from __future__ import annotations

import numpy as np
import sympy as sp
from numpy.typing import ArrayLike
from scipy.linalg import expm

from closedform.checks.arrays import Array
from theory.core import Premise, Step
from theory.core.numbers.arguments import matrices, positions, positive_number, same_shape
from theory.leaky_resnet.canonical import matrix
from theory.leaky_resnet.symbols import depth as effective_depth

A, B = matrix("a"), matrix("b")
W = effective_depth * B * A.T
LEAK = effective_depth * sp.eye(2)
A_RATE = (W - LEAK) * A
B_RATE = -(W.T - LEAK) * B
W_RATE = effective_depth * (B_RATE * A.T + B * A_RATE.T)
HAMILTON = Premise("Hamilton's equation of A, without activation and bias", A_RATE)
LAX = Step(
    "the weights obey a Lax equation",
    W_RATE,
    W * W.T - W.T * W,
    because="product rule, W = depth B A'",
    uses=(HAMILTON,),
)
STEPS = (
    LAX,
    Step(
        "their antisymmetric part stays",
        W_RATE - W_RATE.T,
        sp.zeros(2, 2),
        because="the commutator of W and its transpose is symmetric",
        uses=(LAX,),
    ),
    Step(
        "rotating weights obey it",
        (W - W.T) * W - W * (W - W.T),
        W * W.T - W.T * W,
        because="derivative of exp(p Omega) W exp(-p Omega)",
        uses=(LAX,),
    ),
    Step(
        "rate of A in the rotating frame",
        sp.MatAdd(W - W.T, W.T - LEAK, evaluate=False),
        W - LEAK,
        because="derivative of exp(p Omega) exp(p (W' - depth)) A",
        uses=(HAMILTON,),
    ),
)


def linear_flow(A0: ArrayLike, B0: ArrayLike, depth: float, p: ArrayLike) -> Array:
    """Return the solution of Hamilton's equations without activation and bias, exact up to two matrix exponentials.

    Args:
        A0: representations at p = 0, [width, samples].
        B0: momenta there, the same shape.
        depth: effective depth, > 0, dimensionless.
        p: positions between 0 and 1, [p], dimensionless.

    Returns:
        Representations and momenta, [p, 2, width, samples].

    Raises:
        TypeError, ValueError: if an argument has the wrong type, shape or value.
        ArithmeticError: if the trajectory leaves double precision.

    Its equations are checked for 2 x 2 matrices, see ``STEPS``.

    >>> linear_flow([[1.0]], [[0.5]], depth=2, p=[0, 1]).shape
    (2, 2, 1, 1)
    """
    start, momenta = matrices("A0", A0), matrices("B0", B0)
    same_shape("A0", start, "B0", momenta)
    if start.ndim != 2:
        raise ValueError(f"A0: got shape {start.shape}, needs one matrix [width, samples]")
    effective = float(positive_number("depth", depth))
    at = positions("p", p)
    with np.errstate(over="ignore", invalid="ignore"):
        weights = effective * momenta @ start.T
        turning, leak = weights - weights.T, effective * np.eye(len(start))
        if not np.isfinite(turning).all():
            raise ArithmeticError("B0: got momenta whose weights leave double precision")
        share = at[:, None, None]
        frames = expm(share * turning)
        ahead = frames @ expm(share * (weights.T - leak)) @ start
        behind = frames @ expm(share * (leak - weights)) @ momenta
    result = np.stack([ahead, behind], axis=1)
    if not np.isfinite(result).all():
        raise ArithmeticError("p: got positions at which the trajectory leaves double precision")
    return result
