"""The catalogue: the closed forms and families of all subjects, by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from theory import subjects
from theory.core.text.suggestions import unknown

if TYPE_CHECKING:
    from theory.core.formula.closed_form import ClosedForm
    from theory.core.formula.family import Family


class Catalogue(Mapping[str, Any]):
    """A mapping from dotted names to closed forms and families.

    Iteration gives the names of the announced closed forms and, for each family, of the members that it lists as
    examples. A look-up also accepts the name of every family and of every member of a family
    ("geometry.scalar_curvature.swish"). Iteration imports no computer algebra, and a look-up builds only the object
    with the given name.

    Args:
        forms: name -> "module:attribute", where the attribute is a ClosedForm or a function without arguments that
            returns one.
        families: name -> "module:attribute", where the attribute is a Family. Default: none.
        optional: name -> origin for the families that are omitted with a warning if they cannot be imported. Default:
            none.

    Raises:
        ValueError: if a closed form and a family have the same name.
    """

    def __init__(
        self,
        forms: Mapping[str, str],
        families: Mapping[str, str] | None = None,
        optional: Mapping[str, str] | None = None,
    ) -> None:
        self._forms = dict(forms)
        self._targets = dict(families or {})
        self._optional = dict(optional or {})
        self._built: dict[str, ClosedForm] = {}
        self._families: dict[str, Family] = {}
        for name in self._forms.keys() & self._targets.keys():
            raise ValueError(f"{name!r} is announced both as a closed form and as a family")

    def __getitem__(self, name: str) -> Any:
        """Return the closed form or family with this name.

        Raises:
            KeyError: if no closed form or family has this name; the message suggests similar names.
        """
        if name in self._built:
            return self._built[name]
        if name in self._forms:
            form = subjects.load(self._forms[name])
            target = self._forms[name]
            if not _is_closed_form(form) and callable(form):
                form = form()
        elif self._family(name) is not None:
            return self._family(name)
        else:
            family, label = self._family_of(name)
            if family is None:
                raise KeyError(unknown("closed form", name, [*self, *self._targets]))
            try:
                values = family.values(label)
            except ValueError as error:
                raise KeyError(str(error)) from None
            form = family(*values)
            target = family.name
        self._built[name] = _checked(form, name, target)
        return form

    @property
    def families(self) -> Mapping[str, Family]:
        """The families, by name."""
        return MappingProxyType(
            {name: family for name in list(self._targets) if (family := self._family(name)) is not None}
        )

    def _family(self, name: str) -> Family | None:
        if name not in self._families and name in self._targets:
            from theory.core.formula.family import Family

            try:
                family = subjects.load(self._targets[name])
            except Exception as error:
                if name not in self._optional:
                    raise
                subjects.warn(name, self._optional[name], error)
                del self._targets[name]
                return None
            if not isinstance(family, Family):
                raise TypeError(f"{self._targets[name]} must be a Family, got {type(family).__name__}")
            if family.name != name:
                raise ValueError(f"{self._targets[name]} is listed as {name!r} but its name is {family.name!r}")
            self._families[name] = family
        return self._families.get(name)

    def _family_of(self, name: object) -> tuple[Family | None, str]:
        """Return the family with which a member's name begins, if there is one, and the rest of the name."""
        prefix, _, label = str(name).rpartition(".")
        return self._family(prefix), label

    def __iter__(self) -> Iterator[str]:
        yield from self._forms
        for family in self.families.values():
            yield from family.member_names

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, name: object) -> bool:
        if name in self._forms or name in self._targets:
            return True
        family, label = self._family_of(name)
        return family is not None and family.has_member(label)

    def summary(self) -> str:
        """Return one line for each subject, with its numbers of closed forms and of families."""
        lines = [f"catalogue of {len(self._forms)} closed forms and {len(self._targets)} families"]
        for subject in dict.fromkeys(name.split(".")[0] for name in [*self._forms, *self._targets]):
            forms, families = (
                sum(n.startswith(f"{subject}.") for n in names) for names in (self._forms, self._targets)
            )
            lines.append(f"  {subject}: {forms} closed forms, {families} families")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return self.summary()


def _is_closed_form(value: Any) -> bool:
    from theory.core import ClosedForm

    return isinstance(value, ClosedForm)


def _checked(form: Any, name: str, target: str) -> ClosedForm:
    if not _is_closed_form(form):
        raise TypeError(f"{target} must be or return a ClosedForm, got {type(form).__name__}")
    if form.name != name:
        raise ValueError(f"{target} is listed as {name!r} but its name is {form.name!r}")
    return form


@cache
def catalogue() -> Catalogue:
    """Return all closed forms and families by dotted name; each is built when it is first looked up.

    Raises:
        ValueError: if two subjects announce the same name; the message gives both subjects.
    """
    forms, families = subjects.announced("FORMS"), subjects.announced("FAMILIES")
    return Catalogue(
        {name: target for name, (target, _) in forms.items()},
        {name: target for name, (target, _) in families.items()},
        {name: subject.origin for name, (_, subject) in families.items() if subject.is_plugin},
    )
