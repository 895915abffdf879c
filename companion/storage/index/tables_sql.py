"""The tables of index.db, as SQL: the paper's names and columns for entries, edges and audit_log
(MaM §6.1, PER-1). The version of the index is a hash of this text.
"""

TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE pages (                  -- one row per Markdown file in the tree, whoever wrote it
  doc INTEGER PRIMARY KEY,            -- rowid in `fts`
  path TEXT NOT NULL UNIQUE, blob TEXT NOT NULL, marker TEXT,   -- marker: the id in the frontmatter
  title TEXT NOT NULL, title_key TEXT NOT NULL, base_key TEXT NOT NULL,
  status TEXT, managed INTEGER NOT NULL, excluded INTEGER NOT NULL, problem TEXT,
  tokens INTEGER NOT NULL,
  -- of a page under .companion/minority: the branch, and the page's id there
  branch TEXT, member TEXT,
  pinned INTEGER NOT NULL,            -- its owner wants it never to fade
  -- of a compressed page: the blob of its full text, in cold memory
  original TEXT,
  myself INTEGER NOT NULL             -- its owner says there who they are, or how they work
);
CREATE INDEX pages_base ON pages(base_key);
CREATE INDEX pages_blob ON pages(blob);
CREATE INDEX pages_marker ON pages(marker) WHERE marker IS NOT NULL;
CREATE INDEX pages_member ON pages(member) WHERE member IS NOT NULL;
CREATE INDEX pages_pinned ON pages(path) WHERE pinned;
CREATE INDEX pages_myself ON pages(path) WHERE myself;
CREATE INDEX pages_original ON pages(path) WHERE original IS NOT NULL;
CREATE INDEX pages_excluded ON pages(path) WHERE excluded;
CREATE TABLE names (
  -- titles and aliases, for links beyond Obsidian's rule
  page TEXT NOT NULL, key TEXT NOT NULL, PRIMARY KEY (page, key)
) WITHOUT ROWID;
CREATE TABLE tags (
  -- folded; statement: the note that has it in its words, empty: the page
  page TEXT NOT NULL, statement TEXT NOT NULL, key TEXT NOT NULL,
  PRIMARY KEY (page, statement, key)
) WITHOUT ROWID;
CREATE INDEX tags_key ON tags(key);
CREATE INDEX names_key ON names(key);
CREATE TABLE links (
  page TEXT NOT NULL, target TEXT NOT NULL, kind TEXT NOT NULL, base_key TEXT NOT NULL,
  title_key TEXT NOT NULL, to_path TEXT);
CREATE INDEX links_page ON links(page);
CREATE INDEX links_base ON links(base_key);
CREATE INDEX links_title             -- others are found by `links_base`
  ON links(title_key) WHERE title_key <> base_key;
CREATE INDEX links_to ON links(to_path) WHERE to_path IS NOT NULL;
CREATE TABLE statements (
  -- the notes that stand on pages as blocks of their own, and under an empty id what stands
  -- beside them
  page TEXT NOT NULL, id TEXT NOT NULL, place INTEGER NOT NULL, moment TEXT NOT NULL,
  earlier INTEGER NOT NULL,           -- it lost, and stands under "Earlier"
  text TEXT NOT NULL                  -- git's hash of its words
);
CREATE INDEX statements_page ON statements(page, id);
CREATE INDEX statements_id ON statements(id);
CREATE INDEX statements_text ON statements(text);
CREATE TABLE passages (
  -- what a search finds: each note on a page by itself, and the page's own words
  doc INTEGER PRIMARY KEY,            -- rowid in `stems`
  page_doc INTEGER NOT NULL,          -- doc of the page
  statement TEXT NOT NULL,            -- its id; empty: the page's own words
  earlier INTEGER NOT NULL,           -- it lost
  asks INTEGER NOT NULL,              -- it ends with a question
  words INTEGER NOT NULL, language TEXT NOT NULL
);
CREATE TABLE meanings (
  -- what each passage is about, as a vector
  doc INTEGER PRIMARY KEY, length REAL NOT NULL, code BLOB NOT NULL
);
CREATE TABLE outlines (               -- the signs of the parts of all of these, 256 in a row
  pack INTEGER PRIMARY KEY, signs BLOB NOT NULL
);
CREATE TABLE pieces (                 -- of words, as the tokenizer of the vectors numbers them
  checksums BLOB NOT NULL, numbers BLOB NOT NULL
);
CREATE INDEX passages_page ON passages(page_doc);
CREATE INDEX passages_statement ON passages(statement) WHERE statement <> '';
CREATE TABLE known (                  -- what the ledger says of each entry; of two paths the first
  id TEXT PRIMARY KEY, path TEXT NOT NULL, blob TEXT NOT NULL, deleted INTEGER NOT NULL DEFAULT 0,
  quarantined INTEGER NOT NULL DEFAULT 0, bucket TEXT, since TEXT NOT NULL, touched TEXT NOT NULL,
  title TEXT,                         -- the last one, of an entry whose page is gone
  told TEXT                           -- the newest telling that rests in it: A, B, A ends at A
) WITHOUT ROWID;
CREATE INDEX known_path ON known(path);
CREATE TABLE entries (
  id TEXT PRIMARY KEY, path TEXT NOT NULL, title TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('active', 'decaying', 'archived')),
  commit_hash TEXT NOT NULL, blob TEXT NOT NULL,
  vitality REAL NOT NULL DEFAULT 0, gravity REAL NOT NULL DEFAULT 0,
  gravity_protected INTEGER NOT NULL DEFAULT 0, quarantined INTEGER NOT NULL DEFAULT 0,
  last_accessed TEXT, cohesion_bucket TEXT, tombstone INTEGER NOT NULL DEFAULT 0,
  managed INTEGER NOT NULL DEFAULT 0, registered INTEGER NOT NULL DEFAULT 0, since TEXT,
  -- the entry that took its place, while this one is decaying or archived
  superseded_by TEXT
) WITHOUT ROWID;
CREATE TABLE gone_names (
  -- of tombstones: what links to them go by
  entry TEXT NOT NULL, key TEXT NOT NULL
);
CREATE INDEX gone_names_key ON gone_names(key);
CREATE INDEX gone_names_entry ON gone_names(entry);
CREATE INDEX entries_path ON entries(path);
CREATE INDEX entries_vitality ON entries(vitality);
CREATE INDEX entries_quarantined ON entries(id) WHERE quarantined;
CREATE INDEX entries_fading ON entries(state) WHERE state <> 'active';
CREATE INDEX entries_protected
  -- few, and asked for at every read of claims
  ON entries(id) WHERE gravity_protected;
CREATE TABLE contested (
  -- pages whose first id is another entry's
  path TEXT PRIMARY KEY
) WITHOUT ROWID;
CREATE TABLE edges (
  source TEXT NOT NULL, target TEXT NOT NULL, type TEXT NOT NULL, weight REAL NOT NULL,
  PRIMARY KEY (source, target, type)) WITHOUT ROWID;
CREATE INDEX edges_target ON edges(target);
CREATE TABLE protected (
  -- the flag, as DECAY set it
  entry TEXT PRIMARY KEY, run TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE gravity (
  -- the last pass over the graph; `store.graph` says why it may be of an older tree
  entry TEXT PRIMARY KEY, centrality REAL NOT NULL, unsupported INTEGER NOT NULL,
  orphaned INTEGER NOT NULL,
  cut_off INTEGER NOT NULL, factor REAL NOT NULL, base REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE audit_log (
  entry_id TEXT NOT NULL, timestamp TEXT NOT NULL, result TEXT NOT NULL, outcome TEXT NOT NULL
);
-- Not WITHOUT ROWID, nor are events: rows above a quarter of a page would take a whole one more.
CREATE TABLE runs (run TEXT PRIMARY KEY, operation TEXT NOT NULL, time TEXT NOT NULL,
  input TEXT NOT NULL, counts TEXT NOT NULL);
CREATE INDEX runs_time ON runs(time, run);
CREATE TABLE events (
  run TEXT NOT NULL, n INTEGER NOT NULL, event TEXT NOT NULL, subject TEXT NOT NULL, entry TEXT,
  reason TEXT NOT NULL,
  data TEXT NOT NULL,                 -- what else its line has, in JSON
  PRIMARY KEY (run, n));
CREATE INDEX events_subject ON events(subject);
CREATE INDEX events_entry ON events(entry, event) WHERE entry IS NOT NULL;
CREATE TABLE consumed (
  capture TEXT PRIMARY KEY, run TEXT NOT NULL, outcome TEXT NOT NULL, entry TEXT,
  -- of its first telling: when it was so, when it was told, and the folded words of its source
  told_at TEXT, seen_at TEXT, speaker TEXT
) WITHOUT ROWID;
CREATE INDEX consumed_entry ON consumed(entry) WHERE entry IS NOT NULL;
CREATE INDEX consumed_told ON consumed(told_at, seen_at);
CREATE INDEX consumed_speaker ON consumed(speaker) WHERE speaker IS NOT NULL;
CREATE INDEX consumed_statement ON consumed(substr(capture, 1, 12));
CREATE TABLE subjects (
  -- pages that gather a day, a subject, a series or a chat; id and path follow from the key
  entry TEXT PRIMARY KEY, kind TEXT NOT NULL, key TEXT NOT NULL, run TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX subjects_key ON subjects(kind, key);
CREATE TABLE mentions (
  -- entries that a capture concerns beside the one that it stands on
  capture TEXT NOT NULL, entry TEXT NOT NULL, run TEXT NOT NULL,
  PRIMARY KEY (capture, entry)
) WITHOUT ROWID;
CREATE INDEX mentions_entry ON mentions(entry);
CREATE TABLE statement_states (
  -- what became of single statements on pages of many
  run TEXT NOT NULL, capture TEXT NOT NULL, entry TEXT NOT NULL, state TEXT NOT NULL,
  by TEXT,                            -- the capture whose statement took its place
  since TEXT NOT NULL, undone INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (run, capture)
) WITHOUT ROWID;
CREATE INDEX statement_states_capture ON statement_states(capture);
CREATE TABLE belongings (
  -- where a person said that a note belongs
  capture TEXT PRIMARY KEY, entry TEXT NOT NULL, run TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE readings (
  -- originals as nights have read them: one row for each reading
  run TEXT NOT NULL, original TEXT NOT NULL, key TEXT NOT NULL, entry TEXT NOT NULL,
  kind TEXT NOT NULL,                 -- document, chat, memories, container
  cold TEXT NOT NULL, title TEXT NOT NULL, url TEXT, origin TEXT, media_type TEXT NOT NULL,
  reader TEXT NOT NULL, depth TEXT NOT NULL, spans TEXT NOT NULL, at TEXT NOT NULL,
  n INTEGER NOT NULL, undone INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (run, original)
) WITHOUT ROWID;
CREATE INDEX readings_original ON readings(original);
CREATE INDEX readings_key ON readings(key);
CREATE INDEX readings_entry ON readings(entry);
CREATE INDEX readings_cold ON readings(cold);
CREATE INDEX readings_url ON readings(url) WHERE url IS NOT NULL;
CREATE INDEX readings_origin ON readings(origin) WHERE origin IS NOT NULL;
CREATE TABLE handed (
  -- the captures that a reading of an original handed over, in their order
  run TEXT NOT NULL, original TEXT NOT NULL, place INTEGER NOT NULL, capture TEXT NOT NULL,
  role TEXT NOT NULL,                 -- of a turn: owner, assistant, other or tool
  speaker TEXT NOT NULL, said_at TEXT NOT NULL, passage TEXT NOT NULL,
  PRIMARY KEY (run, original, place)
) WITHOUT ROWID;
CREATE INDEX handed_capture ON handed(capture);
CREATE TABLE unread (
  -- originals that no night could read, by the last attempt
  original TEXT PRIMARY KEY, run TEXT NOT NULL, code TEXT NOT NULL, reader TEXT NOT NULL,
  reason TEXT NOT NULL, hint TEXT NOT NULL, origin TEXT NOT NULL, at TEXT NOT NULL,
  undone INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE TABLE locked (
  -- originals with secrets that only a night could see
  original TEXT PRIMARY KEY, run TEXT NOT NULL, kinds TEXT NOT NULL, reader TEXT NOT NULL,
  origin TEXT NOT NULL, at TEXT NOT NULL, choice TEXT
) WITHOUT ROWID;
CREATE TABLE waiting (capture TEXT PRIMARY KEY, run TEXT NOT NULL, reason TEXT NOT NULL,
  -- 'extended': in the extended buffer, for it contradicts `incumbent`
  kind TEXT NOT NULL DEFAULT '',
  incumbent TEXT) WITHOUT ROWID;
CREATE TABLE heard (
  capture TEXT NOT NULL, seen_at TEXT NOT NULL, PRIMARY KEY (capture, seen_at)
) WITHOUT ROWID;
CREATE TABLE verdicts (
  key TEXT PRIMARY KEY, task TEXT NOT NULL, judge TEXT NOT NULL, answer TEXT NOT NULL,
  run TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE flags (                  -- what a person or an agent is asked to look at
  flag TEXT PRIMARY KEY, kind TEXT NOT NULL, entry TEXT NOT NULL, capture TEXT, other TEXT,
  key TEXT, run TEXT NOT NULL,
  reason TEXT NOT NULL,
  statement TEXT                      -- the capture whose statement on the page of `other` is meant
) WITHOUT ROWID;
CREATE TABLE resting (
  -- which entries a question says to rest on what fell, and over which steps; with a capture, which
  -- note on the page of the entry
  flag TEXT NOT NULL, entry TEXT NOT NULL, statement TEXT NOT NULL, path TEXT NOT NULL,
  PRIMARY KEY (flag, entry, statement)
) WITHOUT ROWID;
CREATE INDEX resting_entry ON resting(entry);
CREATE TABLE answers (
  flag TEXT PRIMARY KEY, key TEXT NOT NULL, judge TEXT NOT NULL, choice TEXT NOT NULL,
  run TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE claims (
  -- what was told of whom: only ever added to; what stands is computed at each read
  id TEXT PRIMARY KEY, subject_key TEXT NOT NULL, predicate_key TEXT NOT NULL, value TEXT NOT NULL,
  told_at TEXT NOT NULL, valid_from TEXT NOT NULL, valid_to TEXT, precision TEXT NOT NULL,
  stated INTEGER NOT NULL,
  change INTEGER NOT NULL, mood TEXT NOT NULL, negated INTEGER NOT NULL,
  functional INTEGER NOT NULL,
  agent TEXT NOT NULL, source TEXT NOT NULL, subject TEXT NOT NULL, predicate TEXT NOT NULL,
  object TEXT NOT NULL,
  capture TEXT NOT NULL, entry TEXT NOT NULL, span_start INTEGER NOT NULL,
  span_end INTEGER NOT NULL,
  rule TEXT NOT NULL, run TEXT NOT NULL, name TEXT NOT NULL,
  value_name TEXT NOT NULL,           -- what its object is looked up by
  given INTEGER NOT NULL,             -- the teller said of when it is
  -- ids of what the owner took back by hand with it, with spaces between
  retracts TEXT NOT NULL,
  -- that its source gave it, and those that its note counts
  number INTEGER, first_number INTEGER, last_number INTEGER,
  withdrawn_at TEXT                   -- when its run was undone
) WITHOUT ROWID;
CREATE INDEX claims_key ON claims(subject_key, predicate_key);
CREATE INDEX claims_name ON claims(name);
CREATE INDEX claims_value_name ON claims(value_name);
CREATE INDEX claims_value ON claims(value, predicate_key);
CREATE INDEX claims_run ON claims(run);
CREATE INDEX claims_entry ON claims(entry);
CREATE INDEX claims_voice ON claims(agent, source, told_at);
CREATE TABLE resolutions (
  -- which claims a night found against which: every loser is recoverable (LED-6)
  run TEXT NOT NULL, claim TEXT NOT NULL, side TEXT NOT NULL CHECK (side IN ('won', 'lost',
  'disputed')),
  status TEXT NOT NULL, strategy TEXT NOT NULL, reason TEXT NOT NULL, matter INTEGER NOT NULL,
  flag TEXT,
  PRIMARY KEY (run, matter, claim, side)
) WITHOUT ROWID;
CREATE INDEX resolutions_claim ON resolutions(claim);
CREATE INDEX resolutions_flag ON resolutions(flag) WHERE flag IS NOT NULL;
CREATE TABLE choices (                -- claims that somebody preferred in a dispute, and when
  -- first: SQLite 3.40 reports NULLs in what stands before a key
  key TEXT PRIMARY KEY,
  flag TEXT NOT NULL, at TEXT NOT NULL, claim TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE branches (               -- OBJ-5; they close only by promotion, or by an audit (INV-4)
  name TEXT PRIMARY KEY, ref TEXT NOT NULL, incumbent TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'open',
  first TEXT NOT NULL,                -- the incumbent that it began against
  -- the capture whose statement it contradicts, now and at first; NULL: the page
  statement TEXT, first_statement TEXT,
  opened TEXT NOT NULL, run TEXT NOT NULL, changed TEXT NOT NULL, entry TEXT,
  cluster_size INTEGER NOT NULL DEFAULT 0,
  contradictions INTEGER NOT NULL DEFAULT 0, cycles_open INTEGER NOT NULL DEFAULT 0,
  pressure REAL, threshold REAL
) WITHOUT ROWID;
CREATE TABLE branch_members (
  capture TEXT PRIMARY KEY, branch TEXT NOT NULL, entry TEXT NOT NULL, path TEXT NOT NULL,
  blob TEXT NOT NULL, run TEXT NOT NULL, joined TEXT NOT NULL, contradicts INTEGER NOT NULL,
  undone INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
CREATE INDEX branch_members_branch ON branch_members(branch);
CREATE TABLE ties (
  -- what phase 1 found between a member and others, of its branch or of none
  capture TEXT NOT NULL, other TEXT NOT NULL, support REAL NOT NULL, rival INTEGER NOT NULL,
  similarity REAL NOT NULL,
  run TEXT NOT NULL, PRIMARY KEY (capture, other)) WITHOUT ROWID;
CREATE INDEX ties_other ON ties(other);
CREATE TABLE follows (
  -- branches whose incumbent lost to another branch: they challenge that one now
  run TEXT NOT NULL, branch TEXT NOT NULL, incumbent TEXT NOT NULL, since TEXT NOT NULL,
  statement TEXT,
  undone INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (run, branch)) WITHOUT ROWID;
CREATE TABLE shifts (
  -- promotions: the branch, who lost, and the page that came of it
  run TEXT NOT NULL, branch TEXT NOT NULL, incumbent TEXT NOT NULL, entry TEXT NOT NULL,
  since TEXT NOT NULL,
  statement TEXT,                     -- the capture that lost; NULL: the page
  undone INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (run, branch)) WITHOUT ROWID;
CREATE TABLE transitions (            -- of entries between their states
  run TEXT NOT NULL, entry TEXT NOT NULL, state TEXT NOT NULL, by TEXT, since TEXT NOT NULL,
  undone INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (run, entry, state)) WITHOUT ROWID;
CREATE INDEX transitions_entry ON transitions(entry);
CREATE INDEX transitions_by ON transitions(by) WHERE by IS NOT NULL;
CREATE TABLE cold (
  -- full contents in cold memory (OBJ-3), as the ledger tells of them
  id TEXT PRIMARY KEY, entry TEXT NOT NULL, blob TEXT NOT NULL, path TEXT NOT NULL,
  run TEXT NOT NULL,
  since TEXT NOT NULL, why TEXT NOT NULL, distortion REAL) WITHOUT ROWID;
CREATE INDEX cold_entry ON cold(entry);
CREATE TABLE audit_queue (
  -- what AUDIT is to stress-test first, by rows of the routing matrix
  entry TEXT NOT NULL, row INTEGER NOT NULL, run TEXT NOT NULL, since TEXT NOT NULL,
  reason TEXT NOT NULL,
  PRIMARY KEY (entry, row)) WITHOUT ROWID;
CREATE TABLE divergences (
  -- words that the user has for entries of another name (rows 1 and 2)
  key TEXT NOT NULL, entry TEXT NOT NULL, term TEXT NOT NULL, row INTEGER NOT NULL,
  run TEXT NOT NULL,
  since TEXT NOT NULL, reason TEXT NOT NULL, PRIMARY KEY (key, entry)) WITHOUT ROWID;
CREATE TABLE audits (
  -- the same and more: what had no result, what was settled, what an undo took
  record TEXT PRIMARY KEY, run TEXT NOT NULL, entry TEXT NOT NULL, since TEXT NOT NULL,
  state TEXT NOT NULL,
  result TEXT, outcome TEXT, poor INTEGER NOT NULL DEFAULT 0,
  numbers TEXT NOT NULL DEFAULT '{}', settled TEXT,
  -- the capture whose statement on the page was audited; NULL: the page
  statement TEXT,
  undone INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
CREATE INDEX audits_entry ON audits(entry);
CREATE TABLE closures (               -- branches that an audit closed (INV-4)
  run TEXT NOT NULL, branch TEXT NOT NULL, record TEXT NOT NULL, since TEXT NOT NULL,
  undone INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (run, branch)) WITHOUT ROWID;
CREATE TABLE factors (
  -- what audits left of an entry's gravity (row 6, GRA-8), one row a run; share: what this one
  -- left of what stood before it, NULL where its ledger file does not say
  entry TEXT NOT NULL, run TEXT NOT NULL, factor REAL NOT NULL, share REAL,
  reason TEXT NOT NULL, PRIMARY KEY (entry, run)) WITHOUT ROWID;
CREATE TABLE accesses (               -- what was read, and what became of it: sums over all runs
  entry TEXT PRIMARY KEY, count INTEGER NOT NULL, last TEXT, shown INTEGER NOT NULL,
  opened INTEGER NOT NULL,
  good REAL NOT NULL, bad REAL NOT NULL,
  recalled INTEGER NOT NULL,          -- openings that went for the original of a source
  recalled_at TEXT                    -- the run that recorded the last of them, by its time
) WITHOUT ROWID;
CREATE TABLE days_read (day TEXT PRIMARY KEY) WITHOUT ROWID; -- by which evidence ages
CREATE TABLE credits (                -- what spoke for and against an entry, by the day it came on
  entry TEXT NOT NULL, day TEXT NOT NULL, gain REAL NOT NULL, loss REAL NOT NULL,
  PRIMARY KEY (entry, day)) WITHOUT ROWID;
CREATE TABLE queries (                -- AUDIT's query set
  id TEXT PRIMARY KEY, at TEXT NOT NULL, words TEXT NOT NULL, verb TEXT NOT NULL,
  agent TEXT NOT NULL,
  count INTEGER NOT NULL, shown TEXT NOT NULL, outcome TEXT) WITHOUT ROWID;
CREATE TABLE query_entries (
  -- which entries a query showed; opened: 0, or when: what was last has most
  query TEXT NOT NULL, entry TEXT NOT NULL, opened INTEGER NOT NULL, PRIMARY KEY (query,
  entry)) WITHOUT ROWID;
CREATE INDEX query_entries_entry ON query_entries(entry);
-- the title as somebody gave it: words of a note and dates do not weigh like one
CREATE VIRTUAL TABLE fts USING fts5(title, body, content='',
  tokenize='unicode61 remove_diacritics 2');
CREATE VIRTUAL TABLE terms USING fts5vocab(fts, 'row');
-- stems of the words of `passages`
CREATE VIRTUAL TABLE stems USING fts5(title, body, content='',
  tokenize='unicode61 remove_diacritics 2');
CREATE VIRTUAL TABLE stem_terms USING fts5vocab(stems, 'row');
"""
