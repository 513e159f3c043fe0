"""Figure 3 of Paccolat et al. (2021): one neuron against its flow, the fixed points, and trajectories of the neurons.

Neurons go to the attractors that the theory derives from the labels alone. A quarter of a minute at scale smoke, the
default; laptop (some minutes) is nearer to the figure, paper needs a GPU:

    python examples/compression/figure_3_neurons.py laptop
"""

import sys

import bridge
from bridge.plots import style
from empirics.experiments import STUDIES
from empirics.sweep import sweep
from papers.paccolat2021.studies import neuron_pictures

scale, out = sys.argv[1] if len(sys.argv) > 1 else "smoke", "closedform-examples/compression"
traces = sweep(STUDIES["compression-neurons"].configs(scale), f"{out}/traces")

trace = traces["stripe d=2"]
assignment = bridge.compression.assignment(trace)
for number, attractor in enumerate(assignment.attractors):
    is_close = (assignment.nearest == number) & assignment.settled
    print(
        f"z* = {float(attractor.position):+.4f}, tau*/tau = {float(attractor.growth_time):.3f}: {is_close.sum()} of "
        f"{is_close.size} neurons, lambda {assignment.median(number):.3g} (median), "
        f"{assignment.predicted[number]:.3g} (theory)"
    )

print(style.save(neuron_pictures.figure_3(trace, assignment), f"{out}/figure_3_neurons.png"))
