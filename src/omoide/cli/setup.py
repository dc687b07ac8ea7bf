"""Commands on settings and keys."""

from __future__ import annotations

import json as jsonlib
import os
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from omoide.cli import show
from omoide.cli.options import Json, OneFile, Store, Where
from omoide.cli.running import settings_of, tell, words_of
from omoide.errors import InvalidInput, KeyWrong

if TYPE_CHECKING:
    from omoide.stores.masterkey import MasterKey

_HIDDEN = "(hidden)"
config = typer.Typer(help="Settings.")
key = typer.Typer(help="The master key.")


@config.command("show")
def config_show(*, store: Store = None, json: Json = False) -> None:
    """Show every setting, its value, and where it comes from; secrets stay hidden."""
    from omoide.config import config_file, told_of, unknown_variables

    rows = _settings({} if store is None else {"store": store})
    slips = unknown_variables()
    if json:
        show.as_json({"file": str(config_file()), "settings": rows, "unknown": slips})
    else:
        show.say(f"settings file: {config_file()}{'' if config_file().exists() else ' (not there)'}")
        cells = [[name, _text(row["value"]), row["source"], row["meaning"]] for name, row in rows.items()]
        show.table(("setting", "value", "from", "meaning"), cells, wide="meaning")
    for name, like in slips.items():
        tell(told_of(name, like))
    settings_of(Where(store=store))


@key.command("export")
def key_export(file: OneFile = None, *, store: Store = None, json: Json = False) -> None:
    """Write the master key as one line, to keep in another place."""
    master = _master(Where(store=store))
    if file is None:
        show.answer({"key": master.export(), "fingerprint": master.fingerprint}, master.export(), json=json)
        return
    master.save(file)
    fields = {"file": str(file), "fingerprint": master.fingerprint}
    show.answer(fields, f"wrote the key {master.fingerprint} to {file}", json=json)


@key.command("import")
def key_import(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="What `key export` wrote; - is standard input.")
    ],
    *,
    store: Store = None,
    json: Json = False,
) -> None:
    """Put the master key back from a copy; a key that is there is never overwritten."""
    from omoide.bootstrap import keyring_file
    from omoide.stores.masterkey import MasterKey

    settings = settings_of(Where(store=store), vectors=False)
    master = MasterKey.parse(words_of(file))
    ring = keyring_file(settings)
    _refuse_stranger(master, ring)
    target = settings.master_key_file.expanduser()
    master.save(target)
    fields = {"file": str(target), "fingerprint": master.fingerprint}
    show.answer(fields, f"the key {master.fingerprint} lies in {target}", json=json)


def _master(where: Where) -> MasterKey:
    from omoide.stores.masterkey import MasterKey

    settings = settings_of(where, vectors=False)
    given = None if settings.master_key is None else settings.master_key.get_secret_value()
    return MasterKey.load(
        env=given, command=settings.master_key_command, file=settings.master_key_file.expanduser()
    )


def _refuse_stranger(master: MasterKey, ring: Path) -> None:
    """Refuse a key that the store's keyring was not wrapped under."""
    try:
        wanted = jsonlib.loads(ring.read_bytes())["body"]["master"]
    except (OSError, ValueError, KeyError, TypeError):
        return
    if wanted != master.fingerprint:
        found = master.fingerprint
        msg = f"the store's keyring needs the key {wanted!r}, got {found!r}; nothing was changed"
        raise KeyWrong(msg)


def _settings(given: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Each setting with its value and source, also where a value is wrong."""
    from omoide.config import Settings

    file = _file_values()
    rows = {}
    for name, described in Settings.model_fields.items():
        variable = f"OMOIDE_{name.upper()}"
        if name in given:
            value, source = given[name], "argument"
        elif os.environ.get(variable):
            value, source = os.environ[variable], f"environment ({variable})"
        elif name in file:
            value, source = file[name], "file"
        else:
            value, source = described.get_default(call_default_factory=True), "default"
        secret = "SecretStr" in str(described.annotation)
        rows[name] = {
            "value": _HIDDEN if secret and value is not None else _plain(value),
            "source": source,
            "meaning": described.description or "",
        }
    return rows


def _file_values() -> dict[str, Any]:
    from omoide.config import config_file

    path = config_file()
    if not path.exists():
        return {}
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        msg = f"the settings file {str(path)!r} cannot be read: {error}"
        raise InvalidInput(msg) from error


def _plain(value: object) -> object:
    return str(value) if isinstance(value, Path) else value


def _text(value: object) -> str:
    return "-" if value is None else str(value)
