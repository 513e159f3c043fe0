"""Configuration of the documentation site, whose pages load nothing from the network: no CDN, no web font."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import closedform

DOCS = Path(__file__).parent
sys.path[:0] = [str(DOCS / "_extensions"), str(DOCS.parent)]
# read when sympy is imported; as the command line has it
os.environ.setdefault("SYMPY_CACHE_SIZE", "50000")

project = "closedform"
author = "closedform contributors"
copyright = "2026, closedform contributors"
version = release = closedform.version()

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "maths_as_svg",
    "explorers",
    "pages_from_code",
]
exclude_patterns = ["_build", "_extensions"]
nb_execution_mode = "off" if tags.has("pages") else "cache"  # noqa: F821  (sphinx defines it)
nb_execution_cache_path = str(DOCS / "_build" / "executed")
nb_execution_timeout = 600  # seconds for one cell
nb_execution_raise_on_error = True
nb_execution_in_temp = True  # what a page writes is not left in the repository
nb_merge_streams = True
myst_enable_extensions = ["dollarmath", "amsmath", "deflist", "colon_fence"]
myst_heading_anchors = 3
nitpicky = False

toc_object_entries = False  # the navigation lists pages and sections; each page copies it

# navigation on each page and the links of types take two fifths of sphinx's time
html_theme = "basic" if tags.has("pages") else "furo"  # noqa: F821
html_title = "closedform"
html_math_renderer = "svg"
html_static_path = ["_static"]
html_css_files = ["formulas.css"]
html_show_sourcelink = False
html_use_index = False  # an index of every attribute has a megabyte; the search finds the same
html_theme_options = {} if tags.has("pages") else {"navigation_with_keys": True}  # noqa: F821

# of extras that the site does not install
autodoc_mock_imports = ["gpytorch", "jax", "lightning", "transformers"]
autodoc_typehints = "none" if tags.has("pages") else "description"  # noqa: F821
autodoc_type_aliases = {"ArrayLike": "ArrayLike", "NDArray": "NDArray"}
autodoc_member_order = "bysource"
# each name once, where it is defined
autodoc_default_options = {"members": True, "ignore-module-all": True}
napoleon_google_docstring = True
napoleon_numpy_docstring = False
# an attribute that is described in the class and at the field is listed once
napoleon_use_ivar = True
suppress_warnings = ["ref.python"]  # a name of two classes is linked to the nearest one
