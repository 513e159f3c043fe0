"""Abstract and Sections 1.1 and 1.2: what a Leaky ResNet is, the range of integration and the scale of the outputs."""

from functools import lru_cache, partial
from typing import Any

import numpy as np
import sympy as sp

from papers.jacot2024.ledger import nets
from theory.core import (
    Check,
    Conditional,
    Program,
    Programs,
    evaluate,
    letters_of,
    numerically,
    solved,
)
from theory.core.ledger.proving import chosen, deciding, is_close, unconditional, with_lemmas
from theory.leaky_resnet import symmetries

L, rho = letters_of(__package__)("L rho")
ONE_LAYER = (
    "a layer of four adds a quarter of the velocity of an integrated path of the continuous net"
)
SHORT = 1e-4  # the stretch of an integrated path from which a velocity is taken
PATHS = 1e-6  # what differences of integrated paths are good for
# leakage, the new range and a place q on it; leakage that is added
DEPTH, RANGE, AT, MORE = (0.5, 3.0, 1.2, 0.8)
_CONSTANT, _RISING = np.random.default_rng(0).normal(size=(2, 2, 3))
_START = np.array([[1.0, 0.4], [0.3, 0.9]])


def skip_connection(step: float, depth: float) -> float:
    """What is left of a representation after one layer without weights."""
    A = np.array([[0.7], [0.2]])
    return float(
        (A + step * nets.leaky(lambda p: np.zeros((2, 2)), depth, False)(0.0, A))[0, 0] / 0.7
    )


def ends(statement: Any) -> tuple[Check, ...]:
    """The layers of step rho keep their input at one end, and nothing of it at the other, in nets of any depth."""
    claim = unconditional(statement)
    step = solved(statement.condition, rho) if isinstance(statement, Conditional) else rho
    return (
        Check(
            "ResNet",
            lambda: bool(sp.limit(1 - rho * L, L, claim["resnet"]) == 1),
            "the factor of the input",
        ),
        Check(
            "connected",
            lambda: bool(sp.limit(1 - step * L, L, claim["connected"]) == 0),
            "the factor of the input",
        ),
        Check(
            "of any depth",
            lambda: bool(sp.limit(1 / step, L, claim["connected"]) == sp.oo),
            "number of layers",
        ),
    )


def layer(leakage: float, layers: int = 4) -> list[nets.Case]:
    """Weights with a bias column, and a representation plus its velocity in a layer, from an integrated path."""
    weights, z = np.random.default_rng(1).normal(size=(3, 4)), np.array([[0.4], [-1.2], [2.0]])
    rate = nets.leaky(lambda p: weights, leakage, True)
    ahead, behind = (nets.flow(z, rate, 0.0, time, 4) for time in (SHORT, -SHORT))
    active = nets.activation(z, True)
    return [{
        "W": weights, "V": weights[:, :-1], "b": weights[:, -1:], "relu": active[:-1], "sigma_z": active, "L": leakage,
        "W_l": weights / layers, "alpha_l": z, "sigma_l": active, "layers": layers,
        "alpha_next": z + (ahead - behind) / (2 * SHORT) / layers,
    }]  # fmt: skip


def weights(p: float, bias: bool = True) -> nets.Array:
    """Weights at a place of [0, 1]; the last column is the bias."""
    W = _CONSTANT * np.cos(p) + _RISING * p
    return W if bias else W[:, :-1]


@lru_cache(maxsize=4096)
def path(
    q: float, stretch: float, leakage: float, factor: float = 1.0, bias: bool = True
) -> nets.Array:
    """Representations on [0, stretch] with the weights W_{q/stretch} times a factor."""
    rate = nets.leaky(lambda s: factor * weights(s / stretch, bias), leakage, bias)
    return nets.flow(_START, rate, 0.0, q, 100)


def longer_range() -> list[nets.Case]:
    """The weights on [0, 1] and on the range [0, 3]; p is the place that is stretched to q."""
    return [{
        **nets.MARKS, "L": DEPTH, "c": RANGE, "q": AT, "p": AT / RANGE, "sigma": partial(nets.activation, bias=True),
        "alpha_prime": partial(path, stretch=RANGE, leakage=DEPTH / RANGE, factor=1 / RANGE),
        "alpha_at": partial(path, stretch=1.0, leakage=DEPTH), "W_at": weights, "rate_at": _rate,
        "W_prime": lambda q: weights(q / RANGE) / RANGE,
    }]  # fmt: skip


def _rate(p: float, bias: bool = True) -> nets.Array:
    """The velocity of the net on [0, 1]."""
    return (path(p + SHORT, 1.0, DEPTH, bias=bias) - path(p - SHORT, 1.0, DEPTH, bias=bias)) / (
        2 * SHORT
    )


def more_leakage(leakage: float = DEPTH, more: float = MORE) -> list[nets.Case]:
    """With the same weights, without bias and with it."""
    return [{
        **nets.MARKS, "L": more if leakage == 0 else leakage, "c": more, "p": 0.6, "beta": float(bias),
        "W_at": partial(weights, bias=bias), "sigma": partial(nets.activation, bias=bias),
        "alpha_prime": partial(path, stretch=1.0, leakage=leakage + more, bias=bias),
        "alpha_at": partial(path, stretch=1.0, leakage=leakage, bias=bias), "rate_at": partial(_rate, bias=bias),
    } for bias in (False, True)]  # fmt: skip


def has_other_biases() -> bool:
    """With more leakage and biases that decay as exp(-c p) the path is the scaled one, and the weights are smaller."""

    def decayed(p: float) -> nets.Array:
        return np.hstack([weights(p)[:, :-1], weights(p)[:, -1:] * np.exp(-MORE * p)])

    end = nets.flow(_START, nets.leaky(decayed, DEPTH + MORE, True), 0.0, 0.6, 100)
    squares, smaller = (
        nets.mean([(W(p) ** 2).sum() for p in np.linspace(0, 1, 41)]) for W in (weights, decayed)
    )
    scaled = np.exp(-MORE * 0.6) * path(0.6, 1.0, DEPTH)
    return is_close(end, scaled, PATHS) and bool(smaller < squares - 0.01)


def is_one_net(claim: Any, stretch: float) -> bool:
    """The path on [0, c] and the path on [0, 1], at the middle of both."""
    stretched, plain, factor = (
        float(evaluate(claim[name], {"c": stretch})) for name in ("one", "other", "factor")
    )
    return is_close(
        path(stretch / 2, stretch, stretched, 1 / stretch),
        path(0.5, 1.0, plain, factor / stretch),
        PATHS,
    )


def regularises(claim: Any) -> bool:
    """The squared weights on [0, depth] at leakage 1, and the printed term, times depth, on [0, 1]."""
    squares = sum((weights(p) ** 2).sum() for p in (np.arange(40) + 0.5) / 40)
    return all(
        is_close(
            0.3 * depth * (squares / depth**2),
            squares * evaluate(claim["term"], {"L": depth, "lam": 0.3}),
        )
        for depth in (0.4, 2.5)
    )


def has_no_effect(claim: Any) -> bool:
    """The same net on a range twice as long, with the same leakage, has the same path, stretched; both integrated."""
    longer, shorter = (
        path(size / 2, size, float(claim["depth"]), 1 / size) for size in (2.0, 1.0)
    )
    return is_close(longer, shorter, PATHS) is chosen(claim, "effect", {"no": True, "an": False})


on_longer_range = numerically(longer_range, "both paths integrated", tolerance=PATHS)
with_more_leakage = numerically(more_leakage, "both paths integrated", tolerance=PATHS)

PROGRAMS: Programs = {
    "abstract interpolation": Program(
        ends,
        skip_connection,
        value=lambda claim: 0.0,
        at={"step": 1 / 7, "depth": 1000.0},
        quantity="factor of the input",
    ),
    "1.1 bias column": numerically(
        lambda: layer(0.0), "random weights, and a representation with entries of both signs"
    ),
    "1.1 ResNet": numerically(lambda: layer(0.0), ONE_LAYER, tolerance=1e-7),
    "1.1 leaky ResNet": numerically(lambda: layer(0.3), ONE_LAYER, tolerance=1e-7),
    "1.2 stretched activations | 1.2 integration range | 1.2 parameter norm": on_longer_range,
    "1.2 stretched equation": with_lemmas(on_longer_range, *symmetries.RANGE),
    "1.2 unit leakage": deciding(is_one_net, "integrated paths", lambda: (0.6, 3.0)),
    "1.2 regularisation": deciding(regularises, "sums over the range"),
    "1.2 no leakage": deciding(has_no_effect, "integrated paths"),
    "1.2 scaled path": with_lemmas(
        with_more_leakage, Check("with bias", has_other_biases, "both nets integrated")
    ),
    "1.2 same input": with_more_leakage,
    "1.2 output scaling": with_lemmas(with_more_leakage, *symmetries.LEAKAGE),
    "1.2 large outputs": numerically(
        lambda: [*more_leakage(0.0, 0.6), *more_leakage(0.0, 2.3)],
        "both nets integrated",
        tolerance=PATHS,
    ),
}
