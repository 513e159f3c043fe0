r"""Curvature of a deep network's metric in terms of ratios that avoid small differences of large numbers.

A network without biases whose kernel is homogeneous maps its inputs to a cone: radial planes are flat, although a and b
grow without bound. The recursion therefore carries :math:`a'/a` from layer to layer, and :math:`b - 2a'`, 0 where the
derivatives of the metric are totally symmetric. With primes for derivatives in r,

.. math:: \alpha = \frac{r a'}{a} = \sum_j A_j, \quad \eta = \frac{r (b - 2a')}{a} = 2 \sum_j A_j D_j, \quad
    A_j = r \frac{\omega'(v_j)}{\omega(v_j)} v_j', \quad D_j = c_j - 1, \quad c_j = \frac{v_j'}{\sigma^2 a_{j-1}}
    = \prod_{i<j} \frac{\mu'(v_i)}{\omega(v_i)},

and the ratio of the radial to the tangential eigenvalue is :math:`q = 1 + 2\alpha + \eta = 1 + 2 \sum_j A_j c_j`,

.. math:: K_\mathrm{rad} = \frac{(1 + \alpha) \eta' - 2 (\alpha + \eta) \alpha'}{a q^2}, \qquad
    K_\mathrm{tan} = \frac{\eta - \alpha^2}{r a q}.

Where possible, :math:`A = \lambda(v) \kappa` with :math:`\lambda = v \omega'/\omega` and :math:`\kappa = r v'/v` is
differentiated as a product: for homogeneous kernels each of :math:`\lambda', \kappa'` and :math:`D'` vanishes.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import NamedTuple

import sympy as sp

from theory.activations import Activation
from theory.core import quotient
from theory.core.formula.deferred_function import iterated
from theory.core.formula.subexpressions import tree_size
from theory.geometry.rates import Rates, rates
from theory.geometry.symbols import d, r, sigma, variance, zeta


@dataclass(frozen=True)
class Ratios:
    """What a layer passes on to the next one, in r, sigma and zeta; primes are derivatives in r."""

    v: tuple[sp.Expr, sp.Expr, sp.Expr]  # variance of its pre-activations, v' and v''
    power: tuple[sp.Expr, sp.Expr]  # r v'/v and its derivative
    a: sp.Expr  # tangential eigenvalue of the metric of its features
    growth: tuple[sp.Expr, sp.Expr]  # the ratio c and its derivative
    excess: sp.Expr  # the ratio D = c - 1, written without a difference
    slope: tuple[sp.Expr, sp.Expr]  # a'/a and (r a'/a)'
    bend: tuple[sp.Expr, sp.Expr]  # (b - 2a')/a and (r (b - 2a')/a)'
    stretch: sp.Expr  # ratio of the radial to the tangential eigenvalue


def scalar(
    a: sp.Expr, slope: tuple[sp.Expr, sp.Expr], bend: tuple[sp.Expr, sp.Expr], stretch: sp.Expr
) -> sp.Expr:
    """Return the Ricci scalar in d dimensions from a, a'/a, (r a'/a)', (b - 2a')/a, (r (b - 2a')/a)' and 1 + r b/a."""
    radial = ((1 + r * slope[0]) * bend[1] - 2 * r * (slope[0] + bend[0]) * slope[1]) / (
        a * stretch**2
    )
    tangential = (bend[0] - r * slope[0] ** 2) / (a * stretch)
    return (d - 1) * (2 * radial + (d - 2) * tangential)


def volume(a: sp.Expr, stretch: sp.Expr) -> sp.Expr:
    """Return the volume element in d dimensions from a and 1 + r b/a."""
    return a ** (d / 2) * sp.sqrt(stretch)


def first(f: Rates) -> Ratios:
    """Return the ratios of the first layer, whose variance is sigma^2 r + zeta^2."""
    psi = sigma**2 * f.slope[0]
    return Ratios(
        v=(variance, sigma**2, sp.S.Zero),
        power=(quotient(sigma**2 * r, variance), quotient(sigma**2 * zeta**2, variance**2)),
        a=sigma**2 * f.omega,
        growth=(sp.S.One, sp.S.Zero),
        excess=sp.S.Zero,
        slope=(psi, f.first_slope),
        bend=(sp.S.Zero, sp.S.Zero),
        stretch=f.first_stretch,
    )


def above(ratios: Ratios, below: Rates, of: Rates) -> tuple[Ratios, Rates]:
    """Return the ratios of the next layer, and the rates at its variance, ``below`` being those of the layer below."""
    _, y, y1 = ratios.v
    m = sigma**2 * below.mu[0]
    v = m + zeta**2
    f = of.at(v)
    slope, bend = sigma**2 * below.mu[1] * y, sigma**2 * (below.mu[2] * y**2 + below.mu[1] * y1)
    share, share1 = quotient(m, v), quotient(zeta**2 * slope, v**2)
    c, c1 = ratios.growth
    grown = (c * below.ratio, c1 * below.ratio + c * below.excess[1] * y)
    excess = ratios.excess + c * below.excess[0]
    psi = f.slope[0] * slope
    if below.power is None or f.power is None:
        power = (sp.S.Zero, sp.S.Zero)  # not needed in this case
        change = psi + r * (f.slope[0] * bend + f.slope[1] * slope**2)
    else:
        k, k1 = ratios.power
        power = (
            k * below.power[0] * share,
            k1 * below.power[0] * share
            + k * (below.power[1] * y * share + below.power[0] * share1),
        )
        change = f.product[1] * slope * power[0] + f.product[0] * power[1]
    layer = Ratios(
        v=(v, slope, bend),
        power=power,
        a=sigma**2 * f.omega * ratios.a,
        growth=grown,
        excess=excess,
        slope=(ratios.slope[0] + psi, ratios.slope[1] + change),
        bend=(
            ratios.bend[0] + 2 * psi * excess,
            ratios.bend[1] + 2 * (change * excess + r * psi * grown[1]),
        ),
        stretch=ratios.stretch + 2 * r * psi * grown[0],
    )
    return layer, f


LONGEST = 2500  # nodes of a formula, as a tree, above which the next layers are a recursion and not written out
MOST = 20  # layers that are written out where the formula stays short, as that of a rectifier, whose ratios do not
v = sp.symbols("v v_1 v_2", positive=True)
kappa = sp.symbols("kappa kappa_1", real=True)
a = sp.Symbol("a", positive=True)
c = sp.symbols("c c_1", real=True)
excess = sp.Symbol("D", real=True)
slope = sp.symbols("psi psi_1", real=True)
bend = sp.symbols("eta eta_1", real=True)
stretch = sp.Symbol("q", positive=True)
mu = sp.symbols("mu mu_1 mu_2", positive=True)
ratio = sp.Symbol("rho", real=True)
gap = sp.symbols("epsilon epsilon_1", real=True)
growth = sp.symbols("chi chi_1", real=True)
STATE = (
    *v,
    *kappa,
    a,
    *c,
    excess,
    *slope,
    *bend,
    stretch,
    *mu,
    ratio,
    *gap,
    *growth,
)
"""Letters of the ratios of a layer and of the rates at its variance, which the next layer needs."""


RATES = Rates(
    mu=mu,
    omega=sp.Symbol("omega", positive=True),
    ratio=ratio,
    excess=gap,
    slope=sp.symbols("lambda lambda_1", real=True),
    product=sp.symbols("pi pi_1", real=True),
    power=growth,
    first_slope=sp.Symbol("psi_0", real=True),
    first_stretch=sp.Symbol("q_0", positive=True),
)
"""Letters of the rates at the variance of a layer, and of the moments at that of the layer below."""
LAYER = Ratios(v, kappa, a, c, excess, slope, bend, stretch)
"""Letters of the ratios of a layer."""


def entries(layer: Ratios) -> dict[str, sp.Expr]:
    """Return the ratios by their names, such as "v[1]" for the derivative of the variance."""
    named = {}
    for field in fields(layer):
        value = getattr(layer, field.name)
        for order, entry in enumerate(value if isinstance(value, tuple) else (value,)):
            named[f"{field.name}[{order}]"] = entry
    return named


class Deep(NamedTuple):
    """A function of the ratios of the last layer of a network, and where it comes from."""

    value: sp.Expr
    """The function; an ``Iterated`` where it would be long."""
    last: Ratios
    """The ratios that it is a function of: within the ``result`` of an ``Iterated`` those above its letters."""
    layers: tuple[Ratios, ...]
    """The ratios of all layers; none of an ``Iterated``."""


def of_depth(act: Activation, depth: int, value: Callable[[Ratios], sp.Expr]) -> Deep:
    """Return a function of the ratios of the last of ``depth`` layers, and those of all layers.

    Args:
        act: activation of all layers.
        depth: number of layers.
        value: function of the ratios.
    """
    of = rates(act)
    here = of.at(variance)
    layers = [first(here)]
    for number in range(1, depth):
        layer = layers[-1]
        if number > 1 and (number > MOST or tree_size(value(layer)) > LONGEST):
            below = replace(RATES, **{name: getattr(of, name) for name in _OF_LAYER})
            below = replace(below, power=None if of.power is None else growth)
            above_it = above(LAYER, below, of)
            start, rest = numbers(layer, here), depth - number - 1
            repeated = iterated(numbers(*above_it), start, rest, value(above_it[0]))
            return Deep(repeated, above_it[0], ())
        layer, here = above(layer, here, of)
        layers.append(layer)
    return Deep(value(layers[-1]), layers[-1], tuple(layers))


_OF_LAYER = ("omega", "slope", "product", "first_slope", "first_stretch")


def numbers(layer: Ratios, here: Rates) -> dict[sp.Symbol, sp.Expr]:
    """Return the values of ``STATE`` at a layer."""
    means = (*here.mu, here.ratio, *here.excess, *(here.power or (sp.S.Zero, sp.S.Zero)))
    return dict(zip(STATE, (*entries(layer).values(), *means), strict=True))
