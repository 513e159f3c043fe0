"""Half times and time courses of the modes: theory and trained networks."""

import numpy as np

import bridge
import theory
from bridge.plots import layout, style
from bridge.results.analysis import Analysis, Picture
from bridge.validity.prediction import Prediction
from bridge.validity.recorded import PlannedMap
from closedform_deep_linear.experiment import Config


def analyse(traces):
    """Return the comparison of all half times with the theory, and a figure of the strengths during training."""
    measured = tuple(one for label, trace in traces.items() for one in half_times(label, trace))
    agreeing = sum(one.verdict == "agrees" for one in measured)
    return Analysis(
        traces=traces,
        pictures=(
            Picture(
                "deep-linear",
                "Solid: every network. Dashed: the theory, without fit.",
                draw(traces),
            ),
        ),
        measured=measured,
        how_compared="The time at which a mode reaches half its singular value, against the exact solution.",
        findings=(f"{agreeing} of {len(measured)} half times agree with the theory.",),
        theory=("deep_linear.mode_strength", "deep_linear.half_time"),
    )


def half_time(trace, target=None):
    """Return when a mode, by default the slowest, is half learned: exact, and by network (NaN: never), in updates."""
    target = trace["mode"].values.min() if target is None else target
    form, curves = (
        theory.catalogue()["deep_linear.half_time"],
        trace["strength"].sel(mode=target).values,
    )
    measured = [
        np.interp(target / 2, curve, trace["step"].values, right=np.nan) for curve in curves
    ]
    return form(
        s=target, u_0=trace.attrs["initial"], tau=1 / trace.attrs["learning_rate"]
    ), measured


def half_times(label, trace):
    """Yield one measured number for each mode; the step of gradient descent counts as an error of the prediction."""
    for target in trace["mode"].values:
        predicted, measured = half_time(trace, target)
        error = predicted * trace.attrs["learning_rate"] * target / 2
        yield bridge.compare(predicted, measured, prediction_error=error).of(
            HALF_TIME.name, f"{label}, s = {target:g}"
        )


def draw(traces):
    """Draw the strength of each mode as a function of the number of updates."""
    form = theory.catalogue()["deep_linear.mode_strength"]
    names = {"x": "updates", "y": "strength of the mode", "titles": [*traces]}
    with layout.drawing(1, len(traces), **names, size=(4.2, 2.8)) as (figure, axes):
        for panel, trace in zip(axes[0], traces.values(), strict=True):
            steps, rate = trace["step"].values, trace.attrs["learning_rate"]
            for target in trace["mode"].values:
                panel.plot(
                    steps,
                    trace["strength"].sel(mode=target).values.T,
                    color=style.BLUE,
                    linewidth=0.8,
                )
                panel.plot(
                    steps,
                    form(t=steps, s=target, u_0=trace.attrs["initial"], tau=1 / rate),
                    **style.THEORY,
                )
        style.legend(figure, [style.theory_handle()])
    return figure


SENTENCE = "The slowest mode is half learned when the exact solution is."
HALF_TIME = Prediction(
    "deep_linear.half_time", SENTENCE, half_time, Config(), forms=("deep_linear.half_time",)
)
HALF_TIME_MAP = PlannedMap(
    "deep-linear-half-times", HALF_TIME, {"initial": (1e-4, 0.3), "noise": (0.0, 1.0)}, 1000
)
