"""Writes ``docs/cli.md`` from the help of every command.

python docs/generate_cli.py
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

WIDTH = 100
PAGE = Path(__file__).parent / "cli.md"
INTRODUCTION = """\
# The command line

`python docs/generate_cli.py` writes this page from the help of the commands.

The store is named by `--store` or `OMOIDE_STORE`; without them it is the one in the user's data folder. The
scope is named by `--user` and `--character`, or by `OMOIDE_USER` and `OMOIDE_CHARACTER`. What is left out
must leave no choice: in a store with one scope no name is needed. Where several customers share a store,
`omoide --tenant NAME …` or `OMOIDE_TENANT` says which one is meant. A name that nothing is known of is an
error that shows near ones. There is no default scope.

`--json` prints JSON for other programs. What is printed beside the output (notices, errors, progress) goes to
standard error. The exit code is 0, or 1 for an error, 2 for wrong usage, 130 for an interruption. An error is
one line; `OMOIDE_DEBUG=1` shows where it comes from.

`recall --json` prints:

```json
{
  "query": "…", "reason": "plain", "standing": "…", "block": "…", "prompt": "…",
  "memories": [{
    "id": "…", "kind": "episode", "text": "…", "at": "…", "importance": 4.5,
    "evidence": [{"message": "…", "speaker": "…", "quote": "…"}],
    "why": {
      "meaning": {"rank": 0, "score": 0.87}, "words": null, "decay": 0.98, "score": 1.2, "slot": "search"
    }
  }],
  "timing_ms": {"total": 1.2}
}
```
"""

if TYPE_CHECKING:
    from collections.abc import Iterator


def helps() -> dict[str, str]:
    """The help of every command by its whole name, as a pipe gets it, at one width."""
    os.environ.update(COLUMNS=str(WIDTH), TERM="dumb", NO_COLOR="1")
    from typer.main import get_command

    from omoide.cli import app

    app.rich_markup_mode = None
    root = get_command(app)
    return dict(_helps(root, root.context_class(root, info_name="omoide", terminal_width=WIDTH)))


def _helps(command: Any, context: Any) -> Iterator[tuple[str, str]]:
    yield context.command_path, command.get_help(context).rstrip()
    for name, below in getattr(command, "commands", {}).items():
        inner = below.context_class(below, info_name=name, parent=context, terminal_width=WIDTH)
        yield from _helps(below, inner)


def page() -> str:
    """The whole page."""
    sections = [INTRODUCTION]
    for name, text in helps().items():
        lines = "\n".join(line.rstrip() for line in text.splitlines())
        sections.append(f"## {name}\n\n```\n{lines}\n```\n")
    return "\n".join(sections)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
