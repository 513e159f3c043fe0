"""Packages of the extras that are not installed, and the command that installs them."""

from collections.abc import Iterable
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

# What the extras of pyproject.toml install, under the names by which Python imports it, the telling ones first.
EXTRAS = {
    "empirics": (
        *("torch", "xarray", "h5netcdf", "h5py"), *("jaxtyping", "sklearn", "threadpoolctl", "tqdm"),
    ),
    "bridge": (
        *("matplotlib", "jinja2", "ziamath", "xarray", "pandas"), *("h5netcdf", "h5py", "contourpy", "markupsafe"),
        *("PIL", "sklearn"),
    ),
    "cluster": ("distributed", "dask", "dask_jobqueue", "bokeh", "cryptography"),
    "images": ("torchvision",),
    "fast": ("numba",),
    "jax": ("jax",),
    "sklearn": ("sklearn",),
    "gpytorch": ("gpytorch", "torch"),
    "lightning": ("lightning",),
    "metrics": ("torchmetrics",),
    "transformers": ("transformers", "accelerate"),
    "logs": ("tensorboard",),
    "testing": ("hypothesis", "pytest"),
}  # fmt: skip
TRAINING, ANALYSIS = EXTRAS["empirics"], EXTRAS["bridge"]
PAGES = ("jinja2", "markupsafe", "ziamath")
SHOWN = 3  # packages that a message names


class MissingPackageError(ModuleNotFoundError):
    """Packages of the extras are not installed; the message says which, and how to install them."""


def require(what: str, *packages: str) -> None:
    """Raise a MissingPackageError unless all these packages are installed; ``what`` needs them. None is imported."""
    missing = [name for name in dict.fromkeys(packages) if find_spec(name) is None]
    if missing:
        raise MissingPackageError(message(what, missing), name=missing[0])


def imported(what: str, package: str) -> ModuleType:
    """Return a package of an extra, which a user has asked for by a call; MissingPackageError without it."""
    require(what, package)
    return import_module(package)


def message(what: str, packages: Iterable[str]) -> str:
    """Return the sentence that says what needs these packages, and how to get them."""
    names = list(packages)
    shown = (
        names
        if len(names) <= SHOWN + 1
        else [*names[:SHOWN], f"{len(names) - SHOWN} more packages"]
    )
    listed = " and ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))
    extras = ",".join(_extras(names))
    extras = "all" if extras == "empirics,bridge" else extras
    return (
        f"{what} needs {listed}, which {'is' if len(names) == 1 else 'are'} not installed: "
        f"pip install '.[{extras}]' in a clone of closedform, or else pip install 'closedform[{extras}]'"
    )


def _extras(packages: Iterable[str]) -> list[str]:
    """Return the extras, in their order, that install these packages; few, of several with the same package."""
    homes = []
    for package in dict.fromkeys(packages):
        homes.append([extra for extra, names in EXTRAS.items() if package in names])
    chosen: set[str] = set()
    for home in sorted(homes, key=len):
        if not chosen & set(home):
            chosen.add(home[0])
    return [extra for extra in EXTRAS if extra in chosen]
