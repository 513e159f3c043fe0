r"""The first order in 1/width of a deep network at two inputs: how the entries of its kernel matrix vary together.

Given the kernel matrix K of two inputs below, the entries above are :math:`K'_{ab} = S \tfrac{1}{n} \sum_i
\varphi(z_{ia}) \varphi(z_{ib}) + Z`. With :math:`G_{ab}(K) = E[\varphi_a \varphi_b]`, the covariances of the entries
are, to first order,

.. math:: V'_{ab,cd} = \frac{S^2}{n} \bigl(E[\varphi_a \varphi_b \varphi_c \varphi_d] - G_{ab} G_{cd}\bigr) + S^2
    \sum_{ef,gh} \frac{\partial G_{ab}}{\partial K_{ef}} \frac{\partial G_{cd}}{\partial K_{gh}} V_{ef,gh}.

and the shifts of their means are

.. math:: g'_{ab} = S \sum_{ef} \frac{\partial G_{ab}}{\partial K_{ef}} g_{ef} + \frac{S}{2} \sum_{ef,gh}
    \frac{\partial^2 G_{ab}}{\partial K_{ef} \partial K_{gh}} V_{ef,gh}.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement, product

import sympy as sp

from closedform import networks
from closedform.checks import one_of
from theory.activations import Activation, z
from theory.core import ClosedForm, Premise, Step
from theory.core.formula.let import bound_letter
from theory.core.formula.rounding import watched
from theory.core.formula.subexpressions import at_values
from theory.core.proof import theorems
from theory.engine import width
from theory.engine.dense_chain import Moments, Rule, S, above_layers, layers_of, n
from theory.engine.inputs import CAUCHY_SCHWARZ, XX, XY, YY, xx, xy, yy
from theory.engine.levels import Levels
from theory.engine.width import form_of, m2, m2_bend, m2_slope, m4
from theory.gaussian.kernel_formula import kernel_formula
from theory.gaussian.mean import Mean
from theory.gaussian.symbols import covariance, variance, variance_x, variance_y

ENTRIES = ("xx", "xy", "yy")
"""The entries of the kernel matrix of inputs x and y."""
PAIRS = tuple(combinations_with_replacement(ENTRIES, 2))
ORDERS = {"G": 1, "J": 2, "H": 3}
"""Number of entries in the name of a mean and of its derivatives."""
POINT = {"xx": variance_x, "xy": covariance, "yy": variance_y}
DEPENDS = {"xx": ("xx",), "xy": ENTRIES, "yy": ("yy",)}
"""Entries below on which an entry above depends."""


def _letter(kind: str, *entries: str) -> sp.Symbol:
    is_positive = True if kind == "K" and entries != ("xy",) else None
    return bound_letter("_".join((kind, *entries)), real=True, positive=is_positive)


KERNEL = {entry: _letter("K", entry) for entry in ENTRIES}
MEANS = {entry: _letter("G", entry) for entry in ENTRIES}
VARIES = {pair: _letter("V", *pair) for pair in PAIRS}
WITHIN = {pair: _letter("W", *pair) for pair in PAIRS}
"""Covariances of the products of activations of a unit, given the matrix below."""
SLOPES = {
    (entry, below): _letter("J", entry, below) for entry in ENTRIES for below in DEPENDS[entry]
}
"""Derivatives of the mean of an entry in the entries below."""
SHIFTS = {entry: _letter("g", entry) for entry in ENTRIES}
BENDS: dict[tuple[str, ...], sp.Symbol] = {
    (entry, *pair): _letter("H", entry, *pair)
    for entry in ENTRIES
    for pair in combinations_with_replacement(DEPENDS[entry], 2)
}
"""Second derivatives of the mean of an entry in the entries below."""
LAYER = Premise(
    "K'_ab = S (mean of phi(z_a) phi(z_b) over n units) + Z, the units independent given the matrix K below"
)


def covariance_above(one: str, other: str) -> sp.Expr:
    """Return the covariance of two entries above a layer, in the letters of this module and the layer's: the rule.

    Args:
        one, other: the entries, of ``ENTRIES``.
    """
    carried = sp.Add(
        *(
            SLOPES[one, e] * SLOPES[other, f] * VARIES[in_order(e, f)]
            for e, f in product(DEPENDS[one], DEPENDS[other])
        )
    )
    return S**2 * watched(WITHIN[one, other] / n + carried)


def shift_above(entry: str) -> sp.Expr:
    """Return the shift of the mean of an entry above a layer, in the letters of this module and the layer's: the rule.

    Args:
        entry: the entry, of ``ENTRIES``.
    """
    carried = sp.Add(*(SLOPES[entry, e] * SHIFTS[e] for e in DEPENDS[entry]))
    # a pair of different entries stands for both of its orders
    bent = sp.Add(
        *(
            BENDS[entry, e, f] * VARIES[e, f] * (sp.Rational(1, 2) if e == f else 1)
            for e, f in combinations_with_replacement(DEPENDS[entry], 2)
        )
    )
    return S * watched(carried + bent)


def in_order(one: str, other: str) -> tuple[str, str]:
    """Return a pair of entries in the order of ``PAIRS``."""
    return (one, other) if (one, other) in VARIES else (other, one)


@cache
def covariance_lemma(one: str, other: str) -> Step:
    """The rule of a pair of entries, for a matrix below of mean K and covariances e^2 V, and a layer of width n/e^2."""
    small = sp.Symbol("e", real=True)
    changes = sp.symbols("w_xx w_xy w_yy", real=True)
    kernel = sp.symbols("K_xx K_xy K_yy", real=True)
    moved = dict(
        zip(ENTRIES, (k + small * w for k, w in zip(kernel, changes, strict=True)), strict=True)
    )
    at = dict(zip(ENTRIES, kernel, strict=True))
    matrix = sp.Matrix(3, 3, lambda i, j: VARIES[in_order(ENTRIES[i], ENTRIES[j])])
    means = {entry: sp.Function(f"G_{entry}", real=True) for entry in ENTRIES}
    fourth = sp.Function("F", real=True)

    def mean_of(entry: str, point: dict[str, sp.Expr]) -> sp.Expr:
        return means[entry](*(point[below] for below in DEPENDS[entry]))

    def over(function: sp.Expr) -> sp.Expr:
        return Mean(function, changes, matrix)

    first, second = mean_of(one, moved), mean_of(other, moved)
    within = (fourth(*moved.values()) - first * second) * small**2 / n
    total = S**2 * (over(within + first * second) - over(first) * over(second))
    here = {MEANS[entry]: mean_of(entry, at) for entry in {one, other}}
    here[WITHIN[one, other]] = fourth(*kernel) - mean_of(one, at) * mean_of(other, at)
    for entry, below in product({one, other}, ENTRIES):
        if (entry, below) in SLOPES:
            here[SLOPES[entry, below]] = sp.Derivative(mean_of(entry, at), at[below])
    return Step(
        f"covariance of the entries {one} and {other} above a layer",
        sp.Subs(sp.Derivative(total, (small, 2)), small, 0) / 2,
        sp.Subs(covariance_above(one, other), tuple(here), tuple(here.values())),
        because="total covariance, and the second order in e",
        uses=(LAYER, theorems.UNDER_THE_MEAN),
    )


@cache
def shift_lemma(entry: str) -> Step:
    """The rule of an entry, for a matrix below of mean K + e^2 g and covariances e^2 V."""
    small = sp.Symbol("e", real=True)
    changes = {below: sp.Symbol(f"w_{below}", real=True) for below in DEPENDS[entry]}
    matrix = sp.Matrix([[VARIES[in_order(e, f)] for f in changes] for e in changes])
    moved = {below: sp.Symbol(f"moved_{below}", real=True) for below in DEPENDS[entry]}
    values = tuple(small**2 * SHIFTS[e] + small * change for e, change in changes.items())
    first = sp.Add(*(SLOPES[entry, e] * moved[e] for e in changes))
    second = sp.Add(
        *(
            BENDS[entry, *in_order(e, f)] * moved[e] * moved[f] / 2
            for e, f in product(changes, repeat=2)
        )
    )
    series = Premise(
        "to second order in the change of the matrix below, an entry changes as its first two derivatives say",
        MEANS[entry] + first + second,
    )
    there = sp.Subs(series.expression, tuple(moved.values()), values)
    above = S * Mean(there, tuple(changes.values()), matrix)
    return Step(
        f"shift of the mean of the entry {entry} above a layer",
        sp.Subs(sp.Derivative(above, (small, 2)), small, 0) / 2,
        shift_above(entry),
        because="the second order in e",
        uses=(LAYER, series),
    )


@dataclass(frozen=True)
class FinitePair:
    """The kernel matrix of two inputs above a network of finite width.

    Attributes:
        net: the network.
        name: dotted name, to which the quantities are added.
    """

    net: networks.Network
    name: str

    def kernel(self, entry: str) -> ClosedForm:
        """Return an entry at infinite width.

        Args:
            entry: "xx", "xy" or "yy".
        """
        one = str(one_of("entry", entry, ENTRIES))
        meaning = f"Kernel of a unit of {self.net} at the inputs {one}, infinitely wide."
        return self._form(f"kernel_{one}", meaning, one)

    def covariance(self, entry: str, other: str) -> ClosedForm:
        """Return the covariance of two entries over draws of the weights, to first order in the inverse widths.

        Args:
            entry, other: "xx", "xy" or "yy"; equal ones give a variance.

        Raises:
            ValueError: if one is none of these.
        """
        one, two = in_order(
            str(one_of("entry", entry, ENTRIES)), str(one_of("other", other, ENTRIES))
        )
        meaning = f"Covariance of the kernels {one} and {two} of {self.net} over weights, to first order."
        return self._form(f"covariance_{one}_{two}", meaning, f"V_{one}_{two}")

    def shift(self, entry: str) -> ClosedForm:
        """Return the mean of an entry minus that of infinite width, to first order in the inverse widths.

        Args:
            entry: "xx", "xy" or "yy".

        Raises:
            ValueError: if it is none of these.
        """
        one = str(one_of("entry", entry, ENTRIES))
        meaning = f"Shift of the mean kernel {one} of {self.net}, to first order."
        return self._form(f"shift_{one}", meaning, f"g_{one}")

    def _form(self, name: str, meaning: str, letter: str) -> ClosedForm:
        levels, state = _above(self.net)
        return form_of(
            self.net,
            levels,
            f"{self.name}.{name}",
            meaning,
            state[letter],
            known=(XX, YY, XY),
            in_pairs=False,
            conditions=(CAUCHY_SCHWARZ,),
        )


@cache
def _above(net: networks.Network) -> tuple[Levels, dict[str, sp.Expr]]:
    return above_layers(layers_of(net, (XX, YY, XY)), rule())


def finite_pair(net: networks.Network, name: str = "engine.finite_pair") -> FinitePair:
    """Return the kernel matrix of two inputs above a chain of dense layers with widths, to first order.

    Args:
        net: as for :func:`theory.engine.finite_width`.
        name: dotted name, to which the quantities are added. Default: "engine.finite_pair".

    Returns:
        Kernel and covariances, closed forms of the inner products ``xx``, ``yy`` and ``xy``, where ``xy^2 < xx yy``.

    Raises:
        TypeError: if ``net`` is no network.
        ValueError: if it is no such chain.

    Source: derived here; the recursion is that of Yaida (2020) at two inputs.

    >>> from theory.engine import Act, Dense, finite_pair
    >>> narrow = Dense(1, width=sp.Symbol("n", positive=True))
    >>> finite_pair(narrow >> Act("linear") >> Dense(1)).covariance("xy", "xy").expression
    (xx*yy + xy**2)/n
    """
    layers_of(net, (XX, YY, XY))
    return FinitePair(net, name)


@cache
def rule() -> Rule:
    """Return the rule of the kernel matrix and its covariances."""
    above = {entry: width.kernel_above(MEANS[entry]) for entry in ENTRIES}
    letters = {**KERNEL, **{f"G_{entry}": letter for entry, letter in MEANS.items()}}
    letters |= {f"g_{entry}": letter for entry, letter in SHIFTS.items()}
    for kind, group in (("V", VARIES), ("W", WITHIN), ("J", SLOPES), ("H", BENDS)):
        letters |= {"_".join((kind, *entries)): letter for entries, letter in group.items()}
    return Rule(
        letters=letters,
        above={
            **above,
            **{f"V_{a}_{b}": covariance_above(a, b) for a, b in PAIRS},
            **{f"g_{entry}": shift_above(entry) for entry in ENTRIES},
        },
        moments=moments_of,
        point=POINT,
        at_inputs={"G_xx": xx, "G_xy": xy, "G_yy": yy},
        inputs={"xx": xx, "xy": xy, "yy": yy},
        lemmas=(
            *(width.kernel_lemma(mean) for mean in MEANS.values()),
            *(covariance_lemma(*pair) for pair in PAIRS),
            *(shift_lemma(entry) for entry in ENTRIES),
        ),
    )


@cache
def moments_of(act: Activation) -> Moments:
    """Return the means of an activation and of its products at two inputs, and their derivatives.

    Args:
        act: the activation.
    """
    x, y = sp.symbols("x y", real=True)
    gram = sp.Matrix([[variance_x, covariance], [covariance, variance_y]])

    def of(one: int, other: int) -> sp.Expr:
        at_x, at_y = (act.expression.xreplace({z: letter}) for letter in (x, y))
        return Mean(at_x**one * at_y**other, (x, y), gram)

    squared = Activation(f"{act.name}_squared", act.expression**2, act.kinks)
    both, squares = kernel_formula(act), kernel_formula(squared)
    has_integral, has_kinks = both.expression.has(sp.Integral), bool(act.kinks)
    values = {"G_xy": both.expression}
    meanings = {"G_xy": of(1, 1) if has_integral else both.expression}
    # the derivatives by the heat equation, whose terms cancel less; of a closed form with kinks as they are
    stated = both.expression if has_kinks and not has_integral else of(1, 1)
    for entries in (*SLOPES, *BENDS):
        if entries[0] == "xy":
            symbols = tuple(POINT[below] for below in entries[1:])
            change = sp.diff(stated, *symbols)
            name = "_".join(("J" if len(symbols) == 1 else "H", *entries))
            values[name] = change.xreplace({mean: mean.computable for mean in change.atoms(Mean)})
            meanings[name] = sp.Derivative(stated, *symbols)
    own, own_meanings, lemmas = width.moments_of(act)
    for entry in ("xx", "yy"):
        at = {variance: POINT[entry]}
        for kind, letter in zip(ORDERS, (m2, m2_slope, m2_bend), strict=True):
            name = "_".join((kind, *(entry,) * ORDERS[kind]))
            values[name] = own[letter.name].xreplace(at)
            # not put in, so that it is what a lemma states
            meanings[name] = at_values(own_meanings[letter.name], at, at.values())
    fourths = {
        ("xx", "xx"): own[m4.name].xreplace({variance: variance_x}),
        ("yy", "yy"): own[m4.name].xreplace({variance: variance_y}),
        ("xx", "xy"): of(3, 1),
        ("xy", "yy"): of(1, 3),
        ("xx", "yy"): squares.expression,
        ("xy", "xy"): squares.expression,
    }
    # one sum of exponentials, where the kernel has cases
    means = values if has_kinks or has_integral else values | {"G_xy": of(1, 1).computable}
    for (one, other), fourth in fourths.items():
        name = f"W_{one}_{other}"
        product_of_means = means[f"G_{one}"] * means[f"G_{other}"]
        values[name] = getattr(fourth, "computable", fourth) - product_of_means
        meanings[name] = fourth - meanings[f"G_{one}"] * meanings[f"G_{other}"]
    # covariances of a sine fall exponentially with the kernels, below twice the digits
    return (
        {name: watched(value) for name, value in values.items()},
        meanings,
        (both, squares, *lemmas),
    )
