"""Which kind of content a file holds, by its own keys: a person's folder may mix them."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import Literal

Kind = Literal["deck", "problems"]

_KEY = re.compile(rb"^(?:\xef\xbb\xbf)?(deck|cards|problems):", re.MULTILINE)


def kind_of(raw: bytes, file: str) -> Kind:
    """Return the kind by the first telling key at the start of a line, else by the folder."""
    found = _KEY.search(raw)
    if found is not None:
        return "problems" if found[1] == b"problems" else "deck"
    return "problems" if "problems" in PurePath(file).parts[:-1] else "deck"
