"""Tests of the architecture rules, read from the source with `ast`; each rule fails on a planted violation."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.syntax_trees import parsed, statements

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("closedform", "theory", "empirics", "bridge", "papers")
LIBRARY = PACKAGES[:-1]  # what a task of a user can touch
HEAVY = {"torch", "jax", "xarray", "matplotlib", "h5py", "h5netcdf", "pandas"}
FORBIDDEN = {
    "closedform": {"theory", "empirics", "bridge", "papers"} | HEAVY,
    "theory": {"empirics", "bridge", "papers"} | HEAVY,
    "empirics": {"theory", "bridge", "papers"},
    "bridge": {"papers"},
    "papers": set(),
}
FOUNDATIONS = {
    "core",
    "activations",
    "gaussian",
    "engine",
}  # of the theory: what subjects are made of
# where `import_module("torch")` may stand: a user asked for it
TORCH_BACKEND = "theory/core/numbers/backends"
LONGEST_FILE = 300
MOST_DECISIONS = 20  # of one function
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
DECIDING = {
    *(ast.If, ast.IfExp, ast.For, ast.While, ast.ExceptHandler, ast.match_case, ast.BoolOp, ast.comprehension),
}  # fmt: skip
LONGEST_IMPORT = 0.1  # seconds of CPU time: those of the wall are other programs', too
VAGUE_NAMES = {"utils", "util", "helpers", "misc", "common"}
# Written in pieces, so that this file does not match itself.
MACHINE_PATH = re.compile(r"(?<![\w.~$}*])/(?:work|home|root|Users|tmp|mnt)/" + r"\w")
REGISTRY_HOST = re.compile(
    "|".join(
        (
            "pypi" + r"\.org",
            "python" + r"hosted\.org",
            "npm" + r"js\.org",
            r"download\.py" + "torch",
        )
    )
)


def sources(root: Path, *packages: str) -> Iterator[tuple[str, ast.Module]]:
    """Path below `root` and syntax tree of every Python file of `packages`."""
    for package in packages:
        for path in sorted((root / package).rglob("*.py")):
            yield path.relative_to(root).as_posix(), parsed(path.read_text(encoding="utf-8"))


def imported_modules(path: str, tree: ast.Module) -> Iterator[tuple[int, str, bool]]:
    """Line, absolute module name and whether by `importlib`, of every import, inside functions and strings too."""
    package = path.removesuffix(".py").split("/")[:-1]
    for node in ast.walk(tree) if tree.names_modules else statements(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name, False) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            yield node.lineno, module, False
            yield from ((node.lineno, f"{module}.{alias.name}", False) for alias in node.names)
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            called = (
                node.func.attr
                if isinstance(node.func, ast.Attribute)
                else getattr(node.func, "id", "")
            )
            if called in {"import_module", "__import__"} and isinstance(node.args[0].value, str):
                yield node.lineno, node.args[0].value, True


def above_the_foundations(root: Path) -> set[str]:
    """The packages of the theory that its foundations must not know: every subject that is found, and the ledger."""
    return {f"theory.{path.parent.name}" for path in (root / "theory").glob("*/__init__.py")} - {
        f"theory.{name}" for name in FOUNDATIONS
    }


def import_violations(root: Path) -> list[str]:
    """Imports against the rule: papers -> bridge -> theory | empirics; theory, its core and the ledgers stay light."""
    found = []
    above = above_the_foundations(root)
    for path, tree in sources(root, *PACKAGES):
        is_of_a_ledger = bool(re.match(r"papers/\w+/ledger/", path))
        forbidden = (
            FORBIDDEN["theory"] - {"papers"} if is_of_a_ledger else FORBIDDEN[path.split("/")[0]]
        )
        for line, module, by_name in imported_modules(path, tree):
            top = module.split(".")[0]
            allowed = by_name and top in ("torch", "jax") and path.startswith(TORCH_BACKEND)
            if top in forbidden and not allowed:
                found.append(f"{path}:{line} imports {module}")
            inside_a_foundation = path.startswith(tuple(f"theory/{name}/" for name in FOUNDATIONS))
            if inside_a_foundation and ".".join(module.split(".")[:2]) in above:
                found.append(
                    f"{path}:{line} imports {module}: what subjects are made of knows no subject"
                )
    return found


def is_public(name: str) -> bool:
    return not name.startswith("_")


def undocumented(root: Path) -> list[str]:
    """Modules, public classes, functions and methods without a docstring."""
    found = []
    for path, tree in sources(root, *PACKAGES):
        if not ast.get_docstring(tree) and tree.body:
            found.append(f"{path}: module")
        scopes: list[tuple[str, ast.Module | ast.ClassDef]] = [("", tree)]
        while scopes:
            prefix, scope = scopes.pop()
            for node in scope.body:
                if not isinstance(
                    node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
                ) or not is_public(node.name):
                    continue
                decorators = {ast.unparse(d).split(".")[-1] for d in node.decorator_list}
                if not ast.get_docstring(node) and not decorators & {
                    "overload",
                    "override",
                    "setter",
                }:
                    found.append(f"{path}:{node.lineno} {prefix}{node.name}")
                if isinstance(node, ast.ClassDef):
                    scopes.append((f"{prefix}{node.name}.", node))
    return found


def lines_without_docstrings(tree: ast.Module, text: str) -> int:
    """The length of a file, of which docstrings are free: no reader has to hold them in mind."""
    length = len(text.splitlines())
    for scope in ast.walk(tree):
        if isinstance(scope, (ast.Module, ast.ClassDef, *FUNCTIONS)) and ast.get_docstring(
            scope, clean=False
        ):
            docstring = scope.body[0]
            length -= docstring.end_lineno - docstring.lineno + 1
    return length


def too_long(root: Path) -> list[str]:
    found = []
    for path in sorted(path for package in PACKAGES for path in (root / package).rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if text.count("\n") > LONGEST_FILE:
            length = lines_without_docstrings(parsed(text), text)
            found += [f"{path.relative_to(root).as_posix()}: {length} lines"] * (
                length > LONGEST_FILE
            )
    return found


def functions(tree: ast.AST) -> dict[ast.AST, int]:
    """The functions of a file with the number of decisions in each, without the functions inside, and one."""
    decisions: dict[ast.AST, int] = {}
    inside: list[tuple[ast.AST, ast.AST]] = [(tree, tree)]
    while inside:
        node, function = inside.pop()
        kind = type(node)
        if kind in FUNCTIONS:
            decisions[node], function = 1, node
        elif function in decisions and kind in DECIDING:
            decisions[function] += (
                len(node.values) - 1 if kind is ast.BoolOp else len(getattr(node, "ifs", ())) + 1
            )  # of a comprehension, its conditions, too
        inside += [(child, function) for child in ast.iter_child_nodes(node) if child._fields]
    return decisions


def too_complex(root: Path, *packages: str) -> list[str]:
    return [
        f"{path}:{function.lineno} {function.name}"
        for path, tree in sources(root, *(packages or PACKAGES))
        for function, decisions in functions(tree).items()
        if decisions > MOST_DECISIONS
    ]


def vaguely_named(root: Path) -> list[str]:
    return [
        p.relative_to(root).as_posix()
        for k in PACKAGES
        for p in (root / k).rglob("*")
        if p.stem in VAGUE_NAMES
    ]


def machine_traces(root: Path, files: list[str]) -> list[str]:
    """Lines of text files that name a directory of somebody's machine or the host of a package registry."""
    found = []
    for name in files:
        try:
            lines = (root / name).read_text(encoding="utf-8").splitlines()
        # a picture; a file deleted but not yet committed
        except (UnicodeDecodeError, FileNotFoundError):
            continue
        found += [
            f"{name}:{i}"
            for i, text in enumerate(lines, 1)
            if MACHINE_PATH.search(text) or REGISTRY_HOST.search(text)
        ]
    return found


def tracked_files() -> list[str]:
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("not a git checkout: there is no list of tracked files")
    return subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split("\0")[:-1]


# --- the repository keeps the rules -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "check", [import_violations, undocumented, too_long, too_complex, vaguely_named]
)
def test_the_packages_keep_the_rule(check):
    assert all((ROOT / package / "__init__.py").is_file() for package in PACKAGES)
    assert check(ROOT) == []


@pytest.mark.slow  # it reads twice as many files
def test_tests_and_programs_are_not_too_complex():
    assert too_complex(ROOT, "benchmarks", "docs", "examples", "tests") == []


def test_no_machine_is_named():
    assert machine_traces(ROOT, tracked_files()) == []


def test_no_line_of_markdown_is_longer_than_a_line_of_code():
    pages = [name for name in tracked_files() if name.endswith(".md") and (ROOT / name).is_file()]
    lines = [
        (name, line)
        for name in pages
        for line in (ROOT / name).read_text(encoding="utf-8").splitlines()
    ]
    assert [name for name, line in lines if len(line) > 120] == []


MEASURE = "import sys, time; t = time.process_time(); import {0}; print(time.process_time() - t, *sys.modules)"


def import_cost(root: Path, package: str) -> tuple[float, set[str]]:
    """CPU seconds and top-level modules of `import package` in a fresh interpreter; the fastest of up to five.

    The first that is fast enough ends the search: it is not the code that makes the others slow.
    """
    runs = []
    for _ in range(5):
        command = [sys.executable, "-c", MEASURE.format(package)]
        seconds, *modules = subprocess.run(
            command, cwd=root, capture_output=True, text=True, check=True
        ).stdout.split()
        runs.append((float(seconds), {name.split(".")[0] for name in modules}))
        if runs[-1][0] < LONGEST_IMPORT:
            break
    return min(runs, key=lambda run: run[0])


@pytest.mark.parametrize("package", PACKAGES)
def test_importing_a_package_imports_nothing_heavy(package):
    seconds, modules = import_cost(ROOT, package)
    assert not modules & (HEAVY | {"sympy", "scipy"})
    assert seconds < LONGEST_IMPORT


LINT = """
import os, sys
from importlinter.cli import lint_imports

for directory in sys.argv[1:]:  # in a process each, since importlinter remembers what it has read
    sys.stdout.flush()
    if not (process := os.fork()):
        os.chdir(directory)
        code = lint_imports(no_cache=True)
        sys.stdout.flush()
        os._exit(code)
    print("ended with", os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
"""


def lint_imports(*directories: Path) -> tuple[list[int], str]:
    """Exit code of import-linter in every directory, and everything that it printed."""
    pytest.importorskip("importlinter", reason="import-linter is not installed (extra `test`)")
    command = [sys.executable, "-c", LINT, *map(str, directories)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return [
        int(code) for code in re.findall(r"^ended with (-?\d+)$", done.stdout, re.MULTILINE)
    ], done.stdout


def test_import_linter_keeps_the_contracts():
    codes, printed = lint_imports(ROOT)
    assert codes == [0], printed


# --- and each rule can be broken --------------------------------------------------------------------------------------


@pytest.fixture
def house(tmp_path):
    """A small house that keeps every rule, and a way to write a file into it."""

    def write(path: str, text: str) -> None:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")

    rooms = ("theory/core/ledger", "theory/core/numbers", "theory/core/formula")
    for directory in (
        "theory",
        "theory/core",
        *rooms,
        "theory/two_point",
        "theory/sixth",
        "empirics",
        "bridge",
    ):
        write(f"{directory}/__init__.py", '"""Clean."""\n')
    write(
        "theory/core/numbers/backends.py",
        '"""Clean."""\nimport importlib\n\n\ndef _torch():\n    return importlib.import_module("torch")\n',
    )
    write("theory/two_point/below.py", '"""Clean."""\n')
    write(
        "theory/two_point/above.py", '"""Clean."""\nfrom theory.two_point import below as below\n'
    )
    assert not any(
        check(tmp_path)
        for check in (import_violations, undocumented, too_long, too_complex, vaguely_named)
    )
    return tmp_path, write


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("theory/a.py", "import empirics"),
        ("theory/a.py", "from bridge.fit.estimate import fit"),
        ("theory/a.py", "def f():\n    import torch.nn"),
        ("theory/two_point/a.py", 'import importlib\nimportlib.import_module("torch")'),
        ("theory/core/a.py", "import torch"),
        ("theory/core/a.py", "from theory import two_point"),
        ("theory/core/a.py", "from ..sixth import quantity"),
        ("theory/gaussian/a.py", "import theory.sixth.quantity"),
        ("theory/activations/a.py", "def f():\n    from theory import sixth"),
        ("theory/a.py", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import xarray"),
        ("theory/two_point/a.py", "import matplotlib.pyplot as plt"),
        ("empirics/a.py", "import theory.two_point"),
        ("empirics/a/b.py", '__import__("bridge")'),
    ],
)
def test_a_planted_import_is_seen(house, path, text):
    root, write = house
    write(path, text)
    assert import_violations(root)


@pytest.mark.parametrize(
    "text",
    [
        "x = 1",
        '"""M."""\ndef f(): pass',
        '"""M."""\nclass A:\n    """A."""\n    def m(self): pass',
    ],
)
def test_a_missing_docstring_is_seen(house, text):
    root, write = house
    write("empirics/a.py", text)
    assert undocumented(root)


def test_a_long_and_a_vague_file_are_seen(house):
    root, write = house
    write("bridge/utils.py", '"""M."""\n' + "x = 1\n" * (LONGEST_FILE + 1))
    assert too_long(root)
    assert vaguely_named(root)


@pytest.mark.parametrize(
    "line", ["    if x: pass", "    x = x or 1 if x else 2", "    [a for a in x if a]"]
)
def test_a_complex_function_is_seen(house, line):
    root, write = house
    for lines, is_complex in ((MOST_DECISIONS // 2 - 1, False), (MOST_DECISIONS, True)):
        write("bridge/a.py", '"""M."""\ndef _f(x):\n' + f"{line}\n" * lines)
        assert bool(too_complex(root)) == is_complex


@pytest.mark.parametrize(
    "text", ["open('/" + "home/me/a')", "see /" + "tmp/x", "index: " + "py" + "pi.org"]
)
def test_a_machine_path_is_seen(tmp_path, text):
    (tmp_path / "a.md").write_text(text)
    assert machine_traces(tmp_path, ["a.md"]) == ["a.md:1"]


def test_a_slow_import_and_a_heavy_one_are_seen(house):
    root, write = house
    busy = "end = time.process_time() + 0.11\nwhile time.process_time() < end:\n    pass\n"
    write("pandas/__init__.py", "")  # stands in for the real one, which takes longer
    write("theory/__init__.py", f'"""M."""\nimport time\nimport pandas\n{busy}')
    seconds, modules = import_cost(root, "theory")
    assert seconds > LONGEST_IMPORT
    assert "pandas" in modules


@pytest.mark.slow
def test_import_linter_sees_a_planted_import(house):
    root, write = house
    shutil.rmtree(root / "theory" / "sixth")
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    write("pyproject.toml", project[project.index("[tool.importlinter]") :])
    planted = [
        ("theory/core/numbers/a.py", "import empirics"),
        ("empirics/a.py", "import theory"),
        ("theory/core/numbers/a.py", "import torch"),
        ("theory/core/numbers/a.py", "import theory.two_point"),
        ("theory/core/numbers/a.py", "import theory.core.ledger"),
        ("theory/core/formula/a.py", "def f():\n    from theory.core import numbers"),
        ("theory/two_point/below.py", "def f():\n    from theory.two_point import above"),
        ("theory/core/a.py", '"""A module in no room."""'),
        ("theory/sixth/__init__.py", '"""A subject that no contract names."""'),
        ("theory/a.py", '"""A module that no contract names."""'),
    ]
    copies = [root.with_name(f"{root.name}-{number}") for number in range(len(planted))]
    for copy, (path, text) in zip(copies, planted, strict=True):
        shutil.copytree(root, copy)
        (copy / path).parent.mkdir(exist_ok=True)
        (copy / path).write_text(text, encoding="utf-8")
    codes, printed = lint_imports(root, *copies)
    assert codes == [0, *[1] * len(planted)], printed
