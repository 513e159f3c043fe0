r"""Symbols of the closed forms for Leaky ResNets, and the meaning of each.

``depth`` is the effective depth :math:`\tilde L`, not the number of layers; ``position`` is *p*. Sizes of one singular
mode carry the unit of the representations.
"""

from functools import partial

import sympy as sp

from theory.core import Argument
from theory.engine import Lagrangian

depth = sp.Symbol("depth", positive=True)
position = sp.Symbol("position", nonnegative=True)
start, end = sp.symbols("start end", positive=True)
start_mean, end_mean = sp.symbols("start_mean end_mean", real=True)
rate = sp.Symbol("rate", positive=True)
layers = sp.Symbol("layers", positive=True, integer=True)
target = sp.Symbol("target", positive=True)
samples = sp.Symbol("samples", positive=True, integer=True)

DEPTH = Argument(depth, "effective depth", sample=(0.5, 8), example=7, latex=r"\tilde{L}")
POSITION = Argument(
    position, "position along the path, from 0 to 1", sample=(0, 1), example=0.5, latex="p"
)
START = Argument(
    start,
    "singular value at p = 0",
    unit="representation",
    sample=(0.3, 3),
    example=1,
    latex="s_{0}",
)
END = Argument(
    end,
    "singular value at p = 1",
    unit="representation",
    sample=(0.3, 3),
    example=1,
    latex="s_{1}",
)
START_MEAN = Argument(
    start_mean, "mean of the neuron at p = 0", sample=(-2, 2), example=1, latex="m_{0}"
)
END_MEAN = Argument(
    end_mean, "mean of the neuron at p = 1", sample=(-2, 2), example=-1, latex="m_{1}"
)
RATE = Argument(rate, "exponential rate of the path", sample=(0.5, 4), example=2, latex=r"\Omega")
LAYERS = Argument(layers, "number of layers", sample=(2, 60), example=18, latex="L")
TARGET = Argument(
    target,
    "singular value of the target",
    unit="representation",
    sample=(2, 3),
    example=2.5,
    latex="s^{*}",
)
SAMPLES = Argument(samples, "number of training samples", sample=(1, 20), example=10, latex="N")

# These symbols stand for a path and its derivative in a Lagrangian.
value, slope = sp.symbols("value slope", real=True)
along = partial(Lagrangian, slopes={value: slope}, position=position)
