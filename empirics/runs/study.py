"""Studies: one question, and the configurations that answer the question at each scale."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from closedform import checks

Scale = Literal["smoke", "laptop", "paper"]
SCALES: tuple[Scale, ...] = get_args(Scale)


@dataclass(frozen=True)
class Study:
    """A question and the configurations whose runs answer it.

    ``named`` are fields whose values have names, each with a word of the labels that stand for them, as "weights" does
    for the gain in "low weights" (``""``: all labels, or the study). Where a label has it, they cannot be changed.
    """

    name: str  # on the command line
    question: str  # in one sentence
    table: Callable[[Scale], Mapping[str, Any]]  # the labelled configurations of a scale
    # the part of a label that states values, such as "2 → 20 → 2"
    label: Callable[[Any], str] = lambda _: ""
    named: Mapping[str, str] = field(default_factory=dict)

    def configs(
        self, scale: Scale = "laptop", changed: Mapping[str, Any] | None = None
    ) -> Mapping[str, Any]:
        """Return the configurations by label.

        The scale is ``"smoke"`` (seconds), ``"laptop"`` (about a minute, shows the effect) or ``"paper"`` (as
        published). With other values of fields, labels state these; ValueError where configurations would be the same,
        or have a label that does not fit them.
        """
        checks.one_of("scale", scale, SCALES)
        configs = self.table(scale)
        values = checks.mapping("changed", changed)
        return self._changed(configs, values) if values else configs

    def _changed(self, configs: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
        for name, value in values.items():
            named = [
                label for label in configs if name in self.named and self.named[name] in label
            ]
            others = [
                config for config in configs.values() if getattr(config, name, value) != value
            ]
            if named and others:
                raise ValueError(
                    f"{name}: got {value!r}, but in {self.name} {named[-1]!r} is named by its value; leave it out, or "
                    f"run one configuration of {others[0].experiment} with it"
                )
        changed: dict[str, Any] = {}
        groups: dict[str, list[str]] = {}
        for label, config in configs.items():
            other = config.changed(**values)
            new = (
                label.replace(states, self.label(other))
                if (states := self.label(config))
                else label
            )
            changed[new] = other
            for same in (new, other.to_json()):
                groups.setdefault(same, []).append(label)
        equal = list(dict.fromkeys(tuple(group) for group in groups.values() if len(group) > 1))
        if equal:
            first = [configs[label] for label in equal[0]]
            different = [
                name
                for name in values
                if len({getattr(config, name, None) for config in first}) > 1
            ]
            raise ValueError(
                f"{' and '.join(different or values)}: makes configurations of {self.name} equal "
                f"({'; '.join(map(' = '.join, equal))}); leave it out, or run one configuration of "
                f"{first[0].experiment} with it"
            )
        return changed
