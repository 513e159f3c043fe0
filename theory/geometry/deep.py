r"""Geometry of deep infinitely wide networks, in which the kernel of a layer is a function of the kernel below.

The recursion is :math:`k_{\ell}(x, y) = E[\varphi(z) \varphi(z')]`, where the pre-activations have covariance
:math:`\sigma^2 k_{\ell-1} + \zeta^2`, from :math:`k_0(x, y) = x \cdot y`. Each metric is :math:`a_\ell\,\delta_{ij} +
b_\ell\,x_i x_j`; with the second moment :math:`\mu(v) = E[\varphi(z)^2]`, the squared slope :math:`\omega(v) =
E[\varphi'(z)^2]` and the variance :math:`v_\ell(r)` of the pre-activations, r = |x|^2,

.. math:: v_{\ell} = \sigma^2 \mu(v_{\ell-1}) + \zeta^2, \quad a_\ell = \sigma^2 \omega(v_\ell)\, a_{\ell-1}, \quad
    b_\ell = \sigma^2 \omega(v_\ell)\, b_{\ell-1} + 2 \omega'(v_\ell)\, v_\ell'^2,

from :math:`v_1 = \sigma^2 r + \zeta^2`, :math:`a_0 = 1`, :math:`b_0 = 0`. Beyond one layer :math:`b \ne 2a'`, so the
derivatives of the metric are not totally symmetric.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy as sp

from closedform.checks import MOST_LAYERS
from theory.activations import Activation, ActivationLike
from theory.activations.naming import cached
from theory.core import Check, ClosedForm, Premise, Source, Status, Step, deferred
from theory.core.facade.listing import listing_html, listing_text
from theory.core.formula.deferred_function import Iterated
from theory.core.numbers.arguments import integer
from theory.core.proof.premises import with_lemmas
from theory.geometry.deep_curvature import Ratios, entries, of_depth
from theory.geometry.deep_steps import (
    OF_LAST,
    carried,
    curvature_step,
    layer_lemma,
    layers_step,
    scalar_in_ratios,
    volume_in_ratios,
    volume_step,
)
from theory.geometry.profile import require_metric
from theory.geometry.rates import stated_rates
from theory.geometry.symbols import SIGMA, ZETA, D, R

WIDE = "every hidden layer is infinitely wide, all weights and biases independent Gaussians with mean zero"


@dataclass(frozen=True, repr=False)
class DeepNngp:
    """Geometry of the last hidden layer of a deep infinitely wide network.

    Args:
        volume_element: closed form of the square root of the metric's determinant, in d, r, sigma, zeta; 1/input^d.
        scalar_curvature: closed form of the Ricci scalar in d, r, sigma, zeta, dimensionless; positive on spheres.
        depth: number of hidden layers, 1 to 100.
    """

    volume_element: ClosedForm
    scalar_curvature: ClosedForm
    depth: int

    def __repr__(self) -> str:
        return listing_text(f"DeepNngp of depth {self.depth}", self._forms())

    def _repr_html_(self) -> str:
        return listing_html(f"DeepNngp of depth {self.depth}", self._forms())

    def _forms(self) -> dict[str, ClosedForm]:
        return {"volume_element": self.volume_element, "scalar_curvature": self.scalar_curvature}


def deep_nngp(act: ActivationLike, depth: int) -> DeepNngp:
    """Return volume element and curvature of a deep network's NNGP metric; all layers share the same sigma and zeta.

    Args:
        act: activation of every hidden layer, its name, or an expression in ``z``.
        depth: number of hidden layers, at least 1.

    Raises:
        TypeError, ValueError: if the activation has a jump or is constant, or if the depth is not such an integer.

    The curvature keeps 11 digits from r = 1e-8 to 1e8 in the networks of erf, GELU, powers and polynomials that were
    tested up to depth 3. A bump without bias maps all distant inputs to nearly the same features; there 2 to 4 digits
    are left at r = 1e8.

    Source: Zavatone-Veth et al. (2023), Section IV B, which states the symmetry; the recursion is derived here.

    >>> from theory.activations import ERF
    >>> deep = deep_nngp(ERF, 2)
    >>> round(float(deep.scalar_curvature(d=2, r=1, sigma=1, zeta=0.5)), 4)
    -5.0372
    """
    depth = integer("depth", depth, 1, MOST_LAYERS)
    return DeepNngp(deep_volume_element(act, depth), deep_scalar_curvature(act, depth), depth)


@cached(64)
def deep_volume_element(act: Activation, depth: int) -> ClosedForm:
    """Return only the volume element of ``deep_nngp``, which is derived faster than the curvature.

    It keeps 8 digits up to r = 1e14 in the networks of erf, GELU and powers that were tested up to depth 3.
    """
    meaning = f"Factor by which the last layer of a {_network(act, depth)} magnifies volume."
    require_metric(act)
    return _form(act, depth, "deep_volume_element", meaning, volume_step)


@cached(64)
def deep_scalar_curvature(act: Activation, depth: int) -> ClosedForm:
    """Return only the Ricci scalar of ``deep_nngp``."""
    meaning = f"Ricci scalar of the metric of the last layer of a {_network(act, depth)}."
    require_metric(act)
    return _form(act, depth, "deep_scalar_curvature", meaning, curvature_step)


def _network(act: Activation, depth: int) -> str:
    return (
        f"network with {depth} infinitely wide hidden layer{'s' * (depth > 1)} of {act.name} units"
    )


def _form(
    act: Activation, depth: int, what: str, meaning: str, in_ratios: Callable[[], Step]
) -> ClosedForm:
    general = volume_in_ratios if what == "deep_volume_element" else scalar_in_ratios
    named = {name: letter for name, letter in OF_LAST.items() if general.has(letter)}

    def at_layer(layer: Ratios) -> tuple[sp.Expr, ...]:
        return tuple(entries(layer)[name] for name in named)

    def value(layer: Ratios) -> sp.Expr:
        return general.xreplace(dict(zip(named.values(), at_layer(layer), strict=True)))

    expression, last, layers = of_depth(act, depth, value)

    def derivation() -> tuple[Step | Check, ...]:
        whole = sp.Subs(general, tuple(named.values()), at_layer(last))
        with_curvature = general is scalar_in_ratios
        rest: tuple[Any, ...] = (in_ratios(), WIDE, act.definition)
        if layers and not expression.has(sp.Integral):
            stated = layers_step(act, layers, with_curvature, ("v[0]", *named))
            rest = (stated, *rest)
        else:
            start = expression.args[:3] if isinstance(expression, Iterated) else ()
            names = carried(act, with_curvature)
            by_rules = sp.Tuple(*start, *whole.point)
            rest = (
                Premise(
                    "the layers one above the other, by these rules and mu' = omega + E[phi phi'']",
                    by_rules,
                ),
                *(layer_lemma(is_first, names) for is_first in (True, False)),
                *stated_rates(act)[1],
                *rest,
            )
        if isinstance(expression, Iterated):
            inside = sp.Lambda(expression.parts[3].variables, whole)
            whole = expression.func(*expression.args[:3], inside)
        because = f"the recursion, {depth} times from a = 1"
        return with_lemmas(
            (Step(f"{what} of {depth} layers", expression, whole, because, uses=rest),)
        )

    return ClosedForm(
        name=f"geometry.{what}.{act.name}_{depth}",
        meaning=meaning,
        arguments=(D, R, SIGMA, ZETA),
        expression=expression,
        status=Status.DERIVED,
        steps=deferred(derivation),
        sources=(Source("zavatoneveth2023", "Section IV B"),),
        assumptions=(WIDE, act.definition),
    )
