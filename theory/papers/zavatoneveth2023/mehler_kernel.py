r"""Appendix C.2: the NNGP kernel of monomials by the Mehler expansion, Eqs. (C.29) to (C.43)."""

from __future__ import annotations

from theory.core.ledger.ledger import Programs
from theory.papers.zavatoneveth2023.mehler import (
    in_integers,
    of_degrees,
)

degrees = in_integers(of_degrees(range(1, 7)), "Gauss-Hermite quadrature")
even = in_integers(of_degrees((2, 4, 6)), "Gauss-Hermite quadrature")
odd = in_integers(of_degrees((1, 3, 5)), "Gauss-Hermite quadrature")


PROGRAMS: Programs = {
    "(C.29)": degrees,
    "(C.31)": degrees,
    "(C.33)": degrees,
    "(C.34)": degrees,
    "(C.35)": degrees,
    "(C.36)": degrees,
    "(C.37)": degrees,
    "(C.38)": even,
    "(C.39)": even,
    "(C.40)": even,
    "(C.41)": odd,
    "(C.42)": odd,
    "(C.43)": odd,
}
