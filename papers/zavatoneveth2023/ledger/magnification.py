r"""Appendix E.2: how one training point changes areas, Eqs. (E.38) to (E.41).

Of a deeper linear network with output :math:`\theta \cdot x`, the prior of :math:`\theta` given the layers above the
first is :math:`\mathcal N(0, s I)`, and s is a product of :math:`\chi^2_n / n`, one for each hidden layer. The
component of :math:`\theta` along the training input is known, those across keep their prior. For a linear teacher and
inputs of equal variance in all directions, the mean squared error over posterior and inputs is therefore a constant
plus a multiple of the posterior mean of s, whose density is that of the prior times the same likelihood.
"""

import itertools
from collections.abc import Iterable
from functools import cache, partial
from typing import Any

import numpy as np
import sympy as sp

from papers.zavatoneveth2023.ledger import first_order
from papers.zavatoneveth2023.ledger.chi import NORM_A, OVERLAP, chi, power
from papers.zavatoneveth2023.ledger.first_order import LARGE, MOVED, UNTRAINED, VOLUME, volume
from papers.zavatoneveth2023.ledger.gaussian import (
    NORMALS,
    OPERATORS,
    QUARTIC,
    Meanings,
    activation,
    exactly,
    mean,
)
from papers.zavatoneveth2023.ledger.index_notation import Case, value
from theory.core import Check, Claim, Program, Programs
from theory.core.ledger.proving import (
    chosen,
    deciding,
    declaring,
    for_all,
    is_close,
    of_each_relation,
    unconditional,
)
from theory.geometry.bayesian import bayesian_volume_correction

SETTINGS = ((1, 2), (2, 2), (3, 2), (2, 3))
RATIOS = (0.3, 0.8, 0.97, 1.03, 1.25, 3.0)  # of the squared target to the squared input
# points of a quadrature over a logarithm, which reaches as many standard deviations
NODES, SPREAD = (90, 10.0)
CHANGES, PLACES = {"compresses": -1.0, "expands": 1.0}, {"orthogonal": 0.0, "parallel": 1.0}
SLOTS = {"below": CHANGES, "above": CHANGES, "least": PLACES, "most": PLACES}
REFERENCES = {
    "untrained networks of the same width": "untrained",
    "infinitely wide networks": "infinite",
}


@cache
def orders(degree: int, inputs: int, overlap: float, ratio: float) -> dict[str, float]:
    """Coefficients of 1/n for monomials from the closed forms; ``ratio`` is the squared target over |x_a|^(2q)."""
    form, at = bayesian_volume_correction(degree), {"d": inputs, "p2": overlap**2, "width": 1}
    volume, untrained = (
        float(form.mean(**at, target_ratio=squared_target)) - 1 for squared_target in (ratio, 1.0)
    )
    moved = float(form.at_mean_metric(**at, target_ratio=ratio)) - 1
    return {
        VOLUME: volume,
        UNTRAINED: untrained,
        MOVED: moved,
        "chi": float(form.factor(d=inputs, p2=overlap**2)),
    }


@cache
def of_monomials() -> list[Case]:
    """Degrees 1 to 3, targets below and above the standard deviation of the output."""
    cases: list[Case] = []
    norm = float(NORM_A)
    for (degree, inputs), ratio in itertools.product(SETTINGS, (0.3, 2.5)):
        coefficients = orders(degree, inputs, float(OVERLAP), ratio)
        known = {
            "norm(X_a)": norm,
            "chi_of(corr**2)": coefficients["chi"],
            "y_a": np.sqrt(ratio) * norm**degree,
        }
        cases.append(first_order.expanded(coefficients, q=degree, d=inputs, **known))
    return cases


def changes(overlaps: Iterable[float], ratio: float, reference: str) -> Any:
    """Coefficients of 1/n of volume element less reference, degrees 2 and 3 with two inputs: [degree, overlap]."""

    def change(degree: int, overlap: float) -> float:
        coefficients = orders(degree, 2, float(overlap), ratio)
        return float(coefficients[VOLUME] - (reference == "untrained") * coefficients[UNTRAINED])

    quadratic = [change(2, overlap) for overlap in overlaps]
    return np.array([quadratic, [change(3, overlap) for overlap in overlaps]])


def is_the_change(claim: Claim, reference: str, slot: str) -> bool:
    """Whether a word is what learning does to areas, for squared targets just below and above the prior variance."""
    below, above = (changes(np.linspace(0, 1, 6), ratio, reference) for ratio in (0.9, 1.1))
    order = np.argsort(np.abs(np.concatenate([below, above])), axis=1)
    facts = {
        "below": np.sign(below),
        "above": np.sign(above),
        "least": order[:, 0] / 5,
        "most": order[:, -1] / 5,
    }
    return bool(np.all(facts[slot] == chosen(claim, slot, SLOTS[slot])))


def changes_areas(statement: Any) -> tuple[Check, ...]:
    """Each word is what learning does, against infinite width, as (E.38) prints it, or what the condition says."""
    claim = unconditional(statement)
    reference = (
        "infinite" if claim is statement else chosen(statement.condition, "reference", REFERENCES)
    )
    return tuple(
        Check(slot, partial(is_the_change, claim, reference, slot), "closed forms")
        for slot in SLOTS
    )


def _solved_numbers(n: int, squared_targets: tuple[float, float, float]) -> list[float]:
    equal, below, above = (
        first_order.posterior_moment(0.5, n, ratio) for ratio in squared_targets
    )
    signs = (
        float(np.sign(float(moment - first_order.prior_moment(0.5, n))))
        for moment in (below, above)
    )
    excess = {overlap: chi(2, 2, overlap) for overlap in (0, OVERLAP, 1)}
    places = (float(find(excess, key=excess.__getitem__)) for find in (min, max))
    return [float(4 * n * (equal - 1)), *signs, *places]


def changes_one_point_of_xor(claim: Claim, reference: str) -> bool:
    """Degrees 2 and 3, all directions; the change is negative relative to untrained networks and to infinite width."""
    angles = np.linspace(0, np.pi, 9)[:-1]
    overlaps = np.minimum(np.abs(np.cos(angles) + np.sin(angles)) / np.sqrt(2), 1.0)
    sign, lines = (
        chosen(claim, "change", {"contracted": -1, "expanded": 1}),
        {"along": 1.0, "orthogonal to": 0.0},
    )
    changed = sign * changes(overlaps, 0.0, reference)
    places = {"most": overlaps[np.argmax(changed, 1)], "least": overlaps[np.argmin(changed, 1)]}
    at_lines = (is_close(at, chosen(claim, slot, lines), 1e-6, 1.0) for slot, at in places.items())
    return bool(np.all(changed > 0)) and all(at_lines)


@cache
def two_layers(width: int, ratio: float) -> float:
    """Posterior mean of s for two hidden layers, by quadrature over the logarithms of both factors."""
    points, weights = np.polynomial.legendre.leggauss(NODES)
    u = SPREAD * np.sqrt(2 / width) * points
    log_prior = width / 2 * (u - np.exp(u))  # of the logarithm of a chi square over its number
    s = np.exp(u[:, None] + u)
    log_weight = log_prior[:, None] + log_prior - np.log(s) / 2 - ratio / (2 * s)
    density = np.exp(log_weight - log_weight.max()) * weights[:, None] * weights
    return float((density * s).sum() / density.sum())


@cache
def _slopes(ratio: float) -> tuple[float, float]:
    """Coefficient of 1/width in the error, in units of its limit, for one and for two hidden layers."""
    slope = first_order.first_order(lambda width: first_order.posterior_moment(1, width, ratio), 1)
    return float(slope), float(first_order.first_order(lambda width: two_layers(width, ratio), 1))


def says_when_width_helps(relation: Any) -> bool:
    """Whether the error falls with the width where the relation holds, and rises in wide networks where it does not."""
    cases = [
        (ratio, bool(value(relation, {"y_a": np.sqrt(ratio) * norm, "norm(X_a)": norm})))
        for ratio, norm in itertools.product(RATIOS, (0.7, 1.6))
    ]
    helped = {ratio for ratio, helps in cases if helps}

    def falls(ratio: float) -> bool:
        errors = [first_order.posterior_moment(1, width, ratio) for width in range(1, 13)]
        return all(wide < narrow for narrow, wide in itertools.pairwise(errors))

    return all(map(falls, helped)) and for_all(
        cases, lambda case: all((slope > 0) is case[1] for slope in _slopes(case[0]))
    )


@cache
def outputs() -> list[Meanings]:
    """Networks of two units, averaged over weights and read-outs; monomials and a function without a symmetry."""
    cases: list[Meanings] = []
    for degree in (0, 1, 2, 3):  # 0: an activation function without a symmetry
        phi = power(degree) if degree else activation(QUARTIC)
        units = [phi["phi0"](NORM_A * weight) for weight in NORMALS[:2]]
        network = sum(v * unit for v, unit in zip(NORMALS[2:], units, strict=True)) / sp.sqrt(2)
        known = {
            "E_WV(f(X_a)**2)": mean(sp.expand(network**2)),
            "norm(X_a)": NORM_A,
            "z_a": NORM_A * NORMALS[0],
        }
        cases.append({**OPERATORS, **phi, **known, "q": sp.Integer(degree)})
    return cases


PROGRAMS: Programs = {
    "(E.38)": volume(of_monomials, 1e-8),
    "(E.39)": declaring(of_each_relation(says_when_width_helps), "< or >"),
    "E.2 expansion and contraction": Program(
        changes_areas,
        _solved_numbers,
        lambda one: [0.0, *(chosen(one, *slot) for slot in SLOTS.items())],
        1e-3,
        at={"n": LARGE, "squared_targets": (1.0, 0.9, 1.1)},
        quantity="4n times the change of the volume, signs of the others, overlaps; targets in prior variances",
    ),
    "(E.40)": exactly(outputs),
    "(E.41)": exactly(lambda: outputs()[1:], "Degrees 1 to 3 of (E.40)"),
    "E.2 one point of XOR": deciding(
        changes_one_point_of_xor, cases=lambda: ("untrained", "infinite")
    ),
}
