"""The configuration of a two-point run: which network, which data, how it is trained and what is recorded."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import torch
from torch import Tensor

from empirics import networks
from empirics.experiments import config as check
from empirics.networks.architecture import Architecture

OPTIMISERS = ("gd", "adam")
DTYPES = {"float32": torch.float32, "float64": torch.float64}


@dataclass(frozen=True)
class Config:
    """One run: the default architecture of the paper's Table 1 unless said otherwise.

    Attributes:
        architecture: "fully_connected", "convolution", "skip" or "dropout".
        nonlinearity: "leaky_relu", "relu", "elu", "tanh", "swish" or "linear".
        depth: number of hidden layers.
        width: units in a hidden layer.
        gain: factor on Xavier's standard deviation.
        dx: distance of the two inputs.
        dy: distance of the two targets.
        x1: the first input; in more dimensions, along (1, ..., 1)/sqrt(inputs).
        y1: the first target; in more dimensions, along (1, ..., 1)/sqrt(outputs).
        inputs: dimension of the input.
        outputs: dimension of the output.
        optimiser: "gd" or "adam".
        learning_rate: step size; one step is one epoch.
        epochs: number of steps.
        seeds: number of networks, trained as one batch.
        first_seed: seeds are first_seed, first_seed + 1, ...
        layers: hidden layers to record, 1-based; when not given, the one just past the middle (11 of 20), as in the
            released code.
        device: as torch names it.
        dtype: of the training, "float32" or "float64"; traces are float64.
        channels: convolution only.
        kernel: convolution only, odd.
        dropout: dropout only, a probability.
        negative_slope: of the leaky ReLU.
    """

    experiment: ClassVar[str] = "two_point"

    architecture: Literal["fully_connected", "convolution", "skip", "dropout"] = "fully_connected"
    nonlinearity: Literal["leaky_relu", "relu", "elu", "tanh", "swish", "linear"] = "leaky_relu"
    depth: int = 20
    width: int = 500
    gain: float = 1.0
    dx: float = 1.0
    dy: float = math.sqrt(0.5)
    x1: float = -1.0
    y1: float = 0.6
    inputs: int = 1
    outputs: int = 1
    optimiser: Literal["gd", "adam"] = "gd"
    learning_rate: float = 0.005
    epochs: int = 6000
    seeds: int = 5
    first_seed: int = 0
    layers: tuple[int, ...] | None = None
    device: str = "cpu"
    dtype: Literal["float32", "float64"] = "float32"
    channels: int = 20
    kernel: int = 11
    dropout: float = 0.1
    negative_slope: float = 0.01

    def __post_init__(self) -> None:
        def put(name: str, value: Any) -> None:
            object.__setattr__(self, name, value)

        for name in ("depth", "width", "inputs", "outputs", "epochs", "seeds", "channels", "kernel"):
            put(name, check.whole(name, getattr(self, name), 1))
        put("first_seed", check.whole("first_seed", self.first_seed, 0))
        for name in ("gain", "dx", "learning_rate"):
            put(name, check.real(name, getattr(self, name), positive=True))
        put("dy", check.real("dy", self.dy, at_least=0))
        for name in ("x1", "y1"):
            put(name, check.real(name, getattr(self, name)))
        put("dropout", check.real("dropout", self.dropout, at_least=0, below=1))
        put("negative_slope", check.real("negative_slope", self.negative_slope, at_least=0))
        check.one_of("architecture", self.architecture, tuple(networks.ARCHITECTURES))
        check.one_of("nonlinearity", self.nonlinearity, tuple(networks.ACTIVATIONS))
        check.one_of("optimiser", self.optimiser, OPTIMISERS)
        check.one_of("dtype", self.dtype, tuple(DTYPES))
        if self.kernel % 2 == 0:
            raise ValueError(f"kernel: got {self.kernel}, needs an odd number (the padding keeps the width)")
        if not isinstance(self.device, str):
            raise TypeError(f"device: got {self.device!r}, needs text such as 'cpu' or 'cuda'")
        put("layers", self._layers())

    def _layers(self) -> tuple[int, ...]:
        if self.layers is None:
            return (min(self.depth // 2 + 1, self.depth),)
        if not isinstance(self.layers, Iterable):
            raise TypeError(f"layers: got {self.layers!r}, needs a sequence of integers")
        layers = tuple(check.whole("layers", layer, 1) for layer in self.layers)
        if not layers or len(set(layers)) < len(layers) or max(layers) > self.depth:
            raise ValueError(f"layers: got {layers}, needs distinct hidden layers between 1 and depth = {self.depth}")
        return layers

    def to_json(self) -> str:
        """This configuration as JSON text."""
        return check.as_json(self)

    @classmethod
    def from_json(cls, text: str) -> Config:
        """The configuration that :meth:`to_json` wrote."""
        fields = json.loads(text)
        if fields.pop("experiment", cls.experiment) != cls.experiment:
            raise ValueError(f"config: is of another experiment than {cls.experiment}")
        return cls(**fields)

    @property
    def described(self) -> str:
        """This configuration in a few words."""
        return (
            f"{self.architecture}, {self.nonlinearity}, {self.depth}×{self.width}, {self.epochs} epochs, "
            f"{self.seeds} seed{'s' if self.seeds > 1 else ''}, {self.device}"
        )

    @property
    def seed_numbers(self) -> range:
        """The seeds of the networks."""
        return range(self.first_seed, self.first_seed + self.seeds)

    def data(self) -> tuple[Tensor, Tensor]:
        """Inputs ``[2, inputs]`` and targets ``[2, outputs]``, float64."""
        x = torch.tensor([[self.x1], [self.x1 + self.dx]], dtype=torch.float64)
        y = torch.tensor([[self.y1], [self.y1 + self.dy]], dtype=torch.float64)
        return x.expand(2, self.inputs) / math.sqrt(self.inputs), y.expand(2, self.outputs) / math.sqrt(self.outputs)

    def network(self) -> Architecture:
        """The architecture."""
        return networks.build(
            self.architecture, nonlinearity=self.nonlinearity, inputs=self.inputs, outputs=self.outputs,
            width=self.width, depth=self.depth, negative_slope=self.negative_slope, channels=self.channels,
            kernel=self.kernel, dropout=self.dropout,
        )  # fmt: skip
