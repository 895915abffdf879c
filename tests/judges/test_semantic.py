"""Sentence embeddings: the packaged weights and no others, no network, and nothing loaded before it
is needed.
"""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy
import pytest

from companion.judges import semantic
from companion.judges.semantic import (
    CrossEncoder,
    SemanticEmbedder,
    SemanticRelater,
    combine,
)
from companion.language.protocols import (
    Identity,
    ModelUnavailable,
    WrongWeights,
)
from companion.values.relations import Relation, Statement

NEUTRAL = Relation("neutral", 1.0, "no rule fires", similarity=0.4)
PAIR = (Statement("The door is open."), Statement("The door is shut."))

# Fails the process that tries to reach the network, even by name.
NO_NETWORK = """
import sys
def watch(event, args):
    if event in ("socket.connect", "socket.getaddrinfo"):
        sys.stderr.write(f"NETWORK {event} {args[1:]}\\n")
        raise SystemExit(9)
sys.addaudithook(watch)
"""


class Rules:
    identity = Identity("light", "7", "static", "abc")

    def relate(
        self, pairs: Sequence[tuple[Statement, Statement]]
    ) -> list[Relation]:
        return [NEUTRAL] * len(pairs)


class Nli:
    name, weights = "nli", "w"

    def judge(
        self, pairs: Sequence[tuple[str, str]]
    ) -> list[tuple[float, float]]:
        return [(0.9, 0.05)] * len(pairs)


@pytest.mark.needs("torch", "sentence_transformers")
def test_the_packaged_model_embeds_offline() -> None:
    script = NO_NETWORK + (
        "from companion import workspace\nworkspace.forbid_downloads()\n"
        "from companion.judges.semantic import SemanticEmbedder\n"
        "v = SemanticEmbedder().embed(['A cat sleeps.', '', 'A kitten naps.', 'Interest rates"
        " rose.'])\n"
        "print(v.shape, v.dtype, float(v[1].max()), float(v[0] @ v[2]) > 0.5 > float(v[0] @ v[3]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout.split("\n")[0] == "(4, 384) float32 0.0 True"


def test_missing_weights_are_named_with_a_hint(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="No such file") as caught:
        SemanticEmbedder(str(tmp_path)).embed(["x"])
    assert caught.value.exit_code == 69 and "[semantic]" in caught.value.hint


def test_weights_with_another_hash_are_refused(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"something else")
    with pytest.raises(WrongWeights, match="not 53aa51172d14") as caught:
        SemanticEmbedder(str(tmp_path)).embed(["x"])
    assert (
        caught.value.exit_code == 65 and "force-reinstall" in caught.value.hint
    )


def test_a_missing_package_is_unavailable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(semantic, "_PACKAGE", "no_such_package")
    with pytest.raises(ModelUnavailable, match="not installed"):
        SemanticEmbedder().embed(["x"])


def test_nothing_is_loaded_for_no_text(tmp_path: Path) -> None:
    assert (
        SemanticEmbedder(str(tmp_path)).embed(["", "  \n"]).tolist()
        == numpy.zeros((2, 384)).tolist()
    )


def test_a_cross_encoder_adds_opposition_and_takes_nothing_away() -> None:
    assert combine(NEUTRAL, 0.9, 0.05)[:2] == ("contradicts", 0.9)
    assert combine(NEUTRAL, 0.9, 0.05).opposition == 0.9
    assert combine(NEUTRAL, 0.1, 0.8).label == "supports"
    assert combine(NEUTRAL, 0.4, 0.4).label == "neutral"
    rules = Relation("contradicts", 0.95, "an update", update=0.95)
    assert combine(rules, 0.6, 0.1)._replace(reason="") == rules._replace(
        reason=""
    )
    assert "contradiction 0.60" in combine(rules, 0.6, 0.1).reason


def test_the_relater_names_both_judges() -> None:
    alone, both = SemanticRelater(Rules()), SemanticRelater(Rules(), Nli())  # type: ignore[arg-type]

    assert alone.relate([PAIR]) == [NEUTRAL]
    assert both.relate([PAIR])[0].label == "contradicts"
    assert both.relate([]) == []
    assert (
        alone.identity.weights == semantic.WEIGHTS
        and "light/7/static/abc" in alone.identity.parameters
    )
    assert (
        both.identity[2:4] == ("nli", "w") and alone.identity != both.identity
    )


def test_a_model_that_is_not_on_this_machine_is_not_fetched() -> None:
    script = NO_NETWORK + (
        "from companion import workspace\nworkspace.forbid_downloads()\n"
        "from companion.language.protocols import ModelUnavailable\n"
        "from companion.judges.semantic import CrossEncoder\n"
        "try: CrossEncoder('somebody/no-such-model').weights\n"
        "except ModelUnavailable as error: print(error.exit_code, error, error.hint)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(
        "69 the model somebody/no-such-model is not on this machine Download it"
    )


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A cross encoder with random weights: what it says means nothing, how it is read does."""
    import torch
    import transformers

    torch.manual_seed(1)
    names = {0: "contradiction", 1: "entailment", 2: "neutral"}
    size: dict[str, Any] = {
        "hidden_size": 16,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
        "intermediate_size": 16,
    }
    settings = transformers.BertConfig(
        **size,
        num_labels=3,
        id2label=names,
        label2id={v: k for k, v in names.items()},
    )
    folder = str(tmp_path_factory.mktemp("nli"))
    transformers.BertForSequenceClassification(settings).save_pretrained(folder)
    transformers.AutoTokenizer.from_pretrained(
        semantic.packaged(), local_files_only=True
    ).save_pretrained(folder)
    return folder


@pytest.mark.needs("torch", "sentence_transformers")
def test_a_cross_encoder_from_a_folder_gives_probabilities_and_is_known_by_its_weights(
    tiny: str,
) -> None:
    encoder = CrossEncoder(tiny)
    first, second = (
        encoder.judge([("a b", "c d"), ("a b", "a b")]),
        CrossEncoder(tiny).judge([("a b", "c d")]),
    )

    assert first[:1] == second
    assert all(0 < c < 1 and 0 < e < 1 and c + e < 1 for c, e in first)
    assert len(encoder.weights) == 64


def test_a_model_without_the_labels_is_refused() -> None:
    with pytest.raises(WrongWeights, match="judges no contradiction"):
        semantic.labels({0: "LABEL_0", 1: "LABEL_1"})
    assert semantic.labels({0: "Entailment", 2: "CONTRADICTION"}) == (2, 0)


def test_a_folder_without_weights_is_unavailable(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="holds no weights"):
        _ = CrossEncoder(str(tmp_path)).weights
