"""The little words of six languages that say nothing of what a text is about, and the language that
they show.

Folded, and parted at apostrophes, as `storage.index.terms.split_words` gives words. On the hot path
of a search, so they stand in code: reading TOML would cost more than the search.
"""

from collections.abc import Collection


def _split(words: str) -> frozenset[str]:
    return frozenset(words.split())


#: of each language; an earlier one wins a tie
STOP_WORDS: dict[str, frozenset[str]] = {
    "en": _split(
        "a about after again all also am an and any are as at be because been before being both"
        " but by can could d did do does doing don down during each few for from further had has"
        " have having he her here hers him his how i if in into is it its itself just ll m me"
        " might more most must my myself no nor not now of off on once only or other our ours out"
        " over own please re s same shall she should so some such t tell than that the their"
        " theirs them then there these they this those through to too under until up us ve very"
        " was we were what when where which while who whom whose why will with would you your"
        " yours"
    ),
    "de": _split(
        "aber alle allem allen aller alles als also am an auch auf aus bei beim bin bis bist da"
        " ans aufs damit dann das dass dein deine dem den denn der des dich die dies diese diesem"
        " diesen dieser dieses dir doch dort du durch durchs ein eine einem einen einer eines er"
        " es etwas euch euer fur furs gab gibt hab habe haben hast hat hatte hatten hier ich ihm"
        " ihn ihnen ihr ihre ihrem ihren ihrer im in ins ist ja jede jedem jeden jeder jedes kann"
        " kein keine keinen konnen konnte man mein meine meinem meinen meiner mich mir mit muss"
        " nach nicht noch nun nur ob oder ohne schon sehr sein seine seinem seinen seiner seit"
        " sich sie sind so soll uber um und uns unser unsere unter vom von vor wann war waren"
        " warum was wegen weil welche welchem welchen welcher welches wem wen wenn wer werde"
        " werden wie wieder will wir wird wirst wo woher wohin wurde wurden zu zum zur"
    ),
    "fr": _split(
        "a ai as au aussi aux avait avec avez avoir avons c ce ces cet cette comme d dans de des"
        " donc dont du elle elles en es est et etait etaient etre eu fait il ils j je l la le les"
        " leur leurs lui m ma mais me meme mes moi mon n ne ni nos notre nous on ont ou par pas"
        " plus pour qu quand que quel quelle quelles quels qui quoi s sa sans se sera ses si son"
        " sont suis sur t ta te tes toi ton tu un une vos votre vous y"
    ),
    "es": _split(
        "a al algo ante como con cual cuales cuando de del desde donde dos el ella ellas ellos en"
        " entre era eran es esa ese eso esta estaba estan estas este esto estos fue ha habia han"
        " hasta hay he la las le les lo los mas me mi mis mucho muy nada ni no nos nosotros o otra"
        " otro para pero por porque que quien quienes se sea ser si sin sobre son su sus tambien"
        " te tiene tienen tu tus un una uno unos y ya yo"
    ),
    "nl": _split(
        "aan al als bij dan dat de der deze die dit doen door dus een er geen had heb hebben heeft"
        " hem het hier hij hoe hun iemand iets ik in is ja je kan kon kunnen maar me meer men met"
        " mij mijn moet na naar niet niets nog nu of om omdat onder ons ook op over reeds te tot"
        " u uit uw van veel voor waar waren was wat we wel werd wie wij wil worden wordt zal ze"
        " zei zelf zich zij zijn zo zonder zou"
    ),
    "it": _split(
        "a ad agli ai al alla alle allo anche avere aveva c che chi ci come con cosa cui da dagli"
        " dai dal dalla dalle dallo dei del della delle dello di dove e ed era erano essere fa"
        " fra gli ha hai hanno ho i il in io l la le lei lo loro lui ma mi mia mie miei mio ne"
        " negli nei nel nella nelle nello noi non nostra nostro o per perche piu quale quando"
        " quella quelle quelli quello questa queste questi questo sei si sia siamo sono su sua"
        " sue sugli sui sul sulla sulle sullo suo suoi ti tra tu tua tuo un una uno vi voi"
    ),
}


def tell_language(words: Collection[str]) -> str | None:
    """Return the language with most little words among *words*; None where there is none."""
    distinct = set(words)
    best, most = None, 0
    for language, little in STOP_WORDS.items():
        count = len(little & distinct)
        if count > most:
            best, most = language, count
    return best
