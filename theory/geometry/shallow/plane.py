r"""Scalar curvature for two inputs from seven moments, with a proved bound on its rounding error.

The metric :math:`E, F, H = \frac1n \sum_a \varphi'^2 (w_1^2, w_1 w_2, w_2^2)` and its derivatives
:math:`t_k = \frac2n \sum_a \varphi' \varphi'' w_1^{3-k} w_2^k` are two thin matrix products for all inputs at once, and
:math:`R = -N/2D^2` with :math:`D = EH - F^2` and

.. math:: N = E (t_1 t_3 - t_2^2) - F (t_0 t_3 - t_1 t_2) + H (t_0 t_2 - t_1^2) .

This squares the condition number of the Jacobian, which the factorisation in ``frame`` avoids. The bound says where
that is harmless. In units of the inputs in which E = H = 1, so that :math:`|F| \le 1`, let :math:`s = \sum_k |t_k|`,
let :math:`\gamma` bound the relative error of a sum of n products, and let
:math:`\tau_i = \frac2n \sum_a |\varphi' \varphi''| |w_{ai}|^3`. By Hölder's inequality :math:`\tau_1` and
:math:`\tau_2` bound the sums of the absolute values of the terms of :math:`t_0` and :math:`t_3`, and the larger one,
:math:`\tau`, those of the other two. The errors of E, F and H are at most :math:`\gamma`, those of :math:`t_k` at most
:math:`\gamma` times these sums. The derivatives of N in the :math:`t_k` are computed, those in E, F and H add up to at
most M, the sum of the absolute values of the products in N, and so do the rounding errors of the formulas themselves,
of which :math:`\gamma` contains 32. Terms of second order add up to at most :math:`8 \gamma^2 \tau (\tau + s)`:

.. math:: |\delta N| \le \gamma \left( |\partial_0 N| \tau_1 + (|\partial_1 N| + |\partial_2 N|) \tau +
    |\partial_3 N| \tau_2 + 2 M \right) + 8 \gamma^2 \tau (\tau + s), \qquad |\delta D| \le 5 \gamma, \qquad
    |\delta R / R| \le |\delta N / N| + 11 \gamma / D

wherever the right-hand side is small.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from ctypes import c_int64
from functools import cache
from typing import Any

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from closedform.compiled import LANES, Account, translated
from theory.activations import Activation, z
from theory.activations.naming import cached
from theory.core.numbers.backends import numpy_backend
from theory.core.numbers.backends.array_program import ArrayProgram
from theory.core.numbers.backends.compiler import compile_expression
from theory.geometry.shallow.frame import Layer

NUMBERS_IN_A_BLOCK = 2**15  # 256 kB for each array, so that all stay in a processor's cache
LEAST_POINTS = 32  # inputs in a block; products with fewer columns are slow
UNITS = 64  # units that are summed at once; the sums are then added, so that fewer rounding errors add up
FORMULAS = 32  # rounding errors of an activation's derivatives and of the formulas, in half units in the last place
SMALLEST, LARGEST = 1e-140, 1e140  # metric between which no moment leaves the normal numbers
LARGEST_PREACTIVATION = 1e300  # of which no sum overflows
SAVED = 4e-9  # processor seconds for each derivative that the compiled core saves
_ACCOUNT = Account()

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


def scalar_curvature(layer: Layer) -> tuple[Array, Array]:
    """Return the Ricci scalar, [point], and a bound on its relative error, infinite or NaN where there is none."""
    w, v = weights = _scaled(layer.weights).T
    metric = np.stack([w * w, w * v, v * v]) / layer.width
    derivative = np.stack([w * w * w, w * w * v, w * v * v, v * v * v, *np.abs(weights) ** 3]) * (2 / layer.width)
    weights_of_moments = np.concatenate([metric, derivative])
    groups, left = divmod(layer.width, UNITS)
    rounding = (min(layer.width, UNITS) + groups + bool(left) + FORMULAS) * np.finfo(np.float64).eps / 2
    found = np.full((2, len(layer.points)), np.inf)
    with np.errstate(all="ignore"):
        preactivation = (
            2 * np.abs(layer.weights).max() * np.abs(layer.points).max(initial=0) + np.abs(layer.biases).max()
        )
        if not preactivation < LARGEST_PREACTIVATION:
            return found[0], found[1]
        moments = np.empty((len(weights_of_moments), len(layer.points)))
        for part, slopes, bends in _derivatives(layer):
            moments[:, part] = _moments(weights_of_moments, slopes, bends)
        _PROGRAM(list(moments), [rounding], found)
    return found[0], found[1]


def _of_moments(e: Any, f: Any, h: Any, t0: Any, t1: Any, t2: Any, t3: Any, u0: Any, u3: Any, g: Any) -> Any:
    """Return the curvature and the bound from the moments at a point and the error ``g`` of a sum."""
    a, b = 1 / np.sqrt(e), 1 / np.sqrt(h)
    usable = (e > SMALLEST) * (h > SMALLEST) * np.greater(LARGEST, e) * np.greater(LARGEST, h)
    f = f * (a * b)
    t0, t1, t2, t3 = t0 * (a * a * a), t1 * (a * a * b), t2 * (a * b * b), t3 * (b * b * b)
    u0, u3 = u0 * (a * a * a), u3 * (b * b * b)
    tau = (u0 + u3 + abs(u0 - u3)) / 2
    numerator = t1 * t3 - t2 * t2 - f * (t0 * t3 - t1 * t2) + t0 * t2 - t1 * t1
    determinant = 1 - f * f
    terms = abs(t1 * t3) + t2 * t2 + abs(f) * (abs(t0 * t3) + abs(t1 * t2)) + abs(t0 * t2) + t1 * t1
    inner = abs(t3 + f * t2 - 2 * t1) + abs(t0 + f * t1 - 2 * t2)
    change = abs(t2 - f * t3) * u0 + inner * tau + abs(t1 - f * t0) * u3 + 2 * terms
    size = abs(t0) + abs(t1) + abs(t2) + abs(t3)
    error = g * change + 8 * (g * tau) * (g * (tau + size))
    bound = (error / abs(numerator) + 11 * g / determinant) / (usable * (determinant > 0))
    return -numerator / (2 * determinant * determinant), bound


_PROGRAM = ArrayProgram([True] * len(MOMENTS) + [False], _of_moments)


def _moments(weights: Array, slopes: Array, bends: Array) -> Array:
    """Return E, F and H, the four sums t_k and the two sums of absolute values, ``[moment, point]``, see the loop."""
    if slopes.shape[1] >= LANES and _ACCOUNT.pays(SAVED * slopes.size):
        return _compiled_moments(weights, np.ascontiguousarray(slopes), np.ascontiguousarray(bends), UNITS)
    bends = bends * slopes
    values = slopes * slopes, bends, np.abs(bends)
    return np.concatenate([_sums(part, x) for part, x in zip(np.split(weights, (3, 7)), values, strict=True)])


def _sums(weights: Array, values: Array) -> Array:
    """Return ``weights @ values`` for ``[moment, width]`` and ``[width, point]``, summed by groups of units."""
    groups = values.shape[0] // UNITS
    last = groups * UNITS
    total = weights[:, last:] @ values[last:]
    if groups:
        grouped = weights[:, :last].reshape(len(weights), groups, UNITS).swapaxes(0, 1)
        total += (grouped @ values[:last].reshape(groups, UNITS, -1)).sum(axis=0)
    return np.asarray(total)


def _scaled(weights: Array) -> Array:
    """Return the weights in other units of the inputs, exactly: each column times a power of two, largest near one."""
    _, exponents = np.frexp(np.abs(weights).max(axis=0))
    return np.ldexp(weights, -exponents)


def _derivatives(layer: Layer) -> Iterator[tuple[slice, Array, Array]]:
    """Yield slices of the inputs with first and second derivatives of the activation, which are written over."""
    derivatives = _slope_and_bend(layer.act)
    size = min(max(LEAST_POINTS, NUMBERS_IN_A_BLOCK // layer.width), len(layer.points))
    memory = np.empty((3, layer.width * size))
    for start in range(0, len(layer.points), size):
        points = layer.points[start : start + size]
        used = memory[:, : layer.width * len(points)]
        preactivations = np.matmul(layer.weights, points.T, out=used[0].reshape(layer.width, -1))
        preactivations += layer.biases[:, None]
        slopes, bends = derivatives(used[0], used[1:])
        yield slice(start, start + size), slopes.reshape(layer.width, -1), bends.reshape(layer.width, -1)


@cached(64)
def _slope_and_bend(act: Activation) -> Callable[[Array, Array], Any]:
    """Return a function for both derivatives, which share what they have in common, such as an exponential."""
    both = compile_expression(sp.Tuple(act.derivative(1), act.derivative(2)), [z], numpy_backend)
    try:
        program = ArrayProgram([True], both)
    except (AttributeError, TypeError):  # an operation that cannot be recorded
        return lambda x, out: [np.broadcast_to(values, x.shape) for values in both(x)]
    return lambda x, out: program([x], (), out)


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


def _compiled_moments(weights: Array, slopes: Array, bends: Array, group: int) -> Array:
    """Return the moments ``[moment, point]`` of at least ``LANES`` points, summed by groups of units."""
    units, points = slopes.shape
    result = np.empty((len(weights), points))
    assert points >= LANES
    _loop()(*(array.ctypes.data for array in (weights, slopes, bends, result)), units, points, group)
    return result
