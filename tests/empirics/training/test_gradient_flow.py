"""Tests that small steps follow the gradient flow, integrated by scipy with explicit gradients of a linear network."""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp

from empirics import networks
from empirics.experiments import two_point

TIME = 4.0  # learning_rate x epochs
WIDTH = 6


def flow(parameters, x, y, time):
    """State of the linear net f(x) = W2 (W1 x + b1) + b2 at ``time`` under dθ/dt = -grad ½ mean |f - y|²."""
    (w1, b1), (w2, b2) = [(w[0].numpy(), b[0, 0].numpy()) for w, b in parameters]
    shapes = [w1.shape, b1.shape, w2.shape, b2.shape]
    edges = np.cumsum([0, *[int(np.prod(s)) for s in shapes]])

    def split(theta):
        return [
            theta[a:b].reshape(s) for a, b, s in zip(edges[:-1], edges[1:], shapes, strict=True)
        ]

    def slope(_, theta):
        w1, b1, w2, b2 = split(theta)
        h = x @ w1 + b1
        error = (h @ w2 + b2 - y) / len(x)
        back = error @ w2.T
        return -np.concatenate(
            [g.ravel() for g in (x.T @ back, back.sum(0), h.T @ error, error.sum(0))]
        )

    start = np.concatenate([w1.ravel(), b1, w2.ravel(), b2])
    end = solve_ivp(slope, (0, time), start, method="DOP853", rtol=1e-11, atol=1e-13).y[:, -1]
    return split(end)


def test_error_halves_with_the_step():
    errors = []
    for epochs in (400, 800, 1600):
        c = two_point.Config(
            activation="linear", depth=1, width=WIDTH, seeds=1, dtype="float64", epochs=epochs,
            learning_rate=TIME / epochs, inputs=2, outputs=2,
        )  # fmt: skip
        x, y = (tensor.numpy() for tensor in c.data())
        start = networks.initial_weights(c.network(), c.gain, c.seed_numbers)
        w1, b1, w2, _ = flow(start, x, y, TIME)
        h = x @ w1 + b1
        dh, dy = h[1] - h[0], (h[1] - h[0]) @ w2
        end = two_point.run(c, progress=False).isel(seed=0, step=-1)
        expected = [dh @ dh, dy @ dy, dy @ dy - dy @ (y[1] - y[0])]
        measured = [float(end.dh2[0]), float(end.dy2), float(end.w)]
        errors.append(np.abs(np.subtract(measured, expected)))
    ratios = np.array(errors[:-1]) / np.array(errors[1:])
    assert (np.array(errors[0]) < 0.02).all()
    # first order: the error of Euler's method halves
    assert ((ratios > 1.9) & (ratios < 2.1)).all(), ratios


def test_balance_of_the_layers_is_conserved_to_first_order():
    """W1'ᵀW1' - W2 W2ᵀ, biases included in W1', stands still under the flow; an Euler step changes it by rate²."""
    drifts = []
    for epochs in (400, 800):
        c = two_point.Config(
            activation="linear",
            depth=1,
            width=WIDTH,
            seeds=1,
            dtype="float64",
            epochs=epochs,
            learning_rate=TIME / epochs,
        )
        trainer = two_point.trainer(c)

        def balance(trainer=trainer):
            (w1, b1), (w2, _) = trainer.parameters
            return w1[0].T @ w1[0] + b1[0].T @ b1[0] - w2[0] @ w2[0].T

        before = balance()
        for _ in range(epochs):
            trainer.observe()
            trainer.update()
        drifts.append(float((balance() - before).abs().max()))
    assert drifts[0] < 0.05
    assert 1.8 < drifts[0] / drifts[1] < 2.2
