"""Find passwords where a command or a `.netrc` takes them: `curl -u ada:…`, `mysql -p…`.

`secret_formats` says when to look.
"""

import re
from collections.abc import Iterator

from companion.privacy import PASSWORD, mixed, places
from companion.privacy.placeholders import is_placeholder

# characters after the command's name that are looked at, in its line
_AFTER = 400
_VALUE = r"[\"']?(?P<value>[^\s\"'`]{4,200})"
# name -> what stands between it and the password
_COMMANDS = {
    "curl": r"\s(?:-u|--user)[ =]?[\"']?[^\s:\"'`]{1,80}:",
    "wget": r"\s--(?:http-)?password[ =]",
    "mysql": r"\s-p(?=\S)",
    "mysqldump": r"\s-p(?=\S)",
    "sshpass": r"\s-p[ ]?",
    "redis-cli": r"\s-a[ ]",
    "docker login": r"\s-p[ ]",
    "smbclient": r"\s-U[ ]?[\"']?[^\s%\"'`]{1,80}%",
    "machine": r"\slogin\s{1,9}\S{1,80}\s{1,9}password\s{1,9}",
}


def find_in_commands(text: str, lowered: str) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and kind of each password that a command in *text* is given."""
    for name, between in _COMMANDS.items():
        for start in places(lowered, name):
            end = min(start + len(name) + _AFTER, len(text))
            # a netrc may have each word on a line of its own
            if name != "machine":
                line_end = text.find("\n", start, end)
                end = end if line_end < 0 else line_end
            pattern = re.compile(between + _VALUE)
            found = pattern.search(text, start + len(name), end)
            if found and _is_secret(found["value"]):
                yield *found.span("value"), PASSWORD


def _is_secret(value: str) -> bool:
    return mixed(value) and not is_placeholder(value)
