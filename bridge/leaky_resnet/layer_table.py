"""Tables of Leaky ResNets of any origin, with one row for each layer, as datasets with the names of a trace."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from bridge.leaky_resnet.trace import LAYER, NODE, checked
from bridge.tables.long_table import gridded, single
from bridge.tables.table_file import load

if TYPE_CHECKING:
    import xarray as xr

AFTER = ("position", "momentum_norm")  # values at the node after the layer of their row
BEFORE = ("stable_cost_of_identity", "gamma")  # values at the node before it
DEFAULTS = {"seed": 0, "residual": math.nan}


def layers_of(trace: Any, columns: tuple[str, ...]) -> xr.Dataset:
    """Return a trace, or the layers of a table as a dataset with dimensions ``depth``, ``seed``, ``node``, ``layer``.

    A table has the columns ``depth``, ``layer`` (from 1 to L), ``position`` (p after the layer, from above 0 to 1),
    further ``columns`` and, if they are known, ``seed`` and ``residual`` (of the network, repeated for every layer). A
    TypeError or ValueError says what it lacks, or that positions do not increase along the layers.
    """
    data = load(trace)
    table = None
    if not hasattr(data, "data_vars"):
        values = ("position", *columns, "residual")
        table = gridded(data, ("depth", "seed", "layer"), values, defaults=DEFAULTS)
    if table is None:
        return checked(data, (*NODE, *LAYER))
    nodes = table.drop_vars("layer").rename(layer="node")
    at_nodes = {name: nodes[name].pad(node=(1, 0), constant_values=0) for name in AFTER if name in nodes}
    at_nodes |= {name: nodes[name].pad(node=(0, 1)) for name in BEFORE if name in nodes}
    if not bool((at_nodes["position"].diff("node") > 0).all()):
        raise ValueError("column 'position': needs positive numbers that increase along the layers of every network")
    at_layers = table[[name for name in columns if name not in at_nodes]].drop_vars("layer")
    return at_layers.assign({"residual": single(table, "residual", "layer"), **at_nodes})
