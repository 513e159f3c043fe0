"""Settings of the tests of the core: they test the prover, so no verdict comes from the store of the test run."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def no_store(monkeypatch):
    """Disable the store of proofs; tests of the store choose a folder of their own."""
    monkeypatch.setenv("CLOSEDFORM_CACHE", "off")


@pytest.fixture
def no_general_way(monkeypatch):
    """Return a function after whose call the general way of calling a closed form raises an error."""
    from theory.core.numbers.backends import numpy_backend, torch_backend

    def refuse(*_):
        raise AssertionError("the general way was taken")

    def forbid():
        for backend in (numpy_backend, torch_backend):
            monkeypatch.setattr(backend, "convert", refuse)

    return forbid
