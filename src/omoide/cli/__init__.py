"""The command line: ``omoide --help``. A thin door to the library; it prints what was asked, and no more."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from omoide.cli import care, curate, demo, doctor, files, memory, setup
from omoide.cli.running import INTERRUPTED, MISUSED, WRONG, status_of, tell
from omoide.errors import OmoideError

app = typer.Typer(
    name="omoide",
    no_args_is_help=True,
    add_completion=False,
    # Boxes and colour are for people; a pipe gets plain lines.
    rich_markup_mode="rich" if sys.stdout.isatty() else None,
    pretty_exceptions_enable=False,
)
for part in (demo, memory, curate, files, care, doctor):
    app.registered_commands += part.app.registered_commands
app.add_typer(setup.config, name="config", rich_help_panel="Care")
app.add_typer(setup.key, name="key", rich_help_panel="Care")


@app.callback()
def omoide(
    *,
    version: Annotated[bool, typer.Option("--version", help="Show the version.", is_eager=True)] = False,
) -> None:
    """Long-term memory for AI characters: the right few things at the right moment, and why.

    Settings come from options, from OMOIDE_… variables and from a file; `omoide config show` lists them.
    """
    del version


def main() -> None:
    """Run the command line, and end the process with its exit code: 0, 1 for an error, 2 for misuse."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command line; returns its exit code."""
    if arguments == ["--version"]:
        from omoide import __version__

        print(__version__)  # noqa: T201 - this is the output
        return 0
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
    try:
        return _run(arguments)
    except OmoideError as error:
        return status_of(error)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read the output has enough; what is still buffered goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _run(arguments: list[str]) -> int:
    try:
        ended = app(arguments, prog_name="omoide", standalone_mode=False)
        sys.stdout.flush()
    except typer.Abort:
        return WRONG
    except typer.TyperException as error:
        tell(getattr(error, "format_message", lambda: str(error))())
        return getattr(error, "exit_code", MISUSED)
    return ended if isinstance(ended, int) else 0
