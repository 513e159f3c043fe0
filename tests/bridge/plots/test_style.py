"""Tests of the style of figures: colours, SVG and saved files."""

import re
import xml.etree.ElementTree as ET

import matplotlib
import numpy as np
import pytest

from bridge.plots import style


def drawn():
    """Return a figure with a curve, mathematics and a legend."""
    with style.context():
        figure, axes = style.grid(1, 2)
        axes[0, 0].plot([0, 1], [0, 1], color=style.BLUE)
        axes[0, 0].set_title(r"$\|dh\|^2$ & <b>")
        style.legend(figure, [style.theory_handle()])
    return figure


@pytest.fixture
def figure():
    return drawn()


@pytest.fixture(scope="module")
def markup():
    return style.svg(drawn())


def test_svg_takes_the_colour_of_the_page(markup):
    assert ET.fromstring(markup).tag == "svg"
    assert "currentColor" in markup
    assert style.INK not in markup
    assert style.BLUE in markup


def test_svg_fetches_nothing(markup):
    assert not re.search(r"https?:|<script|<image|@import|xlink", markup)
    references = re.findall(r'(?:href="|url\()([^")]+)', markup)
    assert references
    ids = set(re.findall(r'id="([^"]+)"', markup))
    assert {each.lstrip("#") for each in references} <= ids


def test_the_same_figure_gives_the_same_bytes_and_matplotlib_is_left_as_it_was(figure, markup):
    before = dict(matplotlib.rcParams)
    assert style.svg(figure) == markup
    assert dict(matplotlib.rcParams) == before


def test_ticks_of_linear_axes_are_plain_numbers():
    with style.context():
        figure, ((linear, tiny, log, named),) = style.grid(1, 4)
        linear.plot([-1, 1], [0, 1])
        tiny.plot([0, 1], [0, 1e-7])
        log.loglog([1, 100], [1, 100])
        named.bar(["a", "b"], [1, 2])
        figure.draw_without_rendering()
    assert {"−1", "1"} <= {label.get_text() for label in linear.get_xticklabels()}
    assert "$" not in "".join(label.get_text() for label in tiny.get_yticklabels())
    assert (
        tiny.yaxis.get_offset_text().get_text() == r"$\times\mathdefault{10^{−7}}\mathdefault{}$"
    )
    assert r"$\mathdefault{10^{1}}$" in {label.get_text() for label in log.get_xticklabels()}
    assert [label.get_text() for label in named.get_xticklabels()] == ["a", "b"]


def test_a_second_group_of_the_legend_has_a_row_of_its_own_where_one_is_too_narrow():
    layers, splits = (
        [style.entry(name) for name in names]
        for names in (("images", "layer 1", "layer 2"), ("train", "test"))
    )
    for columns, wide, texts in (
        (1, 9.0, ["images", "layer 1", "layer 2", "train", "test"]),
        (2, 2.0, ["images", "train", "layer 1", "test", "layer 2", ""]),  # filled column by column
    ):
        with style.context():
            figure, _ = style.grid(1, columns, size=(wide / columns, 1.0))
            style.legend(figure, layers, splits)
        (drawn,) = figure.legends
        assert [text.get_text() for text in drawn.get_texts()] == texts


@pytest.mark.parametrize("suffix", ["png", "svg", "webp"])
def test_save_writes_on_white(figure, tmp_path, suffix, monkeypatch):
    monkeypatch.setattr(style, "RESOLUTION", 40)  # WebP takes a second at the usual one
    path = style.save(figure, tmp_path / "new" / f"figure.{suffix}")
    head = path.read_bytes()[:200]
    assert head.startswith({"png": b"\x89PNG", "svg": b"<?xml", "webp": b"RIFF"}[suffix])


@pytest.mark.slow
@pytest.mark.parametrize("is_shaded", [False, True])
def test_webp_reduces_the_colours_of_lines_and_keeps_those_of_shading(is_shaded, figure, tmp_path):
    from PIL import Image

    if is_shaded:
        y, x = np.mgrid[0:64, 0:64] / 63
        figure.axes[1].imshow(np.stack([x, y, 1 - x * y], axis=-1), interpolation="bilinear")
    png, webp = (
        Image.open(style.save(figure, tmp_path / f"f.{suffix}")).convert("RGB")
        for suffix in ("png", "webp")
    )
    assert (webp.tobytes() == png.tobytes()) == is_shaded
    assert (webp.getcolors(style.PALETTE) is None) == is_shaded
    assert np.abs(np.asarray(webp, float) - np.asarray(png, float)).mean() < style.SHADING


@pytest.mark.parametrize("name", ["figure.jpg", "figure", "figure.PNG.txt"])
def test_save_refuses_other_formats(figure, tmp_path, name):
    with pytest.raises(ValueError, match="path: "):
        style.save(figure, tmp_path / name)


# Machado, Oliveira & Fernandes (2009), severity 1.0; they act on linear RGB.
EYES = {
    "normal": np.eye(3),
    "protan": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deutan": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritan": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.119192, 0.9503041],
    ]
)
WHITE = np.array([0.95047, 1.0, 1.08883])


def linear(colour):
    channels = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def lab(rgb):
    x, y, z = np.cbrt(np.clip(rgb, 0, 1) @ XYZ.T / WHITE)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("eye", EYES)
def test_curves_stay_apart_for_every_eye(eye):
    seen = [lab(np.array(EYES[eye]) @ linear(colour)) for colour in style.COLOURS[:3]]
    gaps = [np.linalg.norm(seen[i] - seen[j]) for i in range(3) for j in range(i)]
    # a difference of 2.3 is just noticeable side by side; thin lines apart need far more
    assert min(gaps) > 40


@pytest.mark.parametrize("colour", style.COLOURS)
@pytest.mark.parametrize("page", ["#ffffff", "#15171a"])
def test_curves_stand_out_from_a_white_and_a_dark_page(colour, page):
    light, dark = sorted((float((XYZ @ linear(each))[1]) for each in (colour, page)), reverse=True)
    assert (light + 0.05) / (dark + 0.05) >= 3  # the contrast that the WCAG asks of graphics


def test_lines_of_a_text_are_mathematics_one_by_one(figure, caplog):
    good = figure.text(0.1, 0.1, "$x^2$ of\n$\\tau_h$")
    bad = figure.text(0.1, 0.5, "$x^2$ of\n$\\frac{$")
    style.svg(figure)
    assert good.get_parse_math()
    assert not bad.get_parse_math()
    assert not caplog.records  # no word about a newline that no font has
