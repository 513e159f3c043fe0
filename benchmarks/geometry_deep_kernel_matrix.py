"""Kernel matrices of deep infinitely wide networks: ``kernel_matrix`` and hand-written numpy.

The hand-written functions apply the recursion to whole matrices, as one writes it (numpy), and to strips of the upper
half in place (strips). They check nothing. Both sides run alternately; the numbers are CPU times of one thread,
minimum and median, and the ratio is that of the minima of the rival and of ``kernel_matrix``.

    OMP_NUM_THREADS=1 python benchmarks/geometry_deep_kernel_matrix.py
"""

from __future__ import annotations

import math
import statistics
import time
from functools import partial

import numpy as np

from theory import activations, geometry

DIMENSION, SIGMA, ZETA = 50, 0.3, 0.5
INPUTS, DEPTHS, REPEATS = 1000, (1, 3, 10), 15
STRIP = 64  # rows
SIZES = (100, 300, 1000, 3000)


def relu(X, depth):
    """Return the NNGP kernel of ReLU (Cho and Saul, 2009)."""
    kernel, squared = X @ X.T, np.einsum("ni,ni->n", X, X)
    for _ in range(depth):
        c, v = SIGMA**2 * kernel + ZETA**2, SIGMA**2 * squared + ZETA**2
        norms = np.outer(np.sqrt(v), np.sqrt(v))
        cosine = np.clip(c / norms, -1, 1)
        kernel = (norms * np.sqrt(1 - cosine**2) + (np.pi - np.arccos(cosine)) * c) / (2 * np.pi)
        squared = v / 2
    return kernel


def erf(X, depth):
    """Return the NNGP kernel of the error function at z / sqrt 2 (Williams, 1997)."""
    kernel = X @ X.T
    for _ in range(depth):
        c = SIGMA**2 * kernel + ZETA**2
        spread = np.sqrt(1 + np.diag(c))
        kernel = 2 / np.pi * np.arcsin(c / np.outer(spread, spread))
    return kernel


def relu_ntk(X, depth):
    """Return the tangent kernel of ReLU with readout weights of variance one."""
    kernel, squared = X @ X.T, np.einsum("ni,ni->n", X, X)
    tangent = 1 + kernel
    for level in range(1, depth + 1):
        c, v = SIGMA**2 * kernel + ZETA**2, SIGMA**2 * squared + ZETA**2
        norms = np.outer(np.sqrt(v), np.sqrt(v))
        cosine = np.clip(c / norms, -1, 1)
        angle = np.pi - np.arccos(cosine)
        kernel = (norms * np.sqrt(1 - cosine**2) + angle * c) / (2 * np.pi)
        slopes = angle / (2 * np.pi)
        tangent = (
            kernel + slopes * tangent
            if level == depth
            else 1 + kernel + SIGMA**2 * slopes * tangent
        )
        squared = v / 2
    return tangent


def in_strips(layer, spreads, X, depth, tangent=False):
    """Return a kernel by the upper half in strips of 64 whole rows, in place, mirrored: the best that we know in numpy.

    Args:
        layer: function of a strip of covariances, what ``spreads`` gives for its rows and columns, and work space. It
            overwrites the covariances by the kernel above them and may return the kernel of the slopes.
        spreads: function of squared norms that returns a number of each input and the squared norms above.
        X: inputs.
        depth: number of layers.
        tangent: whether to return the tangent kernel. Default: False.
    """
    result, levels = np.empty((len(X), len(X)), dtype=X.dtype), []
    squared = np.einsum("ni,ni->n", X, X)
    for _ in range(depth):
        spread, squared = spreads(SIGMA**2 * squared + ZETA**2)
        levels.append(spread)
    for top in range(0, len(X), STRIP):
        rows = slice(top, top + STRIP)
        kernel = X[rows] @ X[top:].T
        work = [np.empty_like(kernel) for _ in range(3)]
        total = kernel + 1 if tangent else None
        for level, spread in enumerate(levels):
            kernel *= SIGMA**2
            kernel += ZETA**2
            slopes = layer(kernel, spread[rows, None], spread[top:], *work)
            if tangent:
                total *= slopes
                if level < depth - 1:
                    total *= SIGMA**2
                    total += 1
                total += kernel
        strip = total if tangent else kernel
        result[rows, top:] = strip
        result[rows.stop :, rows] = strip[:, STRIP:].T
    return result


def _relu_layer(kernel, left, right, norms, cosine, angle):
    np.multiply(left, right, out=norms)
    np.divide(kernel, norms, out=cosine)
    np.clip(cosine, -1, 1, out=cosine)
    np.arccos(cosine, out=angle)
    np.subtract(np.pi, angle, out=angle)
    kernel *= angle
    cosine *= cosine
    np.subtract(1, cosine, out=cosine)
    np.sqrt(cosine, out=cosine)
    cosine *= norms
    kernel += cosine
    kernel *= 1 / (2 * np.pi)
    angle *= 1 / (2 * np.pi)
    return angle


def _erf_layer(kernel, left, right, *work):
    kernel *= left
    kernel *= right
    np.arcsin(kernel, out=kernel)
    kernel *= 2 / np.pi


STRIPS = {
    "relu": (_relu_layer, lambda v: (np.sqrt(v), v / 2)),
    "erf": (_erf_layer, lambda v: (1 / np.sqrt(1 + v), 2 / np.pi * np.arcsin(v / (1 + v)))),
}
RIVALS = {
    ("relu", "nngp"): {"numpy": relu, "strips": partial(in_strips, *STRIPS["relu"])},
    ("erf", "nngp"): {"numpy": erf, "strips": partial(in_strips, *STRIPS["erf"])},
    ("relu", "ntk"): {
        "numpy": relu_ntk,
        "strips": partial(in_strips, *STRIPS["relu"], tangent=True),
    },
}


def compiled(name, kind):
    """Return the function of inputs and depth that jax compiles, in double precision; ImportError without jax.

    It is written as the numpy functions are, and jax merges the operations.
    """
    import jax
    import jax.numpy as jnp

    def matrix(X, depth):
        kernel, squared = X @ X.T, jnp.einsum("ni,ni->n", X, X)
        tangent = 1 + kernel
        for level in range(1, depth + 1):
            c, v = SIGMA**2 * kernel + ZETA**2, SIGMA**2 * squared + ZETA**2
            if name == "erf":
                spread = jnp.sqrt(1 + v)
                kernel = 2 / np.pi * jnp.arcsin(c / jnp.outer(spread, spread))
                squared = 2 / np.pi * jnp.arcsin(v / (1 + v))
                continue
            norms = jnp.outer(jnp.sqrt(v), jnp.sqrt(v))
            cosine = jnp.clip(c / norms, -1, 1)
            angle = np.pi - jnp.arccos(cosine)
            kernel = (norms * jnp.sqrt(1 - cosine**2) + angle * c) / (2 * np.pi)
            slopes = angle / (2 * np.pi)
            tangent = (
                kernel + slopes * tangent
                if level == depth
                else 1 + kernel + SIGMA**2 * slopes * tangent
            )
            squared = v / 2
        return kernel if kind == "nngp" else tangent

    function = jax.jit(matrix, static_argnums=1)

    def call(X, depth):
        with jax.enable_x64(True):
            return np.asarray(function(X, depth))

    return call


def times(*functions, repeats=REPEATS):
    """Return the CPU times in ms of calls of the functions, which run alternately: one list for each."""
    results = [[] for _ in functions]
    for _ in range(repeats):
        for function, result in zip(functions, results, strict=True):
            begin = time.process_time()
            function()
            result.append(1e3 * (time.process_time() - begin))
    return results


def main():
    """Print both tables."""
    X = np.random.default_rng(0).normal(size=(INPUTS, DIMENSION))
    print(f"kernel matrix of {INPUTS} inputs, CPU time in ms, minimum (median)")
    print(
        f"{'':18}{'layers':>7}{'kernel_matrix':>18}{'rival':>18}{'ratio':>8}{'largest difference':>21}"
    )
    for (name, kind), rivals in RIVALS.items():
        act = activations.from_text(name)
        for rival, by_hand in rivals.items():
            for depth in DEPTHS:

                def ours(inputs=X, act=act, depth=depth, kind=kind):
                    return geometry.kernel_matrix(
                        act, inputs, None, depth, kind, sigma=SIGMA, zeta=ZETA
                    )

                difference = np.abs(ours() - by_hand(X, depth)).max()
                one, other = times(ours, lambda by_hand=by_hand, depth=depth: by_hand(X, depth))
                shown = "".join(
                    f"{min(t):9.1f} ({statistics.median(t):6.1f})" for t in (one, other)
                )
                ratio = min(other) / min(one)
                print(
                    f"{name + ' ' + kind + ', ' + rival:18}{depth:7}{shown:>36}{ratio:8.2f}{difference:21.1e}"
                )
    sizes = [np.random.default_rng(0).normal(size=(size, DIMENSION)) for size in SIZES]
    least = [
        min(
            times(
                lambda X=X: geometry.kernel_matrix(
                    activations.RELU, X, depth=3, sigma=SIGMA, zeta=ZETA
                )
            )[0]
        )
        for X in sizes
    ]
    growth = math.log(least[-1] / least[1]) / math.log(SIZES[-1] / SIZES[1])
    shown = ", ".join(f"{t:.2f}" for t in least)
    print(f"relu, 3 layers, N = {SIZES}: {shown} ms; exponent from N = {SIZES[1]}: {growth:.2f}")


if __name__ == "__main__":
    main()
