"""The functions in JavaScript with which programs compute."""

import re
from functools import cache
from importlib.resources import files

_FILES = ("numbers.js", "elementary.js", "special.js", "integral.js")
_DECLARED = re.compile(r"^(?:function|class|const) (\w+)", re.MULTILINE)


@cache
def _code() -> str:
    folder = files("theory.core.numbers.backends.javascript")
    return "\n".join((folder / name).read_text(encoding="utf-8") for name in _FILES)


@cache
def functions() -> frozenset[str]:
    """Return the names that a program may use."""
    return frozenset(_DECLARED.findall(_code()))


def library(name: str = "closedform") -> str:
    """Return the code of a script that defines an object of this name with all functions."""
    return f"const {name} = (() => {{\n{_code()}\nreturn {{ {', '.join(sorted(functions()))} }};\n}})();\n"
