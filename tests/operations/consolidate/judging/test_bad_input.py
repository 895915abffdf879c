"""Notes that state nothing: no claim is read from them, nothing is flagged, and all are kept."""

from datetime import UTC, datetime, timedelta

import pytest

from companion.operations.triage import capture
from companion.values.captures import Draft
from tests.wiki import Wiki

BELIEF = "# Sourdough\n\nThe dough rests in the warm kitchen overnight."
NOTES = {
    "one word": "Sourdough.",
    "one denial": "Nein.",
    "Greek": "Το ζυμάρι αυτό δεν πρέπει να μένει ποτέ στη ζεστή κουζίνα.",  # noqa: RUF001
    "Japanese": "この生地は絶対に暖かい台所に置いてはいけません。",
    "Arabic": "هذا العجين لا يجب أن يبقى في المطبخ الدافئ أبدا.",
    "Hindi": "यह आटा कभी भी गर्म रसोई में नहीं रखना चाहिए।",
    "Russian": "Тесто нельзя оставлять в теплой кухне.",
    "sarcasm": "Oh great, because leaving sourdough in a warm kitchen has always worked "
    "so well. As if.",
    "sarcasm, German": "Na klar, der Sauerteig in der warmen Küche, was soll da schon "
    "schiefgehen. Von wegen.",
    "another's word": "Karl claims that sourdough must rest in the fridge.",
    "his word": "He claims that the dough rests in the cellar.",
    "another's word, German": "Karl behauptet, dass der Sauerteig im Keller ruhen muss.",
    "a question": "Does the sourdough rest in the warm kitchen overnight?",
    "a question of doubt": "Should sourdough not rest in the fridge instead?",
    "a question, German": "Ruht der Sauerteig nicht besser im Keller?",
    "a list": "- milk\n- eggs\n- flour\n- sourdough\n- no kitchen roll",
    "fenced code": '```python\nif dough.place != "warm kitchen":\n    raise ValueError\n```',
    "bare code": "def rest(dough):\n    return not dough.kitchen.warm",
    "a query": "SELECT place FROM dough WHERE kitchen = 'warm' AND NOT rests;",
    "a poem": "The dough, the dough, it never slept,\nthe kitchen cold, the oven wept,\n"
    "no warm hand came, no morning bread,\nthe cat lay down on it instead.",
    "marks": "???!!!",
    "signs": "🍞🔥🙅",
    "nonsense": "aaaaaaa bbbbbbb ccccccc ddddddd",
    "200,000 words": "dough " * 200_000,
}


@pytest.fixture(scope="module")
def told(
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[Wiki, dict[str, str]]:
    """A wiki after the night that took all of NOTES in, and their captures by name."""
    wiki = Wiki(
        tmp_path_factory.mktemp("odd") / "wiki",
        datetime(2026, 3, 2, 9, tzinfo=UTC),
    )
    wiki.root.mkdir()
    wiki.init()
    recipes = [
        f"# Recipe {chr(65 + n)}\n\n{'[[Sourdough]]' if n < 9 else 'From the tin.'}"
        for n in range(32)
    ]
    for text in [BELIEF, *recipes]:
        wiki.ingest(text)
    wiki.consolidate()
    wiki.now += timedelta(days=1)
    captures = {}
    for name, text in NOTES.items():
        done = capture.ingest(wiki.ws, [Draft(text)])
        assert not done["refused"], name
        captures[name] = done["captures"][0]["id"]
    wiki.consolidate()
    return wiki, captures


@pytest.mark.parametrize("name", NOTES)
def test_a_note_that_states_nothing_is_kept_and_weighs_nothing(
    told: tuple[Wiki, dict[str, str]], name: str
) -> None:
    wiki, captures = told
    about = [
        line
        for run in wiki.ledger()
        for line in run
        if line.get("capture") == captures[name]
    ]
    kinds = {line["e"] for line in about}

    assert "consumed" in kinds
    assert not kinds & {"claims", "flagged", "quarantined"}
    kept = wiki.ws.journal().blob(captures[name])
    assert kept is not None


def test_none_of_them_opens_a_branch(
    told: tuple[Wiki, dict[str, str]],
) -> None:
    from companion.reading.branches.branches import list_branches

    wiki, _ = told
    assert list_branches(wiki.ws)["branches"] == []
