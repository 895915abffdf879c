"""What a verb says of the judges that it asked."""

from typing import TypedDict


class TallyResult(TypedDict):
    """What asking one judge came to, in numbers and in words."""

    judge: str
    questions: int
    replayed: int
    asked: int
    unanswered: int
    trouble: str | None
    said: str
