"""Settings: read once, from arguments, the environment (`OMOIDE_…`), a file, and defaults, in this order."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any, Literal

from platformdirs import user_config_path, user_data_path
from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from omoide.errors import InvalidInput

Embedder = Literal["auto", "local", "ollama", "openai", "sentence-transformers", "none"]


def config_file() -> Path:
    """The settings file: `OMOIDE_CONFIG`, or ``config.toml`` in the user's configuration folder."""
    named = os.environ.get("OMOIDE_CONFIG")
    return Path(named) if named else user_config_path("omoide") / "config.toml"


class Settings(BaseSettings):
    """Everything that a deployment may choose; frozen once read."""

    model_config = SettingsConfigDict(
        env_prefix="OMOIDE_", env_ignore_empty=True, extra="forbid", frozen=True
    )

    store: str = Field(
        default_factory=lambda: str(user_data_path("omoide") / "omoide.db"),
        description="the database: a path",
    )
    zone: str = Field("UTC", description="the time zone of users that told none, such as Asia/Seoul")
    master_key: SecretStr | None = Field(None, description="the master key itself, in place of its file")
    master_key_command: str | None = Field(None, description="a command that prints the master key")
    master_key_file: Path = Field(
        default_factory=lambda: user_config_path("omoide") / "master.key",
        description="where the master key lies",
    )
    keyring: Path | None = Field(None, description="the wrapped data keys; by default beside the store")

    embedder: Embedder = Field("auto", description="auto takes the local one where it can run")
    embedder_model: str | None = Field(
        None, description="the model's name, for a server or sentence-transformers"
    )
    embedder_url: str | None = Field(None, description="the embedding server")
    embedder_key: SecretStr | None = Field(None, description="the embedding server's API key")
    embedder_dimensions: int | None = Field(None, ge=8, le=8192, description="shorter vectors, where it can")
    analyser: Literal["bigram", "kiwi", "sudachi"] = Field("bigram", description="how text becomes terms")

    forgetting: Literal["conversation", "calendar", "none"] = Field(
        "conversation", description="how memories fade"
    )
    fusion: Literal["standard", "published"] = Field("standard", description="how lists become one")
    memories: int = Field(12, ge=1, le=12, description="memories in one recall at most")
    slots: int = Field(2, ge=0, le=2, description="places held for important memories")
    budget: int = Field(1_000, ge=50, le=100_000, description="tokens of the block at most")
    turns: int = Field(6, ge=0, le=200, description="user messages that the prompt shows as they were said")
    brief: bool = Field(False, description="the short form of the block")
    redact: bool = Field(True, description="never keep passwords, API keys and card numbers")
    never_keep: tuple[str, ...] = Field((), description="regular expressions; what they match is never kept")
    quiet_minutes: float = Field(10.0, ge=0.0, description="after so long a session's last words are settled")
    cache_mb: int = Field(512, ge=1, description="memory for the indexes of scopes")
    large_scope: int = Field(20_000, ge=1_000, description="rows from which vectors are scored in two steps")

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
    def read(cls, **given: Any) -> Settings:  # noqa: ANN401 - any setting may be given
        """Read the settings; what is given here wins.

        Raises:
            InvalidInput: a value or a name is wrong, or the file cannot be read; the message says which.
        """
        try:
            return cls(**given)
        except ValidationError as error:
            problems = "; ".join(
                f"{'.'.join(map(str, found['loc']))}: {found['msg']}" for found in error.errors()
            )
            msg = f"the settings are wrong: {problems}; `omoide config show` lists all of them"
            raise InvalidInput(msg) from error
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            msg = f"the settings file {str(config_file())!r} is no TOML in UTF-8: {error}; correct it"
            raise InvalidInput(msg) from error
