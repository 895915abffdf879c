"""Judges for tests: scripted, and registered like the real ones."""

from collections.abc import Callable, Sequence

from companion.language.protocols import Identity, ModelUnavailable
from companion.values.relations import Relation, Statement

Rule = Callable[[Statement, Statement], Relation]


def neutral(_: Statement, __: Statement) -> Relation:
    return Relation("neutral", 1.0, "nothing in common")


def opposed(score: float = 0.95) -> Rule:
    """A judge to whom everything contradicts everything."""
    return lambda a, b: Relation(
        "contradicts", score, f"opposed {score:.2f}", opposition=score
    )


class Scripted:
    """A relater that follows a rule, counts what it is asked, and may be out of order from some
    call on.
    """

    def __init__(
        self,
        rule: Rule = neutral,
        *,
        name: str = "scripted",
        model: str = "m1",
        fails_after: int = 10**9,
    ):
        self.identity = Identity(name, "1", model)
        self.rule, self.left = rule, fails_after
        self.asked: list[tuple[Statement, Statement]] = []

    def relate(
        self, pairs: Sequence[tuple[Statement, Statement]]
    ) -> list[Relation]:
        answers = []
        for pair in pairs:
            if self.left == 0:
                raise ModelUnavailable("the scripted model is out of order")
            self.left -= 1
            self.asked.append(pair)
            answers.append(self.rule(*pair))
        return answers
