"""How deep a source is worked in: each step, its reasons, and the laws of the score."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.operations.contextualize.reader.depth import (
    EVIDENCE,
    SHORT,
    THRESHOLDS,
    choose_depth,
    find_override,
    measure_detail,
    score_context,
    step_of,
)
from companion.operations.contextualize.values import (
    STEPS,
    NearNote,
    NearPage,
    NearQuestion,
    Override,
    ReaderContext,
    Topic,
)

NOW = "2026-11-23T06:00:00.000000Z"
LONG = 50_000
TOPIC = Topic(("pump", "seal", "pressure"), (1.0, 0.8, 0.5))

share = st.floats(0, 1, allow_nan=False)
instant = st.sampled_from(
    ["", NOW, "2026-11-01T00:00:00.000000Z", "2019-01-01T00:00:00.000000Z"]
)
notes = st.builds(
    NearNote,
    text=st.sampled_from(
        ["Pump runs.", "The pump's seal leaks at 4.5 bar since 3 May.", "x"]
    ),
    at=instant,
    nearness=share,
)
questions = st.builds(
    NearQuestion,
    words=st.just("Which pump leaks?"),
    at=instant,
    times=st.integers(1, 9),
    nearness=share,
)
pages = st.builds(
    NearPage, entry=st.just("e"), title=st.just("Pump"), gravity=share
)
contexts = st.builds(
    ReaderContext,
    now=st.just(NOW),
    topic=st.just(TOPIC),
    notes=st.lists(notes, max_size=9).map(tuple),
    questions=st.lists(questions, max_size=5).map(tuple),
    pages=st.lists(pages, max_size=5).map(tuple),
    links=st.integers(0, 20),
    elsewhere=st.integers(0, 5000),
    unopened=st.integers(0, 20),
    role_nearness=share,
    recalls=st.integers(0, 5),
)


def expert(count: int = 14) -> ReaderContext:
    text = "The pump's seal leaked at 4.5 bar on 3 May; pressure fell by 12 %."
    return ReaderContext(
        NOW,
        TOPIC,
        tuple(
            NearNote(text, "2026-11-01T00:00:00.000000Z", 1.0)
            for _ in range(count)
        ),
        (NearQuestion("Which seal fits the pump?", NOW, 4, 0.9),),
        elsewhere=200,
    )


def more_evidence(context: ReaderContext) -> list[ReaderContext]:
    note = NearNote("The seal of pump 2 leaks.", NOW, 0.7)
    asked = NearQuestion("Which pump?", NOW, 1, 0.7)
    page = NearPage("p", "Pump", 0.4)
    return [
        context._replace(notes=(*context.notes, note)),
        context._replace(questions=(*context.questions, asked)),
        context._replace(pages=(*context.pages, page)),
        context._replace(links=context.links + 1),
        context._replace(recalls=context.recalls + 1),
        context._replace(role_nearness=min(1.0, context.role_nearness + 0.2)),
        context._replace(elsewhere=max(0, context.elsewhere - 10)),
        context._replace(unopened=max(0, context.unopened - 1)),
    ]


@given(contexts)
def test_more_evidence_of_any_kind_never_makes_a_source_shallower(
    context: ReaderContext,
) -> None:
    score = score_context(context)
    step = STEPS.index(choose_depth(context, LONG).step)
    for more in more_evidence(context):
        assert score_context(more) >= score
        assert STEPS.index(choose_depth(more, LONG).step) >= step


@given(contexts)
def test_the_score_lies_between_0_and_1_and_is_the_same_again(
    context: ReaderContext,
) -> None:
    assert 0 <= score_context(context) <= 1
    assert choose_depth(context, LONG) == choose_depth(context, LONG)


def test_a_note_that_is_longer_or_has_numbers_is_more_detailed() -> None:
    def detail(text: str) -> float:
        return measure_detail(NearNote(text, NOW, 1.0), TOPIC)

    assert detail("It leaks.") < detail("It leaks and drips on the floor.")
    assert detail("It leaks.") < detail("It leaks 3.")
    assert detail("It leaks here.") < detail("The seal leaks.")


@pytest.mark.parametrize("kind", EVIDENCE)
def test_no_kind_of_evidence_decides_alone(kind: str) -> None:
    weight, _ = EVIDENCE[kind]
    assert 1 - 0.8 * (1 - weight) < 0.82  # the bar of full text


def test_a_young_wiki_works_sources_in_in_detail() -> None:
    depth = choose_depth(ReaderContext(NOW), LONG)
    assert depth.step == "detailed"
    assert depth.evidence == ("You wrote no note yet.",)


def test_who_wrote_much_about_other_things_gets_it_briefly() -> None:
    depth = choose_depth(ReaderContext(NOW, elsewhere=300), LONG)
    assert depth.step == "brief"
    assert depth.evidence == (
        "You wrote 300 notes about other things and none near this.",
    )


def test_a_topic_whose_sources_were_never_opened_gets_a_linkout() -> None:
    depth = choose_depth(ReaderContext(NOW, elsewhere=300, unopened=7), LONG)
    assert depth.step == "linkout"
    assert "7 other sources near this" in depth.evidence[1]


def test_who_works_on_the_topic_gets_it_in_detail_and_reads_why() -> None:
    depth = choose_depth(expert(), LONG)
    assert depth.step == "detailed"
    assert depth.evidence == (
        "You wrote 14 notes near this, 14 in the last 30 days,"
        " with numbers in 14.",
        "You asked 4 questions about it, the last on 2026-11-23.",
    )
    assert choose_depth(expert(60), LONG).step == "full text"


def test_recency_counts() -> None:
    fresh = expert()
    stale = fresh._replace(
        notes=tuple(
            note._replace(at="2020-01-01T00:00:00.000000Z")
            for note in fresh.notes
        )
    )
    assert score_context(stale) < score_context(fresh)


def test_fetching_the_original_twice_deepens_by_a_step() -> None:
    context = ReaderContext(NOW, elsewhere=300)
    deeper = choose_depth(context._replace(recalls=2), LONG)
    assert deeper.step == "key points"
    assert deeper.evidence[-1] == (
        "You fetched its original 2 times: it was too shallow."
    )


def test_what_is_short_is_kept_whole() -> None:
    context = ReaderContext(NOW, elsewhere=300)
    depth = choose_depth(context, SHORT)
    assert depth.step == "full text"
    assert depth.evidence[0] == "It has 1,200 characters: too few to shorten."
    assert choose_depth(context, SHORT + 1).step == "brief"


def test_the_person_has_the_last_word_and_the_score_stays_on_record() -> None:
    asked = Override("linkout", "You asked for it with --depth.")
    depth = choose_depth(expert(), 100, asked)
    assert depth.step == "linkout"
    assert depth.score == score_context(expert())
    assert depth.evidence[0] == "You asked for it with --depth."


def test_every_step_is_named_by_a_threshold() -> None:
    assert {step for step, _ in THRESHOLDS} == set(STEPS)
    assert [step_of(least) for _, least in THRESHOLDS] == [
        step for step, _ in THRESHOLDS
    ]


@pytest.mark.parametrize(
    ("settings", "step"),
    [
        ({"https://example.org/*": "brief"}, "brief"),
        ({"example.org/*": "brief"}, "brief"),
        ({"pump": "full text"}, "full text"),
        ({"pump seal": "detailed", "pump": "full text"}, "detailed"),
        ({"Manual": "linkout"}, "linkout"),
        ({"garden": "linkout"}, None),
        ({"*.pdf": "linkout"}, None),
        ({"https://example.org": "linkout"}, None),
    ],
)
def test_settings_name_a_depth_by_source_and_by_topic(
    settings: dict[str, Any], step: str | None
) -> None:
    found = find_override(
        settings.items(),
        source="https://example.org/manual?x=1",
        title="The pump manual",
        topic=TOPIC,
    )
    assert (found and found.step) == step


def test_a_depth_from_the_settings_says_which_line_decided() -> None:
    found = find_override(
        [("pump", "brief")], source="a.pdf", title="", topic=TOPIC
    )
    assert found == Override("brief", 'Your settings say "pump: brief".')
