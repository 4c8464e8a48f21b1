"""Which kind of content a file holds, by its own keys: a person's folder may mix them."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import Literal

Kind = Literal["deck", "problems", "round", "script"]

_KEY = re.compile(rb"^(?:\xef\xbb\xbf)?(deck|cards|problems|round|script):", re.MULTILINE)
_KINDS: dict[bytes, Kind] = {b"problems": "problems", b"round": "round", b"script": "script"}
_SCRIPT = re.compile(rb"^script:", re.MULTILINE)


def kind_of(raw: bytes, file: str) -> Kind:
    """Return the kind by the first telling key at the start of a line, else by the folder.

    A script names its round as well, in either order.
    """
    found = _KEY.search(raw)
    if found is not None:
        kind = _KINDS.get(found[1], "deck")
        return "script" if kind == "round" and _SCRIPT.search(raw) else kind
    path = PurePath(file)
    if "rounds" in path.parts[:-1]:
        return "script" if "." in path.stem else "round"
    return "problems" if "problems" in path.parts[:-1] else "deck"
