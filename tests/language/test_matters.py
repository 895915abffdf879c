"""A conversation is named by what it is most about, and by what is told again beside that."""

import pytest

from companion.language.names.matters import list_matters


@pytest.mark.parametrize(
    ("turns", "matters"),
    [
        # what is told again, called as at first
        (
            [
                "The plumber comes on Tuesday for the kitchen tap.",
                "I have to renew my passport before the trip to Oslo.",
                "What do I need for the passport office?",
                "The tap still drips, should I turn off the water?",
            ],
            ["kitchen tap", "passport"],
        ),
        # what it begins with, and what is told most
        (
            [
                "Wie lange muss ein Hefezopf gehen?",
                "Bei uns in der Küche sind es nur 18 Grad.",
                "Gut. Und dann: der Rasenmäher springt nicht an.",
                "Die Zündkerze habe ich schon gewechselt.",
                "Der Vergaser also. Wo sitzt der beim Rasenmäher?",
            ],
            ["Hefezopf", "Rasenmäher"],
        ),
        # what is named once is no matter beside another: whoever is asked, wherever it is kept
        (
            [
                "The quarterly report is due and the chart of the revenue looks bad.",
                "There are five regions.",
                "My boss only wants one page.",
                "It goes into the blue folder.",
            ],
            ["quarterly report"],
        ),
        # nor is what comes first: it is about what the turns say together
        (
            [
                "A colleague wants me to split my pull request.",
                "Half of it is the retry logic.",
                "Could the tests go with the second part?",
            ],
            ["pull request"],
        ),
        # a plural needs no article, and ends where its verb begins
        (
            [
                "Slugs ate every lettuce on the allotment this week.",
                "I don't want pellets.",
            ],
            ["Slugs"],
        ),
        (["My hands shake when I talk.", "The voice too."], ["hands"]),
        (["My back hurts when I sit.", "Back exercises?"], ["back"]),
        (["My back hurts.", "All day long."], ["back"]),
        (["The fan rattles if it is warm."], ["fan"]),
        (["I lost my bike lights.", "In the rain."], ["bike lights"]),
        (
            ["Who are the neighbours of 5B?", "Neighbours complain."],
            ["neighbours"],
        ),
        (["My Windows laptop is slow.", "It is old."], ["Windows laptop"]),
        (["I counted 30 varroa mites on the board."], ["varroa mites"]),
        (["It has 900 lines.", "I run."], []),
        # a name goes on behind "of the"
        (
            ["Our book club read The Remains of the Day.", "She hated it."],
            ["book club"],
        ),
        (["Who read The Remains of the Day?"], ["Remains of the Day"]),
        # "shoulder" is no form of "should"
        (["I have a frozen shoulder.", "At night."], ["frozen shoulder"]),
        # the first thing that is named, but not where it is so, nor what somebody asks for
        (
            [
                "Der Gartenteich ist grün wie Erbsensuppe.",
                "Wir haben sechs Goldfische.",
            ],
            ["Gartenteich"],
        ),
        (
            ["In der Küche fliegen Vorratsmotten.", "Was hilft?"],
            ["Vorratsmotten"],
        ),
        (
            ["Which chess opening would you teach?", "Kids lose."],
            ["chess opening"],
        ),
        # who writes no capitals
        (
            [
                "die schaltung an meinem fahrrad springt ständig",
                "die kette ist vor nem jahr gewechselt worden",
            ],
            ["schaltung"],
        ),
        # somebody is not what it is about, where a thing is named
        (
            ["Mein Sohn hat Läuse, was tun?", "Wer muss es wissen?"],
            ["Läuse"],
        ),
        # whereto belongs to what goes there
        (
            [
                "Plan a trip to Georgia in May, ten days.",
                "What does it cost?",
                "And can the dog come, too?",
                "It is small.",
            ],
            ["trip to Georgia"],
        ),
        # somebody whom they all name
        (
            [
                "Mira asked for the spare tent.",
                "I told Mira to wait.",
                "Then Mira called.",
            ],
            ["Mira"],
        ),
        # no verb behind a thing, no "it's", no end that says nothing
        (["My promotion resonates with her.", "It's odd."], ["promotion"]),
        (["What is the more of it?", "Fine."], []),
        ([], []),
    ],
)
def test_matters_are_what_turns_are_about(
    turns: list[str], matters: list[str]
) -> None:
    assert list_matters(turns) == matters


def test_where_it_was_held_is_no_matter() -> None:
    turns = ["Look at the board of Trello.", "Trello is down."]
    assert "Trello" not in list_matters(turns, sources=["Trello"])
