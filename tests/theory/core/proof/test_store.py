"""Tests of the store of proofs: it returns a stored value only for the same key, and never raises an error."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from functools import partial

import pytest
import sympy as sp

import theory
from closedform import cache
from theory.core import Check, Step, Verdict
from theory.core.proof import content, store
from theory.core.proof.store import stored, using
from theory.core.proof.verdict import Decision

x, y = sp.symbols("x y", positive=True)
t = sp.Symbol("t", real=True)
VERSION = "0123456789" * 5


def entries(folder):
    return sorted(path for path in folder.rglob("*") if path.is_file())


def counted(value):
    """A program that gives ``value`` and counts how often it was asked."""

    def compute():
        compute.calls += 1
        return value

    compute.calls = 0
    return compute


def test_parts_do_not_run_together(folder):
    assert stored(VERSION, ("ab", "c"), lambda: 1) == 1
    assert stored(VERSION, ("a", "bc"), lambda: 2) == 2


def test_what_is_not_worth_keeping_is_neither_stored_nor_taken(folder):
    compute = counted("UNDECIDED")
    for _ in range(2):
        stored(VERSION, ("k",), compute, keep="HOLDS".__eq__)
    assert compute.calls == 2
    assert entries(folder) == []
    stored(VERSION, ("k",), compute)
    assert stored(VERSION, ("k",), lambda: "HOLDS", keep="HOLDS".__eq__) == "HOLDS"


@pytest.mark.parametrize("unknown", [(None, ("k",)), (VERSION, None)])
def test_what_is_not_known_by_its_content_is_computed_each_time(folder, unknown):
    compute = counted(1)
    for _ in range(2):
        stored(*unknown, compute)
    assert compute.calls == 2
    assert not folder.exists()


def test_an_error_is_not_stored(folder):
    def fails():
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        stored(VERSION, ("k",), fails)
    assert stored(VERSION, ("k",), lambda: 3) == 3


def damage_half(path):
    path.write_bytes(path.read_bytes()[:20])


def damage_verdict(path):
    path.write_text(path.read_text(encoding="utf-8").replace("FAILS", "HOLDS"))


def damage_nothing_left(path):
    path.write_bytes(b"")


def damage_other_type(path):
    path.write_text(json.dumps(["FAILS"]))


def damage_noise(path):
    path.write_bytes(bytes(range(256)))


def damage_depth(path):
    path.write_text("[" * 100_000)


def damage_depth_of_the_value(path):
    """A value that can be read, but not written again."""
    path.write_text(json.dumps({"checksum": "", "value": 0})[:-2] + "[" * 500 + "]" * 500 + "}")


def damage_checksum_missing(path):
    path.write_text(json.dumps({"value": "HOLDS"}))


def damage_by_another_entry(path):
    """A whole, sound entry under the name of another."""
    stored(VERSION, ("another",), lambda: "HOLDS")
    (other,) = (entry for entry in path.parent.iterdir() if entry != path)
    path.write_bytes(other.read_bytes())


DAMAGES = [value for name, value in list(globals().items()) if name.startswith("damage_")]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_entry_is_recomputed_and_repaired(folder, damage):
    stored(VERSION, ("k",), lambda: "FAILS")
    (path,) = entries(folder)
    damage(path)
    compute = counted("FAILS")
    assert [stored(VERSION, ("k",), compute) for _ in range(2)] == ["FAILS"] * 2
    assert compute.calls == 1


def test_afresh_means_computed_and_stored(folder):
    stored(VERSION, ("k",), lambda: 1)
    with using(read=False):
        assert stored(VERSION, ("k",), lambda: 2) == 2
    assert stored(VERSION, ("k",), lambda: 3) == 2


def test_inner_blocks_do_not_allow_what_outer_ones_forbid(folder):
    with using(read=False, write=False), using(read=True, write=True):
        stored(VERSION, ("k",), lambda: 1)
    assert not folder.exists()


WRITERS = """
import sys
from theory.core.proof.store import stored, using
name = sys.argv[1]
for round in range(150):
    with using(read=round % 2):
        value = stored("v" * 40, (str(round % 3),), lambda: [name] * 2000)
    assert len(value) == 2000 and len(set(value)) == 1, value
"""


def test_many_writers_at_once(folder):
    """What is read is always what one of them has written, whole."""
    processes = [
        subprocess.Popen([sys.executable, "-c", WRITERS, str(index)]) for index in range(2)
    ]
    assert [process.wait() for process in processes] == [0] * 2
    assert len(entries(folder)) == 3


def test_many_threads_at_once(folder):
    wrong = []

    def work(name):
        for index in range(100):
            value = stored(VERSION, (str(index % 2),), lambda: [name] * 500)
            if len(set(value)) != 1 or len(value) != 500:
                wrong.append(value)

    threads = [threading.Thread(target=work, args=(str(index),)) for index in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_writer_that_dies_leaves_no_entry(folder, monkeypatch):
    def dies(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", dies)
    with pytest.raises(KeyboardInterrupt):
        stored(VERSION, ("k",), lambda: 1)
    assert entries(folder) == []


def test_without_a_place_to_store_everything_works(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("not a folder")
    for place in ("off", "", str(tmp_path / "file"), "/proc/closedform"):
        monkeypatch.setenv(cache.VARIABLE, place)
        assert stored(VERSION, ("k",), lambda: 1) == 1
    monkeypatch.delenv(cache.VARIABLE)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "absent"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "absent"))
    monkeypatch.setenv("LOCALAPPDATA", "")
    assert cache.cache_folder() is None
    assert stored(VERSION, ("k",), lambda: 1) == 1
    assert not (tmp_path / "absent").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps caches elsewhere")
def test_the_users_cache_directory(tmp_path, monkeypatch):
    monkeypatch.delenv(cache.VARIABLE)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    below_home = "Library/Caches" if sys.platform == "darwin" else ".cache"
    assert cache.cache_folder() == tmp_path / below_home / "closedform"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    assert cache.cache_folder() == tmp_path / "caches" / "closedform"


def test_what_other_versions_stored_goes_when_it_was_long_unused(folder):
    for version in ("old" * 10, "recent" * 10):
        stored(version, ("k",), lambda: 1)
    (old,) = (path.parent for path in entries(folder) if path.parent.name.startswith("old"))
    os.utime(old, (0, 0))
    stored(VERSION, ("k",), lambda: 1)
    assert {path.parent.name[:3] for path in entries(folder)} == {"rec", VERSION[:3]}


# Steps


def test_what_fails_is_stored_too(folder, monkeypatch):
    step = Step("wrong square", (x + 43) ** 2, x**2 + 87 * x + 1849)
    assert step.check() is Verdict.FAILS
    monkeypatch.setattr(
        "theory.core.proof.decision.decided", lambda *sides: Decision(Verdict.HOLDS)
    )
    assert step.check() is Verdict.FAILS


@pytest.mark.parametrize("raised", [None, RecursionError])
def test_what_is_not_settled_is_not_stored(folder, monkeypatch, raised):
    def undecided(*sides):
        if raised is not None:
            raise raised
        return Decision(Verdict.UNDECIDED)

    step = Step("square", (x + 47) ** 2, x**2 + 94 * x + 2209)
    with monkeypatch.context() as patch:
        patch.setattr("theory.core.proof.decision.decided", undecided)
        assert step.check() is Verdict.UNDECIDED
    assert entries(folder) == []
    assert step.check() is Verdict.HOLDS


def key(left, right=0, where=None):
    step = Step("any", left, right, where=where)
    return content.text(content.of_expressions, step.left, step.right, step.where)


DIFFERENT = {
    "sides exchanged": (key(x, y), key(y, x)),
    "assumptions": (key(sp.Symbol("s", real=True)), key(sp.Symbol("s", positive=True))),
    "names": (key(x), key(y)),
    "numbers": (key(sp.Integer(2)), key(sp.Float(2))),
    "precision": (key(sp.Float("0.1", 15)), key(sp.Float("0.1", 30))),
    "parametrisation": (key(x, y), key(x, y, {x: y + 1})),
    "functions": (key(sp.Function("f")(x)), key(sp.Function("g")(x))),
    "functions that are positive": (key(sp.Function("f")(x)), key(sp.Function("f", positive=True)(x))),
    "bound or free": (key(sp.Integral(x, (x, 0, 1))), key(sp.Integral(y, (x, 0, 1)))),
    "two symbols or one": (key(sp.Dummy("a") + sp.Dummy("a")), key(2 * sp.Dummy("a"))),
    "order of subtraction": (key(x - y), key(y - x)),
    "matrix and its transpose": (key(sp.Matrix([[x, y]]), sp.zeros(1, 2)), key(sp.Matrix([x, y]), sp.zeros(2, 1))),
    "classes": (key(sp.sin(x)), key(sp.cos(x))),
}  # fmt: skip


@pytest.mark.parametrize("name", DIFFERENT)
def test_different_steps_have_different_texts(name):
    one, other = DIFFERENT[name]
    assert one is not None
    assert one != other


def test_symbols_without_a_name_of_their_own_have_one_text_in_every_process():
    a, b, c, d = (sp.Dummy(name, real=True) for name in "abab")
    assert key(sp.exp(a) * b**2) == key(sp.exp(c) * d**2)
    assert key(sp.exp(a) * b**2) != key(sp.exp(c) * c**2)


def test_the_text_is_the_same_in_another_process():
    code = (
        "import sympy as sp; from theory.core import phi1; from theory.core.proof.content import of_expressions\n"
        "x = sp.Symbol('x', positive=True); u = sp.Dummy('u', real=True); f = sp.Function('f', positive=True)\n"
        "text = of_expressions(phi1(x)*f(x)/(1+x**2), sp.Integral(u*x, (u, 0, sp.oo)), sp.Dict({x: u}))\n"
    )
    here = {}
    exec(code, here)
    texts = {here["text"] + "\n"}
    environment = {**os.environ, "PYTHONHASHSEED": "1"}
    command = [sys.executable, "-c", code + "print(text)"]
    texts.add(
        subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout
    )
    assert len(texts) == 1


def test_a_function_of_the_users_own_is_decided_each_time(folder):
    class doubled(sp.Function):
        def fdiff(self, argindex=1):
            return sp.Integer(2)

    step = Step("slope", sp.Derivative(doubled(t), t), 2)
    assert content.text(content.of_expressions, step.left) is None
    assert step.check() is Verdict.HOLDS
    assert entries(folder) == []


# Programs

CALLS: list[str] = []


def program(body="return x < 3", module="theory.somewhere", **names):
    """A function as if it stood in a module of the theory."""
    namespace = {"__name__": module, **names}
    exec(
        f"def program(x=2):\n    CALLS.append('run'); {body}",
        {**namespace, "CALLS": CALLS},
        namespace,
    )
    return namespace["program"]


def closing_over(value):
    def inside():
        return bool(value)

    inside.__module__ = "theory.somewhere"
    return inside


def test_a_program_of_the_theory_runs_once(folder):
    CALLS.clear()
    for _ in range(2):
        assert Check("small", program()).check() is Verdict.HOLDS
    assert len(CALLS) == 1
    assert Check("small", program()).check(fresh=True) is Verdict.HOLDS
    assert len(CALLS) == 2


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (program("return x < 3"), program("return x < 4")),
        (program("return x < 3"), program("return x > 3")),
        (program(), program(module="theory.elsewhere")),
        (program("return (lambda: x < 3)()"), program("return (lambda: x < 5)()")),
        (closing_over(1), closing_over(0)),
        (closing_over(x), closing_over(sp.Symbol("x"))),
        (closing_over((1, 2)), closing_over([1, 2])),
        (partial(program(), 1), partial(program(), 7)),
        (partial(program(), 1), partial(program(), x=1)),
        (closing_over(closing_over(1)), closing_over(closing_over(2))),
    ],
)
def test_different_programs_have_different_texts(one, other):
    texts = [content.text(content.of_program, run) for run in (one, other)]
    assert None not in texts
    assert texts[0] != texts[1]


def itself():
    def again():
        return again is not None

    again.__module__ = "theory.somewhere"
    return again


@pytest.mark.parametrize(
    "run", [program(module="elsewhere"), closing_over(object()), itself(), [].append, len, print]
)
def test_a_program_that_no_text_can_say_runs_each_time(run):
    assert content.text(content.of_program, run) is None


# Sources


def test_the_version_follows_the_sources(tmp_path):
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "module.py").write_text("a = 1")
    os.utime(tmp_path / "inner" / "module.py", (1, 1))
    versions = [
        store._digest((tmp_path,), ("sympy",)),
        store._digest((tmp_path,), ("sympy", "numpy")),
    ]
    (tmp_path / "inner" / "module.py").write_text("a = 2")
    os.utime(tmp_path / "inner" / "module.py", (1, 1))
    versions.append(store._digest((tmp_path,), ("sympy",)))
    (tmp_path / "inner" / "module.py").rename(tmp_path / "module.py")
    versions.append(store._digest((tmp_path,), ("sympy",)))
    assert None not in versions
    assert len(set(versions)) == 4
    assert store._digest((tmp_path,), ("a-package-that-is-not-installed",)) is None


def test_sources_that_changed_while_the_process_runs_are_not_trusted(tmp_path):
    (tmp_path / "module.py").write_text("a = 1")
    os.utime(tmp_path / "module.py", (time.time() + 60,) * 2)
    assert store._digest((tmp_path,), ()) is None
    assert store._digest((tmp_path / "absent",), ()) is None


def test_the_programs_of_the_catalogue_are_known_by_their_texts():
    steps = theory.catalogue()["leaky_resnet.affine_path"].steps
    programs = [step.run for step in steps if isinstance(step, Check)]
    assert programs
    assert all(content.text(content.of_program, run) for run in programs)
