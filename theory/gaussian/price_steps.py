r"""Proofs of the rules for expectations over two Gaussians, by differential equations with unique solutions.

Price's theorem, :math:`\partial_c E[f(z) g(z')] = E[f'(z) g'(z')]`, leads from an activation with error functions or
kinks to one without in a few derivatives; at :math:`c = 0` the two are independent and the expectation is a product of
means. In the last derivative there is nothing but polynomials and exponentials, and their expectation with means
:math:`m, m'` obeys :math:`\partial_c G = \partial_m \partial_{m'} G`. A mean over one Gaussian obeys the heat equation
:math:`\partial_v F = \tfrac12 \partial_m^2 F` and starts at the function itself.
"""

from collections.abc import Sequence

import sympy as sp

from theory.activations import z
from theory.core import Step
from theory.gaussian.atoms import Atoms, derivative
from theory.gaussian.rules import NotClosed, State, mean, product_mean, with_real_exponents
from theory.gaussian.symbols import MEAN, covariance, m_x, m_y, variance, variance_x, variance_y

PAIR_STATE = State(variance_x, variance_y, covariance)
DENSITY = Step(
    "the density of two Gaussians obeys the heat equation of their covariance",
    sp.Derivative(MEAN.expression, covariance),
    sp.Derivative(MEAN.expression, m_x, m_y),
    because="hence so does every mean; and Price's theorem, as a slope in m is minus one in z",
    uses=(MEAN,),
)


def derivatives_to_polynomials(atoms: Atoms) -> tuple[Atoms, ...]:
    """Return an activation and its derivatives up to the first without error functions or signs; NotClosed for none."""
    derivatives = [atoms]
    while any(atom.step != 0 for atom in derivatives[-1]):
        if any(atom.step != 0 and (atom.bend != 0 or atom.tilt != 0) for atom in derivatives[-1]):
            raise NotClosed("an error function times an exponential")
        derivatives.append(derivative(derivatives[-1]))
    return tuple(derivatives)


def kernel_steps(atoms: Atoms, expression: sp.Expr) -> tuple[Step, ...]:
    """Steps from the last derivative of f up to ``expression`` = E[f(z) f(z')], which stands in the last of them."""
    derivatives = derivatives_to_polynomials(atoms)
    value = [expression, *(product_mean(higher, higher, PAIR_STATE) for higher in derivatives[1:])]
    last = len(derivatives) - 1
    steps: list[Step] = [DENSITY]
    known: tuple[Step, ...] = ()
    for level in range(last, -1, -1):
        who = f"f{chr(39) * level}"
        if level == last:
            if not any(atom.delta for atom in derivatives[last]):
                steps += _smooth(derivatives[last], value[last], who)
                known = (steps[-1],)
            continue
        means = _means(derivatives[level], who)
        apart = _independent(derivatives[level], value[level], who, means)
        price = Step(
            f"d/dc E[{who}(z) {who}(z')] = E[{who}'(z) {who}'(z')]",
            sp.Derivative(value[level], covariance),
            value[level + 1],
            because="Price's theorem",
            uses=(*known, DENSITY),
        )
        known = (apart, price)
        steps += [*means, apart, price]
    return tuple(steps)


def _means(atoms: Atoms, who: str) -> list[Step]:
    shifted = mean(atoms, variance, m_x)
    heat = Step(
        f"E[{who}(z)] with mean m obeys the heat equation",
        sp.Derivative(shifted, variance),
        sp.Derivative(shifted, m_x, 2) / 2,
        because="the density does",
        uses=(MEAN,),
    )
    if any(atom.step == sp.oo for atom in atoms):
        return [heat]
    start = sum((atom.expression for atom in atoms), sp.S.Zero).xreplace({z: m_x})
    claim = f"E[{who}(z)] is {who}(m) at variance 0"
    return [heat, Step(claim, sp.Subs(shifted, variance, 0), start, because="no noise", uses=(MEAN,))]


def _independent(atoms: Atoms, value: sp.Expr, who: str, means: Sequence[Step]) -> Step:
    apart = mean(atoms, variance_x) * mean(atoms, variance_y)
    if any(atom.tilt.has(sp.I) for atom in atoms):
        apart = with_real_exponents(apart)
    uncorrelated = sp.Subs(value, covariance, 0)
    return Step(f"E[{who}(z) {who}(z')] at c = 0", uncorrelated, apart, because="independence", uses=(*means, MEAN))


def _smooth(atoms: Atoms, value: sp.Expr, who: str) -> list[Step]:
    shifted = product_mean(atoms, atoms, PAIR_STATE._replace(p=m_x, q=m_y))
    means = mean(atoms, variance_x, m_x) * mean(atoms, variance_y, m_y)
    centred = sp.Subs(with_real_exponents(shifted) if shifted.has(sp.I) else shifted, (m_x, m_y), (0, 0))
    single = _means(atoms, who)
    heat = Step(
        f"E[{who}(z) {who}(z')] with means obeys its heat equation",
        sp.Derivative(shifted, covariance),
        sp.Derivative(shifted, m_x, m_y),
        because="the density of two Gaussians does",
        uses=(DENSITY,),
    )
    apart = Step(
        f"E[{who}(z) {who}(z')] with means at c = 0",
        sp.Subs(shifted, covariance, 0),
        means,
        because="independence",
        uses=(*single, MEAN),
    )
    claim = f"E[{who}(z) {who}(z')] with means at zero means"
    return [*single, heat, apart, Step(claim, value, centred, because="m = m' = 0", uses=(heat, apart))]
