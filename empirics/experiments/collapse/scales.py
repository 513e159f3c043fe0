r"""The sizes at which the studies of collapse run.

*Smoke* needs no files: scikit-learn's digits and a narrow f₊ (f₋'s blocks do not fit into 8 x 8 pixels). *Laptop* is f₋
on 2,000 + 2,000 images of Fashion-MNIST; two thousand are enough for log NC1 to fall in a straight line there, whereas
CIFAR-10 needs more than a laptop's minute. *Paper* is the thesis: 10,000 training images, the whole test split (10,000
images; of a subset of CIFAR-10, what it has), until the training loss is 0.02 or for 50 epochs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from empirics.data.loading import TITLES
from empirics.experiments.collapse.config import SYMBOLS, Config
from empirics.experiments.study import Scale

SMOKE = Config(
    dataset="digits", network="residual", depths=(8, 16, 32), train_size=600, test_size=300, epochs=6, seeds=2,
    decoder_epochs=15,
)  # fmt: skip
LAPTOP = Config(collapse_at=(0, 1, 2, 4, 8, 14, 20))
PAPER = Config(network="residual", train_size=10_000, test_size=None, epochs=50, stop_loss=0.02, seeds=3, device="cuda")
BASE: dict[Scale, Config] = {"smoke": SMOKE, "laptop": LAPTOP, "paper": PAPER}


def scenarios(scale: Scale, base: Config) -> Mapping[str, Config]:
    """The thesis' four scenarios at paper size; the one of ``base`` at the others."""
    chosen = {
        "smoke": ((base.network, base.dataset),),
        "laptop": ((base.network, base.dataset),),
        "paper": (
            ("residual", "cifar10"), ("residual", "fashion_mnist"), ("plain", "cifar10"), ("plain", "fashion_mnist"),
        ),
    }[scale]  # fmt: skip
    made = {}
    for network, dataset in chosen:
        depths = base.depths if network == base.network else None
        config = replace(base, network=network, dataset=dataset, depths=depths)
        made[f"{SYMBOLS[network]} on {TITLES[dataset]}"] = config
    return made
