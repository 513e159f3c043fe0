"""A reader of propositions of Coq that shares no code with the exporter: numbers from the text alone."""

from __future__ import annotations

import re

import mpmath

TOKEN = re.compile(r"\s*(->|<>|<=|=>|[A-Za-z_][\w']*|\d+|[-+*/^()=<:,])")
FUNCTIONS = {
    "exp": mpmath.exp, "ln": mpmath.log, "sqrt": mpmath.sqrt, "sin": mpmath.sin, "cos": mpmath.cos, "Rabs": abs,
    "sinh": mpmath.sinh, "cosh": mpmath.cosh, "tanh": mpmath.tanh, "asin": mpmath.asin, "acos": mpmath.acos,
    "atan": mpmath.atan, "erf": mpmath.erf, "normal_cdf": mpmath.ncdf, "sign": mpmath.sign, "Rmax": max, "Rmin": min,
    "Rpower": mpmath.power, "phi1": lambda x: mpmath.expm1(x) / x if x else mpmath.mpf(1), "f_gamma": mpmath.gamma,
    "f_polygamma": mpmath.psi, "Derive": mpmath.diff, "RInt": lambda f, a, b: mpmath.quad(f, [a, b]),
    "sum_to": lambda f, a, b: mpmath.fsum(f(a + k) for k in range(int(b - a) + 1)),
}  # fmt: skip
ARITY = {"Rmax": 2, "Rmin": 2, "Rpower": 2, "f_polygamma": 2, "Derive": 2, "RInt": 3, "sum_to": 3}


class Reader:
    """Evaluates a text while it reads it, with values for its variables."""

    def __init__(self, text, values):
        self.tokens, self.at, self.values = TOKEN.findall(text), 0, dict(values)

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, expected=None):
        token = self.peek()
        assert expected in (None, token), f"got {token!r}, needs {expected!r}"
        self.at += 1
        return token

    def sum(self):
        value = self.product()
        while self.peek() in ("+", "-"):
            value = value + self.product() if self.take() == "+" else value - self.product()
        return value

    def product(self):
        value = self.negated()
        while self.peek() in ("*", "/"):
            value = value * self.negated() if self.take() == "*" else value / self.negated()
        return value

    def negated(self):
        if self.peek() == "-":
            self.take()
            return -self.power()
        return self.power()

    def power(self):
        base = self.application()
        if self.peek() == "^":
            self.take()
            return base ** int(self.take())
        return base

    def application(self):
        head = self.peek()
        if head in FUNCTIONS:
            self.take()
            return FUNCTIONS[head](*(self.atom() for _ in range(ARITY.get(head, 1))))
        value = self.atom()
        return value(*(self.atom() for _ in range(value.arity))) if callable(value) else value

    def atom(self):
        token = self.take()
        if token == "(":
            value = self.function() if self.peek() == "fun" else self.sum()
            self.take(")")
            return value
        return (
            mpmath.pi
            if token == "PI"
            else mpmath.mpf(token)
            if token.isdigit()
            else self.values[token]
        )

    def function(self):
        self.take("fun")
        names = []
        while self.peek() != "=>":
            names.append(self.take())
        self.take()
        begin, outer = self.at, dict(self.values)

        def function(*given):
            inner = Reader("", outer | dict(zip(names, given, strict=True)))
            inner.tokens, inner.at = self.tokens, begin
            return inner.sum()

        function.arity = len(names)
        self.at = begin + self._length()
        return function

    def _length(self):
        depth = 0
        for offset, token in enumerate(self.tokens[self.at :]):
            depth += (token == "(") - (token == ")")
            if depth < 0:
                return offset
        raise AssertionError("a function without end")


def parts(proposition):
    """The variables, the hypotheses and the two sides of ``forall (x y : R), H -> ... -> left = right``."""
    head, _, body = proposition.rpartition(" : R),")
    *hypotheses, identity = re.split(r"->", body or proposition)
    return head.replace("forall (", "").split(), hypotheses, identity.split(" = ")


def value(text, values):
    reader = Reader(text, values)
    found = reader.sum()
    assert reader.peek() == "", f"left over: {reader.tokens[reader.at :]}"
    return found


def holds(hypothesis, values):
    for sign, test in (
        ("<>", lambda a, b: a != b),
        ("<=", lambda a, b: a <= b),
        ("<", lambda a, b: a < b),
    ):
        left, mark, right = hypothesis.partition(f" {sign} ")
        if mark:
            return test(value(left, values), value(right, values))
    raise AssertionError(hypothesis)
