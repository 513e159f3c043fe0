"""A flow of the author's own, and what follows from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import sympy as sp

from theory.core import Premise, Step
from theory.core.proof.premises import ends
from theory.engine import conserved, fixed_points, observed, reduction, solutions
from theory.engine.derived import Derived
from theory.engine.fixed_points import FixedPoint
from theory.engine.rates import TIME, Rates
from theory.engine.solutions import Solution


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

    def fixed_points(
        self, where: Mapping[sp.Symbol, sp.Expr] | None = None
    ) -> tuple[FixedPoint, ...]:
        """Return all fixed points in the domain of the variables, each with the linearised flow around it.

        Velocities that are rational functions are solved by cases, so that no fixed point is left out, for parameters
        of general values. The domain is what the symbols are assumed to be: positive variables have no fixed point at
        zero.

        Args:
            where: parametrisation of the parameters in which roots open and signs are known, such as ``{A: p**2 -
                m**2}``, for the steps and for the stability. Default: none.

        Raises:
            ValueError: if the velocities depend on time.
            NotImplementedError: if the zeros of the velocities have no short formula.

        Warns:
            UserWarning: if the velocities are not rational functions; then sympy may leave out fixed points.

        >>> x, r = sp.symbols("x r", positive=True)
        >>> print(*Flow({x: r * x * (1 - x)}).fixed_points())
        x = 1
          eigenvalues: -r
          stable
        """
        return fixed_points.fixed_points(self, where)

    def fixed_point(
        self,
        position: Mapping[sp.Symbol, Any],
        where: Mapping[sp.Symbol, sp.Expr] | None = None,
    ) -> FixedPoint:
        """Return the fixed point at a position of the author's own; its first step decides whether the flow vanishes.

        Args:
            position: variable -> its value.
            where: as for :meth:`fixed_points`. Default: none.

        Raises:
            ValueError: if a variable has no value, or the velocities depend on time.

        >>> angle, speed, g = sp.symbols("angle speed g", real=True)
        >>> pendulum = Flow({angle: speed, speed: -sp.sin(angle)})
        >>> print(pendulum.fixed_point({angle: sp.pi, speed: 0}))
        angle = pi, speed = 0
          eigenvalues: -1, 1
          unstable, a saddle
        """
        return fixed_points.fixed_point(self, position, where)

    def reduced(self, variable: sp.Symbol, quantity: Any, level: Any) -> Flow:
        """Return the flow on the states at which a conserved quantity has a given value, without one variable.

        Args:
            variable: variable to leave out; the quantity must determine it.
            quantity: conserved quantity, an expression or a result of :meth:`conserved`. A step decides whether it is
                conserved.
            level: its value, an expression in parameters or the initial state.

        Raises:
            ValueError: if the variable is none of the flow, or has no or several values on a level.

        >>> a, b = sp.symbols("a b", positive=True)
        >>> s, level = sp.symbols("s level", real=True)
        >>> mode = Flow({a: b * (s - a * b), b: a * (s - a * b)})
        >>> print(mode.reduced(b, mode.conserved()[0], level))
        da/dt = sqrt(a**2 - level)*(-a*sqrt(a**2 - level) + s)
        """
        expression = quantity.expression if isinstance(quantity, Derived) else quantity
        rates, steps = reduction.reduced_rates(self, variable, expression, level)
        return Flow(rates, self.time, self.uses, steps)

    def solution(
        self,
        curves: Mapping[sp.Symbol, Any],
        *,
        starts: Mapping[sp.Symbol, Any] | None = None,
        ends: Mapping[sp.Symbol, Any] | None = None,
        begin: Any = 0,
        end: Any = sp.oo,
        cases: Mapping[str, Mapping[sp.Symbol, sp.Expr]] | None = None,
    ) -> Solution:
        """Return a solution of the author's own with the steps that show that it is one.

        A curve with denominators, roots or logarithms that ends somewhere has a check that it has a value until then:
        one that goes to infinity on the way ends nowhere.

        Args:
            curves: variable -> its value as a function of time.
            starts: variable -> its value at ``begin``. Default: none is claimed.
            ends: variable -> its value at ``end``. Default: none is claimed.
            begin: time of the start. Default: 0.
            end: time of the end. Default: infinity, which is a limit.
            cases: words -> parametrisation of the parameters, as ``where`` of a step, one step for each; together
                they reach the whole domain. Default: one case without a parametrisation.

        Raises:
            ValueError: if a variable has no curve, or something is claimed of a symbol that is no variable.

        >>> x, x_0, r = sp.symbols("x x_0 r", positive=True)
        >>> decay = Flow({x: -r * x})
        >>> curve = x_0 * sp.exp(-r * decay.time)
        >>> found = decay.solution({x: curve}, starts={x: x_0}, ends={x: 0})
        >>> [verdict.name for verdict in found.check().values()]
        ['HOLDS', 'HOLDS', 'HOLDS']
        """
        return solutions.solution(self, curves, starts or {}, ends or {}, begin, end, cases)

    def observed(
        self,
        definition: Premise,
        velocities: Mapping[sp.Symbol, Any],
        *,
        on: Mapping[sp.Symbol, Any] | None = None,
        uses: tuple[Any, ...] = (),
    ) -> dict[sp.Symbol, Derived]:
        """Return the velocities of functions of the state in letters for these functions, each with its derivation.

        Args:
            definition: what the letters stand for, in words, with a column of functions of the state.
            velocities: letter -> its velocity in the letters, in the order of the functions; None for a letter that
                does not move, or whose velocity is of no interest.
            on: variable -> its value on the states for which this holds. Default: it holds on all.
            uses: what these states rest on: steps, premises, assumptions in words. Default: nothing.

        Returns:
            Letter -> its velocity, of each letter that has one; a closed form or another flow can be made of it.

        Raises:
            ValueError: if there are not as many letters as functions, or ``definition`` has no expression.

        >>> x, y, q = sp.symbols("x y q", positive=True)
        >>> turning = Flow({x: -y - x, y: x - y})
        >>> turning.observed(Premise("q is the squared length", sp.Matrix([x**2 + y**2])), {q: -2 * q})[q]
        velocity of q: -2*q
        """
        return observed.observed(self, definition, velocities, on or {}, uses)

    @classmethod
    def of_hamiltonian(
        cls,
        hamiltonian: sp.Expr | Derived,
        pairs: Mapping[sp.Symbol, sp.Symbol],
        time: sp.Symbol = TIME,
    ) -> Flow:
        """Return Hamilton's equations.

        Args:
            hamiltonian: expression in the values and momenta, or the result of :func:`theory.engine.legendre`, on whose
                steps the flow then rests.
            pairs: value -> its momentum.
            time: symbol of the time, or of the position along a path. Default: ``t``.

        >>> x, p = sp.symbols("x p", real=True)
        >>> print(Flow.of_hamiltonian((x**2 + p**2) / 2, {x: p}))
        dx/dt = p
        dp/dt = -x
        """
        is_derived = isinstance(hamiltonian, Derived)
        energy = hamiltonian.expression if is_derived else hamiltonian
        before = hamiltonian.steps if is_derived else ()
        rests_on = ends(before) or (Premise(f"the Hamiltonian {sp.sstr(energy)}", energy),)
        slopes = {value: sp.Derivative(energy, momentum) for value, momentum in pairs.items()}
        slopes |= {momentum: -sp.Derivative(energy, value) for value, momentum in pairs.items()}
        steps = {
            letter: Step(
                f"Hamilton's equation of {letter}",
                slope.doit(),
                slope,
                because="a value moves by the slope in its momentum, a momentum against that in its value",
                uses=rests_on,
            )
            for letter, slope in slopes.items()
        }
        rates = {letter: step.left for letter, step in steps.items()}
        return cls(rates, time, steps=(*before, *steps.values()))
