"""The rules of Markdown pages, as the index asks for them (`pages.rules`)."""

from companion.pages import ids, links, page


class Markdown:
    """The one implementation of `PageRules`."""

    version = "markdown-2"
    parse = staticmethod(page.parse)
    link_key = staticmethod(links.key)
    title_key = staticmethod(links.title_key)
    choose = staticmethod(links.choose)
    is_page_target = staticmethod(links.is_page_target)
    provisional_id = staticmethod(ids.provisional_id)
