"""The command line: ``omoide --help``. A thin door to the library; it prints what was asked, and no more."""

from __future__ import annotations

import logging
import os
import sys
from typing import Annotated

import typer

from omoide.cli import (
    care,
    characters,
    chat,
    curate,
    demo,
    discuss,
    doctor,
    events,
    files,
    index,
    keys,
    memory,
    models,
    moving,
    people,
    search,
    serve,
    setup,
    state,
    worker,
)
from omoide.cli.running import INTERRUPTED, MISUSED, WRONG, choose_tenant, status_of, tell
from omoide.errors import OmoideError

app = typer.Typer(
    name="omoide",
    add_completion=False,
    # Boxes and colour are for people; a pipe gets plain lines.
    rich_markup_mode="rich" if sys.stdout.isatty() else None,
    pretty_exceptions_enable=False,
)
for part in (demo, chat, serve, worker, memory, search, state, discuss, curate, files, care, moving, doctor):
    app.registered_commands += part.app.registered_commands
app.add_typer(characters.characters, name="characters", rich_help_panel="Talk")
app.add_typer(discuss.candidates, name="candidates", rich_help_panel="A past that grows")
app.add_typer(events.events, name="events", rich_help_panel="A past that grows")
app.add_typer(people.people, name="people", rich_help_panel="Memories")
app.add_typer(index.index, name="index", rich_help_panel="Care")
app.add_typer(models.models, name="models", rich_help_panel="Care")
app.add_typer(models.prompts, name="prompts", rich_help_panel="Care")
app.add_typer(setup.config, name="config", rich_help_panel="Care")
app.add_typer(setup.key, name="key", rich_help_panel="Care")
app.add_typer(keys.api_key, name="api-key", rich_help_panel="Care")


def _version(wanted: bool) -> None:
    if wanted:
        from omoide import __version__

        print(__version__)
        raise typer.Exit


@app.callback()
def omoide(
    *,
    version: Annotated[
        bool, typer.Option("--version", help="Show the version.", is_eager=True, callback=_version)
    ] = False,
    tenant: Annotated[
        str | None,
        typer.Option(
            "--tenant", metavar="NAME", help="The customer whose memory is meant; also OMOIDE_TENANT."
        ),
    ] = None,
) -> None:
    """Long-term memory for AI characters: the right few things at the right moment, and why.

    Settings come from options, from OMOIDE_… variables and from a file; `omoide config show` lists them.
    """
    del version
    choose_tenant(tenant)


def main() -> None:
    """Run the command line, and end the process with its exit code: 0, 1 for an error, 2 for misuse."""
    # Our products of vectors are small: more threads cost twice the time to write in bulk, and gain nothing.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command line; returns its exit code."""
    debug = os.environ.get("OMOIDE_DEBUG") == "1"
    if not debug:
        # What the library logs is told in one line, or in the results themselves.
        logging.getLogger("omoide").addHandler(logging.NullHandler())
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
    try:
        return _run(arguments or ["--help"])
    except OmoideError as error:
        if debug:
            raise
        return status_of(error)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read the output has enough; what is still buffered goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if debug:
            raise
        tell(f"a fault of its own ({type(error).__name__}); OMOIDE_DEBUG=1 shows where, please report it")
        return WRONG


def _run(arguments: list[str]) -> int:
    try:
        ended = app(arguments, prog_name="omoide", standalone_mode=False)
        sys.stdout.flush()
    except typer.Abort:
        return WRONG
    except typer.TyperException as error:
        told = _told(error, arguments) if isinstance(error, typer.BadParameter) else str(error)
        context = getattr(error, "ctx", None)
        tell(f"{told.rstrip('.')}; see `{'omoide' if context is None else context.command_path} --help`")
        return MISUSED
    return ended if isinstance(ended, int) else 0


def _told(error: typer.BadParameter, arguments: list[str]) -> str:
    """What is wrong with an option, with its value as it was given."""
    message = error.format_message()
    for option in getattr(error.param, "opts", ()):
        for place, argument in enumerate(arguments):
            after = arguments[place + 1 : place + 2]
            if argument == option and after:
                return f"{message}, got {after[0]!r}"
            if argument.startswith(f"{option}="):
                return f"{message}, got {argument.removeprefix(f'{option}=')!r}"
    return message
