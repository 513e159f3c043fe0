r"""Appendix B.4: three error functions at the corners of a triangle, Eqs. (B.65) to (B.70)."""

from __future__ import annotations

from theory.core import numerically
from theory.core.ledger.ledger import Programs
from theory.papers.zavatoneveth2023.index_notation import as_printed, mu, nu
from theory.papers.zavatoneveth2023.triangle import has_the_symmetry, of_triangles, tripled

PROGRAMS: Programs = {
    "B.4 minors of three units": as_printed(of_triangles, "determinants"),
    "(B.66)": as_printed(of_triangles, "linear equations", (mu,)),
    "(B.67)": as_printed(of_triangles, "Hessians", (mu, nu)),
    "(B.68)": numerically(of_triangles, "definition of the metric"),
    "(B.69)": numerically(tripled, "three times the curvature from the definition"),
    "(B.70)": numerically(tripled, "three times the curvature from the definition"),
    "B.4 symmetry": has_the_symmetry,
}
