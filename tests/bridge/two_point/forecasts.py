"""The networks on which the bands of forecasts were calibrated, and the score of forecasts on any of them.

On 50 other networks of the same kinds the whole rest of all three curves was inside the band in these shares; one of
them is known to about 6 points. Half way is where the outputs are half way to their targets; before and after it are
0.7 and 1.5 times its time. For networks of other kinds the coverage may differ; ``Forecast.score`` measures it.

====================  ======  ======  ======  ======  ======
level                   50 %    68 %    80 %    90 %    95 %
====================  ======  ======  ======  ======  ======
before half way         50 %    74 %    80 %    96 %    96 %
half way                74 %    78 %    88 %    90 %    92 %
after half way          78 %    78 %    88 %    88 %    94 %
====================  ======  ======  ======  ======  ======
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from bridge import two_point
from bridge.two_point.trace import read
from empirics.experiments import two_point as experiment
from papers.vanrossem2024.studies.fitted import until_half_way

SHORT = {"epochs": 4000, "learning_rate": 0.01, "seeds": 10}
KINDS = {
    "leaky": {"depth": 6, "width": 60, "layers": (4,), "gain": 1.0},
    "deep": {"depth": 10, "width": 60, "layers": (6,), "gain": 1.0},
    "small": {"depth": 6, "width": 60, "layers": (4,), "gain": 0.9},
    "relu": {"depth": 6, "width": 60, "layers": (4,), "gain": 1.0, "activation": "relu"},
    "wide": {"depth": 6, "width": 120, "layers": (4,), "gain": 1.1},
}
CALIBRATION, OTHERS = 1000, 0  # first seeds
SEEN = (0.7, 1.0, 1.5)  # relative to the time until the outputs are half way
LEVELS = (0.5, 0.68, 0.8, 0.9, 0.95)


def held(first_seed: int) -> np.ndarray:
    """Return whether the whole rest of each network is inside its bands, ``[network, seen, level]``."""
    found = []
    for settings in KINDS.values():
        trace = experiment.run(
            experiment.Config(**SHORT, **settings, first_seed=first_seed), progress=False
        )
        for seed in range(trace.sizes["seed"]):
            whole = trace.isel(seed=[seed])
            half = until_half_way(*read(whole)).t.size
            for seen in SEEN:
                beginning = whole.isel(step=slice(0, int(seen * half)))
                forecast = two_point.fit(beginning).forecast(whole.step.values[[-1]])
                scores = [replace(forecast, level=level).score(whole) for level in LEVELS]
                found.append([all(score.held) for score in scores])
    return np.reshape(found, (-1, len(SEEN), len(LEVELS)))
