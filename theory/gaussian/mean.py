r"""Gaussian means as expressions: :math:`E[f(z)]` over centred, jointly Gaussian letters, not worked out.

A mean is differentiated by the heat equation, Price's theorem in several letters (across a kink, by the density),

.. math:: \partial_{K_{ij}} E[f] = \tfrac{1}{2} E[\partial_i \partial_j f] \quad\text{for each entry of } K,

and worked out by ``doit``: powers of letters by integration by parts (Stein; for polynomials alone this is Isserlis'
theorem), sums of atoms by ``theory.gaussian.rules``. What is left is an integral, or a mean of undefined functions.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations, product
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from closedform.checks.plain import shown
from theory.activations import z
from theory.activations.kinks import kinks_of
from theory.core.algebra import regions
from theory.core.formula.let import bound_letter
from theory.core.formula.parsing import sympy_object
from theory.core.formula.subexpressions import Binder
from theory.gaussian.decomposition import atoms_of
from theory.gaussian.integrals import (
    gaussian_mean,
    gaussian_mean_derivative,
    gaussian_pair_mean,
)
from theory.gaussian.products import halved, separated
from theory.gaussian.rules import NotClosed, State, mean, product_mean

KINKED = (sp.Piecewise, *regions.KINKED)
"""Functions whose second derivative is none: a mean of it is one of the function times a polynomial."""


class Mean(Binder):
    """The mean of an expression over centred Gaussian letters with a covariance, as a sympy expression.

    Args:
        function: the expression, which may contain undefined functions.
        letters: a real symbol, or several; they are bound, as those of an integral.
        covariance: the variance of the only letter, or the symmetric covariance matrix of all.

    Raises:
        TypeError: if the letters are no symbols, or the function or the covariance is no expression.
        ValueError: if a letter occurs twice or in the covariance, or the matrix does not fit or is not symmetric.

    >>> x, y = sp.symbols("x y", real=True)
    >>> K = sp.Symbol("K", positive=True)
    >>> Mean(sp.sin(x) ** 2, x, K).doit()
    1/2 - exp(-2*K)/2
    >>> f = sp.Function("f", real=True)
    >>> sp.diff(Mean(f(x), x, K), K)
    E[Derivative(f(x), (x, 2))]/2
    """

    is_commutative = True

    def __new__(cls, function: Any, letters: Any, covariance: Any) -> Mean:
        """Create the node without evaluation, with letters of its own."""
        names = tuple(letters) if isinstance(letters, (Sequence, sp.Tuple)) else (letters,)
        if not names or not all(isinstance(letter, sp.Symbol) for letter in names):
            raise TypeError(f"letters: got {shown(letters)}, needs a symbol or several")
        if len(set(names)) < len(names):
            raise ValueError(f"letters: got {names}, needs each once")
        matrix = _matrix(covariance, len(names))
        if matrix.free_symbols & set(names):
            raise ValueError(
                f"covariance: got {covariance}, needs one without the letters {names}"
            )
        body = _expression("function", function)
        own = _letters(body, len(names), [letter.name for letter in names])
        body = body.subs(dict(zip(names, own, strict=True)), simultaneous=True)
        return sp.Expr.__new__(cls, body, sp.Tuple(*own), matrix)

    @property
    def function(self) -> sp.Expr:
        """The expression, in the letters of this mean."""
        return self.args[0]

    @property
    def letters(self) -> tuple[sp.Symbol, ...]:
        """The bound letters."""
        return tuple(self.args[1])

    @property
    def covariance(self) -> sp.ImmutableMatrix:
        """The covariance matrix of the letters."""
        return self.args[2]

    @property
    def bound_symbols(self) -> list[sp.Symbol]:
        """The letters, which are not free."""
        return list(self.letters)

    @property
    def free_symbols(self) -> set[sp.Symbol]:
        """The symbols on which the value depends."""
        return (self.function.free_symbols - set(self.letters)) | self.covariance.free_symbols

    def _over(self, function: sp.Expr) -> Mean:
        return Mean(function, self.letters, self.covariance)

    def _eval_subs(self, old: sp.Basic, new: sp.Basic) -> sp.Basic:
        if old in self.letters:
            return self
        return Mean(self.function.subs(old, new), self.letters, self.covariance.subs(old, new))

    def _eval_derivative(self, symbol: sp.Symbol) -> sp.Expr:
        slope = sp.diff(self.function, symbol)
        total = self._over(slope) if slope != 0 else sp.S.Zero
        for i, j in product(range(len(self.letters)), repeat=2):
            change = sp.diff(self.covariance[i, j], symbol)
            if change != 0:
                total += change * self._over(self._bend(i, j)) / 2
        return total

    def _bend(self, i: int, j: int) -> sp.Expr:
        """Return a function with the mean of the second derivative: of one with kinks, itself times a polynomial."""
        if not self.function.has(*KINKED):
            return sp.Derivative(self.function, self.letters[i], self.letters[j]).doit()
        inverse = self.covariance.inv()
        normal = inverse * sp.Matrix(self.letters)
        return self.function * (normal[i] * normal[j] - inverse[i, j])

    def _eval_is_extended_real(self) -> bool | None:
        return True if self.function.is_extended_real else None

    def _eval_is_nonnegative(self) -> bool | None:
        return True if self.function.is_nonnegative else None

    def _eval_evalf(self, prec: int) -> sp.Expr:
        return self.doit()._eval_evalf(prec)

    def doit(self, **hints: Any) -> sp.Expr:
        """Return the mean by the rules, and what they leave over as means of no more letters than needed.

        Args:
            hints: as for sympy's ``doit``, for the function and the covariance.
        """
        covariance = self.covariance.doit(**hints)
        function = self.function.doit(**hints)
        letters = _letters(function, len(self.letters))
        function = function.xreplace(dict(zip(self.letters, letters, strict=True)))
        return _worked_out(function, letters, covariance)

    @property
    def computable(self) -> sp.Expr:
        """The mean by the rules, or as an integral over standard Gaussians; NotClosed where there is neither."""
        done = self.doit()
        left = done.atoms(Mean)
        integrals = {
            rest: _integral(rest.function, rest.letters, rest.covariance) for rest in left
        }
        return done.xreplace(integrals)

    def _sympystr(self, printer: Any) -> str:
        return f"E[{printer._print(self._named())}]"

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        inside = rf"E\left[{printer._print(self._named())}\right]"
        return inside if exp is None else f"{inside}^{{{exp}}}"

    def _named(self) -> sp.Expr:
        """Return the function in symbols that are printed without the underscore of bound ones."""
        return self.function.xreplace({letter: sp.Symbol(letter.name) for letter in self.letters})


def _letters(function: sp.Expr, count: int, names: Sequence[str] = ()) -> tuple[sp.Dummy, ...]:
    """Return bound letters, the same for each place in every mean, that no mean inside the function binds."""
    inside = [letter.dummy_index for mean in function.atoms(Mean) for letter in mean.letters]
    places = range(-min(inside, default=0), count - min(inside, default=0))
    names = names or [f"z_{place}" if place else "z" for place in places]
    return tuple(
        bound_letter(name, place, real=True) for name, place in zip(names, places, strict=True)
    )


def _matrix(covariance: Any, size: int) -> sp.ImmutableMatrix:
    is_matrix = isinstance(covariance, (sp.MatrixBase, list, tuple))
    matrix = sp.ImmutableMatrix(
        covariance if is_matrix else [[_expression("covariance", covariance)]]
    )
    if matrix.shape != (size, size):
        raise ValueError(
            f"covariance: got shape {matrix.shape}, needs ({size}, {size}) for the letters"
        )
    if not matrix.is_symmetric():
        raise ValueError(f"covariance: got {covariance}, needs a symmetric matrix")
    if any(entry.is_negative for entry in matrix.diagonal()) or (
        not matrix.free_symbols and matrix.is_positive_semidefinite is False
    ):
        raise ValueError(f"covariance: got {covariance}, needs no direction of negative variance")
    return matrix


def _worked_out(
    function: sp.Expr, letters: tuple[sp.Symbol, ...], covariance: sp.Matrix
) -> sp.Expr:
    """Return the mean of an expression, term by term where it is a sum."""
    used = [index for index, letter in enumerate(letters) if function.has(letter)]
    if not used:
        return function
    letters, covariance = tuple(letters[i] for i in used), covariance.extract(used, used)
    if covariance.is_zero_matrix:
        return function.subs(dict.fromkeys(letters, 0))
    by_rules = _by_rules(function, letters, covariance)
    if by_rules is not None:
        return by_rules
    if _is_polynomial_times_unknown(function, letters):
        function = sp.expand(function)
        terms = sp.Add.make_args(function)
        if len(terms) > 1:
            return sp.Add(*(_worked_out(term, letters, covariance) for term in terms))
    factor, inside = function.as_independent(*letters, as_Add=False)
    by_parts = _by_parts(inside, letters, covariance)
    if by_parts is not None:
        return factor * by_parts
    return factor * _in_order(inside, letters, covariance)


def _in_order(function: sp.Expr, letters: tuple[sp.Symbol, ...], covariance: sp.Matrix) -> Mean:
    """Return the mean with its letters in the one order that is the same for all ways to write it."""
    ways = [
        Mean(
            function.xreplace(
                {letters[i]: letter for i, letter in zip(order, letters, strict=True)}
            ),
            letters,
            covariance.extract(order, order),
        )
        for order in permutations(range(len(letters)))
    ]
    return min(ways, key=sp.default_sort_key)


def _is_polynomial_times_unknown(function: sp.Expr, letters: tuple[sp.Symbol, ...]) -> bool:
    return function.has(AppliedUndef) or function.is_polynomial(*letters)


def _by_parts(
    term: sp.Expr, letters: tuple[sp.Symbol, ...], covariance: sp.Matrix
) -> sp.Expr | None:
    """Return ``E[z_i g] = sum_j K_ij E[dg/dz_j]`` for a letter that is a factor of a term, None if none is."""
    if not _is_polynomial_times_unknown(term, letters):
        return None
    powers = term.as_powers_dict()
    for i, letter in enumerate(letters):
        if powers.get(letter, 0) >= 1:
            rest = term / letter
            slopes = (sp.Derivative(rest, other).doit() for other in letters)
            return sp.Add(
                *(
                    covariance[i, j] * _worked_out(slope, letters, covariance)
                    for j, slope in enumerate(slopes)
                )
            )
    return None


def _by_rules(
    function: sp.Expr, letters: tuple[sp.Symbol, ...], covariance: sp.Matrix
) -> sp.Expr | None:
    """Return the mean of a sum of atoms, or of a product of two such sums in one letter each; None otherwise."""
    if function.has(AppliedUndef) or len(letters) > 2:
        return None
    try:
        if len(letters) == 1:
            in_z = function.xreplace({letters[0]: z})
            atoms = atoms_of(in_z)
            if atoms is not None:
                return mean(atoms, covariance[0, 0])
            parts, state = halved(in_z), State(*[covariance[0, 0]] * 3)
        else:
            parts = separated(function, letters)
            state = State(covariance[0, 0], covariance[1, 1], covariance[0, 1])
        if parts is None:
            return None
        total = sp.S.Zero
        for one, other in parts:
            first, second = atoms_of(one), atoms_of(other)
            if first is None or second is None:
                return None
            total += product_mean(first, second, state)
        return total
    except NotClosed:
        return None


def _integral(function: sp.Expr, letters: tuple[sp.Symbol, ...], covariance: sp.Matrix) -> sp.Expr:
    """Return the mean as an integral over standard Gaussians; NotClosed where no integral is known."""
    if len(letters) == 1:
        in_z = function.xreplace({letters[0]: z})
        kinks = _kinks(in_z)
        if kinks:
            return gaussian_mean_derivative(in_z, covariance[0, 0], kinks, 0)
        return gaussian_mean(in_z, covariance[0, 0])
    parts = separated(function, letters) if len(letters) == 2 else None
    if parts is None:
        raise NotClosed(f"the mean of {function} over {len(letters)} letters")
    variances = covariance[0, 0], covariance[1, 1]
    means = (
        gaussian_pair_mean(one, other, variances, covariance[0, 1], (_kinks(one), _kinks(other)))
        for one, other in parts
    )
    return sp.Add(*means)


def _kinks(function: sp.Expr) -> tuple[sp.Expr, ...]:
    """Return the points where a function of ``z`` has kinks, as far as these are numbers."""
    if not function.has(*KINKED):
        return ()
    points = kinks_of(function, z)
    return points if all(point.is_number for point in points) else ()


def _expression(name: str, value: Any) -> sp.Expr:
    expression = sympy_object(name, value, "a number or an expression")
    if not isinstance(expression, sp.Expr):
        raise TypeError(f"{name}: got {type(value).__name__}, needs a number or an expression")
    return expression
