"""The hidden layer of ReLU networks as loops over float32 numbers in memory, by the optional extra ``fast``.

One loop computes the preactivations of sixteen neurons at a point, adds to its output, and keeps their signs as sixteen
bits; the other adds the forces where a sign is positive. Sums are made in another order than by products of matrices,
so that the size of a network and of its training set decides, and not what was computed before.
"""

import math
from collections.abc import Callable, Sequence
from ctypes import c_int64
from functools import cache

import torch
from torch import Tensor

from closedform import compiled
from closedform.compiled import translated

LANES = 16  # neurons that the loops treat at once
FEWEST = 2**18  # pairs of a point and a neuron; the loops are translated in a twentieth of a second, once
MOST_INPUTS = 12  # whose weights, or forces, of sixteen neurons stay in registers
POINTS = 512  # in a block, whose sums stay in the processor's first cache
_TEXT = """\
define i64 @f(ptr %x, ptr %weights, ptr %output, ptr %signs, ptr %sums, i64 %points, i64 %neurons) {{
start:
  br label %neuron
neuron:
  %n = phi i64 [0, %start], [%n1, %done]
  %before = mul i64 %n, %points
  {before}
  br label %point
point:
  %q = phi i64 [0, %neuron], [%q1, %point]
  {phis}
  %place = add i64 %before, %q
  {each}
  %q1 = add i64 %q, 1
  %more = icmp slt i64 %q1, %points
  br i1 %more, label %point, label %done
done:
  {after}
  %n1 = add i64 %n, 1
  %again = icmp slt i64 %n1, %neurons
  br i1 %again, label %neuron, label %stop
stop:
  ret i64 0
}}
declare VF @llvm.fmuladd.v16f32(VF, VF, VF)"""


def _load(name: str, kind: str, array: str, *place: object, of: str = "") -> str:
    """Return the text that loads a number or a vector ``name`` from its place in an array, of rows ``of``."""
    index = ", ".join(f"i64 {each}" for each in place)
    return (
        f"%{name}p = getelementptr {of or kind}, ptr %{array}, {index}\n  %{name} = load {kind}, ptr %{name}p, align 2"
    )


def _loop(inputs: int, **parts: Sequence[str]) -> Callable[..., int]:
    point = [
        f"{_load(f's{k}', 'float', 'x', '%q', k, of=f'[{inputs} x float]')}\n"
        f"  %i{k} = insertelement VF poison, float %s{k}, i64 0\n"
        f"  %x{k} = shufflevector VF %i{k}, VF poison, <16 x i32> zeroinitializer"
        for k in range(inputs)
    ]
    weights = [_load(f"w{k}", "VF", "weights", "%n", k, of=f"[{inputs} x VF]") for k in range(inputs)]
    parts = {"phis": (), "after": (), **parts, "before": [*weights, *parts["before"]], "each": [*point, *parts["each"]]}
    text = _TEXT.format(**{name: "\n  ".join(lines) for name, lines in parts.items()})
    return translated(text.replace("VF", "<16 x float>"), [c_int64] * 7)


@cache
def _outputs(inputs: int) -> Callable[..., int]:
    """Return the loop that adds to the outputs, by lane, and stores which neurons are active; NaN is, to be seen."""
    products = [
        f"%z{k + 1} = call VF @llvm.fmuladd.v16f32(VF %x{k}, VF %w{k}, VF {f'%z{k}' if k else 'zeroinitializer'})"
        for k in range(inputs)
    ]
    adds = f"""%is = fcmp ugt VF %z{inputs}, zeroinitializer
  %bits = bitcast <16 x i1> %is to i16
  %signp = getelementptr i16, ptr %signs, i64 %place
  store i16 %bits, ptr %signp, align 2
  {_load("f", "VF", "sums", "%q")}
  %g = call VF @llvm.fmuladd.v16f32(VF %z{inputs}, VF %b, VF %f)
  %h = select <16 x i1> %is, VF %g, VF %f
  store VF %h, ptr %fp, align 4"""
    return _loop(inputs, before=[_load("b", "VF", "output", "%n")], each=[*products, adds])


@cache
def _forces(inputs: int) -> Callable[..., int]:
    """Return the loop that adds to the forces of neurons the pulls of the points at which they are active."""
    signs, each = f"{_load('bits', 'i16', 'signs', '%place')}\n  %is = bitcast i16 %bits to <16 x i1>", range(inputs)
    adds = [f"%a{k} = fadd VF %g{k}, %x{k}\n  %h{k} = select <16 x i1> %is, VF %a{k}, VF %g{k}" for k in each]
    phis = [f"%g{k} = phi VF [zeroinitializer, %neuron], [%h{k}, %point]" for k in each]
    after = [f"%t{k} = fadd VF %w{k}, %h{k}\n  store VF %t{k}, ptr %w{k}p, align 4" for k in each]
    return _loop(inputs, before=(), phis=phis, each=[signs, *adds], after=after)


def pays(points: Tensor, hidden: Tensor) -> bool:
    """Return whether the loops take networks ``[row, neuron, inputs]`` at points ``[row, point, inputs]``."""
    fits = hidden.device.type == "cpu" and hidden.dtype == points.dtype == torch.float32
    is_worth = points.shape[1] * hidden.shape[1] >= FEWEST and hidden.shape[2] <= MOST_INPUTS
    return fits and is_worth and compiled.choice != "off" and compiled.is_installed()


class LoopedLayer:
    """A :class:`empirics.training.hidden_layer.HiddenLayer` by loops, one network after the other."""

    block = POINTS

    def __init__(self, hidden: Tensor, output: Tensor) -> None:
        self._networks, self._neurons, self._inputs = hidden.shape
        rest = -self._neurons % LANES
        lanes = torch.nn.functional.pad(hidden, (0, 0, 0, rest)).reshape(len(hidden), -1, LANES, self._inputs)
        self._weights, self._output = lanes.mT.contiguous(), torch.nn.functional.pad(output, (0, rest)).contiguous()
        self._sums = torch.zeros_like(self._weights)

    def outputs(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return *f* ``[row, point]`` at extended points ``[row, point, d + 1]``, and the signs of preactivations."""
        x, points, blocks = x.contiguous(), x.shape[1], self._weights.shape[1]
        signs, sums = x.new_empty(self._networks, blocks, points, dtype=torch.int16), x.new_zeros(*x.shape[:2], LANES)
        for parts in zip(x, self._weights, self._output, signs, sums, strict=True):
            _outputs(self._inputs)(*(part.data_ptr() for part in parts), points, blocks)
        return math.sqrt(2) / self._neurons * sums.sum(dim=2), signs

    def pull(self, pulls: Tensor, active: Tensor) -> None:
        """Add to the forces of the active neurons ``pulls [row, point, d + 1]``."""
        for ours, signs, sums in zip(pulls, active, self._sums, strict=True):
            acting = ours.any(dim=1)
            if 2 * int(acting.sum()) < len(ours):  # fitted points pull at nothing
                ours, signs = ours[acting], signs[:, acting]
            parts = ours.contiguous(), sums, sums, signs.contiguous(), sums
            if len(ours):
                _forces(self._inputs)(*(part.data_ptr() for part in parts), len(ours), len(signs))

    @property
    def forces(self) -> Tensor:
        """The sum of all pulls, ``[row, neuron, d + 1]``."""
        return self._sums.mT.flatten(1, 2)[:, : self._neurons].contiguous()
