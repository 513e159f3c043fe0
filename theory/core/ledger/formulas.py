r"""Printed statements from the text of a ledger: formulas, sentences, LaTeX.

A formula is a relation of two expressions: ``tau = h*sqrt(d/2)``, ``t_star ~ tau*log(1/alpha)`` (scales as),
``x ≈ 1.18`` (to its digits), ``x -> oo`` (tends to), ``x ∝ y``, ``<``, ``<=``, ``>``, ``>=``, ``!=``. An expression has
Python's operators, the letters of the paper, and :data:`FUNCTIONS`, with ``X.T`` for a transpose and ``X[0, 1]`` for
an element. A sentence stands in quotation marks, and what can be wrong in it in braces:
``"The {first: top|bottom} ones gain {n = 3} bits."`` LaTeX of what is not checked stands between dollar signs.
"""

import ast
import re
from collections.abc import Mapping
from functools import partial, reduce
from operator import mul
from typing import Any

import sympy as sp

from closedform.suggestions import unknown
from theory.core.ledger.printed import Approximates, Claim, Proportional, Scales, Tends, Word
from theory.core.numbers.digits import decimal

_OF_SYMPY = (
    "sqrt", "exp", "log", "Abs", "sign", "floor", "ceiling", "erf", "erfc", "erfinv", "sin", "cos", "tan", "asin",
    "acos", "atan", "atan2", "sinh", "cosh", "tanh", "factorial", "factorial2", "binomial", "gamma", "beta",
    "hermite", "Max", "Min", "Mod", "Heaviside", "DiracDelta", "KroneckerDelta", "Sum", "Product", "Integral",
    "Derivative", "Limit", "Order", "Piecewise", "Identity", "ZeroMatrix", "Inverse", "Transpose", "Trace",
    "Determinant", "HadamardProduct", "MatMul", "MatAdd", "MatPow", "BlockMatrix", "And", "Or", "Not", "Implies",
    "Equivalent", "Tuple",
)  # fmt: skip
FUNCTIONS: Mapping[str, Any] = {
    **{name: getattr(sp, name) for name in _OF_SYMPY},
    "Matrix": sp.ImmutableMatrix,
    "Add": partial(sp.Add, evaluate=False),
    "Mul": partial(sp.Mul, evaluate=False),
}
"""Functions that an expression may contain besides those of the paper; ``Add`` and ``Mul`` keep all terms."""
CONSTANTS: Mapping[str, Any] = {"pi": sp.pi, "E": sp.E, "oo": sp.oo, "I": sp.I}

# Python has one precedence for all its comparisons, so that each sign of a relation is read as one of them.
_SIGNS = {
    "=": "==",
    "≠": "!=",
    "≤": "<=",
    "≥": ">=",
    "~": " in ",
    "∝": " not in ",
    "≈": " is ",
    "->": " is not ",
}
_SIGN = re.compile(r"<=|>=|==|!=|->|[=~≈∝≤≥≠]")
_UNEVALUATED = {
    ast.Eq: sp.Eq, ast.NotEq: sp.Ne, ast.Lt: sp.Lt, ast.LtE: sp.Le, ast.Gt: sp.Gt, ast.GtE: sp.Ge,
}  # fmt: skip
_PRINTED = {ast.In: Scales, ast.NotIn: Proportional, ast.Is: Approximates, ast.IsNot: Tends}
_SLOT = re.compile(r"\{(?P<name>\w+)(?:: (?P<words>[^{}]+)|(?: = )(?P<value>[^{}]+))\}")


def statement(text: str, letters: Mapping[str, Any]) -> Any:
    """Return the formula, the :class:`Claim`, or the string of LaTeX that a text shows; ValueError for another text."""
    if text.startswith("$") and text.endswith("$") and len(text) > 2:
        return text[1:-1].strip()
    if text.startswith('"') and text.endswith('"'):
        return sentence(text[1:-1], letters)
    return formula(text, letters)


def sentence(text: str, letters: Mapping[str, Any]) -> Claim:
    """Return the claim of a sentence with its slots in braces."""
    values: dict[str, Any] = {}
    for slot in _SLOT.finditer(text):
        if slot["words"] is None:
            values[slot["name"]] = formula(slot["value"], letters)
        else:
            first, *others = slot["words"].split("|")
            values[slot["name"]] = Word(first, tuple(others))
    return Claim(_SLOT.sub(lambda slot: f"{{{slot['name']}}}", text), values)


def formula(text: str, letters: Mapping[str, Any]) -> Any:
    """Return the sympy object of a formula; ValueError says what is wrong in it."""
    source = _SIGN.sub(lambda sign: _SIGNS.get(sign[0], sign[0]), text)
    try:
        tree = ast.parse(source.strip(), mode="eval")
    except SyntaxError as error:
        raise ValueError(f"got {text!r}, needs a formula ({error.msg})") from None
    return _Formula(source.strip(), letters).visit(tree.body)


class _Formula(ast.NodeVisitor):
    """The sympy object of a syntax tree; everything that has no method here is refused."""

    def __init__(self, source: str, letters: Mapping[str, Any]) -> None:
        self._source = source
        self._letters = letters

    def generic_visit(self, node: ast.AST) -> Any:
        raise ValueError(
            f"got {ast.unparse(node)!r}, needs only operators, relations, letters and functions"
        )

    def visit_Constant(self, node: ast.Constant) -> Any:
        if isinstance(node.value, bool):
            return sp.true if node.value else sp.false
        if isinstance(node.value, int):
            return sp.Integer(node.value)
        if type(node.value) is float:
            return decimal(ast.get_source_segment(self._source, node) or "")
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> Any:
        for home in (self._letters, CONSTANTS, FUNCTIONS):
            if node.id in home:
                return home[node.id]
        raise ValueError(unknown("letter", node.id, {**self._letters, **CONSTANTS, **FUNCTIONS}))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        operand = node.operand
        if not isinstance(node.op, ast.USub):
            return self.generic_visit(node)
        if isinstance(operand, ast.Constant) and type(operand.value) is float:
            return decimal(f"-{self.visit(operand)}")
        return self._product([sp.S.NegativeOne, self.visit(operand)])

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        match node.op:
            case ast.Add():
                return self.visit(node.left) + self.visit(node.right)
            case ast.Sub():
                return self.visit(node.left) - self.visit(node.right)
            case ast.Mult() | ast.Div():
                return self._product(self._factors(node))
            case ast.Pow():
                return self.visit(node.left) ** self.visit(node.right)
        return self.generic_visit(node)

    def _factors(self, node: ast.expr) -> list[Any]:
        """Return the factors of a product such as ``-a*b/c``, which is built at once."""
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
            return [*self._factors(node.left), *self._factors(node.right)]
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            return [*self._factors(node.left), self.visit(node.right) ** -1]
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return [sp.S.NegativeOne, *self._factors(node.operand)]
        return [self.visit(node)]

    @staticmethod
    def _product(factors: list[Any]) -> Any:
        """Return the product; unlike sympy's, a number in front of a sum stays in front of it, as printed."""
        if any(isinstance(factor, sp.MatrixExpr | sp.MatrixBase) for factor in factors):
            return reduce(mul, factors)
        number = sp.Mul(*(factor for factor in factors if factor.is_Rational))
        sums = [factor for factor in factors if not factor.is_Rational]
        if len(sums) == 1 and sums[0].is_Add and number != 1:
            return sp.Mul(number, sums[0], evaluate=False)
        return sp.Mul(*factors)

    def visit_Compare(self, node: ast.Compare) -> Any:
        if len(node.ops) > 1:
            raise ValueError(f"got the chain {ast.unparse(node)!r}, needs one relation a line")
        left, right, sign = (
            self.visit(node.left),
            self.visit(node.comparators[0]),
            type(node.ops[0]),
        )
        if sign in _PRINTED:
            return _PRINTED[sign](left, right)
        return _UNEVALUATED[sign](left, right, evaluate=False)

    def visit_Call(self, node: ast.Call) -> Any:
        if not isinstance(node.func, ast.Name) or node.keywords:
            return self.generic_visit(node)
        return self.visit(node.func)(*map(self.visit, node.args))

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        return self.visit(node.value).T if node.attr == "T" else self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        index = self.visit(node.slice)
        return self.visit(node.value)[tuple(index) if isinstance(index, sp.Tuple) else index]

    def visit_Tuple(self, node: ast.Tuple) -> Any:
        return sp.Tuple(*map(self.visit, node.elts))

    def visit_List(self, node: ast.List) -> Any:
        return [self.visit(element) for element in node.elts]
