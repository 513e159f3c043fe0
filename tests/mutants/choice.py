"""Which tests can see an error planted in a module."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("closedform", "theory", "empirics", "bridge", "papers")
MOST_FILES = 4  # test files for one module
SWEEP = "tests/theory/test_sweep.py"
LEDGERS = "tests/papers/test_ledgers.py"


def tests_of(module: str) -> list[str]:
    """Return the tests that are run on a module: those of its ledger, or that bear its name, or that name it most.

    Modules of one paper compute for the entries of others, so that all entries of the paper are checked.
    """
    tree = ast.parse((ROOT / module).read_text(encoding="utf-8"))
    names = {
        n.name
        for n in tree.body
        if isinstance(n, (ast.FunctionDef, ast.ClassDef)) and n.name[0] != "_"
    }
    names |= set(
        re.findall(r'name="([a-z_0-9.]+)"', (ROOT / module).read_text(encoding="utf-8"))
    ) | {Path(module).stem}
    folder = "/".join(Path(module).parts[:-1])
    scores = {}
    for path in (ROOT / "tests").rglob("test_*.py"):
        text = path.read_text(encoding="utf-8")
        hits = sum(len(re.findall(rf"\b{re.escape(name)}\b", text)) for name in names)
        near = str(path.relative_to(ROOT / "tests")).startswith(folder)
        bears_its_name = _bears_the_name(
            path.relative_to(ROOT / "tests"), Path(module).with_suffix("").parts
        )
        if hits or bears_its_name:
            scores[str(path.relative_to(ROOT))] = hits + 20 * near + 1000 * bears_its_name
    best = list(
        dict.fromkeys(
            (*sorted(scores, key=lambda path: -scores[path])[:MOST_FILES], *_of_importers(module))
        )
    )
    if re.match(r"papers/\w+/ledger/", module):
        best = [LEDGERS, *(path for path in best if path != LEDGERS)]
    elif names_of_forms(module) or re.search(
        r"\b(ClosedForm|Step)\(", (ROOT / module).read_text(encoding="utf-8")
    ):
        best.append(SWEEP)
    return best or _tests_of_folder(Path(module).parent)


def names_of_forms(module: str) -> list[str]:
    """Return the names of the closed forms of its subject that a module has in its text."""
    _, subject, *_ = Path(module).parts
    text = (ROOT / module).read_text(encoding="utf-8")
    return re.findall(rf'"({subject}\.[a-z_0-9]+)', text) if module.startswith("theory/") else []


def _bears_the_name(path: Path, module: tuple[str, ...]) -> bool:
    """Return whether a test file is named after a module or its folder, as test_shallow_plane after shallow/plane."""
    level, name = len(path.parts) - 1, path.stem.removeprefix("test_")
    names = {"_".join(part[k:]) for part in (module, module[:-1]) for k in range(level, len(part))}
    return path.parts[:level] == module[:level] and name in names


def _of_importers(module: str) -> list[str]:
    """Return the test files that are named after a module that imports this one, at most two."""
    name = module.removesuffix(".py").replace("/", ".")
    package, _, stem = name.rpartition(".")
    imports = re.compile(rf"{re.escape(name)}\b|from {re.escape(package)} import [^\n]*\b{stem}\b")
    sources = [
        p
        for parent in PACKAGES
        for p in sorted((ROOT / parent).rglob("*.py"))
        if p.stem != "__init__"
    ]
    importers = [
        p.relative_to(ROOT).with_suffix("").parts
        for p in sources
        if imports.search(p.read_text("utf-8"))
    ]
    tests = [p.relative_to(ROOT / "tests") for p in sorted((ROOT / "tests").rglob("test_*.py"))]
    return [
        f"tests/{p}" for p in tests if any(_bears_the_name(p, importer) for importer in importers)
    ][:2]


def _tests_of_folder(folder: Path) -> list[str]:
    """Return the test files that name this package or mirror it, else those of the package around it."""
    if folder == Path("."):
        return []
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    named = [
        p
        for p in files
        if re.search(rf"\b{re.escape(folder.name)}\b", p.read_text(encoding="utf-8") + p.stem)
    ]
    mirrored = [
        p for p in files if p.parent == ROOT / "tests" / folder or p.stem == f"test_{folder.name}"
    ]
    chosen = [str(p.relative_to(ROOT)) for p in dict.fromkeys((*mirrored, *named))][:MOST_FILES]
    return chosen or _tests_of_folder(folder.parent)
