r"""Appendices C.2 to C.5: further losses, very low weights, the linear approximation and Adam."""

from __future__ import annotations

import sympy as sp

from theory.core import Check, Finding, Step
from theory.papers.vanrossem2024 import loss, printed_system
from theory.papers.vanrossem2024.final_distance import high, low_squared
from theory.papers.vanrossem2024.paper import entry
from theory.papers.vanrossem2024.regimes import final_number
from theory.two_point.symbols import dh2_0, dx2, dy2, dy2_0, mean2_0, t, target2, tau_h, tau_mean, tau_y, w

speed, encoder, decoder = sp.symbols("speed encoder decoder", positive=True)
FASTER = {tau_h: tau_h / speed, tau_y: tau_y / speed}

EQUATIONS = (
    entry(
        "C.2 one more unknown",
        "C.2",
        "With the three curves fitted, the loss needs one more parameter.",
        Finding.CONFIRMED,
        "Eq. (9) holds, besides curves, data and the initial mean output, the time constant of the mean.",
        steps=(
            Check(
                "what Eq. (9) holds",
                lambda: loss.printed.free_symbols - {t, dy2, w, target2, mean2_0} == {tau_mean},
                "free symbols",
            ),
        ),
    ),
    entry(
        "C.2 and Figure 12",
        "C.2",
        "The loss curves of all architectures fit.",
        Finding.OPEN,
        "A matter of measurement: study two-point-architectures.",
    ),
    entry(
        "C.3 zero distance",
        "C.3",
        "By Eq. (10) points with the same output should end at distance zero.",
        Finding.CONDITIONAL,
        "Eq. (10) at identical targets.",
        condition="A_high is not positive, or in the limit of small weights",
        steps=(
            Check(
                "decoder at least as strong as the encoder",
                lambda: final_number(0.1, 0.1, target2=0.0) == 0 and final_number(0.1, 0.2, target2=0.0) == 0,
                "Eq. (10)",
            ),
            Check("small weights", lambda: final_number(1e-6, 5e-7, target2=0.0) < 1e-6, "Eq. (10)"),
        ),
        counterexample=lambda: final_number(0.2, 0.1, target2=0.0) > 0.09,
        consequence="With an encoder stronger than the decoder they end at A_high: this is what C.3 goes on to "
        "explain.",
    ),
    entry(
        "C.3 larger inputs",
        "C.3",
        "The difference of the inputs is larger, so the distance takes longer to go to zero in the small weight limit.",
        Finding.CONFIRMED,
        "Read as a limit of weights: A_high, the final distance at identical targets, is proportional to dx2. (In time "
        "it is the other way round: the rate |A_high|/tau_y grows with dx2.)",
        steps=(
            Step(
                "A_high per dx2",
                (high / dx2).subs({dh2_0: encoder * dx2, dy2_0: encoder * decoder * dx2}, simultaneous=True),
                encoder - tau_y / tau_h * decoder,
                because="substitution",
            ),
        ),
    ),
    entry(
        "C.3 and Figure 13",
        "C.3",
        "At very low weights the representation collapses to a line.",
        Finding.OPEN,
        "A matter of measurement; not done here.",
    ),
    entry(
        "C.4 and Figure 14",
        "C.4",
        "The first order of the Taylor expansion dominates for nearby points.",
        Finding.OPEN,
        "A matter of measurement; how the error falls for smooth maps: Eq. (5).",
    ),
    entry(
        "C.5 and Figure 15",
        "C.5",
        "The theory does not fit Adam well.",
        Finding.OPEN,
        "A matter of measurement: study two-point-adam.",
    ),
    entry(
        "C.5 learning-rate changes",
        "C.5",
        "The predicted structure does not depend on changes of the learning rate in training.",
        Finding.CONFIRMED,
        "A factor common to both rates is a change of clock: all velocities get it, A_high and A_low do not.",
        steps=(
            *(
                Step(f"line {i}", rate.subs(FASTER, simultaneous=True), speed * rate, because="cancellation")
                for i, rate in enumerate(printed_system.RATES, 1)
            ),
            Step("A_high", high.subs(FASTER, simultaneous=True), high, because="cancellation"),
            Step("A_low^2", low_squared.subs(FASTER, simultaneous=True), low_squared, because="cancellation"),
        ),
    ),
    entry(
        "C.5 and Figures 16 to 18",
        "C.5",
        "With Adam the predicted structures still hold.",
        Finding.OPEN,
        "A matter of measurement; not done here.",
    ),
)
