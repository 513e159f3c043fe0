"""Options of a study that differ from those of its scale, as they are given on the command line."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any


def as_options(changed: Mapping[str, Any]) -> str:
    """Return the options with a space before each, such as " --seeds 20 --regimes lazy,compressed"; empty for none.

    Values with spaces or other letters that a shell takes apart are quoted.
    """
    return "".join(f" --{name.replace('_', '-')} {shlex.quote(_word(value))}" for name, value in changed.items())


def _word(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
