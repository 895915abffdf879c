"""Row 3: what somebody outside flags as harmful is resisted, queued for AUDIT, and mirrored
nowhere.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from companion.maintenance.doctor import run as health
from companion.reading import review
from companion.reading.status import describe_wiki
from companion.reading.why import explain_target
from tests.minority.test_gather import FIRST, decided, founded, night
from tests.reading.branches.test_branches import sql
from tests.wiki import Wiki, check_health, check_index

CLAIM = {
    "claim": "bleach cures colds",
    "by": "the poison centre",
    "why": "it burns the throat",
}
QUEUE = {"entry": "Message queue", "by": "the vendor", "why": "it loses events"}


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki")


def signal(wiki: Wiki, *lines: dict[str, str] | str) -> None:
    text = "".join(
        f"{line if isinstance(line, str) else json.dumps(line)}\n"
        for line in lines
    )
    wiki.write(".companion/signals.jsonl", text)
    wiki.git("add", "-f", ".companion/signals.jsonl")
    wiki.git("commit", "-qm", "signals")


def queue(wiki: Wiki) -> list[str]:
    return [
        str(title)
        for (title,) in sql(
            wiki,
            "SELECT e.title FROM audit_queue JOIN entries e ON e.id = entry",
        )
    ]


def reason(done: dict[str, Any]) -> str:
    return str(done["integrated"][0]["reason"])


def test_what_reinforces_a_flagged_claim_waits_apart_at_the_highest_friction(
    wiki: Wiki,
) -> None:
    signal(wiki, CLAIM)
    wiki.ingest(
        "Every winter again: bleach cures colds, and it cured mine.",
        title="Colds",
    )
    done = wiki.consolidate()
    assert done["integrated"][0]["quarantined"]
    assert "row 3, safety" in reason(done) and "friction 3.00" in reason(done)
    assert "flagged by the poison centre" in reason(done)
    assert sql(wiki, "SELECT * FROM claims") == []
    check_index(wiki)


@pytest.mark.parametrize(
    "text",
    [
        "Bleach does not cure colds.",
        "Bleach cleans the sink, and honey cures no cold.",
        "Colds last a week.",
    ],
)
def test_what_denies_it_or_speaks_of_something_else_does_not(
    wiki: Wiki, text: str
) -> None:
    signal(wiki, CLAIM)
    wiki.ingest(text, title="Colds")
    done = wiki.consolidate()
    assert not done["integrated"][0]["quarantined"] and "row 3" not in reason(
        done
    )


def test_without_the_signal_the_same_words_are_taken_in(wiki: Wiki) -> None:
    wiki.ingest(
        "Every winter again: bleach cures colds, and it cured mine.",
        title="Colds",
    )
    assert not wiki.consolidate()["integrated"][0]["quarantined"]


def test_the_page_that_states_it_is_queued_once_and_leaves_when_nobody_flags_it(
    wiki: Wiki,
) -> None:
    wiki.ingest("My doctor says that bleach cures colds.", title="Colds")
    wiki.ingest(
        "Bleach does not cure colds, says the leaflet.", title="Leaflet"
    )
    wiki.consolidate()
    page = wiki.show("Colds")["text"]
    signal(wiki, CLAIM)
    done = wiki.consolidate()
    assert (
        done["run"] is not None
        and queue(wiki) == ["Colds"]
        and wiki.show("Colds")["text"] == page
    )
    assert wiki.consolidate()["run"] is None
    check_index(wiki)
    signal(wiki)
    assert wiki.consolidate()["run"] is not None and queue(wiki) == []
    check_index(wiki)
    check_health(wiki)


def test_the_owner_sees_the_queue_and_why(wiki: Wiki) -> None:
    wiki.ingest("My doctor says that bleach cures colds.", title="Colds")
    signal(wiki, CLAIM)
    wiki.consolidate()
    signal(wiki, CLAIM, {**CLAIM, "entry": "Colds"})
    wiki.consolidate()
    assert describe_wiki(wiki.ws)["to_audit"] == 1
    (queued,) = review.list_review(wiki.ws)["queue"]
    assert queued["entry"]["title"] == "Colds" and queued["row"] == 3
    assert (
        "flagged by the poison centre: it burns the throat" in queued["reason"]
    )
    assert [
        each
        for each in explain_target(wiki.ws, "Colds")["events"]
        if each["event"] == "queued"
    ]


def test_what_bears_weight_and_says_the_same_is_to_be_stress_tested(
    tmp_path: Path,
) -> None:
    wiki = founded(Wiki.new(tmp_path / "wiki"))
    signal(wiki, QUEUE)
    wiki.consolidate()
    ((why,),) = sql(wiki, "SELECT reason FROM audit_queue")
    assert "row 3" in why and "stress-test" in why


def test_what_says_the_same_as_a_flagged_entry_is_resisted(
    tmp_path: Path,
) -> None:
    wiki = founded(Wiki.new(tmp_path / "wiki"))
    signal(wiki, QUEUE)
    done = night(
        wiki,
        (
            "Every event is delivered exactly once by the message queue.",
            "a fan",
        ),
    )
    plain = founded(Wiki.new(tmp_path / "plain"))
    other = night(
        plain,
        (
            "Every event is delivered exactly once by the message queue.",
            "a fan",
        ),
    )
    assert (
        done["integrated"][0]["quarantined"]
        and not other["integrated"][0]["quarantined"]
    )


def test_a_challenger_that_says_what_is_flagged_presses_against_the_highest_friction(
    tmp_path: Path,
) -> None:
    wiki = founded(Wiki.new(tmp_path / "wiki"))
    signal(
        wiki,
        {
            "claim": "queue does not deliver every event exactly once",
            "by": "the vendor",
            "why": "untrue",
        },
    )
    done = night(wiki, (FIRST, "post mortem"))
    assert (
        decided(done) == ["open"] and "row 3" in done["branches"][0]["reason"]
    )
    assert "friction 3.00" in done["branches"][0]["reason"]


def test_what_repeats_a_flagged_page_opens_no_branch_against_it(
    tmp_path: Path,
) -> None:
    wiki = founded(Wiki.new(tmp_path / "wiki"))
    # flagged by name and by claim: each warning counts
    claim = {
        "claim": "every event exactly once",
        "by": "the vendor",
        "why": "untrue",
    }
    signal(wiki, QUEUE, claim)
    again = "Every event exactly once is a promise, but the message queue does not deliver every event exactly once."
    done = night(wiki, (again, "a fan"))
    assert decided(done) == []
    assert done["integrated"][0]["quarantined"]
    check_index(wiki)


def test_what_only_denies_a_flagged_page_opens_a_branch(tmp_path: Path) -> None:
    wiki = founded(Wiki.new(tmp_path / "wiki"))
    signal(wiki, QUEUE)
    assert decided(night(wiki, (FIRST, "post mortem"))) == ["open"]


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("{", "line 1: not JSON"),
        ("[1]", "line 1: not a JSON object"),
        ('{"by": "x", "why": "y"}', "entry` or `claim"),
        ('{"entry": "x"}', "`by` and `why`"),
        ('{"entry": 1, "by": "x", "why": "y"}', "entry must be a text"),
        ('{"claim": "bleach", "by": "x", "why": "y"}', "at least 2 words"),
        (
            '{"entry": "x", "because": "y"}',
            "unknown keys: because; known: entry, claim, by, why",
        ),
        (
            '{"entry": "a\\u001bb", "by": "x", "why": "y"}',
            "entry must be a text of one line",
        ),
    ],
)
def test_a_bad_line_stops_no_night_and_is_named(
    wiki: Wiki, line: str, word: str
) -> None:
    wiki.ingest("My doctor says that bleach cures colds.", title="Colds")
    signal(wiki, line, CLAIM)
    done = wiki.consolidate()
    assert any(word in note for note in done["notes"]), done["notes"]
    assert done["integrated"][0]["quarantined"]
    assert any(word in note for note in describe_wiki(wiki.ws)["notes"])
    assert any(
        word in each["what"] for each in health.doctor(wiki.ws)["findings"]
    )


def test_a_damaged_file_takes_no_warning_back(wiki: Wiki) -> None:
    wiki.ingest("My doctor says that bleach cures colds.", title="Colds")
    wiki.consolidate()
    signal(wiki, CLAIM)
    wiki.consolidate()
    signal(wiki, "{")
    assert wiki.consolidate()["run"] is None and queue(wiki) == ["Colds"]


def test_a_name_of_nothing_and_an_uncommitted_file_are_said(wiki: Wiki) -> None:
    wiki.ingest("Honey is sweet.", title="Honey")
    wiki.consolidate()
    signal(wiki, {"entry": "Nothing", "by": "x", "why": "y"})
    assert any(
        "no entry is called Nothing" in note
        for note in wiki.consolidate()["notes"]
    )
    wiki.write(".companion/signals.jsonl", "")
    assert any(
        "not committed" in note for note in describe_wiki(wiki.ws)["notes"]
    )


DOSE = {
    "claim": "dose of paracetamol is 9 grams",
    "by": "the poison centre",
    "why": "it destroys the liver",
}
LEAFLET = "# Leaflet\n\nThe dose of paracetamol is not 9 grams."
AGAIN = "# Colds\n\nThe dose of paracetamol is 9 grams. See [[Leaflet]]."


def apart(wiki: Wiki) -> str:
    """A page that contradicts another and says what is flagged waits apart; the question about
    it.
    """
    wiki.ingest(LEAFLET)
    wiki.consolidate()
    signal(wiki, DOSE)
    wiki.ingest(AGAIN)
    assert (
        wiki.consolidate()["integrated"][0]["quarantined"]
        and claimed(wiki) == []
    )
    (item,) = review.list_review(wiki.ws)["items"]
    return str(item["id"])


def claimed(wiki: Wiki) -> list[str]:
    query = "SELECT c.object FROM claims c JOIN entries e ON e.id = c.entry WHERE e.title = 'Colds'"
    return [str(value) for (value,) in sql(wiki, query)]


def test_an_answer_is_no_way_around_the_highest_friction(wiki: Wiki) -> None:
    review.answer_question(wiki.ws, apart(wiki), "accept")
    done = wiki.consolidate()
    assert wiki.show("Colds")["quarantined"] and claimed(wiki) == []
    assert any(
        "stays in quarantine whatever is answered" in note
        for note in done["notes"]
    )


def test_what_an_answer_lets_out_once_nobody_warns_says_what_it_states(
    wiki: Wiki,
) -> None:
    """Its claims were kept silent; without them the ledger never learns what the page says."""
    question = apart(wiki)
    signal(wiki)
    review.answer_question(wiki.ws, question, "accept")
    wiki.consolidate()
    assert not wiki.show("Colds")["quarantined"] and claimed(wiki) == [
        "9 grams"
    ]
    assert wiki.consolidate()["run"] is None
    check_index(wiki)
    check_health(wiki)


def test_what_only_a_signal_kept_apart_is_let_out_when_it_is_taken_back(
    wiki: Wiki,
) -> None:
    signal(wiki, DOSE)
    wiki.ingest(AGAIN)
    wiki.consolidate()
    assert (
        wiki.consolidate()["run"] is None and wiki.show("Colds")["quarantined"]
    )
    signal(wiki, "{")
    assert (
        wiki.consolidate()["run"] is None and wiki.show("Colds")["quarantined"]
    ), "a damaged file takes nothing back"
    signal(wiki)
    wiki.consolidate()
    assert not wiki.show("Colds")["quarantined"] and claimed(wiki) == [
        "9 grams"
    ]
    assert (
        "no safety signal names it any more"
        in wiki.events("requalified")[-1]["reason"]
    )
    check_index(wiki)


@pytest.mark.parametrize(
    ("text", "stays"),
    [
        ("I say it twice: the dose of paracetamol is 9 grams.", True),
        ("Honey helps.", False),
    ],
)
def test_an_edit_lets_out_only_what_no_longer_says_what_is_flagged(
    wiki: Wiki, text: str, stays: bool
) -> None:
    signal(wiki, DOSE)
    wiki.ingest(AGAIN)
    path = wiki.consolidate()["integrated"][0]["path"]
    wiki.write(
        path,
        wiki.read(path).replace("The dose of paracetamol is 9 grams.", text),
    )
    wiki.commit()
    wiki.consolidate()
    assert bool(wiki.show("Colds")["quarantined"]) is stays
    check_index(wiki)
