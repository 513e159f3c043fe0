"""Watching a training run of the user's own: measurements at regular steps, in a labelled trace.

``with empirics.watch(model, inputs, labels, every=100) as run:`` goes around any training loop with a torch optimizer;
``run.trace`` has the measurements.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
