"""A cache of generated pages that take minutes, made again only if their code or an installed package changed."""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib import metadata
from pathlib import Path

from rst import write_if_changed

SOURCES = ("*.py", "*.bib", "*.css", "*.j2", "*.js", "*.json")
Pages = Mapping[str, list[str]]


def fingerprint(sources: Iterable[Path], *also: str, without_text: bool = False) -> str:
    """Return a digest of source files (or those in folders), the versions of all installed packages, and ``also``.

    Args:
        sources: files and folders.
        also: further text.
        without_text: whether comments, docstrings and the layout of Python files make no difference. Default: False.
    """
    digest = hashlib.sha256(json.dumps([*installed(), *also]).encode())
    for source in sources:
        files = (
            [source]
            if source.is_file()
            else sorted(file for kind in SOURCES for file in source.rglob(kind))
        )
        for file in files:
            content = (
                program(file.read_bytes())
                if without_text and file.suffix == ".py"
                else file.read_bytes()
            )
            digest.update(f"{file.name} ".encode() + hashlib.sha256(content).digest())
    return digest.hexdigest()


@cache
def installed() -> tuple[str, ...]:
    """Return the names and versions of all installed packages, which stay the same during a build."""
    return tuple(
        sorted(
            {
                f"{distribution.name} {distribution.version}"
                for distribution in metadata.distributions()
            }
        )
    )


def program(source: bytes) -> bytes:
    """Return what a Python file does: its syntax tree without docstrings."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if (
            isinstance(body, list)
            and body
            and isinstance(body[0], ast.Expr)
            and _is_text(body[0].value)
        ):
            del body[0]
    return ast.dump(tree).encode()


def _is_text(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def kept(directory: Path, name: str, key: str, make: Callable[[], Pages]) -> Pages:
    """Return pages by name: those of the last build if ``key`` has not changed, otherwise those of ``make``.

    Args:
        directory: directory of the pages.
        name: name of this group of pages.
        key: digest from :func:`fingerprint`.
        make: function that returns the pages; they are written to disk.
    """
    stamp = directory / f".{name}.json"
    last = (
        json.loads(stamp.read_text(encoding="utf-8"))
        if stamp.exists()
        else {"key": "", "pages": []}
    )
    files = {page: directory / f"{page}.rst" for page in last["pages"]}
    if last["key"] == key and all(file.exists() for file in files.values()):
        return {
            page: file.read_text(encoding="utf-8").split("\n")[:-1] for page, file in files.items()
        }
    stamp.unlink(missing_ok=True)  # an interrupted build starts again
    pages = make()
    for page, lines in pages.items():
        write_if_changed(directory / f"{page}.rst", lines)
    stamp.write_text(json.dumps({"key": key, "pages": list(pages)}), encoding="utf-8")
    return pages
