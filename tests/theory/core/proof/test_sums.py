"""Steps with sums and products over integers: true ones hold at once, false ones have a counterexample."""

from __future__ import annotations

import pytest
import sympy as sp

from theory.core import Step, Verdict
from theory.core.algebra import sums

n, m, i, j, k, l = sp.symbols("n m i j k l", integer=True, positive=True)
L = sp.Symbol("L", integer=True, nonnegative=True)
m2, m4, c = sp.symbols("m2 m4 c", positive=True)
widths, x = sp.IndexedBase("n", positive=True), sp.IndexedBase("x", real=True)
entries = sp.IndexedBase("A", real=True)
f, g = sp.Function("f", positive=True), sp.Function("g", real=True)
delta, Sum, Product = sp.KroneckerDelta, sp.Sum, sp.Product
pair = delta(i, j) * m4 + (1 - delta(i, j)) * m2**2
mean = Sum(x[j], (j, 1, n)) / n

TRUE = {
    "pairs": (Sum(pair, (i, 1, n), (j, 1, n)), n * m4 + n * (n - 1) * m2**2),
    "pairs, nested": (Sum(Sum(pair, (i, 1, n)), (j, 1, n)), n * m4 + n * (n - 1) * m2**2),
    "four indices": (
        Sum(
            delta(i, j) * delta(k, l) + delta(i, k) * delta(j, l) + delta(i, l) * delta(j, k),
            *((index, 1, n) for index in (i, j, k, l)),
        ),
        3 * n**2,
    ),
    "next to the diagonal": (
        Sum(delta(i, j + 1) * x[i] * x[j], (i, 1, n + 1), (j, 1, n)),
        Sum(x[i] * x[i + 1], (i, 1, n)),
    ),
    "a square": (Sum(x[i], (i, 1, n)) ** 2, Sum(x[i] * x[j], (i, 1, n), (j, 1, n))),
    "variance": (
        Sum((x[i] - mean) ** 2, (i, 1, n)),
        Sum(x[i] ** 2, (i, 1, n)) - Sum(x[i], (i, 1, n)) ** 2 / n,
    ),
    "last layer": (
        Product(1 + 5 / widths[l], (l, 1, L + 1)),
        (1 + 5 / widths[L + 1]) * Product(1 + 5 / widths[l], (l, 1, L)),
    ),
    "last term": (Sum(1 / g(l), (l, 1, L + 1)), 1 / g(L + 1) + Sum(1 / g(l), (l, 1, L))),
    "first term": (Sum(1 / f(l), (l, 1, n)), 1 / f(1) + Sum(1 / f(l), (l, 2, n))),
    "two ranges": (
        Sum(f(l), (l, 1, n + m)),
        Sum(f(l), (l, 1, n)) + Sum(f(l), (l, n + 1, n + m)),
    ),
    "shift": (Sum(f(l + 1), (l, 1, n)), Sum(f(l), (l, 2, n + 1))),
    "backwards": (Sum(f(n + 1 - l), (l, 1, n)), Sum(f(l), (l, 1, n))),
    "convolution": (
        Sum(g(l) * f(n + 1 - l), (l, 1, n)),
        Sum(f(l) * g(n + 1 - l), (l, 1, n)),
    ),
    "exchange": (
        Sum(Sum(entries[i, j], (i, 1, n)), (j, 1, m)),
        Sum(Sum(entries[i, j], (j, 1, m)), (i, 1, n)),
    ),
    "harmonic": (Sum(1 / l, (l, 1, n + 1)), Sum(1 / l, (l, 1, n)) + 1 / (n + 1)),
    "triangle": (
        Sum(Sum(x[i] * x[j], (i, 1, j - 1)), (j, 1, n + 1)),
        Sum(Sum(x[i] * x[j], (i, 1, j - 1)), (j, 1, n)) + x[n + 1] * Sum(x[i], (i, 1, n)),
    ),
    "sums of products": (
        Sum(Product(g(k), (k, l + 1, n + 1)), (l, 1, n + 1)),
        1 + g(n + 1) * Sum(Product(g(k), (k, l + 1, n)), (l, 1, n)),
    ),
    "telescope": (Product(f(l + 1) / f(l), (l, 1, n)), f(n + 1) / f(1)),
    "value at a depth": (
        sp.Subs(Sum(f(l), (l, 1, L)), L, L + 1),
        Sum(f(l), (l, 1, L)) + f(L + 1),
    ),
    "derivative": (
        sp.Derivative(Sum(c**2 * f(l), (l, 1, n)), c),
        2 * c * Sum(f(l), (l, 1, n)),
    ),
    "powers": (Sum(l**2, (l, 1, n)), n * (n + 1) * (2 * n + 1) / 6),
}
FALSE = {
    "pairs": (Sum(pair, (i, 1, n), (j, 1, n)), n * m4 + n * (n - 1) * m2),
    "last layer": (
        Product(1 + 5 / widths[l], (l, 1, L + 1)),
        (1 + 4 / widths[L + 1]) * Product(1 + 5 / widths[l], (l, 1, L)),
    ),
    "last term": (Sum(1 / g(l), (l, 1, L + 1)), 1 / g(L) + Sum(1 / g(l), (l, 1, L))),
    "exchange": (
        Sum(Sum(entries[i, j], (i, 1, n)), (j, 1, m)),
        Sum(Sum(entries[i, j], (j, 1, n)), (i, 1, m)),
    ),
    "variance": (
        Sum((x[i] - mean) ** 2, (i, 1, n)),
        Sum(x[i] ** 2, (i, 1, n)) - Sum(x[i], (i, 1, n)) ** 2,
    ),
    "sums of products": (
        Sum(Product(g(k), (k, l + 1, n + 1)), (l, 1, n + 1)),
        g(n + 1) * Sum(Product(g(k), (k, l + 1, n)), (l, 1, n)),
    ),
    "an index out of range": (Sum(delta(i, n + 1) * x[i], (i, 1, n)), x[n + 1]),
    "numbers alone": (Sum(x[i], (i, 1, 3)), x[1] + x[2]),
    "powers": (Sum(l, (l, 1, n)), n * (n - 1) / 2),
}


@pytest.mark.parametrize("name", TRUE)
def test_a_true_identity_holds(name):
    assert Step(name, *TRUE[name]).check(fresh=True) is Verdict.HOLDS


@pytest.mark.parametrize("name", FALSE)
def test_a_false_identity_has_a_counterexample(name):
    step = Step(name, *FALSE[name])
    assert step.check(fresh=True) is Verdict.FAILS
    assert step.counterexample() is not None


def test_a_counterexample_says_how_many_terms_there_are():
    point = Step("pairs", *FALSE["pairs"]).counterexample()
    assert set(point) == {n, m2, m4}
    values = [side.subs({n: point[n]}).doit().subs(point) for side in FALSE["pairs"]]
    assert values[0] != values[1]


def test_a_planted_error_in_the_ends_is_not_proved(monkeypatch):
    antiderivative = sums.Antiderivatives._antiderivative
    monkeypatch.setattr(
        sums.Antiderivatives,
        "_antiderivative",
        lambda self, kind, term, end: antiderivative(self, kind, term, end + 1),
    )
    wrong = Step("last term", Sum(f(l), (l, 1, L + 1)), f(L + 1) + Sum(f(l), (l, 1, L)))
    assert wrong.check(fresh=True) is not Verdict.HOLDS


def test_an_empty_or_reversed_range_follows_sympy():
    """A sum from a to b is minus that from b + 1 to a - 1, so that ranges join in any order."""
    letters = sums.Antiderivatives()
    parts = [letters.written(Sum(f(l), (l, *ends))) for ends in ((1, n), (n + 1, 0))]
    assert sp.expand(sp.Add(*parts)) == 0
