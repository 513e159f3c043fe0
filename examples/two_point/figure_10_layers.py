"""Figure 10 of van Rossem and Saxe (2024): in which hidden layers the theory holds, and how fast each one learns.

The two time constants are fitted to the representation in every hidden layer; bars: one standard error over networks.
A quarter of a minute at scale laptop, the default; smoke is quicker, paper needs a GPU:

    python examples/two_point/figure_10_layers.py paper
"""

import sys

import bridge
from bridge.plots import style
from empirics.experiments import STUDIES
from empirics.sweep import sweep

scale, out = sys.argv[1] if len(sys.argv) > 1 else "laptop", "closedform-examples/two_point"
traces = sweep(STUDIES["two-point-layer"].configs(scale), f"{out}/traces")

fits = bridge.two_point.fit_layers(traces["default"])
for layer, fit in fits.items():
    print(
        f"layer {layer:>2}  tau_h {fit.tau_h:7.4g}  tau_y {fit.tau_y:7.4g} epochs  fit loss {fit.loss:8.3g}"
    )

with style.context():
    figure, axes = style.grid(1, 2, size=(4.4, 2.8))
    left, right = axes[0]
    left.plot(list(fits), [fit.loss for fit in fits.values()], "o-", color=style.TEAL)
    left.set_ylabel("fit loss")
    for name, colour, label in (
        ("tau_h", style.BLUE, "encoder"),
        ("tau_y", style.ORANGE, "decoder"),
    ):
        rates = [1 / getattr(fit, name) for fit in fits.values()]
        errors = [
            rate**2 * fit.errors[name] for rate, fit in zip(rates, fits.values(), strict=True)
        ]
        right.errorbar(
            list(fits),
            rates,
            errors,
            color=colour,
            marker="o",
            capsize=2,
            label=rf"{label}, $1/\{name}$",
        )
    right.set_ylabel("effective learning rate (1/epoch)")
    right.legend()
    for axis in (left, right):
        axis.set_yscale("log")
        axis.set_xticks(list(fits))
        axis.set_xlabel("hidden layer")
print(style.save(figure, f"{out}/figure_10_layers.png"))
