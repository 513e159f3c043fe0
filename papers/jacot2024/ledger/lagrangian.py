"""Section 1.3: the Lagrangian in weights and in representations, its three terms, and the middle one in linear nets."""

import warnings
from functools import cache, partial

import numpy as np
from scipy.linalg import expm

from papers.jacot2024.ledger import nets
from papers.jacot2024.ledger.nets import Array, Case, states
from theory import leaky_resnet
from theory.core import Programs, numerically, stating


@cache
def paths() -> tuple[Case, ...]:
    """A path of five neurons and two samples with any velocity, and the smallest weights that make it."""
    start, turn, goal = np.random.default_rng(2).normal(size=(3, 5, 2))
    turn = np.tanh(turn)  # no neuron switches
    depth = 1.7

    def place(p: float) -> Array:
        return start * (1 + p * turn)

    def velocity(p: float) -> Array:
        return start * turn

    def features(p: float) -> Array:
        return nets.activation(place(p), True)

    return ({
        **nets.MARKS, "L": depth, "lam": 0.4, "N": 2, "w": 5, "A_at": place, "A_dot_at": velocity, "A_1": place(1.0),
        "F": goal, "W_at": lambda p: nets.weights_of(depth * place(p) + velocity(p), features(p)),
        "K_at": lambda p: features(p).T @ features(p), "minimal": lambda cost: cost,
        "row": lambda i, p: place(p)[[i - 1]], "row_dot": lambda i, p: velocity(p)[[i - 1]],
        "F_row": lambda i: goal[[i - 1]],
    },)  # fmt: skip


def square_states() -> list[Case]:
    """As many neurons as samples, so that the printed product exists; that of least-squares weights."""
    first, second, features = np.random.default_rng(0).normal(size=(3, 3, 3))
    kernel = features.T @ features
    return [{
        **nets.MARKS, "first": first, "second": second, "K": kernel, "K_plus": np.linalg.inv(kernel),
        "inner": lambda M, N, K: (nets.weights_of(M, features) * nets.weights_of(N, features)).sum(),
    }]  # fmt: skip


@cache
def kernels() -> tuple[Case, ...]:
    """K of a state with a bias of size beta, and its neurons."""
    A = np.random.default_rng(4).normal(size=(4, 3))
    active = nets.activation(A, False)
    return tuple(
        {**nets.MARKS, "w": 4, "beta": beta, "p": 0.0, "A_row": lambda i: A[i - 1],
         "K_at": nets.only_at(0.0, active.T @ active + beta**2 * np.ones((3, 3)))}
        for beta in (0.0, 1.0)
    )  # fmt: skip


def with_weights(moved: str) -> list[Case]:
    """The smallest weights that give the velocity, or the representation back, by least squares."""
    cases = []
    for case in states():
        W = nets.weights_of(
            case["A"] if moved == "A" else case["A_dot"] + case["L"] * case["A"], case["S"]
        )
        cases.append({**case, "W": W, "coi": float((W**2).sum())})
    return cases


def cheap_directions() -> str:
    """Unit velocities along each right singular vector of sigma(A)."""
    features = states()[0]["S"]
    directions = np.linalg.svd(features)[2]
    norms = [nets.weights_of(direction[None], features) for direction in directions]
    return "small" if (np.diff([np.linalg.norm(size) for size in norms]) > 0).all() else "large"


def cheapest() -> str:
    """The costs of zero, of ones, and of representations near zero."""
    zero, ones = np.zeros((2, 3)), np.ones((2, 3))
    near_zero = [0.1 * np.random.default_rng(seed).normal(size=zero.shape) for seed in range(20)]
    costs = [nets.cost(A, nets.activation(A, True)) for A in (zero, ones, *near_zero)]
    return "zero" if costs[0] < min(costs[1:]) else "constant"


def end_of_a_path_from_zero() -> str:
    """An integrated path with bias that begins at zero."""
    constant, rising = np.random.default_rng(9).normal(size=(2, 2, 3))
    end = nets.flow(
        np.zeros((2, 3)), nets.leaky(lambda p: constant + p * rising, 1.3, True), 0.0, 1.0
    )
    return (
        "constant" if np.abs(end).max() > 0.1 and np.ptp(end, axis=1).max() < 1e-12 else "varying"
    )


def size_of_norm(X: Array) -> str:
    """Whether the norm at a dead neuron, where sigma(A) = 0, is infinite."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", leaky_resnet.IllConditionedWarning)
        norm = leaky_resnet.squared_norm(X, DEAD, bias=False)
    return "infinite" if np.isinf(norm) else "finite"


def growth_of_inverse() -> str:
    """Inverses of K + gamma for activations that approach a matrix of lower rank, where those of K grow."""
    kernels = [np.diag([1.0, small**2]) for small in (1e-1, 1e-2, 1e-3)]
    plain = [np.linalg.norm(np.linalg.inv(K), 2) for K in kernels]
    shifted = [np.linalg.norm(np.linalg.inv(K + 0.2 * np.eye(2)), 2) for K in kernels]
    return "bounded" if plain[-1] > 1e3 * plain[0] and max(shifted) < 1 / 0.2 else "unbounded"


def pseudo_determinant(M: Array) -> float:
    """The product of the non-zero singular values."""
    values = nets.singular_values(M)
    return float(np.prod(values[values > 1e-9 * values[0]]))


@cache
def linear_paths() -> tuple[Case, ...]:
    """Paths of linear nets, from inputs of full and of lower rank."""
    draw = np.random.default_rng(8)
    starts = (
        draw.normal(size=(2, 4)),
        draw.normal(size=(4, 2)),
        draw.normal(size=(3, 2)) @ draw.normal(size=(2, 3)),
    )
    rates = [draw.normal(size=(len(start), len(start))) for start in starts]
    return tuple(
        {**nets.MARKS, "A_at": lambda p, M=M, start=start: expm(p * M) @ start, "sigma": lambda A: A,
         "A_dot_at": lambda p, M=M, start=start: M @ expm(p * M) @ start, "pdet": pseudo_determinant,
         "plus": partial(np.linalg.pinv, rcond=1e-9)}
        for M, start in zip(rates, starts, strict=True)
    )  # fmt: skip


def impact_on_the_path() -> str:
    """Along two paths with the same ends the integral is the same for a linear net, and differs for a rectified one."""
    start, goal, detour = np.random.default_rng(3).normal(size=(3, 2, 2)) + 3 * np.eye(2)

    def term(p: float, size: float, is_linear: bool) -> float:
        A = start + p * (goal - start) + size * np.sin(np.pi * p) * detour
        velocity = goal - start + size * np.pi * np.cos(np.pi * p) * detour
        inverse = np.linalg.pinv(A if is_linear else nets.activation(A, False), rcond=1e-9)
        return float(np.trace(velocity @ inverse @ inverse.T @ A.T))

    def integral(size: float, is_linear: bool) -> float:
        return nets.mean([term(p, size, is_linear) for p in np.linspace(0, 1, 801)])

    def changes(is_linear: bool) -> bool:
        return abs(integral(0.0, is_linear) - integral(0.3, is_linear)) > 1e-8

    return "no" if changes(False) and not changes(True) else "an"


DEAD = np.array([[-1.0, -2.0]])
on_paths = numerically(paths, "least squares", tolerance=1e-8)
with_smallest_weights = numerically(partial(with_weights, "A"), "least squares", tolerance=1e-8)

PROGRAMS: Programs = {
    "1.3 weights": numerically(
        partial(with_weights, "velocity"), "pseudo-inverses by singular values", tolerance=1e-8
    ),
    "1.3 cost over representations | 1.3 neurons": on_paths,
    "1.3 scalar product": numerically(square_states, "least squares", tolerance=1e-7),
    "1.3 covariance": numerically(kernels, "matrix products"),
    "1.3 decomposition": numerically(states, "norms by K", tolerance=1e-8),
    "1.3 cost of identity | Figure 1, cost of identity": with_smallest_weights,
    "1.3 slow directions": stating("least squares", size=cheap_directions),
    "1.3 zero representation": stating(
        "least squares with bias",
        zero=cheapest,
        constant=end_of_a_path_from_zero,
        rank=lambda: int(np.linalg.matrix_rank(nets.activation(np.zeros((2, 3)), True))),
    ),
    "1.3 remark": stating(
        "a dead neuron that only leaks",
        terms=lambda: size_of_norm(-3 * DEAD),
        sum=lambda: size_of_norm(3 * DEAD - 3 * DEAD),
    ),
    "1.3 bounded inverse": stating(bounded=growth_of_inverse),
    "1.3 footnote 1": numerically(linear_paths, "quadrature", tolerance=1e-7),
    "1.3 footnote 1, ends": stating("quadrature", no=impact_on_the_path),
}
