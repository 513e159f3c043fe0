"""A printed algorithm that is executed as it is shown, line by line."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

SWAPPED: dict[Any, Any] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.Pow: ast.Mult,
    ast.MatMult: ast.Add,
    ast.Lt: ast.GtE,
    ast.LtE: ast.Gt,
    ast.Gt: ast.LtE,
    ast.GtE: ast.Lt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}


@dataclass(frozen=True)
class Algorithm:
    """The lines of an algorithm as printed, in the syntax of Python.

    A letter of the paper is a name, an index a subscript, an arrow an assignment; no line is added and none is left
    out. What the paper calls without defining it, such as the encoder, is given by :meth:`run`.

    Args:
        text: the lines.

    Raises:
        SyntaxError: if it is no program.
    """

    text: str

    def __post_init__(self) -> None:
        ast.parse(self.text)

    def run(self, **values: Any) -> Mapping[str, Any]:
        """All names after the last line.

        Args:
            values: inputs of the algorithm, and functions that it calls. Python's own ``range``, ``len``, ``abs``,
                ``max``, ``min`` and ``sum`` are there.
        """
        names = {"range": range, "len": len, "abs": abs, "max": max, "min": min, "sum": sum}
        space = {"__builtins__": {}, **names, **values}
        exec(compile(ast.parse(self.text), "<printed algorithm>", "exec"), space)  # the author's own text
        return space

    def __str__(self) -> str:
        return self.text

    def changed(self) -> Iterator[tuple[str, Algorithm]]:
        """The algorithm with one number, operator or comparison changed, or one line left out."""
        for change in (_number, _operator):
            for index in range(sum(1 for _ in ast.walk(ast.parse(self.text)))):
                tree = ast.parse(self.text)
                if words := change(list(ast.walk(tree))[index]):
                    yield words, Algorithm(ast.unparse(ast.fix_missing_locations(tree)))
        lines = self.text.splitlines()
        for number, line in enumerate(lines, 1):
            rest = "\n".join([*lines[: number - 1], line[: len(line) - len(line.lstrip())] + "pass", *lines[number:]])
            if line.strip() and not line.rstrip().endswith(":"):
                yield f"line {number} left out", Algorithm(rest)


def _number(node: Any) -> str:
    if not isinstance(node, ast.Constant) or isinstance(node.value, bool) or not isinstance(node.value, (int, float)):
        return ""
    before, node.value = node.value, node.value + 1
    return f"line {node.lineno}: {before} -> {node.value}"


def _operator(node: Any) -> str:
    before = copy.deepcopy(node)
    if isinstance(node, (ast.BinOp, ast.AugAssign)) and type(node.op) in SWAPPED:
        node.op = SWAPPED[type(node.op)]()
    elif isinstance(node, ast.Compare) and type(node.ops[0]) in SWAPPED:
        node.ops[0] = SWAPPED[type(node.ops[0])]()
    else:
        return ""
    return f"line {node.lineno}: {ast.unparse(before)} -> {ast.unparse(node)}"
