"""Appendix A.6: the final distance from Gaussian initial weights, Eqs. (44) to (48)."""

from collections.abc import Iterator
from functools import cache, partial
from typing import Any

import numpy as np
from scipy.stats import norm

from theory.core import Program, Programs, deciding, evaluate, is_close, stating
from theory.papers.vanrossem2024.final_distance import in_numbers
from theory.papers.vanrossem2024.rest import positive_root
from theory.papers.vanrossem2024.symbols import in_squares, printed

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
    high, low, h = draw.normal(0, 2, 20_000), draw.exponential(1, 20_000), draw.exponential(1.5, 20_000)
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
    found = []
    for rho, correlated in KINDS:
        for gain, dx2, h in SIZES:
            spread = np.linalg.cholesky([[1, correlated], [correlated, 1]]) @ SIGMA_POINTS
            encoder, decoder = gain * (1 + spread)
            high = dx2 * (encoder - rho * decoder)
            mean, variance = mean_and_variance(high)
            values = {"tau_h": 2.0, "tau_y": 2.0 * rho, "G": gain, "dx2": dx2, "h": h, "A_low": low, "A_high": high}
            ratios = {"dh2_0": encoder * dx2, "dy2_0": decoder * encoder * dx2}
            laws = {"law": mean_and_variance, "corr": correlation, "P": share,
                    "normal": lambda centre, spread: np.array([centre, spread])}  # fmt: skip
            shapes = {"Phi": norm.cdf, "density": norm.pdf}
            ends = positive_root(mean + np.sqrt(variance) * quantiles(), low)
            found.append({**values, **ratios, **laws, **shapes, "dh2_inf": ends})
    return tuple(found)


def cases(*lows: float) -> Iterator[dict[str, Any]]:
    """Both sides at six settings with equal and unequal constants, with and without correlation."""
    for low in lows or (0.7,):
        yield from _cases(low)


def follows() -> str:
    """Whether the first condition of the last line of Eq. (44) implies the second, for random values."""
    conditions = [np.asarray(evaluate(condition, events())) for condition in printed("(44) line 5").rhs.args[0].args]
    first, second = sorted(conditions, key=np.sum)
    return "automatically" if second[first].all() else "not always"


def at_unequal_constants(side: int, relation: Any) -> float:
    """A side of a line where tau_y is 0.4 tau_h; of several numbers the last one."""
    return float(np.ravel(evaluate(in_squares((relation.lhs, relation.rhs)[side]), _cases(0.7)[2]))[-1])


def is_the_density(relation: Any, case: dict[str, Any]) -> bool:
    """From h = 0.01 on, what is printed for the density gathers the probability below h, by the rule of Gauss."""
    nodes, weights = np.polynomial.legendre.leggauss(400)
    half = (case["h"] - 0.01) / 2
    sides = [evaluate(side, {**case, "h": 0.01 + half * (1 + nodes), "f": np.ones_like}) for side in relation.args]
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


EVENT = in_numbers(lambda: (events(),), "the same random values, 20 000 of them, are counted")
LAWS = in_numbers(cases, tolerance=QUADRATURE)
UNEQUAL = Program(LAWS, None, partial(at_unequal_constants, 1), QUADRATURE, measured=partial(at_unequal_constants, 0))
DENSITY = deciding(is_the_density, cases=lambda: cases(0.0, 0.7))

PROGRAMS: Programs = {
    "A.6 scaling unimportant": stating(what=importance),
    "(44) line 1 | (44) line 2 | (44) line 3 | (44) line 4 | (44) line 5 | (45)": EVENT,
    "A.6 second condition": stating(how=follows),
    "(46) line 1 | (46) line 2 | (47)": UNEQUAL,
    "(46) line 3 | (48) line 2 | (48) line 3": LAWS,
    "(48) line 1": Program(lambda statement: DENSITY(in_squares(statement)), lambda: 1.0, lambda _: 0.5),
    "A.6 convergence": stating(what=limit_of_small_weights),
}
