"""A memory in the forms of other programs: graphs, tables, a site, a bundle."""
