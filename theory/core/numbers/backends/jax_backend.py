"""The JAX backend: functions that ``jax.jit``, ``jax.vmap`` and ``jax.grad`` transform, in float64 or float32.

jax is imported when the backend is first used. Arguments are float64 unless every array among them is float32. JAX
computes in float64 only if its option ``jax_enable_x64`` is set; otherwise a call that needs float64 raises ValueError,
because JAX would drop half of the digits without a word. While JAX traces a function, values are not known and no error
can be raised; the result is then NaN where an argument is outside its domain or a condition is violated.
"""

import contextlib
import importlib
import math
from collections.abc import Callable, Sequence
from functools import cache, reduce
from typing import Any

import numpy as np

from closedform.missing import require
from theory.core.formula.allowed import Domain
from theory.core.numbers.backends import numpy_backend, pairs
from theory.core.numbers.backends.limits import with_limits
from theory.core.numbers.backends.numpy_functions import reciprocals
from theory.core.numbers.exact import UNTYPED, as_float

NAME = "jax"
FOLDS = True
literal = numpy_backend.literal  # a Python float, which adopts the dtype of the arrays
quiet, default_options = contextlib.nullcontext, dict  # no warnings, no options
extremes, whole, nonzero = numpy_backend.extremes, numpy_backend.whole, numpy_backend.nonzero


@cache
def jax() -> Any:
    """Import and return the jax module."""
    require("the jax backend", "jax")
    return importlib.import_module("jax")


def piecewise(
    branches: Sequence[tuple[Callable[..., Any] | None, Callable[..., Any]]],
) -> Callable[..., Any]:
    """Return the function with the first branch that holds at a point, else NaN; all are evaluated everywhere.

    Derivatives are chosen before they are multiplied, so that a branch that is infinite elsewhere does no harm.
    """
    j = jax()
    np_ = j.numpy

    def chosen(values: Sequence[Any], inputs: Sequence[Any]) -> Any:
        result = np_.full_like(inputs[0], math.nan)
        for (holds, _), value in zip(reversed(branches), reversed(values), strict=True):
            result = np_.where(True if holds is None else holds(*inputs), value, result)
        return result

    def full(value: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *inputs: np_.broadcast_to(
            np_.asarray(value(*inputs), inputs[0].dtype), inputs[0].shape
        )

    bodies = [full(value) for _, value in branches]

    @j.custom_jvp
    def select(*inputs: Any) -> Any:
        return chosen([body(*inputs) for body in bodies], inputs)

    @select.defjvp
    def tangent(inputs: Any, tangents: Any) -> Any:
        total = np_.zeros_like(inputs[0])
        for index, change in enumerate(tangents):
            direction = tuple(np_.full_like(x, float(i == index)) for i, x in enumerate(inputs))
            total += (
                chosen([j.jvp(body, inputs, direction)[1] for body in bodies], inputs) * change
            )
        return select(*inputs), total

    return lambda *inputs: select(*np_.broadcast_arrays(*inputs))


def compensated(plain: Callable[..., Any], doubled: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function that computes with ``doubled`` on pairs of float64, or with ``plain`` where they overflow."""

    def evaluate(*inputs: Any) -> Any:
        np_ = jax().numpy
        if inputs[0].dtype != np_.float64:
            return plain(*inputs)
        value = doubled(*inputs)[0]
        return np_.where(np_.isfinite(value), value, plain(*inputs))

    return evaluate


def convert(names: Sequence[str], values: Sequence[Any]) -> tuple[list[Any], dict[str, Any]]:
    """Return arrays of one dtype, float32 if all have it, else float64; TypeError or ValueError as of the others."""
    j = jax()
    arrays = [_array(name, value) for name, value in zip(names, values, strict=True)]
    typed = [
        np.dtype(a.dtype)
        for a, v in zip(arrays, values, strict=True)
        if not isinstance(v, UNTYPED)
    ]
    dtype = np.float32 if typed and np.result_type(*typed) == np.float32 else np.float64
    if dtype == np.float64 and not j.config.jax_enable_x64:
        raise ValueError(
            "float64 is switched off in JAX: call jax.config.update('jax_enable_x64', True) before anything else, or "
            "give only float32 arrays and Python numbers to compute in float32"
        )
    numpy_backend.require_broadcast(names, arrays)
    return [j.numpy.asarray(a, dtype=dtype) for a in arrays], {}


def _array(name: str, value: Any) -> Any:
    """Return an array of JAX as it is, and anything else as a numpy array, which keeps its digits."""
    if not isinstance(value, jax().Array):
        return (
            np.asarray(as_float(name, value))
            if isinstance(value, UNTYPED)
            else numpy_backend.array(name, value)
        )
    if value.dtype.kind not in "iuf":
        raise TypeError(f"{name}: got {value.dtype}, needs a real number or an array of them")
    if not value.size:
        raise ValueError(f"{name}: got shape {value.shape}, needs at least one number")
    return value


def is_traced(values: Sequence[Any]) -> bool:
    """Return whether JAX traces the call, so that the values are not known."""
    return any(isinstance(value, jax().core.Tracer) for value in values)


def holds(
    gap: Callable[..., Any], scale: Callable[..., Any], values: Sequence[Any], condition: Any
) -> Any:
    """Return whether the condition holds at every point, up to the rounding that it tolerates."""
    return bool(_holds(gap, scale, values, condition).all())


def _holds(
    gap: Callable[..., Any], scale: Callable[..., Any], values: Sequence[Any], condition: Any
) -> Any:
    np_ = jax().numpy
    gaps = np_.asarray(gap(*values))
    if condition.strict:
        return gaps > 0
    slack = max(condition.slack, 64 * float(np.finfo(values[0].dtype).eps))
    return (gaps >= 0) | (gaps >= -slack * scale(*values))


def only_in_domain(
    result: Any, arguments: Sequence[Any], values: Sequence[Any], conditions: Sequence[Any]
) -> Any:
    """Return the result, with NaN where a traced argument is outside its domain or a condition is violated."""
    np_ = jax().numpy
    allowed = [
        _is_allowed(argument.allowed, value)
        for argument, value in zip(arguments, values, strict=True)
    ]
    allowed += [_holds(gap, scale, values, condition) for condition, gap, scale in conditions]
    return np_.where(reduce(np_.logical_and, allowed), result, math.nan) if allowed else result


def _is_allowed(allowed: Domain, value: Any) -> Any:
    """Return the mask of the numbers of an array that are finite and in a domain."""
    is_above = value >= allowed.low if allowed.has_low else value > allowed.low
    is_below = value <= allowed.high if allowed.has_high else value < allowed.high
    is_inside = is_above & is_below
    if allowed.is_integer:
        is_inside &= value % 1 == 0
    return is_inside & (value != 0) if allowed.is_nonzero else is_inside


def finish(body: Callable[..., Any], values: Sequence[Any]) -> Any:
    """Evaluate the function and return the result in the broadcast shape and the dtype of the arguments."""
    np_ = jax().numpy
    shape = np.broadcast_shapes(*(x.shape for x in values))
    return np_.broadcast_to(
        np_.asarray(body(*values), dtype=values[0].dtype if values else np.float64), shape
    )


@cache
def functions() -> dict[str, Callable[..., Any]]:
    """Return the map from names of sympy functions to callables of arrays."""
    np_, special = (
        importlib.import_module("jax.numpy"),
        importlib.import_module("jax.scipy.special"),
    )

    same = (
        *(
            "sqrt",
            "exp",
            "log",
            "log1p",
            "sin",
            "cos",
            "tan",
            "sinh",
            "cosh",
            "tanh",
            "sign",
            "floor",
            "logical_not",
        ),
        *("asin", "acos", "atan", "asinh", "acosh", "atanh", "atan2"),
    )
    return {
        **{name: getattr(np_, name) for name in same},
        **{name: getattr(special, name) for name in ("erf", "erfc", "erfinv", "gamma")},
        "erfcinv": lambda x: -special.ndtri(x / 2) / math.sqrt(2),
        # jax.scipy.special.beta has only seven digits.
        "beta": lambda a, b: np_.exp(
            special.gammaln(a) + special.gammaln(b) - special.gammaln(a + b)
        ),
        "loggamma": special.gammaln,
        "polygamma": lambda n, x: special.digamma(x) if n == 0 else special.polygamma(n, x),
        "normal_cdf": lambda x: special.erfc(-x / math.sqrt(2)) / 2,
        **reciprocals(np_),
        "Abs": abs,
        "ceiling": np_.ceil,
        "Mod": np_.mod,
        "Max": lambda *x: reduce(np_.maximum, x),
        "Min": lambda *x: reduce(np_.minimum, x),
        "Heaviside": np_.heaviside,
        "power": np_.power,
        "integer_power": lambda x, n: x**n,
        **with_limits(np_),
        **pairs.functions(np_.sqrt, np_.sign),
    }
