"""Parameters of a URL that its route does not know, or that stand there twice, are refused as slips."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastapi import Request

from omoide.errors import InvalidInput
from omoide.server.doors import AnyAccess

if TYPE_CHECKING:
    from collections.abc import Mapping

_LISTED = "array"


def only_known(request: Request, caller: AnyAccess) -> None:
    """Let a request through whose query holds what its route takes, each once unless several may stand there.

    Whoever may not call at all is told that first.

    Raises:
        InvalidInput: it holds something else; the message tells what is known.
    """
    del caller
    known = _known(request)
    if known is None:
        return
    given = [name for name, _ in request.query_params.multi_items()]
    for name in dict.fromkeys(given):
        if name not in known:
            takes = f"choose from {', '.join(sorted(known))}" if known else "none is known here"
            msg = f"no parameter is called {name!r}; {takes}"
            raise InvalidInput(msg)
        if given.count(name) > 1 and not known[name]:
            msg = f"{name!r} is given {given.count(name)} times; once is enough"
            raise InvalidInput(msg)


def _known(request: Request) -> dict[str, bool] | None:
    """What a route takes in its query, as its description says, and whether several of it may stand there."""
    path = getattr(request.scope.get("route"), "path_format", "")
    described = request.app.openapi()["paths"].get(path, {}).get(request.method.lower())
    if described is None:
        return None
    parameters = described.get("parameters", ())
    return {one["name"]: _is_list(one["schema"]) for one in parameters if one["in"] == "query"}


def _is_list(schema: Mapping[str, Any]) -> bool:
    return any(one.get("type") == _LISTED for one in (schema, *schema.get("anyOf", ())))
