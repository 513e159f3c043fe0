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
from theory.core.formula.subexpressions import at_values
from theory.engine import joining, rules
from theory.engine.levels import NONE, Levels, Place, variance_of

Entry = Callable[[int, int], tuple[sp.Expr, sp.Expr]]
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
    return _joined(net, below, place, joining.pooled, joining.pool_lemma(), below.gaussian)


@above.register
def _(net: networks.Flatten, below: Kernels, place: Place) -> Kernels:
    return _joined(net, below, place, joining.flattened, joining.flatten_lemma(), False)


@above.register
def _(net: networks.Attention, below: Kernels, place: Place) -> Kernels:
    size, scale = below.positions, variance_of("scale", net.scale)
    between, left, right = (_letters(kind, size) for kind in ("between", "left", "right"))
    general = joining.attended(between, left, right, scale)

    def made(i: int, j: int) -> tuple[sp.Expr, sp.Expr]:
        own, other = (below.block(k // size, k // size) for k in (i, j))
        kernel = joining.attended(below.block(i // size, j // size), own, other, scale)
        tangent = joining.attended(below.tangent, own, other, scale)
        return kernel[i % size, j % size], tangent[i % size, j % size]

    def meant(i: int, j: int) -> tuple[sp.Expr, sp.Expr]:
        own, other = (below.block(k // size, k // size) for k in (i, j))
        rule, letters = general[i % size, j % size], (*between, *left, *right)
        return (
            at_values(rule, letters, (*below.block(i // size, j // size), *own, *other)),
            at_values(rule, letters, (*below.tangent, *own, *other)),
        )

    rests = (joining.attention_lemma(), rules.WIDE)
    return _level(net, below, place, size, made, meant, "weighted means over positions", rests)


@above.register
def _(net: networks.Sum, below: Kernels, place: Place) -> Kernels:
    return _branched(net, below, place, joining.branch_sum, joining.sum_lemma())


@above.register
def _(net: networks.Product, below: Kernels, place: Place) -> Kernels:
    made = _branched(net, below, place, joining.branch_product, joining.product_lemma())
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

    def meant(i: int, j: int) -> tuple[sp.Expr, sp.Expr]:
        gram = below.gram
        values = gram[i, i], gram[j, j], gram[i, j], below.tangent_at(i, j)
        kernel, tangent = rule.meant
        return at_values(kernel, rules.LETTERS, values), at_values(tangent, rules.LETTERS, values)

    ready = replace(below, gaussian=is_gaussian)
    return _level(net, ready, place, below.positions, made, meant, rule.because, rule.rests)


def _joined(
    net: networks.Network,
    below: Kernels,
    place: Place,
    rule: Callable[[sp.Matrix], sp.Expr],
    lemma: Step,
    is_gaussian: bool,
) -> Kernels:
    """Return the kernels above a level that joins all positions to one."""
    size = below.positions
    letters = _letters("m", size)

    def made(i: int, j: int) -> tuple[sp.Expr, sp.Expr]:
        return rule(below.block(i, j)), rule(below.tangent)

    def meant(i: int, j: int) -> tuple[sp.Expr, sp.Expr]:
        return (
            at_values(rule(letters), letters, below.block(i, j)),
            at_values(rule(letters), letters, below.tangent),
        )

    ready = replace(below, gaussian=is_gaussian)
    return _level(net, ready, place, 1, made, meant, "all positions", (lemma, rules.WIDE))


def _branched(
    net: networks.Sum | networks.Product, below: Kernels, place: Place, rule: Any, lemma: Step
) -> Kernels:
    """Return the kernels of branches that are joined by a rule of their kernels and tangent kernels."""
    ends: list[Kernels] = []
    levels = below.levels
    for number, branch in enumerate(net.branches):
        start = replace(below, levels=levels.beside(below.levels.nodes))
        ends.append(above(branch, start, place.branch(number)))
        levels = ends[-1].levels
    if len({end.positions for end in ends}) > 1:
        raise ValueError(
            f"{place.claim(net)}: got branches with and without positions, needs the same in all"
        )
    count = len(ends)
    letters = sp.symbols(f"branch:{2 * count}", real=True)
    general = rule(letters[:count], letters[count:])

    def made(i: int, j: int) -> tuple[sp.Expr, sp.Expr]:
        joined: tuple[sp.Expr, sp.Expr] = rule(
            [end.gram[i, j] for end in ends], [end.tangent_at(i, j) for end in ends]
        )
        return joined

    def meant(i: int, j: int) -> tuple[sp.Expr, sp.Expr]:
        values = [*(end.gram[i, j] for end in ends), *(end.tangent_at(i, j) for end in ends)]
        return at_values(general[0], letters, values), at_values(general[1], letters, values)

    nodes = tuple(node for end in ends for node in end.levels.nodes)
    is_gaussian = all(end.gaussian for end in ends)
    whole = replace(ends[-1], gaussian=is_gaussian, levels=levels.beside(nodes))
    size = below.positions
    return _level(net, whole, place, size, made, meant, "the branches", (lemma, rules.WIDE))


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


def _letters(kind: str, size: int) -> sp.Matrix:
    """Return a matrix of letters between so many positions."""
    return sp.Matrix(size, size, lambda p, q: sp.Symbol(f"{kind}_{p}_{q}", real=True))


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
