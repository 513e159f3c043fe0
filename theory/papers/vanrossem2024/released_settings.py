"""Appendix B.1: the data of the two-point experiments, printed and released."""

from __future__ import annotations

from theory.core import Check, Claim
from theory.core.ledger.ledger import Program, Programs
from theory.papers.vanrossem2024.narrow_network import SETTINGS, share_learned

PRINTED, RELEASED = SETTINGS


def can_be_learned(claim: Claim) -> tuple[Check, ...]:
    """Training converges within the 6000 epochs, as the next paragraph says."""
    return (Check("networks of Table 1", lambda: share_learned(claim["setting"]) == 1.0, "the narrow one, trained"),)


PROGRAMS: Programs = {
    "B.1 data": Program(can_be_learned, lambda: 1.0, value=lambda claim: share_learned(claim["setting"])),
}
