"""The studies of networks that are not trained and have closed forms, at each scale: Figures B.1, C.1 and E.1.

*Monomials.* Of the degrees and dimensions of the figure those are measured whose moments converge at moderate widths;
the analysis draws the others. *Bayesian networks.* The terms beyond the first order in 1/width grow with the degree, so
that degree 3 has wider networks. A target of twice the standard deviation of the prior expands volumes and a target of
half of it contracts them.
"""

from collections.abc import Mapping
from dataclasses import replace

from empirics.experiments.geometry.widths_config import BayesianConfig
from empirics.experiments.geometry.widths_config import RandomNetworksConfig as RandomConfig
from empirics.experiments.geometry.widths_config import SymmetricUnitsConfig as UnitsConfig
from empirics.runs.study import Scale, Study

MONOMIAL_SIZES: dict[Scale, tuple[tuple[int, ...], int]] = {
    "smoke": ((40, 80, 160, 320), 40),
    "laptop": ((40, 80, 160, 320), 200),
    "paper": ((40, 80, 160, 320, 640, 1280), 4000),
}
DEGREE_AND_DIMENSION = ((2, 2), (3, 2), (2, 3), (2, 5))
# realisations; they scatter most
FIVE_DIMENSIONAL: dict[Scale, int] = {"smoke": 40, "laptop": 400, "paper": 4000}
BATCHES: dict[Scale, tuple[int, int]] = {
    "smoke": (20, 400),
    "laptop": (100, 2000),
    "paper": (1000, 2000),
}


def monomials(scale: Scale) -> Mapping[str, RandomConfig]:
    """Return random networks of several degrees and dimensions."""
    widths, realisations = MONOMIAL_SIZES[scale]
    base = RandomConfig(widths=widths, realisations=realisations, largest_norm=2.0, directions=4)
    configs = {
        f"q = {q}, d = {d}": replace(base, activation=f"monomial_{q}", dimension=d)
        for q, d in DEGREE_AND_DIMENSION
    }
    return configs | {
        "q = 2, d = 5": replace(configs["q = 2, d = 5"], realisations=FIVE_DIMENSIONAL[scale])
    }


def symmetric_units(_: Scale) -> Mapping[str, UnitsConfig]:
    """Return the network of three units without and with biases, the same at every scale."""
    return {f"b = {bias}": UnitsConfig(bias=float(bias)) for bias in (0, 1)}


def bayesian(scale: Scale) -> Mapping[str, BayesianConfig]:
    """Return networks of three degrees and two dimensions that interpolate one example."""
    realisations, draws = BATCHES[scale]
    base = BayesianConfig(realisations=realisations, draws=draws)
    configs = {
        "q = 1, d = 2": replace(base, degree=1),
        "q = 2, d = 2": base,
        "q = 2, d = 2, small target": replace(base, squared_target=0.25),
    }
    if scale != "smoke":
        configs["q = 2, d = 5"] = replace(base, dimension=5)
        configs["q = 3, d = 2"] = replace(
            base, degree=3, widths=tuple(4 * width for width in base.widths)
        )
    return configs


MONOMIALS = Study(
    name="geometry-monomials",
    question="Does the curvature of networks with monomial activations first fall and then rise with the norm?",
    table=monomials,
    label=lambda config: (
        f"q = {config.activation.removeprefix('monomial_')}, d = {config.dimension}"
    ),
)
SYMMETRIC_UNITS = Study(
    name="geometry-symmetric-units",
    question="Which symmetry have volume element and curvature of three units with weights at equal angles?",
    table=symmetric_units,
)
BAYESIAN = Study(
    name="geometry-bayesian",
    question="Does one training example change the volume element of wide Bayesian networks as the expansion says?",
    table=bayesian,
    label=lambda config: f"q = {config.degree}, d = {config.dimension}",
    named={"squared_target": "small target"},
)
