r"""Symmetries of a Leaky ResNet: changes of its parameters that leave its function unchanged.

==================  ==============================================  ===========================================
change              continuous                                      with finitely many layers
==================  ==============================================  ===========================================
range [0, c]        W/c, leakage/c                                  the same, steps times c: exact
leakage + c         A scaled by exp(-c p); bias likewise            A scaled by the product of (1 - rho (L+c)) /
                                                                    (1 - rho L), and weights by one factor of it
==================  ==============================================  ===========================================

Without bias the weights of the second symmetry stay as they are when *p* is continuous, and shrink by a factor a layer
when it is not. If a step times the leakage equals one, the skip connection vanishes and the layer is fully connected.
"""

import sympy as sp

from theory.core import Step
from theory.leaky_resnet.symbols import depth, position

c = sp.Symbol("c", positive=True)
q = sp.Symbol("q", nonnegative=True)
step = sp.Symbol("rho", positive=True)
weight, offset, slope, before = sp.symbols("weight offset slope before", real=True)
alpha = sp.Function("alpha", real=True)
W = sp.Function("W", real=True)
b = sp.Function("b", real=True)


def leaky_rate(leak: sp.Expr, state: sp.Expr, weights: sp.Expr, biases: sp.Expr) -> sp.Expr:
    """Return the right-hand side of the differential equation for one neuron, at any fixed slope of its activation."""
    return -leak * state + weights * slope * state + biases


def leaky_layer(
    leak: sp.Expr, length: sp.Expr, state: sp.Expr, weights: sp.Expr, biases: sp.Expr
) -> sp.Expr:
    """Return the output of one layer of a network with finitely many layers."""
    return (1 - length * leak) * state + length * (weights * slope * state + biases)


_dynamics = {
    sp.Derivative(alpha(position), position): leaky_rate(
        depth, alpha(position), W(position), b(position)
    )
}
ratio = (1 - step * (depth + c)) / (1 - step * depth)
scaled = sp.exp(-c * position) * alpha(position)
_scaled_rate = sp.diff(scaled, position).subs(_dynamics)

RANGE = (
    Step(
        "stretched path",
        leaky_rate(depth / c, alpha(q / c), W(q / c) / c, b(q / c) / c),
        leaky_rate(depth, alpha(q / c), W(q / c), b(q / c)) / c,
        because="the equation is linear in leakage, weights and bias; 1/c is the derivative of q/c",
    ),
    Step(
        "with finitely many layers",
        leaky_layer(depth / c, c * step, before, weight / c, offset / c),
        leaky_layer(depth, step, before, weight, offset),
        because="only products of step and leakage, weights and bias occur",
    ),
)
LEAKAGE = (
    Step(
        "more leakage, bias scaled too",
        leaky_rate(depth + c, scaled, W(position), sp.exp(-c * position) * b(position)),
        _scaled_rate,
        because="the activation is homogeneous",
    ),
    Step(
        "with finitely many layers, one of them",
        leaky_layer(depth + c, step, before, weight * ratio, offset * ratio),
        ratio * leaky_layer(depth, step, before, weight, offset),
        because="weights and bias shrink by the same factor as the skip connection",
    ),
)
