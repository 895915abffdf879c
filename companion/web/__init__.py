"""Pages for looking at a wiki in a browser on this machine: read-only but for answers of `review`.

`serve` starts the server, `guard` decides who may ask, `app` knows the addresses, and each file of
`pages` makes one page of what the rooms below return.
"""
