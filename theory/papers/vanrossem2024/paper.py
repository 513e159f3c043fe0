"""The paper of van Rossem and Saxe (2024) and its letters."""

from __future__ import annotations

from theory.core import Paper

PAPER = Paper(
    "vanrossem2024",
    letters={
        "dh2": r"\|dh\|^2",
        "dy2": r"\|dy\|^2",
        "dh2_0": r"\|dh(0)\|^2",
        "dy2_0": r"\|dy(0)\|^2",
        "dx2": r"\|x_2-x_1\|^2",
        "target2": r"\|y_2-y_1\|^2",
        "mean2_0": r"\|y(0)-\frac{y_2+y_1}{2}\|^2",
        "tau_h": r"\tau_h",
        "tau_y": r"\tau_y",
        "tau_mean": r"\tau_{\bar{y}}",
        "A_high": r"A_{\mathrm{high}}",
        "A_low": r"A_{\mathrm{low}}",
        "dh2_primed": r"{\|dh\|^2}'",
        "dy2_primed": r"{\|dy\|^2}'",
        "w_primed": "w'",
        "t_primed": "t'",
    },
)
entry = PAPER.unlinked_entry
