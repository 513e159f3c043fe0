"""The command that tests a claim, or maps where it holds: validity."""

from pathlib import Path
from typing import Any

import click

from bridge.cli.command import FILE, command
from closedform.missing import ANALYSIS, TRAINING, require

MAP_OUT = "closedform-map"


@command(
    "validity",
    how_to_go_on="with --over, finished networks are kept in its folder, and the same command goes on from here",
)
@click.argument("claim", metavar="[CLAIM]", required=False)
@click.option(
    "--over",
    metavar="NAME=LOW:HIGH",
    multiple=True,
    help="A parameter of the map (may be repeated).",
)
@click.option(
    "--record", "keeps", is_flag=True, help="Keep a planned map in the package, for its formulas."
)
@click.option(
    "--at",
    metavar="NAME=VALUE",
    multiple=True,
    help="A setting of everything else (may be repeated).",
)
@click.option(
    "--resolution",
    type=float,
    metavar="R",
    help="Smallest relevant deviation (default: the claim's).",
)
@click.option(
    "--budget", metavar="TIME", default="10m", help="Such as 10m, 90s, 1.5h (default: 10m)."
)
@click.option(
    "--scheduler", metavar="WHERE", help="local:N or tcp://HOST:PORT (default: this process)."
)
@click.option(
    "--out",
    type=FILE,
    metavar="DIR",
    default=MAP_OUT,
    help=f"Folder of the map (default: ./{MAP_OUT}).",
)
def run_validity(
    *,
    claim: str | None,
    over: tuple[str, ...],
    keeps: bool,
    at: tuple[str, ...],
    resolution: float | None,
    budget: str,
    scheduler: str | None,
    out: str,
) -> int:
    """Test a claim at one configuration, or map where it holds.

    CLAIM is the name of a claim, such as two_point.final_distance, or of a planned map (default: list them). The exit
    code is 1 if the claim fails at the configuration.
    """
    require("validity", *TRAINING, *ANALYSIS)
    import bridge
    from bridge.validity.decision import decide
    from bridge.validity.identity import first_seed
    from bridge.validity.prediction import as_prediction
    from bridge.validity.recorded import planned_maps, record

    if claim is None:
        for name, known in bridge.claims().items():
            print(f"{name:<38}{known.sentence}")
        for name, planned in planned_maps().items():
            print(
                f"{name:<38}map of {planned.claim.name} over {' × '.join(planned.over)}, plan {planned.digest}"
            )
        return 0
    plan = planned_maps().get(claim)
    if plan is not None:
        region = bridge.validity(
            plan.claim, plan.over, base=plan.base, resolution=plan.resolution, budget=plan.networks,
            scheduler=scheduler, directory=out,
        )  # fmt: skip
        return _shown(region, out, record(region, plan) if keeps else [])
    prediction = as_prediction(claim)
    config = prediction.at(prediction.base, **dict(_setting(text, prediction) for text in at))
    if not over:
        decision = decide(prediction, config, resolution, first_seed=first_seed(config))
        print(f"{decision.comparison}\n{prediction.sentence}")
        return int(decision.holds is False)
    region = bridge.validity(
        prediction, dict(map(_range, over)), base=config, resolution=resolution,
        budget=budget, scheduler=scheduler, directory=out,
    )  # fmt: skip
    return _shown(region, out, [])


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
