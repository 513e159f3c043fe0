"""Seeds that differ between the configurations of a sweep, so that their noise is not shared."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from typing import TypeVar

from closedform import checks
from empirics.runs.config import Configuration, as_json

# seeds of a configuration, and blocks of as many that are told apart
SEEDS, BLOCKS = 1000, 1_000_000
COUNTED = ("seeds", "realisations", "first_seed")
C = TypeVar("C", bound=Configuration)


def first_seed_of(text: str) -> int:
    """Return the first seed that belongs to a text: below a billion, in steps of 1000."""
    return SEEDS * (zlib.crc32(text.encode()) % BLOCKS)


def own_seeds(configs: Mapping[str, C]) -> dict[str, C]:
    """Return the configurations of a sweep with seeds of their own, for ``sweep(own_seeds(configs), directory)``.

    The configurations of a study have common seeds: its *differences* between them are sharp, since their common noise
    cancels, and their deviations from a prediction err to one side together. Where every one of them is compared with
    a prediction, they need seeds of their own, which follow from their settings: the same settings have the same seeds
    in every sweep, and more seeds of a configuration are those before and new ones.

    Args:
        configs: ``{label: Config}``; a configuration without seeds is left as it is.

    Raises:
        TypeError: if ``configs`` is not a mapping of configurations.

    >>> from empirics.experiments import two_point
    >>> configs = {"deep": two_point.Config(depth=8), "shallow": two_point.Config(depth=2)}
    >>> seeds = {label: config.first_seed for label, config in own_seeds(configs).items()}
    >>> len(set(seeds.values()))
    2
    """
    found = {}
    for label, config in checks.mapping("configs", configs).items():
        checks.instance(f"configs[{label!r}]", config, Configuration, "a configuration")
        if not hasattr(config, "first_seed"):
            found[label] = config
            continue
        settings = json.loads(as_json(config))
        kept = {name: value for name, value in settings.items() if name not in COUNTED}
        found[label] = config.changed(first_seed=first_seed_of(json.dumps(kept, sort_keys=True)))
    return found
