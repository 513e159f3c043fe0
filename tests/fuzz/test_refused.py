"""Arguments that the fuzz found to fail with an error of another kind, which are refused by their names."""

import pytest

from tests.fuzz import values
from theory import activations, catalogue, collapse
from theory.core.ledger.printed import Claim

FORM = catalogue()["two_point.dh2"]
UNSHOWABLE = values.Unshowable()
LONG = values.HOSTILE["8 GB in one number"]()


@pytest.mark.parametrize(
    ("name", "call"),
    {
        "name": lambda: activations.from_expression(activations.z, UNSHOWABLE),
        "kinks": lambda: activations.from_expression(activations.z, "own", LONG),
        "coefficients": lambda: activations.polynomial(UNSHOWABLE),
        "features": lambda: collapse.exact_nc1(UNSHOWABLE, [0, 1]),
        "validate": lambda: FORM.function("numpy", UNSHOWABLE),
        "backend": lambda: FORM.function(UNSHOWABLE),
        "language": lambda: FORM.code(UNSHOWABLE),
        "values": lambda: Claim("There are {n}.", LONG),
    }.items(),
)
def test_refused_by_name(name, call):
    with pytest.raises((TypeError, ValueError), match=f"^{name}: got"):
        call()
