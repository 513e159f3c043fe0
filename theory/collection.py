"""The catalogue: the closed forms and families of all subjects, by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from closedform.guests import LISTING, GuestError, leave_out
from closedform.subjects import Subject, announced, load
from closedform.suggestions import UnknownNameError, unknown
from theory.subjects import FLOOR

if TYPE_CHECKING:
    from theory.core.facade.closed_form import ClosedForm
    from theory.core.facade.family import Family


class Catalogue(Mapping[str, Any]):
    """A mapping from dotted names to closed forms and families, which subjects announce as "module:attribute".

    Iteration gives the names of the announced closed forms and, for each family, of the members that it lists as
    examples. A look-up also accepts the name of every family and of every member of a family
    ("geometry.scalar_curvature.swish"). Iteration imports no computer algebra, and a look-up builds only the object
    with the given name. The family of a guest, another distribution, that cannot be imported is left out with a
    warning.
    """

    def __init__(
        self,
        forms: Mapping[str, str],
        families: Mapping[str, str] | None = None,
        guests: Mapping[str, Subject] | None = None,
    ) -> None:
        self._forms = dict(forms)
        self._targets = dict(families or {})
        self._guests = dict(guests or {})
        self._built: dict[str, ClosedForm] = {}
        self._families: dict[str, Family] = {}

    def __getitem__(self, name: str) -> Any:
        """Return the closed form or family with this name; KeyError, with similar names, if there is none."""
        if name in self._built:
            return self._built[name]
        if name in self._forms:
            with self.visit(name):
                form = load(self._forms[name])
                if not _is_closed_form(form) and callable(form):
                    form = form()
                self._built[name] = _checked(form, name, self._forms[name])
        elif self._family(name) is not None:
            return self._family(name)
        else:
            family, label = self._family_of(name)
            if family is None:
                raise UnknownNameError(unknown("closed form", name, [*self, *self._targets]))
            try:
                values = family.values(label)
            except ValueError as error:
                raise UnknownNameError(str(error)) from None
            with self.visit(name):
                self._built[name] = _checked(family(*values), name, family.name)
        return self._built[name]

    def visit(self, name: str, seconds: float | None = None) -> AbstractContextManager[None]:
        """Return a context for the code of a closed form or family, see :meth:`closedform.subjects.Subject.visit`."""
        known = name if name in self._guests else str(name).rpartition(".")[0]
        if known not in self._guests:
            return nullcontext()
        target = self._forms.get(known) or self._targets.get(known, "")
        return self._guests[known].visit(
            f"closed form {name!r}", target.partition(":")[0], seconds
        )

    @property
    def families(self) -> Mapping[str, Family]:
        """The families, by name."""
        return MappingProxyType(
            {
                name: family
                for name in list(self._targets)
                if (family := self._family(name)) is not None
            }
        )

    def _family(self, name: str) -> Family | None:
        if name not in self._families and name in self._targets:
            from theory.core.facade.family import Family

            target = self._targets[name]
            try:
                with self.visit(name, LISTING):
                    family = load(target)
                    if not isinstance(family, Family):
                        raise TypeError(f"{target}: got {type(family).__name__}, needs a Family")
                    if family.name != name:
                        raise ValueError(
                            f"{target} is listed as {name!r} but its name is {family.name!r}"
                        )
                    self._families[name] = family
            except GuestError as error:
                leave_out(error)
                del self._targets[name]
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

    def __repr__(self) -> str:
        """Return one line for each subject, with its numbers of closed forms and of families."""
        lines = [f"catalogue of {len(self._forms)} closed forms and {len(self._targets)} families"]
        for subject in dict.fromkeys(
            name.split(".")[0] for name in [*self._forms, *self._targets]
        ):
            forms, families = (
                sum(n.startswith(f"{subject}.") for n in names)
                for names in (self._forms, self._targets)
            )
            lines.append(f"  {subject}: {forms} closed forms, {families} families")
        return "\n".join(lines)


def _is_closed_form(value: Any) -> bool:
    from theory.core import ClosedForm

    return isinstance(value, ClosedForm)


def _checked(form: Any, name: str, target: str) -> ClosedForm:
    if not _is_closed_form(form):
        raise TypeError(
            f"{target}: got {type(form).__name__}, needs a ClosedForm or a function that returns one"
        )
    if form.name != name:
        raise ValueError(
            f"{target} is listed as {name!r} but its name is {form.name!r}; dataclasses.replace(form, name=...) is the "
            "form under another name"
        )
    return form


@cache
def catalogue() -> Catalogue:
    """Return all closed forms and families by dotted name; each is built when it is first looked up.

    >>> form = catalogue()["two_point.final_distance"]
    >>> round(float(form(dh2_0=0.02, dy2_0=0.001, tau_h=440, tau_y=66, dx2=1, target2=0.5)), 6)
    0.280183
    """
    forms, families = announced(FLOOR, "FORMS"), announced(FLOOR, "FAMILIES")
    return Catalogue(
        {name: target for name, (target, _) in forms.items()},
        {name: target for name, (target, _) in families.items()},
        {
            name: subject
            for name, (_, subject) in (*forms.items(), *families.items())
            if subject.is_guest
        },
    )
