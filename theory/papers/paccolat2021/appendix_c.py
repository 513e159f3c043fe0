r"""Appendix C: averages over the data, time constants at an attractor, fluctuations; Eqs. (14) and (15)."""

from __future__ import annotations

import math

import numpy as np

from theory.compression import attractors, neuron_flow
from theory.compression.fixed_points import fixed_point_function
from theory.compression.linear_response import growth_time
from theory.core import Check, Finding, Reading
from theory.papers.paccolat2021.model import STRIPE, path_from
from theory.papers.paccolat2021.neuron import averages_agree, fluctuation_of_a_sum
from theory.papers.paccolat2021.paper import entry


def perpendicular_growth() -> Reading:
    """Growth rate of small perpendicular weights on an attractor, per tau: (15), with its root, integrated."""
    attractor = attractors(STRIPE, 5)[1]
    sign = math.copysign(1, attractor.c_parallel * attractor.side * attractor.c_perp)
    common = sign * math.sqrt(1 + attractor.position**2 / 5) * math.exp(-(attractor.position**2) / 2)
    path = path_from(attractor, 0.0, 0.5, across=1e-7)
    return Reading(
        common / (2 * math.pi), common / math.sqrt(2 * math.pi), math.log(path[1, 1] / path[0, 1]) / 0.5, 1e-3
    )


EQUATIONS = (
    entry(
        "C system",
        "C",
        "Means and fluctuations of the three forces.",
        Finding.DEFINITION,
        "It introduces mu and sigma; its averages are checked in C.1.",
    ),
    entry(
        "C.1 averages",
        "C.1",
        "mu_1, mu_b and mu_i as Gaussian integrals.",
        Finding.CONFIRMED,
        "At a witness, against the closed forms.",
        steps=(Check("at a witness", averages_agree, "quadrature"),),
    ),
    entry(
        "C.2 limits",
        "C.2",
        "C_1, C_b and C_perp are the limits of the averages.",
        Finding.CONFIRMED,
        "The closed forms at lambda = 1e9 against those of the half-line.",
        steps=(
            Check(
                "intercept stands still at an attractor of the half-line",
                lambda: abs(float(fixed_point_function(STRIPE, 5, attractors(STRIPE, 5)[0].position, 1))) < 1e-12,
                "closed forms",
            ),
            Check(
                "averages at lambda = 1e9",
                lambda: bool(
                    np.abs(
                        neuron_flow(STRIPE, 2).rates([0.8, 1e-9, 0.6, 0.9])[[0, 2]]
                        - neuron_flow(STRIPE, 2).rates([0.8, 0, 0.6, 0.9])[[0, 2]]
                    ).max()
                    < 1e-8
                ),
                "closed forms",
            ),
        ),
    ),
    entry(
        "(14)",
        "C.2",
        "Time constant of the informative weights at an attractor.",
        Finding.CONFIRMED,
        "The constant of motion gives beta; the first line of Eq. (5) the rate.",
        printed=r"\tau^* = \frac{\tau}{|C_1^\pm(z^*)| \sqrt{1 + z^{*2}/d}}",
        closed_form="compression.growth_time",
        steps=growth_time().steps,
    ),
    entry(
        "(15)",
        "C.2",
        "Velocity of the perpendicular weights at an attractor, and their time constant.",
        Finding.MISPRINT,
        "Integrated from perpendicular weights of 1e-7 beside an attractor.",
        printed=r"\frac{\sqrt{1 + z^{*2}/d}}{2\pi\tau} e^{-z^{*2}/2}",
        corrected=r"\frac{\sqrt{1 + z^{*2}/d}}{\sqrt{2\pi}\tau} e^{-z^{*2}/2}",
        steps=(Check("with sqrt(2 pi)", lambda: perpendicular_growth().sides_with_corrected, "integration"),),
        printed_steps=(
            Check("with 2 pi", lambda: abs(perpendicular_growth()[0] / perpendicular_growth()[2] - 1) < 1e-3),
        ),
        witness={"d": 5, "x_min": -0.3},
        oracle=perpendicular_growth,
        consequence="So does the time constant printed below it. The condition in Section 3.2.1 has the root.",
    ),
    entry(
        "C.3 moment",
        "C.3",
        "The second moment of a perpendicular summand is D_perp.",
        Finding.CONFIRMED,
        "Quadrature; the perpendicular coordinate is independent of the activity in the limit.",
        steps=(Check("D_perp", lambda: fluctuation_of_a_sum().sides_with_corrected, "quadrature"),),
    ),
)
