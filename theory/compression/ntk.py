r"""The tangent kernel of the one-hidden-layer ReLU network at initialisation, and its cusp.

With unit Gaussian weights and biases the preactivations at *x* and *z* are Gaussian with variances
:math:`q_x = \|x\|^2/d + 1`, :math:`q_z`, covariance :math:`c = x\cdot z/d + 1` and angle
:math:`\theta = \arccos(c/\sqrt{q_x q_z})`. The three groups of weights give

.. math:: h\,\Theta(x, z) = E[\sigma\sigma'] + c\,E[\dot\sigma\dot\sigma']
          = \frac{\sqrt{q_x q_z}}{\pi}\bigl[\sin\theta + 2(\pi-\theta)\cos\theta\bigr],

times *h* because :math:`f` carries 1/h. At small angles it falls linearly, :math:`2\pi - \theta + O(\theta^2)`: the
cusp is :math:`\xi = 1`. Source: Paccolat et al. (2021), Eq. (3) and section 3.1.
"""

from functools import cache

import sympy as sp

from theory.core import Argument, ClosedForm, Condition, Premise, Source, Status, Step, applied
from theory.core.formula.special import correlation

xx, zz = sp.symbols("xx zz", nonnegative=True)
xz = sp.Symbol("xz", real=True)
d = sp.Symbol("d", integer=True, positive=True)
theta = sp.Symbol("theta", positive=True)
u = sp.Symbol("u", real=True)
# two vectors with a rational cosine
norm_x, norm_z, m = sp.symbols("norm_x norm_z m", positive=True)

variance_x, variance_z, covariance = xx / d + 1, zz / d + 1, xz / d + 1
angle = sp.acos(correlation(covariance, variance_x, variance_z))
kernel = (
    sp.sqrt(variance_x * variance_z)
    * (sp.sin(angle) + 2 * (sp.pi - angle) * sp.cos(angle))
    / sp.pi
)

# E[sigma sigma'] = sqrt(q_x q_z) kappa and E[sigma_dot sigma_dot'] = kappa_dot, sigma = sqrt(2) max(0, .).
kappa = (sp.sin(theta) + (sp.pi - theta) * sp.cos(theta)) / sp.pi
kappa_dot = (sp.pi - theta) / sp.pi


WIDE, GAUSSIAN = "infinite width", "weights and biases standard Gaussian"
NETWORK = (
    "f(x) = sum_n beta_n sigma(omega_n.x/sqrt(d) + b_n)/width with sigma(u) = sqrt(2) max(0, u)"
)
scale, product, inner, slope = sp.symbols("scale product inner slope", real=True)
TANGENT = Premise(
    "the tangent kernel sums products of slopes of f over the weights: of output weights they are the product of two "
    "activations, of hidden weights and biases x.z/d + 1 times that of two slopes of the activation",
    scale * product + inner * slope,
)
MOMENTS = Premise(
    "the preactivations at x and z have variances |x|^2/d + 1 and |z|^2/d + 1 and covariance x.z/d + 1: the angle of "
    "their correlation, the product of their deviations, and the covariance",
    sp.Matrix([angle, sp.sqrt(variance_x * variance_z), covariance]),
)


@cache
def tangent_kernel() -> ClosedForm:
    """Return the tangent kernel at initialisation times the width, dimensionless. Source: section 2.3.

    >>> round(float(tangent_kernel()(xx=1, zz=1, xz=0.5, d=3)), 4)
    2.1635
    """
    edge = (sp.pi - theta) / 2
    wedge = sp.Integral(sp.cos(u - theta / 2) * sp.cos(u + theta / 2), (u, -edge, edge))
    products = Step(
        "E[sigma sigma'] for unit variances: both preactivations are positive in a wedge of angle pi - theta",
        wedge * 2 / sp.pi,
        kappa,
        because="in polar coordinates of the plane of both preactivations the radial mean of r^2 is 2",
        uses=(GAUSSIAN,),
    )
    slopes = Step(
        "E[sigma' sigma'] is the derivative in the correlation",
        sp.Derivative(kappa, theta) / -sp.sin(theta),
        kappa_dot,
        because="Price's theorem; the correlation is cos(theta)",
        uses=(products,),
    )
    at_angle, deviations, inner_product = MOMENTS.expression
    return ClosedForm(
        name="compression.tangent_kernel",
        meaning="Tangent kernel of the one-hidden-layer ReLU network at initialisation, times its width.",
        arguments=(
            Argument(xx, "squared norm of x", sample=(0.5, 6)),
            Argument(zz, "squared norm of z", sample=(0.5, 6)),
            Argument(xz, "inner product of x and z", sample=(-2, 2)),
            Argument(d, "dimension of the data", sample=(2, 10)),
        ),
        expression=kernel,
        status=Status.DERIVED,
        steps=(
            products,
            slopes,
            applied(
                "sum over the three groups of weights",
                kernel,
                TANGENT,
                {
                    scale: deviations,
                    product: sp.Subs(kappa, theta, at_angle),
                    inner: inner_product,
                    slope: sp.Subs(kappa_dot, theta, at_angle),
                },
                because="output weights give E[sigma sigma'], hidden weights and biases (x.z/d + 1) E[sigma' sigma']",
                where={
                    xx: norm_x**2,
                    zz: norm_z**2,
                    xz: norm_x * norm_z * (1 - m**2) / (1 + m**2),
                },
                uses=(products, slopes, MOMENTS, WIDE, NETWORK, GAUSSIAN),
            ),
        ),
        sources=(Source("paccolat2021", "Eqs. (1), (3)"),),
        assumptions=(WIDE, NETWORK, GAUSSIAN),
        conditions=(Condition(xx * zz - xz**2, "(x.z)^2 <= |x|^2 |z|^2"),),
    )


def cusp_exponent() -> sp.Expr:
    """Return the cusp exponent xi of the kernel, the lowest power of the angle in its series. Source: section 3.1."""
    shape = sp.sin(theta) + 2 * (sp.pi - theta) * sp.cos(theta)
    fall = sp.series(shape.subs(theta, 0) - shape, theta, 0, 4).removeO()
    return min((sp.degree(term, theta) for term in sp.Add.make_args(sp.expand(fall))), key=int)
