"""Refusal of a script that every new process would run again from its beginning, because nothing guards its code."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from types import FrameType

MESSAGE = (
    "scheduler: line {line} of {file} starts workers, each of which would run the whole script again; "
    "put `if __name__ == '__main__':` before the code that starts the runs, and indent that code"
)


def require_guard() -> None:
    """Raise RuntimeError if the running script has no ``if __name__ == "__main__"`` around the code that runs now.

    Code that is typed or runs in a notebook needs none.
    """
    script = getattr(sys.modules["__main__"], "__file__", None)
    line = _line_of(script) if script else None
    if script and line and not _is_guarded(Path(script), line):
        raise RuntimeError(MESSAGE.format(line=line, file=Path(script).name))


def _line_of(script: str) -> int | None:
    """Return the line of the script's own code that runs now; None if the script is not being run."""
    frame: FrameType | None = sys._getframe()
    while frame is not None:
        code = frame.f_code
        if code.co_name == "<module>" and code.co_filename == script and frame.f_globals["__name__"] == "__main__":
            return frame.f_lineno
        frame = frame.f_back
    return None


def _is_guarded(script: Path, line: int) -> bool:
    """Return whether a line of a script is inside an ``if`` whose condition has ``__name__``."""
    try:
        statements = ast.parse(script.read_bytes()).body
    except (OSError, SyntaxError, ValueError):
        return True  # not a readable script, as a program in an archive
    around = [node for node in statements if node.lineno <= line <= (node.end_lineno or node.lineno)]
    return any(
        isinstance(part, ast.Name) and part.id == "__name__"
        for node in around
        if isinstance(node, ast.If)
        for part in ast.walk(node.test)
    )
