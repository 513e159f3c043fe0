r"""Expansions in 1/n of means over Bayesian networks, and a network that is solved at any width.

That network is linear, with one training point and no noise. With one input the metric is the mean square weight g.
With the read-outs integrated out, its posterior density is :math:`g^{n/2 - 1} e^{-ng/2}` times the likelihood
:math:`g^{-1/2} e^{-Y/(2g)}`, :math:`Y = y_a^2 / x_a^2`; moments are ratios of Bessel functions, those of the prior of
Gamma functions.
"""

import math
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import mpmath
import numpy as np

from papers.zavatoneveth2023.ledger.index_notation import Case, named, value
from theory.core import Check, Program, for_all, in_words, is_close, solved

WORK = mpmath.MPContext()
WORK.dps = 40
WIDTHS = (200, 400, 800, 1600)
BACKGROUND = 1.7  # volume element at infinite width, in the unit in which volumes are given here
CIRCLE = 1e-3  # radius, of 1/n
EXTRAPOLATED = 1e-5  # what extrapolation in 1/n leaves
LARGE = 10_000  # units; what is left of order 1/n^2 is then 1e-8
VOLUME, UNTRAINED, MOVED = "avg(sqrt(det(G)))", "E_W(sqrt(det(G)))", "det(avg(G))"


def posterior_moment(power: float, width: int, target: float) -> Any:
    """<g^power>; ``target`` is Y."""
    order = WORK.mpf(width - 1) / 2
    size = WORK.sqrt(width * WORK.mpf(target))
    ratio = WORK.besselk(order + power, size) / WORK.besselk(order, size)
    return (WORK.mpf(target) / width) ** (WORK.mpf(power) / 2) * ratio


def prior_moment(power: float, width: int) -> Any:
    """E[g^power]."""
    half = WORK.mpf(width) / 2
    return WORK.gamma(half + power) / WORK.gamma(half) / half ** WORK.mpf(power)


def first_order(
    quantity: Callable[[int], Any], limit: Any, widths: tuple[int, ...] = WIDTHS
) -> Any:
    """Coefficient of 1/n in a quantity with this limit, extrapolated through four widths."""
    total = 0.0
    for width in widths:
        weight = np.prod(
            [(1 / other) / (1 / other - 1 / width) for other in widths if other != width]
        )
        total = total + weight * width * (quantity(width) - limit)
    return total


def expanded(orders: Mapping[str, float], **others: Any) -> dict[str, Any]:
    """Values on a circle of 1/n: each volume in units of that at infinite width, as 1 plus its coefficient over n."""
    small = CIRCLE * np.exp(2j * np.pi * np.arange(8) / 8)
    volumes = {
        name: BACKGROUND * (1 + order * small) for name, order in orders.items() if name != "chi"
    }
    if MOVED in volumes:
        volumes[MOVED] = volumes[MOVED] ** 2
    return {"n": 1 / small, "det(G_bar)": BACKGROUND**2, **volumes, **others}


def agrees(relation: Any, case: Case, tolerance: float = EXTRAPOLATED) -> bool:
    """Whether both sides have the same terms of order 1 and 1/n, and no larger one."""
    sides = [value(side.removeO(), case) for side in (relation.lhs, relation.rhs)]
    scale = CIRCLE ** np.fft.fftfreq(8, 1 / 8)  # powers 0 to 3 of 1/n, then -4 to -1
    left, right = (np.fft.fft(np.broadcast_to(side, (8,))) / 8 for side in sides)
    return bool(
        is_close(left[:2] / scale[:2], right[:2] / scale[:2], tolerance, 1.0)
        and np.max(np.abs(right[5:])) < tolerance
    )


@cache
def _order_of_remainder() -> int:
    """The order in 1/n of what the first two terms of the mean metric leave, for a linear network with one input."""
    remainders = [float(posterior_moment(1, width, 2.5) - 1) - 1.5 / width for width in (400, 800)]
    return round(math.log2(remainders[0] / remainders[1]))


def to_first_order(
    cases: Callable[[], list[Case]], tolerance: float = EXTRAPOLATED
) -> Callable[[Any], tuple[Check, ...]]:
    """Proves a printed expansion in 1/n."""

    def prove(relation: Any) -> tuple[Check, ...]:
        base, power = relation.rhs.getO().expr.as_base_exp()
        return (
            Check(
                "order 1/n",
                lambda: for_all(cases(), lambda case: agrees(relation, case, tolerance)),
                "exact sums",
            ),
            Check(
                "remainder",
                lambda: str(base) == "n" and -power == _order_of_remainder(),
                "Bessel functions",
            ),
        )

    prove.__doc__ = (
        in_words("", cases) + " The order of the remainder in a case solved with Bessel functions."
    )
    return prove


@cache
def solved_case(width: Any = None) -> Case:
    """A linear network with one input and one training point: exact volumes at a width, or their expansion."""
    nodes, masses = np.polynomial.hermite_e.hermegauss(6)
    known = {
        "y_a": math.sqrt(2.5) * 1.3, "norm(X_a)": 1.3, "q": 1, "chi": 3.0, "chi_of(corr**2)": 3.0, "d": 1,
        "z_a": 1.3 * nodes, "phi0": lambda z: z, "E": lambda values: values @ masses / masses.sum(),
    }  # fmt: skip
    if width is None:
        return expanded({VOLUME: 0.5, UNTRAINED: -0.25, MOVED: 0.75}, **known)
    moments = {
        UNTRAINED: float(prior_moment(0.5, width)),
        MOVED: BACKGROUND * float(posterior_moment(1, width, 2.5)),
    }
    exact = {name: BACKGROUND * moment for name, moment in moments.items()}
    return {"n": width, "det(G_bar)": BACKGROUND**2, **exact, **known}


def number_at(relation: Any, n: int) -> float:
    """The mean volume element that a statement gives for the linear network of n units."""
    case = solved_case(n)
    (letter,) = (node for node, symbol in named((*case, VOLUME)).items() if symbol.name == VOLUME)
    stated = relation.func(relation.lhs, relation.rhs.removeO(), evaluate=False)
    return float(np.real(value(solved(stated, letter), case)))


def volume(cases: Callable[[], list[Case]], tolerance: float = EXTRAPOLATED) -> Program:
    """The program of a volume element: expansions, and what it says about the network that is solved at any width."""

    def with_the_solved_one() -> list[Case]:
        return [*cases(), solved_case()]

    with_the_solved_one.__doc__ = cases.__doc__
    return Program(
        to_first_order(with_the_solved_one, tolerance),
        lambda n: BACKGROUND * float(posterior_moment(0.5, n, 2.5)),
        number_at,
        1e-6,
        at={"n": LARGE},
        quantity="mean volume element of a linear network, one input, x_a = 1.3, y_a^2 = 2.5 x_a^2",
    )
