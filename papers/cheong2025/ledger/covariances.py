"""Samples of labelled classes in the letters of the thesis: Section 1.2, NC2 and NC4, (1.4), (2.1), Appendix B."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from closedform.checks.arrays import Array as Array
from papers.cheong2025.ledger.notation import agreed, counted
from theory.core import Claim, Program, Programs, chosen, deciding, is_close, numerically, stating

DIMENSION = 4
RANK = 1e-9  # singular values below this are rounding
OFF_CENTRE = 0.5  # of the global mean, in units of the length of the centred means
CLASSES = range(2, 6)


def features(sizes: tuple[int, ...], on_a_line: bool = False) -> dict[int, Array]:
    """Gaussian features of each class, counted from 1, ``[sample, dimension]``; three may have means on a line."""
    draw = np.random.default_rng(5)
    centres = draw.normal(size=(len(sizes), DIMENSION)) * 2 + 1
    samples = {
        k: centres[k - 1] + draw.normal(size=(size, DIMENSION)) for k, size in enumerate(sizes, 1)
    }
    if on_a_line:
        first, second, third = (rows.mean(axis=0) for rows in samples.values())
        samples[3] += 2 * first - second - third
    return samples


def rank(matrix: Any) -> int:
    """The rank, beyond rounding."""
    return int(np.linalg.matrix_rank(np.atleast_2d(matrix), tol=RANK))


def in_letters(samples: dict[int, Array]) -> dict[str, Any]:
    """The letters of the thesis for these samples of classes; the eigenvalues are those of M'M, the largest first."""
    everything = np.concatenate(list(samples.values()))
    sizes = np.array([len(members) for members in samples.values()])
    means = {k: members.mean(axis=0) for k, members in samples.items()}
    centre = everything.mean(axis=0)
    within = [
        size * np.cov(members.T, bias=True)
        for size, members in zip(sizes, samples.values(), strict=True)
    ]
    between = np.cov(np.stack(list(means.values())).T, fweights=sizes, bias=True)
    M = np.stack([mean - centre for mean in means.values()], axis=1)
    left, values, right = np.linalg.svd(M, full_matrices=False)
    R = rank(M)
    eigenvalues, eigenvectors = np.linalg.eigh(M.T @ M)
    return {
        "N": len(everything),
        "C": len(samples),
        "R": R,
        "c": np.arange(1, len(samples) + 1),
        "n": lambda k: sizes[np.asarray(k, dtype=int) - 1],
        "h": lambda k, sample: samples[int(k)][int(sample) - 1][:, None],
        "mu": lambda k: means[int(k)][:, None],
        "mu_tilde": lambda k: (means[int(k)] - centre)[:, None],
        "bar_mu": centre[:, None],
        "max_c": np.max,
        "min_c": np.min,
        "norm": np.linalg.norm,
        "product": np.matmul,
        "transposed": np.transpose,
        "square_of": lambda vector: vector @ vector.T,
        "quadratic": lambda vector, matrix: float(np.squeeze(vector.T @ matrix @ vector)),
        "tr": np.trace,
        "rank": rank,
        "Sigma_W": sum(within) / len(everything),
        **dict.fromkeys(("Sigma_B", "Sigma_B_matrix"), between),
        "Sigma_B_plus": np.linalg.pinv(between, rcond=RANK, hermitian=True),
        "Sigma_T": np.cov(everything.T, bias=True),
        "G": everything.T @ everything,
        "M": M,
        "N_matrix": np.diag(sizes.astype(float)),
        "U": left[:, :R],
        "S": np.diag(values[:R]),
        "V": right[:R].T,
        "kappa": lambda k, sample: (
            right[:R] @ M.T @ (samples[int(k)][int(sample) - 1] - means[int(k)])[:, None]
        ),
        "lam": lambda r: dict(enumerate(eigenvalues[::-1][:R], 1))[int(r)],
        "Q": eigenvectors,
        "Lambda": np.diag(eigenvalues),
        "diag": lambda *first_and_last: np.diag(sorted(set(first_and_last), reverse=True)),
    }


def balanced() -> list[dict[str, Any]]:
    """Balanced classes of three samples, with M of rank 2; decomposition and pseudo-inverse by numpy."""
    return [in_letters(features((3, 3, 3)))]


def balanced_of_any_rank() -> list[dict[str, Any]]:
    """Balanced classes, in general position and on a line, with covariances and pseudo-inverse by numpy."""
    return [*balanced(), in_letters(features((2, 2, 2), on_a_line=True))]


def any_sizes() -> list[dict[str, Any]]:
    """Classes of equal and of unequal sizes; in the last case their means lie on a line."""
    return [
        *balanced(),
        in_letters(features((1, 2, 4))),
        in_letters(features((2, 3, 1), on_a_line=True)),
    ]


def metric(samples: dict[int, Array]) -> float:
    """tr(Sigma_W Sigma_B^+) of samples of classes."""
    case = in_letters(samples)
    return float(np.trace(case["Sigma_W"] @ case["Sigma_B_plus"]))


def could() -> str:
    """The trace of the within-class covariance falls and the metric stays if all features shrink to a half."""
    whole = features((3, 3, 3))
    half = {k: 0.5 * rows for k, rows in whole.items()}
    falls = np.trace(in_letters(half)["Sigma_W"]) < 0.3 * np.trace(in_letters(whole)["Sigma_W"])
    return agreed([falls and is_close(metric(whole), metric(half))], "could", "could not")


def regular_dimensions(case: Any) -> int:
    """The largest number of dimensions in which Sigma_B of C random class means is invertible."""
    means = np.random.default_rng(1).normal(size=(case["C"], case["C"] + 2))
    return max(size for size in range(1, case["C"] + 3) if rank(np.cov(means[:, :size].T)) == size)


def simplex(count: int) -> Array:
    """Corners of a regular simplex of ``count`` points about zero, ``[point, dimension]``."""
    return np.eye(count) - 1 / count


def collapsed_means() -> Iterator[dict[str, Any]]:
    """Simplices of two to five class means. All lengths are rho only for balanced classes."""
    for count in CLASSES:
        means = 0.7 * simplex(count)
        yield {
            "c": 1,
            "c_prime": 2,
            "mu_tilde": lambda k, means=means: means[int(k) - 1],
            "inner": np.dot,
            "rho": float(np.linalg.norm(means[0])),
            "C": count,
        }


def extreme() -> str:
    """Of C unit vectors the mean squared distance is 2C/(C - 1) at most, as of the corners; a thousand random sets.

    The squared distances of C unit vectors sum to C^2 less the squared length of their sum.
    """

    def smallest(points: Array) -> float:
        unit = points / np.linalg.norm(points, axis=1, keepdims=True)
        gaps = np.linalg.norm(unit[:, None] - unit, axis=2) + 9 * np.eye(len(unit))
        return float(gaps.min())

    def is_largest(count: int) -> bool:
        others = [
            smallest(points)
            for points in np.random.default_rng(0).normal(size=(1000, count, count))
        ]
        corners = smallest(simplex(count))
        return max(others) < corners and abs(corners**2 - 2 * count / (count - 1)) < 1e-12

    return agreed(map(is_largest, CLASSES), "maximises", "minimises")


EXTREMES = {"nearest": np.argmin, "furthest": np.argmax}


def collapsed(centre: float, bias_gap: float) -> dict[str, Any]:
    """Two collapsed classes with centred means and weights +1 and -1, about a global mean; a gap of their biases."""
    return {
        "c": 1,
        "c_prime": 2,
        "bar_mu": centre,
        "weight": lambda k: 3 - 2 * k,
        "bias": lambda k: 0.3 + bias_gap * (2 - k),
        "inner": lambda one, other: one * other,
        "means": np.array([centre + 1, centre - 1]),
        # of the logits z + b_1 and -z + b_2 the larger one
        "answer": lambda z: 0 if 2 * z + bias_gap > 0 else 1,
    }


def networks() -> list[dict[str, Any]]:
    """Collapsed networks without training error, whose biases balance the global mean or not."""
    gaps = ((OFF_CENTRE, 0.0), (OFF_CENTRE, -2 * OFF_CENTRE), (-0.4, 0.8), (0.0, 0.6))
    return [collapsed(*gap) for gap in gaps]


def by_distance(claim: Claim, network: dict[str, Any], z: float) -> int:
    """The class of the extreme distance of the claim."""
    return int(chosen(claim, "extreme", EXTREMES)(np.abs(z - network["means"])))


def classifies(claim: Claim, network: dict[str, Any]) -> bool:
    """Whether a network without training error answers as the claim says, at many points."""
    points = np.linspace(-2.03, 2.03, 60).tolist()
    is_trained = [network["answer"](mean) for mean in network["means"]] == [0, 1]
    return is_trained and all(
        network["answer"](z) == by_distance(claim, network, z) for z in points
    )


COVARIANCES, DECOMPOSED = numerically(any_sizes), numerically(balanced)

PROGRAMS: Programs = {
    "abstract simplex": stating(extreme=extreme),
    "NC2": numerically(collapsed_means),
    "NC4": Program(
        deciding(classifies, cases=networks),
        lambda z, bias_gap: float(np.argmax([z + bias_gap, -z])),
        value=lambda claim, z, global_mean: float(
            by_distance(claim, collapsed(global_mean, 0.0), z)
        ),
        at={"global_mean": OFF_CENTRE, "bias_gap": 0.0, "z": 0.25},
        quantity="class, where the centred means are 1 and -1",
    ),
    "1.2 trace of the within-class covariance | 1.2 total covariance | 1.2 rank of M | (1.4), Sigma_B": COVARIANCES,
    "(1.4) | (2.1) | B.2 it suffices | B.2 expansion | B.2 third line | B.2 fourth line | B.2 last lines": COVARIANCES,
    "1.2 scale": stating(could=could),
    "1.2 centred means sum to zero": Program(
        numerically(any_sizes, scale=1.0),
        lambda means, n_c: float(np.sum(np.array(means) - np.average(means, weights=n_c))),
        value=lambda statement: float(statement.rhs),
        at={"means": (0.0, 4.0), "n_c": (1, 3)},
        quantity="sum of the centred means",
    ),
    "1.2 invertible only in few dimensions": counted(
        lambda: [{"C": n} for n in CLASSES], dimensions=regular_dimensions
    ),
    "(B.1) | B.1 decomposition | (B.2) | (B.3) | (B.4) | B.1 substitution | (B.5)": DECOMPOSED,
    "B.1 shared eigenvalues | Footnote 1 of Appendix B | Algorithm 1, lines 10 and 11": DECOMPOSED,
    "B.1 ranks | B.1 trace": numerically(balanced_of_any_rank),
}
