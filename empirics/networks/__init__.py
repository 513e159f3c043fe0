"""Networks as functions of batched parameters: weights carry a leading seed dimension, so that many nets train as one.

:func:`build` gives one of ``fully_connected``, ``convolution``, ``skip``, ``dropout``;
:func:`initial_weights` draws its parameters for a list of seeds; :func:`single` is one of these nets as an ordinary
``nn.Module``. Image classifiers that can be cut into encoder and decoder, one net at a time: :func:`plain_cnn`,
:func:`residual_cnn`, :func:`mlp`.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from empirics.networks.activations import ACTIVATIONS, Activation
    from empirics.networks.architecture import Architecture
    from empirics.networks.catalogue import ARCHITECTURES, build
    from empirics.networks.elementwise import Elementwise
    from empirics.networks.module import single
    from empirics.networks.perceptron import mlp
    from empirics.networks.plain import plain_cnn
    from empirics.networks.residual import residual_cnn
    from empirics.networks.resnet import ResNet
    from empirics.networks.staged import StagedClassifier, initialised
    from empirics.networks.weights import initial_weights

_HOME = {
    "ACTIVATIONS": "activations",
    "Activation": "activations",
    "Architecture": "architecture",
    "ARCHITECTURES": "catalogue",
    "build": "catalogue",
    "Elementwise": "elementwise",
    "ResNet": "resnet",
    "single": "module",
    "mlp": "perceptron",
    "plain_cnn": "plain",
    "residual_cnn": "residual",
    "StagedClassifier": "staged",
    "initialised": "staged",
    "initial_weights": "weights",
}
__all__ = [
    "ACTIVATIONS",
    "ARCHITECTURES",
    "Activation",
    "Architecture",
    "Elementwise",
    "ResNet",
    "StagedClassifier",
    "build",
    "initial_weights",
    "initialised",
    "mlp",
    "plain_cnn",
    "residual_cnn",
    "single",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(__all__)}")
