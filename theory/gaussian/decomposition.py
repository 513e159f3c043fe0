"""Activations as sums of atoms: the reading of an expression, and how long a sum may be.

High powers have closed forms, too, but these fill pages and take hours. Beyond :data:`MOST_TERMS` an activation is read
as no sum of atoms, and its expectations are integrals, as those of tanh are.
"""

import math
from functools import lru_cache
from itertools import product

import sympy as sp

from theory.activations import z
from theory.gaussian.atoms import Atom, Atoms, combined

MOST_TERMS = 25_000
"""Of ``E[f(u) f(u')]``, which take seconds: z^64, (z + 1)^15, max(0, z)^30, z^20 exp(z), z^6 sin(z) have fewer."""
_TERMS_OF_A_PAIR = 25
"""Number of terms that take as long as a pair of atoms without powers."""


@lru_cache(maxsize=256)
def atoms_of(expression: sp.Expr) -> Atoms | None:
    """Return ``expression`` in ``theory.activations.z`` as a sum of atoms; None if there is none, or a long one."""
    signed = _with_signs(expression)
    if _number_of_terms(signed) ** 2 > MOST_TERMS:
        return None
    converted = [_atom(term) for term in sp.Add.make_args(sp.expand(signed, trig=False))]
    atoms = combined(atom for atom in converted if atom is not None)
    return None if None in converted or _terms_of_mean(atoms) > MOST_TERMS else atoms


def _number_of_terms(expression: sp.Expr) -> int:
    """Return an upper bound for the number of terms of an expression that is multiplied out."""
    if expression.is_Add:
        return sum(map(_number_of_terms, expression.args))
    if expression.is_Mul:
        return math.prod(map(_number_of_terms, expression.args))
    several = max(map(_number_of_terms, expression.args), default=1)
    if several > MOST_TERMS or not (expression.is_Pow and expression.exp.is_Integer):
        return several
    return math.comb(abs(int(expression.exp)) + several - 1, several - 1)


def _terms_of_mean(atoms: Atoms) -> int:
    """Estimate the number of terms of ``E[f(u) f(u')]`` with means, in units of the computing time of those of z^n."""
    sizes = [(atom.power + 1, _weight(atom)) for atom in atoms]
    return sum(
        _TERMS_OF_A_PAIR + first * second * n * m * min(n, m) // 12
        for (n, first), (m, second) in product(sizes, sizes)
    )


def _weight(atom: Atom) -> int:
    """Return the root of the measured time of a term, where that of a power takes 1."""
    of_step = 50 if atom.step not in (0, sp.oo) else 2 if atom.step == sp.oo else 1
    of_exponential = 14 if atom.tilt.has(sp.I) else 5 if atom.tilt != 0 or atom.bend != 0 else 1
    return of_step * of_exponential


def _with_signs(expression: sp.Expr) -> sp.Expr:
    """Rewrite kinks at zero with the sign function, and trigonometric and hyperbolic functions with exponentials."""
    both = (sp.Max, sp.Min)
    expression = expression.replace(
        lambda node: isinstance(node, both) and len(node.args) == 2, _extremum
    )
    expression = expression.replace(sp.Heaviside, lambda u, *_: (1 + sp.sign(u)) / 2)
    expression = expression.replace(sp.Abs, lambda u: u * sp.sign(u))
    expression = expression.replace(sp.sign, _sign)
    expression = expression.replace(sp.erfc, lambda u: 1 - sp.erf(u))
    return expression.rewrite([sp.sin, sp.cos, sp.sinh, sp.cosh], sp.exp)


def _extremum(node: sp.Expr) -> sp.Expr:
    one, other = node.args
    sign = 1 if isinstance(node, sp.Max) else -1
    return (one + other + sign * sp.Abs(one - other)) / 2


def _sign(argument: sp.Expr) -> sp.Expr:
    slope = sp.cancel(argument / z)
    return sp.sign(slope) * sp.sign(z) if slope.is_number else sp.sign(argument)


def _atom(term: sp.Expr) -> Atom | None:
    factor, power, exponent, step, signs = sp.S.One, 0, sp.S.Zero, sp.S.Zero, 0
    for part in sp.Mul.make_args(term):
        base, times = part.as_base_exp()
        if not part.has(z):
            factor *= part
        elif base == z and times.is_Integer and times > 0:
            power += int(times)
        elif base is sp.E:
            exponent += times
        elif base == sp.sign(z) and times.is_Integer and times > 0:
            signs += int(times)
        elif isinstance(part, sp.erf) and step == 0 and (part.args[0] / z).is_number:
            step = part.args[0] / z * sp.sqrt(2)
        else:
            return None
    coefficients = _bounded_exponent(exponent)
    if coefficients is None or not step.is_real or (signs % 2 and step != 0):
        return None
    quadratic, linear, constant = coefficients
    factor *= sp.exp(constant) * (-1 if step.is_negative else 1)
    return Atom(factor, power, -2 * quadratic, linear, sp.oo if signs % 2 else abs(step))


def _bounded_exponent(exponent: sp.Expr) -> tuple[sp.Expr, ...] | None:
    """Return the coefficients of z², z and 1 of a quadratic exponent, or None for another one or one that explodes."""
    if not exponent.is_polynomial(z) or sp.degree(exponent, z) > 2:
        return None
    quadratic, linear, constant = (sp.expand(exponent).coeff(z, order) for order in (2, 1, 0))
    is_bounded = (-quadratic).is_nonnegative and (linear.is_real or linear.is_imaginary)
    return (quadratic, linear, constant) if is_bounded else None
