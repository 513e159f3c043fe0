"""Section 2.1: what Theorem 4 says of large depths, and the separation of time scales."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Claim, Finding, Given, Scales, Witness, Word, equal
from theory.core.numbers.evaluation import evaluate
from theory.papers.jacot2024 import deep_limits as deep
from theory.papers.jacot2024.paper import PAPER
from theory.papers.jacot2024.symbols import H, L, gamma

ell, smallest, stable = sp.symbols("ell smallest stable", positive=True)
v_slow, v_fast = sp.symbols("v_slow v_fast", real=True)
lim = sp.Function("lim", real=True)
SHORT_PATHS = equal(lim(ell / L), 0)


def slow_and_fast(statement: Any) -> tuple[Check, ...]:
    """Powers of the depth with which the speeds grow; gamma = 1/depth unless the condition has another power."""
    pair, power = statement, sp.Integer(-1)
    if isinstance(statement, Given):
        pair, power = statement.statement, power_of_depth(statement.condition)
    speeds = (deep.speed_at_the_optimum, deep.speed_elsewhere)

    def agrees(relation: Scales, speed: Any) -> bool:
        measured = deep.slope(lambda depth: speed(depth, depth ** float(power)))
        return bool(abs(measured - float(power_of_depth(relation))) < 1e-2)

    return tuple(
        Check(name, lambda r=relation, s=speed: agrees(r, s), "ridge regression")  # type: ignore[misc]
        for name, relation, speed in zip(("slow", "fast"), pair, speeds, strict=True)
    )


def power_of_depth(relation: Scales) -> sp.Expr:
    """The power of the depth that the letter on the left-hand side has by the relation."""
    (letter,) = relation.lhs.free_symbols
    own_power = letter * sp.diff(sp.log(relation.lhs), letter)
    return sp.simplify(L * sp.diff(sp.log(sp.Abs(relation.rhs)), L) / own_power)


def share_of_fast_layers(claim: Claim) -> tuple[Check, ...]:
    """Paths of length 2 that run through half of it in a jump, ever faster: the share of layers faster than 5."""
    places = (np.arange(1_000_000) + 0.5) / 1_000_000

    def share(speed: float) -> float:
        speeds = np.where(places < 1 / speed, speed, 1.0)
        return float((speeds > 5).mean()) if abs(speeds.mean() - 2) < 0.2 else float("nan")

    def agrees() -> bool:
        shares = [share(speed) for speed in (10.0, 100.0, 10_000.0)]
        vanishes, is_there = shares[2] < 1e-3 < shares[1] < shares[0], min(shares) > 0
        return (vanishes and is_there) is (claim["share"] == "almost all")

    return (Check("Markov's inequality", agrees, "sums over layers"),)


EQUATIONS = (
    PAPER.entry(
        "2.1 limit",
        "2.1",
        "For large depth and gamma = 1/depth the Hamiltonian is close to the smallest cost.",
        Finding.CONDITIONAL,
        "Geodesics of linear nets: fixed ends with one and with two modes, and ends at a ratio of exp(depth/2), whose "
        "momenta are bounded as in Theorem 4 while the length grows with the depth.",
        printed=equal(lim(-2 * H / L - smallest), 0),
        condition=SHORT_PATHS,
        prove=deep.in_the_limit(deep.geodesics, "closed form of the geodesic"),
        witness=Witness(
            {"end/start": "exp(depth/2)", "depth": "1e6", "number": "-2H/depth"},
            lambda: 0.75,
            value=lambda equation: deep.geodesics()[2]["smallest"],
            tolerance=1e-5,
        ),
        consequence="The paper assumes a finite length a paragraph later. Bounded momenta alone, as in Theorem 4, "
        "leave a gap: a linear mode between ends at a ratio of exp(depth/2) keeps -2H/depth at 3/4.",
        heirs=("2.1 extra cost", "2.1 bottleneck rank", "4 kinetic energy"),
    ),
    PAPER.entry(
        "2.1 extra cost",
        "2.1",
        "The root of the extra cost is close to that of the cost beyond the smallest one.",
        Finding.CONDITIONAL,
        "The same geodesics, at a layer whose cost is 0.7 above the number of modes.",
        printed=equal(lim(sp.sqrt(stable + 2 / L * H) - sp.sqrt(stable - smallest)), 0),
        condition=SHORT_PATHS,
        prove=deep.in_the_limit(deep.geodesics, "closed form of the geodesic"),
        witness=Witness(
            {"end/start": "exp(depth/2)", "depth": "1e6", "cost": 1.7, "number": "root of the extra cost"},
            lambda: 0.95**0.5,
            value=lambda equation: evaluate(sp.sqrt(stable - smallest), deep.geodesics()[2]),
            tolerance=1e-5,
        ),
        consequence="It inherits the condition of the limit before it.",
    ),
    PAPER.entry(
        "2.1 time scales",
        "2.1",
        "Slow dynamics, of order 1, where the cost is almost optimal, and fast dynamics, of order depth, elsewhere.",
        Finding.CONDITIONAL,
        "Theorem 4 bounds the speed at an optimal layer by 2 depth sqrt(gamma c) only, which for gamma = 1/depth grows "
        "as the root of the depth. A dead neuron at its smallest cost, with bounded momentum, has that speed.",
        printed=sp.Tuple(Scales(v_slow, 1), Scales(v_fast, L)),
        condition=Scales(gamma, L**-2),
        prove=slow_and_fast,
        witness=Witness(
            {"depth": "1e6", "gamma": "1/depth", "number": "speed at depth 1e6 over that at 1e4"},
            lambda: deep.speed_at_the_optimum(1e6, 1e-6) / deep.speed_at_the_optimum(1e4, 1e-4),
            value=lambda pair: 1.0,
        ),
        consequence="For the choice gamma = 1/depth of the sentence before, Theorem 4 leaves speeds of the order of "
        "the root of the depth in the bottleneck.",
        harmless={"printed: v_slow squared": "The square of what is of order one is of order one."},
    ),
    PAPER.entry(
        "2.1 finite length",
        "2.1",
        "",
        Finding.CONFIRMED,
        "Markov's inequality: the layers faster than v make up at most length/v. A jump shows that it may not be all.",
        printed=Claim(
            "Assuming a finite length, the norm of the derivative must be finite at {share} layers.",
            {"share": Word("almost all", ("all", "few"))},
        ),
        prove=share_of_fast_layers,
    ),
)
