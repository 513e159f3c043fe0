r"""Sections II to VI: metric, rank and kernel of feature maps, and sentences on simple networks."""

import itertools
from collections.abc import Iterator
from functools import cache, partial
from typing import Any

import mpmath
import numpy as np
import sympy as sp

from papers.zavatoneveth2023.ledger.christoffel import Metric, as_floats, exact, slopes, sphere
from papers.zavatoneveth2023.ledger.gaussian import (
    OPERATORS,
    Meanings,
    X,
    Y,
    at_equal,
    entries,
    exactly,
    of_components,
)
from papers.zavatoneveth2023.ledger.index_notation import Case, as_printed, letters
from papers.zavatoneveth2023.ledger.networks import geometry, quadratic_features, random_network
from papers.zavatoneveth2023.ledger.wide import between, metric_of
from theory.core import (
    Claim,
    Program,
    Programs,
    Step,
    chosen,
    deciding,
    is_close,
    meant,
    relations,
    stating,
)

UNITS = ((1, 0, 1), (0, 1, 2), (-1, 2, 0), (2, 1, -1))
"""Weights and bias of one unit, each equally probable; slopes at x = (1, -1) are those of z^2/2."""
d, n, one_input, other_input = letters("d n X Y")
average = sp.Function("average", real=True)
AVERAGE = average(one_input, other_input)
SHEAR = ((2, 1, 0), (-1, 1, 1), (0, 1, 1))


@cache
def rank_of_jacobian(width: int, inputs: int) -> int:
    """Of the features of a random network."""
    jacobian = slopes(
        quadratic_features(random_network(width, width, inputs)), exact([0] * inputs)
    )
    return int(np.linalg.matrix_rank(as_floats(jacobian)))


def is_degenerate(claim: Claim) -> bool:
    """The rank of the Jacobian of one to five random units on three inputs."""
    degenerate = chosen(claim, "kind", {"degenerate": True, "not degenerate": False})
    widths = chosen(claim, "relation", {"<": (1, 2), "=": (3, 4, 5)})
    return all((rank_of_jacobian(width, 3) < 3) is degenerate for width in widths)


def least_rank(inputs: int, first: int, second: int) -> int:
    """Of the Jacobian of two layers, where the second reads the features on which the first depends least."""
    return int(np.linalg.matrix_rank(np.eye(second, first)[:, ::-1] @ np.eye(first, inputs)))


def _widths() -> Iterator[Case]:
    return (
        dict(zip(("d", "n_1", "n_2"), width, strict=True))
        for width in itertools.product(range(1, 6), repeat=3)
    )


def rank_is_full(claim: Claim, case: Case) -> bool:
    """Two layers of each width up to five on up to five inputs, of full rank, in the worst position to each other."""
    full = chosen(claim, "extend", {"extend": True, "do not extend": False})
    return (least_rank(case["d"], case["n_1"], case["n_2"]) == min(case["d"], case["n_2"])) is full


@cache
def spheres() -> list[Case]:
    """Unit spheres of two and three dimensions, and the first times a line: R from volumes of small geodesic balls.

    They fall short by the fraction R e^2/(6(d+2)); in sheared coordinates no index can be taken for another one.
    """
    radius = sp.Symbol("epsilon", positive=True)
    balls = {
        2: 2 * sp.pi * (1 - sp.cos(radius)) / (sp.pi * radius**2),
        3: sp.pi * (2 * radius - sp.sin(2 * radius)) / (sp.pi * radius**3 * 4 / 3),
    }  # volume per that of a flat ball
    scalars = {
        size: 6 * (size + 2) * sp.limit((1 - ball) / radius**2, radius, 0)
        for size, ball in balls.items()
    }

    def cylinder(x: Any) -> Any:
        metric = exact(np.eye(3))
        metric[:2, :2] = sphere(x[:2])
        return metric

    def sheared(metric: Metric, x: Any) -> Any:
        turn = exact(SHEAR)[: len(x), : len(x)]
        return turn.T @ metric(turn @ x) @ turn

    return [
        geometry(partial(sheared, metric), ("0.3", "-0.7", "0.4")[:size])
        | {"R": float(scalars[of])}
        for metric, size, of in ((sphere, 2, 2), (sphere, 3, 3), (cylinder, 3, 2))
    ]


def of_any_features() -> list[Meanings]:
    """Any two features of two inputs, all components; the sum over features is linear."""
    features = sp.Matrix([sp.Function(f"Phi{index}", real=True)(*X) for index in (1, 2)])
    metric = features.jacobian(X).T * features.jacobian(X)
    shared = {
        **OPERATORS, "kernel": between(features.dot(at_equal(features, X, Y))), "g": entries(metric),
        "at": lambda form, one, other: at_equal(form, one, other).doit(),
    }  # fmt: skip
    return of_components(shared, (1, 1), (1, 2), (2, 1), (2, 2))


def of_one_unit() -> list[Meanings]:
    """An average is linear, so one unit with symbolic weights and any activation function shows it; all indices."""
    w, b, phi = (
        sp.Matrix(sp.symbols("w1:3", real=True)),
        sp.Symbol("b", real=True),
        sp.Function("phi", real=True),
    )
    # z moves with the bias
    slope, bend = (lambda at, order=order: phi(at).diff((b, order)) for order in (1, 2))
    metric = slope(w.dot(X) + b) ** 2
    shared = {
        **OPERATORS, "E": lambda form: form, "phi1": slope, "phi2": bend, "w_bold": w, "b": b,
        "w1": lambda i: w[i - 1], "dg": lambda a, i, k: sp.diff(metric * w[i - 1] * w[k - 1], X[a - 1]),
    }  # fmt: skip
    indices = itertools.product((sp.Integer(1), sp.Integer(2)), repeat=3)
    return [{**shared, "alpha": alpha, "mu": mu, "nu": nu} for alpha, mu, nu in indices]


def _flatness_of_distances() -> str:
    """Any function of the squared distance, by its series; higher orders vanish at equal inputs."""
    distance = (X - Y).dot(X - Y)
    metric = metric_of(sum(sp.Symbol(f"k{order}") * distance**order for order in range(4)))
    if sp.expand(metric.det()) == 0:
        raise ValueError("metric: got a degenerate one, needs one that is not")
    return "varying" if metric.free_symbols & set(X) else "flat, constant"


def limit_of_features(statement: Any) -> tuple[Any, Any]:
    """Both sides per average over weights and biases; features are scaled by the root of the width."""
    (relation,) = relations(statement)
    meanings = {
        letters("kernel"): average,
        letters("dot"): lambda one, other: (
            n * (n ** sp.Rational(-1, 2)) ** 2 * average(*one.args, *other.args)
        ),
    }
    return meant(relation.lhs, meanings), meant(relation.rhs, meanings)


def number_of_units(statement: Any, units: int) -> float:
    """What a statement gives for the kernel of error functions in the mean over networks of so many units."""
    finite = [
        side.replace(sp.Limit, lambda form, *_: form).subs(n, units)
        for side in limit_of_features(statement)
    ]
    ratio = next(side / other for side, other in (finite, finite[::-1]) if other == AVERAGE)
    return float(ratio * 2 * sp.asin(sp.Rational(1, 2)) / sp.pi)


def _sum_of_squares(units: Any) -> sp.Matrix:
    terms = (
        (w1 - w2 + b) ** 2 * sp.Matrix([w1, w2]) * sp.Matrix([[w1, w2]]) for w1, w2, b in units
    )
    return sum(terms, sp.zeros(2))


def is_the_average(claim: Claim, width: int) -> bool:
    """All networks of one to three units drawn from four, summed exactly: their mean determinant is no such average."""
    sums = [_sum_of_squares(units) for units in itertools.product(UNITS, repeat=width)]
    # every unit once is the distribution of units itself
    limit = _sum_of_squares(UNITS) / len(UNITS)
    metric = sum(sums, sp.zeros(2)) * sp.Integer(width) ** (2 * claim["power"]) / len(sums)
    determinant = sum((squares / width).det() for squares in sums) / len(sums)
    return bool(metric == limit and determinant == sp.Rational(width - 1, width) * limit.det())


def _metric_of_two_layers() -> str:
    """Two linear layers have one Jacobian everywhere; error functions between them change it."""
    first, second = (sp.Matrix(3, 2, [1, 2, -1, 1, 3, -2]), sp.Matrix(2, 3, [2, -1, 1, 1, 3, -1]))
    varies = [
        bool((second * (first * X).applyfunc(form)).jacobian(X).free_symbols)
        for form in (lambda z: z, sp.erf)
    ]
    return "flat, constant" if varies == [False, True] else "varying"


def _metric_of_relu(*at: float) -> Any:
    """The metric of six units of ReLU."""
    net = random_network(3, 6, 2)
    active = net.weights[net.weights @ np.array(at) + net.bends > 0]
    return active.T @ active / 6


def _within_a_region() -> str:
    return (
        "flat" if is_close(_metric_of_relu(0.2, 0.1), _metric_of_relu(0.2001, 0.1)) else "curved"
    )


def _between_regions() -> str:
    here, far = (np.linalg.det(_metric_of_relu(*at)) for at in ((0.2, 0.1), (-3.0, 2.0)))
    return "not vary" if is_close(here, far, 0.1) else "vary"


SIZE = {"height": 32, "width": 32, "colours": 3, "units": 64 * 2**3}
"""Images of CIFAR-10; the width of a ResNet-34 is 64 units and doubles three times."""
PIXELS = SIZE["height"] * SIZE["width"] * SIZE["colours"]

PROGRAMS: Programs = {
    "II.A submersed": Program(
        deciding(
            lambda claim, size: bool(
                rank_of_jacobian(*size) == claim["dimension"].subs({n: size[0], d: size[1]})
            ),
            cases=lambda: ((1, 2), (1, 3), (2, 3), (1, 4), (2, 4), (3, 4)),
        ),
        lambda units, inputs: rank_of_jacobian(units, inputs),
        lambda claim, units, inputs: int(claim["dimension"].subs({d: inputs, n: units})),
        at={"units": 2, "inputs": 3},
        quantity="rank of the Jacobian",
    ),
    "II.A kernel": exactly(of_any_features),
    "II.A degenerate": deciding(is_degenerate),
    "II.B geodesic balls | (A.17)": as_printed(spheres),
    "IV.A averages": deciding(is_the_average, cases=lambda: (1, 2, 3)),
    "II.C deep": Program(
        deciding(rank_is_full, cases=_widths),
        lambda widths: least_rank(*widths),
        lambda claim, widths: chosen(
            claim, "extend", {"extend": widths[-1], "do not extend": min(widths)}
        ),
        at={"widths": (2, 1, 2)},
        quantity="rank of the Jacobian",
    ),
    "III translation-invariant": stating(kind=_flatness_of_distances),
    "(A.2)": exactly(of_one_unit),
    "IV.B NNGP kernel": Program(
        lambda statement: (Step("limit", *limit_of_features(statement), because="II.C features"),),
        lambda: float(
            2
            * mpmath.quad(lambda z: mpmath.erf(z / mpmath.sqrt(2)) ** 2 * mpmath.npdf(z), [0, 12])
        ),
        number_of_units,
        at={"units": 10},
        quantity="kernel of error functions where a preactivation has variance 1",
    ),
    "V deep linear": stating(kind=_metric_of_two_layers),
    "VI.A counts": stating(
        **{name: partial(SIZE.get, name) for name in SIZE},
        pixels=lambda: PIXELS,
        kind=lambda: "submersion" if SIZE["units"] < PIXELS else "immersion",
    ),
    "VI.B ReLU": stating(within=_within_a_region, between=_between_regions),
}
