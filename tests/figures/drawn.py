"""Drawing a figure in a test: settings as they are typed, and the text without its roles."""

from __future__ import annotations

from drillkit.figures.catalogue import figure
from drillkit.figures.drawing import Size, text_of


def draw(name: str, size: Size | None = None, **settings: object):
    """Draw a figure for settings such as `N="64"`; simulations are run where they are asked for."""
    kind = figure(name)
    values = kind.read({key: str(value) for key, value in settings.items()})
    return kind.draw(values, size, kind.simulated(values))


def text(name: str, size: Size | None = None, **settings: object) -> str:
    return text_of(draw(name, size, **settings).lines)


def value(name: str, number: str, **settings: object):
    return draw(name, **settings).numbers[number].value
