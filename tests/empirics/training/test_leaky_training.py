"""Tests of the training of Leaky ResNets: critical points, reproducibility bit for bit, linear geodesics."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from scipy.optimize import minimize_scalar

from empirics.data.teacher import teacher_data
from empirics.networks.leaky_resnet import initial_nets
from empirics.training import leaky_smoothing
from empirics.training.checkpoint import Checkpoint
from empirics.training.geodesic import action, geodesic
from empirics.training.leaky_objective import Objective
from empirics.training.leaky_resnet import LeakySchedule, train_leaky
from empirics.training.loop import DivergedError

CRITICAL = 1e-10  # relative residual of weights that cannot be improved in float64
HALF = 1e-7  # an optimum sought by its values is known to half their digits


def small(mesh="equidistant"):
    data = [teacher_data(s, (4, 2, 4), 20) for s in range(2)]
    x, y = (torch.stack([getattr(d, name) for d in data]) for name in ("x", "y"))
    nets = initial_nets(
        seeds=[0, 1], depth=[2.0, 3.0], inputs=4, outputs=4, width=8, layers=5, mesh=mesh
    )
    return Objective(nets, x, y, torch.tensor([0.05, 0.05], dtype=torch.float64))


@pytest.mark.parametrize(
    "polish",
    [
        "lbfgs",
        *(
            pytest.param(p, marks=pytest.mark.slow)
            for p in ("smoothed", "sgd", "gauss_newton", "newton")
        ),
    ],
)
def test_same_bit_for_bit_also_when_continued(polish, tmp_path, monkeypatch):
    monkeypatch.setattr(leaky_smoothing, "NEWTON", 30)  # from step 90 on
    plan = LeakySchedule(adam=60, polishing=60, polish=polish, mesh_every=10, record_every=20)
    whole = train_leaky(small("adaptive"), plan, progress=False)

    class CutOff(Checkpoint):
        """Stops the run at the second state that it saves."""

        def due(self) -> bool:
            return True

        def save(self, state):
            super().save(state)
            if state["step"] >= stop:
                raise KeyboardInterrupt

    for stop in (40, 80, *([100] if polish == "newton" else [])):  # while Adam runs, and after it
        file = CutOff(tmp_path / f"{polish}{stop}", "key")
        with pytest.raises(KeyboardInterrupt):
            train_leaky(small("adaptive"), plan, progress=False, checkpoint=file)
        kept = Checkpoint(file.path, "key")
        continued = train_leaky(small("adaptive"), plan, progress=False, checkpoint=kept)
        assert torch.equal(continued.nets.weights, whole.nets.weights)
        assert torch.equal(continued.nets.rho, whole.nets.rho)
        np.testing.assert_array_equal(continued.residual, whole.residual)


def test_lowers_the_cost_and_adapts_the_mesh():
    plan = LeakySchedule(adam=200, polishing=100, mesh_every=10)
    done = train_leaky(small("adaptive"), plan, progress=False)
    total = done.cost + done.penalty
    assert bool((total[-1] < 0.3 * total[0]).all())
    assert float(done.nets.rho.max() / done.nets.rho.min()) > 1.5
    np.testing.assert_allclose(done.nets.rho.sum(1), 1, rtol=1e-12)
    fixed = train_leaky(small(), LeakySchedule(adam=20, polishing=5, mesh_every=0), progress=False)
    assert float(fixed.nets.rho.max() / fixed.nets.rho.min()) == 1


@pytest.mark.slow
def test_smoothing_reaches_minima_on_kinks():
    """L-BFGS on the ReLU itself stays far from a critical point; both networks are the same at the start."""
    plan = LeakySchedule(adam=200, polishing=800)
    plain = train_leaky(small(), plan, progress=False)
    smooth = train_leaky(small(), replace(plan, polish="smoothed"), progress=False)
    curved = train_leaky(small(), replace(plan, polish="gauss_newton"), progress=False)
    assert float(curved.smoothed_residual.max()) <= leaky_smoothing.CRITICAL
    assert int(curved.steps[-1]) < int(smooth.steps[-1])
    assert plain.smoothed_residual is None
    assert float(smooth.smoothed_residual.max()) <= leaky_smoothing.CRITICAL
    assert int(smooth.steps[-1]) < 1000  # both are critical before the steps are used up
    total, other, rival = ((t.cost + t.penalty)[-1] for t in (smooth, curved, plain))
    for reached in (total, other):
        assert bool((reached <= rival * (1 + leaky_smoothing.WIDTHS[-1])).all())


@pytest.mark.slow
def test_newton_steps_lower_the_gradient_and_not_the_widths():
    plan = LeakySchedule(adam=100, polishing=200, polish="smoothed")
    smooth = train_leaky(small(), plan, progress=False)
    longer = replace(plan, polishing=plan.polishing + leaky_smoothing.NEWTON, polish="newton")
    refined = train_leaky(small(), longer, progress=False)
    assert torch.equal(refined.smoothing, smooth.smoothing)
    assert bool((refined.smoothed_residual < smooth.smoothed_residual / 2).all())


def test_divergence_is_told():
    with pytest.raises(DivergedError):
        train_leaky(
            small(), LeakySchedule(adam=400, rate=1e80, polish="sgd", polishing=0), progress=False
        )


def linear_problem(layers):
    """Three modes, targets 2, 1, 0.5 on white inputs; input and output map aligned, so the modes stay apart."""
    stream = torch.Generator().manual_seed(0)
    x = torch.linalg.qr(torch.randn(12, 3, generator=stream, dtype=torch.float64)).Q.T * np.sqrt(
        12
    )
    target = torch.tensor([2.0, 1.0, 0.5], dtype=torch.float64)
    nets = initial_nets(
        seeds=[0],
        depth=DEPTH,
        inputs=3,
        outputs=3,
        width=4,
        layers=layers,
        bias=False,
        linear=True,
        gain=0.5,
    )
    nets.output_map[:] = nets.input_map.mT
    return Objective(
        nets, x[None], target[None, :, None] * x[None], torch.tensor([DECAY], dtype=torch.float64)
    ), x


DEPTH, DECAY = 3.0, 0.05


def squared_weights(target, layers=None):
    r"""The optimal mode: :math:`s_p = e^{rp}`, weight L̃ + r; in L layers :math:`\tilde L + L(e^{r/L} - 1)` in each."""

    def weight(r):
        return DEPTH + (r if layers is None else layers * np.expm1(r / layers))

    def cost(r):
        return (target - np.exp(r)) ** 2 + DECAY / (2 * DEPTH) * weight(r) ** 2

    best = minimize_scalar(cost, bounds=(-2, 2), method="bounded", options={"xatol": 1e-12}).x
    return weight(best) ** 2


@pytest.mark.slow
def test_linear_nets_converge_to_the_geodesic_at_first_order():
    """Each net sits on the discrete optimum to rounding, and that nears the continuous one like 1/L."""
    errors, sizes = [], (4, 8)
    continuous = sum(squared_weights(t) for t in (2.0, 1.0, 0.5))
    for layers in sizes:
        o, _ = linear_problem(layers)
        done = train_leaky(o, LeakySchedule(adam=100, rate=0.02, polishing=500), progress=False)
        norm = float((done.nets.rho[:, :, None, None] * done.nets.weights**2).sum())
        assert float(done.residual[-1, 0]) < 1e-7
        assert norm == pytest.approx(
            sum(squared_weights(t, layers) for t in (2.0, 1.0, 0.5)), rel=HALF
        )
        errors.append(norm - continuous)
    order = -np.diff(np.log(errors)) / np.log(2)
    np.testing.assert_allclose(order, 1, atol=0.01)


@pytest.mark.slow
@pytest.mark.parametrize("bias", [True, False])
def test_trained_net_lies_on_the_geodesic_between_its_ends(bias, rng):
    """Solved for the path alone, without weights; started away from the net's own path."""
    x, y = (torch.from_numpy(rng.uniform(0.2, 1.2, size=(3, 2))) for _ in range(2))
    nets = initial_nets(
        seeds=[1],
        depth=2.0,
        inputs=3,
        outputs=3,
        width=3,
        layers=8,
        bias=bias,
        gain=0.3,
        mesh="irregular",
    )
    nets.input_map[0] = nets.output_map[0] = torch.eye(3, dtype=torch.float64)
    o = Objective(nets, x[None], y[None], torch.tensor([0.02], dtype=torch.float64))
    done = train_leaky(o, LeakySchedule(adam=200, rate=0.03, polishing=400), progress=False)
    assert float(done.residual[-1, 0]) < CRITICAL
    path, rho = done.nets.path(x[None])[0], done.nets.rho[0]
    norm = float((rho[:, None, None] * done.nets.weights[0] ** 2).sum()) / (2 * 2.0)
    assert float(action(path, rho, 2.0, bias=bias)) == pytest.approx(norm, rel=1e-10)
    bent = torch.cat([path[:1], path[1:-1] * 1.05, path[-1:]])
    found = geodesic(bent, 2.0, rho=rho, bias=bias)
    assert float(action(bent, rho, 2.0, bias=bias)) > norm * 1.0001
    assert found.action == pytest.approx(norm, rel=1e-9)
    np.testing.assert_allclose(found.path, path, atol=1e-6)


def test_midpoint_geodesic_of_a_linear_mode_is_second_order():
    """One mode from 1 to 2: S = (L̃ + ln 2)²/(2 L̃) in the continuum."""
    exact = (2 + np.log(2)) ** 2 / 4
    errors = []
    for layers in (8, 16, 32):
        start = torch.linspace(1, 2, layers + 1, dtype=torch.float64)[:, None, None]
        found = geodesic(start, 2.0, bias=False, linear=True, scheme="midpoint")
        errors.append(abs(found.action - exact))
    np.testing.assert_allclose(-np.diff(np.log2(errors)), 2, atol=0.02)


@pytest.mark.parametrize("points", [2, 3])
def test_points_that_coincide_to_rounding_have_no_geodesic(points, rng):
    """Whatever a processor makes of the last bits: exact copies, copies a few spacings apart, scaled and permuted."""
    one = torch.from_numpy(rng.uniform(0.2, 1.2, size=(6, 4, 1)))
    others = torch.from_numpy(rng.uniform(0.2, 1.2, size=(6, 4, points - 1)))
    path = torch.cat([one, others], dim=2)
    for moved in (-3, -1, 0, 1, 3):
        path[:, :, -1] = one[:, :, 0] * (1 + moved * torch.finfo(torch.float64).eps)
        for variant in (path, 3 * path, path[:, torch.randperm(4)], path.flip(2)):
            for bias in (True, False):
                assert float(action(variant, torch.full((5,), 0.2), 2.0, bias=bias)) == float(
                    "inf"
                )
                with pytest.raises(ValueError, match="does not have full column rank"):
                    geodesic(variant, 2.0, bias=bias)


def test_size_of_a_point_does_not_decide_its_independence(rng):
    r"""Without a bias the units of the points cancel: :math:`\|M D (S D)^{-1}\| = \|M S^{-1}\|` for a diagonal D."""
    path = torch.from_numpy(rng.uniform(0.2, 1.2, size=(6, 4, 3)))
    units = torch.tensor([1e-9, 1.0, 1e6], dtype=torch.float64)
    rho = torch.full((5,), 0.2)
    expected = float(action(path, rho, 2.0, bias=False))
    assert float(action(path * units, rho, 2.0, bias=False)) == pytest.approx(expected, rel=1e-9)


def test_geodesic_refuses_what_it_cannot_do():
    path = torch.ones(4, 2, 2, dtype=torch.float64)
    with pytest.raises(ValueError, match="does not have full column rank"):
        geodesic(path, 2.0)
    with pytest.raises(ValueError, match="points, needs at most 2"):
        geodesic(torch.ones(4, 2, 3), 2.0, bias=False)
    with pytest.raises(ValueError, match="depth: got 0"):
        geodesic(path, 0)
    with pytest.raises(ValueError, match="scheme: got 'heun'"):
        geodesic(path, 1.0, scheme="heun")
    with pytest.raises(ValueError, match="at least three nodes"):
        geodesic(path[:2], 1.0)
