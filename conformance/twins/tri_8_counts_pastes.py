"""TRI-8 broken: every paste is a voice of its own."""

from honest import WORDS, alter, answer, heard_before, say, verb

BREAKS = "TRI-8"
EXPECTS = "TRI-8: one person pasting twice is one voice"

done = answer(*WORDS)
if verb() == "ingest" and heard_before(done):
    fields = "capture, event_time, explicit, source, channel, agent, scope"
    last = f"SELECT {fields}, seen_at || '1' FROM sightings ORDER BY seq DESC LIMIT 1"
    alter("journal.db", f"INSERT INTO sightings ({fields}, seen_at) {last}")
say(done)
