"""Ten minutes of a person's hands at once, and no line lost: `python -m tests.durability.stress`.

**What counts.** Every line that a hand writes carries a token. It counts from the moment its file
was closed (a capture: from its acknowledgement; a second clone: from its commit). At the end, when
everything has become quiet and the nights have caught up, each token must be in the work tree, in
git (reachable from a ref, a reflog or the index) or in the journal. A file that a night replaced
and kept is no place to be found in.

**What does not count** is what the person's own hands undid, and each such line is proved, not
assumed:

* ``trash``: the page was moved into the trash; the line is in it.
* ``reset``: it stood in the work tree right before their `git reset --hard`, and not right after it.
* ``dropped``: it was in the stash entry that they dropped.
* ``orphan``: written into a file they had held open while their own git command removed it: the open file has no name
  any more, and it was a git command of theirs, not a night, that took the name.

**The person's own races are kept out**, because git alone loses lines in them: nobody saves in the
very moment in which they let git rewrite the work tree, no page is open in two editors at once, and
who saves a whole text reads it again first. What is held open stays open meanwhile. companion takes
part in none of these courtesies, and no hand ever waits for a night.
"""
