"""The upper layers of the encoder over a statement and a note together, with torch.

The layers below read each text by itself, so that a text is read once, whatever it is held against.
"""

from collections.abc import Mapping, Sequence

import numpy
import torch
from torch import Tensor, nn
from torch.nn import functional

from companion.language.stance.stance import LABELS
from tests.bench.stance.together.image import Array, Image

LAYERS = 12
BELOW = 9  # layers that read each text by itself, and stay as they are
LONGEST = 128  # pieces of a text
_BATCH = 32

# the text of the statement, and that of the note
Both = tuple[str, str]


class Layer(nn.Module):
    """One layer of the encoder, beginning with the weights of *image*."""

    def __init__(self, image: Image, number: int) -> None:
        super().__init__()
        size, inner = image.size, image.inner
        self._heads = image.heads
        self.query = _linear(image, f"l{number}.q", size, size)
        self.key = _linear(image, f"l{number}.k", size, size)
        self.value = _linear(image, f"l{number}.v", size, size)
        self.joined = _linear(image, f"l{number}.ao", size, size)
        self.wide = _linear(image, f"l{number}.fi", size, inner)
        self.narrow = _linear(image, f"l{number}.fo", inner, size)
        self.attended = _norm(image, f"l{number}.aln")
        self.ended = _norm(image, f"l{number}.oln")

    def forward(self, states: Tensor, there: Tensor) -> Tensor:
        """Return the states behind this layer; *there* is true where a piece stands."""
        found = functional.scaled_dot_product_attention(
            self._split(self.query(states)),
            self._split(self.key(states)),
            self._split(self.value(states)),
            attn_mask=there[:, None, None],
        )
        found = found.transpose(1, 2).reshape(states.shape)
        states = self.attended(states + self.joined(found))
        inner = functional.gelu(self.wide(states))
        return self.ended(states + self.narrow(inner))

    def _split(self, states: Tensor) -> Tensor:
        rows, pieces, _ = states.shape
        return states.view(rows, pieces, self._heads, -1).transpose(1, 2)


class Network(nn.Module):
    """The upper layers, and a softmax over the labels."""

    def __init__(self, image: Image, texts: Mapping[str, Array]) -> None:
        """*texts* has the states of each text behind the layers below, (pieces, size)."""
        super().__init__()
        self._texts = texts
        self._size = image.size
        self.layers = nn.ModuleList(
            Layer(image, number) for number in range(BELOW, LAYERS)
        )
        self.sides = nn.Parameter(torch.randn(2, image.size) * 0.02)
        self.output = nn.Linear(3 * image.size, len(LABELS))
        nn.init.normal_(self.output.weight, 0, 0.02)
        nn.init.zeros_(self.output.bias)
        self._dropout = nn.Dropout(0.1)

    def forward(self, pairs: Sequence[Both]) -> Tensor:
        """Return what speaks for each label, (pairs, labels)."""
        states, sides = self._lay_out(pairs)
        there = sides.sum(1) > 0
        states = states + torch.einsum("nst,sh->nth", sides, self.sides)
        with torch.autocast("cpu", torch.bfloat16):
            for layer in self.layers:
                states = layer(states, there)
        states = states.float()
        shares = sides / sides.sum(2, keepdim=True)
        means = torch.einsum("nst,nth->nsh", shares, states)
        seen = torch.cat([states[:, 0], means[:, 0], means[:, 1]], dim=1)
        return self.output(self._dropout(seen))

    def _lay_out(self, pairs: Sequence[Both]) -> tuple[Tensor, Tensor]:
        """Return the states of both texts in a row, and which piece is of which, padded."""
        rows = [[self._texts[text] for text in pair] for pair in pairs]
        longest = max(sum(map(len, row)) for row in rows)
        shape = (len(pairs), longest, self._size)
        states = numpy.zeros(shape, dtype=numpy.float32)
        sides = numpy.zeros((len(pairs), 2, longest), dtype=numpy.float32)
        for number, row in enumerate(rows):
            start = 0
            for side, text in enumerate(row):
                stop = start + len(text)
                states[number, start:stop] = text
                sides[number, side, start:stop] = 1
                start = stop
        return torch.from_numpy(states), torch.from_numpy(sides)


def read_below(image: Image, texts: Sequence[str]) -> dict[str, Array]:
    """Return the states of each of *texts* behind the layers below, (pieces, size)."""
    layers = [Layer(image, number).eval() for number in range(BELOW)]
    tokens = {}
    for text in texts:
        tokens[text] = image.tokens(f"query: {text}")[:LONGEST]
    order = sorted(texts, key=lambda text: len(tokens[text]))
    found: dict[str, Array] = {}
    for start in range(0, len(order), _BATCH):
        batch = order[start : start + _BATCH]
        embedded = [embed(image, tokens[text]) for text in batch]
        states = nn.utils.rnn.pad_sequence(embedded, batch_first=True)
        lengths = torch.tensor([len(one) for one in embedded])
        there = torch.arange(states.shape[1]) < lengths[:, None]
        with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
            for layer in layers:
                states = layer(states, there)
        for text, row, length in zip(batch, states, lengths, strict=True):
            found[text] = row[:length].half().numpy()
    return found


def embed(image: Image, tokens: Sequence[int]) -> Tensor:
    """Return what the first layer reads of *tokens*, (pieces, size)."""
    words = torch.from_numpy(image.packed("emb.word", image.size, tokens))
    places = image.plain("emb.pos").reshape(-1, image.size)[: len(tokens)]
    kind = image.plain("emb.type")[: image.size]
    norm = _norm(image, "emb.ln")
    with torch.no_grad():
        return norm(words + torch.from_numpy(places) + torch.from_numpy(kind))


def _linear(image: Image, name: str, inputs: int, outputs: int) -> nn.Linear:
    layer = nn.Linear(inputs, outputs)
    layer.weight.data = torch.from_numpy(image.packed(f"{name}.w", inputs))
    layer.bias.data = torch.from_numpy(image.plain(f"{name}.b"))
    return layer


def _norm(image: Image, name: str) -> nn.LayerNorm:
    norm = nn.LayerNorm(image.size, eps=image.epsilon)
    norm.weight.data = torch.from_numpy(image.plain(f"{name}.w"))
    norm.bias.data = torch.from_numpy(image.plain(f"{name}.b"))
    return norm
