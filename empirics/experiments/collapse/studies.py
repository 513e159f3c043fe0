r"""The studies of collapse and the sizes at which they run.

*Smoke* needs no files: scikit-learn's digits and a narrow f₊ (f₋'s blocks do not fit into 8 x 8 pixels). *Laptop* is
the thesis' four scenarios with 2,000 + 2,000 images, where f₊ has as many channels as f₋, a quarter of those of the
thesis; for the comparison of both networks f₋ has a quarter, too, so that they are in the thesis' proportion. Two
thousand images are enough for log NC1 to fall linearly with the layer on Fashion-MNIST. *Paper* is the thesis: 10,000
training images and the whole test split (10,000 images, or all that a subset of CIFAR-10 has), until the training loss
is 0.02 or for 50 epochs.

Random labels take longer to learn than true classes, so the runs of that study are longer. Every estimate of usable
information is a training of its own, so it is measured at a few epochs only, most densely at the beginning; the
smallest scale uses an MLP, whose decoders train quickly, and laptop size is that of narrower networks on 200 + 200
images of Fashion-MNIST.
"""

import dataclasses
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from empirics.data.names import TITLES
from empirics.experiments.collapse.config import SYMBOLS, Config
from empirics.experiments.collapse.config import ImbalancedConfig as Imbalanced
from empirics.runs.study import Scale, Study

SMOKE = Config(
    dataset="digits", network="residual", depths=(8, 16, 32), train_size=600, test_size=300, epochs=6, seeds=2,
    decoder_epochs=15,
)  # fmt: skip
LAPTOP = Config(collapse_at=(0, 1, 2, 4, 8, 14, 20))
PAPER = Config(
    network="residual",
    train_size=10_000,
    test_size=None,
    epochs=50,
    stop_loss=0.02,
    seeds=3,
    device="cuda",
)
BASE: dict[Scale, Config] = {"smoke": SMOKE, "laptop": LAPTOP, "paper": PAPER}
SCENARIOS = (
    ("residual", "cifar10"), ("residual", "fashion_mnist"), ("plain", "cifar10"), ("plain", "fashion_mnist"),
)  # fmt: skip
# of the released programs of the thesis
RELEASED: dict[str, Any] = {"batch_size": 400, "balanced": True, "dtype": "bfloat16"}
FOR_RELEASED: dict[Scale, dict[str, Any]] = {
    "smoke": {"batch_size": 100},
    "laptop": {},
    "paper": {"collapse_at": (0,), "seeds": 5, "device": "cpu"},
}
FOR_RELEASED_INFORMATION: dict[Scale, dict[str, Any]] = {
    "smoke": {"batch_size": 100, "decoder_epochs": 25},
    "laptop": {"decoder_epochs": 50},
    "paper": {
        "information_at": (2,), "collapse_at": (0,), "decoder_epochs": 50, "test_size": 1000, "device": "cpu",
    },
}  # fmt: skip
# channels of f₋ at laptop size where f₊ has four times as many, as in the thesis
QUARTER = (4, 8, 16)
FOR_RANDOM_LABELS: dict[Scale, dict[str, Any]] = {
    "smoke": {"train_size": 200, "epochs": 20, "collapse_at": (0, 5, 10, 20)},
    "laptop": {
        "train_size": 1000,
        "test_size": 1000,
        "epochs": 40,
        "collapse_at": (0, 1, 3, 10, 20, 40),
    },
    "paper": {"stop_loss": 0.02},
}
FOR_CONTROLS: dict[Scale, dict[str, Any]] = {
    "smoke": {"collapse_at": (0, 6), "train_size": 400},
    "laptop": {
        "collapse_at": (0, 12),
        "train_size": 1000,
        "test_size": 1000,
        "epochs": 12,
        "seeds": 10,
    },
    "paper": {"network": "plain", "collapse_at": (0, 10, 50)},
}
FOR_INFORMATION: dict[Scale, dict[str, Any]] = {
    "smoke": {
        "network": "mlp", "depths": (48, 24, 12), "train_size": 200, "test_size": 200, "epochs": 10, "collapse_at": (),
        "information_at": (0,), "decoder_epochs": 25, "learning_rate": 0.01,
    },
    "laptop": {
        "depths": (8, 16, 32), "train_size": 200, "test_size": 200, "information_at": (0, 2, 6),
        "collapse_at": (0, 2, 6), "epochs": 20, "decoder_epochs": 300,
    },
    "paper": {"information_at": (0, 1, 2, 4, 8, 16, 32), "decoder_epochs": 200},  # 45 to 70 memorise 10,000 images
}  # fmt: skip


def scenario(config: Config) -> str:
    """Return the label of a configuration in :func:`scenarios`."""
    return f"{SYMBOLS[config.network]} on {TITLES[config.dataset]}"


def scenarios(scale: Scale, base: Config) -> Mapping[str, Config]:
    """Return the four scenarios of the thesis in the sizes of ``base``; at scale "smoke" only that of ``base``."""
    configs = {}
    for network, dataset in SCENARIOS if scale != "smoke" else ((base.network, base.dataset),):
        depths = base.depths if network == base.network or scale == "laptop" else None
        config = replace(base, network=network, dataset=dataset, depths=depths)  # type: ignore[arg-type]
        configs[scenario(config)] = config
    return configs


def in_proportion(scale: Scale) -> Mapping[str, Config]:
    """Return the scenarios of :func:`scenarios`, at laptop size with a quarter of f₊'s channels in f₋.

    At the thesis' size NC1 is measured before and after training alone, which halves the time of an epoch.
    """
    base = (
        replace(BASE[scale], collapse_at=(0,), device="cpu") if scale == "paper" else BASE[scale]
    )
    return {
        label: replace(config, depths=QUARTER)
        if scale == "laptop" and config.network == "plain"
        else config
        for label, config in scenarios(scale, base).items()
    }


def of(configs: Mapping[str, Config], word: str) -> Mapping[str, Config]:
    """Return the configurations whose labels have a word in them."""
    return {label: config for label, config in configs.items() if word in label}


def released(scale: Scale) -> Mapping[str, Config]:
    """Return f₋ with batches, classes of equal size and precision of the released programs of the thesis."""
    base = replace(BASE[scale], **(RELEASED | FOR_RELEASED[scale]))
    return of(scenarios(scale, base), "" if scale == "smoke" else "f₋")


def released_channels(scale: Scale) -> Mapping[str, Config]:
    """Return f₋ as in :func:`released`, and fewer f₊ with the pixels of the released programs, too, which it feels."""
    settings = (
        RELEASED | FOR_RELEASED[scale] | {"largest_pixel": 255.0, "seeds": BASE[scale].seeds}
    )
    return {**released(scale), **of(scenarios(scale, replace(BASE[scale], **settings)), "f₊")}


def released_information(scale: Scale) -> Mapping[str, Config]:
    """Return f₋ on Fashion-MNIST as in :func:`released`, with decoders that all train for the same time."""
    settings = FOR_INFORMATION[scale] | RELEASED | FOR_RELEASED_INFORMATION[scale]
    configs = scenarios(scale, replace(BASE[scale], **settings, early_stopping=False))
    return of(configs, "" if scale == "smoke" else "f₋ on Fashion")


def own_and_random_labels(scale: Scale) -> Mapping[str, Config]:
    """Return the same network on the same images with their own labels and with random ones."""
    base = replace(BASE[scale], **FOR_RANDOM_LABELS[scale])
    return {"own labels": base, "random labels": replace(base, random_labels=1.0)}


def balanced_and_not(scale: Scale) -> Mapping[str, Imbalanced]:
    """Return the network of a scale with equal classes, and with classes whose sizes fall by a factor of 10."""
    base = replace(BASE[scale], **FOR_CONTROLS[scale])
    fields = {field.name: getattr(base, field.name) for field in dataclasses.fields(base)}
    return {f"classes {ratio:g} : 1": Imbalanced(**fields, ratio=ratio) for ratio in (1.0, 10.0)}


LAYERS = Study(
    name="collapse-layers",
    question="Does NC1 fall by equal factors from layer to layer, and does the test set follow the training set?",
    table=lambda scale: scenarios(scale, BASE[scale]),
    label=scenario,
)
CHANNELS = Study(
    name="collapse-channels",
    question="Is f₊ ahead of f₋ where it has four times as many channels, as in the thesis?",
    table=in_proportion,
    label=scenario,
)
LAYERS_RELEASED = Study(
    name="collapse-layers-released",
    question="Where does training of f₋ end with the settings of the released programs?",
    table=released,
    label=scenario,
)
CHANNELS_RELEASED = Study(
    name="collapse-channels-released",
    question="Where does training of f₊ end with the settings of the released programs, and is it ahead of f₋?",
    table=released_channels,
    label=scenario,
)
INFORMATION_RELEASED = Study(
    name="collapse-information-released",
    question="After which layer does minimality drop with the settings of the released programs?",
    table=released_information,
    label=scenario,
)
RANDOM_LABELS = Study(
    name="collapse-random-labels",
    question="A network that fits random labels perfectly: do its layers collapse onto classes that mean nothing?",
    table=own_and_random_labels,
)
CONTROLS = Study(
    name="collapse-controls",
    question="Do imbalanced classes, or another ratio of the covariances, change what NC1 says about the layers?",
    table=balanced_and_not,
)
INFORMATION = Study(
    name="collapse-information",
    question="What can decoders still read from each layer: of the class, and of what the class does not say?",
    table=lambda scale: of(  # at laptop size those on Fashion-MNIST only
        scenarios(scale, replace(BASE[scale], **FOR_INFORMATION[scale])),
        "Fashion" if scale == "laptop" else "",
    ),
    label=scenario,
)
