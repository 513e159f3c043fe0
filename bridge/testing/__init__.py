"""Property tests of a theory against simulations, within pytest and hypothesis.

.. code-block:: python

    @settings(deadline=None)
    @given(experiments.two_point.Config.strategy(gain=(0.5, 1.2), depth=(1, 4), width=30, epochs=600))
    def test_final_distance(config):
        bridge.testing.require("two_point.final_distance", config)
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
