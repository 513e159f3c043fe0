"""Steps from the recursion of a deep network's metric to the recursion of its ratios.

The ratios are defined as functions of the squared norm of the input, of which the recursion gives a Taylor polynomial.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

import sympy as sp

from theory.core import Premise, Step
from theory.engine import rotational
from theory.gaussian.symbols import covariance, variance_x, variance_y
from theory.gaussian.symbols import variance as any_variance
from theory.geometry.deep_curvature import Ratios, above, first, scalar, volume
from theory.geometry.kernel import covariance_step
from theory.geometry.rates import Rates
from theory.geometry.symbols import d, r, sigma, variance, zeta

step = sp.Symbol("h", real=True)
"""A change of r."""


def taylor(jet: tuple[sp.Expr, ...], change: sp.Expr) -> sp.Expr:
    """Return the polynomial with these derivatives, from the order 0 on, as a function of the change."""
    return sum(
        (entry * change**order / sp.factorial(order) for order, entry in enumerate(jet)), sp.S.Zero
    )


@lru_cache(maxsize=1)
def curvature_step() -> Step:
    """Step that compares the formula in ratios with the one in a and b and their derivatives."""
    a, b, a1, a2, b1 = sp.symbols("a b a1 a2 b1", positive=True)
    metric = rotational.RotationalMetric(a, b, a1, a2, b1, r)
    slope = a1 / a, a1 / a + r * a2 / a - r * a1**2 / a**2
    gap, gap1 = (b - 2 * a1) / a, (b1 - 2 * a2) / a - (b - 2 * a1) * a1 / a**2
    letters = k, k1, h, h1, q = sp.symbols("k k1 h h1 q", positive=True)
    return Step(
        "curvature in ratios",
        sp.Subs(
            scalar(a, (k, k1), (h, h1), q), letters, (*slope, gap, gap + r * gap1, 1 + r * b / a)
        ),
        metric.scalar_curvature(d),
        because="with alpha = r a'/a and eta = r (b - 2a')/a",
        uses=rotational.curvature_steps(),
    )


_a, _b = sp.symbols("a b", positive=True)
_a1, _a2, _b1 = sp.symbols("a1 a2 b1")
root_of_determinant = rotational.RotationalMetric(_a, _b, _a1, _a2, _b1, r).volume_element(d)
VOLUME = Premise(
    "the volume element is the root of the determinant of the metric", root_of_determinant
)


@lru_cache(maxsize=1)
def volume_step() -> Step:
    """Step that compares the formula in ratios with the one in a and b."""
    q = sp.Symbol("q", positive=True)
    return Step(
        "volume element in ratios",
        volume(_a, q),
        sp.Subs(root_of_determinant, _b, _a * (q - 1) / r),
        because="q = 1 + r b/a",
        uses=(recursion_steps()[1], VOLUME),
    )


_OF_VOLUME = ("v[0]", "v[1]", "a[0]", "growth[0]", "stretch[0]")


@lru_cache(maxsize=2)
def layer_steps(with_curvature: bool) -> tuple[Step, ...]:
    """Steps that compare ``first`` and ``above`` with the definitions, all functions being Taylor polynomials."""
    v, a, m, w = (sp.symbols(f"{letter}:3", positive=True) for letter in ("v", "a", "m", "w"))
    b, u = (sp.symbols(f"{letter}:2", positive=True) for letter in ("b", "u"))
    at_variance, of = _symbolic(variance, m, w), _symbolic(any_variance, m, w)
    ground = _defined(taylor((variance, sigma**2), step), sp.S.One, sp.S.Zero, w)
    steps = list(_fields("the first layer", first(at_variance), ground))
    v_at, a_at, b_at = (taylor(jet, step) for jet in (v, a, b))
    # sigma^2 times the eigenvalue two layers down is a / u
    two_down = a_at / taylor(u, v_at - v[0]) / sigma**2
    below = _definitions(v_at, a_at, b_at, two_down)
    layer = Ratios(**{name: _values(definition) for name, definition in below.items()})
    top = _defined(sigma**2 * taylor(m, v_at - v[0]) + zeta**2, a_at, b_at, w)
    at_v = _symbolic(v[0], m, (*u, sp.S.Zero))
    steps += _fields("one layer up", above(layer, at_v, of)[0], top)
    if not with_curvature:
        return tuple(step for step in steps if step.claim.partition(": ")[2] in _OF_VOLUME)
    by_parts, _ = above(layer, replace(at_v, power=None), of)
    steps += _fields("one layer up, not as a product", by_parts, {"slope": top["slope"]})
    return tuple(steps)


def _definitions(
    v: sp.Expr, a: sp.Expr, b: sp.Expr, a_below: sp.Expr
) -> dict[str, tuple[tuple[sp.Expr, int], ...]]:
    """Return the entries of ``Ratios`` as functions of r + h, each with the order of its derivative at h = 0."""
    here, growth, slope = (
        r + step,
        sp.Derivative(v, step) / (sigma**2 * a_below),
        sp.Derivative(a, step) / a,
    )
    power, gap = here * sp.Derivative(v, step) / v, b / a - 2 * slope
    return {
        "v": ((v, 0), (v, 1), (v, 2)),
        "power": ((power, 0), (power, 1)),
        "a": ((a, 0),),
        "growth": ((growth, 0), (growth, 1)),
        "excess": ((growth - 1, 0),),
        "slope": ((slope, 0), (here * slope, 1)),
        "bend": ((gap, 0), (here * gap, 1)),
        "stretch": ((1 + here * b / a, 0),),
    }


def _defined(v: sp.Expr, a: sp.Expr, b: sp.Expr, w: tuple[sp.Symbol, ...]) -> Mapping[str, Any]:
    """Return the definitions of the ratios of a layer of variance v above the metric a and b, by the recursion."""
    change = v - v.subs(step, 0)
    bent = 2 * taylor(w[1:], change) * sp.Derivative(v, step) ** 2
    omega = sigma**2 * taylor(w, change)
    return _definitions(v, omega * a, omega * b + bent, a)


def _values(definition: tuple[tuple[sp.Expr, int], ...]) -> Any:
    """Return the entry of ``Ratios`` that has this definition, a tuple unless it is one number."""
    values = tuple(
        sp.diff(function.doit(), step, order).subs(step, 0) for function, order in definition
    )
    return values[0] if len(values) == 1 else values


def _fields(where: str, computed: Ratios, defined: Mapping[str, Any]) -> tuple[Step, ...]:
    steps = []
    for name, definition in defined.items():
        entries = zip(_jet(getattr(computed, name)), definition, strict=True)
        for index, (value, (function, order)) in enumerate(entries):
            changed = sp.Derivative(function, (step, order)) if order else function
            steps.append(
                Step(
                    f"{where}: {name}[{index}]",
                    value,
                    sp.Subs(changed, step, 0),
                    because="the definition of the ratio and the recursion",
                    uses=recursion_steps(),
                )
            )
    return tuple(steps)


def _jet(entry: Any) -> tuple[sp.Expr, ...]:
    return entry if isinstance(entry, tuple) else (entry,)


def _symbolic(v: sp.Expr, m: tuple[sp.Expr, ...], w: tuple[sp.Expr, ...]) -> Rates:
    """Return the rates that the moments and their derivatives at one variance define."""
    slope = w[1] / w[0], w[2] / w[0] - w[1] ** 2 / w[0] ** 2
    growth = m[1] / m[0], m[2] / m[0] - m[1] ** 2 / m[0] ** 2
    return Rates(
        mu=m,
        omega=w[0],
        ratio=m[1] / w[0],
        excess=(m[1] / w[0] - 1, m[2] / w[0] - m[1] * w[1] / w[0] ** 2),
        slope=slope,
        product=(v * slope[0], slope[0] + v * slope[1]),
        power=(v * growth[0], growth[0] + v * growth[1]),
        first_slope=sigma**2 * (slope[0] + sigma**2 * r * slope[1]),
        first_stretch=1 + 2 * sigma**2 * r * slope[0],
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
        return (
            k0
            + kx * (x + y)
            + kc * c
            + kxx * (x**2 + y**2) / 2
            + kxy * x * y
            + kxc * (x + y) * c
            + kcc * c**2 / 2
        )

    pair = sp.exp(
        (first**2 * variance_x + 2 * first * second * covariance + second**2 * variance_y) / 2
    )
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
    a_below, b_below = (
        coefficient.doit()
        for coefficient in rotational.coefficients(kernel(dx, dy, dc), xx, yy, xy, rest)
    )
    omega = first * second * sp.exp((first + second) ** 2 * any_variance / 2)
    here = {any_variance: sigma**2 * k0 + zeta**2}
    growth = sigma**2 * sp.diff(kernel(dx, dx, dx), xx).subs(xx, rest)
    before = (covariance_step(), rotational.kernel_step(), layers)
    return (
        *before[:2],
        Step(
            "a of the next layer",
            a,
            sigma**2 * omega.subs(here) * a_below,
            because="the chain rule",
            uses=before,
        ),
        Step(
            "b of the next layer",
            b,
            sigma**2 * omega.subs(here) * b_below
            + 2 * sp.diff(omega, any_variance).subs(here) * growth**2,
            because="the chain rule, and 4 d/dv_x d/dv_y = d^2/dc^2 (Price)",
            uses=before,
        ),
    )
