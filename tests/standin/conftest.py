"""The stand-in device is registered before the first test of a process in which one of its tests runs.

The first backward pass of a process fixes for which devices torch keeps queues. A device that is registered later has
none, so that backward passes with threads fail on it, wherever a test of another folder came first.
"""

from pathlib import Path

import pytest


def pytest_collection_finish(session: pytest.Session) -> None:
    """Register the device if tests of this folder are among those that were chosen."""
    if any(item.path.parent == Path(__file__).parent for item in session.items):
        from tests.standin import device

        if device.IS_POSSIBLE:
            device.paper()
