"""Private and shared claims in one view: private wins ties unless the shared claim is newer and
corroborated (LED-16).

Only its owner reads a private claim, so there is never more than one owner's in a view; for
everybody else the rule is silent. It concerns ties only: what became so later stands, whoever it
was told to.
"""

from collections.abc import Collection, Sequence

from companion.values.claims import Assertion

CORROBORATED = 2  # independent voices


def break_tie(
    values: Sequence[str], told: Collection[Assertion]
) -> tuple[list[str], str]:
    """Return which of the tied *values* remain, and why; all of them, without a reason, where scope
    says nothing.

    A shared value is newer and corroborated if it was told again after the private one, and by two
    voices or more that are not the voice of the private claim.
    """
    private = [a for a in told if a.scope == "private" and a.value in values]
    mine = sorted({a.value for a in private})
    if not mine or len(mine) == len(values):
        return list(values), ""
    theirs = [
        value
        for value in values
        if value not in mine
        and _is_newer_and_corroborated(value, told, private)
    ]
    if theirs:
        return (
            theirs,
            f"newer than what was told in private, and {CORROBORATED} voices or more tell it",
        )
    return mine, "told in private, which wins a tie"


def _is_newer_and_corroborated(
    value: str, told: Collection[Assertion], private: Sequence[Assertion]
) -> bool:
    shared = [
        a
        for a in told
        if a.value == value and a.voice not in {p.voice for p in private}
    ]
    newer = max((a.told_at for a in shared), default="") > max(
        a.told_at for a in private
    )
    return newer and len({a.voice for a in shared}) >= CORROBORATED
