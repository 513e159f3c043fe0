"""Traversals of an expression that visit every distinct subexpression once.

An expression is a graph with shared subexpressions. As a tree, which is what sympy's own traversals visit, it can be
hundreds of times larger.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any

import sympy as sp


class Binder(sp.Expr):
    """An expression of this package that binds letters, as an integral does; ``doit`` works it out as far as it can."""

    @property
    def computable(self) -> sp.Expr:
        """The same number in what the backends of this package compute, such as an integral."""
        return self.doit()

    @property
    def written_out(self) -> sp.Expr:
        """The same number in sympy's own functions, which its printers take."""
        return self.computable


_BINDING = (
    sp.Integral,
    sp.Sum,
    sp.Product,
    sp.Limit,
    sp.Derivative,
    sp.Subs,
    sp.Lambda,
    Binder,
)


def binds(node: sp.Basic) -> bool:
    """Return whether the value of the node depends on more than the values of its parts at one point."""
    return isinstance(node, _BINDING)


def distinct(
    expression: sp.Basic, closed: Callable[[sp.Basic], bool] = lambda node: False
) -> Iterator[sp.Basic]:
    """Yield every distinct subexpression once, the expression first, and no part of a node that is ``closed``."""
    waiting, seen = [expression], {expression}
    while waiting:
        node = waiting.pop()
        yield node
        for child in () if closed(node) else node.args:
            if child not in seen:
                seen.add(child)
                waiting.append(child)


def rebuilt(expression: sp.Basic, rule: Callable[[sp.Basic], sp.Basic]) -> sp.Basic:
    """Apply ``rule`` to every subexpression, innermost first, as sympy's ``replace`` does."""
    known: dict[sp.Basic, sp.Basic] = {}

    def visit(node: sp.Basic) -> sp.Basic:
        if node not in known:
            arguments = tuple(map(visit, node.args))
            known[node] = rule(node if arguments == node.args else node.func(*arguments))
        return known[node]

    return visit(expression)


def tree_size(expression: sp.Basic, known: Mapping[Any, int] | None = None) -> int:
    """Return the number of nodes of an expression as a tree, with the ``known`` sizes of what letters stand for."""
    # each distinct part is counted once
    sizes: dict[Any, int] = dict(known or {})

    def size(node: sp.Basic) -> int:
        if node not in sizes:
            sizes[node] = 1 + sum(map(size, node.args))
        return sizes[node]

    return size(expression)


def computable(expression: sp.Basic) -> sp.Basic:
    """Return the expression with every :class:`Binder` as what can be computed, the innermost first."""
    if not any(isinstance(node, Binder) for node in distinct(expression)):
        return expression
    return rebuilt(expression, lambda node: node.computable if isinstance(node, Binder) else node)


def replaced(expression: sp.Basic, rules: Mapping[type, Callable[..., sp.Basic]]) -> sp.Basic:
    """Replace functions, innermost first: ``rules`` maps the class of one to a function of its arguments."""
    if not any(type(node) in rules for node in distinct(expression)):
        return expression
    return rebuilt(
        expression, lambda node: rules[type(node)](*node.args) if type(node) in rules else node
    )


def substituted(
    expression: sp.Basic, values: Mapping[Any, sp.Basic], within: Callable[[sp.Basic], sp.Basic]
) -> sp.Basic:
    """Replace subexpressions by their ``values`` simultaneously, outermost first; ``within`` replaces binding nodes."""
    known: dict[Any, sp.Basic] = dict(values)

    def visit(node: sp.Basic) -> sp.Basic:
        if node not in known:
            if binds(node):
                known[node] = within(node)
            else:
                arguments = tuple(map(visit, node.args))
                known[node] = node if arguments == node.args else node.func(*arguments)
        return known[node]

    return visit(expression)


def put_in(expression: Any, values: Mapping[Any, sp.Basic]) -> Any:
    """Return an expression or matrix with values in place of free symbols, all at once.

    An integral, a sum or a limit that binds a letter of a value gets another letter first, which sympy leaves undone.

    Args:
        expression: expression or matrix.
        values: symbol -> its value.

    >>> x, t = sp.symbols("x t", real=True)
    >>> put_in(sp.Integral(x * t, (t, 0, 1)), {x: t}).doit()
    t/2
    """
    if isinstance(expression, sp.MatrixBase):
        return expression.applyfunc(lambda entry: put_in(entry, values))
    letters: set[sp.Basic] = set().union(*(value.free_symbols for value in values.values()))
    apart = with_other_letters(expression, letters)
    return substituted(apart, values, lambda node: node.subs(values, simultaneous=True))


def at_values(expression: Any, letters: Iterable[sp.Symbol], values: Iterable[Any]) -> Any:
    """Return an expression or matrix at values of those letters that it has, not worked out.

    Of an expression at values already, those are put into these, since sympy makes one of nested values, in which
    letters that are put in would be free. Of letters that :func:`mistakable` names each gets the next one as its value
    and the last one theirs, in each entry of a matrix, unless a value has one of the letters.

    Args:
        expression: expression or matrix.
        letters: symbols.
        values: one for each.

    >>> x, y = sp.symbols("x y")
    >>> at_values(x**2, (x, y), (3, 4))
    Subs(x**2, x, 3)
    >>> at_values(sp.Subs(x * y, x, y + 1), (y,), (4,))
    Subs(x*y, (x, y), (5, 4))
    >>> [at_values(sp.Derivative(x * y**2, letter), (x, y), (3, 3)).doit() for letter in (x, y)]
    [9, 18]
    """
    known = dict(zip(letters, map(sp.sympify, values), strict=True))
    body, inside = expression, {}
    if isinstance(expression, sp.Subs):
        body = expression.expr
        points = (put_in(point, known) for point in expression.point)
        inside = dict(zip(expression.variables, points, strict=True))
    free = body.free_symbols
    inside |= {
        letter: value for letter, value in known.items() if letter in free and letter not in inside
    }
    if not inside:
        return expression
    at_once = sp.Subs(body, tuple(inside), tuple(inside.values()))
    last = mistakable(at_once)
    if not last or set().union(*(value.free_symbols for value in inside.values())) & set(inside):
        return at_once
    if isinstance(body, sp.MatrixBase):
        return body.applyfunc(lambda entry: at_values(entry, inside, inside.values()))
    others = {letter: value for letter, value in inside.items() if letter not in last}
    there = at_values(body, others, others.values())
    for letter, following in pairwise(last):
        there = sp.Subs(sp.UnevaluatedExpr(there), letter, following)
    return sp.Subs(sp.UnevaluatedExpr(there), last[-1], inside[last[-1]])


def mistakable(node: sp.Basic) -> tuple[sp.Symbol, ...]:
    """Return the letters of a value at a point for which sympy may take it for another one; usually none.

    sympy compares two ``Subs`` with one letter for all variables of the same value. So it takes the slope in x for the
    slope in y at a point with x = y, and makes twice the first of their sum.

    Args:
        node: any expression; all but a ``Subs`` have none.

    >>> x, y = sp.symbols("x y")
    >>> slopes = [sp.Subs(sp.Derivative(x * y**2, letter), (x, y), (3, 3)) for letter in (x, y)]
    >>> slopes[0] == slopes[1]
    True
    >>> mistakable(slopes[0])
    (x, y)
    """
    if not isinstance(node, sp.Subs):
        return ()
    own = [
        (name, value) for name, value in zip(*node.args[1:], strict=True) if node.expr.has(name)
    ]
    parts = tuple(distinct(node.expr))
    inner = [
        (part, letter, value)
        for part in parts
        if isinstance(part, sp.Subs)
        for letter, value in zip(*part.args[1:], strict=True)
    ]
    named = set[sp.Basic]()
    for value in dict.fromkeys(value for _, value in own):
        letters = dict.fromkeys(letter for letter, other in own if other == value)
        letters |= dict.fromkeys(
            letter for part, letter, other in inner if other == value and part.expr.has(*letters)
        )
        if len(letters) > 1:
            named = named or set().union(*(_named(part, node.variables) for part in parts))
            if named & set(letters):
                return tuple(letters)
    return ()


def _named(node: sp.Basic, letters: Collection[sp.Basic]) -> set[sp.Basic]:
    """Return the letters in which a node differentiates, or that it binds; of a value at a point, some of them."""
    if isinstance(node, sp.Subs):
        return {letter for letter in node.variables if letter in letters}
    return set(node.variables) if isinstance(node, sp.Derivative) else _bound(node)


def with_other_letters(expression: Any, letters: Collection[sp.Basic]) -> Any:
    """Return an expression or matrix whose integrals, sums and limits bind none of some letters.

    Args:
        expression: expression or matrix.
        letters: symbols that stay free wherever they are put in.
    """
    if isinstance(expression, sp.MatrixBase):
        return expression.applyfunc(lambda entry: with_other_letters(entry, letters))
    if not any(_bound(node).intersection(letters) for node in distinct(expression)):
        return expression
    return rebuilt(expression, lambda node: _renamed(node, _bound(node).intersection(letters)))


def _bound(node: sp.Basic) -> set[sp.Basic]:
    """Return the letters that an integral, a sum, a product or a limit of sympy binds."""
    if isinstance(node, sp.Limit):
        return {node.args[1]}
    if isinstance(node, (sp.Integral, sp.Sum, sp.Product)):
        return {name for name, *ends in node.limits if ends}
    return set()


def _renamed(node: sp.Basic, letters: Collection[sp.Basic]) -> sp.Basic:
    """Return a node that binds other letters in place of these, which parts of it do not bind."""
    if not letters:
        return node
    others = {letter: sp.Dummy(letter.name, **letter.assumptions0) for letter in letters}
    if isinstance(node, sp.Limit):
        inside, variable, point, direction = node.args
        return sp.Limit(inside.xreplace(others), others[variable], point, str(direction))
    function, limits = node.function, list(node.limits)
    for index, (name, *ends) in enumerate(limits):
        if name in others and ends:
            own = {name: others[name]}
            function = function.xreplace(own)
            # the ends of a range may contain the letters of those outside of it, and never its own
            limits[:index] = [sp.Tuple(*limit).xreplace(own) for limit in limits[:index]]
            limits[index] = sp.Tuple(others[name], *ends)
    return node.func(function, *limits)
