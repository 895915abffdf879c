"""Why mutants that a run let live break no rule, or which test notices them since."""

#: (rule, the line as it was changed) -> the reason
REASONS = {
    (
        "companion/routing/matrix.py",
        "audited: bool = True",
    ): "Breaks no rule: nobody left it out, and it has no default any more.",
    (
        "companion/ledger/operators.py",
        'return Choice(trusted[ -1].value, f"the source ranked {rank} says so")',
    ): "Changes nothing: the list has one member there.",
    (
        "companion/ledger/dependents/follow.py",
        "DEPTH = 65  # steps of a path",
    ): "Any number as large would do: it bounds what damaged data may cost.",
    (
        "companion/minority/plan.py",
        "branch = group.branches[ -1]",
    ): "Changes nothing: a group has one branch.",
    (
        "companion/minority/plan.py",
        "/,",
    ): "Breaks no rule: all calls name these arguments.",
    (
        "companion/minority/clusters.py",
        "if answer.phase <= 1 and answer.capture != answer.other:",
    ): "Changes nothing: there are phases 1 and 2.",
    (
        "companion/operations/decay/vitality.py",
        "if not TYPE_CHECKING:",
    ): "Breaks no rule: it imports what types alone name.",
    (
        "companion/operations/audit/consequence.py",
        'if record.undone or record.state > "closed":',
    ): "Changes nothing: the other states come later in the alphabet.",
    (
        "companion/operations/audit/verdict.py",
        "return sum(said) > 0 and chance_of_sum(said) < OPPOSED",
    ): "Changes nothing: no chance over equal signs is a fifth.",
    (
        "companion/ledger/operators.py",
        "if first.evidence <= second.evidence:",
    ): "Changes nothing: the first has the most evidence.",
    (
        "companion/ledger/operators.py",
        "known = surest.get(telling.voice, -1.0)",
    ): "Changes nothing: no confidence is below nothing.",
    (
        "companion/ledger/operators.py",
        "places = max((PLACES[a.precision] for a in dated), default= 1)",
    ): "Changes nothing: of no date any number of places is none.",
    (
        "companion/ledger/supersession.py",
        "return a.valid_from, a.serial or -1, a.told_at, a.id",
    ): "Changes nothing: statements are numbered from 1.",
    (
        "companion/ledger/dependents/follow.py",
        "NAMED = 201  # dependents that one event names",
    ): "Any number as large would do: the rest is counted.",
    (
        "companion/ledger/dependents/follow.py",
        "LIMIT = 50001  # dependents of one fall",
    ): "Any number as large would do: it bounds what damaged data may cost.",
    (
        "companion/ledger/dependents/follow.py",
        "if step >= depth:",
    ): "Changes nothing: no step is behind the last.",
    (
        "companion/ledger/dependents/follow.py",
        "beyond = True",
    ): "Changes nothing: the first step decides on it.",
    (
        "companion/minority/pressure.py",
        "oldest = max((one.age for one in voices), default= -1.0)",
    ): "Changes nothing: what is under a day has no words.",
    (
        "companion/minority/plan.py",
        "joined = [branch for branch in branches if len(branch.members) != 1]",
    ): "Changes nothing: every branch has a member.",
    (
        "companion/minority/plan.py",
        "pressure, threshold, cycles= 0, now=cycle.number, opened=cycle.number",
    ): "Changes nothing: one cycle is too few, and so is none.",
    (
        "companion/operations/decay/plan.py",
        'if each.state <= "active":',
    ): "Changes nothing: of the two states it is the first in the alphabet.",
    (
        "companion/operations/audit/verdict.py",
        "if sum(against) <= -1 or chance_of_sum(against) > OPPOSED:",
    ): "Changes nothing: what sums up to nothing or less is no unlikely sum.",
    (
        "companion/gravity/formula.py",
        "elif factor < 1:",
    ): "Changes nothing: no factor is above 1.",
    (
        "companion/operations/audit/verdict.py",
        "slot = len(sizes) + 3",
    ): "Changes nothing: a slot is wide enough before.",
    (
        "companion/ledger/supersession.py",
        "if len(values) <= 1:",
    ): "Changes nothing: of what was told there is a value that became so last.",
    (
        "companion/ledger/operators.py",
        "if first.weight <= second.weight:",
    ): "Changes nothing: who has more evidence has no less weight.",
    (
        "companion/ledger/resolve.py",
        "if len(plain) == len(claims) or len(told_on) < 1:",
    ): "Changes nothing: of one page there are no two different values.",
    (
        "companion/gravity/formula.py",
        "if factor <= SWITCHED_OFF:",
    ): "Changes nothing: no factor is below nothing.",
    (
        "companion/operations/decay/plan.py",
        "utility: float = 1.0  # in [-1, 1], 0 where no outcome is known",
    ): "Breaks no rule: whoever makes one says its utility.",
    (
        "companion/routing/user_words.py",
        "if routed.row >= 2:",
    ): "Changes nothing: a word takes row 1 or 2.",
    (
        "companion/operations/triage/filter.py",
        "if any(char.isalnum() for char in text[: 79]):",
    ): "Changes nothing: it only saves the longer look.",
    (
        "companion/operations/triage/filter.py",
        'count = "1 secret" if len(places) <= 1 else f"{len(places)} secrets"',
    ): "Changes nothing: there is a secret.",
    (
        "companion/operations/audit/verdict.py",
        "if sum(against) < 0 or chance_of_sum(against) > OPPOSED:",
    ): "Changes nothing: what sums up to nothing is no unlikely sum.",
    (
        "companion/ledger/supersession.py",
        'elif a.mood >= "tentative":',
    ): "Changes nothing: of the moods it is the last in the alphabet.",
    (
        "companion/ledger/supersession.py",
        "if len(values) == 0:",
    ): "Changes nothing: what is not known at once is settled the long way.",
    (
        "companion/minority/plan.py",
        "pressure, threshold, cycles= 2, now=cycle.number, opened=cycle.number",
    ): "Changes nothing: what opens now waits, in however many cycles it was told.",
    (
        "companion/minority/plan.py",
        'replaced = {one.incumbent for one in pressed if one.action >= "promote"}',
    ): "Changes nothing: of the decisions it is the last in the alphabet.",
    (
        "companion/minority/clusters.py",
        'if relation.label <= "contradicts":',
    ): "Changes nothing: of the labels it is the first in the alphabet.",
    (
        "companion/operations/audit/verdict.py",
        "sign = 2 if ballot.mean() > 0 else -1",
    ): "Changes nothing: what is twice as large is as likely.",
    (
        "companion/operations/audit/verdict.py",
        "if is_plainly_needed or ballot.chance_of_loss() < DEGRADES:",
    ): "Changes nothing: no chance over equal signs is a twentieth.",
    (
        "companion/operations/audit/consequence.py",
        'if result <= "degraded":',
    ): "Changes nothing: of the results it is the first in the alphabet.",
}
#: (rule, the line as it was changed), with the test that notices it since
NOTICED = {
    (
        "companion/ledger/supersession.py",
        'return may_replace(a) or not a.given and a.mood == "confirmed"',
    ): "test_only_who_says_of_today_since_when_it_is_so_corrects",
    (
        "companion/ledger/resolve.py",
        "return claim.entry >= shift.entry",
    ): "test_a_load_bearing_page_protects_until_it_has_lost_its_place",
    (
        "companion/operations/audit/consequence.py",
        "GRACE = 6  # days that an entry is decaying by AUDIT before it is archived",
    ): "test_what_audit_took_down_has_a_week_before_it_is_archived",
    (
        "companion/ledger/supersession.py",
        "return change.value > a.value",
    ): "test_since_when_it_is_not_so_corrects_the_value_that_it_denies_alone",
    (
        "companion/ledger/resolve.py",
        "if not time <= known_at:",
    ): "test_a_choice_counts_from_the_moment_at_which_it_was_made",
    (
        "companion/ledger/resolve.py",
        "if time == known_at:",
    ): "test_a_choice_counts_from_the_moment_at_which_it_was_made",
    (
        "companion/ledger/resolve.py",
        "for question, time, value in []:",
    ): "test_a_choice_counts_from_the_moment_at_which_it_was_made",
    (
        "companion/ledger/resolve.py",
        "if shift is not None and shift.since >= known_at:",
    ): "test_a_load_bearing_page_protects_until_it_has_lost_its_place",
    (
        "companion/ledger/resolve.py",
        "if shift is not None and shift.since < known_at:",
    ): "test_a_load_bearing_page_protects_until_it_has_lost_its_place",
    (
        "companion/ledger/resolve.py",
        "fall = _describe_fall(shift, claims, at and known_at)",
    ): "test_whether_a_fall_is_young_is_asked_of_the_moment_in_question",
    (
        "companion/minority/pressure.py",
        "within = _parse_time(days[-1]) - _parse_time(days[ -1])",
    ): "test_the_reason_says_on_how_many_days_and_within_how_many",
    (
        "companion/minority/pressure.py",
        "oldest = max((one.age for one in voices), default= 1.0)",
    ): "test_evidence_of_today_and_no_evidence_have_no_age",
    (
        "companion/minority/plan.py",
        "if not not candidate.is_cluster:",
    ): "test_trace_2_a_lone_contradiction_opens_a_branch_and_waits",
    (
        "companion/gravity/formula.py",
        "ranked[math.ceil(SHARE * count) + 1],",
    ): "test_of_unequal_entries_as_many_as_a_tenth_allows_are_above",
    (
        "companion/operations/decay/vitality.py",
        "days = numpy.maximum(columns.days, -1.0)",
    ): "test_among_many_a_clock_set_back_counts_as_today_too",
    (
        "companion/operations/decay/plan.py",
        "return bad >= MISLEADS and utility < HARMFUL",
    ): "test_five_bad_reads_and_a_utility_of_three_tenths_mislead_enough",
    (
        "companion/operations/decay/plan.py",
        "if instant is None and since > instant or floor.shields(base):",
    ): "test_a_statement_that_lost_goes_once_no_page_needs_its_page",
    (
        "companion/operations/decay/plan.py",
        "for entry in []:",
    ): "test_flags_follow_gravity_and_leave_with_the_entry",
    (
        "companion/operations/audit/verdict.py",
        "needed=said < 0 or (delta <= -LEAST_CHANGE or is_missed),",
    ): "test_a_question_needs_what_it_finds_nowhere_else",
    (
        "companion/operations/audit/consequence.py",
        'return Consequence("archived", 2.0, reason)',
    ): "test_what_is_found_of_a_statement_leaves_its_pages_gravity",
    (
        "companion/operations/audit/consequence.py",
        "is_protected = protected or factor == 1",
    ): "test_row_6_is_for_what_is_protected_or_was_before_audits_took_of_it",
    (
        "companion/minority/clusters.py",
        "alike: bool = True",
    ): "test_likeness_alone_is_marked_as_such",
    (
        "companion/minority/plan.py",
        'waited = all(one.origin >= "extended" for one in candidate.group)',
    ): "test_beside_an_open_cluster_what_waited_waits_and_what_is_new_opens",
    (
        "companion/operations/audit/verdict.py",
        "needed=True,",
    ): "test_a_page_of_which_another_states_all_is_not_needed",
    (
        "companion/ledger/operators.py",
        'if begin < policy.answered_at.get(name, ""):',
    ): "test_an_answer_by_the_old_name_counts_for_what_began_at_its_moment",
    (
        "companion/minority/pressure.py",
        "heaviest = max(weighed, key=lambda one: (one.weight, +one.age))",
    ): "test_of_two_tellings_of_one_weight_the_younger_is_told_of",
    (
        "companion/minority/clusters.py",
        "heard: bool = True",
    ): "test_likeness_alone_is_marked_as_such",
    (
        "companion/gravity/formula.py",
        "return self.flag and self.above",
    ): "test_the_reason_says_who_protects_it",
    (
        "companion/operations/decay/vitality.py",
        "return numpy.round((recency + gravity) + (use - wear), 7)",
    ): "test_among_many_a_millionth_is_the_smallest_difference",
    (
        "companion/operations/audit/verdict.py",
        "EVERY = 31  # days between two audits of an entry that nobody asks for",
    ): "test_what_was_audited_within_thirty_days_waits_and_says_until_when",
    (
        "companion/operations/audit/choose.py",
        "or days_between(last.since, now) == EVERY",
    ): "test_what_was_audited_within_thirty_days_waits_and_says_until_when",
    (
        "companion/routing/matrix.py",
        "cycles: int = 2  # in which tellings came in",
    ): "test_each_conflict_takes_its_row",
    (
        "companion/routing/signals.py",
        "MAX_SIGNALS = 1001",
    ): "test_a_flood_is_cut_and_said_so",
    (
        "companion/routing/user_words.py",
        "return {word[: 5] for word in split_words(name)}",
    ): "test_a_form_of_a_name_shares_the_beginning_of_a_word",
}
