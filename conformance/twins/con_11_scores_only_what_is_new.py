"""CON-11 broken: a capture is scored against its own night only, so each challenge stands alone."""

from honest import WORDS, answer, document, encoded, say, verb

BREAKS = "CON-11"
EXPECTS = "CON-11: the second voice did not meet the first"

done = answer(*WORDS)
told = document(done)
if verb() == "branches" and told and "branches" in told:
    told["branches"] = [
        {**each, "name": f"{each['name']}-{n}", "cluster_size": 1}
        for each in told["branches"]
        for n in range(each["cluster_size"])
    ]
    say(done, encoded(told))
say(done)
