"""AUD-1 broken: what is audited is gone for everybody, and stays away."""

from honest import (
    WORDS,
    answer,
    document,
    encoded,
    pass_on,
    remember,
    say,
    verb,
)

BREAKS = "AUD-1"
EXPECTS = "AUD-1: (the page was gone for others, too|a killed audit left the page suspended)"

if verb() == "audit":
    remember("audited", "yes")
    pass_on()
done = answer(*WORDS)
told = document(done)
if verb() == "search" and told and remember("audited"):
    told["results"] = [
        each for each in told["results"] if each["title"] != "Hub"
    ]
    say(done, encoded(told))
say(done)
