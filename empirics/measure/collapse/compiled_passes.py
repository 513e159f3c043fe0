"""Both passes of neural collapse as loops over float32 features in memory, by the optional extra ``fast``.

The class sums are those of the ordinary way, bit for bit; lengths and coordinates are summed in another order. So that
the same call has the same bits, the size of a batch decides, and not what was computed before. A pair of samples takes
each number of a direction from the cache once. The last columns, fewer than ``LANES``, are torch's.
"""

from collections.abc import Callable
from ctypes import c_int64
from functools import cache

import torch
from torch import Tensor

from closedform import compiled
from closedform.compiled import LANES, translated

COLUMNS = 2048  # of a tile, so that means and directions stay in the processor's second cache
MOST_DIRECTIONS = 12  # whose sums of two samples stay in registers; a matrix product is faster for many
FEWEST = 2**22  # numbers of a batch; it saves five milliseconds, and the loops are translated in 0.1 seconds, once
_TEXT = """\
declare double @llvm.vector.reduce.fadd.vLANESf64(double, VF)
declare VF @llvm.fmuladd.vLANESf64(VF, VF, VF)
define i64 @f({pointers}, i64 %rows, i64 %stride, i64 %columns) {{
start:
  %last = sub i64 %rows, 1
  br label %row
row:
  %n0 = phi i64 [0, %start], [%next, %done]
  %n1a = add i64 %n0, 1
  %n1 = call i64 @llvm.smin.i64(i64 %n1a, i64 %last)
  {of_row}
  br label %column
column:
  %i = phi i64 [0, %row], [%i1, %column]
  {sums}
  {steps}
  %i1 = add i64 %i, LANES
  %more = icmp slt i64 %i1, %columns
  br i1 %more, label %column, label %done
done:
  {stores}
  %next = add i64 %n0, {together}
  %again = icmp slt i64 %next, %rows
  br i1 %again, label %row, label %stop
stop:
  ret i64 0
}}
declare i64 @llvm.smin.i64(i64, i64)
"""
_OF_ROW = """\
%xa{s} = mul i64 %n{s}, %stride
  %xp{s} = getelementptr float, ptr %x, i64 %xa{s}
  %yp{s} = getelementptr i64, ptr %y, i64 %n{s}
  %y{s} = load i64, ptr %yp{s}
  %ca{s} = mul i64 %y{s}, %stride
  %cp{s} = getelementptr double, ptr %of_class, i64 %ca{s}"""
_READ = """\
%lp{s} = getelementptr float, ptr %xp{s}, i64 %i
  %l{s} = load <LANES x float>, ptr %lp{s}, align 4
  %d{s} = fpext <LANES x float> %l{s} to VF
  %mp{s} = getelementptr double, ptr %cp{s}, i64 %i
  %m{s} = load VF, ptr %mp{s}, align 8"""
_DIRECTION = """\
%ra{k} = mul i64 %stride, {k}
  %rb{k} = add i64 %ra{k}, %i
  %rp{k} = getelementptr double, ptr %directions, i64 %rb{k}
  %r{k} = load VF, ptr %rp{k}, align 8"""
_SUM = "%t{s}_{k} = phi VF [zeroinitializer, %row], [%u{s}_{k}, %column]"
_PRODUCT = "%u{s}_{k} = call VF @llvm.fmuladd.vLANESf64(VF %{x}, VF %{y}, VF %t{s}_{k})"
_REDUCED = """\
%oa{s}_{k} = mul i64 %n{s}, {width}
  %ob{s}_{k} = add i64 %oa{s}_{k}, {k}
  %op{s}_{k} = getelementptr double, ptr %out, i64 %ob{s}_{k}
  %o{s}_{k} = load double, ptr %op{s}_{k}
  %z{s}_{k} = call double @llvm.vector.reduce.fadd.vLANESf64(double %o{s}_{k}, VF %u{s}_{k})"""


def _loop(together: int, names: str, **parts: list[str]) -> Callable[..., int]:
    pointers = ", ".join(f"ptr %{name}" for name in names.split())
    joined = {name: "\n  ".join(lines) for name, lines in parts.items()}
    text = _TEXT.format(pointers=pointers, together=together, **joined)
    return translated(text, [c_int64] * (len(names.split()) + 3))


@cache
def _summing() -> Callable[..., int]:
    """Return the loop that adds samples to the sums of their classes, one after the other, and their squares."""
    steps = [
        _READ.format(s=0), "%fp = getelementptr double, ptr %reference, i64 %i", "%f = load VF, ptr %fp, align 8",
        "%e = fsub VF %d0, %f", "%g = fadd VF %m0, %e", "store VF %g, ptr %mp0, align 8",
        _PRODUCT.format(s=0, k=0, x="d0", y="d0"),
    ]  # fmt: skip
    stores = [_REDUCED.format(s=0, k=0, width=1), "store double %z0_0, ptr %op0_0"]
    of_row, sums = [_OF_ROW.format(s=0)], [_SUM.format(s=0, k=0)]
    return _loop(1, "x y of_class reference out", of_row=of_row, sums=sums, steps=steps, stores=stores)


@cache
def _projecting(directions: int) -> Callable[..., int]:
    """Return the loop that adds to the squared lengths and coordinates of deviations what some columns contribute."""
    pairs = [(s, k) for s in (0, 1) for k in range(directions + 1)]
    steps = [line for s in (0, 1) for line in (_READ.format(s=s), f"%e{s} = fsub VF %d{s}, %m{s}")]
    steps += [_DIRECTION.format(k=k) for k in range(directions)]
    steps += [_PRODUCT.format(s=s, k=k, x=f"e{s}", y=f"r{k}" if k < directions else f"e{s}") for s, k in pairs]
    stores = [_REDUCED.format(s=s, k=k, width=directions + 1) for s, k in pairs]
    stores += [f"store double %z{s}_{k}, ptr %op{s}_{k}" for s, k in pairs]  # all are read before: both may be one row
    of_row, sums = [_OF_ROW.format(s=s) for s in (0, 1)], [_SUM.format(s=s, k=k) for s, k in pairs]
    return _loop(2, "x y of_class directions out", of_row=of_row, sums=sums, steps=steps, stores=stores)


def pays(x: Tensor, directions: int = 0) -> bool:
    """Return whether the loops take these features ``[N, D]``, and save time."""
    fits = x.device.type == "cpu" and x.dtype == torch.float32 and x.is_contiguous() and x.shape[1] >= LANES
    is_worth = x.numel() >= FEWEST and directions <= MOST_DIRECTIONS
    return fits and is_worth and compiled.choice != "off" and compiled.is_installed()


def add_samples(x: Tensor, y: Tensor, reference: Tensor, sums: Tensor) -> float:
    """Add ``x`` minus the reference to the sums of the classes ``y``, in place; return the sum of all squares."""
    squares, whole = x.new_zeros(len(x), dtype=torch.float64), x.shape[1] // LANES * LANES
    _tiles(_summing(), x, y, (sums, reference), squares)
    rest = x[:, whole:].double()
    sums[:, whole:].index_add_(0, y, rest - reference[whole:])
    return float(squares.sum() + rest.square().sum())


def projected(x: Tensor, y: Tensor, points: Tensor, directions: Tensor) -> tuple[Tensor, Tensor]:
    """Return products with ``directions [k, D]``, ``[N, k]``, and lengths ``[N]`` of samples minus their points."""
    out, whole = x.new_zeros(len(x), len(directions) + 1, dtype=torch.float64), x.shape[1] // LANES * LANES
    _tiles(_projecting(len(directions)), x, y, (points, directions), out)
    rest = x[:, whole:].double() - points[:, whole:][y]
    out[:, :-1] += rest @ directions[:, whole:].T
    out[:, -1] += rest.square().sum(1)
    return out[:, :-1], out[:, -1].sqrt()


def _tiles(loop: Callable[..., int], x: Tensor, y: Tensor, columns: tuple[Tensor, Tensor], out: Tensor) -> None:
    stride, y = x.shape[1], y.contiguous()
    for start in range(0, stride // LANES * LANES, COLUMNS):
        count = min(COLUMNS, stride // LANES * LANES - start)
        addresses = x.data_ptr() + 4 * start, y.data_ptr(), *(part.data_ptr() + 8 * start for part in columns)
        loop(*addresses, out.data_ptr(), len(x), stride, count)
