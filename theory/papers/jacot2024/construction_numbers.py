r"""Numbers for the construction of Proposition 8: one state of three neurons and samples, and the new neuron."""

from __future__ import annotations

import numpy as np

from theory.core import Reading
from theory.papers.jacot2024 import explicit_nets as nets


def numbers() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Weights, representations, activations and K of the witness, without bias."""
    A_, _ = nets.random_state(4, width=3, samples=3)
    features = nets.activation(A_, bias=False)
    return np.random.default_rng(5).normal(size=(3, 3)), A_, features, features.T @ features


def weights(size: float, power: int, t_: float = 0.5, effective: float = 3.0) -> np.ndarray:
    """The new weights at epsilon = ``size``, with t or its square in the correction."""
    W_, A_, features, _ = numbers()
    x_, y_ = A_[:, 0], features[:, 0]
    old = W_ - effective * size**2 * t_**power * np.outer(x_, y_)
    return np.block([[old, size * effective * t_ * x_[:, None]], [size * effective * t_ * y_[None], np.zeros((1, 1))]])


def second_order() -> Reading:
    """Change of the squared weights per epsilon^2 with t in the correction and with its square; and the line after."""
    W_, A_, features, _ = numbers()
    x_, y_ = A_[:, 0], features[:, 0]
    line = 9 * 0.25 * (-2 / 3 * x_ @ W_ @ y_ + x_ @ x_ + y_ @ y_)
    printed, corrected = (((weights(1e-4, power) ** 2).sum() - (W_**2).sum()) / 1e-8 for power in (1, 2))
    return Reading(printed, corrected, line, tolerance=1e-6)


def simplified() -> Reading:
    """Second order of the squared weights over depth^2 t^2, with factor 1 and factor 2."""
    W_, A_, features, _ = numbers()
    x_, y_ = A_[:, 0], features[:, 0]
    moved = x_ @ (W_ @ y_ - 3 * x_)
    independent = ((weights(1e-4, 2) ** 2).sum() - (W_**2).sum()) / 1e-8 / (9 * 0.25)
    printed, corrected = (-(x_ @ x_) + y_ @ y_ - factor / 3 * moved for factor in (1, 2))
    return Reading(printed, corrected, independent, tolerance=1e-6)


def difference() -> Reading:
    """Actual velocity of the old neurons less the intended one, per epsilon^2, at size 1/100."""
    W_, A_, features, kernel = numbers()
    size, a = 1e-2, np.array([0.3, 0.1, 0.7])
    found = (weights(size, 2) @ np.vstack([features, size * a]))[:3] - W_ @ features
    right = 3 * 0.5 * np.outer(A_[:, 0], a - 0.5 * kernel[0])
    return Reading(-right, right, found / size**2, tolerance=1e-8)


def new_neuron(effective: float, centre: float = 0.5, reach: float = 0.3, steps: int = 20_000) -> np.ndarray:
    """a_p with K = 1, by implicit Euler steps."""
    a, found = 0.0, [0.0]
    for i in range(1, steps + 1):
        bump = max(0.0, 1 - abs(i / steps - centre) / reach)
        a = (a + effective / steps * bump) / (1 + effective / steps)
        found.append(a)
    return np.array(found)


def approaches() -> bool:
    """At a distance of at most 4/depth."""
    p = np.linspace(0, 1, 20_001)
    bump = np.maximum(0, 1 - np.abs(p - 0.5) / 0.3)
    return bool(all(np.abs(new_neuron(L) - bump).max() < 4 / L for L in (20.0, 80.0, 320.0)))


def zero_before() -> bool:
    """The new neuron is zero before its window."""
    return bool((new_neuron(20.0)[:3_000] == 0).all())


def bias_spoils() -> bool:
    """One negative entry of -1/2: with bias |A_i|^2 - |sigma(A_i)|^2 is 1/4 - 1."""
    A_ = np.array([[-0.5]])
    return float((A_**2).sum() - (nets.activation(A_, True) ** 2).sum()) < 0
