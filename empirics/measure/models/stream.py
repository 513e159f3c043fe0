"""The stream of a network in one forward pass: the states of its residual connections, and what its last map reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor, nn

from empirics.measure.models.call_sites import CallSite
from empirics.measure.models.layer_names import LAST, MEAN, PENULTIMATE, POOLED, LayerName, layer_name
from empirics.measure.models.observation import Call, observed

RECURRENT = ("RNN", "LSTM", "GRU")


class Stream:
    """What the calls of a forward pass give: the states of the residual stream and the input of the last linear map."""

    def __init__(self, model: nn.Module, x: Tensor, sites: Sequence[CallSite]) -> None:
        self.sites, self.x = sites, x
        self.outputs: dict[Any, Tensor] = {}
        self.last: Tensor | None = None

        def keep(call: Call) -> None:
            if isinstance(call.output, Tensor):
                self.outputs[call.key] = call.output.clone()
            if call.is_map and isinstance(call.given, Tensor) and len(call.given) == len(x):
                self.last = self.outputs[PENULTIMATE, 0] = call.given.clone()

        with torch.no_grad(), observed(model, keep):
            model(x.clone())

    def has_positions(self, sites: Sequence[CallSite]) -> bool:
        """Return whether all nonlinearities but at most one, that of a head, act at several positions."""
        return sum(self.outputs[site.key].ndim < 3 for site in sites) <= 1

    def states(self) -> list[CallSite]:
        """Return what blocks with residual connections give, or the sums where they stand in the model itself."""
        blocks = {site.key[0].rpartition("add()")[0].rstrip(".") for site in self.sites if site.is_residual}
        return [
            site
            for site in self.sites
            if site.features and (site.key[0] in blocks or (site.is_residual and site.key[0] == "add()"))
        ]

    def reduced(self, site: CallSite) -> CallSite:
        """Return a layer with its positions reduced as the network does it before its last linear map."""
        state = self.outputs[site.key]
        if state.ndim < 3 or self.last is None or self.last.ndim > 2:
            return site
        features = self.last.shape[-1]
        is_map = state.ndim > 3 and (state.shape[1] == features or state.shape[-1] != features)
        reduction = POOLED if is_map else self._of_positions(LAST if site.operation in RECURRENT else MEAN)
        return self.named(site, LayerName(site.name, reduction))

    def _of_positions(self, otherwise: str) -> int | str:
        """Return what the input of the last linear map is of a sequence: a position, or the mean."""
        for output in reversed(self.outputs.values()):
            if output.ndim == 3 and len(output) == len(self.x):
                for reduction in (0, LAST, MEAN):
                    if torch.equal(LayerName("", reduction).of(output), self.last):  # type: ignore[arg-type]
                        return reduction
        return otherwise

    def named(self, site: CallSite, layer: LayerName) -> CallSite:
        """Return a call site with the name of a layer, and the number of its features."""
        return replace(site, name=str(layer), features=layer.of(self.outputs[site.key])[0].numel())

    def penultimate(self) -> CallSite | None:
        """Return the input of the last linear map; None if there is none, or it is the input of the network."""
        if self.last is None or torch.equal(self.last.flatten(1), self.x.flatten(1).to(self.last)):
            return None
        return CallSite(PENULTIMATE, (PENULTIMATE, 0), "input", False, True, False, self.last[0].numel())

    def ends_with(self, site: CallSite) -> bool:
        """Return whether a layer is the input of the last linear map."""
        state = layer_name("layer", site.name).of(self.outputs[site.key])
        return self.last is not None and torch.equal(state.flatten(1), self.last.flatten(1))
