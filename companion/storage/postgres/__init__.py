"""One place to ask of many wikis: what their indexes hold, in a database of PostgreSQL."""
