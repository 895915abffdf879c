"""Pages that became two without anyone meaning it: by a merge of git, or by a synced folder."""
