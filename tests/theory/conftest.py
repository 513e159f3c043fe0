"""A store of proofs of a test's own, and the order of the tests of closed forms."""

from __future__ import annotations

import time

import pytest

from closedform import cache
from tests.theory.forms import NAMES
from theory.core.proof import store


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let the tests of one closed form follow each other, so that one process builds and translates it for all."""
    first = next((place for place, item in enumerate(items) if _form_of(item)), 0)
    together = sorted(filter(_form_of, items), key=_form_of)
    rest = [item for item in items if not _form_of(item)]
    items[:] = [*rest[:first], *together, *rest[first:]]


def _form_of(item: pytest.Item) -> str | None:
    """Return the name of the closed form that a test of ``forms`` is about."""
    name = getattr(item, "callspec", None) and item.callspec.params.get("name")
    return name if name in NAMES else None


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
