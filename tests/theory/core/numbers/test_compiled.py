"""Tests of the compiled core: the bits of numpy, what it declines, and when it pays."""

from __future__ import annotations

import builtins
import functools
import gc
import math
import os
import subprocess
import sys
import weakref

import numpy as np
import pytest

from closedform import compiled
from theory import two_point
from theory.core.numbers.backends import numpy_functions, program_code
from theory.core.numbers.backends.array_program import ArrayProgram, over_sets

needs_llvm = pytest.mark.skipif(not compiled.is_installed(), reason="llvmlite is not installed")
SPECIAL = np.array([0.0, -0.0, 5e-324, 1.0, -1.0, 0.3, -2.5, 1e308, -1e308, math.inf, -math.inf, math.nan])
PAIRS = np.array(np.meshgrid(SPECIAL, SPECIAL)).reshape(2, -1)


@pytest.fixture
def both(monkeypatch):
    """Return a function that calls a program of arrays by numpy and by the compiled core."""

    def values(program, arrays, numbers=()):
        found = []
        for choice in ("off", "on"):
            monkeypatch.setattr(compiled, "choice", choice)
            with np.errstate(all="ignore"):
                found.append(program(arrays, numbers))
        return found

    return values


@needs_llvm
@pytest.mark.parametrize(
    "body",
    [
        *(lambda x, y, f=f: f(x, y) for f in (np.add, np.subtract, np.multiply, np.divide, np.equal, np.greater)),
        *(lambda x, y, f=f: f(x) for f in (np.negative, np.absolute, np.sqrt, np.sign, np.exp, np.floor)),
        lambda x, y: (2.0 - x, y / 3, 3 / y, x * 0.1, x - 5e-324, y),
        lambda x, y: np.tanh(x * y) / np.hypot(x, y) - np.exp(x + y) * np.tanh(x * y),
        lambda x, y: (x, x, np.sqrt(x) + np.cos(y)),
        *(lambda x, y, name=name: numpy_functions.ELEMENTARY[name](x, y) for name in ("quotient", "log_ratio")),
        lambda x, y: numpy_functions.ELEMENTARY["correlation"](x, abs(y), y * y),
        lambda x, y: numpy_functions.ELEMENTARY["phi1"](x - y),
    ],
)
def test_operations_have_the_bits_of_numpy(body, both):
    plain, by_compiled = both(ArrayProgram([True, True], body), list(PAIRS))
    assert (plain.view(np.uint64) == by_compiled.view(np.uint64))[~np.isnan(plain)].all()
    assert (np.isnan(plain) == np.isnan(by_compiled)).all()


@needs_llvm
@pytest.mark.parametrize("sets", [1, 3, 6, 8, 13])
def test_what_depends_on_numbers_alone_has_the_bits_of_numpy(sets, monkeypatch):
    """The trajectory has 790 such operations, most of them in twice the digits."""
    rng = np.random.default_rng(sets)
    special = np.resize(SPECIAL, (2, sets))
    given = [np.linspace(0, 9, 50), *np.exp(rng.normal(size=(7, sets)))]
    own = ArrayProgram([True, False, False], lambda t, a, b: (t * np.exp(a / b), t + np.sqrt(a) * b - a, t))
    found = []
    for choice in ("off", "on"):
        monkeypatch.setattr(compiled, "choice", choice)
        with np.errstate(all="ignore"):
            times = given[0] * np.arange(1, sets + 1)[:, None]  # each set at its own
            alone = [two_point.trajectory(*row, validate=False) for row in zip(times, *given[1:], strict=True)]
            together = two_point.trajectory(times, *given[1:], validate=False)
            assert (together == np.stack(alone, axis=1)).all()
            found.append((two_point.trajectory(*given, validate=False), own.of_sets([given[0]], list(special))))
    for plain, by_compiled in zip(*found, strict=True):
        assert (plain.view(np.uint64) == by_compiled.view(np.uint64))[~np.isnan(plain)].all()
        assert (np.isnan(plain) == np.isnan(by_compiled)).all()


@needs_llvm
@pytest.mark.parametrize("points", [1, 5, 8, 9])
def test_few_points_of_many_sets(points, monkeypatch):
    """A loop reads eight points at once, which five are not."""
    x, numbers = np.linspace(1, 2, points), np.linspace(-1, 1, 300)
    found = []
    for choice in ("off", "on"):
        monkeypatch.setattr(compiled, "choice", choice)
        found.append(ArrayProgram([True, False], lambda x, a: np.exp(a * x) - a).of_sets([x], [numbers]))
    assert found[0].tobytes() == found[1].tobytes()


@needs_llvm
@pytest.mark.parametrize("group", [1, 7, 30])
@pytest.mark.parametrize("sizes", [(30, 8), (1, 9), (7, 30_000), (9000, 17)])
def test_what_depends_on_sums_over_sets(group, sizes, monkeypatch):
    def terms(x, y, a, b):
        return np.exp(a * x) + x, np.cos(np.exp(b * y) + x) * b, x * b - y, y + 0

    def of_sums(sums, c):
        return sums[0], sums[1] / (c - sums[2]), abs(sums[2]) * c + sums[3]

    rng = np.random.default_rng(group)
    arrays, columns = list(rng.normal(size=(2, sizes[1]))), list(rng.normal(size=(2, sizes[0])))
    program = ArrayProgram([True] * 2 + [False] * 3, lambda *x: of_sums([*map(over_sets, terms(*x[:-1]))], x[-1]))
    monkeypatch.setattr(compiled, "choice", "off")
    assert program.sums(arrays, [*columns, 0.7], group) is None
    values = ArrayProgram([True, True, False, False], terms).of_sets(arrays, columns)
    parts = [functools.reduce(np.add, values[:, i : i + group].swapaxes(0, 1)) for i in range(0, sizes[0], group)]
    expected = of_sums(functools.reduce(np.add, parts), 0.7)
    monkeypatch.setattr(compiled, "choice", "on")
    assert program.sums(arrays, [*columns, 0.7], group).tobytes() == np.stack(expected).tobytes()


@needs_llvm
def test_functions_and_tests_of_sums_are_left_to_numpy(monkeypatch):
    monkeypatch.setattr(compiled, "choice", "on")
    for body in (
        lambda x, a: np.exp(over_sets(a * x)),
        lambda x, a: numpy_functions.ELEMENTARY["log_ratio"](1.0, over_sets(a * x)),
    ):
        assert ArrayProgram([True, False], body).sums([np.ones(9)], [np.ones(3)], 1) is None


@needs_llvm
@pytest.mark.parametrize("low", ["0.0 <", "0.0 <=", "-inf <"])
@pytest.mark.parametrize("high", ["< 0.0", "<= 0.0", "< inf", ""])
@pytest.mark.parametrize("more", [{}, {"is_integer": True}, {"is_nonzero": True}])
def test_tests_are_those_of_numpy(low, high, more, both):
    program = ArrayProgram([True], lambda x: x + 1, [program_code.Test(lambda x: x, low, high, **more)])
    for special in (*SPECIAL, 2.0, -3.0):
        column = np.full(11, -2.0 if high.endswith(" 0") else 2.0)
        for place in (0, 7, 10):
            column[place] = special
            plain, by_compiled = both(program, [column])
            assert (plain is None) == (by_compiled is None)
            column[place] = column[1]


@needs_llvm
@pytest.mark.parametrize("reads_head", [True, False])
def test_numbers_views_and_every_length(reads_head, both, monkeypatch):
    from theory.core.numbers.compiled import fused

    monkeypatch.setattr(fused, "_READS_HEAD", reads_head and fused._READS_HEAD)
    program = ArrayProgram([True, False, True], lambda x, c, y: np.exp(x * c) / (y + c) - x)
    for size in (8, 9, 15, 16, 20_479, 20_481, 45_001):
        x, y = np.random.default_rng(size).normal(size=(2, 2 * size))
        plain, by_compiled = both(program, [x[::2], y[:size]], [0.7])
        assert plain.tobytes() == by_compiled.tobytes()


@needs_llvm
def test_no_array_of_a_call_is_kept(both):
    x = np.linspace(1, 2, 5000)
    results = both(ArrayProgram([True], lambda x: np.exp(x) / x), [x])
    known = [weakref.ref(x), *map(weakref.ref, results)]
    del x, results
    gc.collect()
    assert [reference() for reference in known] == [None] * 3


@needs_llvm
def test_the_compiled_core_is_used_when_it_would_have_saved_what_it_costs(monkeypatch):
    monkeypatch.setattr(compiled, "choice", "auto")
    monkeypatch.setattr(compiled.Account, "_of_all", 0.0)
    account = compiled.Account()
    calls = [account.pays(compiled.LOADING / 10) for _ in range(12)]
    assert calls == [False] * 10 + [True] * 2 or calls == [False] * 11 + [True]
    other = compiled.Account()  # the import is paid for, its own translation is not
    assert [other.pays(compiled.TRANSLATION * 0.6) for _ in range(3)] == [False, False, True]


def test_without_llvmlite_everything_is_computed_by_numpy(monkeypatch):
    known = builtins.__import__

    def missing(name, *rest, **options):
        if name.partition(".")[0] == "llvmlite":
            raise ImportError(name)
        return known(name, *rest, **options)

    monkeypatch.setattr(builtins, "__import__", missing)
    monkeypatch.setattr(compiled.importlib, "import_module", lambda name: missing(name))
    monkeypatch.setattr(compiled, "choice", "on")
    compiled.is_installed.cache_clear()
    try:
        x = np.linspace(0, 1, 2000)
        assert (ArrayProgram([True], lambda x: x * 2)([x], [])[0] == 2 * x).all()
        assert not compiled.is_installed()
    finally:
        compiled.is_installed.cache_clear()


@needs_llvm
def test_an_error_in_a_loop_is_seen(both, monkeypatch):
    from theory.core.numbers.compiled import loops

    monkeypatch.setitem(loops._STEPS, "fadd", loops._STEPS["fsub"])
    plain, by_compiled = both(ArrayProgram([True, True], lambda x, y: x * y + y), list(np.ones((2, 100))))
    assert (plain == 2).all()
    assert (by_compiled == 0).all()


def test_an_unknown_choice_is_refused():
    code = "import closedform.compiled"
    environment = {**os.environ, "CLOSEDFORM_COMPILED": "yes"}
    ran = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert "CLOSEDFORM_COMPILED: got 'yes', needs 'on', 'off' or 'auto'" in ran.stderr
