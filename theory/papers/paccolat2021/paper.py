"""The paper of Paccolat et al. (2021) and its letters."""

from __future__ import annotations

from theory.core import Paper

PAPER = Paper(
    "paccolat2021",
    letters={
        "cusp": r"\xi",
        "d_parallel": r"d_{\parallel}",
        "ell": r"\ell",
        "theta": r"\theta",
        "omega_1": r"\omega_1",
        "x_min": r"x_{\min}",
    },
)
entry = PAPER.unlinked_entry
