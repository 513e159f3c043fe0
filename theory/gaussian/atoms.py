r"""The functions whose Gaussian expectations are known: sums of atoms.

An atom is :math:`k\, z^n e^{-a z^2/2 + b z}\, S(z)` with :math:`S = 1`, an error function
:math:`S = \operatorname{erf}(\gamma z/\sqrt 2)`, its limit :math:`\gamma \to \infty`, the sign, or a Dirac delta.
Products with Gaussian densities and derivatives of atoms are sums of atoms, and nearly every activation is a sum of a
few atoms: :math:`\max(0, z) = z/2 + z\operatorname{sign}(z)/2`, GELU :math:`= z/2 + z \operatorname{erf}(z/\sqrt 2)/2`,
and sines are exponentials with imaginary :math:`b`.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import sympy as sp

from theory.activations import z


@dataclass(frozen=True)
class Atom:
    """``factor * z**power * exp(-bend z^2/2 + tilt z) * S(z)``; the factor may be complex and the tilt imaginary."""

    factor: sp.Expr
    power: int = 0
    bend: sp.Expr = sp.S.Zero  # at least 0
    tilt: sp.Expr = sp.S.Zero
    step: sp.Expr = sp.S.Zero  # gamma of the error function S; oo for the sign, 0 for S = 1
    delta: bool = False  # whether S is a Dirac delta

    @property
    def expression(self) -> sp.Expr:
        """Return the atom as an expression in ``theory.activations.z``."""
        s = (
            sp.DiracDelta(z)
            if self.delta
            else sp.sign(z)
            if self.step == sp.oo
            else sp.erf(self.step * z / sp.sqrt(2))
        )
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
    """Return the derivative in the sense of distributions; ValueError for the derivative of a Dirac delta."""
    terms = []
    for atom in atoms:
        if atom.delta:
            raise ValueError("the derivative of a Dirac delta is not an atom")
        k, n = atom.factor, atom.power
        terms += [replace(atom, factor=k * n, power=n - 1)] if n else []
        terms += [
            replace(atom, factor=-k * atom.bend, power=n + 1),
            replace(atom, factor=k * atom.tilt),
        ]
        if atom.step == sp.oo:
            terms.append(replace(atom, factor=2 * k, step=sp.S.Zero, delta=True))
        elif atom.step != 0:
            slope = k * atom.step * sp.sqrt(2 / sp.pi)
            terms.append(
                replace(atom, factor=slope, bend=atom.bend + atom.step**2, step=sp.S.Zero)
            )
    return combined(terms)
