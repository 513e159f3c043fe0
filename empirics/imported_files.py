"""The files that a module of the user's imports, found in the text of the files, with a digest of each.

Imports inside functions count as all others. A name that is computed may be that of any module below its constant
beginning, as in ``import_module(f"variants.{name}")``, or of any module beside the file if it has none. Files of
Python's own library and of installed packages are left out.
"""

import ast
import hashlib
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES, PathFinder
from importlib.metadata import distributions
from importlib.util import find_spec, resolve_name
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from closedform.subjects import GROUP

OURS = frozenset(("closedform", "empirics", "theory", "bridge", "papers"))
INSTALLED = ("site-packages", "dist-packages")
BY_NAME = ("import_module", "__import__", "importorskip")  # of a module, which may be computed
BY_FILE = (
    "run_path",
    "run_module",
    "spec_from_file_location",
    "walk_packages",
    "iter_modules",
    "attach_stub",
)
BY_TEXT = "exec"  # of Python only, since other objects have methods of this name
EVERYTHING = "*"  # at the end of a name: all modules below it


class Module(NamedTuple):
    """A file that can be imported."""

    name: str  # dotted
    file: Path
    folder: Path  # in which its top-level package or module lies


def digest(content: bytes) -> str:
    """Return a digest of some bytes, sixteen hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()[:16]


def digests(name: str, file: Path) -> dict[str, str]:
    """Return the digest of a module's file and of every file that it imports, in turn.

    Args:
        name: dotted name of the module, which need not be imported; the folder that it is imported from is searched
            before ``sys.path``.
        file: where the module lies.

    Returns:
        ``{path from the folder of the import: sixteen hexadecimal digits}``.
    """
    levels = name.count(".") + (file.stem == "__init__")
    first = Module(name, file, file.parents[levels])
    top = name.partition(".")[0]
    own = frozenset((top,)) | (_packages_of_guest(top) if _is_installed(file) else frozenset())
    waiting = [first, *_modules(name.rpartition(".")[0], first.folder, own)]
    result: dict[str, str] = {}
    while waiting:
        module = waiting.pop()
        path = module.file.relative_to(module.folder).as_posix()
        if path in result:
            continue
        content = module.file.read_bytes()
        result[path] = digest(content)
        for wanted in _imports(content, module) if module.file.suffix == ".py" else ():
            if wanted == EVERYTHING:
                waiting += _beside(module)
            elif wanted.endswith(EVERYTHING):
                waiting += _below(wanted.rstrip(f".{EVERYTHING}"), first.folder, own)
            else:
                waiting += _modules(wanted, first.folder, own)
    return result


def differing(before: Mapping[str, Any], now: Mapping[str, str]) -> str:
    """Return in words which files have other digests, or only one of the two has; empty if none."""
    names = sorted(
        name for name in before.keys() | now.keys() if before.get(name) != now.get(name)
    )
    return f"the code of {' and '.join(names)} has changed" if names else ""


def file_of(name: str) -> Path | None:
    """Return the file of a module of the user's or of a guest, without importing it; None for others, such as torch."""
    own = _packages_of_guest(name.partition(".")[0])
    files = [module.file for module in _modules(name, Path(), own) if module.name == name]
    return files[0] if files else None


def _is_installed(file: Path) -> bool:
    return any(part in INSTALLED for part in file.parts)


@cache
def _packages_of_guest(top: str) -> frozenset[str]:
    """Return the top-level packages of the guest that brings this one; empty if no guest does."""
    for distribution in distributions():
        with suppress(Exception):  # unreadable metadata
            announced = {
                entry.module.partition(".")[0]
                for entry in distribution.entry_points.select(group=GROUP)
            }
            if top in announced:
                parts = [
                    Path(str(file)).parts[0]
                    for file in distribution.files or ()
                    if str(file).endswith(".py")
                ]
                return frozenset((top, *(part.removesuffix(".py") for part in parts)))
    return frozenset()


def _modules(name: str, folder: Path, own: frozenset[str]) -> list[Module]:
    """Return a module and the packages around it, as far as they have files that count."""
    top, *rest = name.split(".")
    if (
        not name
        or top in OURS
        or (top in sys.stdlib_module_names and not (folder / f"{top}.py").is_file())
    ):
        return []
    spec = PathFinder.find_spec(top, [str(folder)])
    if spec is None:
        with suppress(Exception):  # a module without a specification, or a finder of somebody else
            spec = find_spec(top)
    modules: list[Module] = []
    base: Path | None = None
    for position in range(len(rest) + 1):
        if spec is None:
            break
        inside = spec.submodule_search_locations
        if base is None:
            home = next(iter(inside), None) if inside is not None else spec.origin
            if home is None:
                break
            base = Path(home).absolute().parent
        file = Path(spec.origin or "").absolute()
        if file.is_file() and file.is_relative_to(base):
            if _is_installed(file) and top not in own:
                return []
            modules.append(Module(".".join([top, *rest[:position]]), file, base))
        if inside is None or position == len(rest):
            break
        spec = PathFinder.find_spec(".".join([top, *rest[: position + 1]]), list(inside))
    return modules


def _below(name: str, folder: Path, own: frozenset[str]) -> list[Module]:
    """Return all modules below a package, which need not have an ``__init__.py``."""
    around = _modules(name, folder, own)
    base = around[0].folder if around else folder
    return [*around, *_in_folder(base.joinpath(*name.split(".")), base)]


def _beside(module: Module) -> list[Module]:
    """Return all modules of the package of a file; of one in no package, those of its folder and its packages."""
    inside = module.file.relative_to(module.folder).parts
    if len(inside) > 1:
        return _in_folder(module.folder / inside[0], module.folder)
    packages = [path.parent for path in sorted(module.folder.glob("*/__init__.py"))]
    files = [Module(path.stem, path, module.folder) for path in sorted(module.folder.glob("*.py"))]
    return files + list(
        chain.from_iterable(_in_folder(package, module.folder) for package in packages)
    )


def _in_folder(folder: Path, base: Path) -> list[Module]:
    paths = [
        path
        for path in sorted(folder.rglob("*"))
        if path.name.endswith((".py", *EXTENSION_SUFFIXES))
    ]
    modules = []
    for path in paths:
        parts = path.relative_to(base).with_suffix("").parts
        if not any(part.startswith(".") or part in INSTALLED for part in parts):
            modules.append(Module(".".join(parts).removesuffix(".__init__"), path, base))
    return modules


def _imports(content: bytes, module: Module) -> Iterator[str]:
    """Yield the dotted names that a file imports anywhere in its text; of ``from a import b``, both a and a.b."""
    package = module.name if module.file.stem == "__init__" else module.name.rpartition(".")[0]
    tree = None
    # whoever imports it will be told
    with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
        tree = ast.parse(content)
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = _absolute("." * node.level + (node.module or ""), package)
            yield start
            yield from (f"{start}.{alias.name}" for alias in node.names if start)
        elif isinstance(node, ast.Call):
            yield from _imported_by_call(node, package)


def _imported_by_call(call: ast.Call, package: str) -> Iterator[str]:
    function = getattr(call.func, "attr", getattr(call.func, "id", ""))
    if function in BY_FILE or (function == BY_TEXT and isinstance(call.func, ast.Name)):
        yield EVERYTHING
    elif function in BY_NAME and call.args:
        name, is_whole = _constant_beginning(call.args[0])
        start = _absolute(name if is_whole else name.rpartition(".")[0], package)
        yield start if is_whole else f"{start}.{EVERYTHING}".lstrip(".")


def _constant_beginning(text: ast.expr) -> tuple[str, bool]:
    """Return the constant beginning of a text that is computed, and whether this is all of it."""
    if isinstance(text, ast.Constant) and isinstance(text.value, str):
        return text.value, True
    if isinstance(text, ast.JoinedStr) and text.values:
        return _constant_beginning(text.values[0])[0], False
    if isinstance(text, ast.BinOp):  # a sum, or "variants.%s" % name
        beginning = _constant_beginning(text.left)[0]
        return beginning.partition("%")[0] if isinstance(text.op, ast.Mod) else beginning, False
    if isinstance(text, ast.Call) and getattr(text.func, "attr", "") == "format":
        return _constant_beginning(text.func.value)[0].partition("{")[0], False  # type: ignore[attr-defined]
    return "", False


def _absolute(name: str, package: str) -> str:
    """Return the dotted name of a relative import; empty if it leads out of the package."""
    with suppress(ImportError, ValueError):
        return resolve_name(name, package or None) if name.startswith(".") else name
    return ""
