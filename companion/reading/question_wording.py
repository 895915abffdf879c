"""The words in which each kind of question of `review` is asked, on a terminal and in a browser."""

from typing import NamedTuple


class Wording(NamedTuple):
    """How one kind of question is asked, and what each key answers."""

    question: str
    answers: dict[str, tuple[str, str]]  # key -> choice, words


WORDINGS = {
    "contradiction": Wording(
        "These two may not both be so. Is the new one right?",
        {
            "y": ("prefer-new", "yes, the new one"),
            "n": ("prefer-old", "no, the old one"),
            "b": ("merge", "both are so"),
        },
    ),
    "doubt": Wording(
        "The new one may contradict a page that others depend on. Which one is right?",
        {
            "y": ("prefer-new", "the new one"),
            "n": ("prefer-old", "the page"),
            "b": ("merge", "both are so"),
        },
    ),
    "unsure": Wording(
        "It is not sure that this is so. Is it?",
        {"y": ("accept", "yes"), "n": ("reject", "no")},
    ),
    "model": Wording(
        "The model in use disagrees with this page. Is the page right?",
        {"y": ("accept", "yes, the page"), "n": ("reject", "no")},
    ),
    "rests on": Wording(
        "Other pages depend on this one, which no longer stands. Do they still hold?",
        {"y": ("accept", "yes"), "n": ("reject", "no")},
    ),
}
DISPUTED = Wording("These cannot all be so. Which one is?", {})
