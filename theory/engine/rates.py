"""The data of a flow: its variables, their velocities, and what these rest on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import sympy as sp

from closedform import checks
from theory.core import Check, ClosedForm, Premise, Step, applied
from theory.core.formula.parsing import sympy_object
from theory.core.proof.premises import ends, with_lemmas
from theory.core.proof.values import taking
from theory.engine.derived import Derived
from theory.engine.exact import exact

TIME = sp.Symbol("t", real=True)


@dataclass(frozen=True, repr=False, eq=False)
class Rates:
    """Velocities of variables: variable -> its derivative in time.

    Args:
        rates: velocity of each variable, an expression in the variables, parameters and time. A velocity that is not
            known in closed form is an undefined function of the variables, such as ``sympy.Function("F")(a, b)``. A
            float is the decimal that it prints. On a closed form or a derived velocity the flow rests.
        time: symbol of the time, for velocities that depend on it. Default: ``t``, real.
        uses: what the velocities rest on: steps, closed forms, premises. Default: they are a definition.
        steps: derivation of the velocities, for a flow that was made from another one. Default: none.

    Raises:
        TypeError: if a variable is no symbol, or a velocity no scalar expression.
        ValueError: if there is no variable, time is one of them, or a velocity is not finite.

    >>> a, b, s = sp.symbols("a b s", real=True)
    >>> print(Rates({a: b * (s - a * b), b: a * (s - a * b)}))
    da/dt = b*(-a*b + s)
    db/dt = a*(-a*b + s)
    """

    rates: Mapping[sp.Symbol, Any]
    time: sp.Symbol = TIME
    uses: tuple[Any, ...] = ()
    steps: tuple[Step | Check, ...] = ()

    def __post_init__(self) -> None:
        given = checks.mapping("rates", self.rates)
        checks.require(bool(given), "rates", given, "a velocity of at least one variable")
        needs = "a scalar expression"
        velocities, rests = {}, list[Any]()
        for variable, rate in given.items():
            if not isinstance(variable, sp.Symbol):
                raise TypeError(
                    f"rates: got {checks.shown(variable)} as a variable, needs a symbol of sympy"
                )
            name = f"velocity of {variable}"
            rests += rate.steps[-1:] if isinstance(rate, Derived) else ()
            rests += (rate,) if isinstance(rate, ClosedForm) else ()
            value = exact(name, getattr(rate, "expression", rate), needs)
            if not isinstance(value, sp.Expr) or value.is_Matrix:
                raise TypeError(f"{name}: got {type(value).__name__}, needs {needs}")
            if value.has(sp.nan, sp.zoo, sp.oo, -sp.oo):
                raise ValueError(f"{name}: got {value}, needs a finite expression")
            velocities[variable] = value
        checks.instance("time", self.time, sp.Symbol, "a symbol of sympy")
        checks.instance("uses", self.uses, tuple, "a tuple of steps, closed forms and premises")
        if self.time in velocities:
            raise ValueError(f"time: got {self.time}, needs a symbol that is no variable")
        object.__setattr__(self, "rates", MappingProxyType(velocities))
        nodes = (*rests, *self.uses)
        derived = [node for node in nodes if isinstance(node, (Step, Check))]
        others = tuple(node for node in nodes if node not in derived)
        object.__setattr__(self, "steps", (*self.steps, *with_lemmas(derived)))
        object.__setattr__(self, "uses", others)

    @property
    def state(self) -> tuple[sp.Symbol, ...]:
        """The variables, in the order in which they were given."""
        return tuple(self.rates)

    @property
    def depends_on_time(self) -> bool:
        """Whether a velocity contains the time."""
        return any(rate.has(self.time) for rate in self.rates.values())

    @property
    def premises(self) -> tuple[Any, ...]:
        """What a step about the flow uses: the derivation of the velocities, or that they are as given."""
        if self.steps or self.uses:
            return (*ends(self.steps), *self.uses)
        rates = sp.ImmutableMatrix(list(self.rates.values()))
        return (Premise(f"the flow {', '.join(self.equations)}", rates),)

    @property
    def equations(self) -> tuple[str, ...]:
        """One equation a variable, as text."""
        return tuple(
            f"d{variable}/d{self.time} = {sp.sstr(velocity)}"
            for variable, velocity in self.rates.items()
        )

    def velocity(self, quantity: sp.Expr) -> sp.Expr:
        """Return the velocity of a function of the variables and time, by the chain rule, with derivatives unevaluated.

        Args:
            quantity: scalar expression.
        """
        value = sympy_object("quantity", quantity)
        along = (sp.Derivative(value, variable) * rate for variable, rate in self.rates.items())
        return sp.Add(sp.Derivative(value, self.time), *along)

    def moving(
        self, quantity: sp.Expr, velocity: Any = 0, claim: str = "", uses: tuple[Any, ...] = ()
    ) -> Step:
        """Return the step that a quantity moves at a velocity, which it takes from the chain rule and the rates.

        Args:
            quantity: scalar expression.
            velocity: what its velocity is said to be. Default: 0, for what is conserved.
            claim: the claim of the step. Default: which quantity moves, and whether it does.
            uses: what the step may use besides the flow: of steps, those of which it takes a value. Default: nothing.

        >>> x, r = sp.symbols("x r", positive=True)
        >>> Rates({x: -r * x}).moving(x**2, -2 * r * x**2).check().name
        'HOLDS'
        """
        value = sympy_object("quantity", quantity)
        own = {letter: rate for letter, rate in self.rates.items() if value.has(letter)}
        slopes = sp.symbols(f"slope_0:{len(own) + 1}")
        velocities = sp.symbols(f"velocity_1:{len(own) + 1}")
        rule = Premise(
            "a function of the state moves by its slope in time, slope_0, and its other slopes times the velocities",
            sp.Add(slopes[0], *map(sp.Mul, slopes[1:], velocities)),
        )
        along = (sp.Derivative(value, letter) for letter in (self.time, *own))
        values = (*along, *own.values())
        step = applied(
            claim
            or f"the velocity of {sp.sstr(value)} is {'zero' if velocity == 0 else velocity}",
            sp.sympify(velocity),
            rule,
            dict(zip((*slopes, *velocities), values, strict=True)),
            because="chain rule along the flow",
        )
        return taking(step, (rule, *self.premises, *uses))

    def varies(self, expression: sp.Basic) -> bool:
        """Return whether an expression depends on a variable or on time.

        Args:
            expression: any expression.
        """
        return bool(expression.free_symbols & {*self.state, self.time})

    def __repr__(self) -> str:
        return "\n".join(self.equations)

    def _repr_latex_(self) -> str:
        rows = r" \\ ".join(
            rf"\frac{{d {sp.latex(variable)}}}{{d {sp.latex(self.time)}}} &= {sp.latex(velocity)}"
            for variable, velocity in self.rates.items()
        )
        return rf"$\displaystyle \begin{{aligned}} {rows} \end{{aligned}}$"
