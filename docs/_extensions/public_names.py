"""The public names of a package with the first sentence of their docstrings, read from the source without importing."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

from rst import heading, plain, table

ROOT = Path(__file__).resolve().parents[2]


def public_names(package: str) -> list[tuple[str, str, str]]:
    """Return name, dotted place of definition and first sentence of everything that a package offers by its stub.

    The modules in the stub are left out, and so is what has no docstring, such as constants.

    Args:
        package: dotted name of a package; one without ``__init__.pyi`` has no public names.
    """
    names = []
    for name, (module, original) in offered(package).items():
        place, sentence = definition(module, original)
        if sentence:
            names.append((name, place, sentence))
    return names


def offered(package: str) -> dict[str, tuple[str, str]]:
    """Return for each name in the stub of a package the module from which it comes and its name there."""
    stub = ROOT / package.replace(".", "/") / "__init__.pyi"
    imports = [one for one in statements(stub) if isinstance(one, ast.ImportFrom) and one.module]
    return {
        a.asname or a.name: (f"{package}.{one.module}", a.name)
        for one in imports
        for a in one.names
    }


@cache
def statements(source: Path) -> list[ast.stmt]:
    """Return the statements of a Python file, none where there is no file; each is read once in a build."""
    return ast.parse(source.read_text(encoding="utf-8")).body if source.is_file() else []


def definition(module: str, name: str) -> tuple[str, str]:
    """Return the dotted place where a function or class is defined, and its first sentence; empty for anything else."""
    path = ROOT / module.replace(".", "/")
    source = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    for one in statements(source):
        if isinstance(one, ast.FunctionDef | ast.ClassDef) and one.name == name:
            first = (ast.get_docstring(one) or "").partition("\n\n")[0]
            return f"{module}.{name}", " ".join(first.split())
    further = offered(module).get(name)
    return definition(*further) if further else ("", "")


def names_table(package: str) -> list[str]:
    """Return the public names of a package as a table with links; nothing for a package that has none."""
    rows = [
        (f":py:obj:`{name} <{place}>`", plain([sentence])[0]) for name, place, sentence in public_names(package)
    ]  # fmt: skip
    return table(("name", "what it does"), rows)


def reference(packages: dict[str, list[str]]) -> list[str]:
    """Return the page that leads to the reference of all packages, public names first.

    Args:
        packages: the packages that have a page, for each of the packages at the top.
    """
    lines = [
        *heading("API reference", "="),
        ":doc:`/by-task` shows the calls for the most common tasks. The pages below begin with the public names of a",
        "package; the modules in which they are defined follow.",
        "",
    ]
    for top, names in packages.items():
        lines += [*heading(f"``{top}``", "-"), *names_table(top)]
        lines += [".. toctree::", "   :maxdepth: 1", "", *(f"   api/{name}" for name in names), ""]
    return lines
