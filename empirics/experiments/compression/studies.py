"""The studies of compression and their configurations at each scale; the paper's are in sections 3.2, 4 and appendix B.

*Trajectories.* At the laptop scale networks have 200 neurons instead of 10,000. Before t* the neurons are independent
of each other, so that their number only determines how well one network averages over its own initial weights. The
cylinder takes more than twice the time of the stripe and has fewer points at this scale. The stripe in d = 10 is
trained until 60 % of the points are fitted, for the largest amplification factor, with steps that are ten times as
long: for six networks of a hundred neurons on a hundred points, they change t* by at most 0.4 % and Λ* by at most 3 %.
With 125 to 1,000 points in d = 10 the exponents are 0.65 ± 0.06 for Λ* and 0.62 ± 0.04 for Λ_max (16 seeds), while Λ*
over the prediction from the data set's own fluctuation rises from 0.70 to 0.99: not yet the asymptotic law.

*Learning curves.* Smoke: few points. Laptop: the lazy regime for the stripe in d = 2, whose exponent from 1,000 points
on is the asymptotic one, and for the cylinder, whose exponent is not yet asymptotic; networks in d = 5 next to their
kernels. These have 500 neurons and 40,000 steps, which fit 92 to 96 % of the points, and then feature learning beats
the lazy regime: with seeds 0 to 3 mean errors of 6.8 % against 14.1 % at p = 100 and of 2.6 % against 8.3 % at p = 200.
A hundred neurons in 4000 steps fit two thirds of the points and show nothing of it. For the stripe in d = 10 and the
cylinder, networks have 200 neurons and 12,000 steps. Their kernels are classified with
the largest margin instead of the flow, which takes seconds. Paper: as published (h = 10,000, d = 5 and 10, 20
realisations; 9 of the cylinder).

*Kernels.* Smoke: the stripe and the parity of scikit-learn's digits, which need no files. Laptop: the stripe and the
parity of MNIST's digits with seven convolutions. Paper: h = 10,000 and 16 convolutions; the paper prints neither the
network scale nor the learning rate for images. On MNIST alpha is 1: with 0.1 outputs have to grow tenfold, and networks
without normalisation then lose all activity at these learning rates. Such a small network learns features at alpha = 1
as well: on other images, its frozen kernel has half as many errors after training as before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from empirics.experiments.compression.config import Config
from empirics.experiments.compression.kernel_components_config import Config as KernelConfig
from empirics.experiments.compression.learning_curves_config import REGIMES
from empirics.experiments.compression.learning_curves_config import Config as CurveConfig
from empirics.experiments.study import Scale, Study

# --- trajectories of the networks -------------------------------------------------------------------------------------

SIZES: dict[Scale, tuple[int, ...]] = {
    "smoke": (250, 500, 1000, 2000),
    "laptop": (500, 1000, 2000, 4000, 8000),
    "paper": (100, 215, 464, 1000, 2154, 4641, 10000),
}
SEEDS: dict[Scale, int] = {"smoke": 8, "laptop": 40, "paper": 20}
WIDTH: dict[Scale, int] = {"smoke": 50, "laptop": 200, "paper": 10_000}
PAPER_SHARES = (0.1, 0.5, 0.9, 0.99, 1.0)
# The largest amplification factor comes while points are being fitted: fewer points and neurons, and longer steps.
LONG_SIZES = (500, 1000, 2000, 4000)
LONG: dict[str, object] = {"width": 100, "seeds": 12, "shares": (0.1, 0.6), "turning": 0.2, "moving": 0.5}
MOST_CYLINDER = 4000  # largest number of points of the cylinder at the laptop scale
ALPHAS = {"smoke": (1e-6, 1e-10, 1e-14), "laptop": (1e-4, 1e-8, 1e-12, 1e-16, 1e-20)}
DIMENSIONS = {"smoke": (2, 5), "laptop": (2, 5, 10)}
FOLLOWED: dict[Scale, dict[str, object]] = {
    "smoke": {"points": 1000, "width": 100, "kept": 100, "shares": (0.1, 0.5)},
    "laptop": {"points": 2000, "width": 200, "kept": 200, "shares": (0.1, 0.5, 0.8)},
    "paper": {"points": 10_000, "width": 10_000, "kept": 1000, "shares": (0.1, 0.5, 0.9, 0.99)},
}


def stripe(scale: Scale, **changes: object) -> Config:
    """Return the configuration of the single stripe at ``scale``, with ``changes`` of its fields."""
    fields: dict[str, object] = {"width": WIDTH[scale], "seeds": SEEDS[scale]}
    if scale == "paper":
        fields |= {"device": "cuda", "shares": PAPER_SHARES, "test_points": 10_000, "rounds": 100_000}
    return Config(**(fields | changes))  # type: ignore[arg-type]


def training_set_sizes(scale: Scale) -> Mapping[str, Config]:
    """Return training sets of every size of the stripe and the cylinder; at the paper's scale, in two dimensions d."""
    configs = {f"stripe d=5 p={p}": stripe(scale, points=p) for p in SIZES[scale]}
    if scale == "paper":
        configs |= {f"stripe d=10 p={p}": stripe(scale, points=p, dimension=10) for p in SIZES[scale]}
    if scale != "smoke":
        sizes = [p for p in SIZES[scale] if scale == "paper" or p <= MOST_CYLINDER]
        configs |= {f"cylinder d=3 p={p}": stripe(scale, points=p, dimension=3, labels="shells") for p in sizes}
    if scale == "laptop":
        configs |= {f"stripe d=10 p={p}": stripe(scale, points=p, dimension=10, **LONG) for p in LONG_SIZES}
    return configs


def network_scales(scale: Scale) -> Mapping[str, Config]:
    """Return every alpha in every dimension.

    The paper's scale has d = 10 and p = 1000, and its alphas range from the feature to the lazy regime.
    """
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
        for alpha in ALPHAS[scale]
    }


def crossover(scale: Scale) -> Mapping[str, Config]:
    """Return networks from feature to lazy learning, trained to the end on the same points, with their test errors.

    At the laptop scale d = 5, and the steps are ten times as long as elsewhere: networks of a hundred neurons on a
    hundred points then fit most of them in 12,000 attempts.
    """
    if scale == "paper":
        return network_scales(scale)
    fields: dict[str, object] = {"points": 100, "width": 100, "seeds": 6, "rounds": 12_000, "test_points": 2000}
    alphas: tuple[float, ...] = (1e-8, 1e-6, 1e-4, 1e-2, 1e-1, 1.0, 1e1, 1e2, 1e3)
    if scale == "smoke":
        fields |= {"points": 40, "width": 30, "seeds": 3, "rounds": 600, "test_points": 500}
        alphas = (1e-6, 1e-3, 1.0, 1e2, 1e3)
    fields |= {"turning": 0.2, "moving": 0.5, "shares": (0.1, 0.5, 1.0)}
    return {f"d=5 alpha={alpha:g}": stripe(scale, **fields, alpha=alpha) for alpha in alphas}


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
    figure="Figures 5 and 7 (top)",
    table=training_set_sizes,
)
TIME = Study(
    name="compression-time",
    question="Does the characteristic time grow as half the neurons' growth time times log(1/alpha)?",
    figure="Figure 11",
    table=network_scales,
)
CROSSOVER = Study(
    name="compression-crossover",
    question="Where does feature learning end as the network scale grows, and is its other end the frozen kernel?",
    figure="Figure 11",
    table=crossover,
)
NEURONS = Study(
    name="compression-neurons",
    question="Do the neurons converge to the fixed points that the theory derives?",
    figure="Figures 1, 3, 4 and 6",
    table=followed_neurons,
)

# --- learning curves --------------------------------------------------------------------------------------------------

NETWORKS: Mapping[str, object] = {
    "sizes": (50, 100, 200), "regimes": REGIMES, "compression": None, "width": 200, "most_steps": 12_000,
    "realisations": 6,
}  # fmt: skip
CURVES: Mapping[Scale, Mapping[str, CurveConfig]] = {
    "smoke": {
        "stripe, d = 2": CurveConfig(sizes=(60, 120, 240, 480), realisations=6, test_points=4000),
        "stripe, d = 5": CurveConfig(
            dimension=5, sizes=(30, 60, 120, 240), regimes=REGIMES, kernel_method="flow", compression=None, width=50,
            most_steps=120, kernel_steps=1000, realisations=3, test_points=2000,
        ),
    },
    "laptop": {
        "stripe, d = 2": CurveConfig(sizes=(1000, 2000, 4000, 8000), test_points=100_000),
        "cylinder, d = 3": CurveConfig(model="cylinder", dimension=3, realisations=6),
        "stripe, d = 5": CurveConfig(
            dimension=5, sizes=(50, 100, 200), regimes=REGIMES, compression=None, width=500, most_steps=40_000,
            realisations=4,
        ),
        "stripe, d = 10": CurveConfig(dimension=10, **NETWORKS),  # type: ignore[arg-type]
        "cylinder, d = 3, networks": CurveConfig(model="cylinder", dimension=3, **NETWORKS),  # type: ignore[arg-type]
    },
    "paper": {
        f"{model}, d = {d}": CurveConfig(
            model=model, dimension=d,  # type: ignore[arg-type]
            sizes=(100, 215, 464, 1000, 2154, 4642, 10_000), regimes=REGIMES, kernel_method="flow", compression=None,
            width=10_000, kernel_steps=200_000, turning=1e-2, moving=0.1, most_steps=100_000, realisations=realisations,
            test_points=50_000, device="cuda",
        )
        for model, d, realisations in (("stripe", 5, 20), ("stripe", 10, 20), ("cylinder", 3, 9))
    },
}  # fmt: skip
LEARNING_CURVES = Study(
    name="compression-learning-curves",
    question="With which exponent does the test error fall in the lazy and in the feature regime, and does compression "
    "of the data explain the difference?",
    figure="Figures 2 and 7 (bottom)",
    table=CURVES.__getitem__,
)

# --- tangent kernels --------------------------------------------------------------------------------------------------

DIGITS = KernelConfig(
    task="digits", points=200, test_points=400, width=8, blocks=1, alpha=0.1, most_steps=200, kernel_steps=1000,
    realisations=2,
)  # fmt: skip
MNIST = KernelConfig(
    task="mnist", points=300, test_points=600, width=8, blocks=2, alpha=1.0, learning_rate=0.02, most_steps=600,
    kernel_steps=5000, realisations=2,
)  # fmt: skip
MNIST_PAPER = KernelConfig(
    task="mnist", points=2000, test_points=10_000, width=16, blocks=5, alpha=1.0, learning_rate=0.005,
    most_steps=20_000, kernel_steps=100_000, realisations=5, device="cuda",
)  # fmt: skip
KERNELS: Mapping[Scale, Mapping[str, KernelConfig]] = {
    "smoke": {
        "stripe": KernelConfig(points=300, width=50, most_steps=250, kernel_steps=1000, realisations=2),
        "8 x 8 digits": DIGITS,
    },
    "laptop": {"stripe": KernelConfig(), "MNIST": MNIST},
    "paper": {
        "stripe": KernelConfig(
            points=4000, test_points=50_000, width=10_000, turning=1e-2, moving=0.1, most_steps=100_000,
            kernel_steps=100_000, realisations=5, device="cuda",
        ),
        "MNIST": MNIST_PAPER,
    },
}  # fmt: skip
IMAGES: Mapping[Scale, tuple[KernelConfig, tuple[int, ...]]] = {
    "smoke": (replace(DIGITS, most_steps=120), (60, 120, 240)),
    "laptop": (replace(MNIST, most_steps=400), (60, 120, 240)),
    "paper": (MNIST_PAPER, (250, 500, 1000, 2000, 4000)),
}


def numbers_of_images(scale: Scale) -> Mapping[str, KernelConfig]:
    """Return one configuration for each number of images."""
    base, sizes = IMAGES[scale]
    return {f"{size:,} images": replace(base, points=size) for size in sizes}


KERNEL_COMPONENTS = Study(
    name="compression-kernel-components",
    question="Do the tangent kernel's first components become informative about the labels, and the last layer's?",
    figure="Figures 9 and 10",
    table=KERNELS.__getitem__,
)
KERNEL_LEARNING = Study(
    name="compression-kernel-learning",
    question="Does the kernel after training, frozen, learn from other images as well as the network did?",
    figure="Figure 8",
    table=numbers_of_images,
)
