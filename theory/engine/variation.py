"""Lagrangians: the equation of motion, the conserved energy, the momentum, and the flow of a Hamiltonian."""

from __future__ import annotations

from typing import Any

import sympy as sp

from theory.core import Premise, Step
from theory.core.formula.parsing import sympy_object
from theory.engine.derived import Derived
from theory.engine.inverses import finds_all


def euler_lagrange(
    lagrangian: sp.Expr,
    path: sp.Expr,
    *,
    value: sp.Symbol,
    slope: sp.Symbol,
    position: sp.Symbol,
) -> sp.Expr:
    """Return what the Euler-Lagrange equation sets to zero, along a path.

    Args:
        lagrangian: expression in ``value``, ``slope`` and maybe ``position``.
        path: value along the path, a function of ``position``; also an undefined one.
        value: symbol of the value.
        slope: symbol of its derivative.
        position: symbol of the position along the path, or of time.

    Returns:
        The derivative of ``dL/dslope`` along the path minus ``dL/dvalue``, in unevaluated derivatives of the path.

    >>> x, v = sp.symbols("x v", real=True)
    >>> t = sp.Symbol("t", real=True)
    >>> euler_lagrange((v**2 - x**2) / 2, sp.cos(t), value=x, slope=v, position=t)
    cos(t) + Derivative(cos(t), (t, 2))
    """
    bend = sp.Dummy("bend", real=True)
    momentum = sp.diff(lagrangian, slope)
    force = sp.diff(momentum, slope) * bend + sp.diff(momentum, value) * slope
    force += sp.diff(momentum, position) - sp.diff(lagrangian, value)
    along = {
        value: path,
        slope: sp.Derivative(path, position),
        bend: sp.Derivative(path, (position, 2)),
    }
    return force.subs(along, simultaneous=True)


def energy(lagrangian: sp.Expr, *, slope: sp.Symbol) -> sp.Expr:
    """Return the energy ``slope dL/dslope - L``, which is conserved if the Lagrangian does not contain the position.

    Args:
        lagrangian: expression in ``slope`` and other symbols.
        slope: symbol of the velocity.

    Returns:
        The energy with its derivative unevaluated, for the side of a step.

    >>> v, m = sp.symbols("v m", positive=True)
    >>> energy(m * v**2 / 2, slope=v).doit()
    m*v**2/2
    """
    return slope * sp.Derivative(lagrangian, slope) - lagrangian


def legendre(
    lagrangian: sp.Expr, *, slope: sp.Symbol, momentum: sp.Symbol, uses: tuple[Any, ...] = ()
) -> Derived:
    """Return the Hamiltonian of a Lagrangian, with the steps of its derivation.

    Args:
        lagrangian: expression in ``slope`` and other symbols.
        slope: symbol of the velocity.
        momentum: symbol of the momentum, in which the Hamiltonian is written.
        uses: what the Lagrangian rests on. Default: it is a definition.

    Raises:
        ValueError: if the momentum does not determine the velocity.

    >>> x, v, p = sp.symbols("x v p", real=True)
    >>> m = sp.Symbol("m", positive=True)
    >>> legendre(m * v**2 / 2 - x**2, slope=v, momentum=p)
    Hamiltonian: x**2 + p**2/(2*m)
    """
    cost = sympy_object("lagrangian", lagrangian)
    rests_on = uses or (Premise(f"the Lagrangian {sp.sstr(cost)}", cost),)
    slopes = sp.diff(cost, slope)
    velocities = sp.solve(sp.Eq(slopes, momentum), slope)
    others = "" if finds_all(slopes, slope) else " and maybe others"
    if len(velocities) != 1 or others:
        raise ValueError(
            f"lagrangian: got {cost}, whose momentum allows the velocities {velocities}{others}, needs one velocity"
        )
    velocity = velocities[0]
    moving = Step(
        f"the momentum at the velocity {sp.sstr(velocity)}",
        sp.Subs(sp.Derivative(cost, slope), slope, velocity),
        momentum,
        because="the momentum is the derivative of the Lagrangian in the velocity",
        uses=rests_on,
    )
    hamiltonian = sp.expand(sp.simplify(momentum * velocity - cost.subs(slope, velocity)))
    legendre_transform = Premise(
        "the Legendre transform is momentum times velocity less the Lagrangian",
        momentum * slope - cost,
    )
    transform = Step(
        "momentum times velocity minus the Lagrangian",
        sp.Subs(legendre_transform.expression, slope, velocity),
        hamiltonian,
        because="the velocity of this momentum",
        uses=(moving, legendre_transform, *rests_on),
    )
    return Derived("Hamiltonian", hamiltonian, steps=(moving, transform))
