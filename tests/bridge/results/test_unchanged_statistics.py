"""What today's code says of a run is what its record says.

The hash of a plan holds the code of a wing and not what is behind it, of which a change must not change a number
unseen: networks that are quickly trained are trained again, and analysed.
"""

from __future__ import annotations

import pytest

from bridge.cli import main
from bridge.results import analyses, folder, record

QUICK = {  # options of runs of a few seconds that have a record
    "two-point-layer": "--scale smoke",
    "two-point-initial-weights": "--scale smoke",
    "two-point-architectures": "--scale laptop --first-seed 1000 --seeds 10 --only dropout",
    "compression-amplification": "--scale smoke",
    "compression-kernel-components": "--scale smoke",
    "collapse-controls": "--scale smoke",
    "leaky-resnet-adaptive": "--scale smoke",
}
SAME = 0.02  # errors, by which other processors may move a number of networks in float32


@pytest.mark.slow
@pytest.mark.parametrize("study", QUICK)
def test_a_run_that_is_repeated_says_what_its_record_says(study, tmp_path):
    assert main(["run", study, *QUICK[study].split(), "--out", str(tmp_path)]) == 0
    (runs,) = folder.studies(tmp_path)
    traces, _ = folder.load(tmp_path, runs)
    recorded = record.load(study, fresh="first_seed" in runs.changed)[runs.scale]
    assert recorded.changed == runs.changed
    today = {(n.quantity, n.label): n for n in analyses.analyse(study, traces).numbers}
    compared = [
        number
        for number in recorded.measured
        if any(number.label == name or number.label.startswith(f"{name},") for name in traces)
    ]
    assert len(compared) > 3
    for number in compared:
        again = today[number.quantity, number.label]
        assert again.value == pytest.approx(number.value, rel=1e-5, abs=SAME * (number.error or 0))
        assert again.error == pytest.approx(number.error, rel=0.1)
