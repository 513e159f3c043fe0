r"""Settings of the simulations, and sentences that only a measurement decides."""

from __future__ import annotations

import sympy as sp

from theory.core import Check, Claim, Finding, Word
from theory.papers.paccolat2021.paper import entry

width = sp.Symbol("w", positive=True)


def is_infinite(claim: Claim) -> tuple[Check, ...]:
    """Total variation of the slope of a ramp between two labels, the norm of a function of one variable, width to 0."""
    slope = 2 / width  # from -1 to +1; it starts and ends at zero slope
    norm = sp.limit(2 * slope, width, 0, "+")
    return (Check("limit of ramps", lambda: (norm == sp.oo) is (claim["norm"] == "infinite"), "limit"),)


EQUATIONS_1 = (
    entry(
        "1.2 norm",
        "1.2",
        "",
        Finding.CONFIRMED,
        "For a function of one coordinate the norm of its weights is the total variation of its slope: that of ramps "
        "between the labels, which become a step as there is no margin.",
        printed=Claim(
            "In our model the norm is {norm}, because there is no margin between labels.",
            {"norm": Word("infinite", ("finite",))},
        ),
        prove=is_infinite,
    ),
    entry(
        "1 quoted results",
        "1",
        "Results of other works: exponents of the order of 1/d without assumptions on the task, fixed kernels in the "
        "limit of large d, dynamics of infinite training sets.",
        Finding.NOTE,
        "Quoted; nothing in the paper rests on them.",
    ),
    entry(
        "footnote 1",
        "1.2",
        "MNIST and CIFAR have an effective dimension between 15 and 35 and about 60,000 points.",
        Finding.NOTE,
        "Quoted from another work. CIFAR has 50,000 training images.",
    ),
)

EQUATIONS = (
    entry(
        "simulations",
        "2.2",
        "h = 10000 neurons, alpha = 10^-6; sizes of training sets, repetitions and curves of Figures 1 to 8 and 11.",
        Finding.NOTE,
        "Settings, as the captions say them.",
    ),
    entry(
        "Figure 2",
        "3.1",
        "The feature regime outperforms the lazy one; on compressed data the lazy one comes close to it; the exponents "
        "are consistent with the benchmarks, for the stripe and for the cylinder.",
        Finding.OPEN,
        "A matter of measurement: the study compression-learning-curves.",
    ),
    entry(
        "3.2.1 neurons",
        "3.2.1",
        "While the network trains, its neurons follow Eqs. (5) and (7) and converge to the attractors; "
        "after t* they stay on as many fixed points.",
        Finding.OPEN,
        "A matter of measurement: the study compression-neurons. For the averaged flow see '2.4 all neurons'.",
    ),
    entry(
        "4 mechanism",
        "4",
        "With more informative directions all neurons converge toward the informative subspace, up to 1/sqrt(p).",
        Finding.ASSUMPTION,
        "Stated as expected. For one direction see '2.4 informative subspace', which needs a condition.",
    ),
    entry(
        "5.2 kernel learning",
        "5.2",
        "The frozen kernel at the end of training outperforms the initial one, and is close to the network or better.",
        Finding.OPEN,
        "A matter of measurement: the study compression-kernel-learning, for the stripe.",
    ),
    entry(
        "5.2 components",
        "5.2",
        "Top eigenvectors gain information and projection on the labels during learning; before, both show no trend "
        "with the rank.",
        Finding.OPEN,
        "A matter of measurement: the study compression-kernel-components, for the stripe.",
    ),
    entry(
        "5.2 MNIST",
        "5.2",
        "The same for a convolutional network of 16 layers on MNIST; the last layer looks one-dimensional.",
        Finding.OPEN,
        "A measurement of a network that is not trained here.",
    ),
    entry(
        "footnote 6",
        "5.2",
        "The effective dimension of the last layer on MNIST is about 6.",
        Finding.OPEN,
        "A matter of measurement: the study compression-kernel-components, for a network of 7 layers on MNIST.",
    ),
)
