"""A closed form in the hands of sympy: names denote its symbols, and nothing is silently zero or unchanged."""

import copy
import pickle

import pytest
import sympy as sp

import theory

NAMES = [
    "two_point.relaxation_rate",
    "two_point.final_distance",
    "geometry.scalar_curvature.erf",
    "collapse.simplex_nc1",
]


@pytest.mark.parametrize("name", NAMES)
def test_names_denote_the_symbols_of_plain(name):
    form = theory.catalogue()[name]
    in_formula = [
        argument for argument in form.arguments if argument.symbol in form.expression.free_symbols
    ]
    assert form.plain.free_symbols == {
        getattr(form.symbols, argument.name) for argument in in_formula
    }
    assert all(not symbol.is_real for symbol in form.symbols)
    for argument in in_formula:
        symbol = getattr(form.symbols, argument.name)
        assert form.plain.diff(symbol) != 0
        assert symbol not in form.plain.subs(symbol, 2).free_symbols
        if not hasattr(sp, argument.name):  # sympy reads "zeta" as its function
            assert sp.diff(form.plain, argument.name) == form.plain.diff(symbol)
            assert form.plain.subs(argument.name, 2) == form.plain.subs(symbol, 2)


def test_forms_share_their_symbols():
    first, second = (theory.catalogue()[name] for name in NAMES[:2])
    assert first.symbols.tau_y is second.symbols.tau_y
    names = [symbol.name for symbol in (first.plain * second.plain).free_symbols]
    assert len(names) == len(set(names))


def test_symbols_are_a_namespace():
    form = theory.catalogue()[NAMES[0]]
    names = [argument.name for argument in form.arguments]
    assert [symbol.name for symbol in form.symbols] == names
    assert set(names) <= set(dir(form.symbols))
    with pytest.raises(AttributeError, match="did you mean tau_y"):
        _ = form.symbols.tau_z
    for other in (copy.deepcopy(form.symbols), pickle.loads(pickle.dumps(form.symbols))):
        assert list(other) == list(form.symbols)
