"""What the paper says of the three-variable system and of the loss: Sections 2.3, 3, 3.3, A.1, A.3, A.5, C.1 to C.5."""

from collections.abc import Iterator
from functools import cache
from operator import itemgetter
from typing import Any

import numpy as np
import sympy as sp
from scipy.integrate import solve_ivp

from papers.vanrossem2024.ledger import flows
from papers.vanrossem2024.ledger.explicit_matrices import (
    TwoPoints,
    Weights,
    scalar_weights,
    unrotated_weights,
)
from papers.vanrossem2024.ledger.flows import (
    Case,
    dh,
    dy,
    in_squares,
    letters,
    moments,
    norm,
    printed,
    rates_at,
    system,
    value,
    w,
)
from theory.core import Claim, Program, Programs, chosen, deciding, evaluate, is_close, stating
from theory.two_point.trajectory import trajectory

TAUS = (1.0, 1.7, 0.6)
SETTING = {"tau_h": 1.7, "tau_y": 0.6, "dx2": 0.7, "target2": 1.9}
STARTS = {"stays away from": (1.5, -0.5), "passes through": (0.5, -1.5)}
rate = letters("rate")


def with_the_same_state(seed: int) -> Iterator[tuple[TwoPoints, Weights]]:
    """Weights without rotation, the same in other axes, and with other weights across dh."""
    problem, (mean, encoder, decoder) = unrotated_weights(seed)
    yield problem, (mean, encoder, decoder)
    draw = np.random.default_rng(seed)
    turn_in, turn_h, turn_out = (np.linalg.qr(draw.normal(size=(n, n)))[0] for n in (2, 2, 3))
    turned = TwoPoints(problem.inputs @ turn_in.T, problem.targets @ turn_out.T)
    yield turned, (turn_out @ mean, turn_h @ encoder @ turn_in.T, turn_out @ decoder @ turn_h.T)
    dh = encoder @ problem.u
    across = np.outer(dh, [-problem.u[1], problem.u[0]])  # seen by neither point
    yield problem, (mean + 1, encoder + across, decoder)


@cache
def count_of_variables() -> int:
    """Explicit matrices with these variables, in other axes, with other weights beside dh, have the same velocities."""
    for seed in range(3):
        velocities = [flows.velocity_of_state(*pair, TAUS) for pair in with_the_same_state(seed)]
        if not all(is_close(velocities[0], other, flows.DIFFERENCES) for other in velocities[1:]):
            return len(velocities[0]) + 1
    state = np.array([0.7, 0.4, 0.1])
    before = rates_at(state, **SETTING)
    return sum(
        not np.allclose(rates_at(state + 0.05 * unit, **SETTING), before) for unit in np.eye(3)
    )


def unknowns(*lines: Any) -> set[Any]:
    """Symbols of right-hand sides other than the variables, the data, the initial mean output and the time."""
    symbols = set().union(*(in_squares(line.rhs).free_symbols for line in lines))
    return {
        symbol
        for symbol in symbols
        if symbol.name not in {*flows.SQUARES, "w", "t", "y_0", "y_1", "y_2"}
    }


def rates_in(*lines: Any) -> int:
    """How many unknown numbers right-hand sides hold, if these are effective learning rates."""
    unknown = unknowns(*lines)
    return len(unknown) if unknown <= set(letters("tau_h tau_y")) else 0


def controlled() -> str:
    """Along flows of explicit matrices the velocity of the squared distance is a constant times w."""
    names = {"representational velocity": norm(dh) ** 2, "velocity of the outputs": norm(dy) ** 2}

    def is_proportional(quantity: Any) -> bool:
        ratios = np.array([value(rate(quantity) / w, case) for case in moments()]).reshape(
            -1, len(flows.TIMES)
        )
        return all(is_close(flow[1:], flow[:-1], 1e-5) for flow in ratios)

    return " and ".join(name for name, quantity in names.items() if is_proportional(quantity))


def adds() -> str:
    """Given the two lengths of vectors in the plane, w changes with the angle between them and with nothing else."""

    def alignment(angle: float) -> float:
        dy, v = (
            r * np.array([np.cos(at), np.sin(at)]) for r, at in ((1.3, 0.4), (0.7, 0.4 + angle))
        )
        return float(dy @ dy - dy @ v)

    depends = (
        abs(alignment(0.2) - alignment(0.9)) > 1e-3
        and abs(alignment(0.9) - alignment(-0.9)) < 1e-12
    )
    return "angle between" if depends else "lengths of"


@cache
def integrated(path: str) -> tuple[Any, Any]:
    """dh2 over time from Eq. (21) itself, relative tolerance 1e-9, and from explicit matrices."""
    problem, weights = scalar_weights(*STARTS[path], 1.0, 1.0)
    times = np.linspace(0, 12, 25)
    # Explicit matrices take the time constants of Eq. (6), half of those of Eq. (21).
    true = np.array([problem.state(at)[0] for at in problem.flow(weights, (1.0, 0.5, 0.5), times)])
    span = (times[0], times[-1])
    run = solve_ivp(
        lambda _, x: rates_at(x), span, problem.state(weights), t_eval=times, rtol=1e-9, atol=1e-12
    )
    return run.y[0], true


def integration(path: str = "passes through") -> str:
    """Integrated as printed and compared with explicit matrices."""
    return "can easily" if np.abs(np.subtract(*integrated(path))).max() < 1e-6 else "cannot"


@cache
def in_closed_form() -> tuple[Any, Any]:
    """The three variables along flows, in closed form and from explicit matrices, ``[moment, variable]``."""
    vectors = {name: vector for name, vector in flows.SQUARES.items() if name != "dh2_inf"}
    variables = itemgetter("dh2", "dy2", "w")
    cases: list[Case] = []
    for case in moments(flows.IN_EQ_21):
        squares = {name: evaluate(norm(vector) ** 2, case) for name, vector in vectors.items()}
        cases.append({**case, **squares})
    measured = np.array(list(map(variables, cases)))
    flowed = []
    for start in (cases[0], cases[4], cases[8]):
        constants = [start[name] for name in flows.CONSTANTS]
        flowed.append(trajectory(flows.TIMES, *variables(start), *constants).T)
    return np.concatenate(flowed), measured


def is_the_distance(claim: Claim) -> bool:
    """What the final representational distance of Eq. (10) is of dh."""
    return bool(claim["distance"] == printed("(10)").lhs)


def squared_by_eq_10(dh2: float) -> float:
    """The left-hand side of Eq. (10)."""
    return float(evaluate(in_squares(printed("(10)").lhs), {"dh2": dh2}))


def time_of_mean(tau_mean: float) -> float:
    """Time in which the first term of Eq. (9) falls by the square of e."""
    values = {
        "tau_mean": tau_mean,
        "y_0": np.ones((3, 1)),
        "y_1": np.zeros((3, 1)),
        "norm": np.linalg.norm,
    }
    term = max(printed("(9)").rhs.args, key=lambda part: letters("y_0") in part.free_symbols)
    start, later = (
        evaluate(term, {**values, "y_2": np.zeros((3, 1)), "t": time}) for time in (0.0, 0.5)
    )
    return float(1.0 / np.log(start / later))


def what_shows_up() -> str:
    """A time constant if the first term of Eq. (9) takes longer where it is larger: 1/tau doubled."""
    return "time constant" if time_of_mean(1 / 2.0) > time_of_mean(1.0) else "learning rate"


def decays(claim: Claim) -> bool:
    """Along three flows the logarithm of the first term is linear in time, and that of the other is not."""
    second, first = sorted(
        printed("(9)").rhs.args, key=lambda term: letters("y_0") in term.free_symbols
    )
    term = chosen(claim, "which", {"first": first, "second": second})
    values = np.array([float(value(term, case)) for case in moments()]).reshape(
        -1, len(flows.TIMES)
    )
    slopes = np.diff(np.log(np.abs(values)), axis=1) / np.diff(flows.TIMES)
    return bool(np.allclose(slopes, slopes[:, :1], rtol=1e-6))


def limit() -> str:
    """The rates of Eq. (43) as printed against those without a target as G grows: identical outputs if they agree."""
    line = printed("(43) w").rhs.replace(letters("primed"), lambda quantity: quantity)
    case = {**next(moments()), "G": 1e4}
    large, without = (
        value(line, {**case, "y_2": target}) for target in (case["y_2"], case["y_1"])
    )
    return "identical" if abs(large - without) < 1e-6 else "different"


def altered() -> tuple[sp.Expr, sp.Expr, sp.Expr]:
    """Eq. (51) divided by Eq. (7): both first lines, both second lines, and the last terms of both third lines."""
    new = [in_squares(line.rhs) for line in printed("(51)")]
    old = [in_squares(line.rhs) for line in system()]
    kept = old[2].coeff(1 / letters("tau_y")) / letters("tau_y")
    return (
        sp.simplify(new[0] / old[0]),
        sp.simplify(new[1] / old[1]),
        sp.simplify((new[2] - kept) / (old[2] - kept)),
    )


def effect_of_rates() -> str:
    """Both rates times three: all velocities get the factor, which is a change of clock, A_high and A_low do not."""
    at = {**SETTING, "dh2_0": 1.3, "dy2_0": 0.4}
    faster = {**at, "tau_h": at["tau_h"] / 3, "tau_y": at["tau_y"] / 3}

    def rates(case: Case) -> Any:
        return np.array(
            rates_at((0.8, 0.5, -0.1), **{name: case[name] for name in flows.CONSTANTS})
        )

    slow, fast = rates(at), rates(faster)
    constants = [in_squares(definition.rhs) for definition in printed("(28)")]
    keeps = np.allclose(fast, 3 * slow) and all(
        is_close(evaluate(c, at), evaluate(c, faster)) for c in constants
    )
    return "do not explicitly depend" if keeps else "explicitly depend"


PROGRAMS: Programs = {
    "2.3 no rotation": stating(number=count_of_variables),
    "2.3 velocity": stating(what=controlled),
    "2.3 alignment": stating(what=adds),
    "3 implementation details": stating(number=lambda: rates_in(*system())),
    "2.3 distance": Program(
        deciding(is_the_distance),
        squared_by_eq_10,
        lambda claim, dh2: float(evaluate(in_squares(claim["distance"]), {"dh2": dh2})),
        at={"dh2": 2.3},
        quantity="representational distance; by Eq. (10), and as printed",
    ),
    "3.3 first term": deciding(decays),
    "3.3 third constant": Program(
        stating(what=what_shows_up),
        lambda factor: time_of_mean(1 / factor) / time_of_mean(1.0),
        lambda claim, factor: chosen(
            claim, "what", {"time constant": factor, "learning rate": 1 / factor}
        ),
        at={"factor": 2.0},
        quantity="factor of the time in which the mean output is learned, where 1/tau has this factor",
    ),
    "A.1 numerical solution": Program(
        stating(verb=integration),
        lambda path: float(integrated(path)[1][-1]),
        lambda _, path: float(integrated(path)[0][-1]),
        1e-6,
        at={"path": "passes through"},
        quantity="|dh|^2 at time 12, from weights 0.5 and -1.5, integrated",
    ),
    "A.3 unsolvable": Program(
        stating(
            verb=lambda: "can" if np.abs(np.subtract(*in_closed_form())).max() < 1e-7 else "cannot"
        ),
        lambda time: float(in_closed_form()[1][flows.TIMES.index(time), 0]),
        lambda claim, time: float(
            chosen(
                claim,
                "verb",
                {"can": in_closed_form()[0][flows.TIMES.index(time), 0], "cannot": np.inf},
            )
        ),
        at={"time": 1.6},
        quantity="|dh|^2 of the first flow of explicit matrices",
    ),
    "A.5 limit": stating(which=limit),
    "C.1 four alterations": stating(
        power=lambda: {w: "square", w**2: "cube"}[altered()[0]],
        factor=lambda: altered()[1],
        sign=lambda: {-1: "minus", 1: "none"}[altered()[2]],
    ),
    "C.2 one more unknown": stating(number=lambda: len(unknowns(printed("(9)")))),
    "C.5 learning-rate changes": stating(verb=effect_of_rates),
}
