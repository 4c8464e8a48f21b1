"""Options and arguments that several commands take."""

from __future__ import annotations

from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
Item = Annotated[str, typer.Argument(help="deck/card, as `drillkit log` shows it.")]
