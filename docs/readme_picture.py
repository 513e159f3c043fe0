"""Draw docs/readme.png: four architectures and one theory, by the configurations of the study's record.

The networks without a trace in docs/generated are trained, as many as the record has. What the theory leaves
unexplained is computed again and kept in the picture with the configurations; a test compares it with the record.
"""

from __future__ import annotations

import json
from pathlib import Path

from bridge.plots import style
from bridge.results import record
from empirics.experiments import STUDIES
from empirics.sweep import store
from papers.vanrossem2024 import quantities as q
from papers.vanrossem2024.studies.fitted import fit_each, unexplained
from papers.vanrossem2024.studies.single import draw_dynamics

DOCS = Path(__file__).parent
PICTURE = DOCS / "readme.png"
STUDY, SCALE = "two-point-architectures", "laptop"
SHOWN = ("default", "shallow", "skip connections", "tanh")
KEY = "record"
"""Name of the text in the PNG file with what it shows."""


def main() -> None:
    """Train or load the networks, fit the theory, and draw the figure with its numbers in the file."""
    from PIL import Image
    from PIL.PngImagePlugin import PngInfo

    recorded = record.first(STUDY)[SCALE]
    configs = STUDIES[STUDY].configs(SCALE, recorded.changed)
    traces = {
        label: store.run_or_load(configs[label], DOCS / "generated" / "traces") for label in SHOWN
    }
    fitted = fit_each(traces)
    shares = {
        number.label: round(number.value, 5)
        for number in unexplained(q.UNEXPLAINED_CURVES, fitted)
    }
    shown = {
        label: {"configuration": recorded.configurations[label], "share": shares[label]}
        for label in SHOWN
    }
    style.save(draw_dynamics(fitted, columns=len(SHOWN)), PICTURE)
    details = PngInfo()
    details.add_text(KEY, json.dumps(shown))
    with Image.open(PICTURE) as picture:
        picture.load()
        picture.save(PICTURE, pnginfo=details, optimize=True)


if __name__ == "__main__":
    main()
