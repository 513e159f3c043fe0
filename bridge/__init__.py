"""Hold theory against measurement: fits, scaling exponents, comparisons with verdicts, reports.

    fit = bridge.two_point.fit(trace)            # effective learning rates of two points, with errors and warnings
    bridge.scaling.fit(x, y)                     # an exponent with an interval that covers
    bridge.compare(prediction, measurement)      # agrees, disagrees, or too blunt to say
    bridge.power(comparison)                     # repetitions until a deviation of the resolution would show
    bridge.dossier(model, inputs, labels)        # everything we can say about a network of your own

Nothing heavy is imported until it is used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
