"""Digests of everything that determines a ledger entry's verdict: the source of its module and all that it imports.

After a change in one module of a paper, the stored verdicts of all entries that do not import it remain valid.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from theory.core.proof import sources
from theory.core.proof.sources import digest, files_below

PACKAGE = "theory"
_ROOT = Path(__file__).resolve().parents[2]
_PAPERS = _ROOT / "papers"
_CORE = _ROOT / "core"
_OTHER_PAPER = re.compile(rf"{PACKAGE}\.papers\.(\w+)")


def paper_digest(package: str) -> str | None:
    """Return the digest of everything that can change a ledger: the theory without the other papers, and versions.

    Args:
        package: package of the ledger, such as "theory.papers.paccolat2021".

    Returns:
        The digest; None if the package does not belong to the theory, or a source file changed after this process
        started.
    """
    if not package.startswith(f"{PACKAGE}.papers."):
        return None
    keys, waiting = set(), [package.rpartition(".")[2]]
    while waiting:
        key = waiting.pop()
        keys.add(key)
        waiting += {other for path in files_below(_PAPERS / key) for other in _mentioned(path)} - keys
    return digest([*_common(), *(path for key in sorted(keys) for path in files_below(_PAPERS / key))], _ROOT.parent)


def module_digest(module: str) -> str | None:
    """Return the digest of a module, of everything in the theory that it imports (even indirectly), and of versions.

    Args:
        module: name of the module, such as "theory.papers.paccolat2021.neuron".

    Returns:
        The digest; None under the same conditions as for :func:`paper_digest`.
    """
    if not module.startswith(f"{PACKAGE}."):
        return None
    found = set(waiting := [*_resolved(module)])
    while waiting:
        further = set(_imported(waiting.pop())) - found
        found |= further
        waiting += further
    always = {path for path in _common() if _CORE in path.parents or sources.GROUND in path.parents}
    return digest(sorted(found | always), _ROOT.parent)


def digest_of_all(digests: Iterable[str | None]) -> str | None:
    """Return one digest of several digests; None if one of them is None."""
    texts = sorted(set(digests), key=str)
    if not texts or None in texts:
        return None
    return texts[0] if len(texts) == 1 else hashlib.sha256(" ".join(map(str, texts)).encode()).hexdigest()


@cache
def _common() -> tuple[Path, ...]:
    return (*files_below(sources.GROUND), *(path for path in files_below(_ROOT) if _PAPERS not in path.parents))


def _mentioned(path: Path) -> set[str]:
    return set(_OTHER_PAPER.findall(path.read_text(encoding="utf-8"))) if path.suffix == ".py" else set()


@cache
def _imported(path: Path) -> tuple[Path, ...]:
    """Return the files of the theory that a file imports, including imports within functions."""
    if path.suffix != ".py":
        return ()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return tuple({file for name in _names(tree, path) for file in _resolved(name)})


def _names(tree: ast.AST, path: Path) -> Iterator[str]:
    package = path.relative_to(_ROOT.parent).with_suffix("").parts[:-1]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] == PACKAGE)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join((*base, *([node.module] if node.module else [])))
            if module.split(".")[0] == PACKAGE:
                yield from (f"{module}.{alias.name}" for alias in node.names)


@cache
def _resolved(name: str) -> tuple[Path, ...]:
    """Return the files of a module, of the package that has an attribute of this name, or of all subjects."""
    path = _ROOT.parent.joinpath(*name.split("."))
    if path.with_suffix(".py").is_file():
        return (path.with_suffix(".py"),)
    if path == _ROOT:
        return _common()
    if not path.is_dir():
        return _resolved(name.rpartition(".")[0])
    return (path / "__init__.py",) if path.parent == _PAPERS else tuple(files_below(path))
