"""A closed form at one point as machine code: a built-in function of Python floats, which returns a float or None.

It reads its arguments and makes its result by the interpreter's C interface. Functions such as the exponential are
those of the C library, which ``math`` calls, so that the bits are those of ``float_backend``. Where that raises an
error, as a division by zero does, or a test is not passed, the function returns None.
"""

import ctypes
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from closedform.compiled import machine_code
from theory.core.numbers.backends.float_backend import MATH
from theory.core.numbers.backends.numpy_functions import ELEMENTARY
from theory.core.numbers.backends.program_code import Test
from theory.core.numbers.backends.tape import Tape
from theory.core.numbers.compiled.loops import DECLARED, in_text
from theory.core.numbers.compiled.lowering import Lowered

_OF_C = {np.expm1: "expm1", np.power: "pow"} | {ELEMENTARY[name]: name for name in MATH}
_FASTCALL = 0x80  # the interpreter's flag for a function of an array of arguments and their number
_METHODS: list[Any] = []  # descriptions of functions, to which the interpreter keeps pointers
_FRAME = """\
define ptr @f(ptr %self, ptr %given, i64 %count) {{
  {steps}
  %passed = icmp sge VI {bad}, zeroinitializer
  %good = extractelement VB %passed, i64 0
  br i1 %good, label %yes, label %no
yes:
  %value = extractelement VF %v{result}, i64 0
  %object = call ptr {PyFloat_FromDouble}(double %value)
  ret ptr %object
no:
  call void {Py_IncRef}(ptr {none})
  ret ptr {none}
}}
"""
_READ = """\
%p{n} = getelementptr ptr, ptr %given, i64 {n}
  %o{n} = load ptr, ptr %p{n}
  %d{n} = call double {PyFloat_AsDouble}(ptr %o{n})
  %v{n} = insertelement VF poison, double %d{n}, i64 0"""


class _Method(ctypes.Structure):
    """The interpreter's description of a built-in function."""

    _fields_ = (("name", ctypes.c_char_p), ("code", ctypes.c_void_p), ("flags", ctypes.c_int), ("doc", ctypes.c_char_p))


def one_point(arguments: int, body: Callable[..., Any], tests: Sequence[Test]) -> Callable[..., float | None]:
    """Return the function; AttributeError, NotImplementedError or TypeError for operations that are not known here."""
    tape = Tape([True] * arguments)
    checks = []
    for test in tests:
        (value,) = tape.values(test.value)
        checks.append((len(tape.operations), value, test))
    program = Lowered(tape, tape.values(body), checks, (), is_finite=True)
    called = {}
    for step in program.steps[:]:  # with the errors of Python floats
        if step.is_call:
            is_power = step.function is np.power  # of a square root, for half an odd exponent
            if step.function not in _OF_C or (is_power and step.operands[1] not in program.constants):
                raise NotImplementedError(f"{step.function} of one number in the compiled core")
            called[step.function] = _pointer(_OF_C[step.function])
        if step.is_call or step.function == "sqrt":
            program.between(step.result, -math.inf, math.inf)
        elif step.function in ("fdiv", "sign"):  # the sign of -0.0 is -0.0
            program.step("nonzero", step.operands[step.function == "fdiv"])
    names = {name: _pointer(name) for name in ("PyFloat_AsDouble", "PyFloat_FromDouble", "Py_IncRef")}
    lines, bad = in_text(program.steps, program.constants, "zeroinitializer", called)
    steps = "\n  ".join([*(_READ.format(n=n, **names) for n in program.inputs), *lines])
    none = f"inttoptr (i64 {id(None)} to ptr)"
    text = DECLARED + _FRAME.format(steps=steps, bad=bad, result=program.results[0], none=none, **names)
    method = _Method(b"one_point", machine_code(text, lanes=1), _FASTCALL, None)
    _METHODS.append(method)
    types = ctypes.py_object, ctypes.POINTER(_Method), ctypes.c_void_p, ctypes.c_void_p
    made: Any = ctypes.PYFUNCTYPE(*types)(("PyCFunction_NewEx", ctypes.pythonapi))
    return made(ctypes.byref(method), None, None)  # type: ignore[no-any-return]


def _pointer(name: str) -> str:
    """Return a function of the interpreter or of the C library that it uses."""
    return f"inttoptr (i64 {ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value} to ptr)"
