"""Small runs of Leaky ResNets."""

from tests.bridge.leaky_resnet.conftest import geodesic_trace, small_trace

__all__ = ["geodesic_trace", "small_trace"]
