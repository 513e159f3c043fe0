"""The named configurations of Table 1 at laptop size: mostly 10 hidden layers of 100 units, three or five seeds.

Chosen so that each one trains to the end in the regime that its name promises, all of them in about a minute on one
core. What differs from Table 1 beside the size, and why:

- From layer to layer a leaky ReLU network scales squared distances by about gain²/2. The recorded layer is the 6th
  instead of the 11th, so the same gain starts from larger distances: "high initial weights" takes gain 1.2, which gives
  the initial dh2 of 1.3 in 20 layers. At 1.4 the theory fails, as published.
- With fewer layers larger steps are stable: the learning rates of linear, ELU, tanh and of the higher gains are larger
  than printed, so that 6000 epochs are enough.
- Linear and ELU pass distances on nearly undamped, so they take smaller gains, which keeps dh2 below 0.3 at the start.
- Skip connections: twice the learning rate, half the epochs: the same length of gradient flow.
- Convolution: width 50 in 6 layers, 2000 epochs, because a step costs twenty times that of a fully connected network.
- Dropout: its noise does not fade as the network learns, and 100 units average over fewer masks than 500; R² is 0.95 to
  0.98.
- Adam: the learning rate at which it is done after about 1000 steps.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from empirics.experiments.two_point.config import Config

BASE = Config(depth=10, width=100)

LAPTOP: Mapping[str, Config] = MappingProxyType(
    {
        "default": BASE,
        "convolution": replace(
            BASE,
            architecture="convolution",
            depth=6,
            width=50,
            gain=0.8,
            learning_rate=0.01,
            epochs=2000,
            seeds=3,
            layers=None,
        ),
        "skip connections": replace(BASE, architecture="skip", gain=0.1, learning_rate=0.02, epochs=3000, seeds=3),
        "shallow": replace(BASE, depth=2, gain=0.35, learning_rate=0.01, layers=None),
        "narrow": replace(BASE, width=50, gain=1.05),
        "dropout": replace(BASE, architecture="dropout", epochs=4000, seeds=3),
        "linear": replace(BASE, nonlinearity="linear", gain=0.75, learning_rate=0.005),
        "ReLU": replace(BASE, nonlinearity="relu"),
        "ELU": replace(BASE, nonlinearity="elu", gain=0.85, learning_rate=0.0025),
        "tanh": replace(BASE, nonlinearity="tanh", gain=0.85, learning_rate=0.0025),
        "swish": replace(BASE, nonlinearity="swish", gain=1.7, learning_rate=0.0025),
        "low initial weights": replace(BASE, gain=0.9, learning_rate=0.015),
        "intermediate initial weights": replace(BASE, gain=1.1, learning_rate=0.0025),
        "high initial weights": replace(BASE, gain=1.2, learning_rate=0.002),
        "very high initial weights": replace(BASE, gain=1.4, learning_rate=0.0005),
    }
)
ADAM = replace(BASE, optimiser="adam", learning_rate=1e-5, epochs=2000, seeds=3)
