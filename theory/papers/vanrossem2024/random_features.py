r"""Appendix A.6: the final distance from random weights, Eqs. (44) to (48)."""

from __future__ import annotations

import math

import numpy as np
import sympy as sp
from scipy.integrate import quad

from theory.core import Check, Finding, Step, normal_cdf, normal_pdf
from theory.papers.vanrossem2024.paper import entry
from theory.two_point.symbols import dh2_0, dx2, dy2_0, tau_h, tau_y

h, G, low, rho = sp.symbols("h G A_low rho", positive=True)
high = sp.Symbol("A_high", real=True)
standardised = (h - low**2 / h) / (sp.sqrt(2) * dx2 * G)
density = (1 + low**2 / h**2) / (2 * sp.sqrt(sp.pi) * dx2 * G) * sp.exp(-(standardised**2) / 2)
SAMPLES = 200_000
Z = 5.0  # standard errors: a chance of 6e-7 for each comparison, and the seed is fixed


def _draws(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """dh2_0/dx2 and dy2_0/dh2_0 at G = 1, independent N(1, 1)."""
    draw = np.random.default_rng(seed)
    return draw.normal(1, 1, SAMPLES), draw.normal(1, 1, SAMPLES)


def _has_moments(values: np.ndarray, mean: float, variance: float) -> bool:
    """Whether mean and variance of Gaussian samples are these, within Z standard errors."""
    return bool(
        abs(values.mean() - mean) < Z * math.sqrt(variance / SAMPLES)
        and abs(values.var() - variance) < Z * variance * math.sqrt(2 / SAMPLES)
    )


def _moments(ratio: float) -> tuple[float, float]:
    return 1 - ratio, 1 + ratio**2


def _events_agree() -> bool:
    """All five lines of Eq. (44), and Eq. (45), as events on random A_high, A_low and h."""
    draw = np.random.default_rng(6)
    a, b, c = draw.normal(0, 2, SAMPLES), draw.exponential(1, SAMPLES), draw.exponential(1.5, SAMPLES)
    lines = (
        a / 2 + np.sqrt(a**2 / 4 + b**2) < c,
        np.sqrt(a**2 + 4 * b**2) < 2 * c - a,
        (a**2 + 4 * b**2 < (2 * c - a) ** 2) & (2 * c - a > 0),
        (4 * b**2 < 4 * c**2 - 4 * c * a) & (2 * c - a > 0),
        (a * c < c**2 - b**2) & (a < 2 * c),
        a * c < c**2 - b**2,
    )
    return 0.1 < lines[0].mean() < 0.9 and all(bool((line == lines[0]).all()) for line in lines)


def _distribution(ratio: float) -> float:
    """Largest distance of Eq. (47) from a Monte Carlo, in Kolmogorov's units 1/sqrt(N); dx2 = 1, A_low = 0.7."""
    first, second = _draws(8)
    a = first - ratio * second
    final = np.sort(a / 2 + np.sqrt(a**2 / 4 + 0.49))
    cdf = np.array([0.5 * math.erfc(-(x - 0.49 / x) / 2) for x in final[::200]])
    return float(np.abs(cdf - np.arange(0, SAMPLES, 200) / SAMPLES).max() * math.sqrt(SAMPLES))


def _integral(low_value: float) -> float:
    numeric = sp.lambdify(h, density.subs({low: low_value, dx2: 1, G: sp.Rational(1, 2)}), "math")
    return quad(numeric, 0 if low_value == 0 else 1e-3, 1)[0] + quad(numeric, 1, 20)[0]


def _narrows() -> bool:
    """Central 99.9 % of Eq. (47) within 1 % of A_low once G is 1e-3."""
    share = normal_cdf(standardised).subs({low: sp.Rational(7, 10), dx2: 1, G: sp.Rational(1, 1000)})
    below, above = (float(share.subs(h, sp.Rational(7, 10) * factor)) for factor in (0.99, 1.01))
    return below < 5e-4 and above > 1 - 5e-4


FINAL = sp.sqrt(high**2 / 4 + low**2) + high / 2
EQUATIONS = (
    entry(
        "A.6 initial weights",
        "A.6",
        "dh2(0)/dx2 and dy2(0)/dh2(0) are Gaussian with mean and standard deviation G.",
        Finding.ASSUMPTION,
        "Stated as an illustration. A Gaussian makes each of these squares negative with probability 0.159.",
        printed=r"\frac{\|dh(0)\|^2}{\|x_i - x_{\neg i}\|^2} \sim \mathcal{N}(G, G^2), \quad "
        r"\frac{\|dy(0)\|^2}{\|dh(0)\|^2} \sim \mathcal{N}(G, G^2)",
        steps=(
            Check(
                "negative with probability 0.159",
                lambda: abs(float(normal_cdf(sp.S.NegativeOne)) - 0.1587) < 1e-4,
                "normal distribution",
            ),
        ),
    ),
    entry(
        "A.6 scaling unimportant",
        "A.6",
        "How exactly the weights scale with the gain is not important.",
        Finding.CONFIRMED,
        "The final distance is continuous in A_high: whatever makes A_high vanish leaves A_low.",
        steps=(Step("limit of the final distance", sp.Limit(FINAL, high, 0), low, because="continuity"),),
    ),
    entry(
        "(44)",
        "A.6",
        "The event that the final distance is below h, line by line.",
        Finding.CONFIRMED,
        "All lines are one event on 200 000 random values; the squares expand as printed.",
        printed=r"P(\|dh(\infty)\|^2 < h) = P(A_{\mathrm{high}} h < h^2 - A_{\mathrm{low}}^2 \text{ and } "
        r"A_{\mathrm{high}} < 2h)",
        steps=(
            Check("one event", _events_agree, "random values"),
            Step(
                "fourth line from the third",
                (2 * h - high) ** 2 - high**2 - 4 * low**2,
                4 * h**2 - 4 * h * high - 4 * low**2,
                because="expansion",
            ),
        ),
    ),
    entry(
        "A.6 second condition",
        "A.6",
        "Since -A_low^2 < h^2, h^2 - A_low^2 < 2 h^2, so the second condition follows.",
        Finding.CONFIRMED,
        "The difference is a sum of squares.",
        steps=(Step("2 h^2 less (h^2 - A_low^2)", 2 * h**2 - (h**2 - low**2), h**2 + low**2, because="expansion"),),
    ),
    entry(
        "(45)",
        "A.6",
        "The event in one condition.",
        Finding.CONFIRMED,
        "As Eq. (44).",
        printed=r"P(\|dh(\infty)\|^2 < h) = P(A_{\mathrm{high}} h < h^2 - A_{\mathrm{low}}^2)",
        steps=(Check("the same event as Eq. (44)", _events_agree, "random values"),),
    ),
    entry(
        "(46)",
        "A.6",
        "A_high is Gaussian with mean 0 and variance 2 dx2^2 G^2.",
        Finding.CONDITIONAL,
        "Monte Carlo at G = dx2 = 1. In general the mean is (1 - rho) G dx2 and the variance (1 + rho^2) G^2 dx2^2, "
        "rho = tau_y/tau_h.",
        condition="tau_y = tau_h, and the two ratios are independent",
        printed=r"A_{\mathrm{high}} \sim \mathcal{N}(0, 2 \|x_2-x_1\|^4 G^2)",
        steps=(
            Check("equal time constants", lambda: _has_moments(np.subtract(*_draws(7)), 0, 2), "Monte Carlo"),
            Check("rho = 1/2", lambda: _has_moments(_draws(7)[0] - 0.5 * _draws(7)[1], *_moments(0.5)), "Monte Carlo"),
            Step(
                "the first line is Eq. (11) at tau_y = tau_h",
                dx2 * (dh2_0 / dx2 - dy2_0 / dh2_0),
                ((dh2_0 / dx2 - tau_y / tau_h * dy2_0 / dh2_0) * dx2).subs(tau_y, tau_h),
                because="substitution",
            ),
        ),
        counterexample=lambda: not _has_moments(_draws(7)[0] - 0.5 * _draws(7)[1], 0, 2),
        consequence="Fitted ratios tau_y/tau_h are near 0.02, where A_high is positive on average.",
    ),
    entry(
        "(47)",
        "A.6",
        "The distribution function of the final distance.",
        Finding.CONDITIONAL,
        "Monte Carlo of Eq. (36), Kolmogorov's distance.",
        printed=normal_cdf(standardised),
        closed_form="two_point.final_distance_cdf",
        condition="tau_y = tau_h, and the two ratios are independent",
        steps=(
            Check(
                "equal time constants", lambda: _distribution(1.0) < 1.95, "Monte Carlo; 1.95 is exceeded once in 1000"
            ),
        ),
        counterexample=lambda: _distribution(0.5) > 20,
        consequence="theory.two_point has it for any ratio.",
    ),
    entry(
        "(48)",
        "A.6",
        "The density of the final distance.",
        Finding.CONDITIONAL,
        "The derivative of Eq. (47), both lines; integrated numerically.",
        printed=density,
        condition="A_low > 0",
        closed_form="two_point.final_distance_density",
        steps=(
            Step("derivative of Eq. (47)", sp.Derivative(normal_cdf(standardised), h), density, because="chain rule"),
            Step(
                "second line",
                (1 + low**2 / h**2) / (sp.sqrt(2) * dx2 * G) * normal_pdf(standardised),
                density,
                because="normal density",
            ),
            Check("integrates to one", lambda: abs(_integral(0.7) - 1) < 1e-6, "quadrature"),
        ),
        counterexample=lambda: abs(_integral(0) - 0.5) < 1e-6,
        consequence="With identical targets half of the probability sits at h = 0: the representations merge.",
    ),
    entry(
        "A.6 convergence",
        "A.6",
        "As G goes to 0 the distribution converges and the randomness vanishes.",
        Finding.CONFIRMED,
        "It narrows to A_low.",
        steps=(Check("within 1 % of A_low at G = 1e-3", _narrows, "Eq. (47)"),),
    ),
)
