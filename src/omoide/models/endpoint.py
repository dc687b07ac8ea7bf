"""Which model on which server, and how it is asked: one value, from a row or from the settings (P4, H25)."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from omoide.errors import InvalidInput, ModelUnavailable
from omoide.models.wire import server_url

if TYPE_CHECKING:
    from omoide.config import Settings

Provider = Literal["openai", "anthropic"]
Output = Literal["native", "tool", "prompted"]

ANTHROPIC: Final = "https://api.anthropic.com"

_KEY: Final = "key_env (--key-env NAME), the variable that holds it"

_VARIABLE: Final = re.compile(r"[A-Z][A-Z0-9_]*(?:KEY|TOKEN)[A-Z0-9_]*")
_OURS: Final = "OMOIDE_MASTER"


@dataclass(frozen=True, kw_only=True, slots=True)
class Endpoint:
    """A model on a server.

    Attributes:
        model: its name there.
        provider: what the server speaks: like OpenAI, or Anthropic.
        url: where the server is; None for Anthropic's own.
        key_env: the variable of the environment that holds the API key.
        own_key: whether the key of the settings goes along, which belongs to the server of the settings only.
        output: how typed answers are asked for: by a JSON schema, by a tool call, or in the prompt.
        seconds: time limit of a typed answer, and of the first word of a reply.
        temperature: 0 to 2; None leaves it to the server. Some servers refuse it.
        max_tokens: of an answer at most; None leaves it to the server.

    Raises:
        InvalidInput: a value that cannot be used.
    """

    model: str
    provider: Provider = "openai"
    url: str | None = None
    key_env: str | None = None
    own_key: bool = False
    output: Output = "tool"
    seconds: float = 45.0
    temperature: float | None = None
    max_tokens: int | None = None

    def __post_init__(self) -> None:
        if not self.model.strip():
            msg = f"a model needs a name, got {self.model!r}"
            raise InvalidInput(msg)
        if self.url is not None:
            server_url(self.url, key=_KEY)
        elif self.provider == "openai":
            msg = f"the model {self.model!r} needs a server; give a url, such as http://127.0.0.1:11434/v1"
            raise InvalidInput(msg)
        if self.key_env is not None:
            _check_variable(self.key_env)

    @property
    def address(self) -> str:
        """Where the server is."""
        return self.url or ANTHROPIC

    def __str__(self) -> str:
        """For people: the model and where it is."""
        return f"{self.model!r} at {self.address}"


class RowSettings(BaseModel):
    """What a row says besides the model's name; what it leaves out comes from the settings."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    provider: Provider | None = None
    url: str | None = None
    output: Output | None = None
    key_env: str | None = None
    seconds: float | None = None
    temperature: float | None = None
    max_tokens: int | None = None

    @classmethod
    def read(cls, text: str | None, *, task: str) -> RowSettings:
        """Read the settings of a row.

        Raises:
            InvalidInput: they are none; another release or a hand wrote them.
        """
        try:
            return cls.model_validate_json(text or "{}")
        except ValidationError as error:
            wrong = ", ".join(sorted({".".join(map(str, one["loc"])) or "JSON" for one in error.errors()}))
            msg = (
                f"the settings of the model for {task!r} are wrong ({wrong}); set it anew: omoide models set"
            )
            raise InvalidInput(msg) from None

    def written(self) -> str:
        """As a row keeps them."""
        return self.model_dump_json(exclude_none=True)


def from_settings(settings: Settings) -> Endpoint | None:
    """The model that the settings name; None if they name none.

    Raises:
        InvalidInput: a setting is wrong.
    """
    return None if settings.model is None else from_row(settings.model, RowSettings(), settings)


def from_row(model: str, row: RowSettings, settings: Settings) -> Endpoint:
    """The model that a row names.

    A row that names a server of its own inherits nothing that belongs to the server of the settings: neither
    its key, nor what it speaks.

    Raises:
        InvalidInput: a value that cannot be used.
    """
    same = row.url is None and row.provider in (None, settings.model_provider)
    return Endpoint(
        model=model,
        provider=row.provider or (settings.model_provider if same else "openai"),
        url=_own_url(settings) if same else row.url,
        key_env=row.key_env,
        own_key=same and row.key_env is None,
        output=row.output or settings.model_output,
        seconds=_within("seconds", row.seconds, 0.1, 3600.0) or settings.model_seconds,
        temperature=_within("temperature", row.temperature, 0.0, 2.0),
        max_tokens=None
        if row.max_tokens is None
        else int(_within("max_tokens", row.max_tokens, 1, 1_000_000) or 0),
    )


def key_of(endpoint: Endpoint, settings: Settings) -> str | None:
    """The API key for an endpoint; None where none is set.

    Raises:
        ModelUnavailable: the variable that should hold it is empty.
    """
    if endpoint.key_env is not None:
        key = os.environ.get(endpoint.key_env)
        if not key:
            msg = f"the variable {endpoint.key_env!r} is not set; set it where Omoide runs"
            raise ModelUnavailable(msg)
        return key
    own = settings.model_key or (None if settings.model_url else settings.upstream_key)
    return own.get_secret_value() if endpoint.own_key and own is not None else None


def _own_url(settings: Settings) -> str | None:
    """The server of the settings: the proxy's upstream where no other is named."""
    if settings.model_url is None and settings.model_provider == "openai":
        return settings.upstream
    return settings.model_url


def _within(what: str, value: float | None, low: float, high: float) -> float | None:
    if value is not None and not low <= value <= high:
        msg = f"{what} goes from {low:g} to {high:g}, got {value!r}"
        raise InvalidInput(msg)
    return value


def _check_variable(name: str) -> None:
    # Rows may be set over HTTP. A name of any variable would send any secret to any address.
    if _VARIABLE.fullmatch(name) is None or name.startswith(_OURS):
        msg = f"{name!r} names no variable with an API key; take one such as OPENROUTER_API_KEY"
        raise InvalidInput(msg)
