r""":math:`E[\varphi(z) \varphi(z')]` and :math:`E[\varphi'(z) \varphi'(z')]` over two Gaussian pre-activations.

The first is the kernel of an infinitely wide layer (the NNGP kernel); the tangent kernel also needs the second. Both
are closed forms where ``theory.gaussian.rules`` applies, and double integrals otherwise.

A difference of two exponentials is rewritten so that it keeps its digits where the exponents are nearly equal,

.. math:: e^p - e^q = (p - q)\, \varphi_1(q - p)\, e^p = (p - q)\, \varphi_1(p - q)\, e^q, \qquad
    \varphi_1(x) = \frac{e^x - 1}{x},

of which the first form is used where :math:`p \ge q`, so that :math:`\varphi_1` never exceeds 1.

The rules are proved by differential equations with unique solutions. Price's theorem,
:math:`\partial_c E[f(z) g(z')] = E[f'(z) g'(z')]`, leads from an activation with error functions or kinks to one
without in a few derivatives; at :math:`c = 0` the two are independent and the expectation is a product of
means. In the last derivative there is nothing but polynomials and exponentials, and their expectation with means
:math:`m, m'` obeys :math:`\partial_c G = \partial_m \partial_{m'} G`. A mean over one Gaussian obeys the heat equation
:math:`\partial_v F = \tfrac12 \partial_m^2 F` and starts at the function itself.
"""

from dataclasses import replace

import sympy as sp

from theory.activations import Activation, z
from theory.activations.kinks import one_sided
from theory.activations.naming import cached
from theory.core import ClosedForm, Premise, Status, Step, applied, deferred, differentiated
from theory.core.formula.special import phi1
from theory.core.proof import theorems
from theory.core.proof.premises import with_lemmas
from theory.gaussian.atoms import Atom, Atoms, derivative
from theory.gaussian.decomposition import atoms_of
from theory.gaussian.integrals import definition, gaussian_pair_mean
from theory.gaussian.rules import NotClosed, State, mean, product_mean, with_real_exponents
from theory.gaussian.symbols import (
    CAUCHY_SCHWARZ,
    MEAN,
    PAIR,
    covariance,
    m_x,
    m_y,
    variance,
    variance_x,
    variance_y,
)

PAIR_STATE = State(variance_x, variance_y, covariance)
DENSITY = replace(
    differentiated(
        "the density of two Gaussians obeys the heat equation of their covariance",
        sp.Derivative(MEAN.expression, m_x, m_y),
        MEAN,
        covariance,
    ),
    aside="Price's theorem for the density itself",
)
ASSUMPTION = "the two pre-activations are jointly Gaussian with mean zero"
_CONSTANT = sp.Symbol("constant", real=True)
OF_CONSTANTS = Premise("the product of two equal constants is its own mean", _CONSTANT**2)


@cached(256)
def kernel_formula(act: Activation) -> ClosedForm:
    """Return ``E[phi(z) phi(z')]`` as it is derived; ``near.kernel`` is the same with care for digits."""
    meaning = f"Expected product of {act.name} at two Gaussian pre-activations."
    return _form(
        f"gaussian.kernel.{act.name}", meaning, atoms_of(act.expression), act.expression, act.kinks
    )


@cached(256)
def slope_kernel_formula(act: Activation) -> ClosedForm:
    """Return ``E[phi'(z) phi'(z')]`` as it is derived; ``near.slope_kernel`` is the same with care for digits."""
    require_continuous(act)
    atoms = atoms_of(act.expression)
    meaning = f"Expected product of the slopes of {act.name} at two Gaussian pre-activations."
    slopes = None if atoms is None else derivative(atoms)
    return _form(
        f"gaussian.slope_kernel.{act.name}", meaning, slopes, act.derivative(1), act.kinks
    )


def require_continuous(act: Activation) -> None:
    """Raise ValueError if the activation is discontinuous at one of its kinks."""
    ends = [-sp.oo, *act.kinks, sp.oo]
    for low, kink, high in zip(ends, ends[1:], ends[2:], strict=False):
        below, above = (
            one_sided(act.expression, z, side, kink) for side in ((low, kink), (kink, high))
        )
        if sp.simplify(below - above) != 0:
            raise ValueError(f"act: {act.name} jumps at {kink}, so its slope has no second moment")


def closed(atoms: Atoms | None) -> sp.Expr | None:
    """Return ``E[f(z) f(z')]`` by the rules, or None if they give no closed form."""
    if atoms is None:
        return None
    try:
        derivatives_to_polynomials(atoms)
        return product_mean(atoms, atoms, PAIR_STATE)
    except NotClosed:
        return None


def without_difference(expression: sp.Expr) -> sp.Expr:
    """Rewrite every pair of real terms ``a exp(p) - a exp(q)`` of a sum; return the sum unchanged if there is none."""
    rest: list[sp.Expr] = []
    # factor of an exponential whose partner is not yet found -> its exponent
    waiting: dict[sp.Expr, sp.Expr] = {}
    for term in sp.Add.make_args(expression):
        factor, exponential = term.as_independent(sp.exp, as_Add=False)
        if not isinstance(exponential, sp.exp):
            rest.append(term)
        elif -factor in waiting:
            rest.append(_difference(-factor, waiting.pop(-factor), exponential.args[0]))
        elif factor in waiting:
            rest.append(term)
        else:
            waiting[factor] = exponential.args[0]
    return sp.Add(*rest, *(factor * sp.exp(exponent) for factor, exponent in waiting.items()))


def _difference(factor: sp.Expr, p: sp.Expr, q: sp.Expr) -> sp.Expr:
    """Return ``factor (exp(p) - exp(q))``."""
    gap = sp.expand(p - q)
    larger, smaller = (
        factor * gap * phi1(side * gap) * sp.exp(end) for side, end in ((-1, p), (1, q))
    )
    return sp.Piecewise((larger, gap >= 0), (smaller, True))


def _derivation(atoms: Atoms, expression: sp.Expr, found: sp.Expr) -> tuple[Step, ...]:
    """Return the derivation of ``found``, and the step to a formula without differences of exponentials if it had."""
    steps = kernel_steps(atoms, found)
    if expression == found:
        return steps
    because, last = (
        "e^p - e^q = e^p (1 - e^(q-p))",
        [step for step in steps if step.mentions(found)],
    )
    return (
        *steps,
        Step("differences of exponentials", expression, found, because, uses=tuple(last)),
    )


def _form(
    name: str, meaning: str, atoms: Atoms | None, function: sp.Expr, kinks: tuple[sp.Expr, ...]
) -> ClosedForm:
    in_closed_form = closed(atoms)
    if atoms is not None and in_closed_form is not None:
        expression = without_difference(in_closed_form)

        def steps() -> tuple[Step, ...]:
            return _derivation(atoms, expression, in_closed_form)

    else:
        variances = variance_x, variance_y
        expression = gaussian_pair_mean(function, function, variances, covariance, (kinks, kinks))

        def steps() -> tuple[Step, ...]:
            return (definition(expression, function, function, variances, covariance),)

    def derivation() -> tuple[Step, ...]:
        *before, last = steps()
        return (*before, replace(last, uses=(*(last.uses or ()), ASSUMPTION)))

    return ClosedForm(
        name=name,
        meaning=meaning,
        arguments=PAIR,
        expression=expression,
        status=Status.DERIVED,
        steps=deferred(derivation),
        assumptions=(ASSUMPTION,),
        conditions=(CAUCHY_SCHWARZ,),
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
    if last == 0 and all(atom == Atom(atom.factor) for atom in atoms):
        constant = {_CONSTANT: sum(atom.factor for atom in atoms)}
        return (applied("E[f(z) f(z')] of a constant", expression, OF_CONSTANTS, constant),)
    known: tuple[Step | Premise, ...] = ()
    for level in range(last, -1, -1):
        derivative = f"f{chr(39) * level}"
        if level == last:
            if any(atom.delta for atom in derivatives[last]):
                words = (
                    f"E[{derivative}(z) {derivative}(z')] of peaks is the density at both kinks"
                )
                known = (Premise(words, value[last]),)
            else:
                known = (_smooth(derivatives[last], value[last], derivative),)
            continue
        means = _means(derivatives[level], derivative)
        apart = _apart(mean(derivatives[level], variance, m_x), (sp.S.Zero, sp.S.Zero))
        if any(atom.tilt.has(sp.I) for atom in derivatives[level]):
            apart = with_real_exponents(apart.doit())
        known = _from_zero(
            f"E[{derivative}(z) {derivative}(z')]",
            value[level],
            covariance,
            (apart, "independence", (*means, MEAN)),
            (value[level + 1], "Price's theorem", (*known, theorems.PRICE)),
        )
    return with_lemmas((DENSITY, *known))


Reasoned = tuple[sp.Expr, str, tuple[Step | Premise, ...]]
"""A value, why it is that, and what this rests on."""


def _from_zero(
    what: str, function: sp.Expr, letter: sp.Symbol, start: Reasoned | None, slope: Reasoned
) -> tuple[Step, ...]:
    """Return the steps that determine a function: where it starts at zero, if it has a value there, and its slope."""
    by = f"{what}: the slope in {letter}"
    steps = (differentiated(by, slope[0], function, letter, slope[1], uses=slope[2]),)
    if start is None:
        return steps
    at_zero = sp.Subs(function, letter, 0)
    return Step(f"{what} at {letter} = 0", at_zero, start[0], start[1], uses=start[2]), *steps


def _means(atoms: Atoms, who: str) -> tuple[Step, ...]:
    shifted = mean(atoms, variance, m_x)
    start: Reasoned | None = None
    if not any(atom.step == sp.oo for atom in atoms):
        function = sum((atom.expression for atom in atoms), sp.S.Zero)
        start = function.xreplace({z: m_x}), "no noise", (MEAN,)
    bend = sp.Derivative(shifted, m_x, 2) / 2
    heat = bend, "the heat equation, as the density", (MEAN, theorems.PRICE, theorems.HEAT)
    return _from_zero(f"E[{who}(z)] with mean m", shifted, variance, start, heat)


def _apart(single: sp.Expr, means: tuple[sp.Expr, sp.Expr]) -> sp.Expr:
    """Return the product of the means of two independent pre-activations, from the mean of one."""
    letters = (variance, m_x)
    if not single.has(*letters):
        return single**2
    return sp.Mul(
        *(sp.Subs(single, letters, at) for at in zip((variance_x, variance_y), means, strict=True))
    )


def _smooth(atoms: Atoms, value: sp.Expr, who: str) -> Step:
    shifted = product_mean(atoms, atoms, PAIR_STATE._replace(p=m_x, q=m_y))
    means = _apart(mean(atoms, variance, m_x), (m_x, m_y))
    single = _means(atoms, who)
    claim = f"E[{who}(z) {who}(z')] with means"
    bend = sp.Derivative(shifted, m_x, m_y)
    determined = _from_zero(
        claim,
        shifted,
        covariance,
        (means, "independence", (*single, MEAN)),
        (
            bend,
            "the heat equation, as the density of two Gaussians",
            (theorems.PRICE, theorems.HEAT),
        ),
    )
    if shifted.has(sp.I):
        exponents = with_real_exponents(shifted)
        determined = (Step(f"{claim} has real exponents", exponents, shifted, uses=determined),)
        shifted = exponents
    centred = sp.Subs(shifted, (m_x, m_y), (0, 0))
    return Step(f"{claim} at zero means", value, centred, because="m = m' = 0", uses=determined)
