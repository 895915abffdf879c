"""All shards in one PostgreSQL: projected, searched, asked and compared."""
