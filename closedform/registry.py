"""What subjects announce under one constant, as a mapping that imports an entry when it is looked up."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Generic, TypeVar

from closedform.guests import LISTING, GuestError, leave_out
from closedform.subjects import Floor, Subject, announced, load
from closedform.suggestions import UnknownNameError

Entry = TypeVar("Entry")
Result = TypeVar("Result")


class Registry(Mapping[str, Entry], Generic[Entry]):
    """The announcements of all subjects on a floor under one constant, by name."""

    def __init__(self, floor: Floor, constant: str) -> None:
        self._floor = floor
        self._constant = next(known for known in floor.constants if known.name == constant)

    @property
    def targets(self) -> dict[str, str]:
        """The mapping ``{name: "module" or "module:attribute"}``."""
        return {name: target for name, (target, _) in self._announced.items()}

    def folders(self) -> list[Path]:
        """Return the folders of the subjects of this distribution that announce an entry, in their order."""
        owners = dict.fromkeys(subject for _, subject in self._announced.values())
        return [subject.folder for subject in owners if subject.folder is not None]

    def folder(self, name: str) -> Path | None:
        """Return the folder of the subject that announces an entry; None for an unknown entry, or one of a guest."""
        return self._announced[name][1].folder if name in self else None

    def each(self, look: Callable[[str], Result]) -> Iterator[tuple[str, Result]]:
        """Yield every name with what ``look`` returns for it; a guest's name for which it raises is left out."""
        for name in self:
            try:
                with self.visit(name, LISTING):
                    result = look(name)
            except GuestError as error:
                leave_out(error)
            else:
                yield name, result

    def visit(self, name: str, seconds: float | None = None) -> AbstractContextManager[None]:
        """Return a context for the code of an entry, see :meth:`closedform.subjects.Subject.visit`."""
        target, subject = self._announced[name]
        return subject.visit(f"{self._constant.kind} {name!r}", target.partition(":")[0], seconds)

    def __getitem__(self, name: str) -> Entry:
        if name not in self._announced:
            raise UnknownNameError(
                f"no {self._constant.kind} {name!r}; there are {', '.join(self)}"
            )
        target, subject = self._announced[name]
        with self.visit(name):
            entry: Entry = load(target)
            for attribute in self._constant.has if subject.is_guest else ():
                if not hasattr(entry, attribute):
                    raise TypeError(
                        f"{target}: got {type(entry).__name__}, needs the attribute {attribute!r}"
                    )
        return entry

    def __contains__(self, name: object) -> bool:
        return name in self._announced

    def __iter__(self) -> Iterator[str]:
        return iter(self._announced)

    def __len__(self) -> int:
        return len(self._announced)

    def __repr__(self) -> str:
        return f"<{len(self)} {self._constant.name.lower()}: {', '.join(self)}>"

    @property
    def _announced(self) -> Mapping[str, tuple[str, Subject]]:
        return announced(self._floor, self._constant.name)
