"""No public entrance executes text: it is parsed by the grammar of ``closedform.expressions``, or refused."""

import pytest
import sympy as sp

import theory
from theory.activations import Activation, from_expression, z
from theory.core import Approximates, Argument, Claim, Scales, Step, Tends, equal

x = sp.Symbol("x", real=True)
executed: list[str] = []
CODE = f"__import__({__name__!r}, fromlist=['x']).executed.append('code')"
HIDDEN = (CODE, {CODE: 1}, [CODE], (CODE,), {"x": [CODE]})
ENTRANCES = {
    "specialise": lambda code: theory.catalogue()["two_point.final_distance"].specialise(
        dx2=1, expression=code
    ),
    "value": lambda code: theory.catalogue()["two_point.final_distance"].specialise(dx2=code),
    "Approximates": lambda code: Approximates(x, code),
    "Scales": lambda code: Scales(code, x),
    "Tends": lambda code: Tends(x, code),
    "equal": lambda code: equal(code, x),
    "Activation": lambda code: Activation("own", code),
    "kinks": lambda code: Activation(
        "own", z, code if isinstance(code, (list, tuple)) else (code,)
    ),
    "from_expression": lambda code: from_expression(code),
    "Step": lambda code: Step("a step", code, x),
    "where": lambda code: Step("a step", sp.Derivative(x**2, x), 2 * x, where={x: code}),
    "example": lambda code: Argument(x, "a number", sample=(0.0, 1.0), example=code),
    "sample": lambda code: Argument(x, "a number", sample=(0.0, code)),
    "Claim": lambda code: Claim("There are {n}.", {"n": code}),
}


@pytest.mark.parametrize("entrance", ENTRANCES)
def test_text_is_not_executed(entrance):
    for code in HIDDEN:
        with pytest.raises((TypeError, ValueError)):
            ENTRANCES[entrance](code)
    assert not executed


def test_the_result_of_a_substitution_may_be_text_in_our_grammar():
    form = theory.catalogue()["compression.growth_time"]
    given = form.specialise(position=0, expression="1/abs(c_parallel)")
    assert given.expression == form.specialise(position=0).expression
