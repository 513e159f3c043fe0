"""The half of a symmetric matrix below the diagonal, written tile by tile from the half above it.

The compiled core turns blocks of eight rows and columns around in registers, with whole lines of the cache. Numpy takes
one number of each line at a time, and up to four times as long.
"""

from ctypes import c_int64
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from closedform.compiled import LANES, Account, translated

SAVED = 5e-10  # processor seconds per entry
_ACCOUNT = Account()
_BELOW = np.tri(256, k=-1, dtype=bool)  # of a square that is higher than any tile
_FRAME = """\
declare i64 @llvm.smin.i64(i64, i64)
define i64 @f(ptr %above, ptr %below, i64 %stride, i64 %apart, i64 %rows, i64 %columns) {{
start:
  %lastrow = sub i64 %rows, LANES
  %lastcolumn = sub i64 %columns, LANES
  br label %block
block:
  %r = phi i64 [0, %start], [%nextr, %block]
  %c = phi i64 [0, %start], [%nextc, %block]
  %i = call i64 @llvm.smin.i64(i64 %r, i64 %lastrow)
  %j = call i64 @llvm.smin.i64(i64 %c, i64 %lastcolumn)
  %d = sub i64 %j, %i
  %e = add i64 %d, %apart
  %f = insertelement VI poison, i64 %e, i64 0
  %diagonal = shufflevector VI %f, VI poison, <LANES x i32> zeroinitializer
  {steps}
  %r1 = add i64 %r, LANES
  %isend = icmp sge i64 %r1, %rows
  %nextr = select i1 %isend, i64 0, i64 %r1
  %c1 = add i64 %c, LANES
  %nextc = select i1 %isend, i64 %c1, i64 %c
  %more = icmp slt i64 %nextc, %columns
  br i1 %more, label %block, label %stop
stop:
  ret i64 0
}}
"""
_READ = """\
%{v}r = add i64 %{row}, {k}
  %{v}s = mul i64 %{v}r, %stride
  %{v}o = getelementptr i8, ptr %{half}, i64 %{v}s
  %{v}p = getelementptr {kind}, ptr %{v}o, i64 %{column}
  %{v} = load <LANES x {kind}>, ptr %{v}p, align 4"""
_WRITE = """\
%h{k} = icmp slt VI <{lanes}>, %diagonal
  %z{k} = select VB %h{k}, <LANES x {kind}> %{value}, <LANES x {kind}> %y{k}
  store <LANES x {kind}> %z{k}, ptr %y{k}p, align 4"""


def mirror(matrix: NDArray[Any], top: int, left: int, rows: int, columns: int) -> None:
    """Write the entries of a tile that are above the diagonal of a symmetric matrix ``[N, N]`` below it."""
    stride, size = matrix.strides
    if size == matrix.itemsize and min(rows, columns) >= LANES and _ACCOUNT.pays(SAVED * rows * columns):
        first, turned = matrix.__array_interface__["data"][0], _turned("double" if size == 8 else "float")
        above, below = first + top * stride + left * size, first + left * stride + top * size
        turned(above, below, stride, left - top, rows, columns)
        return
    down = slice(top, top + rows)
    if top == left:
        np.copyto(matrix[down, down], matrix[down, down].T, where=_BELOW[:rows, :rows])
    after = slice(max(left, down.stop), left + columns)
    matrix[after, down] = matrix[down, after].T


@cache
def _turned(kind: str) -> Any:
    """Return the compiled loop of a tile, its mirror image, bytes between rows, left minus top, rows and columns."""
    lanes = range(LANES)
    steps = [_READ.format(v=f"x{k}", k=k, kind=kind, half="above", row="i", column="j") for k in lanes]
    steps += [_READ.format(v=f"y{k}", k=k, kind=kind, half="below", row="j", column="i") for k in lanes]
    values = [f"x{k}" for k in lanes]
    for half in (1, 2, 4):  # rows at this distance exchange half of their numbers
        for k in (k for k in lanes if not k & half):
            pair = f"<LANES x {kind}> %{values[k]}, <LANES x {kind}> %{values[k + half]}"
            for row, kept in ((k, 0), (k + half, half)):
                values[row] = f"v{half}x{row}"
                chosen = ", ".join(f"i32 {(lane & ~half | kept) + LANES * bool(lane & half)}" for lane in lanes)
                steps.append(f"%{values[row]} = shufflevector {pair}, <LANES x i32> <{chosen}>")
    for k in lanes:
        after = ", ".join(f"i64 {lane - k}" for lane in lanes)
        steps.append(_WRITE.format(k=k, kind=kind, value=values[k], lanes=after))
    return translated(_FRAME.format(steps="\n  ".join(steps)), [c_int64] * 6)
