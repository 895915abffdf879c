"""GRA-7 broken: edges lead from the depended-upon to the dependent."""

from honest import WORDS, answer, document, encoded, say, verb

BREAKS = "GRA-7"
EXPECTS = "GRA-7: centrality is not PageRank"

done = answer(*WORDS)
told = document(done)
if verb() == "show" and told and told.get("weight"):
    weight = told["weight"]
    weight["centrality"] = 0.15 + 0.85 * len(told["links"]["out"])
    say(done, encoded(told))
say(done)
