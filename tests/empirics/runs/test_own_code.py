"""The code of an experiment of the user's own belongs to its runs: other code is said, and the run is done again."""

from __future__ import annotations

import importlib
import json
import sys
from types import FunctionType, SimpleNamespace

import numpy as np
import pytest
import torch

pytest.importorskip("torch", reason="torch is not installed (extra `empirics`)")

from bridge.cli import main, script
from empirics import imported_files
from empirics.experiments import EXPERIMENTS, define, two_point
from empirics.runs import own_code
from empirics.sweep import seed_split, store, sweep, work
from empirics.training.checkpoint import Stopped

WALK = """\
from empirics.experiments import define

{top}

@define
def walk(seed, steps=2):
    {inside}
    return {{"x": 1.0 + seed}}
"""
FILES = {
    "helper.py": "", "other.py": "", "pack/__init__.py": "", "pack/a.py": "", "pack/sub/__init__.py": "",
    "pack/sub/b.py": "from ..a import x", "space/c.py": "", "aside.py": "import torch, yaml_that_is_not_installed",
}  # fmt: skip
PACK = ["pack/__init__.py", "pack/a.py"]
DEEP = [*PACK, "pack/sub/__init__.py", "pack/sub/b.py"]
BESIDE = ["helper.py", "other.py", *DEEP, "aside.py"]
# an import in the file, and the files that count besides it
IMPORTS = {
    "import helper": ["helper.py"],
    "from helper import x as y": ["helper.py"],
    "import pack.a, math, numpy": PACK,
    "from pack import a": PACK,
    "from pack.sub import b": DEEP,
    "import pack.sub.b as b": DEEP,
    "from pack import *": DEEP,
    "from space import c": ["space/c.py"],
    "if True:\n    import importlib\n    importlib.import_module('helper')": ["helper.py"],
    "import importlib\nname = 'a'\nimportlib.import_module(f'pack.{name}')": DEEP,
    "import importlib\nname = 'a'\nimportlib.import_module('pack.' + name)": DEEP,
    "import importlib\nname = 'c'\nimportlib.import_module('space.%s' % name)": ["space/c.py"],
    "import importlib\nname = 'c'\nimportlib.import_module('space.{}'.format(name))": [
        "space/c.py"
    ],
    "name = 'helper'\n__import__(name)": BESIDE,
    "exec('')": BESIDE,
    "import walk": [],
    "import xarray, bridge, theory.core, json": [],
}


def written(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    importlib.invalidate_caches()


@pytest.mark.parametrize("statement", IMPORTS)
def test_what_a_file_imports_counts_wherever_the_import_stands(tmp_path, statement):
    written(tmp_path, FILES)
    for place in ("top", "inside"):
        text = {
            "top": "",
            "inside": "pass",
            place: statement.replace("\n", "\n    " if place == "inside" else "\n"),
        }
        if place == "inside" and "*" in statement:
            continue  # not allowed in a function
        (tmp_path / "walk.py").write_text(WALK.format(**text), encoding="utf-8")
        assert sorted(imported_files.digests("walk", tmp_path / "walk.py")) == sorted(
            ["walk.py", *IMPORTS[statement]]
        )


def test_a_library_on_the_path_counts_and_a_file_with_a_name_of_pythons_own(tmp_path, monkeypatch):
    written(
        tmp_path,
        {
            "lib/mylab/__init__.py": "from . import noise",
            "lib/mylab/noise.py": "",
            "queue.py": "1 +",
        },
    )
    written(tmp_path, {"walk.py": "import mylab, queue, json"})
    monkeypatch.syspath_prepend(tmp_path / "lib")
    digests = imported_files.digests("walk", tmp_path / "walk.py")
    assert sorted(digests) == ["mylab/__init__.py", "mylab/noise.py", "queue.py", "walk.py"]


def test_an_installed_guest_counts_with_its_distribution_and_no_other_installed_package(
    tmp_path, monkeypatch
):
    site = tmp_path / "lib" / "site-packages"
    written(site, {
        "guest_saxe/__init__.py": "", "guest_saxe/decay.py": "import guest_lib, guest_else, numpy\nfrom . import rates",
        "guest_saxe/rates.py": "", "guest_saxe/unused.py": "", "guest_lib.py": "", "guest_else.py": "",
        "saxe-1.dist-info/METADATA": "Metadata-Version: 2.1\nName: saxe\nVersion: 1\n",
        "saxe-1.dist-info/RECORD": "guest_saxe/__init__.py,,\nguest_lib.py,,\n",
        "saxe-1.dist-info/entry_points.txt": "[closedform.subjects]\nsaxe = guest_saxe\n",
    })  # fmt: skip
    monkeypatch.syspath_prepend(site)
    imported_files._packages_of_guest.cache_clear()
    digests = imported_files.digests("guest_saxe.decay", site / "guest_saxe" / "decay.py")
    imported_files._packages_of_guest.cache_clear()
    assert sorted(digests) == [
        "guest_lib.py",
        *(f"guest_saxe/{name}.py" for name in ("__init__", "decay", "rates")),
    ]


def traced(folder):
    (path,) = (folder / "runs" / "traces").glob("walk-*.nc")
    return store.load(path)


def test_an_edit_is_said_and_the_experiment_is_run_again(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    written(
        tmp_path,
        {"walk.py": WALK.format(top="", inside="import helper"), "helper.py": "", "aside.py": ""},
    )

    def run():
        assert main(["run", "walk.py", "--out", "runs"]) == 0
        return capsys.readouterr().err

    assert "changed" not in run()
    assert sorted(json.loads(traced(tmp_path).attrs[own_code.ATTRIBUTE])) == [
        "helper.py",
        "walk.py",
    ]
    written(tmp_path, {"aside.py": "import this"})
    assert "exists already" in run()
    written(tmp_path, {"helper.py": "# a comment"})
    assert "the code of helper.py has changed since it was run; it is run again" in run()
    written(tmp_path, {"walk.py": WALK.format(top="", inside="seed *= 10; import helper")})
    assert "the code of walk.py has changed since it was run; it is run again" in run()
    assert traced(tmp_path).x.values.tolist() == [1.0, 11.0, 21.0, 31.0, 41.0]
    assert "exists already" in run()


INTERRUPTED = """\
    import signal, pathlib
    if seed == 2 and not pathlib.Path("again").exists():
        signal.raise_signal(signal.SIGINT)
"""


def test_an_interrupted_run_goes_on_with_the_same_code_only(tmp_path, monkeypatch, caplog):
    monkeypatch.chdir(tmp_path)
    for factor in (1, 1000):
        inside = INTERRUPTED.strip() + "\n    from helper import factor"
        text = WALK.format(top="", inside=inside).replace("1.0 + seed", "factor * (1.0 + seed)")
        written(tmp_path, {"walk.py": text, "helper.py": f"factor = {factor}"})
        sys.modules.pop("helper", None)
        if factor > 1:
            (tmp_path / "again").touch()
        with script.imported(tmp_path / "walk.py") as module:
            config = module.walk()
            if factor == 1:
                with pytest.raises(Stopped):
                    store.run_or_load(config, tmp_path, progress=False)
                assert store.path_of(config, tmp_path).with_suffix(store.CHECKPOINT).exists()
            else:
                trace = sweep({"walk": config}, tmp_path, progress=False)["walk"]
    sys.modules.pop("helper", None)
    assert trace.x.values.tolist() == [1000.0 * seed for seed in range(1, 6)]
    assert (
        "the code of helper.py has changed since the run was interrupted; it begins anew"
        in caplog.text
    )


def test_pieces_of_other_code_are_run_again(tmp_path, monkeypatch):
    for factor in (1, 1000):
        written(
            tmp_path,
            {"walk.py": WALK.format(top="", inside="pass").replace("1.0 +", f"{factor} *")},
        )
        with script.imported(tmp_path / "walk.py") as module:
            config = module.walk(seeds=3)
            first, *others = work.of("walk", config, tmp_path, cut=True, resume=True, options={})
            for item in (first,) if factor == 1 else (first, *others):
                work.run_here(item, progress=False)
    seed_split.join(config, tmp_path)
    assert store.load(store.path_of(config, tmp_path)).x.values.tolist() == [0.0, 1000.0, 2000.0]


def test_a_worker_with_other_files_is_told_to_start_again(tmp_path):
    written(tmp_path, {"walk.py": WALK.format(top="", inside="pass")})
    with script.imported(tmp_path / "walk.py") as module:
        (item,) = work.of(
            "walk", module.walk(seeds=1), tmp_path, cut=True, resume=True, options={}
        )
        work._require_same_code(item)
        module.walk.own_code = {"walk.py": "of yesterday"}
        with pytest.raises(
            ValueError,
            match=r"code of walk\.py has changed since this worker .* start the workers",
        ):
            work._require_same_code(item)


def typed(text, **others):
    """Run text as in a cell of a notebook."""
    names = {"__name__": "__main__", "define": define, **others}
    exec(text, names)
    return names


CELL = "@define\ndef stroll(seed, steps=2):\n    return {'x': helper(seed) * SCALE}\n"
HELPER = "def helper(seed):\n    return {1, 2, 3} and [seed * factor for factor in (1, 2)][0]\nSCALE = 2.0\n"


def test_functions_in_a_notebook_count_and_what_they_name(monkeypatch):
    monkeypatch.setitem(sys.modules, "__main__", SimpleNamespace())  # which has no file
    plain = own_code.of(typed(CELL + HELPER)["stroll"]())
    assert list(plain) == ["the function stroll"]
    assert own_code.of(typed("\n\n" + CELL + "# a comment\n" + HELPER)["stroll"]()) == plain
    for old, new in (
        ("2.0", "3.0"),
        ("seed * factor", "seed + factor"),
        ("(1, 2)", "(1, 3)"),
        ("'x'", "'y'"),
    ):
        assert own_code.of(typed((CELL + HELPER).replace(old, new))["stroll"]()) != plain, new


DEFAULT = """class Noise:
    def __init__(self, size):
        self.size = size
TAKEN = {}
def helper(seed, taken=TAKEN):
    return seed
"""
DEFAULTS = {
    "lists": ("[1, [2.0]]", "[1, [2.5]]"),
    "sets": ("{'a', 'b', 'c'}", "{'a', 'b', 'd'}"),
    "objects": ("Noise(2)", "Noise(3)"),
    "objects in a tuple": ("(Noise(2), object())", "(Noise(3), object())"),
    "arrays": ("np.arange(5000.0)", "np.where(np.arange(5000) == 2500, 0.0, np.arange(5000.0))"),
    "tensors": ("torch.ones(3)", "torch.zeros(3)"),
    "functions": ("lambda seed: seed", "lambda seed: -seed"),
    "mappings": ("{'a': Noise(1), 'b': 2}", "{'a': Noise(2), 'b': 2}"),
    "generators of numbers": ("slice(1, 2)", "slice(1, 3)"),
}


@pytest.mark.parametrize("name", DEFAULTS)
def test_default_values_count_by_what_they_hold(name, monkeypatch):
    """Equal ones of another identity are the same code, and no address enters."""
    monkeypatch.setitem(sys.modules, "__main__", SimpleNamespace())
    same, other = DEFAULTS[name]

    def identity(value):
        cell = CELL.replace(" * SCALE", "") + DEFAULT.replace("{}", value)
        return own_code.of(typed(cell, np=np, torch=torch)["stroll"]())

    assert identity(same) == identity(same)
    assert identity(same) != identity(other)


def test_an_object_that_holds_itself_has_a_content():
    ring = [1]
    ring.append(ring)
    assert own_code.content(ring) == ["builtins.list", ["1", ["builtins.list", "itself"]]]


def test_an_activation_of_ones_own_counts_and_built_in_experiments_have_no_code_of_ones_own(
    tmp_path, monkeypatch
):
    written(
        tmp_path,
        {"own_acts.py": "import own_part\nimport torch\nact = torch.tanh", "own_part.py": ""},
    )
    monkeypatch.syspath_prepend(tmp_path)
    assert sorted(own_code.of(two_point.Config(activation="own_acts:act"))) == [
        "own_acts.py",
        "own_part.py",
    ]
    for module in EXPERIMENTS.values():
        assert own_code.of_class(module.Config) == {}
    # not the 2,400 files of torch
    for config in (two_point.Config(), two_point.Config(activation="torch.nn:GELU")):
        assert own_code.of(config) == {}
    assert isinstance(two_point.Config.own_run, FunctionType)
