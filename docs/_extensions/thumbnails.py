"""Small pictures of the gallery: the first panel of a picture, which stays legible where the whole would not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from bridge.results import record
from empirics.experiments import STUDIES

WIDTH = 480  # of a small picture, pixels
PAPER = 250  # shade of grey from which on a pixel is background
GUTTER = 2  # blank pixels between two parts of a picture
PANEL = 0.1  # of the width of the picture: the smallest panel; smaller parts are titles and labels
CLOSE = 0.02  # of the width of the picture: the largest distance from a panel to the labels of its axis
RIBBON = 2.5  # width over height of a panel, from which on it is shown with those below it
MARGIN = 6  # pixels around a panel


def draw_thumbnails(results: Path, directory: Path) -> None:
    """Draw the first picture of every recorded study small, unless that is done already.

    Args:
        results: folder with a folder of pictures for each study.
        directory: folder of the small pictures.
    """
    directory.mkdir(parents=True, exist_ok=True)
    for study in STUDIES:
        for result in record.every(study):
            source = results / result.name / f"{next(iter(result.pictures), '')}.webp"
            target = directory / f"{result.name}.png"
            if source.is_file() and not (
                target.is_file() and target.stat().st_mtime >= source.stat().st_mtime
            ):
                with Image.open(source) as picture:
                    image = first_panel(picture.convert("RGB"))
                image.thumbnail((WIDTH, WIDTH))
                image.quantize(64).save(target, optimize=True)


def first_panel(image: Image.Image) -> Image.Image:
    """Return the panel at the upper left with the labels of its axes; the whole picture if it has no panel."""
    ink = np.asarray(image.convert("L")) < PAPER
    width = ink.shape[1]
    rows = _parts(ink.any(axis=1))
    first = _first_large(rows, PANEL * width)
    if first is None:
        return image
    top, bottom = rows[first]
    for start, end in rows[first + 1 : first + 2]:  # the numbers below the axis
        if start - bottom < CLOSE * width and end - start < PANEL * width:
            bottom = end
    columns = _parts(ink[top:bottom].any(axis=0))
    first = _first_large(columns, PANEL * width)
    if first is None:
        return image
    near = int(CLOSE * width)
    beyond = ink[max(0, top - near) : top].any(axis=0) | ink[bottom : bottom + near].any(axis=0)
    # labels of this panel alone
    whole = [start for start, end in columns[:first] if not beyond[start:end].any()]
    left, right = min([*whole, columns[first][0]]), columns[first][1]
    for _, end in rows:  # further rows under a panel that alone would be a ribbon
        if right - left > RIBBON * (bottom - top):
            bottom = max(bottom, end)
    box = (left - MARGIN, top - MARGIN, right + MARGIN, bottom + MARGIN)
    return image.crop(
        (max(0, box[0]), max(0, box[1]), min(width, box[2]), min(ink.shape[0], box[3]))
    )


def _parts(has_ink: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return start and end of the parts along one side that blank pixels separate."""
    places = np.flatnonzero(has_ink)
    parts = np.split(places, np.flatnonzero(np.diff(places) > GUTTER) + 1)
    return [(int(part[0]), int(part[-1]) + 1) for part in parts if part.size]


def _first_large(parts: list[tuple[int, int]], least: float) -> int | None:
    return next((index for index, (start, end) in enumerate(parts) if end - start >= least), None)
