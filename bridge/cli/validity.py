"""The command that tests a claim at one configuration, or maps where it holds: validity."""

import argparse
from pathlib import Path
from typing import Any

from closedform.missing import ANALYSIS, TRAINING, require


def run_validity(arguments: argparse.Namespace) -> int:
    """List the claims, test one, or map one; 1 if the claim fails at the configuration."""
    require("validity", *TRAINING, *ANALYSIS)
    import bridge
    from bridge.validity.decision import decide
    from bridge.validity.prediction import as_prediction
    from bridge.validity.recorded import planned_maps, record

    if arguments.claim is None:
        for name, known in bridge.claims().items():
            print(f"{name:<38}{known.sentence}")
        for name, planned in planned_maps().items():
            print(f"{name:<38}map of {planned.claim.name} over {' × '.join(planned.over)}, plan {planned.digest}")
        return 0
    plan = planned_maps().get(arguments.claim)
    if plan is not None:
        region = bridge.validity(
            plan.claim, plan.over, base=plan.base, resolution=plan.resolution, budget=plan.networks,
            scheduler=arguments.scheduler, directory=arguments.out,
        )  # fmt: skip
        return _shown(region, arguments.out, record(region, plan) if arguments.record else [])
    claim = as_prediction(arguments.claim)
    config = claim.at(claim.base, **dict(_setting(text, claim) for text in arguments.at))
    if not arguments.over:
        decision = decide(claim, config, arguments.resolution)
        print(f"{decision.comparison}\n{claim.sentence}")
        return int(decision.holds is False)
    region = bridge.validity(
        claim, dict(map(_range, arguments.over)), base=config, resolution=arguments.resolution,
        budget=arguments.budget, scheduler=arguments.scheduler, directory=arguments.out,
    )  # fmt: skip
    return _shown(region, arguments.out, [])


def _shown(region: Any, directory: str, recorded: list[Path]) -> int:
    print(region.summary())
    print(*recorded, region.write(Path(directory)).page, sep="\n")
    return 0


def _setting(text: str, claim: Any) -> tuple[str, Any]:
    """Return the name and the value of ``name=value``, in the type of the field."""
    from bridge.cli.options import convert
    from empirics.runs.config import field_types

    name, value = _split(text)
    kind: Any = type(claim.base)
    types = field_types(kind)
    return name, convert(value, types[name], name) if name in types else _number(value)


def _range(text: str) -> tuple[str, tuple[Any, ...]]:
    """Return the name and the values of ``name=low:high``, or of choices ``name=one,two``."""
    name, values = _split(text)
    low, colon, high = values.partition(":")
    return (name, (_number(low), _number(high))) if colon else (name, tuple(values.split(",")))


def _split(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise ValueError(f"{text!r}: needs NAME=VALUE, such as gain=1.2, or for a map gain=0.5:2")
    return name, value


def _number(text: str) -> int | float:
    try:
        return int(text)
    except ValueError:
        return float(text)
