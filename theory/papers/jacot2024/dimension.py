"""Section 1.4: the cost of identity as a measure of dimension, Propositions 1 to 3, with the proof in Appendix A.1."""

from __future__ import annotations

import numpy as np
import sympy as sp

from theory import leaky_resnet
from theory.core import Check, Finding, Step
from theory.papers.jacot2024 import explicit_nets as nets
from theory.papers.jacot2024.paper import entry

ROUNDING = 1e-9
s1, s2, s3 = sp.symbols("s_1 s_2 s_3", positive=True)
SINGULAR = (s1, s2, s3)
total, squares = sum(SINGULAR, sp.S.Zero), sum((s**2 for s in SINGULAR), sp.S.Zero)


def _ratio(A: np.ndarray) -> float:
    values = np.linalg.svd(A, compute_uv=False)
    return float(values.sum() ** 2 / (values**2).sum())


def _holds_without_bias() -> bool:
    """Random representations, some with all rows in the image and some without, by least squares."""
    for seed in range(200):
        draw = np.random.default_rng(seed)
        A = draw.normal(size=(draw.integers(1, 8), draw.integers(1, 5))) + draw.normal()
        if leaky_resnet.image_residual(A, bias=False) > ROUNDING:
            continue  # the cost is infinite
        cost = float((nets.smallest_weights(A, A, bias=False) ** 2).sum())
        if cost < _ratio(A) * (1 - ROUNDING):
            return False
    return True


def _holds_with_bias_counted() -> bool:
    for seed in range(200):
        draw = np.random.default_rng(seed)
        A = draw.normal(size=(draw.integers(1, 8), draw.integers(1, 5))) + draw.normal()
        if leaky_resnet.image_residual(A) > ROUNDING:
            continue
        features = nets.activation(A, bias=True)
        bound = np.linalg.svd(A, compute_uv=False).sum() ** 2 / (features**2).sum()
        if (nets.smallest_weights(A, A, bias=True) ** 2).sum() < bound * (1 - ROUNDING):
            return False
    return True


def _fails_with_bias() -> bool:
    """One neuron, one sample, A = 1/2: the smallest weights cost 1/5, and the ratio is 1."""
    A = np.array([[0.5]])
    return bool((nets.smallest_weights(A, A, bias=True) ** 2).sum() < 0.3 and abs(_ratio(A) - 1) < ROUNDING)


def _zero_competes() -> bool:
    """B = 0 has B^+ = 0 and would give 0, below the minimum that is claimed."""
    A = np.diag([2.0, 1.0])
    return bool(np.linalg.norm(A @ np.linalg.pinv(np.zeros((2, 2)))) == 0 < _ratio(A))


def _continuous() -> bool:
    A = np.random.default_rng(3).normal(size=(4, 5))
    change = [abs(_ratio(A + size * np.ones_like(A)) - _ratio(A)) for size in (1e-3, 1e-5, 1e-7)]
    jumps = abs(_ratio(1e-9 * np.eye(3)) - _ratio(1e-9 * np.ones((3, 3)))) > 1
    return bool(change[0] < 1e-2 and change[1] < 1e-4 and change[2] < 1e-6 and jumps)


EQUATIONS = (
    entry(
        "Proposition 1",
        "1.4",
        "The cost of identity is at least the squared nuclear norm over the squared Frobenius norm.",
        Finding.CONDITIONAL,
        "|sigma(A)| is at most |A| only without the row of ones. In general |A sigma^+| |sigma| is at least the "
        "nuclear norm of A sigma^+ sigma = A, so the squared norm of sigma(A) belongs in the denominator.",
        printed=r"\|A \sigma(A)^+\|_F^2 \ge \frac{\|A\|_*^2}{\|A\|_F^2}",
        condition="there is no bias; with bias, if the number of samples is added to the squared Frobenius norm",
        steps=(
            Check("200 random representations without bias", _holds_without_bias, "least squares"),
            Check("200 with bias and its row counted", _holds_with_bias_counted, "least squares"),
        ),
        counterexample=_fails_with_bias,
        consequence="With bias the printed ratio may lie above the cost it is to bound: as an estimate of the number "
        "of dimensions it then is not a lower one. theory.leaky_resnet.cost_lower_bound counts the row of ones.",
    ),
    entry(
        "Proposition 1, minimiser",
        "1.4",
        "Among all B no larger than A the cost is least for B proportional to the root of A.",
        Finding.CONDITIONAL,
        "In the singular vectors of A: stationary on the sphere, with the value of the bound.",
        printed=r"B = \frac{\|A\|_F}{\sqrt{\|A\|_*}} \sqrt{A}",
        condition="B is such that A lies in its row space, as sigma(A) must for a finite cost",
        steps=(
            Step(
                "its size is that of A",
                sum((squares / total * s for s in SINGULAR), sp.S.Zero),
                squares,
                because="squared singular values |A|^2 s_i / |A|_*",
            ),
            Step(
                "its cost is the bound",
                sum((s**2 / (squares / total * s) for s in SINGULAR), sp.S.Zero),
                total**2 / squares,
                because="sum of s_i^2 over the squared singular values of B",
            ),
            Step(
                "stationary: d(cost)/d(t^2) is the same for all singular values t",
                sp.Matrix([-(s**2) / (squares / total * s) ** 2 for s in SINGULAR]),
                -(total**2) / squares**2 * sp.ones(3, 1),
                because="Lagrange multiplier; the cost is convex in the t^2",
            ),
        ),
        counterexample=_zero_competes,
        consequence="None for the proposition: sigma(A) satisfies the condition where the cost is finite.",
    ),
    entry(
        "1.4 rank",
        "1.4",
        "The stable rank is at most the rank, with equality if all non-zero singular values are equal.",
        Finding.CONFIRMED,
        "The difference is a sum of squares.",
        steps=(
            Step(
                "three singular values",
                3 * squares - total**2,
                (s1 - s2) ** 2 + (s1 - s3) ** 2 + (s2 - s3) ** 2,
                because="Lagrange's identity",
            ),
        ),
    ),
    entry(
        "1.4 spectral stable rank",
        "1.4",
        "It is at least the more common squared Frobenius over squared operator norm.",
        Finding.CONFIRMED,
        "The sum of s_i times the largest is at least the sum of squares.",
        printed=r"\frac{\|A\|_*^2}{\|A\|_F^2} \ge \frac{\|A\|_F^2}{\|A\|_{op}^2}",
        steps=(
            Step(
                "three singular values, the first the largest",
                total * s1 - squares,
                s2 * (s1 - s2) + s3 * (s1 - s3),
                because="no term is negative",
            ),
            Step(
                "difference of the two ratios",
                total**2 / squares - squares / s1**2,
                (total * s1 - squares) * (total * s1 + squares) / (squares * s1**2),
                because="difference of squares",
            ),
        ),
    ),
    entry(
        "1.4 continuity",
        "1.4",
        "The ratio is continuous except at A = 0.",
        Finding.CONFIRMED,
        "Small changes change it little; at 0 every direction has its own value.",
        steps=(Check("changes shrink, and directions at zero differ", _continuous, "singular values"),),
    ),
)
