"""Where sentences end: abbreviations, initials, ordinals and dates end none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.language.sentence_ends import split_sentences

# "|" stands where a sentence ends
ENGLISH = [
    "Dr. Boateng is on leave.| Call Prof. Miller instead.",
    "We met Mr. and Mrs. Hale.| They moved.",
    "The boat belongs to J. Smith.| He sails it.",
    "J. R. R. Tolkien wrote it.| Read it again.",
    "Pack warm things, e.g. gloves.| And a hat.",
    "Fruit, i.e. Apples, is in the cellar.",
    "It weighs approx. 3 kg.| Carry it.",
    "Martin Luther King Jr. Boulevard is closed.",
    "My uncle is John Hale Jr.| He lives in Leeds.",
    "We fly to St. Moritz in May.| Anna comes too.",
    "The shop is on Main St.| The owner is Greek.",
    "Room No. 7 is ours.| Breakfast at eight.",
    "I said no.| Then she left.",
    "The meeting is at 9 a.m. on Monday.",
    "The meeting is at 9 a.m.| Bring the plan.",
    "She moved to the U.S. in 2019.| He followed.",
    "The U.S. Embassy is shut.",
    "Bread, milk, etc.| Anna pays.",
    "Bread, milk, etc. are in the bag.",
    "See Fig. 3 and Vol. 2.| Both are old.",
    "We are three.| Anna is the fourth.",
    "He is 5.| Anna is 7.",
    "Born in 1999.| Died young.",
    "It costs 3.50 a piece.| Buy two.",
    "v1.2 is out.| Update it.",
    "Is it so?| Yes!| Good.",
    'He said "Stop."| Then he left.',
    'She asked "Why?" and left.',
    "Wait... what is this?| No idea.",
    "Wait...| What is this?",
    "The plan B.| We take it.",
    "So am I.| Anna agrees.",
    "bought milk.| called anna.| slept.",
    "dr. wessel called.| he is fine.",
    "Lunch with Jan.| Anna came too.",
    "Since Jan. 5 we are closed.",
    "On 5 Oct. we sail.| Be there.",
    "Smith et al. 2019 found it first.",
    "Acme Inc. bought Widgets Ltd. in March.",
    "Gen. Miller and Capt. Hook sail.| Nobody waves.",
    "Jones vs. Smith is on.| Watch it.",
    "The TV.| The PDF.| The end.",
    "Ran 8 km.| Knee hurts.",
    "Ask Ms. Ito or Sgt. Dale.",
    "Est. 1850, it says.| Nice.",
    "The dept. closed.| We moved.",
    "1. Buy milk",
    "Version 2.| New icons.",
    "See p. 12 of the book.| It helps.",
    "It is by Ursula K. Le Guin.| Read it.",
    "The war of World War II.| Peace came.",
]
GERMAN = [
    "Unser Kinderarzt ist Dr. Wessel.| Er ist nett.",
    "Prof. Dr. med. Lang operiert.| Danach Ruhe.",
    "Obst, z. B. Äpfel, liegt im Keller.| Hol welche.",
    "Obst, z.B. Äpfel, liegt im Keller.",
    "Das heißt, d. h. Anna kommt.| Gut so.",
    "Zimmer Nr. 5 ist frei.| Wir nehmen es.",
    "Seit dem 5. Mai gilt der neue Plan.| Er ist besser.",
    "Am 24. Dezember kommt Oma.| Sie bleibt.",
    "Am 24.12. Weihnachtsfeier bei Tante Ilse.",
    "Wir wohnen im 3. Stock links.| Klingel kaputt.",
    "Lena ist 5.| Jonas ist 8.",
    "Er kam um 8:15.| Dann ging er.",
    "Brot, Milch usw.| Anna zahlt.",
    "Brot, Milch usw. sind da.",
    "Sie wohnt in der Gartenstr. 5.| Das Haus ist gelb.",
    "Frau Dr. Ay und Hr. Lang kommen.",
    "Das kostet ca. 30 Euro.| Zu viel.",
    "Ggf. Anna fragen.| Sonst Paul.",
    "Es gilt bzgl. Miete nichts Neues.",
    "Der Verein heißt Sport e. V. und ist alt.",
    "Max.| Anna.| Paul.",
    "Es sind max. 5 Leute.| Mehr nicht.",
    "Die 2. Klasse hat frei.| Jonas freut sich.",
    "Im 19. Jahrhundert stand hier nichts.",
    "Kirche St. Anna ist offen.| Geh hin.",
    "Ludwig XIV. war klein.| Glaubt man.",
    "Vgl. Kap. 3 und Abs. 2.| Dort steht es.",
    "Treffen am Hbf. um acht.| Sei da.",
    "Er heißt A. Becker.| Wir mögen ihn.",
    "Es ist so.| Aber warum?",
    "Der TÜV ist am 3. fällig.| Denk dran.",
    "Die Miete beträgt 3 Mio. Euro.| Unglaublich.",
    "i. d. R. Montag.| Sonst Dienstag.",
    "Jan. 2024 war kalt.| Der Mai nicht.",
    "Oma nimmt 2 Tabl. am Tag.| Immer.",
    "Er fragte: „Kommst du?“ und ging.",
    "Um 5 v. Chr. Geburt gab es das nicht.",
    "Wir sind zu 4.| Oma kocht.",
    "Anna kam am 5.| Sie bleibt.",
    "Am Montag d. 3. März beginnt es.",
]
OTHERS = [
    "M. Dupont habite ici.| Il est gentil.",
    "Mme. Roux vient le 5.| Elle reste.",
    "El Sr. García vive aquí.| Es amable.",
    "La Sra. López y el Dr. Ruiz vienen.",
    "p. ex. des pommes.| Bon.",
    "Av. Libertad 5.| La casa es azul.",
    "今日は天気がいい。|明日も。",
    "Il signor Rossi è qui.| Va bene.",
    "Dhr. Jansen komt.| Hij blijft.",
    "No line, no end",
]


@pytest.mark.parametrize("marked", [*ENGLISH, *GERMAN, *OTHERS])
def test_a_text_is_split_where_its_sentences_end(marked: str) -> None:
    assert split_sentences(marked.replace("|", "")) == marked.split("|")


@given(st.text() | st.from_regex(r"(?:(?:Dr|z\. ?B|5|Nr|[A-Z]|etc)[.!?] ?)*"))
def test_splitting_loses_nothing(text: str) -> None:
    assert "".join(split_sentences(text)) == text


@given(st.lists(st.text(alphabet="ab .!?\n5AZ", min_size=1)))
def test_no_part_is_empty(texts: list[str]) -> None:
    for part in split_sentences(" ".join(texts)):
        assert part
