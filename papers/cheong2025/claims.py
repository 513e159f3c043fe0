"""What can be tested of collapse: the law of equal steps, and what the thesis says of training and test images."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np
import xarray as xr

from bridge.collapse import equiseparation
from bridge.validity.prediction import Pair, Prediction
from bridge.validity.recorded import PlannedMap
from empirics.experiments.collapse.studies import SMOKE
from empirics.runs.config import Configuration
from papers.cheong2025 import quantities as q
from papers.cheong2025.studies import separations, statements

STEP = float(np.log(1.1))  # smallest relevant deviation of a logarithm


@dataclass(frozen=True)
class BlindFeatures(Configuration):
    """Rectified features that know nothing of their class, which one unit in six has for one input."""

    experiment: ClassVar[str] = "blind features"

    samples: int = 400  # of all classes
    dimension: int = 64  # number of features, all independent
    ratio: float = 1.0  # samples of the most frequent class over the rarest; they fall geometrically, none to zero
    classes: int = 10  # number of classes
    # a feature is what a Gaussian variable of variance 1 exceeds this by, or zero
    threshold: float = 1.0
    first_seed: int = 0

    def __post_init__(self) -> None:
        self.check_integers(
            classes=2, samples=2 * self.classes, dimension=self.classes + 1, first_seed=0
        )
        self.check_numbers("ratio", least=1)

    @property
    def labels(self) -> Any:
        """The class of every sample, ``[samples]``."""
        shares = self.ratio ** (-np.arange(self.classes) / (self.classes - 1))
        counts = np.maximum(1, np.round(self.samples * shares / shares.sum())).astype(int)
        counts[0] += self.samples - counts.sum()
        return np.repeat(np.arange(self.classes), counts)


def blind_nc1(config: BlindFeatures, seed: int) -> tuple[float, float]:
    """Return the noise floor of isotropic Gaussian features, and NC1 of features of one seed."""
    import theory
    from empirics import measure

    draw = np.random.default_rng([seed, config.samples, config.dimension])
    features = np.maximum(
        draw.normal(size=(config.samples, config.dimension)) - config.threshold, 0
    )
    numbers = {"classes": config.classes, "samples": config.samples, "dimension": config.dimension}
    floor = theory.catalogue()["collapse.noise_floor"](**numbers)
    return float(floor), measure.neural_collapse(
        features, config.labels, classes=config.classes
    ).nc1


def equal_steps(
    trace: xr.Dataset, metric: Callable[[xr.Dataset, str], Any] = separations.nc1
) -> Pair:
    """Return the first step of a logarithm, and the second."""
    steps = equiseparation(metric(trace, "train")).log_ratios
    return steps[:, 0], steps[:, 1]


def three_layers(trace: xr.Dataset) -> Pair:
    """Return the correlation that two steps of three layers have by the closed form, and that of the networks."""
    import theory

    law = equiseparation(trace)
    first, second = -law.log_ratios[:, :2].T
    falls = (first > 0) & (second > 0) & (law.log_ratios.shape[1] == 2)
    predicted = np.full(len(falls), np.nan)
    form = theory.catalogue()["collapse.three_layer_correlation"]
    predicted[falls] = -form(first[falls], second[falls])
    return predicted, law.r


def deepest_gap(trace: xr.Dataset) -> Pair:
    """Return 0, and log NC1 of the test images beyond that of the training images in the last layer."""
    return 0.0, statements.log_nc1_gap(trace)[:, -1]


def _about(
    name: str, sentence: str, compare: Callable[[xr.Dataset], Pair], quantity: str, **fields: Any
) -> Prediction:
    settings = {"resolution": STEP, "is_relative": False} | fields
    return Prediction(f"collapse.{name}", sentence, compare, SMOKE, quantity=quantity, **settings)


EQUAL_STEPS = _about(
    "equal_steps", "log NC1 falls from the second layer to the third as from the first to the second.", equal_steps,
    q.LATER_STEP,
)  # fmt: skip
EQUAL_TRACE_STEPS = _about(
    "equal_trace_steps", "log tr Σ_W / tr Σ_B falls by the same step from layer to layer.",
    partial(equal_steps, metric=statements.trace_ratio), q.LATER_TRACE_STEP,
)  # fmt: skip
CORRELATION_LAW = _about(
    "correlation_law", "The correlation of log NC1 with three layers is a function of its two steps.", three_layers,
    q.CORRELATION, resolution=1e-6, forms=("collapse.three_layer_correlation",),
)  # fmt: skip
COMPRESSION_GAP = _about(
    "compression_gap", "Test images collapse less than training images in the last layer.", deepest_gap, q.LOG_NC1_GAP,
    relation=">",
)  # fmt: skip
RANGE_RISE = _about(
    "range_rise", "Training spreads log NC1 over the layers.", lambda trace: (0.0, statements.range_rise(trace)),
    q.RANGE_RISE, relation=">",
)  # fmt: skip
NOISE_FLOOR = Prediction(
    "collapse.noise_floor", "NC1 of sparse features that know nothing of their class is that of Gaussian features.",
    blind_nc1, BlindFeatures(), forms=("collapse.noise_floor",), most=256,
)  # fmt: skip
FLOORS = PlannedMap(
    "collapse-floors",
    NOISE_FLOOR,
    {"samples": (40, 2000), "dimension": (16, 512), "ratio": (1.0, 100.0)},
    6000,
)
