"""Where drillkit starts: `python -m drillkit` and the `drillkit` command."""

from __future__ import annotations

import sys


def main() -> None:
    """Open the app at once when nothing was asked for; else read the command line."""
    if len(sys.argv) == 1:
        from drillkit.start import open_app  # noqa: PLC0415 the command line's library costs 60 ms

        sys.exit(open_app())
    from drillkit.cli.due import quick_due  # noqa: PLC0415

    code = quick_due(sys.argv[1:])
    if code is not None:
        sys.exit(code)
    from drillkit.cli.app import run  # noqa: PLC0415

    sys.exit(run())


if __name__ == "__main__":
    main()
