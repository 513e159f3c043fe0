"""Settings of the tests of ``empirics``."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("empirics", deadline=None)  # the first call of a torch kernel is slow; a loaded machine, too
settings.load_profile("empirics")
