"""The quantity that a closed form gives, as the left-hand side of its formula: the name of the form without subject."""

from __future__ import annotations


def quantity(name: str) -> str:
    """Return the name of the quantity: what follows the subject in the name of a closed form, without its member.

    Args:
        name: dotted name of a closed form.

    >>> quantity("geometry.scalar_curvature.gelu"), quantity("two_point.final_distance"), quantity("area")
    ('scalar_curvature', 'final_distance', 'area')
    """
    parts = name.split(".")
    return parts[1] if len(parts) > 1 else parts[0]


def quantity_latex(name: str) -> str:
    r"""Return the quantity in LaTeX, as upright words.

    Args:
        name: dotted name of a closed form.

    >>> print(quantity_latex("two_point.final_distance"))
    \mathrm{final\ distance}
    """
    words = quantity(name).replace("_", r"\ ")
    return rf"\mathrm{{{words}}}"
