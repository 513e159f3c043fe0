"""The origin of measurements for a report, from the attributes of the traces."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any

from closedform.untrusted_files import decoded

if TYPE_CHECKING:
    import xarray as xr

STATED = ("device", "processor", "blas", "threads", "dtype", "commit")  # attributes, in the order of the page


def of(traces: Mapping[str, xr.Dataset]) -> dict[str, Any]:
    """Return ``common`` attributes, ``config_common`` options of all traces, and ``rows`` of the ``varying`` ones."""
    common = _common(traces)
    configs = {label: _json(trace.attrs.get("config")) for label, trace in traces.items()}
    names = list(dict.fromkeys(chain.from_iterable(configs.values())))
    values = {name: [config.get(name) for config in configs.values()] for name in names}
    varying = [name for name in names if any(value != values[name][0] for value in values[name])]
    return {
        "common": common,
        "config_common": {name: plain(values[name][0]) for name in names if name not in (*varying, *common)},
        "varying": varying,
        "rows": [
            {
                "label": label,
                "values": [plain(config.get(name)) for name in varying],
                "seconds": "" if (s := traces[label].attrs.get("processor_seconds")) is None else f"{float(s):.1f}",
            }
            for label, config in configs.items()
        ],
    }


def _common(traces: Mapping[str, xr.Dataset]) -> dict[str, str]:
    """Return the attributes of all traces, each value once, and the time of all together."""
    common = {}
    for name in STATED:
        stated = dict.fromkeys(str(value) for value in _recorded(traces, name))
        common[name] = ", ".join(stated) or "not recorded"
    versions = (_json(trace.attrs.get("versions")) for trace in traces.values())
    common["versions"] = "; ".join(dict.fromkeys(", ".join(f"{k} {v}" for k, v in one.items()) for one in versions))
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
