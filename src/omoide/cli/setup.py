"""Commands on settings and keys."""

from __future__ import annotations

import json as jsonlib
import os
import tomllib
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from omoide.cli import show
from omoide.cli.options import Json, OneFile, Store, Where
from omoide.cli.running import has_store, settings_of, store_name, tell, words_of
from omoide.errors import InvalidInput, KeyWrong, StoreError

if TYPE_CHECKING:
    from omoide.config import Settings
    from omoide.keychain import Rotated
    from omoide.stores.keys.masterkey import MasterKey

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
    from omoide.stores.keys.masterkey import MasterKey

    settings = settings_of(Where(store=store), vectors=False)
    master = MasterKey.parse(words_of(file))
    _refuse_stranger(master, settings)
    target = settings.master_key_file.expanduser()
    master.save(target)
    fields = {"file": str(target), "fingerprint": master.fingerprint}
    show.answer(fields, f"the key {master.fingerprint} lies in {target}", json=json)


@key.command("rotate")
def key_rotate(
    *,
    new: Annotated[
        Path | None,
        typer.Option("--new", metavar="FILE", help="The new key's file; it is made, if there is none."),
    ] = None,
    store: Store = None,
    json: Json = False,
) -> None:
    """Put a new master key in place of the one in use; nothing that is stored is written again.

    Only this store is changed. Other stores under the same master key still need the old one, which stays
    as master.key.FINGERPRINT: give each of them the new key by the command that is shown. Destroy the old
    key only then; without it they never open again.

    Every other process of this store needs the new key: it is told so as soon as it needs a key, and then has
    to be started anew.
    """
    from omoide.bootstrap import open_database
    from omoide.keychain import rotate

    settings = settings_of(Where(store=store), vectors=False)
    if not has_store(settings):
        msg = f"there is no store {store_name(settings)!r}, and nothing to rotate"
        raise StoreError(msg)
    with closing(open_database(settings)) as database:
        done = rotate(settings, database, new=new)
    fields = {"old": done.old, "new": done.new, "file": str(done.file), "left": _text(done.left)}
    others = [asdict(other) for other in done.others]
    line = f"the key {done.new} in {done.file} holds now, in place of {done.old}"
    show.answer({**fields, "keyring": done.keyring, "others": others}, line, json=json)
    if done.left is None:
        tell(f"put the key in {done.file} where the old one came from, once no store needs that any more")
    else:
        tell(f"bring {done.file} to every other machine, and start its processes anew")
    _tell_others(done, settings)
    kept = "every copy of the old key" if done.left is None else f"{done.left} and every other copy of it"
    tell(
        f"only when no store needs the old key any more, destroy {kept}, and copies of the keyring "
        f"{done.keyring} from before, which it opens; make new copies of both"
    )


@key.command("copy-keyring")
def key_copy_keyring(
    to: Annotated[str, typer.Argument(metavar="TO", help="A file, or postgresql+psycopg://….")],
    *,
    store: Store = None,
    json: Json = False,
) -> None:
    """Copy the keyring to where it is to lie from now on: from a file into a database, or back.

    Stop every process of the store first, for a key that is made meanwhile would be missing. The master key
    is not needed, and stays where it is.
    """
    from omoide.bootstrap import open_database
    from omoide.keychain import carry

    settings = settings_of(Where(store=store), vectors=False)
    if not has_store(settings):
        msg = f"there is no store {store_name(settings)!r}, and no keyring of it"
        raise StoreError(msg)
    with closing(open_database(settings)) as database:
        done = carry(settings, database, to=to)
    line = f"the keyring, epoch {done.epoch}, lies in {done.target} too"
    show.answer(asdict(done), line, json=json)
    tell(
        f"set OMOIDE_KEYRING to the new place for all processes, start them, and destroy {done.source}: two "
        "keyrings of one store in use part company"
    )


def _tell_others(done: Rotated, settings: Settings) -> None:
    """Say which stores would be lost with the old key, and what gives them the new one."""
    from omoide.other_keyrings import again, folders_of

    for other in done.others:
        doubt = "" if other.sure else " (if it is the copy of a keyring, destroy it instead)"
        tell(f"{other.keyring} still needs an old key{doubt}; give its store the new one: {other.command}")
    folders = ", ".join(str(folder) for folder in folders_of(settings))
    command = again(old=done.left, new=done.file, store="STORE")
    tell(
        f"looked for keyrings that still need an old key in {folders}: found {len(done.others)}. Every other "
        f"store under the old key, wherever it is, must be given the new one first: {command}. Without the "
        "old key it never opens again"
    )


def _master(where: Where) -> MasterKey:
    from omoide.keychain import master_key

    return master_key(settings_of(where, vectors=False))


def _refuse_stranger(master: MasterKey, settings: Settings) -> None:
    """Refuse a key that the store's keyring was not wrapped under, where that lies in a file."""
    from omoide.keychain import keyring_place
    from omoide.stores.keys.places import FilePlace

    ring = keyring_place(settings, store="")
    if not isinstance(ring, FilePlace):
        return
    try:
        wanted = jsonlib.loads(ring.path.read_bytes())["body"]["master"]
    except (OSError, ValueError, KeyError, TypeError):
        return
    if wanted != master.fingerprint:
        found = master.fingerprint
        msg = f"the store's keyring needs the key {wanted!r}, got {found!r}; nothing was changed"
        raise KeyWrong(msg)


def _settings(given: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Each setting with its value and source, also where a value is wrong."""
    from omoide.config import SERVERS, Settings

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
            "value": _HIDDEN if secret and value is not None else _plain(value, server=name in SERVERS),
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


def _plain(value: object, *, server: bool) -> object:
    from omoide.addresses import shown

    if isinstance(value, str):
        return shown(value, server=server)
    return str(value) if isinstance(value, Path) else value


def _text(value: object) -> str:
    return "-" if value is None else str(value)
