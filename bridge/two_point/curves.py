"""Colours, symbols and legends of the curves of the two-point theory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bridge.plots import style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LOOKS = {
    "dh2": (style.BLUE, r"$\|dh\|^2$"),
    "dy2": (style.ORANGE, r"$\|dy\|^2$"),
    "w": (style.PURPLE, r"$w$"),
}  # colour and label of each curve
LOSS = style.TEAL


def legend(figure: Figure, *, loss: bool = False) -> None:
    """Draw one legend above all panels: the three curves, the loss where it is drawn, and the theory."""
    style.legend(figure, [*handles(), *([_loss_handle()] if loss else []), style.theory_handle()])


def legend_of_losses(figure: Figure) -> None:
    """Draw one legend above panels that show only losses."""
    style.legend(figure, [_loss_handle(), style.theory_handle("theory, Eq. (9)")])


def handles() -> list[Any]:
    """Return the legend entries of the three curves."""
    return [style.entry(label, color=colour) for colour, label in LOOKS.values()]


def _loss_handle() -> Any:
    return style.entry("training loss", color=LOSS)
