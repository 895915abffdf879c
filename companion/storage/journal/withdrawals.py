"""SQL that hides the tellings which were taken back, and the captures that nothing else tells."""

# `Sighting.takes_back`, as SQL
TAKE_BACK = """
UPDATE sightings AS s
SET withdrawn = EXISTS (
  SELECT 1
  FROM sightings w
  WHERE w.withdrawn = 2
    AND w.capture = s.capture
    AND w.scope = s.scope
    AND (w.agent IS s.agent OR (w.agent IS NULL AND s.scope = 'shared'))
    AND w.seen_at > s.seen_at
)
WHERE withdrawn <> 2
  AND capture IN (SELECT capture FROM sightings WHERE withdrawn = 2)
"""
# what `settled` is of a capture that no run consumes
OPEN = """
CASE
  WHEN EXISTS (
    SELECT 1 FROM sightings w WHERE w.capture = captures.id AND w.withdrawn = 2
  ) AND NOT EXISTS (
    SELECT 1 FROM sightings s WHERE s.capture = captures.id AND s.withdrawn = 0
  )
  THEN 2
  ELSE 0
END
"""
HIDE = f"""
UPDATE captures
SET settled = {OPEN}
WHERE settled <> 1
  AND id IN (SELECT capture FROM sightings WHERE withdrawn = 2)
"""
