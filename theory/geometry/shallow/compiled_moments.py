"""The moments of ``plane`` in one loop of machine code, which reads the derivatives of the activation once."""

from __future__ import annotations

from collections.abc import Callable
from ctypes import c_int64
from functools import cache

import numpy as np
from numpy.typing import NDArray

from closedform.compiled import LANES, translated

Array = NDArray[np.float64]
FACTORS = ("q", "q", "q", "p", "p", "p", "p", "a", "a")  # of the moments: slope^2, slope bend, |slope bend|
MOMENTS = range(len(FACTORS))
_TEXT = """\
declare VF @llvm.fabs.vLANESf64(VF)
define i64 @f(ptr %w, ptr %slopes, ptr %bends, ptr %out, i64 %units, i64 %points, i64 %group) {{
start:
  %last = sub i64 %points, LANES
  br label %point
point:
  %c = phi i64 [0, %start], [%c1, %stored]
  %late = icmp sgt i64 %c, %last
  %i = select i1 %late, i64 %last, i64 %c
  br label %groups
groups:
  %u0 = phi i64 [0, %point], [%u1, %added]
  {totals}
  %stop0 = add i64 %u0, %group
  %beyond = icmp sgt i64 %stop0, %units
  %stop = select i1 %beyond, i64 %units, i64 %stop0
  br label %unit
unit:
  %u = phi i64 [%u0, %groups], [%u1, %unit]
  {sums}
  %row = mul i64 %u, %points
  %at = add i64 %row, %i
  %sp = getelementptr double, ptr %slopes, i64 %at
  %s = load VF, ptr %sp, align 8
  %bp = getelementptr double, ptr %bends, i64 %at
  %b = load VF, ptr %bp, align 8
  %q = fmul VF %s, %s
  %p = fmul VF %s, %b
  %a = call VF @llvm.fabs.vLANESf64(VF %p)
  {terms}
  %u1 = add i64 %u, 1
  %more = icmp slt i64 %u1, %stop
  br i1 %more, label %unit, label %added
added:
  {added}
  %again = icmp slt i64 %u1, %units
  br i1 %again, label %groups, label %stored
stored:
  {stores}
  %c1 = add i64 %c, LANES
  %other = icmp slt i64 %c1, %points
  br i1 %other, label %point, label %end
end:
  ret i64 0
}}
"""
_TERM = """\
%wa{k} = mul i64 %units, {k}
  %wb{k} = add i64 %wa{k}, %u
  %wp{k} = getelementptr double, ptr %w, i64 %wb{k}
  %wd{k} = load double, ptr %wp{k}
  %we{k} = insertelement VF poison, double %wd{k}, i64 0
  %wv{k} = shufflevector VF %we{k}, VF poison, <LANES x i32> zeroinitializer
  %x{k} = fmul VF %wv{k}, %{factor}
  %n{k} = fadd VF %m{k}, %x{k}"""
_STORE = """\
%oa{k} = mul i64 %points, {k}
  %ob{k} = add i64 %oa{k}, %i
  %op{k} = getelementptr double, ptr %out, i64 %ob{k}
  store VF %T{k}, ptr %op{k}, align 8"""


@cache
def _loop() -> Callable[..., int]:
    parts = {
        "totals": [f"%t{k} = phi VF [zeroinitializer, %point], [%T{k}, %added]" for k in MOMENTS],
        "sums": [f"%m{k} = phi VF [zeroinitializer, %groups], [%n{k}, %unit]" for k in MOMENTS],
        "terms": [_TERM.format(k=k, factor=factor) for k, factor in enumerate(FACTORS)],
        "added": [f"%T{k} = fadd VF %t{k}, %n{k}" for k in MOMENTS],
        "stores": [_STORE.format(k=k) for k in MOMENTS],
    }
    return translated(_TEXT.format(**{name: "\n  ".join(lines) for name, lines in parts.items()}), [c_int64] * 7)


def compiled_moments(weights: Array, slopes: Array, bends: Array, group: int) -> Array:
    """Return the moments, ``[moment, point]``, of at least ``LANES`` points, summed by groups of units.

    The weights are those of each moment, ``[moment, width]``, and the derivatives ``[width, point]``, all contiguous.
    """
    units, points = slopes.shape
    result = np.empty((len(weights), points))
    assert points >= LANES
    _loop()(*(array.ctypes.data for array in (weights, slopes, bends, result)), units, points, group)
    return result
