"""Lagrangians: the equations of motion, the conserved energy, the momenta, and the Hamiltonian."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sympy as sp

from closedform import checks
from theory.core import Premise, Step
from theory.core.formula.parsing import sympy_object
from theory.engine.derived import Derived
from theory.engine.inverses import finds_all
from theory.engine.rates import TIME


@dataclass(frozen=True)
class Lagrangian:
    """What a path costs at a point, of which the path makes the integral stationary.

    Args:
        expression: in the values, their slopes, and maybe the position.
        slopes: value -> the symbol of its derivative.
        position: symbol of the position along the path, or of time. Default: ``t``.
        uses: what the Lagrangian rests on. Default: it is a definition.

    Raises:
        TypeError: if ``expression`` is no expression, or ``slopes`` no mapping.

    >>> x, v = sp.symbols("x v", real=True)
    >>> t = sp.Symbol("t", real=True)
    >>> spring = Lagrangian((v**2 - x**2) / 2, {x: v}, t)
    >>> spring.equations({x: sp.cos(t)})[x]
    cos(t) + Derivative(cos(t), (t, 2))
    >>> spring.energy.doit()
    v**2/2 + x**2/2
    """

    expression: sp.Expr
    slopes: Mapping[sp.Symbol, sp.Symbol]
    position: sp.Symbol = TIME
    uses: tuple[Any, ...] = ()

    def __post_init__(self) -> None:
        cost = sympy_object("expression", self.expression)
        object.__setattr__(self, "expression", cost)
        object.__setattr__(self, "slopes", dict(checks.mapping("slopes", self.slopes)))
        rests_on = self.uses or (Premise(f"the Lagrangian {sp.sstr(cost)}", cost),)
        object.__setattr__(self, "uses", rests_on)

    @property
    def energy(self) -> sp.Expr:
        """The slopes times their momenta less the Lagrangian, with derivatives unevaluated."""
        cost = self.expression
        return sp.Add(*(slope * sp.Derivative(cost, slope) for slope in self._slopes)) - cost

    def equations(self, paths: Mapping[sp.Symbol, Any]) -> dict[sp.Symbol, sp.Expr]:
        """Return what the Euler-Lagrange equation of each value sets to zero, along a path.

        Args:
            paths: value -> its path, a function of the position, also an undefined one; or the pair of its slope and
                its bend at a point, for a path that is known by these.

        Returns:
            Value -> the derivative of the momentum along the path less that of the Lagrangian in the value, in
            unevaluated derivatives of the path.
        """
        forces, along = self._forces(), self._along(paths)
        return {x: force.subs(along, simultaneous=True) for x, force in forces.items()}

    def stationary(
        self,
        paths: Mapping[sp.Symbol, Any],
        at: Mapping[sp.Symbol, sp.Expr] | None = None,
        uses: tuple[Any, ...] = (),
    ) -> tuple[Step, ...]:
        """Return the steps that a path obeys the Euler-Lagrange equation of each value.

        Args:
            paths: as for :meth:`equations`.
            at: parameter -> its value, if only those belong to this path. Default: the parameters are general.
            uses: what the steps use besides the Lagrangian. Default: nothing.
        """
        along = {**self._along(paths), **(at or {})}
        return tuple(
            Step(
                f"Euler-Lagrange equation of {value}",
                sp.Subs(force, tuple(along), tuple(along.values())),
                sp.S.Zero,
                because="along the path",
                uses=(*self.uses, *uses),
            )
            for value, force in self._forces().items()
        )

    def conserves(
        self,
        value: sp.Expr,
        paths: Mapping[sp.Symbol, sp.Expr] | None = None,
        at: Mapping[sp.Symbol, sp.Expr] | None = None,
        *,
        aside: str = "",
        uses: tuple[Any, ...] = (),
    ) -> Step:
        """Return the step that the conserved energy is a value.

        Args:
            value: in the values and slopes, or along the path.
            paths: value -> its path, a function of the position. Default: on any path.
            at: as for :meth:`stationary`.
            aside: as for a step. Default: something follows from it.
            uses: what the step uses besides the Lagrangian. Default: nothing.

        Raises:
            ValueError: if the Lagrangian depends on the position, so that its energy is not conserved.
        """
        cost = self.expression
        does_not_depend = self.position not in cost.free_symbols
        checks.require(does_not_depend, "expression", cost, f"one without {self.position}")
        energy = self.energy
        along = {**self._along(paths or {}), **(at or {})}
        along = {letter: there for letter, there in along.items() if energy.has(letter)}
        if along:
            energy = sp.Subs(energy, tuple(along), tuple(along.values()))
        return Step(
            "the energy, which is conserved",
            energy,
            value,
            because=f"Legendre transform; the Lagrangian does not depend on {self.position}",
            aside=aside,
            uses=(*self.uses, *uses),
        )

    def hamiltonian(
        self,
        momenta: Mapping[sp.Symbol, sp.Symbol],
        velocities: Mapping[sp.Symbol, sp.Expr] | None = None,
        hamiltonian: sp.Expr | None = None,
    ) -> Derived:
        """Return the Hamiltonian, with the steps of its derivation.

        Args:
            momenta: value -> the symbol of its momentum, in which the Hamiltonian is written.
            velocities: value -> its slope in the momenta, in a form of the author's own. Default: they are solved for.
            hamiltonian: the Hamiltonian in a form of the author's own. Default: it is worked out.

        Raises:
            ValueError: if the momenta do not determine the slopes.

        >>> x, v, p = sp.symbols("x v p", real=True)
        >>> m = sp.Symbol("m", positive=True)
        >>> Lagrangian(m * v**2 / 2 - x**2, {x: v}).hamiltonian({x: p})
        Hamiltonian: x**2 + p**2/(2*m)
        """
        cost, slopes = self.expression, self._slopes
        letters = tuple(momenta[x] for x in self.slopes)
        solved = self._velocities(letters)
        if velocities is not None:
            solved = tuple(velocities[x] for x in self.slopes)
        moving = tuple(
            Step(
                f"the momentum of {value} at the velocity {sp.sstr(velocity)}",
                sp.Subs(sp.Derivative(cost, slope), slopes, solved),
                momentum,
                because="the momentum is the derivative of the Lagrangian in the velocity",
                uses=self.uses,
            )
            for (value, slope), momentum, velocity in zip(
                self.slopes.items(), letters, solved, strict=True
            )
        )
        transform = Premise(
            "the Legendre transform is momentum times velocity less the Lagrangian",
            sp.Add(*map(sp.Mul, letters, slopes)) - cost,
        )
        if hamiltonian is None:
            there = transform.expression.subs(dict(zip(slopes, solved, strict=True)))
            hamiltonian = sp.expand(sp.simplify(there))
        last = Step(
            "momentum times velocity minus the Lagrangian",
            sp.Subs(transform.expression, slopes, solved),
            hamiltonian,
            because="the velocities of these momenta",
            uses=(*moving, transform, *self.uses),
        )
        return Derived("Hamiltonian", hamiltonian, steps=(*moving, last))

    @property
    def _slopes(self) -> tuple[sp.Symbol, ...]:
        return tuple(self.slopes.values())

    @property
    def _bends(self) -> dict[sp.Symbol, sp.Symbol]:
        return {value: sp.Symbol(f"{value}''", real=True) for value in self.slopes}

    def _forces(self) -> dict[sp.Symbol, sp.Expr]:
        """Return for each value the derivative of the momentum along a path less that of the Lagrangian."""
        forces = {}
        for value, slope in self.slopes.items():
            momentum = sp.diff(self.expression, slope)
            force = sp.diff(momentum, self.position) - sp.diff(self.expression, value)
            for other, speed in self.slopes.items():
                force += sp.diff(momentum, speed) * self._bends[other]
                force += sp.diff(momentum, other) * speed
            forces[value] = force
        return forces

    def _along(self, paths: Mapping[sp.Symbol, Any]) -> dict[sp.Symbol, sp.Expr]:
        """Return values, slopes and bends along a path."""
        along: dict[sp.Symbol, sp.Expr] = {}
        for value, path in paths.items():
            moving = path
            if not isinstance(path, tuple):
                along[value] = path
                moving = tuple(sp.Derivative(path, (self.position, order)) for order in (1, 2))
            along[self.slopes[value]], along[self._bends[value]] = moving
        return along

    def _velocities(self, letters: tuple[sp.Symbol, ...]) -> tuple[sp.Expr, ...]:
        """Return the only velocities of the momenta."""
        momenta = [sp.diff(self.expression, slope) for slope in self._slopes]
        equations = [sp.Eq(*sides) for sides in zip(momenta, letters, strict=True)]
        if len(letters) == 1:  # sympy leaves the solution of one equation as it is, factored
            solutions = sp.solve(equations[0], self._slopes[0], dict=True)
            is_all = finds_all(momenta[0], self._slopes[0])
        else:
            solutions = sp.solve(equations, self._slopes, dict=True)
            is_all = all(sp.Poly(p, *self._slopes).total_degree() == 1 for p in momenta)
        others = "" if is_all else " and maybe others"
        if len(solutions) != 1 or others:
            raise ValueError(
                f"lagrangian: got {self.expression}, whose momenta allow the velocities {solutions}{others}, needs one "
                "velocity"
            )
        return tuple(solutions[0].get(slope, slope) for slope in self._slopes)
