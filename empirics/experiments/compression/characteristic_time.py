"""Figure 11: when does a network of scale alpha begin to fit, and how far has it compressed by then?"""

from __future__ import annotations

from collections.abc import Mapping

from empirics.experiments.compression.config import Config
from empirics.experiments.compression.scales import stripe
from empirics.experiments.study import Scale, Study

FEATURE = {"smoke": (1e-6, 1e-10, 1e-14), "laptop": (1e-4, 1e-8, 1e-12, 1e-16, 1e-20)}
DIMENSIONS = {"smoke": (2, 5), "laptop": (2, 5, 10)}


def configs(scale: Scale) -> Mapping[str, Config]:
    """Every alpha in every dimension; at the paper's scale from the feature to the lazy regime, d = 10, p = 1000."""
    if scale == "paper":
        exponents = range(-16, 9, 2)
        return {
            f"d=10 alpha=1e{e:+d}": stripe(
                scale, dimension=10, points=1000, alpha=10.0**e, seeds=5, dtype="float64", shares=(0.1, 0.9, 1.0)
            )
            for e in exponents
        }
    sizes = {"smoke": {"points": 1000, "seeds": 4, "width": 50}, "laptop": {"points": 4000, "seeds": 16, "width": 50}}
    return {
        f"d={d} alpha={alpha:g}": stripe(scale, dimension=d, alpha=alpha, **sizes[scale])
        for d in DIMENSIONS[scale]
        for alpha in FEATURE[scale]
    }


STUDY = Study(
    name="compression-time",
    question="Does the characteristic time grow as half the neurons' growth time times log(1/alpha)?",
    figure="Figure 11",
    table=configs,
)
