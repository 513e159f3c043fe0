"""The configuration of random networks of one width and depth at one input or two."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from empirics.networks.names import ActivationName
from empirics.runs.config import Configuration


@dataclass(frozen=True)
class Config(Configuration):
    """Settings of one run: fully connected networks with Gaussian weights and equally wide hidden layers.

    Attributes:
        activation: a name, an expression in ``z``, or an import path "module:function".
        width: units of every hidden layer.
        depth: number of hidden layers.
        norm: squared norm of the input.
        weight_variance: variance of a weight times the width of the layer below, C.
        bias_variance: variance of a bias, C_b.
        networks: number of networks of a seed.
        draw: "weights" draws every weight and measures the tangent kernel, too. "units" draws the units of a layer
            given the layer below, which are independent Gaussians; it needs no matrices.
        other_norm: squared norm of a second input, whose kernels are measured, too. None: there is none.
        cosine: that of the angle between both inputs.

    >>> Config(width=10).depth
    3
    """

    experiment: ClassVar[str] = "finite_width"
    added: ClassVar[tuple[str, ...]] = ("other_norm", "cosine")

    activation: ActivationName = "relu"
    width: int = 30
    depth: int = 3
    norm: float = 1.0
    weight_variance: float = 2.0
    bias_variance: float = 0.0
    networks: int = 1000
    draw: Literal["weights", "units"] = "weights"
    other_norm: float | None = None
    cosine: float = 0.5
    seeds: int = 8
    first_seed: int = 0
    device: str = "cpu"

    def __post_init__(self) -> None:
        self.check_integers(width=1, depth=1, networks=2, seeds=1, first_seed=0)
        self.check_numbers("norm", "other_norm", "weight_variance", above=0)
        self.check_numbers("cosine", above=-1, below=1)
        self.check_numbers("bias_variance", least=0)

    @property
    def label(self) -> str:
        """Activation, shape and both variances in words."""
        variances = f"variances {self.weight_variance:g} and {self.bias_variance:g}"
        two = "" if self.other_norm is None else f", cosine {self.cosine:g}"
        return f"{self.activation}, width {self.width}, depth {self.depth}, {variances}{two}"

    @property
    def inner_products(self) -> dict[str, float]:
        """Inner products of the inputs: of the first with itself, of both, and of the second; the first without one."""
        if self.other_norm is None:
            return {"xx": self.norm}
        between = self.cosine * (self.norm * self.other_norm) ** 0.5
        return {"xx": self.norm, "xy": between, "yy": self.other_norm}

    def _in_words(self) -> str:
        return f"{self.label}, {self.networks} networks each"
