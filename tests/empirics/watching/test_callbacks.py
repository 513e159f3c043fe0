"""The callbacks for Lightning and for Hugging Face's Trainer: the same training, a trace, and resuming."""

from __future__ import annotations

import pytest
import torch
from torch import nn

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("default")]


@pytest.fixture(autouse=True)
def working_torchvision(request):
    """Both packages import torchvision, which our own import repairs where its build does not fit torch's."""
    pytest.importorskip("empirics.vision", reason="torchvision is not installed (extra `images`)")


def test_lightning_trains_the_same_with_the_callback_and_resumes_it(tmp_path):
    lightning = pytest.importorskip(
        "lightning", reason="lightning is not installed (extra `lightning`)"
    )
    from empirics.watching.lightning_callback import LightningWatch

    inputs, labels = (
        torch.randn(60, 6, generator=torch.Generator().manual_seed(0)),
        torch.arange(60) % 3,
    )

    class Classifier(lightning.LightningModule):
        def __init__(self):
            super().__init__()
            self.net = nn.Sequential(
                nn.Linear(6, 16), nn.Tanh(), nn.Dropout(0.1), nn.Linear(16, 3)
            )

        def forward(self, x):
            return self.net(x)

        def training_step(self, batch, _):
            return nn.functional.cross_entropy(self(batch[0]), batch[1])

        def configure_optimizers(self):
            return torch.optim.Adam(self.parameters(), 1e-2)

    def fit(epochs, callbacks, checkpoint=None):
        torch.manual_seed(1)
        data = torch.utils.data.TensorDataset(inputs, labels)
        trainer = lightning.Trainer(
            max_epochs=epochs, callbacks=callbacks, logger=False, accelerator="cpu", default_root_dir=tmp_path,
            enable_progress_bar=False, enable_model_summary=False, enable_checkpointing=False,
        )  # fmt: skip
        model = Classifier()
        trainer.fit(
            model, torch.utils.data.DataLoader(data, 20, shuffle=True), ckpt_path=checkpoint
        )
        return model.state_dict(), trainer

    watched = LightningWatch(inputs, labels, every=4)
    alone, with_callback = fit(4, [])[0], fit(4, [watched])[0]
    assert all(torch.equal(alone[name], with_callback[name]) for name in alone)
    assert watched.trace.step.values.tolist() == [0, 4, 8, 12]
    _, trainer = fit(2, [LightningWatch(inputs, labels, every=4)])
    trainer.save_checkpoint(tmp_path / "half.ckpt")
    resumed = LightningWatch(inputs, labels, every=4)
    fit(4, [resumed], tmp_path / "half.ckpt")
    assert resumed.trace.step.values.tolist() == [0, 4, 6, 8, 12]  # 6: the end of the first half


def test_the_trainer_of_hugging_face_trains_the_same_with_the_callback_and_resumes_it(tmp_path):
    transformers = pytest.importorskip(
        "transformers", reason="not installed (extra `transformers`)"
    )
    pytest.importorskip("accelerate", reason="not installed (extra `transformers`)")
    from empirics.watching.trainer_callback import TrainerWatch

    tokens = torch.randint(0, 50, (64, 8), generator=torch.Generator().manual_seed(0))
    labels = tokens[:, 0] % 2
    data = [{"input_ids": row, "labels": label} for row, label in zip(tokens, labels, strict=True)]

    def train(callbacks, checkpoint=None):
        transformers.set_seed(0)
        model = transformers.BertForSequenceClassification(
            transformers.BertConfig(
                vocab_size=50, hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32,
                num_labels=2, max_position_embeddings=16,
            )
        )  # fmt: skip
        arguments = transformers.TrainingArguments(
            output_dir=str(tmp_path), num_train_epochs=3, per_device_train_batch_size=16, save_steps=8,
            save_strategy="steps", report_to=[], disable_tqdm=True, use_cpu=True, logging_strategy="no",
        )  # fmt: skip
        trainer = transformers.Trainer(
            model=model, args=arguments, train_dataset=data, callbacks=callbacks
        )
        trainer.train(resume_from_checkpoint=checkpoint)
        return model.state_dict()

    watched, resumed = TrainerWatch(tokens, labels, every=4), TrainerWatch(tokens, labels, every=4)
    alone, with_callback = train([]), train([watched])
    assert all(torch.equal(alone[name], with_callback[name]) for name in alone)
    assert watched.trace.step.values.tolist() == [0, 4, 8, 12]
    train([resumed], str(tmp_path / "checkpoint-8"))
    assert resumed.trace.accuracy.equals(watched.trace.accuracy)
