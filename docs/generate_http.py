"""Writes ``docs/http.md`` from the server's own description of its calls.

python docs/generate_http.py
"""

from __future__ import annotations

import asyncio
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = Path(__file__).parent / "http.md"
INTRODUCTION = """\
# Calls over HTTP

`python docs/generate_http.py` writes this page from what the server tells at `/openapi.json`, which also
describes every field. [The server](server.md) explains keys, errors and the stream of a chat. What stands in
brackets may be left out. An error is `{"error": {"message": …, "type": …, "param": null, "code": null}}`,
with one of [these statuses](#errors).
"""
_HEADINGS = {
    "chat": "Chat",
    "talk": "What is said, and what comes to mind",
    "memories": "Memories and people",
    "past": "Diaries and shared events",
    "state": "How two stand with each other",
    "files": "Files and characters",
    "care": "The whole store; an admin key",
    "models": "Models and prompts; an admin key",
    "discussions": "Discussions of characters; an admin key",
    "tokens": "Tokens for one user and character; a key that may issue them",
    "health": "Health and figures",
    "proxy": "The proxy",
}


def page() -> str:
    """The whole page."""
    described = asyncio.run(_described())
    calls = [
        (told.get("tags", ["other"])[0], f"{method.upper()} {path}", told)
        for path, methods in described["paths"].items()
        for method, told in methods.items()
    ]
    order = list(_HEADINGS)
    calls.sort(key=lambda call: order.index(call[0]))
    sections = [INTRODUCTION]
    for tag, found in groupby(calls, key=lambda call: call[0]):
        of_tag = [(call, told) for _, call, told in found]
        rows = [_row(call, told, described) for call, told in of_tag]
        errors = sorted({status for _, told in of_tag for status in told["responses"] if status >= "4"})
        head = ["| Call | Query | Body | What it does |", "|---|---|---|---|"]
        sections.append(
            "\n".join([f"## {_HEADINGS[tag]}\n", f"Errors: {', '.join(errors)}.\n", *head, *rows])
        )
        sections[-1] += "\n"
    sections.append("\n".join(["## Errors\n", "| Status | Meaning |", "|---|---|", *_meanings(calls)]) + "\n")
    return "\n".join(sections)


def _meanings(calls: list[tuple[str, str, dict[str, Any]]]) -> list[str]:
    meanings = {
        status: response["description"]
        for _, call, told in calls
        for status, response in told["responses"].items()
        if status >= "4" and call != "GET /ready"  # whose body is no error
    }
    return [f"| {status} | {meanings[status]} |" for status in sorted(meanings)]


async def _described() -> dict[str, Any]:
    from omoide import Omoide, Settings
    from omoide.server.app import create_app

    with TemporaryDirectory() as folder:
        files = {name: str(Path(folder) / name) for name in ("store", "master_key_file", "api_keys")}
        settings = Settings.read(**files, embedder="none", worker=False, upstream="http://127.0.0.1:9/v1")
        async with Omoide.open(settings=settings) as omoide:
            return create_app(omoide).openapi()


def _row(call: str, told: dict[str, Any], described: dict[str, Any]) -> str:
    query = ", ".join(
        f"`{one['name']}`" if one.get("required") else f"[`{one['name']}`]"
        for one in told.get("parameters", ())
        if one["in"] == "query"
    )
    lines = (told.get("description") or told["summary"]).split("\n\n")[0].split()
    return f"| `{call}` | {query} | {', '.join(_body(told, described))} | {' '.join(lines)} |"


def _body(told: dict[str, Any], described: dict[str, Any]) -> Iterator[str]:
    for form, content in told.get("requestBody", {}).get("content", {}).items():
        schema = content.get("schema", {})
        given = next(
            (one for one in schema.get("anyOf", [schema]) if "$ref" in one), {}
        )  # it may be left out
        name = given.get("$ref", "").rpartition("/")[2]
        model = described["components"]["schemas"][name] if name else schema
        if not model.get("properties"):
            yield form
        for field in model.get("properties", {}):
            yield f"`{field}`" if field in model.get("required", ()) else f"[`{field}`]"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
