r"""A critical Leaky ResNet with finitely many layers, which is a symplectic integrator of its own geodesic.

With steps :math:`\rho_\ell` and :math:`B_\ell = -\tfrac1\lambda \partial C/\partial A_\ell` criticality gives
:math:`W_\ell = \tilde L B_\ell \sigma(A_{\ell-1})^\top`. The forward and backward passes are then

.. math:: A_\ell = A_{\ell-1} + \rho_\ell\, \partial_B H(A_{\ell-1}, B_\ell), \qquad
   B_\ell = B_{\ell-1} - \rho_\ell\, \partial_A H(A_{\ell-1}, B_\ell) :

which is the symplectic Euler method, explicit in the representations and implicit in the momenta. It is of first order;
without bias it keeps :math:`\operatorname{Tr} B_\ell A_\ell^\top` exactly, as it does every bilinear invariant, and *H*
to :math:`O(\rho)`. One linear mode on equal steps lies on the exact geodesic, :math:`s_\ell = s_0 (s_1/s_0)^{\ell/L}`,
and only its weight is off: :math:`\tilde L + L ((s_1/s_0)^{1/L} - 1)`, by :math:`\log^2(s_1/s_0)/2L`. Not in the paper.
"""

from dataclasses import replace

import numpy as np
import sympy as sp

from theory.core import ClosedForm, Premise, Step, differentiated, phi1
from theory.core.numbers.arguments import LARGEST_ARRAY, integer, positive_number
from theory.engine import Recursion
from theory.engine.recursion import INDEX
from theory.leaky_resnet.canonical import MASK, A, B, features, masked, weights
from theory.leaky_resnet.linear_modes import ASSUMPTIONS, LinearGeodesic, geodesic_form, growth
from theory.leaky_resnet.symbols import DEPTH, END, LAYERS, START, depth, end, layers, start

weight_expression = depth + growth * phi1(growth / layers)

# The symbols describe one layer of two neurons and two samples: representations before, momenta after, any slopes.
step = sp.Symbol("rho", positive=True)
energy = depth / 2 * (B * features.T * features * B.T).trace() - depth * (B * A.T).trace()
forward = (1 - step * depth) * A + step * weights * features
backward = (1 - step * depth) * B + step * masked(MASK, (weights.T * B)[:2, :])


EQUAL = "equal steps 1/layers"
LAYER = Premise(
    "a layer: A after = (1 - rho depth) A + rho W σ(A), weights critical: W = depth B σ(A)'",
    forward,
)

# of the change from A before and B after to A after and B before, which is symplectic as it has one
generating = (B * A.T).trace() + step * energy
SYMPLECTIC = "a layer is a symplectic step of its own geodesic"
STEPS = tuple(
    replace(
        differentiated(f"{name} pass", result, generating, letters, because, uses=(LAYER,)),
        aside=SYMPLECTIC,
    )
    for name, result, letters, because in (
        (
            "forward",
            forward,
            B,
            "A after, from A before and B after, is the slope of Tr B A' + rho H in B",
        ),
        ("backward", backward, A, "B before, from A before and B after, is its slope in A"),
    )
)


weight, mode = sp.symbols("weight mode", real=True)
# one mode in a layer of a linear network; equal weights minimise the sum of their squares
after_layers = Recursion(
    {mode: (1 - depth / layers) * mode + weight / layers * mode},
    {mode: start},
    uses=(LAYER, *ASSUMPTIONS, EQUAL),
).solve()[mode]


def discrete_mode_weight() -> ClosedForm:
    """Return the weight of one mode in every layer of a critical linear network with equal steps, dimensionless."""
    return geodesic_form(
        name="leaky_resnet.discrete_mode_weight",
        meaning="Weight of one singular mode in each layer of a linear Leaky ResNet with equal steps.",
        arguments=(START, END, DEPTH, LAYERS),
        expression=weight_expression,
        assumptions=(*ASSUMPTIONS, EQUAL),
        steps=(
            *STEPS,
            *after_layers.steps,
            Step(
                "so many layers lead from start to end",
                sp.Subs(after_layers.expression, (INDEX, weight), (layers, weight_expression)),
                end,
                because="all layers",
                uses=(*after_layers.steps[-1:], *ASSUMPTIONS, EQUAL),
            ),
        ),
    )


def discrete_geodesic(s0: float, s1: float, depth: float, layers: int) -> LinearGeodesic:
    """Return one singular mode of a critical linear network with equal steps, from s0 to s1.

    Args:
        s0: singular value before the first layer, > 0, in units of the representation.
        s1: singular value after the last layer, > 0, in units of the representation.
        depth: effective depth, > 0, dimensionless.
        layers: number of layers, > 0.

    Returns:
        The mode, with ``path`` [layers + 1]; ``hamiltonian``, evaluated at staggered points and equal in all layers;
        ``weight_norm``, the sum of the steps times the squared weights.

    >>> discrete_geodesic(1, 2, depth=3, layers=4).path.round(4).tolist()
    [1.0, 1.1892, 1.4142, 1.6818, 2.0]
    """
    first, last, effective = (
        positive_number("s0", s0),
        positive_number("s1", s1),
        positive_number("depth", depth),
    )
    count = integer("layers", layers, 1, LARGEST_ARRAY)
    log_ratio = np.log(last) - np.log(first)
    weight = effective + count * np.expm1(log_ratio / count)
    path = first * np.exp(log_ratio * np.arange(count + 1) / count)
    return LinearGeodesic(path, weight**2 / (2 * effective) - weight, weight**2)
