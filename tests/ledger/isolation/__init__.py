"""TOKI's grids (arXiv:2606.06240), with our own operators on real SQLite: what each level of
isolation lets through.

`python -m tests.ledger.isolation` prints them all, each cell beside what the paper's theorems say
of it, and ends with 1 where one differs. Three ways to run a transaction stand for its levels, as
`companion/storage/index/isolation.py` names them:

- *read committed*: every statement sees what was committed last; what it writes is written at once when it ends;
- *snapshot*: it reads one moment; when it ends, what it writes must still be what it read (the first committer wins);
- *serializable*: it holds the write lock from its first read on, and whoever comes meanwhile comes after it.
"""
