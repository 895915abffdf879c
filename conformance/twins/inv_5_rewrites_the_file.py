"""INV-5 broken: that a settle has acted on an audit is written into the audit's own record."""

from honest import within

BREAKS = "INV-5"
EXPECTS = "INV-5: a (record|ledger file) was changed"

within(
    {
        "companion.runs.run": """
        class Meddling:
            honestly = Run.publish
            def publish(self, run, writes, *args, **more):
                audits = self.db.execute("SELECT run FROM runs WHERE operation = 'audit'")
                for (name,) in audits.fetchall() if run.operation == "settle" else ():
                    path = f".companion/ledger/{name[:4]}/{name[5:7]}/{name}.jsonl"
                    text = self.repo.blob(self.repo.subtree(self.tree, path))
                    writes = [*writes, Write(path, text.replace(b'"reason":"', b'"reason":"settled: '))]
                return Meddling.honestly(self, run, writes, *args, **more)
        Run.publish = Meddling.publish
    """,
    }
)
