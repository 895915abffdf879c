"""The times that a query names in plain words: "last week", "im Juli", "on 5 November".

What was told in such a time, or soon after it, is what who asks may mean. A query that names
nothing else asks for all that was told then. On the hot path of a search: one look at its words
tells most queries from those that name a time.
"""

from collections.abc import Callable, Sequence

from companion.language.words.stop_words import STOP_WORDS, tell_language
from companion.storage.index.ranking.spans import Span
from companion.storage.index.search.wanted import Request, Term
from companion.storage.index.terms import split_words
from companion.tuples import NamedTuple


class Named(NamedTuple):
    """A time that a query names, and where its words stand."""

    span: Span
    begin: int
    end: int
    # a word before it says that it is a time: "in May", and not May
    is_placed: bool
    onward: bool = False  # from then until now: "since March"


#: returns the times that a text names in a language; True: it speaks of the past
TimesReader = Callable[[str, str, bool], list[Named]]


def _split(words: str) -> frozenset[str]:
    return frozenset(words.split())


#: words of which each phrase for a time has one, folded: those of `time.toml`, as a test checks
_SIGNS = {
    "en": _split(
        "yesterday today tonight ago last past previous this january february march april may june"
        " july august september october november december monday tuesday wednesday thursday friday"
        " saturday sunday spring summer autumn winter jan feb mar apr jun jul aug sep sept oct nov"
        " dec weekend"
    ),
    "de": _split(
        "gestern vorgestern heute januar janner februar marz april mai juni juli august september"
        " oktober november dezember montag dienstag mittwoch donnerstag freitag samstag sonnabend"
        " sonntag fruhling fruhjahr sommer herbst winter letzte letztem letzten letzter letztes"
        " vorige vorigem vorigen voriges vergangene vergangenem vergangenen vergangenes diese"
        " diesem diesen dieser dieses tag tage tagen woche wochen monat monate monaten jahr jahre"
        " jahren wochenende feber feb mrz apr jun jul aug sept sep okt nov dez"
    ),
    "fr": _split(
        "hier aujourd janvier fevrier mars avril mai juin juillet aout septembre octobre novembre"
        " decembre lundi mardi mercredi jeudi vendredi samedi dimanche dernier derniere passe"
        " passee jour jours semaine semaines mois an ans annee printemps ete automne hiver"
    ),
    "es": _split(
        "ayer anteayer hoy enero febrero marzo abril mayo junio julio agosto septiembre setiembre"
        " octubre noviembre diciembre lunes martes miercoles jueves viernes sabado domingo pasado"
        " pasada dia dias semana semanas mes meses ano anos primavera verano otono invierno"
    ),
}
#: words of questions of what is over: "in July" is the last one
_OVER = _split(
    "did was were had have has been happened ago last"
    " war waren hatte hatten habe hast hat haben habt wurde wurden gab ging passierte geschah"
    " ai as a avons avez ont etait etaient"
    " he has ha hemos han fue era hice hizo"
)
#: words that say themselves that a time is over, or goes on
_SEEN_FROM_NOW = _split(
    "ago last past previous this today yesterday"
    " diese diesem diesen dieser dieses gestern heute letzte letztem letzten letzter letztes"
    " vergangene vergangenem vergangenen vergangenes vor vorgestern vorige vorigem vorigen voriges"
    " cet cette dernier derniere hier passe passee"
    " anteayer ayer esta este hace hoy pasada pasado"
)
#: words of questions that name nothing but a time
_ALL = _split(
    "anything did do done everything happen happened happening happens learn learned learnt new"
    " news note noted notes said say told tell went write written wrote"
    " alles aufgeschrieben gemacht geschah geschehen gesagt geschrieben getan habe hast haben los"
    " neu neues notiert notizen passiert passierte"
    " dit ecrit fait notes note passe"
    " anote dicho escribi hice hizo notas paso"
)
_WEEKENDS = _split("weekend wochenende")
_MOST = 4  # times of a query that count
_YEAR = 4  # digits


def add_times(request: Request, read: TimesReader) -> Request:
    """Return *request* with the times that its words name; of one that has no other telling words,
    what was told then.
    """
    words = split_words(request.words)
    if not request.is_plain or not words:
        return request
    named = _list_named(request.words, words, read)[:_MOST]
    others = _blank(request.words, named)
    if not named or not split_words(others):
        return request
    if not _tells_more(others):
        first = named[0].span
        return Request(
            "", ((Term("since", first.start),), (Term("before", first.end),))
        )
    # a date may stand in what is looked for; "last week" does not
    seen = [one for one in named if _is_not_looked_for(request.words, one)]
    return request._replace(
        words=_blank(request.words, seen),
        spans=tuple(one.span for one in named),
        timeless=others,
    )


def _list_named(
    text: str, words: Sequence[str], read: TimesReader
) -> list[Named]:
    """Return the times that *text* names, in the language that finds most."""
    is_over = not _OVER.isdisjoint(words)
    found: list[Named] = []
    for language in _list_languages(words):
        named = read(text, language, is_over)
        named = [one for one in named if _says_when(text, one, is_over)]
        if len(named) > len(found):
            found = named
    return found


def _is_seen_from_now(text: str, one: Named) -> bool:
    """Tell whether a time is said as it is seen from now: "last week"."""
    words = split_words(text[one.begin : one.end])
    return not _SEEN_FROM_NOW.isdisjoint(words)


def _is_not_looked_for(text: str, one: Named) -> bool:
    """Tell whether no note is looked for by the words of a time: "last week", but notes say of a
    weekend that it was one.
    """
    words = split_words(text[one.begin : one.end])
    return _is_seen_from_now(text, one) and _WEEKENDS.isdisjoint(words)


def _says_when(text: str, one: Named, is_over: bool) -> bool:
    """Tell whether the words of a time say when it was.

    "May" alone may be a name, and "on Saturdays" is no time where nothing *is_over*.
    """
    if one.onward or _is_seen_from_now(text, one):
        return True
    words = split_words(text[one.begin : one.end])
    if any(map(_is_year, words)):
        return True
    has_number = any(word[0].isdigit() for word in words)
    return is_over and (one.is_placed or has_number)


def _is_year(word: str) -> bool:
    return word.isdigit() and len(word) == _YEAR


def _list_languages(words: Sequence[str]) -> list[str]:
    """Return the languages in which *words* may name a time: that of the query, where it is one.

    Reading times in a language costs as much as the search.
    """
    signed = [
        language
        for language, signs in _SIGNS.items()
        if not signs.isdisjoint(words)
    ]
    told = tell_language(words)
    if told in signed:
        return [told]
    if any(map(_is_year, words)):
        return [told] if told in _SIGNS else ["en"]
    return signed


def _blank(text: str, named: Sequence[Named]) -> str:
    """Return *text* without the words of the times *named*."""
    rest = list(text)
    for one in named:
        rest[one.begin : one.end] = " " * (one.end - one.begin)
    return "".join(rest)


def _tells_more(others: str) -> bool:
    """Tell whether the words beside the times of a query tell something."""
    words = split_words(others)
    little = STOP_WORDS[tell_language(words) or "en"]
    return any(word not in little and word not in _ALL for word in words)
