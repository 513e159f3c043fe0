"""Public functions and classes have an example in their docstring, and the examples give what they show."""

import doctest
import inspect
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = [
    ".".join(stub.parent.relative_to(ROOT).parts)
    for package in ("theory", "empirics", "bridge")
    for stub in sorted((ROOT / package).rglob("__init__.pyi"))
]
COMPLETE = [name for name in PACKAGES if name.startswith("theory") and name != "theory.core"]
COMPLETE += [f"bridge.{name}" for name in ("compression", "explorer", "geometry", "scaling", "two_point")]
COMPLETE += ["empirics.data"]
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def public(package):
    """Name -> function or class with a docstring of its own that the package offers."""
    module = import_module(package)
    found = {name: getattr(module, name) for name in module.__all__}
    return {name: one for name, one in found.items() if inspect.isfunction(one) or inspect.isclass(one)}


@pytest.mark.parametrize("package", COMPLETE)
def test_every_public_function_has_an_example(package):
    """One paragraph is enough for a function that has the arguments of another one."""
    documented = {name: inspect.getdoc(one) or "" for name, one in public(package).items() if inspect.isfunction(one)}
    assert [name for name, text in documented.items() if ">>>" not in text and "\n\n" in text] == []


@pytest.mark.parametrize("package", PACKAGES)
def test_the_examples_give_what_they_show(package):
    runner = doctest.DocTestRunner(optionflags=OPTIONS)
    wrong = []
    for name, one in public(package).items():
        names = vars(import_module(one.__module__))
        example = doctest.DocTestParser().get_doctest(inspect.getdoc(one) or "", dict(names), name, one.__module__, 0)
        if runner.run(example, out=lambda text: None).failed:
            wrong.append(name)
    assert wrong == []
