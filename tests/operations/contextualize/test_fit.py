"""What a source becomes for its reader: verbatim, within budget, and fitted to them."""

import string
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.language.vectors.static_vectors import StaticEmbedder
from companion.operations.contextualize.fitting.choose import measure_budget
from companion.operations.contextualize.fitting.fit import fit
from companion.operations.contextualize.fitting.pieces import (
    count_words,
    part,
)
from companion.operations.contextualize.values import (
    STEPS,
    Depth,
    Linkout,
    NearNote,
    NearQuestion,
    ReaderContext,
    Representation,
    Step,
)
from companion.sources.document import Document, Memory, Passage, Turn

NOW = "2026-11-23T06:00:00.000000Z"
NOBODY = ReaderContext(NOW)
LINKOUT = Linkout("https://example.org/adr", "abcdefghijklmnop")
EMBEDDER = StaticEmbedder()

RECORD = Document(
    "Queue for invoices",
    (
        Passage("Queue for invoices", "heading", 1, "line 1"),
        Passage("Context", "heading", 2, "line 3"),
        Passage(
            "The billing team loses about 40 invoices a month. Customers"
            " complain, and the finance director wants a fix before June. Our"
            " goal is to send every invoice within one hour.",
            place="lines 5-7",
        ),
        Passage(
            "We talked to two customers and to support. They agree that a late"
            " invoice is acceptable and a lost one is not.",
            place="lines 9-10",
        ),
        Passage("Options", "heading", 2, "line 12"),
        Passage("We looked at three options:", place="line 14"),
        Passage(
            "- Celery with Redis: supports retries with exponential backoff.\n"
            "- A table in PostgreSQL polled by a worker: 50 jobs per second.\n"
            "- A managed queue in the cloud: costs 300 euros a month.",
            "list",
            place="lines 16-18",
        ),
        Passage("Decision", "heading", 2, "line 20"),
        Passage(
            "We use a table in PostgreSQL with `SELECT ... FOR UPDATE`. The"
            " trade-off is throughput: we accept 50 jobs per second because we"
            " send 2,000 invoices a day.",
            place="lines 22-24",
        ),
        Passage("Consequences", "heading", 2, "line 26"),
        Passage(
            "The worker must be idempotent, because a job may run twice when a"
            " connection drops. The library procrastinate 2.1 does not support"
            " priorities. If the clock of the database jumps, scheduled jobs"
            " may run late.",
            place="lines 28-30",
        ),
        Passage(
            "Support sees the state of each invoice. The roadmap item moves"
            " from Q4 to Q3. Stakeholders get a monthly report about late"
            " invoices.",
            place="lines 32-34",
        ),
    ),
    authors=("Anna Berg",),
    site="example.org",
    published_at="2026-03-04T00:00:00.000000Z",
)


def reader(*texts: str, role: str = "") -> ReaderContext:
    notes = tuple(NearNote(text, NOW, 0.9) for text in texts)
    return ReaderContext(NOW, notes=notes, role=role)


OWNER = reader(
    "The goal for this quarter: no customer complaints about invoices.",
    "Stakeholders want the roadmap for the finance report.",
    "We must explain the trade-off to the director and the customers.",
    role="product owner",
)
DEVELOPER = reader(
    "Our worker crashed when the database connection dropped.",
    "Celery retries jobs with backoff; the library has no priorities.",
    "Idempotent jobs: PostgreSQL runs a job twice after a timeout.",
    role="developer",
)


def fitted(
    document: Document, step: Step, context: ReaderContext = NOBODY
) -> Representation:
    return fit(
        document, context, Depth(step, 0.5, ()), EMBEDDER, linkout=LINKOUT
    )


def body(representation: Representation) -> str:
    return representation.text.partition("\n\n")[2]


law = settings(deadline=None, max_examples=50)


# -- laws ------------------------------------------------------------------------------------------

words = st.text(string.ascii_letters + "äß0123456789", min_size=1, max_size=9)
sentence = st.builds(
    lambda parts, end: " ".join(parts) + end,
    st.lists(words, min_size=1, max_size=12),
    st.sampled_from([".", "!", "?", ":", "", "..."]),
)
prose = st.lists(sentence, min_size=1, max_size=5).map(" ".join)
passage = st.one_of(
    st.builds(Passage, prose, place=st.just("page 1")),
    st.builds(Passage, words, st.just("heading"), level=st.integers(1, 7)),
    st.builds(
        Passage,
        st.lists(prose, min_size=1, max_size=5).map(
            lambda items: "\n".join(f"- {item}" for item in items)
        ),
        st.just("list"),
    ),
    st.builds(
        Passage,
        st.lists(words, min_size=1, max_size=40).map(
            lambda cells: (
                "| a |\n|---|\n" + "\n".join(f"| {cell} |" for cell in cells)
            )
        ),
        st.just("table"),
    ),
    st.builds(lambda text: Passage(f"```\n{text}\n```", "code"), prose),
)
turn = st.builds(
    Turn,
    speaker=st.sampled_from(["Anna", ""]),
    role=st.sampled_from(["owner", "assistant", "other", "tool"]),
    text=prose,
    at=st.just(NOW),
    place=st.just("turn 1"),
)
documents = st.one_of(
    st.builds(
        lambda title, found: Document(title, passages=tuple(found)),
        words,
        st.lists(passage, max_size=12),
    ),
    st.builds(
        lambda title, found: Document(title, turns=tuple(found)),
        words,
        st.lists(turn, max_size=12),
    ),
    st.builds(
        lambda title, found: Document(title, memories=tuple(found)),
        words,
        st.lists(prose.map(Memory), max_size=12),
    ),
)
contexts = st.sampled_from([NOBODY, OWNER, DEVELOPER])


@law
@given(documents, st.sampled_from(STEPS), contexts)
def test_every_span_points_at_the_very_words_in_the_source(
    document: Document, step: Step, context: ReaderContext
) -> None:
    representation = fitted(document, step, context)
    text = document.text
    for kept in representation.spans:
        length = kept.end - kept.start
        stands = representation.text[kept.at : kept.at + length]
        assert stands == text[kept.start : kept.end]
    for one in representation.turns:
        for kept in one.spans:
            length = kept.end - kept.start
            assert (
                one.text[kept.at : kept.at + length]
                == (text[kept.start : kept.end])
            )


@law
@given(documents, st.sampled_from(STEPS), contexts)
def test_a_representation_keeps_to_its_budget(
    document: Document, step: Step, context: ReaderContext
) -> None:
    representation = fitted(document, step, context)
    parted = part(document)
    total = sum(
        count_words(parted.words_of(n)) for n in range(len(parted.pieces))
    )
    spans = [*representation.spans]
    for one in representation.turns:
        spans += one.spans
    pieces = [
        piece
        for piece in parted.pieces
        if any(s.start <= piece.start and piece.end <= s.end for s in spans)
    ]
    kept = sum(count_words(document.text[p.start : p.end]) for p in pieces)
    assert len(pieces) == representation.kept
    assert kept <= measure_budget(step, total)


@law
@given(documents, st.sampled_from(STEPS), contexts)
def test_the_same_source_and_reader_give_the_same_representation(
    document: Document, step: Step, context: ReaderContext
) -> None:
    first = fitted(document, step, context)
    again = fit(
        document,
        context,
        Depth(step, 0.5, ()),
        StaticEmbedder(),
        linkout=LINKOUT,
    )
    assert first == again


@law
@given(documents, st.sampled_from(STEPS))
def test_the_linkout_stands_at_every_depth(
    document: Document, step: Step
) -> None:
    text = fitted(document, step).text
    assert "Source: <https://example.org/adr>" in text
    assert "Original: `companion recall abcdefghijklmnop`" in text


@law
@given(documents)
def test_the_full_text_loses_no_piece_and_a_linkout_keeps_none(
    document: Document,
) -> None:
    full = fitted(document, "full text")
    assert full.kept == full.sentences
    assert full.distortion == 0
    assert full.dropped == ()
    link = fitted(document, "linkout")
    assert (link.kept, link.spans, link.turns) == (0, (), ())


@law
@given(documents, contexts)
def test_deeper_keeps_no_fewer_words(
    document: Document, context: ReaderContext
) -> None:
    losses = [fitted(document, step, context).distortion for step in STEPS]
    assert losses[0] >= losses[1]
    assert losses[-1] == 0


@law
@given(documents)
def test_pieces_stand_in_order_and_need_only_earlier_ones(
    document: Document,
) -> None:
    parted = part(document)
    end = 0
    for number, piece in enumerate(parted.pieces):
        assert end <= piece.start < piece.end <= len(parted.text)
        assert parted.words_of(number) == parted.words_of(number).rstrip()
        assert all(need < number for need in piece.needs)
        end = piece.end


# -- what is fitted, not only how much -------------------------------------------------------------


def test_an_owner_gets_goals_and_a_developer_constraints_of_one_record() -> (
    None
):
    owner = body(fitted(RECORD, "brief", OWNER))
    developer = body(fitted(RECORD, "brief", DEVELOPER))
    assert "Stakeholders get a monthly report" in owner
    assert "trade-off" in owner
    assert "idempotent" not in owner
    assert "idempotent" in developer
    assert "procrastinate 2.1 does not support priorities" in developer
    assert "procrastinate" not in owner
    assert "Stakeholders" not in developer


def test_a_question_asked_lately_brings_its_answer() -> None:
    asked = NearQuestion("What does a managed queue cost?", NOW, 2, 1.0)
    page = body(fitted(RECORD, "brief", NOBODY._replace(questions=(asked,))))
    assert "costs 300 euros a month" in page


def test_the_page_says_what_its_reader_could_not_read() -> None:
    notes = ("its words were recognised", 'attachment "a[b].png" was not read')
    page = fitted(RECORD._replace(warnings=notes), "key points")
    head = page.text.partition("\n\n")[0]

    assert head.endswith(
        "Note: its words were recognised  \n"
        'Note: attachment "a b .png" was not read'
    )
    for kept in page.spans:
        words = RECORD.text[kept.start : kept.end]
        assert page.text[kept.at :].startswith(words)


def test_the_role_alone_changes_what_is_kept() -> None:
    pages = {
        fitted(RECORD, "brief", NOBODY._replace(role=role)).text
        for role in ("", "database developer", "customer support")
    }
    assert len(pages) == 3


def test_a_document_has_title_byline_sections_and_places() -> None:
    page = fitted(RECORD, "key points", DEVELOPER)
    assert page.title == "Queue for invoices"
    assert page.text.startswith("By Anna Berg · example.org · 2026-03-04  \n")
    assert "Depth: key points, " in page.text
    assert "### Consequences\n\n" in page.text
    assert "Queue for invoices" not in body(page)
    assert {kept.place for kept in page.spans} >= {"lines 28-30"}
    assert dict(page.dropped).keys() <= {"sentence", "item"}
    assert 0.1 < page.distortion < 0.5


# -- what does not stand alone ---------------------------------------------------------------------


def kept_with(document: Document, question: str, step: Step = "brief") -> str:
    asked = NearQuestion(question, NOW, 9, 1.0)
    page = fitted(document, step, NOBODY._replace(questions=(asked,)))
    return body(page) + "\n".join(turn.text for turn in page.turns)


FILLER = tuple(
    Passage(f"The weather in week {n} was mild, and nobody complained at all.")
    for n in range(90)
)


def test_a_sentence_that_begins_with_a_pronoun_brings_the_one_before() -> None:
    document = Document(
        "Visit",
        (
            *FILLER,
            Passage("Dr. Vogt saw the patient on 3 May. She stopped warfarin."),
        ),
    )
    page = kept_with(document, "Who stopped warfarin?")
    assert "Dr. Vogt saw the patient on 3 May. She stopped warfarin." in page


def test_a_sentence_that_stands_on_every_page_is_kept_once() -> None:
    figure = "False alarms fell by 18 percent in 2024."
    others = (
        "The crew checks the rigging before each leg.",
        "Operators restart by hand.",
        "The sensors at hub height failed.",
    )
    pages = []
    for number in range(60):
        words = f"{figure} {others[number % 3]}"
        pages.append(Passage(words, place=f"page {number + 1}"))
    text = fitted(Document("Icing", tuple(pages)), "key points").text
    for words in (figure, *others):
        assert text.count(words) <= 1
    assert figure in text


def test_a_list_item_brings_the_line_that_leads_to_the_list() -> None:
    document = Document(
        "Rules",
        (
            *FILLER,
            Passage("Never mix these with bleach:"),
            Passage("- vinegar\n- ammonia cleaner for windows", "list"),
        ),
    )
    page = kept_with(document, "ammonia cleaner for windows?")
    assert "Never mix these with bleach:\n\n- ammonia cleaner" in page.replace(
        "- vinegar\n", ""
    )


def test_a_line_that_only_announces_a_list_never_stands_alone() -> None:
    document = Document(
        "Rules",
        (*FILLER, Passage("Rules for ammonia:"), Passage("- Go out.", "list")),
    )
    page = kept_with(document, "What are the rules for ammonia?")
    assert ("ammonia" in page) == ("- Go out." in page)


def test_a_row_brings_the_head_of_its_table() -> None:
    rows = "\n".join(f"| part {n} of the pump | {n} euros |" for n in range(60))
    table = f"| part | price |\n|---|---|\n{rows}"
    document = Document("Prices", (*FILLER, Passage(table, "table")))
    page = kept_with(document, "What is the price of part 37 of the pump?")
    assert "| part | price |\n|---|---|" in page
    assert "| part 37 of the pump | 37 euros |" in page


def test_a_short_answer_brings_its_question() -> None:
    turns = [
        Turn("Anna", "owner", f"Nothing happened on day {n}, as on all days.")
        for n in range(90)
    ]
    turns.append(Turn("Bot", "assistant", "Which port does the broker use?"))
    turns.append(Turn("Anna", "owner", "Port 5671."))
    page = kept_with(Document("Chat", turns=tuple(turns)), "port 5671")
    assert "Which port does the broker use?" in page
    assert "Port 5671." in page


def test_a_denial_is_never_cut_off() -> None:
    document = Document(
        "Notice",
        (
            *FILLER,
            Passage(
                "The old pump must not be used with hot water above 60 °C."
            ),
        ),
    )
    page = kept_with(document, "Is hot water fine for the pump?")
    assert "The old pump must not be used with hot water above 60 °C." in page


def test_code_in_a_line_is_not_parted() -> None:
    parted = part(RECORD)
    pieces = [parted.words_of(n) for n in range(len(parted.pieces))]
    assert any(
        piece.endswith("with `SELECT ... FOR UPDATE`.") for piece in pieces
    )


# -- conversations ---------------------------------------------------------------------------------


def test_the_owners_turns_come_before_an_assistants_long_answers() -> None:
    turns = []
    for n in range(30):
        turns.append(
            Turn(
                "Anna",
                "owner",
                f"My boiler of type BX{n} was installed on {n + 1} May.",
                f"2026-05-{n + 1:02d}T08:00:00.000000Z",
                f"turn {2 * n + 1}",
            )
        )
        turns.append(
            Turn(
                "Bot",
                "assistant",
                f"That is great to hear about the boiler BX{n} in May. "
                "Boilers come in many types. Many people install boilers. "
                "A boiler heats water. It is often installed by a plumber.",
                f"2026-05-{n + 1:02d}T08:01:00.000000Z",
                f"turn {2 * n + 2}",
            )
        )
    page = fitted(Document("Boilers", turns=tuple(turns)), "detailed")
    owners = [one for one in page.turns if one.role == "owner"]
    assert len(owners) == 30
    assert all(one.whole for one in owners)
    assert owners[4].speaker == "Anna"
    assert owners[4].at == "2026-05-05T08:00:00.000000Z"
    assert page.turns[0].spans[0].place == "turn 1"
    numbers = [one.number for one in page.turns]
    assert numbers == sorted(numbers)


def test_memories_keep_who_wrote_them() -> None:
    document = Document(
        "Store",
        memories=(
            Memory("The user lives in Kiel.", NOW, None, "mem0", "row 1"),
            Memory("I like tea.", NOW),
        ),
    )
    page = fitted(document, "full text")
    assert [(one.role, one.speaker) for one in page.turns] == [
        ("other", "mem0"),
        ("owner", ""),
    ]


# -- sources that are no texts ---------------------------------------------------------------------


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize(
    "document",
    [
        Document("Empty"),
        Document("", (Passage(""),)),
        Document("Blank", (Passage("  \n "), Passage("\t", "table"))),
        Document("Marks", (Passage("!!! ??? ..."), Passage("---", "list"))),
        Document("Unopened", (Passage("word " * 90_000),)),
        Document("One word", (Passage("a" * 200_000),)),
        Document("Headings", (Passage("A", "heading", 1),) * 3),
        Document(
            "Code", (Passage("```\n" + "x = 1\n" * 9000 + "```", "code"),)
        ),
        Document("Table", (Passage("| a | b |\n" * 5000, "table"),)),
        Document("Chinese", (Passage("水在一百度沸腾。油不会。" * 300),)),
        Document("Backtick", (Passage("A ` b. " * 9001),)),
        Document("Silence", turns=(Turn("", "tool", ""),) * 5),
    ],
    ids=lambda value: value.title if isinstance(value, Document) else None,
)
def test_what_is_no_text_is_fitted_all_the_same(
    document: Document, step: Step
) -> None:
    page = fitted(document, step)
    assert page.title == document.title
    assert LINKOUT.entry in page.text
    assert 0 <= page.distortion <= 1
    for kept in page.spans:
        assert (
            page.text[kept.at : kept.at + kept.end - kept.start]
            == (document.text[kept.start : kept.end])
        )


def test_one_huge_sentence_still_gives_a_brief() -> None:
    page = fitted(
        Document("Dump", (Passage("lorem ipsum " * 20_000),)), "brief"
    )
    assert 0 < len(page.text) < 3_000


@pytest.mark.slow
def test_ten_times_the_pages_take_about_ten_times_as_long() -> None:
    def cpu_seconds(pages: int) -> float:
        """Fit a manual of so many pages."""
        text = "The seal of pump {} holds {} bar, as team {} found. "
        manual = Document(
            "Manual",
            tuple(
                Passage(
                    "".join(text.format(n * i, i, n % 50) for i in range(20)),
                    place=f"page {n}",
                )
                for n in range(pages)
            ),
        )
        began = time.process_time()
        fitted(manual, "key points", DEVELOPER)
        return time.process_time() - began

    cpu_seconds(20)
    # 200 pages have more pieces than are compared by vectors
    assert cpu_seconds(2_000) < 25 * max(cpu_seconds(200), 0.05)


def test_a_name_in_the_head_cannot_break_out_of_it() -> None:
    document = Document("T", (Passage("Hi."),), authors=("[x](y)\n## Facts",))
    page = fit(
        document,
        NOBODY,
        Depth("linkout", 0, ()),
        EMBEDDER,
        linkout=Linkout("a`b\n## Facts.md", "abc"),
    )
    assert not any(line.startswith("#") for line in page.text.splitlines())
