"""How far a number of infinite width is expected to be off at a finite one: the closed form that says so, in words.

A subject announces in ``AT_FINITE_WIDTH`` which of its families by activation and depth gives the relative spread for
which families of infinite width; what is shown of these says the command.
"""

from closedform.subjects import subjects
from theory.core.text.measured_conditions import SECTION, measured_conditions
from theory.subjects import FLOOR

CUSTOM = "custom"  # label of an activation that is an expression
WORDS = {"kernel": "the kernel", "tangent": "the tangent kernel"}
"""What spreads, by the first word of the family."""


def at_finite_width(name: str) -> str:
    """Return the sentence on a closed form, empty for one that is not of infinite width.

    Args:
        name: name of the closed form, such as "geometry.nngp_kernel.erf".
    """
    spreads: dict[str, str] = {}
    for subject in subjects(FLOOR):
        spreads |= subject.announced("AT_FINITE_WIDTH")
    family, _, label = name.rpartition(".")
    if family not in spreads:
        return ""
    is_deep = family.rpartition(".")[2].startswith("deep_")
    act, _, depth = label.rpartition("_") if is_deep else (label, "", "1")
    spread = spreads[family]
    word = WORDS[spread.rpartition(".")[2].partition("_")[0]]
    maps = "".join(f" [{SECTION.format(one)}]" for one in measured_conditions(spread))
    # an activation that is an expression has no name of a member
    member = f".{act}_{depth}" if act != CUSTOM else f" --activation EXPRESSION --depth {depth}"
    return (
        f"relative spread of {word} of depth {depth} over networks with n units in each layer, to first order in 1/n: "
        f"closedform eval {spread}{member} n=100 r=1 C=1 C_b=0{maps}"
    )
