r"""The functions whose Gaussian expectations are known: sums of atoms.

An atom is :math:`k\, z^n e^{-a z^2/2 + b z}\, S(z)` with :math:`S = 1`, an error function
:math:`S = \operatorname{erf}(\gamma z/\sqrt 2)`, its limit :math:`\gamma \to \infty`, the sign, or a Dirac delta.
Products with Gaussian densities and derivatives of atoms are sums of atoms, and nearly every activation is a sum of a
few atoms: :math:`\max(0, z) = z/2 + z\operatorname{sign}(z)/2`, GELU :math:`= z/2 + z \operatorname{erf}(z/\sqrt 2)/2`,
and sines are exponentials with imaginary :math:`b`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

import sympy as sp

from theory.activations import z


@dataclass(frozen=True)
class Atom:
    """``factor * z**power * exp(-bend z^2/2 + tilt z) * S(z)``.

    Args:
        factor: factor k, a number that may be complex.
        power: power n of z, at least 0.
        bend: coefficient a of the Gaussian exponent, non-negative.
        tilt: coefficient b of the linear exponent, a number that may be imaginary.
        step: gamma of the error function; ``oo`` for the sign, 0 for S = 1.
        delta: whether S is a Dirac delta.
    """

    factor: sp.Expr
    power: int = 0
    bend: sp.Expr = sp.S.Zero
    tilt: sp.Expr = sp.S.Zero
    step: sp.Expr = sp.S.Zero
    delta: bool = False

    @property
    def expression(self) -> sp.Expr:
        """Return the atom as an expression in ``theory.activations.z``."""
        s = sp.DiracDelta(z) if self.delta else sp.sign(z) if self.step == sp.oo else sp.erf(self.step * z / sp.sqrt(2))
        smooth = self.factor * z**self.power * sp.exp(-self.bend * z**2 / 2 + self.tilt * z)
        return smooth * (s if self.delta or self.step != 0 else 1)


Atoms = tuple[Atom, ...]


def combined(atoms: Iterable[Atom]) -> Atoms:
    """Add up atoms of the same kind and remove those that vanish, such as z times a delta."""
    factors: dict[Atom, sp.Expr] = {}
    for atom in atoms:
        if atom.delta:
            if atom.power:
                continue
            atom = replace(atom, bend=sp.S.Zero, tilt=sp.S.Zero)
        kind = replace(atom, factor=sp.S.One)
        factors[kind] = sp.expand(factors.get(kind, sp.S.Zero) + atom.factor)
    return tuple(replace(kind, factor=factor) for kind, factor in factors.items() if factor != 0)


def derivative(atoms: Atoms) -> Atoms:
    """Return the derivative in the sense of distributions.

    Raises:
        ValueError: if the derivative contains the derivative of a Dirac delta.
    """
    terms = []
    for atom in atoms:
        if atom.delta:
            raise ValueError("the derivative of a Dirac delta is no atom")
        k, n = atom.factor, atom.power
        terms += [replace(atom, factor=k * n, power=n - 1)] if n else []
        terms += [replace(atom, factor=-k * atom.bend, power=n + 1), replace(atom, factor=k * atom.tilt)]
        if atom.step == sp.oo:
            terms.append(replace(atom, factor=2 * k, step=sp.S.Zero, delta=True))
        elif atom.step != 0:
            slope = k * atom.step * sp.sqrt(2 / sp.pi)
            terms.append(replace(atom, factor=slope, bend=atom.bend + atom.step**2, step=sp.S.Zero))
    return combined(terms)


@lru_cache(maxsize=256)
def atoms_of(expression: sp.Expr) -> Atoms | None:
    """Return ``expression`` in ``theory.activations.z`` as a sum of atoms, or None if this is impossible."""
    expanded = sp.expand(_with_signs(expression), trig=False)
    converted = [_atom(term) for term in sp.Add.make_args(expanded)]
    return combined(atom for atom in converted if atom is not None) if None not in converted else None


def _with_signs(expression: sp.Expr) -> sp.Expr:
    """Rewrite kinks at zero with the sign function, and trigonometric and hyperbolic functions with exponentials."""
    both = (sp.Max, sp.Min)
    expression = expression.replace(lambda node: isinstance(node, both) and len(node.args) == 2, _extremum)
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
