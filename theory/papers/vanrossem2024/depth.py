r"""Section 5: which layer is looked at, Eq. (14)."""

from __future__ import annotations

import math

import numpy as np
import sympy as sp

from theory.core import Check, Finding, Step
from theory.papers.vanrossem2024.paper import entry

WIDTH, LAYERS, DRAWS = 50, 6, 400
Z = 5.0  # standard errors: a chance of 6e-7, and the seed is fixed
gain = sp.Symbol("gain", positive=True)
layers = sp.symbols("a1:5", positive=True)


def _squared_distances(factor: float) -> np.ndarray:
    """Squared distance after LAYERS random linear layers that multiply it by ``factor`` on average; dx2 = 1."""
    draw = np.random.default_rng(9)
    found = []
    for _ in range(DRAWS):
        x = np.full(WIDTH, WIDTH**-0.5)
        for _ in range(LAYERS):
            x = draw.normal(0, math.sqrt(factor / WIDTH), (WIDTH, WIDTH)) @ x
        found.append(x @ x)
    return np.array(found)


def _mean_is(values: np.ndarray, expected: float) -> bool:
    return bool(abs(values.mean() - expected) < Z * values.std() / math.sqrt(len(values)))


def _power_of_squared_gain() -> bool:
    return _mean_is(_squared_distances(0.6), 0.6**LAYERS)


def _not_of_gain() -> bool:
    """Layers that shorten distances by 0.6: the squared distance follows 0.6^(2n), not 0.6^n."""
    values = _squared_distances(0.6**2)
    return _mean_is(values, 0.6 ** (2 * LAYERS)) and not _mean_is(values, 0.6**LAYERS)


product = sp.prod(layers)
effective_rate = sum(product.diff(a) ** 2 for a in layers)
shorter_rate = sum((product / layers[-1]).diff(a) ** 2 for a in layers[:-1])

EQUATIONS = (
    entry(
        "(14)",
        "5.1",
        "The initial squared distance after n layers is about G^n dx2, G the gain of a layer.",
        Finding.CONDITIONAL,
        "Monte Carlo of random linear layers.",
        condition="G is the gain of squared distances",
        printed=r"\|dh(0)\|^2 \sim G^n \|x_2-x_1\|^2",
        steps=(Check("G the gain of squared distances", _power_of_squared_gain, "Monte Carlo"),),
        counterexample=_not_of_gain,
        consequence="With G the gain of activations, as 'init gain' in Table 1 is for linear layers, it is G^(2n).",
    ),
    entry(
        "5.1 decreasing",
        "5.1",
        "For G < 1 it decreases with the depth.",
        Finding.CONFIRMED,
        "One more layer multiplies by G.",
        steps=(Step("one more layer", gain ** (LAYERS + 1) / gain**LAYERS, gain, because="powers"),),
    ),
    entry(
        "5.1 and Figure 10",
        "5.1",
        "The theory is accurate in the second half of the layers only.",
        Finding.OPEN,
        "A matter of measurement: study two-point-layer.",
    ),
    entry(
        "5.2 parameters",
        "5.2",
        "A gradient step changes a map in proportion to the number of its parameters.",
        Finding.CONDITIONAL,
        "A chain of linear layers of one unit: the effective rate of the product.",
        condition="each layer passes signals on with a gain of about one",
        steps=(
            Step(
                "four layers of gain one",
                effective_rate.subs(dict.fromkeys(layers, 1)),
                sp.Integer(4),
                because="one for each layer",
            ),
            Step(
                "three layers of gain one",
                shorter_rate.subs(dict.fromkeys(layers, 1)),
                sp.Integer(3),
                because="one for each layer",
            ),
        ),
        counterexample=lambda: bool(
            effective_rate.subs(dict.fromkeys(layers, sp.S.Half)) < shorter_rate.subs(dict.fromkeys(layers, sp.S.Half))
        ),
        consequence="With gains g below one a chain of n layers has the rate n g^(2n-2), which falls with n once n > "
        "1/(2 ln(1/g)): more parameters, slower. Which effect wins is a matter of measurement.",
    ),
    entry(
        "5.2 and Figure 10",
        "5.2",
        "The effective rate of the encoder grows with the depth, that of the decoder falls, in the later layers.",
        Finding.OPEN,
        "A matter of measurement: study two-point-layer.",
    ),
)
