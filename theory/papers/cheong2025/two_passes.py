r"""Section 2.1: storage, Theorem 4 and Eq. (2.1)."""

from __future__ import annotations

from theory.collapse.exact import exact_nc1, exact_two_pass_nc1
from theory.core import Check, Finding, Step
from theory.papers.cheong2025.algorithm_1 import drifting_means_change_it
from theory.papers.cheong2025.algorithm_lines import line_20
from theory.papers.cheong2025.explicit_features import uneven
from theory.papers.cheong2025.paper import entry

RATIONAL = [[1, 2, 0], [3, 1, 1], ["1/2", 5, 2], [2, 2, 7], [0, 1, 4], [6, "1/3", 1]]
EVEN, UNEVEN = [0, 0, 1, 1, 2, 2], [0, 0, 0, 1, 1, 2]


def _operations(n: int, c: int, d: int, encoder: float = 1.0) -> float:
    """Multiplications and additions of Algorithm 1, up to a constant for each kind of line."""
    return 2 * n * encoder + n * d + c * c * d + c**3 + n * (c * d + min(c, d) * c)


def _linear_in_the_claim() -> bool:
    """Operations over N(E + CD) stay below 5 where C <= D and every class has a sample."""
    grid = [(n, c, d) for c in (2, 10, 100, 1000) for d in (c, 10 * c, 10**5) for n in (c, 100 * c)]
    return all(_operations(n, c, d) <= 5 * n * (1 + c * d) for n, c, d in grid)


def _few_dimensions_break_it() -> bool:
    """10,000 classes of one sample in one dimension: C^3 operations against N(E + CD), C^2 numbers against CD."""
    n, c, d = 10_000, 10_000, 1
    return _operations(n, c, d) > 1000 * n * (1 + c * d) and c * c > 1000 * c * d


def _exact_agreement(labels: list[int]) -> bool:
    return bool(exact_two_pass_nc1(RATIONAL, labels) == exact_nc1(RATIONAL, labels))


EQUATIONS = (
    entry(
        "2.1 storage",
        "2.1",
        "Storing 50,000 representations of 16 x 16 x 64 numbers in 32 bits takes 4ND bytes, around 3 GiB.",
        Finding.CONFIRMED,
        "3.05 GiB.",
        steps=(Check("3.05 GiB", lambda: round(4 * 50_000 * 16 * 16 * 64 / 2**30, 2) == 3.05, "arithmetic"),),
    ),
    entry(
        "2.1 direct cost",
        "2.1",
        "A pseudo-inverse of Sigma_B by singular values, and its product with Sigma_W, cost O(D^3).",
        Finding.ASSUMPTION,
        "The usual operation counts of dense linear algebra.",
    ),
    entry(
        "Theorem 4, correctness",
        "2.1",
        "Algorithm 1 computes tr(Sigma_W Sigma_B^+).",
        Finding.CONDITIONAL,
        "Exact rational arithmetic against the definition; the algorithm as printed returns another number.",
        condition="lines 8 and 20 have C/N for 1/N, and the arithmetic is exact",
        steps=(Check("both routes, exactly", lambda: _exact_agreement(EVEN), "rational features"),),
        counterexample=lambda: abs(line_20().printed / line_20().independent - 1) > 0.5,
        consequence="As printed the result is too small, by C alone once line 8 is right.",
    ),
    entry(
        "Theorem 4, cost",
        "2.1",
        "O(N(E + CD)) time and O(CD) space.",
        Finding.CONDITIONAL,
        "Counting: M'M takes C^2 D operations and C^2 numbers, its eigenvectors C^3 operations. The proof assumes C "
        "much smaller than D; C <= D is enough, as N >= C. Sizes of the encoder are not counted.",
        condition="C is of the order of D or below",
        printed=r"\mathcal{O}(N(E + CD)) \text{ time}, \quad \mathcal{O}(CD) \text{ space}",
        steps=(Check("operations where C <= D", _linear_in_the_claim, "counting"),),
        counterexample=_few_dimensions_break_it,
        consequence="With more classes than dimensions the space is C^2 and the time has a term C^3.",
    ),
    entry(
        "2.1 imbalanced",
        "2.1",
        "The algorithm is easily extended to imbalanced classes.",
        Finding.CONFIRMED,
        "Centred means weighted by class sizes; exact rational arithmetic for classes of 3, 2 and 1.",
        steps=(Check("both routes, exactly", lambda: _exact_agreement(UNEVEN), "rational features"),),
    ),
)

AFTER_THE_ALGORITHM = (
    entry(
        "(2.1)",
        "2.1",
        "Sigma_W from second moments, the mean and Sigma_B: one pass.",
        Finding.CONFIRMED,
        "Written out for unequal sizes. In floating point it subtracts what may be nearly equal.",
        printed=r"\Sigma_W = \frac{G}{N} - \bar\mu \bar\mu^\top - \Sigma_B",
        steps=(
            Step(
                "every entry",
                uneven.gram / uneven.count - uneven.centre * uneven.centre.T - uneven.between,
                uneven.within,
                because="Sigma_T = Sigma_W + Sigma_B",
            ),
        ),
    ),
    entry(
        "2.1 first pass inside training",
        "2.1",
        "The first pass is integrated into the training loop.",
        Finding.CONDITIONAL,
        "Class means gathered while the weights move are those of no network.",
        condition="the weights do not move during the pass",
        steps=(Check("with frozen weights", lambda: not drifting_means_change_it(0.0), "a linear encoder"),),
        counterexample=lambda: drifting_means_change_it(0.5),
        consequence="The metric on the training set is overestimated early in training; means need a pass of their "
        "own.",
    ),
)
