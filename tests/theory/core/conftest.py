"""Settings of the tests of the core: they test the prover, so no verdict comes from the store of the test run."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def no_store(monkeypatch):
    """Disable the store of proofs; tests of the store choose a folder of their own."""
    monkeypatch.setenv("CLOSEDFORM_CACHE", "off")
