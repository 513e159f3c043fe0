"""Features written out as symbols, with all means and covariances from their definitions, no rule of the thesis."""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp


class Features:
    """Features in the plane, ``sizes[c]`` of class c.

    Args:
        sizes: of the classes.
    """

    def __init__(self, sizes: Sequence[int]) -> None:
        self.sizes = tuple(sizes)
        self.count = sum(sizes)
        self.of_class = [
            [sp.Matrix(sp.symbols(f"h{c}{i}x h{c}{i}y", real=True)) for i in range(n)] for c, n in enumerate(sizes)
        ]
        zero = sp.zeros(2, 1)
        self.totals = [sum(members, zero) for members in self.of_class]
        self.means = [total / n for total, n in zip(self.totals, self.sizes, strict=True)]
        self.centre = sum(self.totals, zero) / self.count
        self.centred = [m - self.centre for m in self.means]
        self.centred_matrix = sp.Matrix.hstack(*self.centred)
        pairs = [(h, m) for members, m in zip(self.of_class, self.means, strict=True) for h in members]
        self.samples = [h for h, _ in pairs]
        self.residuals = [h - m for h, m in pairs]
        self.within = sum((r * r.T for r in self.residuals), sp.zeros(2)) / self.count
        self.total = sum(((h - self.centre) * (h - self.centre).T for h in self.samples), sp.zeros(2)) / self.count
        weighted = [n * m * m.T for n, m in zip(self.sizes, self.centred, strict=True)]
        self.between = sum(weighted, sp.zeros(2)) / self.count
        self.gram = sum((h * h.T for h in self.samples), sp.zeros(2))


balanced, uneven = Features((2, 2)), Features((3, 2))
"""Two classes of two; three of one and two of the other."""


def rotation(letters: str) -> sp.Matrix:
    """A rotation of three dimensions as a rational function of three numbers (Cayley).

    It is (1 - K)/(1 + K) of a skew matrix K; as K^3 = -(a^2 + b^2 + c^2) K, that is a polynomial in K.
    """
    a, b, c = sp.symbols(f"{letters}1 {letters}2 {letters}3", real=True)
    skew = sp.Matrix([[0, -c, b], [c, 0, -a], [-b, a, 0]])
    return sp.eye(3) + 2 * (skew**2 - skew) / (1 + a**2 + b**2 + c**2)
