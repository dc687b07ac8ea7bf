"""Is a model's server there, and does it know the model: for `omoide doctor`, and at no cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import httpx2
from pydantic import BaseModel, ValidationError

from omoide.models.bounded import bounded_client

if TYPE_CHECKING:
    from omoide.models.endpoint import Endpoint

_SECONDS: Final = 5.0


class _Model(BaseModel):
    id: str


class _Models(BaseModel):
    data: list[_Model]


async def out_of_reach(endpoint: Endpoint, *, key: str | None) -> str | None:
    """What is wrong with an endpoint, in a sentence without its end; None if nothing is, or is seen."""
    address = endpoint.address.rstrip("/")
    anthropic = endpoint.provider == "anthropic"
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    if anthropic:
        headers = {"x-api-key": key or "none", "anthropic-version": "2023-06-01"}
    async with bounded_client() as client:
        try:
            url = f"{address}/v1/models" if anthropic else f"{address}/models"
            answer = await client.get(url, headers=headers, timeout=_SECONDS)
        except httpx2.HTTPError as error:
            return f"it does not answer ({type(error).__name__}); see whether the server runs"
    if answer.status_code in (401, 403):
        return f"it refuses the key (status {answer.status_code}); set another"
    return None if answer.status_code != 200 else _unknown(endpoint.model, answer.content)


def _unknown(model: str, listed: bytes) -> str | None:
    try:
        names = [one.id for one in _Models.model_validate_json(listed).data]
    except ValidationError:
        return "it answers, but not like a model server; see that the url is right, and ends as it should"
    # Ollama lists a model with its tag, and takes it without; servers of one file take any name.
    if len(names) < 2 or any(name == model or name.startswith(f"{model}:") for name in names):
        return None
    return (
        f"it does not list the model {model!r}, but {', '.join(map(repr, names[:5]))}; see that it is there"
    )
