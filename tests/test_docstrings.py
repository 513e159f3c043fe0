"""Public functions and classes have an example in their docstring, and the examples give what they show."""

import doctest
import inspect
import re
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = [
    ".".join(stub.parent.relative_to(ROOT).parts)
    for package in ("theory", "empirics", "bridge")
    for stub in sorted((ROOT / package).rglob("__init__.pyi"))
]
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def public(package):
    """Name -> function (with a cache or without) or class that the package offers."""
    module = import_module(package)
    found = {name: getattr(module, name) for name in module.__all__}
    return {name: one for name, one in found.items() if inspect.isclass(one) or is_function(one)}


def is_function(one):
    return inspect.isfunction(inspect.unwrap(one)) if callable(one) else False


def home(one):
    """The longest name of a package that offers a function or class which is defined in it."""
    inside = [package for package in PACKAGES if f"{one.__module__}.".startswith(f"{package}.")]
    return max(inside, key=len, default=None)


def example(one):
    text = inspect.getdoc(one) or ""
    return ">>>" in text or "For example::" in text  # the second is not run: it would define an experiment for all


def made():
    """Names of the classes that public functions with an example return, with those of their fields and methods."""
    offered = [one for package in PACKAGES for one in public(package).values()]
    returned = [str(one.__annotations__.get("return")) for one in offered if is_function(one) and example(one)]
    names = set(re.findall(r"\w+", " ".join(returned)))
    inside = [one for one in offered if inspect.isclass(one) and (one.__name__ in names or example(one))]
    fields = [str(vars(one).get("__annotations__")) for one in inside]
    methods = [
        str(value.__annotations__) for one in inside for value in vars(one).values() if inspect.isfunction(value)
    ]
    return names | set(re.findall(r"\w+", " ".join(fields + methods)))


def test_every_public_function_and_class_has_an_example():
    """One paragraph is enough for a function that has the arguments of another one; an error is raised, not made."""
    results, missing = made(), []
    for package in PACKAGES:
        for name, one in public(package).items():
            is_error = inspect.isclass(one) and issubclass(one, Exception)
            is_result = inspect.isclass(one) and one.__name__ in results
            is_short = is_function(one) and "\n\n" not in (inspect.getdoc(one) or "")
            if not (example(one) or is_error or is_result or is_short):
                missing.append(f"{package}.{name}")
    assert missing == []


@pytest.mark.parametrize("package", PACKAGES)
def test_the_examples_give_what_they_show(package):
    runner = doctest.DocTestRunner(optionflags=OPTIONS)
    wrong = []
    for name, one in public(package).items():
        if home(one) not in (None, package) and one in public(home(one)).values():
            continue  # its own package runs it
        names = vars(import_module(one.__module__))
        test = doctest.DocTestParser().get_doctest(inspect.getdoc(one) or "", dict(names), name, one.__module__, 0)
        if runner.run(test, out=lambda text: None).failed:
            wrong.append(name)
    assert wrong == []
