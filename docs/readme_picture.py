"""Draw docs/readme.png: four architectures and one theory; networks without a trace in docs/generated are trained."""

from __future__ import annotations

from pathlib import Path

from bridge.plots import style
from empirics.experiments import STUDIES
from empirics.sweep import store
from papers.vanrossem2024.studies.fitted import fit_each
from papers.vanrossem2024.studies.single import draw_dynamics

DOCS = Path(__file__).parent
SHOWN = ("default", "shallow", "skip connections", "tanh")


def main() -> None:
    """Train or load the networks, fit the theory and draw the figure."""
    configs = STUDIES["two-point-architectures"].configs("laptop")
    traces = {label: store.run_or_load(configs[label], DOCS / "generated" / "traces") for label in SHOWN}
    style.save(draw_dynamics(fit_each(traces), columns=len(SHOWN)), DOCS / "readme.png")


if __name__ == "__main__":
    main()
