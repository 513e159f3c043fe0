"""Mutation testing: plant one small error after another in a copy of the packages, and see whether a test notices it.

    python tests/mutants/run.py --sample 300 --seed 1 --out mutants.jsonl [--only theory/two_point] [--part 1/2]
    python tests/mutants/run.py --at bridge/geometry/convergence.py:76

Each mutant is one change of one expression: another comparison, another operation, a number off by one, a condition
turned round, a lost minus sign, two arguments exchanged. The tests that run on it are those of the files that name the
module or its functions most often, with the closed forms that the module defines and, for a module of a paper, all
entries of its ledger. Where no test names the module, its tests are those of its folder. A mutant dies if one of them
fails or takes too long. What killed it then runs on the unchanged module; where it fails there too, the mutant is not
judged. Survivors are printed, and ``equivalent.md`` lists those that change nothing a test could see. The tests run in
a child of a process that has imported the libraries already, so that most mutants take seconds. Mutants of a sample
that died according to the file of results are not tried again; survivors, and every mutant of ``--at``, are.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from choice import PACKAGES, ROOT, SWEEP, names_of_forms, tests_of

os.environ |= {"TQDM_DISABLE": "1", "MPLBACKEND": "Agg"}  # read when libraries are imported
SECONDS = 240  # of processor time for the tests of one mutant
_ENDS = {
    -signal.SIGXCPU: "too slow",
    0: "passed",
    1: "a test failed",
    2: "the tests could not be collected",
    4: "a test is gone",
    5: "no test",
}  # codes of pytest
_OTHER: dict[type, type] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Div, ast.Pow: ast.Mult,
    ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip


def places(tree: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """Yield every node that can be changed, with the kind of change."""
    skipped = {id(node) for parent in ast.walk(tree) for node in _not_code(parent)}
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _OTHER:
            yield node, "comparison"
        elif (
            isinstance(node, (ast.BinOp, ast.BoolOp))
            and type(node.op) in _OTHER
            and not _is_text(node)
        ):
            yield node, "operation"
        elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
            yield node, "number"
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.Not)):
            yield node, "sign"
        elif isinstance(node, (ast.If, ast.IfExp)):
            yield node, "condition"
        elif isinstance(node, ast.Call) and len(node.args) == 2 and not node.keywords:
            yield node, "arguments"


def _not_code(parent: ast.AST) -> Iterator[ast.AST]:
    """Yield what has no effect when the program runs: annotations, and texts of errors."""
    parts: list[ast.AST | None] = []
    if isinstance(parent, (ast.FunctionDef, ast.AsyncFunctionDef)):
        parts = [
            parent.returns,
            *(a.annotation for a in (*parent.args.args, *parent.args.kwonlyargs)),
        ]
    elif isinstance(parent, ast.AnnAssign):
        parts = [parent.annotation]
    elif isinstance(parent, (ast.JoinedStr, ast.Raise)):
        parts = [parent]
    elif isinstance(parent, ast.If) and isinstance(parent.test, ast.Name):  # if TYPE_CHECKING
        parts = [parent] if parent.test.id == "TYPE_CHECKING" else []
    for part in parts:
        if part is not None:
            yield from ast.walk(part)


def _is_text(node: ast.BinOp | ast.BoolOp) -> bool:
    return any(
        isinstance(x, ast.JoinedStr) or (isinstance(x, ast.Constant) and isinstance(x.value, str))
        for x in ast.walk(node)
    )


def change(node: ast.AST, kind: str) -> None:
    """Make the change in place."""
    if kind == "comparison" and isinstance(node, ast.Compare):
        node.ops[0] = _OTHER[type(node.ops[0])]()
    elif kind == "operation" and isinstance(node, (ast.BinOp, ast.BoolOp)):
        node.op = _OTHER[type(node.op)]()
    elif kind == "number" and isinstance(node, ast.Constant):
        node.value = node.value + 1 if isinstance(node.value, int) else node.value * 2 or 1.0
    elif kind == "condition" and isinstance(node, (ast.If, ast.IfExp)):
        node.test = ast.UnaryOp(ast.Not(), node.test)
    elif kind == "arguments" and isinstance(node, ast.Call):
        node.args.reverse()
    elif kind == "sign" and isinstance(node, ast.UnaryOp):
        node.op = ast.UAdd() if isinstance(node.op, ast.USub) else ast.Not()
        if isinstance(node.op, ast.Not):
            node.operand = ast.UnaryOp(ast.Not(), node.operand)


def sample(count: int, seed: int, only: str) -> list[tuple[str, int, int, str]]:
    """Return (file, index of the place, line, kind) of randomly chosen mutants, files with equal chances."""
    draw = random.Random(seed)
    files = [
        p
        for package in PACKAGES
        for p in sorted((ROOT / package).rglob("*.py"))
        if p.name != "__init__.py"
    ]
    files = [p for p in files if str(p.relative_to(ROOT)).startswith(only)]
    chosen: set[tuple[str, int, int, str]] = set()
    for _ in range(20 * count):
        if len(chosen) == count:
            break
        path = draw.choice(files)
        found = list(places(ast.parse(path.read_text(encoding="utf-8"))))
        if found:
            index = draw.randrange(len(found))
            node, kind = found[index]
            chosen.add((str(path.relative_to(ROOT)), index, getattr(node, "lineno", 0), kind))
    result = sorted(chosen)
    draw.shuffle(result)
    return result


def at(place: str) -> list[tuple[str, int, int, str]]:
    """Return every mutant of one line, given as ``file:line``."""
    path, _, wanted = place.rpartition(":")
    found = enumerate(places(ast.parse((ROOT / path).read_text(encoding="utf-8"))))
    listed = [(path, index, getattr(node, "lineno", 0), kind) for index, (node, kind) in found]
    return [mutant for mutant in listed if mutant[2] == int(wanted)]


class _FirstFailure:
    """A plugin of pytest that writes down which test failed first."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed and not self.path.exists():
            self.path.write_text(report.nodeid, encoding="utf-8")


def survives(copy: Path, files: list[str], module: str) -> tuple[bool, str]:
    """Run the tests in a child process; return whether all pass, and how the child ended."""
    _failure(copy).unlink(missing_ok=True)
    child = os.fork()
    if not child:
        code = 9
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 5))
            code = _run_tests(copy, files, module)
        finally:  # the child never returns to the loop over mutants, and never tidies up after it
            os._exit(code)
    started = time.monotonic()
    while time.monotonic() - started < 10 * SECONDS:  # a mutant may also wait for ever
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            code = os.waitstatus_to_exitcode(status)
            if code not in _ENDS:
                raise RuntimeError(
                    f"pytest ended with code {code} on {files}, needs one of {list(_ENDS)}"
                )
            return code in (0, 5), _ENDS[code]
        time.sleep(0.05)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return False, _ENDS[-signal.SIGXCPU]


def _run_tests(copy: Path, files: list[str], module: str) -> int:
    os.setsid()
    os.chdir(copy)
    # What judges proofs is not taken from a store that it judged itself.
    store = "off" if module.startswith("theory/core") else str(copy.parent / "store")
    os.environ |= {"PYTHONPATH": str(copy), "CLOSEDFORM_CACHE": store}
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    sys.path[:] = [
        str(copy),
        *(entry for entry in sys.path if Path(entry or ".").resolve() != ROOT),
    ]
    import pytest

    options = ["-p", "no:cacheprovider", "-q", "-x", "--no-header", "--every-case", *files]
    if SWEEP in files:
        options += ["-k", _form_filter(module)]
    elif module.startswith("papers/"):
        # Any change of its files voids the record of a ledger, whatever the change does.
        options += ["-k", f"not test_ledgers or ({Path(module).parts[1]} and not are_recorded)"]
    return min(int(pytest.main(options, plugins=[_FirstFailure(_failure(copy))])), 8)


def _failure(copy: Path) -> Path:
    return copy.parent / "first-failure"


def _fails_anyway(copy: Path, files: list[str], module: str) -> bool:
    """Return whether what just killed a mutant fails on the unchanged module, too."""
    culprit = _failure(copy)
    return not survives(
        copy, [culprit.read_text(encoding="utf-8")] if culprit.exists() else files, module
    )[0]


def _form_filter(module: str) -> str:
    """Return the filter that leaves of the sweep only the forms of this module, else those of its subject.

    The names are read from the unchanged source.
    """
    names = names_of_forms(module) or [Path(module).parts[1]]
    return " or ".join(["not test_sweep", *(name.replace(".", " and ") for name in names)])


def main() -> None:
    """Run the sample and print what survives."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sample", type=int, default=300, help="number of mutants (default 300)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the sample (default 1)")
    parser.add_argument(
        "--part", default="1/1", help="which part of the sample, as in 2/4 (default: all of it)"
    )
    parser.add_argument("--only", default="", help="files whose path begins so (default: all)")
    parser.add_argument(
        "--at", action="append", default=[], help="every mutant of a line file:line, not a sample"
    )
    parser.add_argument(
        "--minutes", type=float, default=1e9, help="stop after so many minutes (default: never)"
    )
    parser.add_argument(
        "--out", type=Path, default=Path("mutants.jsonl"), help="one line for each mutant"
    )
    options = parser.parse_args()
    for library in (
        "numpy",
        "scipy.optimize",
        "scipy.special",
        "sympy",
        "flint",
        "mpmath",
        "xarray",
    ):
        __import__(library)
    import torch

    torch.set_num_threads(1)
    until, died, tried, taken = time.monotonic() + 60 * options.minutes, 0, 0, 0
    lines = options.out.read_text(encoding="utf-8").splitlines() if options.out.exists() else []
    dead = {_key(record) for record in map(json.loads, lines) if not record["survived"]}
    part, parts = map(int, options.part.split("/"))
    with tempfile.TemporaryDirectory() as folder, options.out.open("a") as out:
        copy = Path(folder) / "closedform"
        shutil.copytree(
            ROOT, copy, ignore=shutil.ignore_patterns(".git", ".venv", "_build", "__pycache__")
        )
        shared = ROOT.parent / "shared"
        if shared.exists():
            (copy.parent / "shared").symlink_to(shared.resolve())
        chosen = [mutant for place in options.at for mutant in at(place)]
        chosen = chosen if options.at else sample(options.sample, options.seed, options.only)
        for module, index, line, kind in chosen[part - 1 :: parts]:
            if time.monotonic() > until:
                break
            source = (ROOT / module).read_text(encoding="utf-8")
            tree = ast.parse(source)
            node, _ = list(places(tree))[index]
            record = {
                "module": module,
                "line": line,
                "index": index,
                "kind": kind,
                "before": ast.unparse(node)[:100],
            }
            if not options.at and _key(record) in dead:
                taken += 1
                continue
            files = tests_of(module)
            unchanged = ast.unparse(tree)
            change(node, kind)
            (copy / module).write_text(ast.unparse(tree))
            alive, how = survives(copy, files, module) if files else (True, "no test file")
            (copy / module).write_text(unchanged)
            if not alive and _fails_anyway(copy, files, module):
                print(
                    f"NOT JUDGED {module}:{line}: without the mutant, too, {how} in {', '.join(files)}",
                    flush=True,
                )
                continue
            tried, died = tried + 1, died + (not alive)
            record |= {
                "after": ast.unparse(node)[:100],
                "survived": alive,
                "how": how,
                "tests": files,
            }
            out.write(json.dumps(record) + "\n")
            out.flush()
            if alive:
                print(
                    f"SURVIVED {module}:{line} {kind}: {record['before']} -> {record['after']} ({how})",
                    flush=True,
                )
            (copy / module).write_text(source)
    print(f"{died} of {tried} mutants died; {taken} others died before, as {options.out} says")


def _key(record: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(record.get(name) for name in ("module", "index", "kind", "before"))


if __name__ == "__main__":
    main()
