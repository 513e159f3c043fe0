"""The studies of trajectories, and their configurations at each scale; the paper's are in 3.2, 4 and appendix B.

At the laptop scale networks have 200 neurons instead of 10,000. Before t* the neurons are independent of each other, so
that their number only determines how well one network averages over its own initial weights. The cylinder takes more
than twice the time of the stripe and has fewer points at this scale. The stripe in d = 10 is trained until 60 % of the
points are fitted, for the largest amplification factor, with steps that are ten times as long: they change t* by at
most 0.4 % and Λ* by at most 3 %. Its exponents are not yet those of the asymptotic law.
"""

from collections.abc import Mapping
from itertools import product

from empirics.experiments.compression.config import Config
from empirics.runs.study import Scale, Study

SIZES: dict[Scale, tuple[int, ...]] = {
    "smoke": (250, 500, 1000, 2000),
    "laptop": (500, 1000, 2000, 4000, 8000),
    "paper": (215, 464, 1000, 2154, 4641, 10000),
}
SEEDS: dict[Scale, int] = {"smoke": 8, "laptop": 40, "paper": 20}
CYLINDER_SEEDS = 300  # as many as `bridge.power` asks for after 40, to see a deviation of the exponent of 0.06 in 80 %
WIDTH: dict[Scale, int] = {"smoke": 50, "laptop": 200, "paper": 10_000}
PAPER_SHARES = (0.1, 0.5, 0.9, 0.99, 1.0)
# The largest amplification factor comes while points are being fitted: fewer points and neurons, and longer steps; the
# seeds, again, are those that `bridge.power` asks for after 12.
LONG_SIZES = (500, 1000, 2000, 4000)
LONG: dict[str, object] = {
    "width": 100,
    "seeds": 76,
    "shares": (0.1, 0.6),
    "turning": 0.2,
    "moving": 0.5,
}
MOST_CYLINDER = 4000  # largest number of points of the cylinder at the laptop scale
ALPHAS: dict[Scale, tuple[float, ...]] = {
    "smoke": (1e-6, 1e-10, 1e-14),
    "laptop": (1e-4, 1e-8, 1e-12, 1e-16, 1e-20),
    "paper": tuple(10.0**exponent for exponent in range(-16, 9, 2)),
}
DIMENSIONS: dict[Scale, tuple[int, ...]] = {"smoke": (2, 5), "laptop": (2, 5, 10), "paper": (10,)}
FOLLOWED: dict[Scale, dict[str, object]] = {
    "smoke": {"points": 1000, "width": 100, "kept": 100, "shares": (0.1, 0.5)},
    "laptop": {"points": 2000, "width": 200, "kept": 200, "shares": (0.1, 0.5, 0.8)},
    "paper": {"points": 10_000, "width": 10_000, "kept": 1000, "shares": (0.1, 0.5, 0.9, 0.99)},
}


def stripe(scale: Scale, **changes: object) -> Config:
    """Return the configuration of the single stripe at ``scale``, with ``changes`` of its fields."""
    fields: dict[str, object] = {"width": WIDTH[scale], "seeds": SEEDS[scale]}
    if scale == "paper":
        fields |= {
            "device": "cuda",
            "shares": PAPER_SHARES,
            "test_points": 10_000,
            "rounds": 100_000,
        }
    return Config(**(fields | changes))  # type: ignore[arg-type]


def shape(config: Config) -> str:
    """Return the shape of the decision boundary and the dimension, the beginning of labels."""
    return f"{config.shape} d={config.dimension}"


def shape_and_size(config: Config) -> str:
    """Return the labels of :func:`training_set_sizes`."""
    return f"{shape(config)} p={config.points}"


def network_scale(config: Config) -> str:
    """Return the labels of :func:`network_scales` and :func:`crossover`."""
    return f"d={config.dimension} alpha={config.alpha:g}"


def training_set_sizes(scale: Scale) -> Mapping[str, Config]:
    """Return training sets of every size of the stripe and the cylinder; at the paper's scale, in two dimensions d."""
    configs = [stripe(scale, points=p) for p in SIZES[scale]]
    if scale == "paper":
        configs += [stripe(scale, points=p, dimension=10) for p in SIZES[scale]]
    if scale != "smoke":
        sizes = [p for p in SIZES[scale] if scale == "paper" or p <= MOST_CYLINDER]
        more = {"seeds": CYLINDER_SEEDS} if scale == "laptop" else {}
        configs += [stripe(scale, points=p, dimension=3, labels="shells", **more) for p in sizes]
    if scale == "laptop":
        configs += [stripe(scale, points=p, dimension=10, **LONG) for p in LONG_SIZES]
    return {shape_and_size(config): config for config in configs}


def network_scales(scale: Scale) -> Mapping[str, Config]:
    """Return every alpha in every dimension; the paper's range from the feature to the lazy regime."""
    if scale == "paper":
        sizes: dict[str, object] = {
            "points": 1000,
            "seeds": 5,
            "dtype": "float64",
            "shares": (0.1, 0.9, 1.0),
        }
    else:
        sizes = {
            "points": 1000 if scale == "smoke" else 4000,
            "seeds": 4 if scale == "smoke" else 16,
            "width": 50,
        }
    configs = [
        stripe(scale, dimension=d, alpha=a, **sizes)
        for d, a in product(DIMENSIONS[scale], ALPHAS[scale])
    ]
    return {network_scale(config): config for config in configs}


def crossover(scale: Scale) -> Mapping[str, Config]:
    """Return networks from feature to lazy learning, trained to the end on the same points, with their test errors.

    At the laptop scale d = 5, and the steps are ten times as long as elsewhere: networks of a hundred neurons on a
    hundred points then fit most of them in 12,000 attempts.
    """
    if scale == "paper":
        return network_scales(scale)
    fields: dict[str, object] = {
        "points": 100,
        "width": 100,
        "seeds": 6,
        "rounds": 12_000,
        "test_points": 2000,
    }
    alphas: tuple[float, ...] = (1e-8, 1e-6, 1e-4, 1e-2, 1e-1, 1.0, 1e1, 1e2, 1e3)
    if scale == "smoke":
        fields |= {"points": 40, "width": 30, "seeds": 3, "rounds": 600, "test_points": 500}
        alphas = (1e-6, 1e-3, 1.0, 1e2, 1e3)
    fields |= {"turning": 0.2, "moving": 0.5, "shares": (0.1, 0.5, 1.0)}
    configs = [stripe(scale, **fields, alpha=alpha) for alpha in alphas]
    return {network_scale(config): config for config in configs}


def followed_neurons(scale: Scale) -> Mapping[str, Config]:
    """Return one network on the stripe in two dimensions and one on the cylinder in three, with recorded neurons."""
    fields = FOLLOWED[scale] | {"tracked": 60, "seeds": 1, "test_points": 2000, "places": 301}
    return {
        "stripe d=2": stripe(scale, **fields, dimension=2),
        "cylinder d=3": stripe(scale, **fields, dimension=3, labels="shells"),
    }


AMPLIFICATION = Study(
    name="compression-amplification",
    question="Does the global amplification factor grow as the root of the number of training points?",
    table=training_set_sizes,
    label=shape_and_size,
)
TIME = Study(
    name="compression-time",
    question="Does the characteristic time grow as half the neurons' growth time times log(1/alpha)?",
    table=network_scales,
    label=network_scale,
)
CROSSOVER = Study(
    name="compression-crossover",
    question="Where does feature learning end as the network scale grows, and is its other end the frozen kernel?",
    table=crossover,
    label=network_scale,
)
NEURONS = Study(
    name="compression-neurons",
    question="Do the neurons converge to the fixed points that the theory derives?",
    table=followed_neurons,
    label=shape,
)
