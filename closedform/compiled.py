"""Compiled loops, by the optional extra ``fast``, which is llvmlite: machine code from LLVM's text, in this process.

A loop is translated when machine code would have saved as much time so far as that takes, a hundredth of a second.
Nothing is stored. Without it results have the same bits where numbers are rounded one by one, and the same bounds where
they are summed in another order. ``CLOSEDFORM_COMPILED`` may be "on", "off" or, by default, "auto".
"""

import ctypes
import importlib
import os
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

LOADING, TRANSLATION = 0.06, 0.015  # processor seconds of the import, and of one loop
LANES = 8  # float64 numbers that loops treat at once; LLVM splits them for narrower processors
_ENGINES: list[Any] = []  # which own the machine code
choice = os.environ.get("CLOSEDFORM_COMPILED", "auto")
if choice not in ("on", "off", "auto"):
    raise ValueError(f"environment variable CLOSEDFORM_COMPILED: got {choice!r}, needs 'on', 'off' or 'auto'")


class Account:
    """The processor seconds that compiled code of a piece of work would have saved, and those of its translation."""

    _of_all = 0.0

    def __init__(self, translation: float = TRANSLATION) -> None:
        self._saved, self._translation = 0.0, translation

    def pays(self, seconds: float) -> bool:
        """Return whether to use compiled code for a call, which saves so many processor seconds."""
        if (choice != "on" and self._saved < self._translation) or Account._of_all < LOADING:
            self._saved += seconds
            Account._of_all += seconds
            if choice != "on":
                return False
        return choice != "off" and is_installed()


@cache
def is_installed() -> bool:
    """Return whether llvmlite can be imported."""
    try:
        importlib.import_module("llvmlite.binding")
    except (ImportError, OSError):
        return False
    return True


def _machine() -> Any:
    """Return a description of this processor, which one engine owns."""
    llvm: Any = importlib.import_module("llvmlite.binding")
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    features = llvm.get_host_cpu_features().flatten()
    return llvm.Target.from_default_triple().create_target_machine(llvm.get_host_cpu_name(), features, opt=2)


def translated(text: str, arguments: Sequence[Any], result: Any = ctypes.c_int64) -> Callable[..., Any]:
    """Return the function ``@f`` of a text in LLVM's language as machine code, for types of ``ctypes``."""
    return ctypes.CFUNCTYPE(result, *arguments)(machine_code(text))


def machine_code(text: str, lanes: int = LANES) -> int:
    """Return the address of the machine code of the function ``@f`` of a text, for vectors of so many numbers."""
    llvm: Any = importlib.import_module("llvmlite.binding")
    for name, kind in {"VF": "<LANES x double>", "VI": "<LANES x i64>", "VB": "<LANES x i1>"}.items():
        text = text.replace(name, kind)
    module = llvm.parse_assembly(text.replace("LANES", str(lanes)))
    module.verify()
    engine = llvm.create_mcjit_compiler(module, _machine())
    engine.finalize_object()
    _ENGINES.append(engine)
    return int(engine.get_function_address("f"))
