"""How two statements stand to each other, as a judge of any kind answers it."""

from companion.annotations import Literal
from companion.tuples import NamedTuple

Label = Literal["same", "supports", "contradicts", "neutral", "unsure"]


class Statement(NamedTuple):
    """A text to be judged, with what is known of its telling.

    An empty earlier text stands for what the judge knows itself; one that knows nothing answers
    neutral or unsure.
    """

    text: str
    title: str | None = None
    when: str | None = None  # event time, RFC 3339 UTC


class Relation(NamedTuple):
    """A judge's answer on one ordered pair (earlier, later).

    Opposition and update are two findings, and neither stands for the other: "the cat sleeps"
    against "the cat does not sleep" is opposition; "lives in Lisbon" after "lives in Porto" is an
    update.
    """

    label: Label
    score: float  # how sure of the label, in [0, 1]
    # words and numbers, one line; quotes the statements only where the trained head alone says so
    reason: str
    opposition: float = 0.0  # in [0, 1]: both cannot be so at one time
    # in [0, 1]: the later one gives another value for the same matter
    update: float = 0.0
    # in [-1, 1]: cosine of the embeddings; decides nothing alone
    similarity: float = 0.0
