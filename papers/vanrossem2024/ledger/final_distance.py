"""The final distance: its regimes, Eqs. (10) to (13) and (36), and Gaussian initial weights, Eqs. (44) to (48)."""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np
from scipy.stats import norm

from papers.vanrossem2024.ledger import rest
from papers.vanrossem2024.ledger.flows import in_squares, printed
from papers.vanrossem2024.ledger.rest import (
    Case,
    ends,
    merging,
    positive_root,
    roots,
    scaled,
    settings,
)
from theory.core import Check, Conditional, Program, Programs, evaluate, numerically
from theory.core.ledger.proving import (
    chosen,
    deciding,
    declaring,
    in_words,
    is_close,
    stating,
    unconditional,
)

CLOSE = 1e-3  # relative distance from a limit
DECODERS = (0.2, 0.7, 1.0, 2.0)  # A_high of either sign, and zero


def in_numbers(
    cases: Callable[[], Any], because: str = "", **accuracy: Any
) -> Callable[[Any], tuple[Check, ...]]:
    """Return the program of relations between squared lengths that hold in each case."""
    decide = numerically(cases, **accuracy)

    def prove(statement: Any) -> tuple[Check, ...]:
        return decide(in_squares(statement))

    prove.__doc__ = in_words(because, cases)
    return prove


def number_of_stable_points() -> int:
    """Rates at the points of rest, by central differences, for A_high of either sign, different and same targets."""

    def count(case: Case) -> int:
        positive = [root for root in roots(case) if root > rest.ZERO]
        stable = [
            bool((np.linalg.eigvals(rest.jacobian(case, root, 0.0)).real < 0).all())
            for root in positive
        ]
        # one rate at zero vanishes: a flow says whether it attracts
        if case["target2"] == 0 and case["A_high"] < 0:
            return sum(stable) + bool(rest.path(0.5, 1.0, 0.0, 30.0)[1][-1] < 1e-6)
        return sum(stable) + all(rate < -1e-6 for _, rate in rest.rays(case))

    # in the last one both points are one
    (number,) = {count(case) for case in settings(same_targets=True)[:-1]}
    return number


def end_of_flow(statement: Any) -> tuple[Check, ...]:
    """Ends of long flows off or on the stable manifold of the merged state, as the condition says, or of both."""
    cases = {"off": ends(), "on": (merging(),)}
    kept = (
        chosen(statement.condition, "place", cases)
        if isinstance(statement, Conditional)
        else (*ends(), merging())
    )
    return in_numbers(lambda: kept, tolerance=rest.SETTLED)(unconditional(statement))


def tends(relation: Any, pair: Case) -> bool:
    """The sides differ by little, in proportion, and less than at another size of the weights: ratios 10^4 and 10^6."""
    errors = []
    for case in (pair, pair["before"]):
        left, right = (
            float(evaluate(in_squares(side), case)) for side in (relation.lhs, relation.rhs)
        )
        errors.append(abs(left - right) / max(abs(left), abs(right)))
    return errors[0] < CLOSE and (errors[0] < errors[1] or errors[0] < 1e-12)


def limit(far: float, near: float) -> Callable[[Any], tuple[Check, ...]]:
    """Return the program of a limit of the final distance, from two sizes of the weights."""

    def cases() -> list[Case]:
        pairs = zip(scaled(far, DECODERS), scaled(near, DECODERS), strict=True)
        return [{**case, "before": before} for before, case in pairs]

    return deciding(tends, cases=cases)


def dependence(line: int) -> set[str]:
    """On which of the data and of the initial state a letter of Eq. (11) depends: doubled one at a time."""
    expression, at = in_squares(printed("(11)")[line].rhs), settings()[0]
    doubled = {"input": "dx2", "output": "target2", "random initialization": "dh2_0"}
    changes = {
        name: evaluate(expression, {**at, key: 2 * at[key]}) for name, key in doubled.items()
    }
    return {
        name
        for name, changed in changes.items()
        if not is_close(changed, evaluate(expression, at))
    }


# tau_y/tau_h and the correlation of the two ratios; gain, dx2 and h.
KINDS = ((1.0, 0.0), (0.4, 0.0), (1.0, 0.3))
SIZES = ((0.5, 1.3, 0.9), (0.8, 0.6, 1.7))
QUANTILES = 10**6  # equally probable values: probabilities are good to half the inverse
QUADRATURE = 1e-5
# Four equally probable values of two numbers have the means, variances and covariance of a Gaussian pair.
SIGMA_POINTS = np.sqrt(2) * np.array([[1, -1, 0, 0], [0, 0, 1, -1]])


def share(event: Any) -> float:
    """Probability of an event, given as its truth for equally probable values."""
    return float(np.mean(event))


@cache
def events() -> dict[str, Any]:
    """20 000 random A_high, A_low and h, with final distances; in the first thousand these are exactly h."""
    draw = np.random.default_rng(6)
    high, low, h = (
        draw.normal(0, 2, 20_000),
        draw.exponential(1, 20_000),
        draw.exponential(1.5, 20_000),
    )
    low[:1000], high[:1000], h[:1000] = 0.0, 2.0, 2.0
    return {"A_high": high, "A_low": low, "h": h, "dh2_inf": positive_root(high, low), "P": share}


def mean_and_variance(values: Any) -> Any:
    """Law of a linear combination of the two ratios, from its values at the sigma points."""
    return np.array([np.mean(values), np.var(values)])


def correlation(one: Any, other: Any) -> float:
    """Correlation of two quantities from their values at the sigma points."""
    return float(np.round(np.corrcoef(one, other)[0, 1], 9))


@cache
def quantiles() -> Any:
    """Equally probable values of a normal variable."""
    return norm.ppf((np.arange(QUANTILES) + 0.5) / QUANTILES)


@cache
def _cases(low: float) -> tuple[dict[str, Any], ...]:
    collected = []
    for rho, correlated in KINDS:
        for gain, dx2, h in SIZES:
            spread = np.linalg.cholesky([[1, correlated], [correlated, 1]]) @ SIGMA_POINTS
            encoder, decoder = gain * (1 + spread)
            high = dx2 * (encoder - rho * decoder)
            mean, variance = mean_and_variance(high)
            values = {
                "tau_h": 2.0,
                "tau_y": 2.0 * rho,
                "G": gain,
                "dx2": dx2,
                "h": h,
                "A_low": low,
                "A_high": high,
            }
            ratios = {"dh2_0": encoder * dx2, "dy2_0": decoder * encoder * dx2}
            laws = {"law": mean_and_variance, "corr": correlation, "P": share,
                    "normal": lambda centre, spread: np.array([centre, spread])}  # fmt: skip
            shapes = {"Phi": norm.cdf, "density": norm.pdf}
            ends = positive_root(mean + np.sqrt(variance) * quantiles(), low)
            collected.append({**values, **ratios, **laws, **shapes, "dh2_inf": ends})
    return tuple(collected)


def cases(*lows: float) -> Iterator[dict[str, Any]]:
    """Both sides at six settings with equal and unequal constants, with and without correlation."""
    for low in lows or (0.7,):
        yield from _cases(low)


def follows() -> str:
    """Whether the first condition of the last line of Eq. (44) implies the second, for random values."""
    conditions = [
        np.asarray(evaluate(condition, events()))
        for condition in printed("(44) line 5").rhs.args[0].args
    ]
    first, second = sorted(conditions, key=np.sum)
    return "automatically" if second[first].all() else "not always"


def at_unequal_constants(side: int, relation: Any, case: dict[str, Any]) -> float:
    """A side of a line where tau_y is 0.4 tau_h; of several numbers the last one."""
    return float(np.ravel(evaluate(in_squares((relation.lhs, relation.rhs)[side]), case))[-1])


def is_the_density(relation: Any, case: dict[str, Any]) -> bool:
    """From h = 0.01 on, what is printed for the density gathers the probability below h, by the rule of Gauss."""
    nodes, weights = np.polynomial.legendre.leggauss(400)
    half = (case["h"] - 0.01) / 2
    sides = [
        evaluate(side, {**case, "h": 0.01 + half * (1 + nodes), "f": np.ones_like})
        for side in relation.args
    ]
    gathered = half * float(weights @ (sides[1] / sides[0]))
    return is_close(gathered, share(case["dh2_inf"] < case["h"]), QUADRATURE)


def limit_of_small_weights() -> str:
    """Whether 99.9 % of the final distances are within 1 % of A_low once G is 10^-3; dx2 = 1, A_low = 0.7."""
    ends = positive_root(1e-3 * np.sqrt(2) * quantiles(), 0.7)
    return "converges" if share(np.abs(ends / 0.7 - 1) < 0.01) > 0.999 else "stays random"


def importance() -> str:
    """Whether the limit of small weights changes if the ratios scale with another power of the gain."""
    spread = np.ptp([positive_root(1.1 * 1e-6**power, 0.7) for power in (0.5, 1.0, 2.0)])
    return "important" if spread > 1e-2 * 0.7 else "not important"


def half_the_normal(relation: Any, case: dict[str, Any]) -> float:
    """What is printed for the density, gathered over all h by the rule of Gauss."""
    nodes, weights = np.polynomial.legendre.leggauss(400)
    half = 10 * case["G"] * case["dx2"]
    line = in_squares(relation)
    density, of_the_law = (
        evaluate(side, {**case, "h": half * (1 + nodes), "f": np.ones_like})
        for side in (line.rhs, line.lhs)
    )
    return half * float(weights @ (density / of_the_law))


EVENT = in_numbers(lambda: (events(),), "the same random values, 20 000 of them, are counted")
LAWS = in_numbers(cases, tolerance=QUADRATURE)
UNEQUAL = Program(
    LAWS,
    None,
    partial(at_unequal_constants, 1),
    QUADRATURE,
    measured=partial(at_unequal_constants, 0),
    at=lambda: _cases(0.7)[2],
)
DENSITY = deciding(is_the_density, cases=lambda: cases(0.0, 0.7))

PROGRAMS: Programs = {
    "4.1 only one": stating(number=number_of_stable_points),
    "(10)": in_numbers(ends, tolerance=rest.SETTLED),
    "(12)": Program(
        declaring(limit(1e4, 1e6), "->"),
        lambda encoder, decoder, dx2, target2: rest.final_number(
            encoder, decoder, dx2=dx2, target2=target2
        ),
        lambda relation, encoder, decoder, dx2, target2: float(
            evaluate(
                relation.rhs,
                {"A_high": (encoder - decoder) * dx2, "A_low": math.sqrt(dx2 * target2)},
            )
        ),
        at={"encoder": 1e6, "decoder": 1e6, "dx2": 1.0, "target2": 1.0},
        quantity="final squared distance; encoder and decoder are both ratios, tau_y = tau_h",
    ),
    "(13)": declaring(limit(1e-4, 1e-6), "->"),
    "4.1 dependence": stating(
        input=lambda: " and ".join(sorted(dependence(0) & {"input", "output"})),
        random=lambda: " and ".join(sorted(dependence(0) - {"input", "output"})),
    ),
    "4.1 dependence at small weights": stating(what=lambda: " and ".join(sorted(dependence(1)))),
    "(36)": Program(
        end_of_flow,
        lambda encoder, decoder: rest.merging(encoder, decoder)["dh2_inf"],
        lambda relation, encoder, decoder: float(
            evaluate(relation.rhs, rest.merging(encoder, decoder))
        ),
        at={"encoder": 1.0, "decoder": -1.0},
        quantity="final squared distance, A_high = 0 and A_low = 1",
    ),
    "A.6 scaling unimportant": stating(what=importance),
    "(44) line 1 | (44) line 2 | (44) line 3 | (44) line 4 | (44) line 5 | (45)": declaring(
        EVENT, "= or < or >"
    ),
    "A.6 second condition": stating(how=follows),
    "(46) line 1 | (46) line 2": UNEQUAL,
    "(47)": replace(UNEQUAL, prove=declaring(LAWS, "= <")),
    "(46) line 3 | (48) line 2 | (48) line 3": LAWS,
    "(48) line 1": Program(
        lambda statement: DENSITY(in_squares(statement)),
        lambda: 1.0,
        half_the_normal,
        1e-6,
        at=lambda: _cases(0.0)[0],
        quantity="probability of all h, tau_y = tau_h",
    ),
    "A.6 convergence": stating(what=limit_of_small_weights),
}
