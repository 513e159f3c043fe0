"""What a comparison of a ledger with the TeX of its paper found, which is shown without sympy."""

from typing import NamedTuple


class Difference(NamedTuple):
    """A formula of an entry that its paper prints otherwise: the label, and the glyphs that only one of them has."""

    label: str
    ours: str
    theirs: str


class Comparison(NamedTuple):
    """Labels whose formulas are the paper's, formulas that differ, and labels for which no TeX was found."""

    equal: tuple[str, ...]
    differing: tuple[Difference, ...]
    without_tex: tuple[str, ...]
