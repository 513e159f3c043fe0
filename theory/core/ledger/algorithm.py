"""Printed algorithms, which are executed line by line as they are shown."""

import ast
import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from closedform import checks

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
    """The lines of a printed algorithm in Python syntax, from number ``first`` on; ValueError for another text.

    Letters of the paper become names, indices become subscripts, and arrows become assignments; no line is added or
    omitted. The arguments of :meth:`run` supply the functions that the paper uses without a definition.

    >>> Algorithm("total = a + b").text
    'total = a + b'
    """

    text: str
    first: int = field(default=1, compare=False)

    def __post_init__(self) -> None:
        checks.integer("first", self.first, 0)
        try:
            ast.parse(checks.text("text", self.text))
        # the last two for lines nested too deeply
        except (SyntaxError, RecursionError, MemoryError) as error:
            raise ValueError(
                f"text: got {checks.shown(self.text)} ({error}), needs lines of Python"
            ) from None

    def run(self, **values: Any) -> Mapping[str, Any]:
        """Run the algorithm and return the values of all names after its last line.

        Args:
            values: inputs of the algorithm and functions that it calls, by name. Python's ``range``, ``len``, ``abs``,
                ``max``, ``min`` and ``sum`` are available.
        """
        builtins = {"range": range, "len": len, "abs": abs, "max": max, "min": min, "sum": sum}
        namespace = {"__builtins__": {}, **builtins, **values}
        # text of a ledger entry
        exec(compile(ast.parse(self.text), "<printed algorithm>", "exec"), namespace)
        return namespace

    def __str__(self) -> str:
        return "\n".join(
            f"{number:<3} {line}" for number, line in enumerate(self.text.splitlines(), self.first)
        )

    def changed(self) -> "Iterator[tuple[str, Algorithm]]":
        """Yield (description, algorithm) with one number, operator or comparison changed, or one line omitted."""
        for change in (_change_number, _change_operator):
            for index in range(sum(1 for _ in ast.walk(ast.parse(self.text)))):
                tree = ast.parse(self.text)
                description = change(list(ast.walk(tree))[index])
                if description:
                    yield description, Algorithm(ast.unparse(ast.fix_missing_locations(tree)))
        lines = self.text.splitlines()
        for number, line in enumerate(lines, 1):
            rest = "\n".join(
                [
                    *lines[: number - 1],
                    line[: len(line) - len(line.lstrip())] + "pass",
                    *lines[number:],
                ]
            )
            if line.strip() and not line.rstrip().endswith(":"):
                yield f"line {number} left out", Algorithm(rest)


def _change_number(node: Any) -> str:
    """Add 1 to a number in place and describe the change; return an empty string for any other node."""
    if (
        not isinstance(node, ast.Constant)
        or isinstance(node.value, bool)
        or not isinstance(node.value, (int, float))
    ):
        return ""
    before, node.value = node.value, node.value + 1
    return f"line {node.lineno}: {before} -> {node.value}"


def _change_operator(node: Any) -> str:
    """Exchange an operator or comparison in place and describe the change; return "" for any other node."""
    before = copy.deepcopy(node)
    if isinstance(node, (ast.BinOp, ast.AugAssign)) and type(node.op) in SWAPPED:
        node.op = SWAPPED[type(node.op)]()
    elif isinstance(node, ast.Compare) and type(node.ops[0]) in SWAPPED:
        node.ops[0] = SWAPPED[type(node.ops[0])]()
    else:
        return ""
    return f"line {node.lineno}: {ast.unparse(before)} -> {ast.unparse(node)}"
