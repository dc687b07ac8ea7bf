"""Settings: read once, from arguments, the environment (`OMOIDE_…`), a file, and defaults, in this order."""

from __future__ import annotations

import json
import os
import re
import tomllib
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from platformdirs import user_config_path, user_data_path
from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, ValidationError
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
    TomlConfigSettingsSource,
)

from omoide.addresses import check_http, check_server
from omoide.errors import InvalidInput

Embedder = Literal["auto", "local", "ollama", "openai", "sentence-transformers", "none"]


TENANT: Final = r"^([a-z0-9][a-z0-9._-]{0,62})?$"
"""What a tenant may be called: a word in small letters, which also is the name of a folder."""


def check_tenant(name: str) -> None:
    """See that a tenant may be called so.

    Raises:
        InvalidInput: it may not.
    """
    if re.fullmatch(TENANT, name) is None:
        msg = f"a tenant is called by a word in small letters such as 'acme-2', 63 at most, got {name!r}"
        raise InvalidInput(msg)


def config_file() -> Path:
    """The settings file: `OMOIDE_CONFIG`, or ``config.toml`` in the user's configuration folder."""
    named = os.environ.get("OMOIDE_CONFIG")
    return Path(named) if named else user_config_path("omoide") / "config.toml"


_OTHERS = ("OMOIDE_CONFIG", "OMOIDE_DEBUG", "OMOIDE_USER", "OMOIDE_CHARACTER")
"""Variables that are no settings: where the file lies, and what only the command line reads."""


def _server(key: str) -> AfterValidator:
    """What sees that the address of a server holds no secret; `key` is the setting that does."""

    def checked(address: str | None) -> str | None:
        return None if address is None else check_server(address, key=f"the setting {key}")

    return AfterValidator(checked)


def _qdrant(location: str) -> str:
    """An address of Qdrant without a secret, by HTTP; a folder may be called as it is."""
    scheme, found, _ = location.partition("://")
    if found and scheme.lower() not in ("http", "https"):
        msg = f"Qdrant is reached by http:// or https://, got {scheme!r}"
        raise InvalidInput(msg)
    by_http = re.match("https?:", location, re.IGNORECASE) is not None
    if found or by_http or re.search(r"@[\w.-]+:\d+", location):
        check_server(location, key="the setting qdrant_key")
    return check_http(location) if by_http else location


def _parted(value: object) -> object:
    """A text as a list: JSON, or its parts between commas."""
    if not isinstance(value, str):
        return value
    if value.lstrip().startswith("["):
        try:
            return json.loads(value)
        except ValueError as error:
            msg = 'this is no JSON; write it as a,b or as ["a", "b"]'
            raise InvalidInput(msg) from error
    return tuple(part for part in map(str.strip, value.split(",")) if part)


_Names = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_parted)]
"""A list of text without commas in it."""

SERVERS: Final = ("qdrant_url", "embedder_url", "model_url", "upstream")
"""Settings that are the address of a server whose key is a setting of its own."""

_LIKE = 0.8
"""Likeness from which a known variable is offered; all of them begin alike."""


class Settings(BaseSettings):
    """Everything that a deployment may choose; frozen once read."""

    model_config = SettingsConfigDict(
        env_prefix="OMOIDE_",
        env_ignore_empty=True,
        extra="forbid",
        frozen=True,
        hide_input_in_errors=True,  # it may hold a password
    )

    store: str = Field(
        default_factory=lambda: str(user_data_path("omoide") / "omoide.db"),
        description="the database: a path, or postgresql+psycopg://role:password@host/database",
    )
    tenant: str = Field(
        "",
        pattern=TENANT,
        description="the customer whose memory this is, where several share a store; such as acme",
    )
    pool: int = Field(10, ge=1, le=1_000, description="connections to PostgreSQL at most")
    vectors: Literal["memory", "pgvector", "qdrant"] = Field(
        "memory", description="where vectors are compared: in this process, in PostgreSQL, or by Qdrant"
    )
    qdrant_url: Annotated[str, AfterValidator(_qdrant)] = Field(
        "http://127.0.0.1:6333",
        min_length=1,
        description="where Qdrant is: a server, a folder of its own, or :memory: for tests",
    )
    qdrant_key: SecretStr | None = Field(None, description="Qdrant's API key")
    qdrant_grpc: int | None = Field(
        None, ge=1, le=65_535, description="Qdrant's port for gRPC, such as 6334; without one HTTP is spoken"
    )
    qdrant_seconds: int = Field(
        2, ge=1, le=60, description="how long Qdrant has for an answer before a recall goes on by words"
    )
    zone: str = Field("UTC", description="the time zone of users that told none, such as Asia/Seoul")
    master_key: SecretStr | None = Field(None, description="the master key itself, in place of its file")
    master_key_command: str | None = Field(None, description="a command that prints the master key")
    master_key_file: Path = Field(
        default_factory=lambda: user_config_path("omoide") / "master.key",
        description="where the master key lies",
    )
    keyring: str | Path | None = Field(
        None,
        description="the wrapped data keys: a file, by default beside the store; or for several machines "
        "postgresql+psycopg://…, another database than the store's",
    )

    embedder: Embedder = Field("auto", description="auto takes the local one where it can run")
    embedder_model: str | None = Field(
        None, description="the model's name, for a server or sentence-transformers"
    )
    embedder_url: Annotated[str | None, _server("embedder_key")] = Field(
        None, description="the embedding server"
    )
    embedder_key: SecretStr | None = Field(None, description="the embedding server's API key")
    embedder_dimensions: int | None = Field(None, ge=8, le=8192, description="shorter vectors, where it can")
    embedder_seconds: float = Field(
        5.0, ge=0.01, le=60.0, description="how long a recall waits for it before it goes on by words"
    )
    analyser: Literal["bigram", "kiwi", "sudachi"] = Field("bigram", description="how text becomes terms")

    forgetting: Literal["conversation", "calendar", "none"] = Field(
        "conversation", description="how memories fade"
    )
    fusion: Literal["standard", "published"] = Field("standard", description="how lists become one")
    memories: int = Field(12, ge=1, le=12, description="memories that one recall asks for at most")
    slots: int = Field(2, ge=0, le=2, description="places held for important memories")
    budget: int = Field(1_000, ge=50, le=100_000, description="tokens of the block at most")
    turns: int = Field(6, ge=0, le=200, description="user messages that the prompt shows as they were said")
    brief: bool = Field(False, description="the short form of the block")
    own_past: bool = Field(True, description="in a chat the character's own past comes to mind too")
    mood: bool = Field(False, description="the present emotion favours memories of a like feeling a little")
    links: bool = Field(True, description="what comes to mind leads on to what is tied to it")
    redact: bool = Field(True, description="never keep passwords, API keys and card numbers")
    never_keep: tuple[str, ...] = Field((), description="regular expressions; what they match is never kept")
    quiet_minutes: float = Field(10.0, ge=0.0, description="after so long a session's last words are settled")
    model: str | None = Field(None, description="the chat model's name; without one nothing is extracted")
    model_url: Annotated[str | None, _server("model_key")] = Field(
        None, description="its server, such as http://127.0.0.1:11434/v1; none for Anthropic"
    )
    model_provider: Literal["openai", "anthropic"] = Field(
        "openai", description="what the server speaks: like OpenAI, or Anthropic"
    )
    model_key: SecretStr | None = Field(None, description="the chat model's API key")
    model_output: Literal["native", "tool", "prompted"] = Field(
        "native", description="how typed answers are asked for: JSON schema, a tool call, or in the prompt"
    )
    model_seconds: float = Field(45.0, ge=0.1, le=3600.0, description="time limit of one call to a model")
    extraction: Literal["window", "off"] = Field(
        "window", description="whether memories are extracted by a model, where one is set"
    )
    worker: bool = Field(True, description="extract in this process; off where `omoide worker` runs")
    scoring: Literal["rule", "model"] = Field(
        "rule",
        description="what scores a turn that is extracted: the rule, or a model (one more call a turn)",
    )
    terms_only: bool = Field(
        False, description="memories are found by search terms drawn on purpose, and by no other word"
    )
    window: int = Field(5, ge=1, le=50, description="user messages that one extraction reads at least")
    window_quiet_minutes: float = Field(
        30.0, ge=0.0, description="after so long without a word a smaller window is read too"
    )
    window_seconds: float = Field(45.0, ge=0.1, le=3600.0, description="deadline for one window")
    daily_tokens: int = Field(
        1_000_000, ge=0, description="tokens a day (UTC) for all work in the background at most; 0: no limit"
    )
    lease_url: str | None = Field(None, description="a Redis or Valkey server for leases; else the database")
    feelings_days: int = Field(7, ge=1, le=365, description="days that a summary of feelings looks back")
    characters: Path | None = Field(
        None, description="the folder of characters, one folder each; else beside the store"
    )

    review: bool = Field(False, description="memories out of discussions wait until an author confirms them")
    discussion_events: bool = Field(
        True, description="a discussion is a shared event, and the memories out of it are the accounts of it"
    )
    judge_bar: float = Field(
        6.0,
        ge=0.0,
        le=10.0,
        description="what a judge gives such a memory at least, 0 to 10 by each criterion",
    )
    discussion_turns: int = Field(24, ge=2, le=200, description="turns of one discussion at most")
    discussion_tokens: int = Field(
        150_000, ge=1_000, description="tokens of one discussion and its memories at most, prompts included"
    )
    discussion_seconds: float = Field(
        1_800.0, ge=0.1, le=86_400.0, description="seconds that one run of a discussion takes at most"
    )

    log_format: Literal["text", "json"] = Field(
        "text", description="how a server or worker notes what goes on: lines, or an object a line"
    )
    host: str = Field("127.0.0.1", description="where the server listens; elsewhere it needs API keys")
    port: int = Field(8765, ge=0, le=65_535, description="the server's port; 0 takes a free one")
    api_keys: Path = Field(
        default_factory=lambda: user_config_path("omoide") / "api-keys.json",
        description="where the hashes of API keys lie",
    )
    allowed_hosts: _Names = Field((), description="names that the server goes by, beside loopback")
    allowed_origins: _Names = Field((), description="browser origins that may call the server")
    trusted_peers: _Names = Field(
        (), description="addresses whose identity headers of other programs count, such as 10.0.0.5"
    )
    request_mb: float = Field(16.0, gt=0.0, le=1024.0, description="the largest request that is accepted")
    requests_at_once: int = Field(200, ge=1, description="requests under way at most")
    requests_per_minute: int = Field(600, ge=0, description="of one key and user, spread evenly; 0: no limit")
    open_tenants: int = Field(
        200, ge=1, le=10_000, description="tenants that one server holds ready at once; others wait a moment"
    )
    upstream: Annotated[str | None, _server("upstream_key")] = Field(
        None, description="the server that the proxy hands on to, such as http://127.0.0.1:11434/v1"
    )
    upstream_key: SecretStr | None = Field(
        None, description="the upstream's API key; without it the client's own is passed on"
    )
    proxy_user: str | None = Field(None, description="the user of requests that name none")
    proxy_character: str | None = Field(None, description="the character of requests that name none")
    memory_place: Literal["system", "user"] = Field(
        "system", description="where memories go: the system message, or before the last user message"
    )
    recall_seconds: float = Field(
        0.3, gt=0.0, le=60.0, description="how long the proxy waits for memories before it goes on without"
    )
    ping_seconds: float = Field(
        15.0, ge=0.0, description="after so long a silence the proxy sends a comment down a stream; 0: never"
    )

    cache_mb: int = Field(512, ge=1, description="memory for the indexes of scopes")
    large_scope: int = Field(20_000, ge=1_000, description="rows from which vectors are scored in two steps")

    @property
    def home(self) -> Path:
        """The folder of the characters, which need not be there; where none is set, it is beside the store.

        A tenant that has a name has one of its own, within that of all.
        """
        every = _beside(self.store) if self.characters is None else self.characters
        return (every / "tenants" / self.tenant if self.tenant else every).expanduser()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Arguments, environment, file, defaults."""
        del dotenv_settings, file_secret_settings
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls, config_file())

    @classmethod
    def read(cls, **given: Any) -> Settings:
        """Read the settings; what is given here wins.

        Raises:
            InvalidInput: a value or a name is wrong, or the file cannot be read; the message says which.
        """
        try:
            return cls(**given)
        except ValidationError as error:
            problems = "; ".join(
                f"{'.'.join(map(str, found['loc']))}: {found['msg'].removeprefix('Value error, ')}"
                for found in error.errors()
            )
            msg = f"the settings are wrong: {problems}; `omoide config show` lists all of them"
            raise InvalidInput(msg) from error
        except SettingsError as error:
            name = re.search(r'"(\w+)"', str(error))
            which = "a variable" if name is None else f"OMOIDE_{name[1].upper()}"
            msg = (
                f'the settings are wrong: {which} is a list, which is written as JSON, such as \'["a", "b"]\''
            )
            raise InvalidInput(msg) from error
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            msg = f"the settings file {str(config_file())!r} is no TOML in UTF-8: {error}; correct it"
            raise InvalidInput(msg) from error


def _beside(store: str) -> Path:
    """Where the characters of a store lie: beside its file, or for a database among the user's data."""
    path = store.removeprefix("sqlite:///")
    return user_data_path("omoide") / "characters" if "://" in path else Path(f"{path}.characters")


def unknown_variables() -> dict[str, str | None]:
    """Variables `OMOIDE_…` of the environment that nothing reads, each with the known one most like it."""
    known = [*(f"OMOIDE_{name.upper()}" for name in Settings.model_fields), *_OTHERS]
    unknown = [
        name for name in os.environ if name.upper().startswith("OMOIDE_") and name.upper() not in known
    ]
    return {
        name: next(iter(get_close_matches(name.upper(), known, n=1, cutoff=_LIKE)), None)
        for name in sorted(unknown)
    }


def told_of(name: str, like: str | None) -> str:
    """A sentence, without its end, on a variable that nothing reads."""
    hint = "`omoide config show` lists the settings" if like is None else f"did you mean {like}?"
    return f"the variable {name} is no setting and is not read; {hint}"
