"""A store of proofs of a test's own."""

from __future__ import annotations

import time

import pytest

from closedform import cache
from theory.core.proof import store


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty store, for this process and those that it starts."""
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "store"))
    # The sources may be newer than this process while they are being worked on.
    monkeypatch.setattr(store, "_STARTED", time.time())
    store.checker.cache_clear()
    store.everything.cache_clear()
    yield tmp_path / "store"
    store.checker.cache_clear()
    store.everything.cache_clear()
