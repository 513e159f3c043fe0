r"""The fixed points of the two-point dynamics and the linearised dynamics around them.

The conserved quantity reduces Eq. (7) to two variables, ``dh2`` and ``w``. The reduced system has two fixed points: one
at which the outputs are learned, and one at which the representations have merged. With
:math:`R = \sqrt{A_\mathrm{high}^2 + 4 A_\mathrm{low}^2}` the eigenvalues are

- *learned*: :math:`-R/(2\tau_y)` and :math:`-(A_\mathrm{high} + R)/(2\tau_y)`, a stable
  node. (The paper gives trace and determinant.)
- *merged*: :math:`(A_\mathrm{high} \pm R)/(2\tau_y)`, a saddle.

Deviation from the paper: the Jacobian at ``dh2`` = 0 depends on the direction of approach, and most orbits do not
approach that point. In variables in which the flow is smooth (``theory.two_point.solution``), ``dh2`` = 0 is a fixed
point only if the decoder along ``dh`` is orthogonal to the target difference. This requires at least two outputs, or
``A_high`` = 0. If ``A_high`` is positive, no orbit reaches ``dh2`` = 0; if it is negative and the output is a scalar,
``dh`` passes through zero.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from itertools import product

import sympy as sp

from theory.core import Step
from theory.core.algebra.limits import proved_limit
from theory.core.formula.rounding import written_out
from theory.core.numbers.arguments import in_domain
from theory.core.numbers.exact import exact
from theory.core.text import render
from theory.two_point import symbols
from theory.two_point.dynamics import conserved_quantity, dh2_rate, dy2_on_orbit, w_rate
from theory.two_point.symbols import (
    DH2,
    DY2,
    RATES_AND_DATA,
    W,
    dh2,
    dx2,
    dy2,
    target2,
    tau_h,
    tau_y,
    w,
)

A_high, A_low = sp.Symbol("A_high", real=True), sp.Symbol("A_low", positive=True)
R = sp.sqrt(A_high**2 + 4 * A_low**2)
slope = sp.Symbol("slope", real=True)
DEFINITIONS = (
    f"A_high = {sp.sstr(written_out(symbols.A_high))} and A_low**2 = {sp.sstr(symbols.A_low_squared)} of the initial "
    "state"
)
DIGITS = 15  # of numbers


@dataclass(frozen=True, repr=False)
class FixedPoint:
    """A fixed point of Eq. (7) for given ``A_high`` and ``A_low`` (Eq. 11).

    Attributes:
        name: ``"learned"`` or ``"merged"``.
        position: values of ``dh2``, ``dy2`` and ``w`` at the fixed point.
        jacobian: derivatives of the velocities of (dh2, w) with respect to (dh2, w), shape [2, 2]. At the saddle it
            depends on the direction of approach, ``slope`` = w/dh2.
        eigenvalues: the two eigenvalues of the Jacobian, 1/time.
        eigenvectors: the two eigenvectors as columns (1, w per dh2).
        stable: whether every small perturbation decays.
        exists: the condition under which the flow has this fixed point, in words.
        steps: the derivation, checked by program.
    """

    name: str
    position: dict[sp.Symbol, sp.Expr]
    jacobian: sp.Matrix
    eigenvalues: tuple[sp.Expr, sp.Expr]
    eigenvectors: tuple[sp.Matrix, sp.Matrix]
    stable: bool
    exists: str
    steps: tuple[Step, ...]

    def __repr__(self) -> str:
        position = ", ".join(f"{symbol} = {value}" for symbol, value in self.position.items())
        kind = "stable" if self.stable else "not stable"
        text = f"{self.name} ({kind}): {position}; eigenvalues {self.eigenvalues[0]} and {self.eigenvalues[1]}"
        letters = {A_high, A_low} & set().union(
            *(value.free_symbols for value in self.eigenvalues)
        )
        return f"{text}, where {DEFINITIONS}" if letters else text

    def at(
        self,
        *,
        dh2_0: float,
        dy2_0: float,
        tau_h: float,
        tau_y: float,
        dx2: float,
        target2: float,
    ) -> FixedPoint:
        """Return the fixed point in numbers, for the orbit of an initial state.

        Args:
            dh2_0: initial squared distance of the representations, representation^2.
            dy2_0: initial squared distance of the predicted outputs, output^2.
            tau_h: time constant of the encoder, as in Eq. (7).
            tau_y: time constant of the decoder.
            dx2: squared distance of the inputs, input^2.
            target2: squared distance of the targets, output^2.

        Returns:
            The same fixed point, in which ``slope`` is the only letter that may be left.

        Raises:
            TypeError, ValueError: for a value that is no number or outside its domain; the message names it.

        >>> learned, merged = fixed_points()
        >>> start = {"dh2_0": 0.3, "dy2_0": 0.2, "tau_h": 2, "tau_y": 3, "dx2": 0.7, "target2": 1.3}
        >>> [round(float(rate), 4) for rate in learned.at(**start).eigenvalues]
        [-0.3951, -0.3284]
        """
        arguments = (symbols.DH2_0, symbols.DY2_0, *RATES_AND_DATA)
        given = (dh2_0, dy2_0, tau_h, tau_y, dx2, target2)
        values = {
            argument.symbol: exact(argument.name, value)
            for argument, value in zip(arguments, given, strict=True)
        }
        in_domain(arguments, list(map(float, values.values())))
        letters = {
            A_high: written_out(symbols.A_high).xreplace(values),
            A_low: sp.sqrt(symbols.A_low_squared.xreplace(values)),
        }

        def number(entry: sp.Expr) -> sp.Expr:
            return entry.xreplace(letters | values).evalf(DIGITS)

        return replace(
            self,
            position={symbol: number(value) for symbol, value in self.position.items()},
            jacobian=self.jacobian.applyfunc(number),
            eigenvalues=(number(self.eigenvalues[0]), number(self.eigenvalues[1])),
            eigenvectors=(
                self.eigenvectors[0].applyfunc(number),
                self.eigenvectors[1].applyfunc(number),
            ),
        )

    def _repr_latex_(self) -> str:
        position = r",\; ".join(
            f"{_latex(symbol)} = {_latex(value)}" for symbol, value in self.position.items()
        )
        rates = r",\; ".join(map(_latex, self.eigenvalues))
        return rf"$\displaystyle \text{{{self.name}: }} {position};\quad \text{{eigenvalues }} {rates}$"


def _latex(expression: sp.Expr) -> str:
    return render.latex(expression, (DH2, DY2, W, *RATES_AND_DATA))


p, m, nearby = sp.symbols("p m nearby", positive=True)
OPENED = {A_high: p**2 - m**2, A_low: p * m}


def _eigen_step(
    jacobian: sp.Matrix, value: sp.Expr, vector: sp.Matrix, uses: tuple[Step, ...]
) -> Step:
    return Step(
        f"J v = ({value}) v",
        sp.MatMul(jacobian, vector),
        value * vector,
        because="the root opens",
        where=OPENED,
        uses=uses,
    )


@cache
def fixed_points() -> tuple[FixedPoint, FixedPoint]:
    """Return both fixed points, the stable one first. Source: van Rossem & Saxe, Eqs. (26) to (36).

    >>> [point.name for point in fixed_points()]
    ['learned', 'merged']
    """
    # The velocities of (dh2, w), shape [2, 1], on the orbit with given A_high and A_low, Eq. (25).
    data = {dy2: dy2_on_orbit(tau_h / dx2 * A_high), target2: A_low**2 * tau_h / (tau_y * dx2)}
    flow = sp.Matrix([dh2_rate().expression, written_out(w_rate().expression).subs(data)])
    on_orbit = sp.Subs(w_rate().expression, tuple(data), tuple(data.values()))
    jacobian = flow.jacobian([dh2, w])
    encoder = dx2 / tau_h
    velocities = Step(
        "velocities of dh2 and w on an orbit",
        flow,
        sp.Matrix([sp.UnevaluatedExpr(dh2_rate().expression), on_orbit]),
        because="A_high and A_low are constant, Eqs. (11) and (23)",
        uses=(dh2_rate(), w_rate(), conserved_quantity()),
    )

    def slopes(at: dict[sp.Symbol, sp.Expr]) -> sp.Matrix:
        """Return the Jacobian at values of the variables, not worked out."""
        entries = (sp.Derivative(rate, letter) for rate, letter in product(flow, (dh2, w)))
        there = (sp.Subs(entry, tuple(at), tuple(at.values())) for entry in entries)
        return sp.Matrix(2, 2, list(there))

    distance = (A_high + R) / 2
    learned_jacobian = jacobian.subs({w: 0, dh2: distance})
    rates = (-R / (2 * tau_y), -(A_high + R) / (2 * tau_y))
    learned_vectors = tuple(sp.Matrix([1, -rate / encoder]) for rate in rates)
    there = {w: sp.S.Zero, dh2: distance}
    vanishes = Step(
        "the flow vanishes there",
        sp.Subs(flow.as_immutable(), tuple(there), tuple(there.values())),
        sp.zeros(2, 1),
        where=OPENED,
        because="substitution",
        uses=(velocities,),
    )
    of_learned = Step(
        "J of learned representations",
        learned_jacobian,
        slopes(there),
        because="differentiation",
        where=OPENED,
        uses=(velocities, vanishes),
    )
    learned = FixedPoint(
        name="learned",
        position={dh2: distance, dy2: target2, w: sp.S.Zero},
        jacobian=learned_jacobian,
        eigenvalues=rates,
        eigenvectors=learned_vectors,
        stable=True,
        exists="always; where the targets are identical and A_high <= 0, it coincides with the merged fixed point",
        steps=(
            velocities,
            vanishes,
            of_learned,
            *(
                _eigen_step(learned_jacobian, rate, vector, (of_learned,))
                for rate, vector in zip(rates, learned_vectors, strict=True)
            ),
        ),
    )

    ray = {dh2: nearby, w: slope * nearby}
    along_ray = jacobian.subs(ray, simultaneous=True)
    limits = along_ray.applyfunc(lambda entry: sp.Limit(entry, nearby, 0))
    merged_jacobian = limits.applyfunc(proved_limit)
    rates = ((A_high + R) / (2 * tau_y), (A_high - R) / (2 * tau_y))
    merged_vectors = tuple(sp.Matrix([1, -rate / encoder]) for rate in rates)
    on_ray = Step(
        "J where w = slope dh2",
        along_ray,
        slopes(ray),
        because="differentiation",
        uses=(velocities,),
    )
    of_merged = Step(
        "J of nearly merged representations with w = slope dh2",
        limits,
        merged_jacobian,
        because="the distance of the representations tends to 0 from above",
        uses=(on_ray,),
    )
    merged = FixedPoint(
        name="merged",
        position={dh2: sp.S.Zero, dy2: sp.S.Zero, w: sp.S.Zero},
        jacobian=merged_jacobian,
        eigenvalues=rates,
        eigenvectors=merged_vectors,
        stable=False,
        exists="on orbits along which the decoder along dh becomes orthogonal to the target difference: A_high = 0, or "
        "A_high < 0 with two outputs or more",
        steps=(
            velocities,
            on_ray,
            of_merged,
            *(
                _eigen_step(
                    merged_jacobian.applyfunc(lambda entry, v=vector: sp.Subs(entry, slope, v[1])),
                    rate,
                    vector,
                    (of_merged,),
                )
                for rate, vector in zip(rates, merged_vectors, strict=True)
            ),
        ),
    )
    return learned, merged
