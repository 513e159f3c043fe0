"""Section 1.4, Proposition 3, and its proof as Proposition 6 in Appendix A.1."""

from functools import cache, partial
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import linprog

from papers.jacot2024.ledger import nets
from papers.jacot2024.ledger.dimension import plain_cost
from papers.jacot2024.ledger.nets import Array, Case
from theory.core import (
    Check,
    Program,
    Programs,
    evaluate,
    for_all,
    letters_of,
    numerically,
    solved,
)
from theory.core.ledger.proving import chosen, deciding, of_each_relation, with_lemmas
from theory.core.numbers.differences import slopes

N, i, row_t = letters_of(__package__)("N i row_t")


def pair(row: Array) -> Array:
    """The outer products of a neuron and of its activation, entries on and above the diagonal."""
    upper = np.triu_indices(len(row))
    return np.concatenate([np.outer(x, x)[upper] for x in (row, np.maximum(row, 0))])


def has_the_dimension(slot: str, claim: Any, samples: int) -> bool:
    """The rank of many random pairs, for one to four samples."""
    rows = np.random.default_rng(samples).normal(size=(8 * samples**2 + 8, samples))
    return bool(
        np.linalg.matrix_rank(np.array([pair(row) for row in rows]))
        == claim[slot].subs(N, samples)
    )


class Path(NamedTuple):
    """A path of the proof from a representation ``start``, with as few coefficients as a vertex has."""

    start: Array
    coefficients: Array

    def place(self, t: float) -> Array:
        """The representation at t, with rows of Section A.1."""
        return np.asarray(np.sqrt((1 - t) + t * self.coefficients)[:, None] * self.start)

    def has_constant_cost(self) -> bool:
        """Whether the cost is the same at four places, without bias and with it."""
        places = [self.place(t) for t in (0.0, 0.3, 0.7, 1.0)]
        plain = [plain_cost(A, False) for A in places]
        with_bias = [plain_cost(A, True) for A in places]
        return bool(max(np.ptp(plain), np.ptp(with_bias)) < 1e-8 * max(1.0, plain[0]))

    def ends_in_a_saddle(self) -> bool:
        """Whether the gradient at the end is proportional to that at the start, and a smaller cost is near the end.

        Nearby are the neuron of Proposition 2 in the place of the empty one, and, with bias, the end scaled down.
        """
        end, empty = self.place(1.0), int(np.argmin(self.coefficients))
        others = [0.999 * end]
        for sample in np.maximum(end, 0).T:
            others.append(end.copy())
            others[-1][empty] = 1e-3 * np.maximum(end, 0).T @ sample

        def is_saddle(bias: bool) -> bool:
            cost = partial(plain_cost, bias=bias)
            before, after = (slopes(cost, M, 1e-6) for M in (self.start, end))
            is_lowered = min(map(cost, others)) < cost(end) * (1 - nets.ZERO)
            return is_lowered and np.allclose(
                after, np.sqrt(self.coefficients)[:, None] * before, atol=1e-4
            )

        return bool(self.coefficients[empty] == 0) and is_saddle(False) and is_saddle(True)


@cache
def paths() -> tuple[Path, ...]:
    """From representations whose rows are in the image of K."""
    collected = []
    for seed, width, samples in ((7, 7, 2), (1, 9, 2), (3, 4, 1)):
        A = np.random.default_rng(seed).normal(size=(width, samples))
        pairs = np.array([pair(row) for row in A])
        cost = np.arange(float(width))
        x = linprog(
            cost, A_eq=pairs.T, b_eq=pairs.sum(axis=0), bounds=(0, None), method="highs-ds"
        ).x
        collected.append(Path(A, np.where(x > nets.ZERO, x, 0.0)))
    return tuple(collected)


def leads_to_a_saddle(claim: Any) -> bool:
    """The path of the proof, from representations with more neurons than the printed bound."""
    is_constant = chosen(claim, "cost", {"constant": True, "varying": False})
    is_saddle = chosen(claim, "end", {"saddle": True, "local minimum": False})
    is_wide = for_all((1, 2, 3, 4), partial(has_the_dimension, "bound", claim))
    return is_wide and all(
        path.has_constant_cost() is is_constant and path.ends_in_a_saddle() is is_saddle
        for path in paths()
    )


def diffuses(claim: Any) -> bool:
    """The ends of the paths are saddles, near which there is a smaller cost."""
    words = {"saddle": True, "minimum": False, "lower": True, "higher": False}
    is_saddle = all(path.ends_in_a_saddle() for path in paths())
    return all(chosen(claim, slot, words) is is_saddle for slot in ("end", "cost"))


def is_too_narrow() -> bool:
    """A network of 100 neurons on a thousand samples, by the number of pairs of symmetric matrices."""
    return bool(2 * len(np.triu_indices(1000)[0]) >= 100)


@cache
def covariances() -> tuple[Case, ...]:
    """Seven neurons on two samples, without and with bias, and a place on the path."""
    path = paths()[0]
    A, active, at_time = path.start, np.maximum(path.start, 0), path.place(0.3)
    shared = {
        **nets.MARKS, "w": len(A), "a_at": lambda i: path.coefficients[i - 1], "t": 0.3, "K_t": at_time.T @ at_time,
        "K_hat": A.T @ A, "row_hat": lambda i: A[i - 1], "ones": np.ones((2, 2)),
    }  # fmt: skip
    return tuple(
        {**shared, "beta": bias, "K_sigma": active.T @ active + bias**2 * np.ones((2, 2))}
        for bias in (0.0, 0.7)
    )


def costs() -> list[Case]:
    """Costs of representations, and both covariances."""
    cases = [
        nets.letters(path.start, 0 * path.start, 1.0, bias)
        for path, bias in product(paths()[:2], (False, True))
    ]
    return [
        {**case, "K_matrix": case["A"].T @ case["A"], "K_sigma_plus": np.linalg.pinv(case["K"])}
        for case in cases
    ]


@cache
def signs() -> tuple[Case, ...]:
    """Representations with entries of all signs; the first has a bias as large as its negative entry."""
    start = paths()[0].start
    chosen_ = [
        (np.array([[-0.6]]), 0.6),
        (start, 0.0),
        (np.abs(start), 0.0),
        (np.eye(2), 1.0),
        (np.eye(2), 0.0),
    ]
    return tuple(
        {**nets.MARKS, "A": A, "beta": bias, "K_hat": A.T @ A,
         "K_sigma": np.maximum(A, 0).T @ np.maximum(A, 0) + bias**2 * np.ones((A.shape[1], A.shape[1]))}
        for A, bias in (*chosen_, (np.array([[1.0, 2.0], [0.3, -0.01]]), 0.0))
    )  # fmt: skip


def covariances_stay(relation: Any) -> bool:
    """Both covariances along the path that the printed rows make; its first point, and a zero row at its last."""
    path = paths()[0]

    def at(place: float) -> Array:
        values = {
            "t": place,
            "a_at": lambda i: path.coefficients[i - 1],
            "row_hat": lambda i: path.start[i - 1],
        }
        printed = solved(relation, row_t)
        return np.array(
            [evaluate(printed.subs(i, n), values) for n in range(1, len(path.start) + 1)]
        )

    def keeps(place: float) -> bool:
        pairs = [(M.T @ M, np.maximum(M, 0).T @ np.maximum(M, 0)) for M in (at(place), path.start)]
        return bool(np.allclose(pairs[0], pairs[1]))

    has_ends = np.allclose(at(0.0), path.start) and (np.abs(at(1.0)).max(axis=1) < nets.ZERO).any()
    return bool(has_ends) and for_all((0.2, 0.7, 1.0), keeps)


@cache
def ends_nonnegative(runs: int = 4) -> bool:
    """Descent on the cost from random representations of eight neurons on two samples: what is negative vanishes."""
    shares = []
    for seed in range(runs):
        A = np.random.default_rng(seed).normal(size=(8, 2))
        for _ in range(3000):
            features = np.maximum(A, 0)
            inverse = np.linalg.inv(features.T @ features)
            A = A - 0.4 * (A @ inverse - (A > 0) * (features @ inverse @ (A.T @ A) @ inverse))
        shares.append(float(np.abs(np.minimum(A, 0)).max() / np.abs(A).max()))
    return max(shares) < 1e-4


def is_pushed(claim: Any) -> bool:
    """Whether the claim has descent lead away from negative representations."""
    return bool(chosen(claim, "sign", {"negative": True, "non-negative": False}))


def truth(claim: Any, stable: tuple[int, ...], nonnegative: tuple[int, ...]) -> Array:
    """Of the named form of "stable implies non-negative", in cases of (stable, non-negative)."""
    first, second = np.array(stable), np.array(nonnegative)
    return 1.0 * chosen(
        claim, "form", {"converse": second <= first, "contrapositive": first <= second}
    )


def what_is_used(stable: tuple[int, ...], nonnegative: tuple[int, ...]) -> Array:
    """What is not non-negative is not stable."""
    return np.array(
        [float(sign or not is_stable) for is_stable, sign in zip(stable, nonnegative, strict=True)]
    )


ALL_CASES = {"stable": (0, 0, 1, 1), "nonnegative": (0, 1, 0, 1)}

PROGRAMS: Programs = {
    "Proposition 3": deciding(leads_to_a_saddle),
    "1.4 noisy descent": with_lemmas(
        deciding(diffuses), Check("not in Appendix B", is_too_narrow, "counted")
    ),
    "1.4 pushed away": Program(
        deciding(lambda claim: ends_nonnegative() is is_pushed(claim), "four descents"),
        lambda runs: float(ends_nonnegative(runs)),
        value=lambda claim: float(is_pushed(claim)),
        at={"runs": 4},
        quantity="1 if no entry is below zero after the descents, else 0",
    ),
    "Proposition 6, cone": numerically(covariances, "matrix products"),
    "Proposition 6, dimension": deciding(
        partial(has_the_dimension, "dimension"), "", lambda: (1, 2, 3, 4)
    ),
    "Proposition 6, combination": numerically(covariances, "a linear programme", tolerance=1e-8),
    "Proposition 6, path": of_each_relation(covariances_stay),
    "Proposition 6, covariances": numerically(covariances, "matrix products", tolerance=1e-8),
    "Proposition 6, cost": numerically(costs, "pseudo-inverses", tolerance=1e-8),
    "Proposition 6, non-negative": numerically(signs, "matrix products"),
    "Proposition 6, converse": Program(
        deciding(
            lambda claim: np.array_equal(truth(claim, **ALL_CASES), what_is_used(**ALL_CASES)),
            "truth table",
        ),
        what_is_used,
        value=truth,
        at=ALL_CASES,
        quantity="truth in the four cases",
    ),
}
