"""`empirics.watch`: the training is the same to the last bit, and the trace says what the measures say."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest
import torch
from torch import nn

import empirics
from empirics import measure
from empirics.sweep import store
from empirics.watching.measures import MEASURES
from empirics.watching.undisturbed import undisturbed

STEPS = 12


def classifier():
    """A network in which everything that a measurement could disturb matters: dropout and running statistics."""
    return nn.Sequential(
        nn.Linear(4, 8),
        nn.Tanh(),
        nn.Dropout(0.3),
        nn.Linear(8, 8),
        nn.BatchNorm1d(8),
        nn.Tanh(),
        nn.Linear(8, 3),
    )


class Training:
    """A training run whose batches come from three global random states."""

    def __init__(self) -> None:
        torch.manual_seed(3)
        np.random.seed(3)  # noqa: NPY002
        random.seed(3)
        self.model = classifier()
        self.inputs, self.labels = torch.randn(24, 4), torch.arange(24) % 3
        self.optimizer = torch.optim.Adam(self.model.parameters(), 1e-2)

    def run(self, steps: int, after=lambda: None) -> None:
        for _ in range(steps):
            batch = torch.randint(0, 24, (8,))
            batch = torch.cat([batch, torch.tensor([np.random.randint(24), random.randrange(24)])])  # noqa: NPY002
            self.optimizer.zero_grad()
            nn.functional.cross_entropy(
                self.model(self.inputs[batch]), self.labels[batch]
            ).backward()
            self.optimizer.step()
            after()

    def state(self) -> list[torch.Tensor]:
        return [*self.model.state_dict().values(), *(p.grad for p in self.model.parameters())]


def restless(model):
    """A measure of the user's own that draws random numbers."""
    return float(torch.rand(()) + np.random.rand() + random.random())  # noqa: NPY002


@pytest.fixture(autouse=True)
def global_random_states():
    python, numpy_state = random.getstate(), np.random.get_state()  # noqa: NPY002
    yield
    random.setstate(python)
    np.random.set_state(numpy_state)  # noqa: NPY002


def test_the_training_is_the_same_to_the_last_bit_and_the_model_is_left_as_it_was(torch):
    alone = Training()
    alone.run(STEPS)
    watched = Training()
    names = [name for name in MEASURES if name != "hamiltonian"]
    with empirics.watch(
        watched.model, watched.inputs, watched.labels, 2, [*names, restless]
    ) as run:
        watched.run(STEPS)
    for mine, its in zip(alone.state(), watched.state(), strict=True):
        assert torch.equal(mine, its)
    assert all(part.training for part in watched.model.modules())
    assert run.trace.step.values.tolist() == [0, 2, 4, 6, 8, 10, 12]


def test_the_trace_is_labelled_and_holds_what_the_measures_say(torch, tmp_path):
    training = Training()
    with empirics.watch(
        training.model, training.inputs, training.labels, every=5, points=6
    ) as run:
        training.run(STEPS)
    trace, model = run.trace, training.model.eval()
    assert trace.step.values.tolist() == [0, 5, 10, 12]
    assert trace.layer.values.tolist() == ["1", "5"]
    assert all(
        variable.attrs["long_name"] and variable.attrs["units"]
        for variable in trace.data_vars.values()
    )
    assert json.loads(trace.left_out).keys() == {"hamiltonian"}
    last = trace.isel(step=-1)
    with torch.no_grad():
        features = model[:6](training.inputs)
        outputs = model(training.inputs)
    collapse = measure.neural_collapse(
        features,
        training.labels,
        weights=model[6].weight,
        biases=model[6].bias,
        predictions=outputs.argmax(1),
    )
    for name in ("nc1", "nc2_norm", "nc2_angle", "nc3", "nc4", "nearest_centre_error"):
        assert float(last[name].sel(layer="5")) == pytest.approx(
            getattr(collapse, name), rel=1e-9
        ), name
    assert float(last.accuracy) == float((outputs.argmax(1) == training.labels).double().mean())
    some = training.inputs[trace.point.values.tolist()]
    np.testing.assert_allclose(
        last.log_volume, measure.log_volume_element(model[:6], some), rtol=1e-9
    )
    gram = measure.neural_tangent_gram(model, some)
    assert float(last.kernel_trace) == pytest.approx(float(gram.diagonal().mean()), rel=1e-9)
    before = measure.neural_tangent_gram(Training().model.eval(), some)
    cosine = float((gram * before).sum() / gram.norm() / before.norm())
    assert trace.kernel_change.values[[0, -1]] == pytest.approx([0, 1 - cosine], rel=1e-9, abs=0)
    first, second = json.loads(trace.pair)
    dh, dy = features[second] - features[first], outputs[second] - outputs[first]
    target = (
        nn.functional.one_hot(training.labels, 3)[second]
        - nn.functional.one_hot(training.labels, 3)[first]
    )
    assert float(last.dh2.sel(layer="5")) == pytest.approx(float(dh @ dh), rel=1e-9)
    assert float(last.w) == pytest.approx(float(dy @ dy - dy @ target.double()), rel=1e-9)
    assert store.save(trace, tmp_path / "run.nc").equals(trace)


@pytest.mark.parametrize("entered_first", [False, True])
def test_a_run_goes_on_from_a_checkpoint_with_the_same_trace(torch, tmp_path, entered_first):
    whole = Training()
    with empirics.watch(whole.model, whole.inputs, whole.labels, every=5) as run:
        whole.run(STEPS)
    training = Training()
    first = empirics.watch(training.model, training.inputs, training.labels, every=5)

    def interrupted():
        with first:
            training.run(7)
            torch.save(first.state_dict(), tmp_path / "watch.pt")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert first.trace.step.values.tolist() == [0, 5]
    again = empirics.watch(training.model, training.inputs, training.labels, every=5)
    state = torch.load(tmp_path / "watch.pt", weights_only=True)
    if not entered_first:
        again.load_state_dict(state)
    with again:
        if entered_first:
            again.load_state_dict(state)
        training.run(STEPS - 7)
    names = [name for name in run.trace.data_vars if "seconds" not in name]
    assert again.trace[names].equals(run.trace[names])
    with pytest.raises(ValueError, match="state: got points"):
        empirics.watch(
            training.model, training.inputs, training.labels, every=5, points=3
        ).load_state_dict(state)


def test_steps_are_those_of_the_optimizer_of_this_model(torch):
    training, other = Training(), Training()
    head = torch.optim.SGD(training.model[6].parameters(), 0.1)
    body = torch.optim.SGD(training.model[0].parameters(), 0.1)
    with empirics.watch(training.model, training.inputs, training.labels, 1, ["accuracy"]) as run:
        other.run(3)  # of another model
        for _ in range(4):  # two optimizers share the model's parameters
            training.run(1, after=lambda: (head.step(), body.step()))
            # and one replaces another
            training.optimizer = torch.optim.SGD(training.model.parameters(), 0.1)
    assert run.steps == 8  # of the two that hold the first parameter
    training.run(2)
    assert run.steps == 8  # the context has ended
    calls = empirics.watch(
        training.model, training.inputs, training.labels, 2, ["accuracy"], steps="calls"
    )
    with calls:
        training.run(5, after=calls.step)
    assert calls.trace.step.values.tolist() == [0, 2, 4, 5]
    with pytest.raises(RuntimeError, match="steps='calls'"):
        run.step()
    with (
        pytest.warns(RuntimeWarning, match="no step of a torch optimizer"),
        empirics.watch(training.model, training.inputs, training.labels),
    ):
        pass


def test_own_measures_are_described_by_their_docstring_or_name_and_may_refuse(torch):
    training = Training()

    def first_weight(model):
        """Weight that comes first.

        Nothing else."""
        return model[0].weight.flatten()[0]

    def plain(model):
        return 1.0

    def refusing(model):
        raise ValueError("too small")

    with empirics.watch(
        training.model, training.inputs, training.labels, measures=[first_weight, plain]
    ) as run:
        training.run(1)
    names = [run.trace[name].attrs["long_name"] for name in ("first_weight", "plain")]
    assert names == ["Weight that comes first.", "plain"]
    with (
        pytest.raises(ValueError, match=r"^measures: 'refusing' does not apply\. too small"),
        empirics.watch(training.model, training.inputs, measures=[refusing]),
    ):
        pass


@pytest.mark.parametrize("is_threaded", [False, True])
def test_threads_of_backward_passes_are_as_the_user_set_them(torch, is_threaded):
    model = classifier()
    with (
        torch.autograd.set_multithreading_enabled(is_threaded),
        torch.no_grad(),
        undisturbed(model),
    ):
        assert torch._C._is_multithreading_enabled() == is_threaded
        assert torch.is_grad_enabled()
    with torch.inference_mode(), undisturbed(model):
        assert not torch.is_inference_mode_enabled()
        assert torch.is_grad_enabled()


def test_a_run_is_shown_in_lines_and_panels(torch):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed (extra `bridge`)")
    training = Training()
    with empirics.watch(training.model, training.inputs, training.labels, steps="calls") as run:
        run.step()
    trace, lines = run.trace, run.summary().splitlines()
    assert lines[:2] == ["2 measurements, steps 0 to 1", f"output: {trace.attrs['output']}"]
    last = f"nc1 of {trace.layer.values[-1]}: {float(trace.nc1[0, -1]):.4g} -> {float(trace.nc1[-1, -1]):.4g}"
    assert last in lines
    figure = run.plot()
    assert {panel.get_title() for panel in figure.axes} == {
        line.split()[0].rstrip(":,") for line in lines[2:]
    }
    (panel,) = run.plot(["nc1"]).axes
    assert [list(line.get_ydata()) for line in panel.lines] == trace.nc1.values.T.tolist()
    with pytest.raises(ValueError, match="variables: got 'nc9'"):
        run.plot(["nc9"])


class OfWords(nn.Module):
    """Tokens with a mask in, several things out: a class for each token, and the mean state."""

    def __init__(self):
        super().__init__()
        self.words, self.mix, self.head = nn.Embedding(5, 6), nn.Linear(6, 6), nn.Linear(6, 4)

    def forward(self, input_ids, attention_mask):
        h = torch.tanh(self.mix(self.words(input_ids))) * attention_mask.unsqueeze(-1)
        return {"state": h.mean(1), "logits": self.head(h)}


def test_models_of_dictionaries_are_watched_at_their_task(torch):
    torch.manual_seed(0)
    model, data = (
        OfWords(),
        {"input_ids": torch.randint(0, 5, (12, 3)), "attention_mask": torch.ones(12, 3)},
    )
    labels = data["input_ids"] % 4

    def states(model):
        """The original takes and gives what it always did."""
        return model(**data)["state"].sum()

    names = ["accuracy", "collapse", "kernel", states]
    with empirics.watch(
        model, data, labels, measures=names, steps="calls", task="tokens", points=4
    ) as run:
        run.step()
    with torch.no_grad():
        logits = model(**data)["logits"]
        h = torch.tanh(model.mix(model.words(data["input_ids"])))
    last = run.trace.isel(step=-1)
    assert float(last.accuracy) == pytest.approx(
        float((logits.argmax(-1) == labels).double().mean())
    )
    exact = measure.neural_collapse(
        h.flatten(0, 1),
        labels.flatten(),
        weights=model.head.weight,
        predictions=logits.argmax(-1).flatten(),
    )
    for name in ("nc1", "nc3", "nc4"):
        assert float(last[name].isel(layer=-1)) == pytest.approx(getattr(exact, name), rel=1e-9), (
            name
        )
    assert np.isfinite(last.kernel_alignment)
    assert not model._forward_hooks
    assert not model._forward_pre_hooks
    with pytest.raises(ValueError, match="needs class indices"):
        empirics.watch(model, data, labels[:, 0], task="tokens")


def test_what_cannot_be_measured_is_refused_first_and_marked_later(torch):
    training = Training()
    with (
        pytest.raises(ValueError, match="'hamiltonian' does not apply"),
        empirics.watch(training.model, training.inputs, training.labels, measures=["hamiltonian"]),
    ):
        pass

    class OfBatch(nn.Sequential):
        def forward(self, batch):
            return super().forward(batch.pixel_values)

    with pytest.raises(
        ValueError, match=r"inputs: .* needs some that the model takes .*'pixel_values'"
    ):
        empirics.watch(OfBatch(training.model), training.inputs, training.labels)

    def diverge():
        with torch.no_grad():
            training.model[0].weight.fill_(float("nan"))

    run = empirics.watch(training.model, training.inputs, None, 1, ["volume"])

    def diverging():
        with run:
            training.run(1)
            training.run(2, after=diverge)

    with pytest.warns(RuntimeWarning, match="step 3: volume could not be measured") as told:
        diverging()
    assert len(told) == 1  # and not at every step
    assert np.isfinite(run.trace.log_volume.values[:3]).all()
    assert np.isnan(run.trace.log_volume.values[3:]).all()
    with pytest.raises(ValueError, match="model: gives NaN or infinity"):
        empirics.watch(training.model, training.inputs, training.labels)
    training = Training()
    for wrong, message in [
        ({"inputs": torch.zeros(24)}, "inputs: got shape"),
        ({"labels": torch.zeros(3)}, "labels: .* needs 24 class indices"),
        ({"every": 0}, "every: got 0"),
        ({"budget": 2.0}, "budget: got 2.0"),
        ({"measures": ["curvature"]}, "measures: got 'curvature'"),
        ({"measures": []}, "measures: got none"),
        ({"layers": ["9"]}, "layers: got '9'"),
        ({"pair": (0, 0)}, "pair: got"),
        ({"steps": "epochs"}, "steps: got 'epochs'"),
    ]:
        with pytest.raises(ValueError, match=message):
            empirics.watch(
                **{"model": training.model, "inputs": training.inputs, "labels": training.labels}
                | wrong
            )
    with pytest.raises(TypeError, match="logger: got int"):
        empirics.watch(training.model, training.inputs, logger=3)


def test_two_points_are_what_the_theory_fits(torch):
    from bridge import two_point

    torch.manual_seed(0)
    model = nn.Sequential(
        nn.Linear(1, 60), nn.LeakyReLU(0.5), nn.Linear(60, 60), nn.LeakyReLU(0.5), nn.Linear(60, 1)
    )
    for layer in (model[0], model[2], model[4]):
        nn.init.xavier_normal_(layer.weight, 0.7)
    inputs, targets = torch.tensor([[-1.0], [0.0]]), torch.tensor([[0.6], [1.3]])
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    with empirics.watch(model, inputs, targets, 10, ["two_point"]) as run:
        for _ in range(600):
            optimizer.zero_grad()
            (0.5 * (model(inputs) - targets).square().mean()).backward()
            optimizer.step()
    assert run.trace.dx2 == pytest.approx(1.0)
    assert run.trace.target2 == pytest.approx(0.49)
    fit = two_point.fit(run.trace, layer="3")
    assert fit.initial == "data"
    assert fit.r_squared > 0.98
    assert fit.tau_mean is not None


def test_the_hamiltonian_of_a_leaky_resnet(torch):
    from empirics.networks.leaky_resnet import LeakyResNet, initial_nets

    with torch.no_grad():
        model = LeakyResNet(
            initial_nets(seeds=[0], depth=5.0, inputs=3, outputs=2, width=6, layers=4), 0
        )
    inputs = torch.randn(5, 3)
    with empirics.watch(model, inputs, torch.randn(5, 2), 1) as run:
        torch.optim.SGD(model.parameters(), 0.1).step()
    assert "stable_hamiltonian" in run.trace
    state = measure.leaky_resnet_state(model, inputs)
    np.testing.assert_allclose(
        run.trace.stable_hamiltonian.isel(step=-1), state.stable_hamiltonian
    )
