"""A flow of the author's own, and what follows from it."""

from __future__ import annotations

from collections.abc import Iterable

import sympy as sp

from theory.engine import conserved
from theory.engine.derived import Derived
from theory.engine.rates import Rates


class Flow(Rates):
    """An ordinary differential equation for a few variables, with what follows from it.

    Whatever a method returns has the steps that decide it. The arguments are those of
    :class:`theory.engine.rates.Rates`.

    >>> a, b, s = sp.symbols("a b s", real=True)
    >>> mode = Flow({a: b * (s - a * b), b: a * (s - a * b)})  # a mode of a linear network with two layers
    >>> mode.conserved()
    (conserved: a**2 - b**2,)
    """

    def conserved(
        self, degree: int = 2, *, among: Iterable[sp.Expr] | None = None
    ) -> tuple[Derived, ...]:
        """Return the conserved quantities among polynomials of a degree, each with the step that its velocity is zero.

        Args:
            degree: highest degree of the polynomials. Default: 2.
            among: functions of the variables of which the polynomials are made, such as ``(x, 1/x, y)`` or ``(x,
                log(x))``. Default: the variables.

        Returns:
            Functionally independent quantities, those of low degree first; empty if there are none. The coefficients
            hold for parameters of any value.

        Raises:
            TypeError, ValueError: if ``degree`` is not a positive integer, or ``among`` is empty.

        >>> x, y, r, c = sp.symbols("x y r c", positive=True)
        >>> hunt = Flow({x: x * (r - y), y: y * (x - c)})  # of Lotka and Volterra
        >>> hunt.conserved(1, among=(x, y, sp.log(x), sp.log(y)))
        (conserved: -c*log(x) - r*log(y) + x + y,)
        """
        return conserved.conserved(self, degree, among)
