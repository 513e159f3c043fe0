r"""The recursion of variance and metric from one layer of a deep infinitely wide network to the next.

.. math:: v_{\ell} = \sigma^2 \mu(v_{\ell-1}) + \zeta^2, \quad a_\ell = \sigma^2 \omega(v_\ell)\, a_{\ell-1}, \quad
    b_\ell = \sigma^2 \omega(v_\ell)\, b_{\ell-1} + 2 \omega'(v_\ell)\, v_\ell'^2

with :math:`\mu(v) = E[\varphi(z)^2]`, :math:`\omega(v) = E[\varphi'(z)^2]`; primes of v are derivatives in r.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import sympy as sp

from theory import gaussian
from theory.activations import Activation
from theory.core import Check, Step
from theory.core.formula.deferred_function import at
from theory.gaussian.integrals import gaussian_mean, gaussian_mean_derivative
from theory.gaussian.symbols import covariance, variance_x, variance_y
from theory.gaussian.symbols import variance as v
from theory.geometry import rotational
from theory.geometry.kernel import covariance_step
from theory.geometry.symbols import sigma, zeta


@dataclass(frozen=True)
class Layer:
    """Variance of a layer's pre-activations and metric of its features, both with their derivatives in r.

    Args:
        v: variance of the pre-activations.
        a: tangential eigenvalue of the metric.
        b: coefficient of ``x_i x_j`` in the metric.
    """

    v: tuple[sp.Expr, sp.Expr, sp.Expr]
    a: tuple[sp.Expr, sp.Expr, sp.Expr]
    b: tuple[sp.Expr, sp.Expr]


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


@lru_cache(maxsize=64)
def moment_steps(act: Activation) -> tuple[Step | Check, ...]:
    """Steps for the second moment and its derivatives; integrals are differentiated by E[f''] = 2 d/dv E[f]."""
    moment = second_moment(act)
    if moment[0].has(sp.Integral):
        return ()
    form = gaussian.kernel(act)
    pair = (variance_x, variance_y, covariance)
    return (
        *(replace(step, claim=f"phi: {step.claim}") for step in form.steps),
        Step("E[phi^2]", moment[0], sp.Subs(form.expression, pair, (v, v, v)), because="z' = z"),
        *(
            Step(f"d{order}/dv{order} E[phi^2]", moment[order], sp.Derivative(moment[0], (v, order)))
            for order in (1, 2)
        ),
    )


def next_layer(layer: Layer, w: tuple[sp.Expr, ...], m: tuple[sp.Expr, ...], first: bool) -> Layer:
    """Return the next layer; ``first`` says that ``layer.v`` is already the variance of its own pre-activations."""
    value, slope, bend = layer.v
    if not first:
        m0, m1, m2 = (at(entry, v, value) for entry in m)
        value, slope, bend = sigma**2 * m0 + zeta**2, sigma**2 * m1 * slope, sigma**2 * (m2 * slope**2 + m1 * bend)
    w0, w1, w2 = (at(entry, v, value) for entry in w)
    # omega at the variance of the layer, as a function of r
    o0, o1, o2 = w0, w1 * slope, w2 * slope**2 + w1 * bend
    a0, a1, a2 = layer.a
    b0, b1 = layer.b
    return Layer(
        (value, slope, bend),
        (
            sigma**2 * o0 * a0,
            sigma**2 * (o1 * a0 + o0 * a1),
            sigma**2 * (o2 * a0 + 2 * o1 * a1 + o0 * a2),
        ),
        (
            sigma**2 * o0 * b0 + 2 * w1 * slope**2,
            sigma**2 * (o1 * b0 + o0 * b1) + 2 * w2 * slope**3 + 4 * w1 * slope * bend,
        ),
    )


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
    a, b = rotational.coefficients(pair.subs(below, simultaneous=True), xx, yy, xy, rest)
    a_below, b_below = rotational.coefficients(kernel(dx, dy, dc), xx, yy, xy, rest)
    omega = first * second * sp.exp((first + second) ** 2 * v / 2)
    here = {v: sigma**2 * k0 + zeta**2}
    growth = sigma**2 * sp.diff(kernel(dx, dx, dx), xx).subs(xx, rest)
    return (
        covariance_step(),
        rotational.kernel_step(),
        Step("a of the next layer", a, sigma**2 * omega.subs(here) * a_below, because="the chain rule"),
        Step(
            "b of the next layer",
            b,
            sigma**2 * omega.subs(here) * b_below + 2 * sp.diff(omega, v).subs(here) * growth**2,
            because="the chain rule, and 4 d/dv_x d/dv_y = d^2/dc^2 (Price)",
        ),
        *_derivatives(),
    )


def _derivatives() -> tuple[Step, ...]:
    """Steps that compare the derivatives in ``next_layer`` with the chain rule, for Taylor polynomials."""
    step = sp.Symbol("h", real=True)
    values, a, m, w = (sp.symbols(f"{letter}0:3", real=True) for letter in ("v", "a", "m", "w"))
    b = sp.symbols("b0:2", real=True)

    def polynomial(jet: tuple[sp.Symbol, ...], change: sp.Expr) -> sp.Expr:
        return sum(coefficient * change**order / sp.factorial(order) for order, coefficient in enumerate(jet))

    moved = polynomial(values, step)
    mu = sigma**2 * polynomial(m, moved - values[0]) + zeta**2
    above = mu.subs(step, 0)
    omega = polynomial(w, mu - above)
    growth = sp.diff(mu, step)
    a_next = sigma**2 * omega * polynomial(a, step)
    b_next = sigma**2 * omega * polynomial(b, step) + 2 * sp.diff(polynomial(w, v), v).subs(v, mu - above) * growth**2
    upper = next_layer(Layer(values, a, b), w, m, first=False)
    pairs = {"v": (upper.v, mu), "a": (upper.a, a_next), "b": (upper.b, b_next)}
    return tuple(
        Step(
            f"derivative {order} of {name} in r",
            jet[order],
            sp.Subs(sp.Derivative(function, (step, order)), step, 0),
            because="the chain rule",
        )
        for name, (jet, function) in pairs.items()
        for order in range(len(jet))
    )
