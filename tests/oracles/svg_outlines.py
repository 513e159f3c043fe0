"""The outlines of an SVG drawing in the coordinates of its page, after all transforms, uses and groups."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Outline = tuple[str, Array]
_NUMBER = r"-?[\d.]+(?:e-?\d+)?"
_COORDINATES = {"M": 2, "L": 2, "Q": 4, "C": 6, "Z": 0}


def outlines(markup: str, definitions: Mapping[str, str] | None = None) -> list[Outline]:
    """Return the outlines in the order in which they are drawn, with the points of each.

    Args:
        markup: one element with everything in it.
        definitions: markup of the elements to which it refers, by their ids. Default: none.

    Returns:
        For each shape, its kind with its colour and lines, and its points ``[N, 2]``. The kind of a part of a path are
        its commands, which say what each point is.

    Raises:
        ValueError: if an element, a command or a transform is not known here.
    """
    shared = {name: ET.fromstring(text) for name, text in (definitions or {}).items()}
    return [
        (kind, np.column_stack([points, np.ones(len(points))]) @ matrix[:2].T)
        for kind, points, matrix in _shapes(ET.fromstring(markup), np.eye(3), shared, {})
    ]


def _shapes(
    node: ET.Element, outer: Array, shared: Mapping[str, ET.Element], style: Mapping[str, str]
) -> Iterator[tuple[str, Array, Array]]:
    given = dict(node.attrib)
    style = {
        **style,
        **{name: given[name] for name in ("fill", "stroke", "stroke-width") if name in given},
    }
    matrix = outer @ _matrix(given.get("transform", ""))
    look = " ".join(f"{name}={value}" for name, value in sorted(style.items()))
    if node.tag in ("svg", "g"):
        for child in node:
            yield from _shapes(child, matrix, shared, style)
    elif node.tag == "use":
        moved = matrix @ _matrix(f"translate({given.get('x', 0)} {given.get('y', 0)})")
        yield from _shapes(shared[given["href"].removeprefix("#")], moved, shared, style)
    elif node.tag == "rect":
        x, y, width, height = (float(given[name]) for name in ("x", "y", "width", "height"))
        yield (
            f"rect {look}",
            np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]]),
            matrix,
        )
    elif node.tag == "path":
        for part in re.findall(r"M[^M]+", given["d"]):
            yield f"{re.sub(r'[^A-Z]', '', part)} {look}", _points(part), matrix
    else:
        raise ValueError(f"element: got {node.tag}, needs one of svg, g, use, rect, path")


def _points(path: str) -> Array:
    numbers: list[float] = []
    for command, text in re.findall(r"([A-Za-z])([^A-Za-z]*)", path):
        values = [float(value) for value in re.findall(_NUMBER, text)]
        if _COORDINATES.get(command) != len(values):
            raise ValueError(
                f"path: got the command {command}{text}, needs one of {', '.join(_COORDINATES)}"
            )
        numbers += values
    return np.array(numbers).reshape(-1, 2)


def _matrix(transform: str) -> Array:
    matrix = np.eye(3)
    for name, text in re.findall(r"(\w+)\(([^)]*)\)", transform):
        values = [float(value) for value in re.findall(_NUMBER, text)]
        if name == "translate":
            step = np.array([[1, 0, values[0]], [0, 1, values[1]], [0, 0, 1]])
        elif name == "scale" and len(values) == 1:
            step = np.diag([values[0], values[0], 1])
        else:
            raise ValueError(f"transform: got {name}({text}), needs translate(x y) or scale(s)")
        matrix = matrix @ step
    return matrix
