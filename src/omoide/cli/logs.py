"""What a process that runs on notes on standard error: warnings and requests, as lines or as JSON.

Words and names of users stand in neither: requests are noted by the template of their route, and errors of
others by their kind.
"""

from __future__ import annotations

import json
import logging
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from omoide.config import Settings

_CUT = "ASGI callable returned without completing response."
"""What the server notes where an answer is cut because its upstream's was, which is noted already."""

LogFormat = Annotated[
    str | None, typer.Option("--log-format", metavar="text|json", help="How it is noted what goes on.")
]


class _Plain(logging.Formatter):
    """A line for people; of an error, which may quote anything, only the kind."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(message)s")

    def formatException(self, ei: object) -> str:
        return _kind(ei)


class _Json(logging.Formatter):
    """An object a line, for programs that gather what many processes note."""

    def format(self, record: logging.LogRecord) -> str:
        fields: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            fields["error"] = _kind(record.exc_info)
        return json.dumps(fields, ensure_ascii=False)


@contextmanager
def noting(settings: Settings) -> Iterator[None]:
    """Note on standard error, in the form that the settings name, what is worth it meanwhile."""
    handler = logging.StreamHandler()
    handler.setFormatter(_Json() if settings.log_format == "json" else _Plain())
    handler.setLevel(logging.INFO)
    handler.addFilter(lambda record: record.msg != _CUT)
    ours, access, server = (logging.getLogger(name) for name in ("omoide", "omoide.access", "uvicorn"))
    ours.setLevel(logging.WARNING)
    access.setLevel(logging.INFO)
    server.setLevel(logging.WARNING)
    for log in (ours, server):
        log.addHandler(handler)
    try:
        yield
    finally:
        for log in (ours, server):
            log.removeHandler(handler)


def _kind(raised: object) -> str:
    kind = raised[0] if isinstance(raised, tuple) else None
    return kind.__name__ if isinstance(kind, type) else "unknown"
