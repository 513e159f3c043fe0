"""The code of an experiment of the user's own: a digest of every file of which the experiment is made.

A run belongs to the code by which it was made. That of this package is in :mod:`empirics.runs.trace`. Here is the rest:
the file that defines the experiment and what it imports, see :mod:`empirics.imported_files`. Digests are those of
the moment at which the experiment is defined, since this is the code that runs, whatever happens to the file later.

What does not count: installed packages (except the distribution of a guest), the other packages of this distribution,
files of data, what the environment says, and text that is executed without being in a file. Bytes are compared, so
that another comment is other code. An experiment that is typed into a notebook has no file; its functions count, those
that they name, and the numbers and texts that they name.
"""

import json
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, Final, cast

import numpy as np

from closedform.untrusted_files import decoded
from empirics import imported_files
from empirics.imported_files import OURS, differing
from empirics.user_choice import choices, user_choice

# of a trace: JSON text {file: digest}; absent for the experiments of this package
ATTRIBUTE: Final = "own_code"
ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")  # in the text of an object
PLAIN = (bool, int, float, complex, str, bytes, tuple, type(None))
Digests = dict[str, str]  # by file, such as "walk.py" or "helpers/noise.py"


def at_definition(*parts: Any) -> Digests | None:
    """Return the digests of the files that define an experiment; None if it lies in no file, as in a notebook.

    Args:
        parts: the class of its configurations, and the function that runs one.
    """
    digests: Digests = {}
    for name in dict.fromkeys(part.__module__ for part in parts):
        if name.partition(".")[0] in OURS:
            continue
        module = sys.modules.get(name)
        file = Path(getattr(module, "__file__", None) or "")
        if not file.is_file():
            return None
        # a script that is run as ``__main__`` has none
        specification = getattr(module, "__spec__", None)
        digests |= imported_files.digests(
            file.stem if specification is None else specification.name, file.absolute()
        )
    return digests


def of(config: Any) -> Digests:
    """Return the digests of the code that runs a configuration and is not of this package, by file; often empty.

    They include the files of choices that are import paths, such as an activation of the user's own.
    """
    kind = type(config)
    known = of_class(kind)
    digests = _of_functions(kind) if known is None else dict(known)
    for path in _import_paths(config):
        digests |= _of_choice(path)
    return digests


def of_class(kind: type) -> Digests | None:
    """Return what :func:`at_definition` found when an experiment was defined; None if it lies in no file."""
    if "own_code" in vars(kind):
        known: Digests | None = vars(kind)["own_code"]
        return known
    return at_definition(kind)  # its run is not decorated by ``run_of``, as a guest's need not be


def as_text(digests: Mapping[str, str]) -> str:
    """Return digests as the text of an attribute."""
    return json.dumps(digests, sort_keys=True)


def changed(text: str | None, now: Mapping[str, str]) -> str:
    """Return in words which code differs between the attribute of a trace, if it has one, and now; or nothing."""
    return differing({} if text is None else decoded(ATTRIBUTE, text), now)


def _import_paths(config: Any) -> Iterator[str]:
    """Yield the import paths among the fields of a configuration."""
    from empirics.runs.config import Configuration, field_types

    for name, annotation in (
        field_types(cast(Any, type(config))).items() if isinstance(config, Configuration) else ()
    ):
        value = getattr(config, name)
        if user_choice(annotation) and value not in choices(annotation) and ":" in value:
            yield value


@cache
def _of_choice(path: str) -> Digests:
    """Return the digests of an import path "package.module:name", as they are when a process first asks for them."""
    module = path.partition(":")[0]
    file = imported_files.file_of(module)
    return {} if file is None else imported_files.digests(module, file)


def _of_functions(kind: type) -> Digests:
    """Return one digest of the functions of an experiment that lies in no file."""
    body: Any = vars(kind).get("own_run")
    body = getattr(body, "__func__", body)
    while hasattr(body, "made_of"):
        body = body.made_of
    parts: dict[str, Any] = {}
    for function in (body, *vars(kind).values()):
        _reach(function, parts)
    name = f"the function {getattr(body, '__name__', kind.__name__)}"
    return {name: imported_files.digest(json.dumps(parts, sort_keys=True).encode())}


def _reach(function: Any, parts: dict[str, Any]) -> None:
    """Add a function, the functions and classes of its module that it names, and the plain values, to ``parts``."""
    # which dataclasses writes
    if not isinstance(function, FunctionType) or function.__module__ is None:
        return
    if function.__module__.partition(".")[0] in OURS:
        return
    name = function.__qualname__
    if name in parts:
        return
    used: set[str] = set()
    parts[name] = (
        _instructions(function.__code__, used),
        content((function.__defaults__, function.__kwdefaults__)),
    )
    variables = {
        **function.__globals__,
        **dict(zip(function.__code__.co_freevars, _cells(function), strict=True)),
    }
    for variable in sorted((used | {*function.__code__.co_freevars}) & variables.keys()):
        value = variables[variable]
        if isinstance(value, PLAIN):
            parts[f"{name}: {variable}"] = content(value)
        is_class = isinstance(value, type) and value.__module__ == function.__module__
        for other in vars(value).values() if is_class else (value,):
            _reach(other, parts)


def content(value: Any, within: tuple[int, ...] = ()) -> Any:
    """Return what a value holds as data for JSON: the same for equal values, whichever objects they are.

    Args:
        value: a default argument, or a plain value.
        within: identities of the objects that hold it, so that one that holds itself comes to an end.

    >>> content({"b": [1], "a": frozenset({2})}) == content({"a": frozenset({2}), "b": [1]})
    True
    """
    if isinstance(value, PLAIN) and not isinstance(value, tuple):
        return repr(value)
    kind = f"{type(value).__module__}.{type(value).__qualname__}"
    if id(value) in within:
        return [kind, "itself"]
    within = (*within, id(value))
    if isinstance(value, (list, tuple)):
        return [kind, [content(part, within) for part in value]]
    if isinstance(value, (set, frozenset)):
        return [kind, sorted(json.dumps(content(part, within)) for part in value)]
    if isinstance(value, Mapping):
        return [
            kind,
            sorted(
                [json.dumps(content(key, within)), content(value[key], within)] for key in value
            ),
        ]
    if isinstance(value, FunctionType):
        return [kind, _instructions(value.__code__, set()), content(value.__defaults__, within)]
    if isinstance(value, type):
        return [kind, value.__module__, value.__qualname__]
    if hasattr(value, "__array__"):
        return [kind, *_numbers(value, within)]
    if hasattr(value, "__dict__"):
        return [kind, content(vars(value), within)]
    return [kind, ADDRESS.sub("", repr(value))]


def _numbers(value: Any, within: tuple[int, ...]) -> list[Any]:
    """Return type, shape and a digest of the numbers of an array, a tensor or a table."""
    array = np.asarray(value.detach().cpu() if hasattr(value, "detach") else value)
    if array.dtype == object:
        return ["object", list(array.shape), content(array.tolist(), within)]
    return [
        array.dtype.str,
        list(array.shape),
        imported_files.digest(np.ascontiguousarray(array).tobytes()),
    ]


def _cells(function: FunctionType) -> list[Any]:
    return [cell.cell_contents for cell in function.__closure__ or ()]


def _instructions(code: CodeType, used: set[str]) -> list[Any]:
    """Return what a function does, with the functions inside it, and collect the names that it uses."""
    used |= {*code.co_names}
    constants: list[Any] = []
    for value in code.co_consts:
        if isinstance(value, CodeType):
            constants.append(_instructions(value, used))
        else:  # the order of a set is random
            constants.append(
                sorted(map(repr, value)) if isinstance(value, frozenset) else repr(value)
            )
    return [code.co_code.hex(), code.co_names, code.co_varnames, constants]
