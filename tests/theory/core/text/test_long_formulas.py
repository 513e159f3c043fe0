"""Text of formulas that would take long, or end in a fault of sympy, is refused by what is counted beforehand."""

import time

import pytest
import sympy as sp

from theory.activations import z
from theory.core.formula.parsing import parse

LONGEST = 2.0  # processor seconds; without the counts these take from 2 s to no end


@pytest.mark.parametrize(
    "text",
    [
        *(
            "He(200, z+1)",
            "He(1000, z+1/3)",
            "He(30, He(30, z))",
            "He(10, He(10, He(10, z)))",
            "He(100, z/1e3000)",
        ),
        *(
            "(1e3000+1)**0.333",
            "sqrt(1e3000+1)",
            "cbrt(1e3001+7)",
            "(10**999+7)**(1/2)",
            "(1e1500+1)**(1/7)",
        ),
        *(
            "atan(tan(1e3000))",
            "asin(sin(1e3000))",
            "acos(cos(1e3000))",
            "tan(acos(1e-3000))",
            "besselj(1e3000, z)",
        ),
        *("floor(sin(1e3000)*1e3000)", f"Max({','.join(f'sin({k}*z)' for k in range(1, 60))})"),
    ],
)
def test_what_would_take_long_is_refused_by_its_size(text):
    started = time.process_time()
    with pytest.raises(ValueError, match=r"at most|no value"):
        parse(text, {"z": z})
    assert time.process_time() - started < LONGEST


def test_hermite_polynomials_from_their_coefficients():
    for degree in (0, 1, 2, 7, 20):
        for text, x in (
            ("z", z),
            ("z - 1/3", z - sp.Rational(1, 3)),
            ("2*z", 2 * z),
            ("1/2", sp.Rational(1, 2)),
        ):
            expected = sp.expand(sp.hermite(degree, x / sp.sqrt(2)) / sp.sqrt(2) ** degree)
            assert parse(f"He({degree}, {text})", {"z": z}) == expected
    assert (
        parse("He(50, (z+1)**20)", {"z": z}).subs(z, 0) == sp.hermite(50, 1 / sp.sqrt(2)) / 2**25
    )
