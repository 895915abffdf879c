"""How a note stands to what was said before it, as the trained judge answers."""

from collections.abc import Sequence
from typing import Literal, NamedTuple, get_args

StanceLabel = Literal[
    "contradicts", "updates", "agrees", "exception", "other", "unrelated"
]
#: in the order of a head's outputs
LABELS: tuple[StanceLabel, ...] = get_args(StanceLabel)
#: a probability of *contradicts* from which a note may be flagged without a rule: about 2 false
#: flags among 216 notes of the development worlds, each held against its 16 nearest statements
CERTAIN = 0.48
#: from which a person may be asked; below it the note waits: about 8 false ones among 216
ASKS = 0.38


class Stance(NamedTuple):
    """The answer on one pair of an earlier statement and a later note.

    *contradicts*: if the note is right, the statement is and was wrong. *updates*: the statement
    was right, and has been replaced. *agrees*: the note repeats or bears out the statement.
    *exception*: the rule stands, this case was otherwise. *other*: another time, place, part or
    person; it looks like a conflict and is none. *unrelated*: nothing on the statement's matter.
    """

    label: StanceLabel
    confidence: float  # calibrated probability of the label, in [0, 1]
    # one for each of LABELS, in their order; they add up to 1
    probabilities: tuple[float, ...]
    # the sentences that the label rests on; empty where either text has no word
    earlier: str
    later: str

    def probability(self, label: StanceLabel) -> float:
        """Return the calibrated probability of *label*, in [0, 1]."""
        return self.probabilities[LABELS.index(label)]


def make_stance(
    probabilities: Sequence[float], earlier: str, later: str
) -> Stance:
    """Return the answer with the likeliest label; of two alike the first of LABELS."""
    rounded = tuple(round(float(share), 6) for share in probabilities)
    confidence = max(rounded)
    label = LABELS[rounded.index(confidence)]
    return Stance(label, confidence, rounded, earlier, later)


def without_words() -> Stance:
    """Return the answer on a pair of which one text has no word."""
    probabilities = [float(label == "unrelated") for label in LABELS]
    return make_stance(probabilities, "", "")
