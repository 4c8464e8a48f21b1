"""All figures by name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from drillkit.errors import UsageError
from drillkit.figures import checkpoint, collectives, megatron, pipeline, ring, roofline, zero

if TYPE_CHECKING:
    from drillkit.figures.figure import Kind

# A value may hold spaces, as in `ring n=2 GB`: a setting ends where the next one begins.
_SETTINGS = re.compile(r"\s+(?=\w+\s*=)")
FIGURES: dict[str, Kind] = {
    one.KIND.name: one.KIND
    for one in (zero, ring, pipeline, roofline, checkpoint, megatron, collectives)
}


def figure(name: str) -> Kind:
    """Return the figure of that name. Raises `UsageError` when there is none."""
    if name not in FIGURES:
        raise UsageError(f"there is no figure {name!r}", hint="figures: " + ", ".join(FIGURES))
    return FIGURES[name]


def parse(text: str) -> tuple[Kind, dict[str, str]]:
    """Read what a card's key `figure` says: a name, then settings, as in `zero P=7e9 N=64`.

    Raises `UsageError` for an unknown figure or a setting without `=`; the settings' values are
    read by the figure.
    """
    name, *settings = _SETTINGS.split(text.strip())
    return figure(name), dict(map(setting, settings))


def setting(text: str) -> tuple[str, str]:
    """Split `N=64` into its two sides. Raises `UsageError` where there is no `=`."""
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise UsageError(f"{text!r} sets nothing", hint="write name=value, as in N=64")
    return name.strip(), value.strip()
