"""Loops by numba: elementary functions against mpmath, and what happens where no file can be written or numba fails."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys

import mpmath
import numpy as np
import pytest

from closedform import loops

needs_numba = pytest.mark.skipif(not loops.is_installed(), reason="needs numba, the extra fast")
UNITS = 2  # in the last place
SOURCE = """\
from closedform.loops.machine_code import compiled

@compiled
def doubled(x):
    for i in range(len(x)):
        x[i] = 2 * x[i]
"""
CALL = """\
import sys
import numpy as np
sys.path.insert(0, sys.argv[1])
import looped
x = np.arange(3.0)
looped.doubled(x)
assert x.tolist() == [0, 2, 4], x
"""


def at(name, points):
    """Return an elementary function at an array, computed in a loop that takes several numbers at once."""
    from closedform.loops import elementary
    from closedform.loops.machine_code import compiled

    function = getattr(elementary, name)

    @compiled
    def loop(x, y):
        for i in range(len(x)):
            y[i] = function(x[i])

    values = np.empty(len(points))
    loop(np.array(points), values)
    return values


@pytest.mark.sampled(2)
@needs_numba
@pytest.mark.parametrize(
    ("name", "low", "high"),
    [
        ("exp", -708, 709),
        ("expm1", -45, 709),
        ("expm1", -1, 1),
        ("asin", -1, 1),
        ("log", 1e-320, 1e3),
        ("log1p", -0.999, 1e3),
    ],
)
def test_elementary_functions_are_right_to_two_units_in_the_last_place(name, low, high, rng):
    points = np.concatenate(
        [rng.uniform(low, high, 300), [low, high], 10.0 ** rng.uniform(-20, 0, 60)]
    )
    if low < 0:
        points = np.append(points, 0.0)
    if name == "log":
        points = np.concatenate(
            [points, 1 + rng.normal(size=60) * 10.0 ** rng.uniform(-15, -1, 60)]
        )
    if name == "asin":
        points = np.concatenate(
            [points, 1 - 10.0 ** rng.uniform(-16, 0, 60), [0.5, np.nextafter(0.5, 1)]]
        )
    with mpmath.workprec(120):
        for point, value in zip(points, at(name, points), strict=True):
            exact = getattr(mpmath, name)(mpmath.mpf(float(point)))
            assert abs(mpmath.mpf(float(value)) - exact) <= UNITS * np.spacing(abs(float(exact)))


@needs_numba
def test_elementary_functions_at_their_ends():
    ends = [np.nan, np.inf, -np.inf, 800.0, -800.0]
    np.testing.assert_array_equal(at("exp", ends), [np.nan, np.inf, 0, np.inf, 0])
    np.testing.assert_array_equal(at("expm1", ends), [np.nan, np.inf, -1, np.inf, -1])
    nowhere = [np.nan, np.inf, -np.inf, 0.0, -1.0, -2.0]
    np.testing.assert_array_equal(
        at("log", nowhere), [np.nan, np.inf, np.nan, -np.inf, *[np.nan] * 2]
    )
    np.testing.assert_array_equal(
        at("log1p", nowhere), [np.nan, np.inf, np.nan, 0.0, -np.inf, np.nan]
    )
    np.testing.assert_array_equal(
        at("asin", [np.nan, np.inf, 1.5, -1.5, 1, -1]), [np.nan] * 4 + [np.pi / 2, -np.pi / 2]
    )


def test_a_numba_that_cannot_be_imported_counts_as_missing(monkeypatch):
    def failing(name):
        raise SystemError("initialization of _internal failed without raising an exception")

    for broken in (failing, importlib.import_module):
        monkeypatch.setitem(sys.modules, "numba", None)
        monkeypatch.setattr(loops, "import_module", broken)
        loops.is_installed.cache_clear()
        try:
            assert not loops.is_installed()
        finally:
            loops.is_installed.cache_clear()


@pytest.fixture
def looped(tmp_path):
    """Return a function that calls a loop in a new process, from a folder with options for its environment."""
    home = tmp_path / "package"
    home.mkdir()
    (home / "looped.py").write_text(SOURCE)

    def call(**environment):
        environment = {
            **os.environ,
            "PYTHONDONTWRITEBYTECODE": "1",
            "HOME": str(tmp_path / "home"),
            **environment,
        }
        subprocess.run([sys.executable, "-c", CALL, str(home)], check=True, env=environment)
        return home / "__pycache__"

    return call


@needs_numba
@pytest.mark.slow
def test_machine_code_is_kept_beside_the_source_and_read_again(looped):
    cache = looped()
    (index,), (code,) = cache.glob("*.nbi"), cache.glob("*.nbc")
    written = code.stat().st_mtime_ns
    looped()
    assert code.stat().st_mtime_ns == written
    for stored in (index, code):  # files that another program has damaged
        stored.write_bytes(b"no pickle")
        looped()


@needs_numba
@pytest.mark.slow
@pytest.mark.parametrize("has_home", [True, False])
def test_folders_that_cannot_be_written_do_no_harm(has_home, looped, tmp_path):
    """Files in the place of folders: they also stop a user who may write anywhere."""
    (tmp_path / "package" / "__pycache__").write_text("")
    if not has_home:
        (tmp_path / "home").write_text("")
    looped(**({} if has_home else {"XDG_CACHE_HOME": str(tmp_path / "home")}))
    assert list((tmp_path / "home").rglob("*.nbc") if has_home else ()) or not has_home


@needs_numba
def test_a_full_disk_does_no_harm(monkeypatch):
    from numba.core import caching

    from closedform.loops import machine_code

    def full(*arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(caching.IndexDataCacheFile, "save", full)

    @machine_code.compiled
    def tripled(x):
        for i in range(len(x)):
            x[i] = 3 * x[i]

    values = np.arange(3.0)
    tripled(values)
    assert values.tolist() == [0, 3, 6]


@needs_numba
def test_other_elementary_functions_are_other_machine_code():
    """numba does not look at what a loop calls: the name of its file does."""
    from closedform.loops import machine_code

    def loop(x):
        return x

    machine_code.compiled(loop)
    assert loop.__qualname__.endswith(machine_code.SHARED)
