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
        "The feature regime outperforms the lazy one, for the stripe and for the cylinder.",
        Finding.OPEN,
        "A matter of measurement: the study compression-learning-curves, with the most points.",
    ),
    entry(
        "Figure 2 compressed data",
        "3.1",
        "On compressed data the lazy regime comes close to the feature regime.",
        Finding.OPEN,
        "A matter of measurement: the study compression-learning-curves records the exponents of both. The differences "
        "of their test errors for the same realisations would decide it.",
    ),
    entry(
        "Figure 2 exponents",
        "3.1",
        "The exponents of the feature regime are consistent with the benchmarks, for the stripe and for the cylinder; "
        "for the cylinder also that of the lazy one.",
        Finding.OPEN,
        "A matter of measurement with networks at the paper's numbers of points, which the study "
        "compression-learning-curves has for the lazy regime only.",
    ),
    entry(
        "3.2.1 neurons",
        "3.2.1",
        "While the network trains, its neurons converge to the attractors.",
        Finding.OPEN,
        "A matter of measurement: the study compression-neurons. For the averaged flow see '2.4 all neurons'.",
    ),
    entry(
        "3.2.1 trajectories",
        "3.2.1",
        "While the network trains, its neurons follow Eqs. (5) and (7).",
        Finding.OPEN,
        "A matter of measurement: the study compression-neurons draws one neuron and its flow. The distances of all "
        "neurons from their flows would decide it.",
    ),
    entry(
        "3.2.1 after t*",
        "3.2.1",
        "After t* the neurons stay on as many fixed points, which move.",
        Finding.OPEN,
        "A matter of measurement: the study compression-neurons draws the neurons after t*. Their distances from "
        "fixed points that are solved for the points not yet fitted would decide it.",
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
        "The frozen kernel at the end of training outperforms the initial one, and is close to the network or better, "
        "for the stripe.",
        Finding.OPEN,
        "A matter of measurement: the study compression-kernel-components has the test errors of the network and of "
        "both kernels, each by itself. The differences of the same realisations would decide it.",
    ),
    entry(
        "5.2 MNIST kernel learning",
        "5.2",
        "The frozen kernel at the end of training outperforms the initial one, and is close to the network or better, "
        "for a convolutional network on MNIST.",
        Finding.OPEN,
        "A matter of measurement: the study compression-kernel-learning, for a network of 7 layers instead of 16.",
    ),
    entry(
        "5.2 last layer",
        "5.2",
        "The frozen kernel of the last layer generally performs less well than the network.",
        Finding.OPEN,
        "A matter of measurement: the study compression-kernel-learning, for a network of 7 layers instead of 16.",
    ),
    entry(
        "5.2 components",
        "5.2",
        "Top eigenvectors gain information on the labels during learning, for the stripe.",
        Finding.OPEN,
        "A matter of measurement: the study compression-kernel-components.",
    ),
    entry(
        "5.2 initial components",
        "5.2",
        "Before learning the information of the top eigenvectors is small, for the stripe and for MNIST.",
        Finding.OPEN,
        "A matter of measurement: the study compression-kernel-components, for a network of 7 layers on MNIST.",
    ),
    entry(
        "5.2 projections",
        "5.2",
        "Top eigenvectors gain projection on the labels during learning, for the stripe and for MNIST.",
        Finding.OPEN,
        "A matter of measurement: the study compression-kernel-components, for a network of 7 layers on MNIST.",
    ),
    entry(
        "5.2 first mode",
        "5.2",
        "After learning most of the projection occurs along the first mode of the kernel alone, for the stripe.",
        Finding.OPEN,
        "A matter of measurement: the study compression-kernel-components has the share of the first two modes "
        "together. That of the first alone would decide it.",
    ),
    entry(
        "5.2 second mode of MNIST",
        "5.2",
        "After learning the second mode of the kernel has a sizable projection, too, for MNIST.",
        Finding.OPEN,
        "A matter of measurement: the study compression-kernel-components has the share of the first two modes "
        "together, for a network of 7 layers. 'Sizable' names no bound.",
    ),
    entry(
        "5.2 trend",
        "5.2",
        "Before learning neither information nor projection of the top eigenvectors shows a trend with the rank.",
        Finding.OPEN,
        "A matter of measurement: the study compression-kernel-components has means over the first ten. Slopes against "
        "the rank would decide it.",
    ),
    entry(
        "5.2 MNIST components",
        "5.2",
        "Top eigenvectors gain information on the labels during learning, for a convolutional network on MNIST.",
        Finding.OPEN,
        "A matter of measurement: the study compression-kernel-components, for a network of 7 layers instead of 16.",
    ),
    entry(
        "5.2 MNIST",
        "5.2",
        "In the plane of its first two components the last layer of a network on MNIST looks one-dimensional.",
        Finding.OPEN,
        "A matter of measurement: the study compression-kernel-components draws this plane. What looks like one "
        "dimension is not said in numbers.",
    ),
    entry(
        "footnote 6",
        "5.2",
        "The effective dimension of the last layer on MNIST is about 6.",
        Finding.OPEN,
        "A matter of measurement with the paper's network and data. That of the study compression-kernel-components "
        "has 7 layers instead of 16 and learns from a few hundred images.",
    ),
    entry(
        "footnote 6, no line",
        "5.2",
        "A structure of one dimension is not apparent in the effective dimension of the last layer on MNIST.",
        Finding.OPEN,
        "A matter of measurement: the study compression-kernel-components, for a network of 7 layers.",
    ),
)
