"""Features of labelled samples in numbers, with the means and covariances of Section 1.2 from numpy's own averages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from theory.papers.cheong2025.notation import letters

Array = NDArray[np.float64]
DIMENSION, CLASSES = 4, 3

C, h, mu, mu_tilde, n, norm, outer, square_of, Sigma_T = letters("C h mu mu_tilde n norm outer square_of Sigma_T")


def features(sizes: tuple[int, ...]) -> dict[int, Array]:
    """Gaussian features of each class, ``[sample, dimension]``, classes counted from 1."""
    draw = np.random.default_rng(5)
    centres = draw.normal(size=(len(sizes), DIMENSION)) * 2 + 1
    return {k: centres[k - 1] + draw.normal(size=(size, DIMENSION)) for k, size in enumerate(sizes, 1)}


def in_letters(samples: dict[int, Array]) -> dict[str, Any]:
    """The letters of Section 1.2 for these samples; covariances by ``numpy.cov``."""
    everything = np.concatenate(list(samples.values()))
    sizes = np.array([len(members) for members in samples.values()])
    means = {k: members.mean(axis=0) for k, members in samples.items()}
    centre = everything.mean(axis=0)
    within = [size * np.cov(members.T, bias=True) for size, members in zip(sizes, samples.values(), strict=True)]
    return {
        "N": len(everything),
        "C": len(samples),
        "n": lambda k: int(sizes[int(k) - 1]),
        "h": lambda k, sample: samples[int(k)][int(sample) - 1],
        "mu": lambda k: means[int(k)],
        "mu_tilde": lambda k: means[int(k)] - centre,
        "bar_mu": centre,
        "norm": np.linalg.norm,
        **dict.fromkeys(("outer", "from_left", "from_right"), np.outer),
        "square_of": lambda vector: np.outer(vector, vector),
        "Sigma_W": sum(within) / len(everything),
        "Sigma_B": np.cov(np.stack(list(means.values())).T, fweights=sizes, bias=True),
        "Sigma_T": np.cov(everything.T, bias=True),
        "M": np.stack([mean - centre for mean in means.values()], axis=1),
        "n_max": int(sizes.max()),
        "n_min": int(sizes.min()),
    }


def balanced() -> Iterator[dict[str, Any]]:
    """Three classes of three samples."""
    yield in_letters(features((3, 3, 3)))


def any_sizes() -> Iterator[dict[str, Any]]:
    """Three classes of three samples, and of one, two and four."""
    yield from balanced()
    yield in_letters(features((1, 2, 4)))
