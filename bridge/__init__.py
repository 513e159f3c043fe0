"""Comparison of theory and measurement: fits, scaling exponents, comparisons with verdicts, reports.

    fit = bridge.two_point.fit(trace)            # effective learning rates of two points, with errors and warnings
    bridge.scaling.fit(x, y)                     # an exponent and its confidence interval
    bridge.compare(prediction, measurement)      # agrees, disagrees, or too blunt to say
    bridge.power(comparison)                     # repetitions needed to detect a deviation of the resolution
    bridge.claims()                              # what can be tested by name, with sentence, experiment, resolution
    bridge.table(log, {"dh2": "run-1 - dh2"})    # exports of W&B, TensorBoard or MLflow, with our names of columns
    bridge.dossier(model, inputs, labels)        # a report on a network of your own
    bridge.explore(form).write("page.html")      # a page with sliders and a live plot of a closed form

Large packages are imported only when they are used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
