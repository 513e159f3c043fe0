"""The kernels above each level of a network: the covariance of a unit at two inputs, and its tangent kernel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import singledispatch
from itertools import product
from typing import Any

import sympy as sp

from closedform import networks
from theory.activations.naming import activation
from theory.core import Step
from theory.core.formula.let import bound_letter
from theory.engine import joining, rules
from theory.engine.levels import NONE, Levels, Place, variance_of

Entry = Callable[[int, int], tuple[sp.Expr, ...]]
"""Kernel and tangent kernel between two positions, of which the first numbers are those of the first input."""


@dataclass(frozen=True)
class Kernels:
    """The kernels above some levels, in letters.

    Attributes:
        gram: kernel ``[2 P, 2 P]`` between the positions of the first input and those of the second.
        tangent: tangent kernel ``[P, P]`` between the positions of both inputs; 0 where it is not wanted.
        wants_tangent: whether it is.
        gaussian: whether the features are Gaussian.
        levels: letters and steps.
    """

    gram: sp.ImmutableMatrix
    tangent: sp.ImmutableMatrix
    wants_tangent: bool
    gaussian: bool = False
    levels: Levels = NONE

    @property
    def positions(self) -> int:
        """The number of positions of an input."""
        return int(self.tangent.rows)

    def tangent_at(self, i: int, j: int) -> sp.Expr:
        """Return the tangent kernel between a position of the first input and one of the second, else 0."""
        size = self.positions
        return self.tangent[i, j - size] if i < size <= j else sp.S.Zero

    def block(self, i: int, j: int) -> sp.Matrix:
        """Return the kernel between all positions of two of both inputs."""
        size = self.positions
        return self.gram[i * size : (i + 1) * size, j * size : (j + 1) * size]


@singledispatch
def above(net: Any, below: Kernels, place: Place) -> Kernels:
    """Return the kernels above a network.

    Args:
        net: the network.
        below: the kernels below it.
        place: where it is.

    Raises:
        TypeError: if ``net`` is no network.
        ValueError: if it does not fit the features below it.
    """
    raise TypeError(f"net: got {type(net).__name__}, needs a network")


@above.register
def _(net: networks.Chain, below: Kernels, place: Place) -> Kernels:
    for number, level in enumerate(net.levels, 1):
        below = above(level, below, place.level(number))
    return below


@above.register
def _(net: networks.Dense, below: Kernels, place: Place) -> Kernels:
    return _pairwise(net, below, place, rules.dense(*numbers_of(net)), is_gaussian=True)


@above.register
def _(net: networks.Conv, below: Kernels, place: Place) -> Kernels:
    def averaged(kernels: sp.Matrix) -> sp.Matrix:
        return rules.tapped(kernels, net.reach, net.padding)

    blocks = [[averaged(below.block(i, j)) for j in (0, 1)] for i in (0, 1)]
    seen = replace(
        below,
        gram=sp.ImmutableMatrix(sp.Matrix(sp.BlockMatrix(blocks))),
        tangent=averaged(below.tangent).as_immutable(),
    )
    return _pairwise(net, seen, place, rules.convolution(*numbers_of(net)), is_gaussian=True)


@above.register
def _(net: networks.Act, below: Kernels, place: Place) -> Kernels:
    _require_gaussian(net, below, place)
    act = activation("activation", net.activation)
    rule = rules.activation(act, with_tangent=not below.tangent.is_zero_matrix)
    return _pairwise(net, below, place, rule, is_gaussian=False)


@above.register
def _(net: networks.Norm, below: Kernels, place: Place) -> Kernels:
    _require_gaussian(net, below, place)
    return _pairwise(net, below, place, rules.norm(), is_gaussian=True)


@above.register
def _(net: networks.Pool, below: Kernels, place: Place) -> Kernels:
    return _joined(net, below, place, joining.pooled, joining.pool_lemma, below.gaussian)


@above.register
def _(net: networks.Flatten, below: Kernels, place: Place) -> Kernels:
    return _joined(net, below, place, joining.flattened, joining.flatten_lemma, False)


@above.register
def _(net: networks.Attention, below: Kernels, place: Place) -> Kernels:
    size, scale = below.positions, variance_of("scale", net.scale)

    def made(i: int, j: int) -> tuple[sp.Expr, sp.Expr]:
        own, other = (below.block(k // size, k // size) for k in (i, j))
        kernel = joining.attended(below.block(i // size, j // size), own, other, scale)
        tangent = joining.attended(below.tangent, own, other, scale)
        return kernel[i % size, j % size], tangent[i % size, j % size]

    def meant(i: int, j: int) -> tuple[sp.Expr, sp.Expr]:
        own, other = (below.block(k // size, k // size) for k in (i, j))
        entry = i % size, j % size
        between = below.block(i // size, j // size)
        return (
            joining.attended_at(between, own, other, scale, entry),
            joining.attended_at(below.tangent, own, other, scale, entry),
        )

    rests = (joining.attention_lemma(size), rules.WIDE)
    return _level(net, below, place, size, made, meant, "weighted means over positions", rests)


@above.register
def _(net: networks.Sum, below: Kernels, place: Place) -> Kernels:
    return _branched(net, below, place, joining.branch_sum, joining.sum_lemma)


@above.register
def _(net: networks.Product, below: Kernels, place: Place) -> Kernels:
    made = _branched(net, below, place, joining.branch_product, joining.product_lemma)
    return replace(made, gaussian=False)


def numbers_of(net: networks.Dense) -> tuple[sp.Expr, sp.Expr, tuple[sp.Expr, sp.Expr]]:
    """Return variances of weights and biases, and the factors of their gradients, by default the same.

    Args:
        net: the layer.

    Raises:
        TypeError, ValueError: if one is no variance, or that of the weights is 0.
    """
    weights, biases = variance_of("weights", net.weights), variance_of("biases", net.biases)
    if weights == 0:
        raise ValueError(
            f"weights: got 0 in {net}, above which nothing depends on the inputs, needs a positive variance"
        )
    gains = (weights, biases) if net.gains is None else net.gains
    return weights, biases, (variance_of("gains", gains[0]), variance_of("gains", gains[1]))


def _pairwise(
    net: networks.Network, below: Kernels, place: Place, rule: rules.Rule, is_gaussian: bool
) -> Kernels:
    """Return the kernels above a level that acts on each pair of positions by itself."""

    def made(i: int, j: int) -> tuple[sp.Expr, sp.Expr]:
        pair = below.gram.extract([i, j], [i, j])
        return rule.kernel(pair), rule.tangent(pair, below.tangent_at(i, j))

    def meant(i: int, j: int) -> tuple[sp.Expr, ...]:
        gram = below.gram
        return rule.at((gram[i, i], gram[j, j], gram[i, j], below.tangent_at(i, j)))

    ready = replace(below, gaussian=is_gaussian)
    return _level(net, ready, place, below.positions, made, meant, rule.because, rule.rests)


def _joined(
    net: networks.Network,
    below: Kernels,
    place: Place,
    rule: joining.Joined,
    lemma: Callable[[int], Step],
    is_gaussian: bool,
) -> Kernels:
    """Return the kernels above a level that joins all positions to one."""

    def made(i: int, j: int) -> tuple[sp.Expr, sp.Expr]:
        return rule(below.block(i, j)), rule(below.tangent)

    def meant(i: int, j: int) -> tuple[sp.Expr, sp.Expr]:
        return joining.joined(rule, below.block(i, j)), joining.joined(rule, below.tangent)

    ready, rests = replace(below, gaussian=is_gaussian), (lemma(below.positions), rules.WIDE)
    return _level(net, ready, place, 1, made, meant, "all positions", rests)


def _branched(
    net: networks.Sum | networks.Product,
    below: Kernels,
    place: Place,
    rule: joining.Branches,
    lemma: Callable[[int], Step],
) -> Kernels:
    """Return the kernels of branches that are joined by a rule of their kernels and tangent kernels."""
    ends: list[Kernels] = []
    levels = below.levels
    for number, branch in enumerate(net.branches):
        ends.append(above(branch, replace(below, levels=levels), place.branch(number)))
        levels = ends[-1].levels
    if len({end.positions for end in ends}) > 1:
        raise ValueError(
            f"{place.claim(net)}: got branches with and without positions, needs the same in all"
        )

    def made(i: int, j: int) -> tuple[sp.Expr, sp.Expr]:
        return rule([end.gram[i, j] for end in ends], [end.tangent_at(i, j) for end in ends])

    def meant(i: int, j: int) -> tuple[sp.Expr, ...]:
        tangents = [end.tangent_at(i, j) for end in ends]
        return joining.branched(rule, [end.gram[i, j] for end in ends], tangents)

    is_gaussian = all(end.gaussian for end in ends)
    whole = replace(ends[-1], gaussian=is_gaussian, levels=levels)
    size = below.positions
    rests = (lemma(len(ends)), rules.WIDE)
    return _level(net, whole, place, size, made, meant, "the branches", rests)


def _level(
    net: networks.Network,
    below: Kernels,
    place: Place,
    size: int,
    made: Entry,
    meant: Entry,
    because: str,
    rests: tuple[Any, ...],
) -> Kernels:
    """Return the kernels above a level in letters of its own, from their values and meanings."""
    gram, tangent = sp.zeros(2 * size, 2 * size), sp.zeros(size, size)
    letters = []
    for i, j in product(range(2 * size), repeat=2):
        if i > j:
            continue
        kind = ("xx", "xy", "yy")[i // size + j // size]
        letter = _letter(kind, place, (i % size, j % size) if size > 1 else (), i == j)
        gram[i, j] = gram[j, i] = letter
        letters.append((letter, made(i, j)[0], meant(i, j)[0]))
    for p, q in product(range(size), repeat=2) if below.wants_tangent else ():
        value, meaning = made(p, size + q)[1], meant(p, size + q)[1]
        if value != 0:
            tangent[p, q] = _letter("theta", place, (p, q) if size > 1 else ())
            letters.append((tangent[p, q], value, meaning))
    levels = below.levels.with_level(place.claim(net), letters, because, rests)
    return replace(below, gram=gram.as_immutable(), tangent=tangent.as_immutable(), levels=levels)


def _letter(
    kind: str, place: Place, positions: tuple[int, ...], is_variance: bool = False
) -> sp.Dummy:
    numbers = "".join(f"_{position}" for position in positions)
    return bound_letter(
        f"{kind}{place.suffix}{numbers}", real=True, positive=True if is_variance else None
    )


def _require_gaussian(net: networks.Network, below: Kernels, place: Place) -> None:
    if not below.gaussian:
        raise ValueError(
            f"{place.claim(net)}: got features below it that are not Gaussian, needs a Dense or Conv before"
        )
