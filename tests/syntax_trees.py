"""Syntax trees of the project's files, which several tests read."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache


@cache
def parsed(text: str) -> ast.Module:
    """The syntax tree of a file, and whether the file may import modules by their names."""
    tree = ast.parse(text)
    tree.names_modules = "import_module" in text or "__import__" in text
    return tree


def statements(tree: ast.Module) -> Iterator[ast.AST]:
    """The statements of a file at any depth, without their expressions, which are most of a tree."""
    inside: list[ast.AST] = [tree]
    while inside:
        yield (node := inside.pop())
        for field in ("body", "orelse", "finalbody", "handlers", "cases"):
            inside += getattr(node, field, ())
