r"""The letters of Appendices D to G and of their programs.

Averages are written with undefined functions: ``E(phi1(z)**2 * w(mu))`` is :math:`\mathbb{E}[\phi'(z)^2 w_\mu]`.
"""

from __future__ import annotations

from dataclasses import replace

import sympy as sp

from theory.papers.zavatoneveth2023.paper import PAPER

_X, _Y, _XA = r"\mathbf{x}", r"\mathbf{y}", r"\mathbf{x}_a"
LETTERS = {
    "E": r"\mathbb{E}\left[#1\right]",
    "E_u": r"\mathbb{E}_u\left[#1\right]",
    **{f"phi{order}": rf"\phi{primes}\left(#1\right)" for order, primes in enumerate(("", "'", "''", "'''", "''''"))},
    "w": "w_{#1}",
    "x": "x_{#1}",
    "norm2": rf"\|{_X}\|^2",
    "norm": rf"\|{_X}\|",
    "norm_a": rf"\|{_XA}\|",
    "inner": rf"{_X} \cdot {_Y}",
    "inner_a": rf"{_XA} \cdot {_X}",
    "z_x": rf"\mathbf{{w}} \cdot {_X} + b",
    "z_y": rf"\mathbf{{w}} \cdot {_Y} + b",
    "z_xj": rf"\mathbf{{w}}_{{#1}} \cdot {_X} + b_{{#1}}",
    "z_yj": rf"\mathbf{{w}}_{{#1}} \cdot {_Y} + b_{{#1}}",
    "v": "v_{#1}",
    "theta_e": rf"\Theta_e({_X}, {_Y})",
    "theta": rf"\Theta({_X}, {_Y})",
    "theta_xx": rf"\frac{{\partial^2}}{{\partial x_\mu \partial x_\nu}} \Theta({_X}, {_X})",
    "theta_yy": rf"\frac{{\partial^2}}{{\partial y_\mu \partial y_\nu}} \Theta({_X}, {_Y})",
    "theta_yy_at_x": rf"\left[\frac{{\partial^2}}{{\partial y_\mu \partial y_\nu}} \Theta({_X}, {_Y})"
    rf"\right]_{{{_Y} = {_X}}}",
    "hess_x": r"\frac{\partial^2}{\partial x_\mu \partial x_\nu}\left[#1\right]",
    "hess_y": r"\frac{\partial^2}{\partial y_\mu \partial y_\nu}\left[#1\right]",
    "d_x": r"\frac{\partial}{\partial x_\nu}\left[#1\right]",
    "d_y": r"\frac{\partial}{\partial y_\nu}\left[#1\right]",
    "d_r": rf"\frac{{d}}{{d\|{_X}\|^2}}\left[#1\right]",
    "hess_y_at_x": r"\left[\frac{\partial^2}{\partial y_\mu \partial y_\nu} #1\right]_{\mathbf{y} = \mathbf{x}}",
    "d_v": rf"\frac{{d}}{{d(\sigma^2 \|{_X}\|^2)}}\left[#1\right]",
    "psi": rf"\psi(\|{_X}\|^2)",
    "psi_slope": rf"\psi'(\|{_X}\|^2)",
    "g": r"g_{\mu\nu}",
    "contraction": r"\bar g^{\mu\nu} h_{\mu\nu}",
    "det_g": r"\det g",
    "det_background": r"\det \bar g",
    "g_bar": r"\bar g_{\mu\nu}",
    "g_mean": r"\langle g_{\mu\nu} \rangle",
    "Psi": r"\Psi_{#1 #2}",
    "cov": rf"\mathrm{{cov}}_W[K({_X}_{{#1}}, {_X}_{{#2}}), g_{{\mu\nu}}]",
    "cov_aa": rf"\mathrm{{cov}}_W[K({_XA}, {_XA}), g_{{\mu\nu}}]",
    "k_ab": rf"\bar k({_XA}, {_X}_b)",
    "k_aa": rf"\bar k({_XA}, {_XA})",
    "y_a": "y_a",
    "volume": r"\left\langle\sqrt{\det g}\right\rangle",
    "background": r"\sqrt{\det \bar g}",
    "untrained": r"\mathbb{E}_W\left[\sqrt{\det g}\right]",
    "root_of_mean": r"\sqrt{\det \langle g \rangle}",
    "chi": r"\chi",
    "chi_rho": r"\chi(\rho^2)",
    "chi_at": r"\chi(\rho = #1)",
    "chi_of": r"\chi\left(#1\right)",
    "g_inverse": r"\bar g^{\mu\nu}",
    "g_inverse_g": r"\bar g^{\mu\nu} \bar g_{\mu\nu}",
    "Omega": rf"\Omega(\|{_X}\|^2)",
    "Omega_slope": rf"\Omega'(\|{_X}\|^2)",
    "z_a": "z_a",
    "z_b": "z_b",
    "u_a": "u_a",
    "F": r"{}_2F_1\left(#1, #2; #3; #4\right)",
    "output_square": rf"\mathbb{{E}}_{{W,V}}\left[f({_XA})^2\right]",
    "metric": "g_{#1 #2}",
    "h": r"h\left(#1\right)",
    "h_slope": r"h'\left(#1\right)",
    "mahalanobis": rf"({_X} - {_Y})^\top \mathbf{{M}} ({_X} - {_Y})",
    "M": r"\mathbf{M}_{#1 #2}",
    "root_M": r"(\mathbf{M}^{1/2})_{#1 #2}",
    "k_xx": rf"k({_X}, {_X})",
    "k_xy": rf"k({_X}, {_Y})",
    "k_M_xx": rf"k(\mathbf{{M}}^{{1/2}} {_X}, \mathbf{{M}}^{{1/2}} {_X})",
    "k_M_xy": rf"k(\mathbf{{M}}^{{1/2}} {_X}, \mathbf{{M}}^{{1/2}} {_Y})",
    "g_M": r"(g_{\mathbf{M}})_{\mu\nu}",
    "det_g_M": r"\det g_{\mathbf{M}}",
    "det_M": r"\det \mathbf{M}",
    "K_XX": r"\mathbf{K}_{XX}",
    "K_XX1": r"\mathbf{K}_{XX'}",
    "K_X1X": r"\mathbf{K}_{X'X}",
    "K_X1X1": r"\mathbf{K}_{X'X'}",
    "Z": r"\mathbf{Z}",
    **{f"Z_{index}": rf"\mathbf{{Z}}_{{{index}}}" for index in (11, 12, 21, 22)},
    "K_tilde_root": r"\tilde{\mathbf{K}}^{-1/2}",
    "K_Gamma": r"\mathbf{K}_\Gamma",
    "K_kept": r"\mathbf{K}_\Gamma^{\leq d}",
    "K_kept_inverse": r"(\mathbf{K}_\Gamma^{\leq d})^+",
    "U": r"\mathbf{U}",
    "inverse_eigenvalues": r"\mathrm{diag}(1/\gamma_1, \ldots, 1/\gamma_d, 0, \ldots, 0)",
    "Q": r"\mathbf{Q}",
    "k_ss": rf"k_{{ss}}({_X}, {_Y})",
    "k_ss_xx": rf"k_{{ss}}({_X}, {_X})",
    "g_ss": r"(g_{ss})_{\mu\nu}",
    "K_x": r"\begin{pmatrix} \mathbf{K}_{\mathbf{x}X} \\ \mathbf{K}_{\mathbf{x}X'} \end{pmatrix}",
    "K_y": r"\begin{pmatrix} \mathbf{K}_{\mathbf{y}X} \\ \mathbf{K}_{\mathbf{y}X'} \end{pmatrix}",
    "K_mu": r"\begin{pmatrix} \partial_\mu \mathbf{K}_{\mathbf{x}X} \\ \partial_\mu \mathbf{K}_{\mathbf{x}X'} "
    r"\end{pmatrix}",
    "K_nu": r"\begin{pmatrix} \partial_\nu \mathbf{K}_{\mathbf{x}X} \\ \partial_\nu \mathbf{K}_{\mathbf{x}X'} "
    r"\end{pmatrix}",
    "plane": r"\mathbf{y}(#1, #2, #3)",
    "x_n": r"\mathbf{x}_{#1}",
    "singular_value": "s_{#1}",
}
entry = replace(PAPER, letters={**PAPER.letters, **LETTERS}).entry

n, d, q, sigma, xi = sp.symbols("n d q sigma xi", positive=True)
E, E_u, w, x = (sp.Function(name) for name in ("E", "E_u", "w", "x"))
phi0, phi1, phi2, phi3, phi4 = (sp.Function(f"phi{order}") for order in range(5))
z, z_a = sp.symbols("z z_a", real=True)
norm2, norm, norm_a, y_a, chi = sp.symbols("norm2 norm norm_a y_a chi", positive=True)
