"""The origin of measurements for a report, from the attributes of the traces."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any

from closedform.untrusted_files import decoded

if TYPE_CHECKING:
    import xarray as xr

# attributes, in the order of the page
STATED = ("device", "processor", "blas", "threads", "dtype", "commit")


def of(traces: Mapping[str, xr.Dataset]) -> dict[str, Any]:
    """Return ``common`` attributes, ``config_common`` options of all traces, and ``rows`` of the ``varying`` ones."""
    common = _common(traces)
    configs = {label: _json(trace.attrs.get("config")) for label, trace in traces.items()}
    names = list(dict.fromkeys(chain.from_iterable(configs.values())))
    first = next(iter(configs.values()), {})

    def varies(name: str) -> bool:
        return any(config.get(name) != first.get(name) for config in configs.values())

    varying = list(filter(varies, names))
    rows = []
    for label, config in configs.items():
        seconds = traces[label].attrs.get("processor_seconds")
        rows.append({
            "label": label,
            "values": [plain(config.get(name)) for name in varying],
            "seconds": "" if seconds is None else f"{float(seconds):.1f}",
        })  # fmt: skip
    return {
        "common": common,
        "config_common": {
            name: plain(first.get(name)) for name in names if name not in (*varying, *common)
        },
        "varying": varying,
        "rows": rows,
    }


def _common(traces: Mapping[str, xr.Dataset]) -> dict[str, str]:
    """Return the attributes of all traces, each value once, and the time of all together."""
    common = {}
    for name in STATED:
        stated = dict.fromkeys(str(value) for value in _recorded(traces, name))
        common[name] = ", ".join(stated) or "not recorded"
    versions = []
    for trace in traces.values():
        packages = _json(trace.attrs.get("versions"))
        versions.append(", ".join(f"{name} {version}" for name, version in packages.items()))
    common["versions"] = "; ".join(dict.fromkeys(versions))
    seconds = [float(value) for value in _recorded(traces, "processor_seconds")]
    common["training time"] = f"{sum(seconds):.1f} s in all" if seconds else "not recorded"
    return common


def _recorded(traces: Mapping[str, xr.Dataset], name: str) -> list[Any]:
    """Return the values of an attribute of the traces that have it."""
    return [trace.attrs[name] for trace in traces.values() if trace.attrs.get(name) is not None]


def plain(value: Any) -> str:
    """Return the text of a value of a Config."""
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, (list, tuple)):
        return ", ".join(plain(entry) for entry in value)
    return "none" if value is None else str(value)


def _json(text: Any) -> dict[str, Any]:
    """Parse a JSON object from an attribute; return an empty one for anything else."""
    try:
        return decoded("attribute", text)
    except ValueError:
        return {}
