"""The pure rules, and the tests that must notice when one is broken."""

PRESSURE = (
    "tests/minority/test_pressure.py",
    "tests/minority/test_openings.py",
)
PLAN = ("tests/minority/test_plan.py", "tests/minority/test_openings.py")
SUPERSESSION = (
    "tests/ledger/test_supersession.py",
    "tests/ledger/test_operators.py",
)
VERDICT = (
    "tests/operations/audit/test_votes.py",
    "tests/operations/audit/test_verdict.py",
    "tests/operations/audit/test_choose.py",
)
CONSEQUENCE = (
    "tests/operations/audit/test_consequence_numbers.py",
    "tests/operations/audit/test_consequence.py",
    "tests/operations/audit/test_verdict.py",
)

# file of the rule -> its tests
SUBJECTS: dict[str, tuple[str, ...]] = {
    "companion/ledger/supersession.py": SUPERSESSION,
    "companion/ledger/operators.py": SUPERSESSION,
    "companion/ledger/resolve.py": (
        "tests/ledger/test_rule_book.py",
        "tests/ledger/test_pages_of_own_meaning.py",
        "tests/ledger/test_resolve.py",
        "tests/ledger/test_resolve_run.py",
    ),
    "companion/ledger/dependents/follow.py": ("tests/ledger/test_cascade.py",),
    "companion/minority/pressure.py": PRESSURE,
    "companion/minority/plan.py": PLAN,
    "companion/minority/clusters.py": ("tests/minority/test_clusters.py",),
    "companion/gravity/formula.py": ("tests/gravity/test_formula.py",),
    "companion/operations/decay/vitality.py": (
        "tests/operations/decay/test_vitality.py",
    ),
    "companion/operations/decay/plan.py": (
        "tests/operations/decay/test_plan.py",
    ),
    "companion/operations/audit/verdict.py": VERDICT,
    "companion/operations/audit/consequence.py": CONSEQUENCE,
    "companion/operations/audit/choose.py": (
        "tests/operations/audit/test_choose.py",
    ),
    "companion/routing/matrix.py": ("tests/routing/test_matrix.py",),
    "companion/routing/signals.py": ("tests/routing/test_signals.py",),
    "companion/routing/user_words.py": ("tests/routing/test_user_words.py",),
    "companion/operations/triage/filter.py": (
        "tests/operations/triage/test_filter.py",
    ),
}
