"""Where drillkit starts: `python -m drillkit` and the `drillkit` command."""

from __future__ import annotations

import gc
import os
import sys


def main() -> None:
    """Open the app at once when nothing was asked for; else read the command line."""
    _open_closed_streams()
    if len(sys.argv) == 1:
        from drillkit.start import open_app  # noqa: PLC0415 the command line's library costs 60 ms

        sys.exit(open_app())
    # An answer that is out at once leaves no garbage worth a search.
    gc.disable()
    from drillkit.cli.due import quick_due  # noqa: PLC0415

    code = quick_due(sys.argv[1:])
    if code is not None:
        sys.exit(code)
    gc.enable()
    from drillkit.cli.app import run  # noqa: PLC0415

    sys.exit(run())


def _open_closed_streams() -> None:
    # `drillkit <&- >&-`: what is closed is None here, and its number would go to the next file.
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115 open as long as the process


if __name__ == "__main__":
    main()
