"""Integrals in a difference of two sides: whether they cancel, and whether a delta function sits at an end of one."""

from itertools import chain

import sympy as sp

from theory.core.algebra.normal_form import vanishes


def halves_a_peak(node: sp.Basic) -> bool:
    """Return whether the peak of a delta function may be at an end of an integral, where its share is a convention."""
    if not isinstance(node, sp.Integral):
        return False
    peaks = [peak.args[0] for peak in node.function.atoms(sp.DiracDelta)]
    ends = [
        (name, end) for name, *both in node.limits for end in both if end.is_infinite is not True
    ]
    return any(peak.subs(name, end).is_zero is not False for peak in peaks for name, end in ends)


def integrands_cancel(difference: sp.Expr) -> bool:
    """Return whether a sum of multiples of integrals vanishes because the integrands over each range cancel."""
    rest: sp.Expr = sp.S.Zero
    integrands: dict[sp.Tuple, sp.Expr] = {}
    # only products: the other rules of expand split an integral and take its logarithms apart, each side its own way
    products = (sp.expand_mul(part, deep=False) for part in sp.Add.make_args(difference))
    for term in chain.from_iterable(map(sp.Add.make_args, products)):
        factors = sp.Mul.make_args(term)
        integrals = [factor for factor in factors if isinstance(factor, sp.Integral)]
        if not integrals:
            rest += term
            continue
        if len(integrals) > 1:
            return False
        (integral,) = integrals
        outside = sp.Mul(*(factor for factor in factors if factor is not integral))
        # x times an integral over x is not the integral of x times
        if outside.free_symbols & set(integral.variables):
            return False
        integrands[integral.limits] = (
            integrands.get(integral.limits, sp.S.Zero) + outside * integral.function
        )
    return vanishes(rest) and all(vanishes(integrand) for integrand in integrands.values())
