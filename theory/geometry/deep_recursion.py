r"""The recursion of variance and metric from one layer of a deep infinitely wide network to the next.

The formulas are those of ``theory.geometry.deep``.
"""

from functools import lru_cache

import sympy as sp

from theory import gaussian
from theory.activations import Activation
from theory.core import Premise, Step
from theory.gaussian.integrals import gaussian_mean, gaussian_mean_derivative
from theory.gaussian.symbols import covariance, variance_x, variance_y
from theory.gaussian.symbols import variance as v
from theory.geometry import rotational
from theory.geometry.kernel import covariance_step
from theory.geometry.symbols import sigma, zeta

step = sp.Symbol("h", real=True)
"""A change of r."""


def taylor(jet: tuple[sp.Expr, ...], change: sp.Expr) -> sp.Expr:
    """Return the polynomial with these derivatives, from the order 0 on, as a function of the change."""
    return sum((entry * change**order / sp.factorial(order) for order, entry in enumerate(jet)), sp.S.Zero)


@lru_cache(maxsize=64)
def second_moment(act: Activation) -> tuple[sp.Expr, sp.Expr, sp.Expr]:
    """Return ``E[phi(z)^2]`` and its first two derivatives, in ``theory.gaussian.symbols.variance``."""
    pair = gaussian.kernel(act).expression
    if not pair.has(sp.Integral):
        moment = sp.simplify(pair.subs({variance_x: v, variance_y: v, covariance: v}, simultaneous=True))
        return moment, sp.diff(moment, v), sp.diff(moment, v, 2)
    square = Activation("square", act.expression**2, act.kinks)
    if not act.smooth:
        first, second, third = (gaussian_mean_derivative(square.expression, v, act.kinks, order) for order in range(3))
        return first, second, third
    # d/dv E[f] = E[f'']/2
    return tuple(gaussian_mean(square.derivative(2 * order) / 2**order, v) for order in range(3))  # type: ignore[return-value]


@lru_cache(maxsize=1)
def recursion_steps() -> tuple[Step, ...]:
    """The recursion for e^(theta1 z), e^(theta2 z) above any kernel, hence for every phi, by bilinearity."""
    first, second = sp.symbols("theta1 theta2", real=True)
    xx, yy, xy, rest = sp.symbols("xx yy xy r", real=True)
    k0, kx, kc, kxx, kxy, kxc, kcc = sp.symbols("k k_x k_c k_xx k_xy k_xc k_cc", real=True)
    dx, dy, dc = xx - rest, yy - rest, xy - rest

    def kernel(x: sp.Expr, y: sp.Expr, c: sp.Expr) -> sp.Expr:
        """Return a general symmetric kernel to second order around equal inputs."""
        return k0 + kx * (x + y) + kc * c + kxx * (x**2 + y**2) / 2 + kxy * x * y + kxc * (x + y) * c + kcc * c**2 / 2

    pair = sp.exp((first**2 * variance_x + 2 * first * second * covariance + second**2 * variance_y) / 2)
    below = {
        variance_x: sigma**2 * kernel(dx, dx, dx) + zeta**2,
        variance_y: sigma**2 * kernel(dy, dy, dy) + zeta**2,
        covariance: sigma**2 * kernel(dx, dy, dc) + zeta**2,
    }
    layers = Premise(
        "the kernel of a layer is E[phi(z) phi(z')], z of covariance sigma^2 (kernel below) + zeta^2; x.y at first",
        pair.subs(below, simultaneous=True),
    )
    a, b = rotational.coefficients(layers.expression, xx, yy, xy, rest)
    a_below, b_below = (one.doit() for one in rotational.coefficients(kernel(dx, dy, dc), xx, yy, xy, rest))
    omega = first * second * sp.exp((first + second) ** 2 * v / 2)
    here = {v: sigma**2 * k0 + zeta**2}
    growth = sigma**2 * sp.diff(kernel(dx, dx, dx), xx).subs(xx, rest)
    before = (covariance_step(), rotational.kernel_step(), layers)
    return (
        *before[:2],
        Step("a of the next layer", a, sigma**2 * omega.subs(here) * a_below, because="the chain rule", uses=before),
        Step(
            "b of the next layer",
            b,
            sigma**2 * omega.subs(here) * b_below + 2 * sp.diff(omega, v).subs(here) * growth**2,
            because="the chain rule, and 4 d/dv_x d/dv_y = d^2/dc^2 (Price)",
            uses=before,
        ),
    )
