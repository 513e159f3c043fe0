"""Settings of the tests of ``empirics``."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("empirics", deadline=None)  # first calls of torch kernels and loaded machines are slow
settings.load_profile("empirics")
