"""The command that runs a study, with the options that differ from those of its scale."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any


def command(study: str, scale: str, changed: Mapping[str, Any] | None = None) -> str:
    """Return the command that runs the configurations of a study at a scale, with other options if some are changed."""
    return f"closedform run {study} --scale {scale}{as_options(changed or {})}"


def as_options(changed: Mapping[str, Any]) -> str:
    """Return the options with a space before each, such as " --seeds 20 --regimes lazy,compressed"; empty for none.

    Values with spaces or other letters that a shell takes apart are quoted.
    """
    return "".join(f" --{name.replace('_', '-')} {shlex.quote(_word(value))}" for name, value in changed.items())


def _word(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
