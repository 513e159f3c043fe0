"""Appendix B.1: the data of the two-point experiments, printed and released."""

from __future__ import annotations

from theory.core import Check, Claim, Finding, Witness, Word
from theory.papers.vanrossem2024.narrow_network import SETTINGS, share_learned
from theory.papers.vanrossem2024.paper import entry

PRINTED, RELEASED = SETTINGS
TEXT = "The inputs are -1 and -1 + dx, the outputs 0.6 and 0.6 + dy, where {setting}."


def can_be_learned(claim: Claim) -> tuple[Check, ...]:
    """Training converges within the 6000 epochs, as the next paragraph says."""
    return (Check("networks of Table 1", lambda: share_learned(claim["setting"]) == 1.0, "the narrow one, trained"),)


EQUATIONS = (
    entry(
        "B.1 data",
        "B.1",
        "",
        Finding.MISPRINT,
        "The narrow network of Table 1 is trained as described, from three seeds. On the printed data it has learned "
        "nothing after its 6000 epochs, on the data of the released settings all three have learned. B.1 says that "
        "training converges within the 6000 epochs.",
        printed=Claim(TEXT, {"setting": Word(PRINTED, (RELEASED,))}),
        corrected=Claim(TEXT, {"setting": Word(RELEASED, (PRINTED,))}),
        prove=can_be_learned,
        witness=Witness(
            {"network": "Narrow, Table 1", "epochs": 6000, "seeds": 3, "the number": "share of networks that converge"},
            lambda: 1.0,
            value=lambda claim: share_learned(claim["setting"]),
        ),
        consequence="Squared distances are 1 for the inputs and 0.5 for the outputs. Reproductions must use these; "
        "experiments here do. The final distances of B.1 start from rates fitted at the printed choice.",
        heirs=("B.1 final distance",),
    ),
)
