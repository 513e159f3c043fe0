"""Table 1 of the two-point paper (van Rossem and Saxe 2024, appendix B.1): every named configuration, as printed.

The data are the released settings (inputs -1 and 0, targets 0.6 and 0.6 + sqrt(0.5)); the data printed in the
text (dx = 0.5, dy = 1) do not reproduce the published fits. The recorded hidden layer is the one just past the middle,
as in the released code: 11 of 20, 6 of 10, 2 of 2. Adam is not in the table; its learning rate and epochs are those of
the released code.
"""

from collections.abc import Mapping
from types import MappingProxyType

from empirics.experiments.two_point.config import Config

TABLE_1: Mapping[str, Config] = MappingProxyType(
    {
        "default": Config(gain=1.0, learning_rate=0.005),
        "convolution": Config(
            architecture="convolution", depth=10, gain=0.95, learning_rate=0.002
        ),
        "skip connections": Config(architecture="skip", gain=0.1, learning_rate=0.01),
        "shallow": Config(depth=2, gain=0.35, learning_rate=0.01),
        "narrow": Config(width=50, gain=1.05, learning_rate=0.005),
        "dropout": Config(architecture="dropout", depth=10, gain=1.0, learning_rate=0.005),
        "linear": Config(activation="linear", gain=0.85, learning_rate=0.00125),
        "ReLU": Config(activation="relu", gain=1.0, learning_rate=0.005),
        "ELU": Config(activation="elu", gain=0.95, learning_rate=0.00045),
        "tanh": Config(activation="tanh", gain=0.85, learning_rate=0.00125),
        "swish": Config(activation="swish", gain=1.7, learning_rate=0.0025),
        "low initial weights": Config(gain=0.9, learning_rate=0.015),
        "intermediate initial weights": Config(gain=1.1, learning_rate=0.0025),
        "high initial weights": Config(gain=1.3, learning_rate=0.00075),
        "very high initial weights": Config(gain=1.4, learning_rate=0.00025),
    }
)
ADAM = Config(optimiser="adam", learning_rate=1e-6, epochs=3000)

# Figure 2, top
ARCHITECTURES = ("default", "convolution", "skip connections", "shallow", "narrow", "dropout")
ACTIVATIONS = ("linear", "ReLU", "ELU", "tanh", "swish")  # Figure 2, bottom
INITIAL_WEIGHTS = (  # Figure 3
    "low initial weights", "default", "intermediate initial weights", "high initial weights",
    "very high initial weights",
)  # fmt: skip
SEEDS = 50  # "50 trials", appendix B.1
