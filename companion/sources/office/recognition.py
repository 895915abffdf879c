"""Text recognition (OCR), only where the system has the language data of Tesseract."""

import glob
import os
import re
from typing import NamedTuple

# Debian and Ubuntu, Fedora and Arch, Homebrew, by hand
_FOLDERS = (
    "/usr/share/tesseract-ocr/*/tessdata",
    "/usr/share/tessdata",
    "/usr/share/tesseract/tessdata",
    "/opt/homebrew/share/tessdata",
    "/usr/local/share/tessdata",
)
_ENDING = ".traineddata"
_NO_LANGUAGES = ("osd", "equ", "snum")
_MOST = 4  # languages; each makes it slower
_WORD = re.compile(r"[^\W\d_]{3,}")
_FEWEST = 3  # words; a photo without writing gives noise

HINT = (
    "Install Tesseract with the data of your languages (Debian: `apt install tesseract-ocr`,"
    " macOS: `brew install tesseract`); the bytes are kept and read in the next night."
)
RECOGNISED = (
    "its words were recognised from pictures by Tesseract and may hold errors"
)


class LanguageData(NamedTuple):
    """Where the data of Tesseract lies, and of which languages."""

    folder: str
    languages: tuple[str, ...]  # three letters each


def find_language_data() -> LanguageData | None:
    """Return the language data of this system; None where it has none."""
    for pattern in _FOLDERS:
        for folder in sorted(glob.glob(pattern), reverse=True):
            languages = _list_languages(folder)
            if languages:
                return LanguageData(folder, languages[:_MOST])
    return None


def _list_languages(folder: str) -> tuple[str, ...]:
    names = [
        name.removesuffix(_ENDING)
        for name in sorted(os.listdir(folder))
        if name.endswith(_ENDING)
    ]
    return tuple(name for name in names if name not in _NO_LANGUAGES)


def holds_words(text: str) -> bool:
    """Tell whether *text*, as it was recognised, is more than noise."""
    return len(_WORD.findall(text)) >= _FEWEST
