r"""Appendix A.5: large initial weights, Eqs. (41) to (43)."""

from __future__ import annotations

import numpy as np
import sympy as sp

from theory.core import Check, Finding, Reading, Step
from theory.papers.vanrossem2024 import printed_system
from theory.papers.vanrossem2024.explicit_matrices import unrotated_weights
from theory.papers.vanrossem2024.initial_weights import losses, spread_of_rates
from theory.papers.vanrossem2024.paper import entry
from theory.two_point.symbols import dh2, dx2, dy2, t, target2, tau_h, tau_y, w

G, size = sp.symbols("G size", positive=True)
along = sp.Symbol("along", real=True)
Dh2, Dy2 = sp.symbols("dh2_primed dy2_primed", positive=True)
W, T = sp.Symbol("w_primed", real=True), sp.Symbol("t_primed", nonnegative=True)
PRIMED = {dh2: Dh2, dy2: Dy2, w: W}

# The unprimed variables in terms of the primed ones, as Eq. (42) prints it, and the other way round.
CHANGE = {dh2: Dh2 / G, dy2: Dy2 / G**2, w: W / G**2}
INVERSE = {dh2: Dh2 * G, dy2: Dy2 * G**2, w: W * G**2}


def third_line(power: int) -> sp.Expr:
    """Third line of Eq. (43) with the target multiplied by a power of G."""
    return printed_system.RATES[2].xreplace(PRIMED).subs(target2, G**power * target2)


def transformed(line: int, change: dict[sp.Symbol, sp.Expr], gain: sp.Expr) -> sp.Expr:
    """Velocity of a primed variable in primed time: primed = gain (gain^2 for dy2, w) times unprimed, t' = t/gain."""
    return gain ** (2 if line == 0 else 3) * printed_system.RATES[line].subs(change, simultaneous=True)


WITNESS = {G: 2, t: sp.Rational(1, 2), tau_h: 2, tau_y: 3, "initial weights": "unrotated_weights(5)"}


def _oracle() -> Reading:
    """Velocity of w' along a gradient flow of explicit matrices whose state is rescaled by Eq. (42) as printed."""
    problem, weights = unrotated_weights(5)
    step, gain, middle = 1e-4, 2.0, 0.5
    path = problem.flow(weights, (1.0, 1.0, 1.5), [middle - step, middle, middle + step])
    before, here, after = (problem.state(at) * np.array([gain, gain**2, gain**2]) for at in path)
    independent = (after[2] - before[2]) / (2 * step / gain)
    values = {
        **dict(zip((Dh2, Dy2, W), here, strict=True)),
        tau_h: 2,
        tau_y: 3,
        dx2: problem.dx2,
        target2: problem.target2,
        G: 2,
    }
    wrong, right = (float(third_line(power).subs(values)) for power in (-2, 2))
    return Reading(wrong, right, independent, tolerance=1e-6)


def _almost_opposite_layers_wait() -> bool:
    """From a = 10, b = -10.001 the loss falls from 1275 to 1/8, stays there, and falls again."""
    times = np.linspace(0, 12, 241)
    values = losses(10.0, -10.001, times)
    waiting = (values > 0.9 / 8) & (values < 1.1 / 8)
    return bool(waiting.sum() > 60 and values[-1] < 0.05)


EQUATIONS = (
    entry(
        "A.5 alignment",
        "A.5",
        "At large weights w is about dy2.",
        Finding.CONFIRMED,
        "w = dy2 - dy.(y2 - y1): the second term grows with dy, the first with its square.",
        steps=(
            Step(
                "ratio for a growing dy",
                sp.Limit((size**2 * dy2 - size * along) / (size**2 * dy2), size, sp.oo),
                sp.S.One,
                because="limit",
            ),
        ),
    ),
    entry(
        "(41)",
        "A.5",
        "Both weights times sqrt(G): dh2 grows by G, dy2 by G^2, and w, at large weights, by G^2.",
        Finding.CONFIRMED,
        "The first two exactly; w to leading order, and so in the limit that A.5 takes.",
        printed=r"\|dh\|^2 \to G \|dh\|^2, \quad \|dy\|^2 \to G^2 \|dy\|^2, \quad w \to G^2 w",
        steps=(
            Step(
                "w after over G^2 times w before, for a growing dy",
                sp.Limit(
                    (G**2 * size**2 * dy2 - G * size * along) / (G**2 * (size**2 * dy2 - size * along)), size, sp.oo
                ),
                sp.S.One,
                because="limit",
            ),
        ),
    ),
    entry(
        "(42)",
        "A.5",
        "A change of variables.",
        Finding.DEFINITION,
        "Primed are G, G^2, G^2 and 1/G times the unprimed ones.",
        printed=r"{\|dh\|^2}' = G \|dh\|^2, \quad {\|dy\|^2}' = G^2 \|dy\|^2, \quad w' = G^2 w, \quad t' = G^{-1} t",
    ),
    entry(
        "(43)",
        "A.5",
        "The dynamics in the primed variables.",
        Finding.MISPRINT,
        "With Eq. (42) as printed the target term carries G^2. G^-2 belongs to the inverse change, primed and unprimed "
        "exchanged in Eq. (42). Rescaled gradient flows of explicit matrices side with G^2.",
        printed=sp.Tuple(sp.Eq(sp.Derivative(W, T), third_line(-2), evaluate=False)),
        corrected=sp.Tuple(sp.Eq(sp.Derivative(W, T), third_line(2), evaluate=False)),
        steps=(
            *(
                Step(
                    f"line {i + 1}",
                    transformed(i, CHANGE, G),
                    printed_system.RATES[i].xreplace(PRIMED),
                    because="chain rule",
                )
                for i in (0, 1)
            ),
            Step("third line with G^2", transformed(2, CHANGE, G), third_line(2), because="chain rule"),
            Step(
                "third line with G^-2 after the inverse change",
                transformed(2, INVERSE, 1 / G),
                third_line(-2),
                because="chain rule",
            ),
        ),
        printed_steps=(Step("third line with G^-2", transformed(2, CHANGE, G), third_line(-2)),),
        witness=WITNESS,
        oracle=_oracle,
        consequence="The limit in the next sentence needs G^-2, that is Eq. (42) with primed and unprimed exchanged: a "
        "state G times larger behaves like the primed one, with a target 1/G^2 times as large. The conclusion stands.",
    ),
    entry(
        "A.5 limit",
        "A.5",
        "For G to infinity the dynamics reduce to those of identical outputs.",
        Finding.CONFIRMED,
        "Limit of Eq. (43) as printed; the right reading of Eq. (42) is in that entry.",
        steps=(
            Step(
                "third line for large G",
                sp.Limit(third_line(-2), G, sp.oo),
                printed_system.RATES[2].xreplace(PRIMED).subs(target2, 0),
                because="limit",
            ),
            Step(
                "w' is dy2' in that limit",
                sp.Limit(Dy2 - along / G, G, sp.oo),
                Dy2,
                because="dy.(y2 - y1) is G along', so w' = dy2' - along'/G",
            ),
        ),
    ),
    entry(
        "A.5 no plateau",
        "A.5",
        "At large initial weights the loss decays exponentially to zero, without a plateau.",
        Finding.CONDITIONAL,
        "Gradient flows of two numbers of order ten.",
        condition="|A_high| is much larger than A_low: the layers are unequal",
        steps=(
            Check(
                "constant rate while the loss falls by 1e6",
                lambda: spread_of_rates(2, 10, 1e6) < 1.2,
                "explicit matrices",
            ),
        ),
        counterexample=_almost_opposite_layers_wait,
        consequence="Large layers of nearly equal strength and opposite effect pass close to the merged state: a long "
        "plateau in spite of large weights. Equal strength and equal effect: algebraic decay.",
    ),
)
