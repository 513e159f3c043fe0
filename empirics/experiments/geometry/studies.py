"""The studies of geometry and their configurations at each scale.

*Residual networks on images.* Smoke: scikit-learn's digits, with each pixel repeated 2 x 2 times (with 8 x 8 pixels the
last stage would have one position, and inactive units would dominate the volume element). Laptop: a narrow ResNet-18 on
5,000 images of CIFAR-10, averaged to 16 x 16 pixels, which classifies half of the test images correctly after 16
epochs. Self-supervised networks of the same size see the same images for 12 epochs, eight images sharing a draw of the
transforms; linear probes of both methods are then better than those of untrained networks by a tenth of the test images
or more. Paper: a ResNet-34 of width 64 on all images of full size that the folder holds, on a GPU, and the paper's
planes. Derivatives are in float32 at every scale, as in the paper: volumes change by factors of e^10, and float32
causes an error of about 1e-3 in their logarithm.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from empirics.experiments.geometry.images.config import ResNetConfig, SelfSupervisedConfig
from empirics.experiments.geometry.mnist.config import Config as MNISTConfig
from empirics.experiments.geometry.trained.config import Config as PlaneConfig
from empirics.experiments.geometry.widths_config import RandomNetworksConfig as RandomConfig
from empirics.runs.study import Scale, Study

# --- random networks --------------------------------------------------------------------------------------------------

# The first two are the paper's. The other two are almost flat with large biases and are curved with smaller ones.
NETWORKS = {
    "erf": RandomConfig(activation="erf"),
    "quadratic": RandomConfig(activation="monomial_2", largest_norm=2.0),
    "GELU": RandomConfig(activation="gelu", zeta=0.25, largest_norm=2.0),
    "sine": RandomConfig(activation="sin", zeta=0.25, largest_norm=2.0),
}
ACTIVATIONS = {"monomial_2": "quadratic", "gelu": "GELU", "sin": "sine"}  # in labels
WIDTHS_AND_REALISATIONS: dict[Scale, tuple[tuple[int, ...], int]] = {
    "smoke": ((20, 40, 80, 160), 40),
    "laptop": ((20, 40, 80, 160, 320), 400),
    "paper": ((20, 40, 80, 160, 320, 640, 1280), 4000),
}


def random_networks(scale: Scale) -> Mapping[str, RandomConfig]:
    """Return four activations with the widths and realisations of a scale."""
    widths, realisations = WIDTHS_AND_REALISATIONS[scale]
    return {
        label: replace(config, widths=widths, realisations=realisations)
        for label, config in NETWORKS.items()
    }


RANDOM_NETWORKS = Study(
    name="geometry-random-networks",
    question="Do volume element and curvature of wide random networks approach the closed forms as 1/width?",
    table=random_networks,
    label=lambda config: ACTIVATIONS.get(config.activation, config.activation),
)

# --- networks trained in the plane ------------------------------------------------------------------------------------

XOR_WIDTHS: dict[Scale, tuple[int, ...]] = {
    "smoke": (2, 10),
    "laptop": (2, 10, 100),
    "paper": (2, 10, 100, 250, 500),
}
XOR_SIZES: dict[Scale, tuple[int, int, int]] = {
    "smoke": (600, 20, 3),
    "laptop": (2000, 40, 5),
    "paper": (2000, 40, 20),
}
# A quarter of the networks of two units do not learn exclusive or, and their correlations have the other sign, so that
# a few of them leave the mean open.
XOR_NARROW_SEEDS: dict[Scale, int] = {"smoke": 3, "laptop": 40, "paper": 100}
SINUSOID_WIDTHS: dict[Scale, tuple[tuple[int, ...], ...]] = {
    "smoke": ((20,),),
    "laptop": ((5,), (20,), (100,), (8, 8)),
    # the last one is that of Figure G.7
    "paper": ((5,), (20,), (100,), (250,), (500,), (8, 8), (20, 20, 20)),
}
SINUSOID_SIZES: dict[Scale, tuple[int, int, int]] = {
    "smoke": (1500, 20, 3), "laptop": (4000, 40, 10), "paper": (10_000, 40, 20),
}  # fmt: skip
# The paper prints a rate of 0.05 and no batch size. With batches of, say, 40 of the 400 points an epoch makes as much
# progress as full-batch descent at ten times the rate. Full-batch descent at 0.05 ends far from the sinusoid after
# 10,000 epochs.
SINUSOID_RATE: dict[Scale, float] = {"smoke": 1.0, "laptop": 0.5, "paper": 0.5}


def exclusive_or(scale: Scale) -> Mapping[str, PlaneConfig]:
    """Return networks of the widths of a scale with the paper's optimisation."""
    epochs, grid, seeds = XOR_SIZES[scale]
    base = PlaneConfig(
        task="xor", learning_rate=0.02, weight_decay=1e-4, epochs=epochs,
        checkpoints=tuple(round(epochs * fraction) for fraction in (0, 0.1, 0.25, 0.5, 1)), grid=grid, seeds=seeds,
    )  # fmt: skip
    narrow = {2: XOR_NARROW_SEEDS[scale]}
    configs = [
        replace(base, widths=(width,), seeds=narrow.get(width, seeds))
        for width in XOR_WIDTHS[scale]
    ]
    return {config.shape: config for config in configs}


def sinusoid(scale: Scale) -> Mapping[str, PlaneConfig]:
    """Return the networks of a scale with full-batch gradient descent; every hidden layer is measured."""
    epochs, grid, seeds = SINUSOID_SIZES[scale]
    checkpoints = tuple(round(epochs * fraction) for fraction in (0, 0.03, 0.1, 0.3, 1))
    base = PlaneConfig(
        learning_rate=SINUSOID_RATE[scale], epochs=epochs, checkpoints=checkpoints, grid=grid, seeds=seeds
    )  # fmt: skip
    configs = [
        replace(base, widths=w, layers=tuple(range(1, len(w) + 1))) for w in SINUSOID_WIDTHS[scale]
    ]
    return {config.shape: config for config in configs}


XOR = Study(
    name="geometry-xor",
    question="Where do volume element and curvature grow while networks learn exclusive or?",
    table=exclusive_or,
    label=lambda config: config.shape,
    named={"task": ""},
)
SINUSOID = Study(
    name="geometry-sinusoid",
    question="Do networks expand volume near their decision boundary?",
    table=sinusoid,
    label=lambda config: config.shape,
    named={"task": ""},
)

# --- the same with the settings of the released programs

# a sinusoid of 0.6, the printed rate with batches of 50 of the 400 points, and Gaussian weights and biases
RELEASED = {"start": "gaussian", "height": 0.6, "learning_rate": 0.05, "batch_size": 50}
RELEASED_WIDTHS: dict[Scale, tuple[tuple[int, ...], ...]] = {
    "smoke": ((20,),), "laptop": ((20,),), "paper": ((5,), (20,), (100,), (250,), (500,)),
}  # fmt: skip
RELEASED_SIZES: dict[Scale, tuple[int, int, int]] = {
    "smoke": (300, 20, 3), "laptop": (10_000, 40, 10), "paper": (10_000, 40, 20),
}  # fmt: skip


def released_sinusoid(scale: Scale) -> Mapping[str, PlaneConfig]:
    """Return networks with the released initial weights, sinusoid, rate and batches."""
    epochs, grid, seeds = RELEASED_SIZES[scale]
    checkpoints = tuple(round(epochs * fraction) for fraction in (0, 0.1, 1))
    base = PlaneConfig(epochs=epochs, checkpoints=checkpoints, grid=grid, seeds=seeds, **RELEASED)  # type: ignore[arg-type]
    configs = [replace(base, widths=widths) for widths in RELEASED_WIDTHS[scale]]
    return {config.shape: config for config in configs}


def released_exclusive_or(scale: Scale) -> Mapping[str, PlaneConfig]:
    """Return the networks of :func:`exclusive_or` with the released initial weights."""
    return {
        label: replace(config, start="gaussian") for label, config in exclusive_or(scale).items()
    }


XOR_RELEASED = Study(
    name="geometry-xor-released",
    question="What does exclusive or show with the initial weights of the released programs?",
    table=released_exclusive_or,
    label=lambda config: config.shape,
    named={"task": ""},
)
SINUSOID_RELEASED = Study(
    name="geometry-sinusoid-released",
    question="Do networks with the settings of the released programs expand volume near their decision boundary?",
    table=released_sinusoid,
    label=lambda config: config.shape,
    named={"task": ""},
)

# --- fully connected networks on images -------------------------------------------------------------------------------

# that of Figure 3, and two more with digits that are often confused
DIGIT_TRIPLES = (7, 6, 1, 3, 5, 8, 4, 9, 0)
MNIST_BASE: dict[Scale, MNISTConfig] = {
    "smoke": MNISTConfig(
        dataset="digits", train_size=600, test_size=200, batch_size=50, learning_rate=5e-3, epochs=20,
        checkpoints=(0, 3, 20), images=12, lines=4, steps=9, plane=8,
    ),
    "laptop": MNISTConfig(images=6, lines=3, steps=9, triples=DIGIT_TRIPLES, plane=5, seeds=3),
    "paper": MNISTConfig(
        train_size=45_000, test_size=None, batch_size=1000, epochs=200, checkpoints=(0, 1, 10, 50, 200), images=100,
        lines=10, steps=41, curved_lines=2, triples=DIGIT_TRIPLES, plane=17, seeds=3, device="cuda",
    ),
}  # fmt: skip
MNIST_WIDTHS: dict[Scale, tuple[tuple[int, ...], ...]] = {
    "smoke": ((96,), (96, 96)),
    "laptop": ((2000,), (1000, 1000)),
    "paper": ((2000,), (1000, 1000, 1000)),
}


def shallow_and_deep(scale: Scale) -> Mapping[str, MNISTConfig]:
    """Return the paper's shallow network and a deep one."""
    configs = [replace(MNIST_BASE[scale], widths=widths) for widths in MNIST_WIDTHS[scale]]
    return {config.shape: config for config in configs}


MNIST = Study(
    name="geometry-mnist",
    question="How do volume and curvature of networks that classify images change near their decision boundaries?",
    table=shallow_and_deep,
    label=lambda config: config.shape,
)

# the released initial weights: many points on lines, of which the first joins a 7 and a 6 as in Figure 3, and no planes
RELEASED_DIGITS: dict[str, Any] = {
    "start": "gaussian", "first_line": (7, 6), "images": 3, "curved_lines": 0, "triples": (7, 6, 1), "plane": 0,
}  # fmt: skip
DENSE: dict[Scale, dict[str, Any]] = {
    "smoke": {},
    "laptop": {"lines": 8, "steps": 41},
    "paper": {"checkpoints": (0, 1, 20, 200), "lines": 8, "device": "cpu"},
}


def released_digits(scale: Scale) -> Mapping[str, MNISTConfig]:
    """Return the shallow network of :func:`shallow_and_deep` with the released initial weights, on dense lines."""
    shallow, *_ = shallow_and_deep(scale).values()
    config = replace(shallow, **RELEASED_DIGITS | DENSE[scale])
    return {config.shape: config}


def released_digits_without_decay(scale: Scale) -> Mapping[str, MNISTConfig]:
    """Return the network of :func:`released_digits` without decay, the default of the released program."""
    seeds = 6 if scale == "paper" else 3
    return {
        label: replace(config, weight_decay=0.0, seeds=seeds)
        for label, config in released_digits(scale).items()
    }


MNIST_RELEASED = Study(
    name="geometry-mnist-released",
    question="Does volume bulge between images, before and after training, with the released initial weights?",
    table=released_digits,
    label=lambda config: config.shape,
)
MNIST_WITHOUT_DECAY = Study(
    name="geometry-mnist-no-decay-released",
    question="Does volume bulge between images as training progresses if, as released, no weights decay?",
    table=released_digits_without_decay,
    label=lambda config: config.shape,
)

# --- residual networks on images --------------------------------------------------------------------------------------

TRIPLES = (7, 6, 1, 5, 6, 1, 5, 6, 7)  # horse, frog, car; dog, frog, car; dog, frog, horse
RESNET_SIZES: dict[Scale, dict[str, Any]] = {
    "smoke": {
        "dataset": "digits", "image_size": 16, "train_size": 300, "test_size": 150, "width": 4, "epochs": 6,
        "batch_size": 25, "learning_rate": 0.02, "lines": 2, "positions": 9, "resolution": 7, "classes": (3, 8, 6),
        "precision": "model", "seeds": 2,
    },
    "laptop": {
        "image_size": 16, "train_size": 5000, "test_size": 500, "width": 8, "epochs": 16, "batch_size": 50,
        "learning_rate": 0.02, "lines": 5, "positions": 21, "classes": TRIPLES, "resolution": 11,
        "precision": "model", "seeds": 3,
    },
    "paper": {
        "train_size": None, "test_size": None, "depth": 34, "width": 64, "epochs": 200, "batch_size": 1024,
        "learning_rate": 0.01, "snapshots": (50,), "lines": 10, "positions": 41, "classes": TRIPLES,
        "resolution": 41, "precision": "model", "seeds": 3, "device": "cuda",
    },
}  # fmt: skip
SELF_SUPERVISED_SIZES: dict[Scale, dict[str, Any]] = {
    "smoke": RESNET_SIZES["smoke"] | {"projection": 32, "train_size": 200, "batch_size": 20, "epochs": 5},
    "laptop": RESNET_SIZES["laptop"] | {
        "test_size": 1000, "batch_size": 250, "epochs": 12, "optimiser": "adamw", "learning_rate": 0.003,
        "warm_up": 0.1, "smallest_crop": 0.2, "largest_blur": 1.0, "together": 8, "positions": 17, "resolution": 9,
        "margin": 0.1, "seeds": 4,
    },
    "paper": RESNET_SIZES["paper"] | {"projection": 256, "epochs": 1000, "snapshots": (200,)},
}  # fmt: skip
# a network fewer
SIMCLR_SEEDS: dict[Scale, dict[str, int]] = {"smoke": {}, "laptop": {"seeds": 3}, "paper": {}}
RESNET = Study(
    name="geometry-resnet",
    question="Do ResNets trained to classify images magnify volumes near their decision boundaries?",
    table=lambda scale: {
        "GELU": ResNetConfig(activation="gelu", **RESNET_SIZES[scale]),
        "ReLU": ResNetConfig(activation="relu", **RESNET_SIZES[scale]),
    },
)
# the released program passes the activation to the first convolution alone
RESNET_RELEASED = Study(
    name="geometry-resnet-released",
    question="Do ResNets with the ReLU where the released program has it magnify volumes near their boundaries?",
    table=lambda scale: {
        "ReLU": ResNetConfig(activation="gelu", stem="relu", **RESNET_SIZES[scale]),
    },
    named={"activation": "", "stem": ""},
)
SELF_SUPERVISED = Study(
    name="geometry-self-supervised",
    question="Do self-supervised ResNets magnify volumes near the decision boundaries of a linear probe?",
    table=lambda scale: {
        "Barlow Twins": SelfSupervisedConfig(
            method="barlow_twins", **SELF_SUPERVISED_SIZES[scale]
        ),
        "SimCLR": SelfSupervisedConfig(
            method="simclr", **SELF_SUPERVISED_SIZES[scale] | SIMCLR_SEEDS[scale]
        ),
    },
    named={"method": ""},
)
