"""CON-7 broken: every cycle weighs only what came in since the last one."""

from honest import within

BREAKS = "CON-7"
EXPECTS = "CON-7: pressure does not accumulate over cycles"

within(
    {
        "companion.minority.pressure": """
        def measure_pressure(tellings, **known):
            tellings = list(tellings)
            newest = max((one.seen_at[:10] for one in tellings), default="")
            fresh = [one for one in tellings if one.seen_at[:10] == newest]
            return honest.measure_pressure(fresh, **known)
    """,
    }
)
