"""Writes two lists from the code: the settings in ``docs/api.md``, and the modules in ``ARCHITECTURE.md``.

python docs/generate_lists.py
"""

from __future__ import annotations

import ast
import re
from pathlib import Path
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Literal, Union, get_args, get_origin

from pydantic import SecretStr

from omoide.config import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic.fields import FieldInfo

HOME = Path(__file__).parent.parent
SOURCE = HOME / "src" / "omoide"
_ELSEWHERE = {
    "store": "`omoide.db` in the user's data folder",
    "master_key_file": "`master.key` in the user's configuration folder",
    "api_keys": "`api-keys.json` in the user's configuration folder",
}
"""Defaults that depend on the machine."""

_NAMES = {
    str: "text",
    int: "whole number",
    float: "number",
    bool: "true or false",
    SecretStr: "secret",
    Path: "path",
}
_REFERENCES = re.compile(r"\s*\([^()]*\b(?:[HPKF]\d+|design|ruling)[^()]*\)")
"""Points of the specification, which a reader of these pages has no use for."""


def settings() -> str:
    """A table with a line a setting."""
    head = ["| Setting | Default | Values | Meaning |", "|---|---|---|---|"]
    return "\n".join([*head, *(_setting(name, field) for name, field in Settings.model_fields.items())])


def modules() -> str:
    """The source folder as a tree, with what each module is about."""
    return "\n".join(["```", "src/omoide/", *_tree(SOURCE, 1), "```"])


LISTS = {
    HOME / "docs" / "api.md": ("settings", settings),
    HOME / "ARCHITECTURE.md": ("modules", modules),
}
"""The page that each list stands on, between two comments with its name."""


def filled(page: Path) -> str:
    """The page with its list as the code is now."""
    name, made = LISTS[page]
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    pattern = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
    return pattern.sub(lambda _: f"{begin}\n{made()}\n{end}", page.read_text(encoding="utf-8"))


def _setting(name: str, field: FieldInfo) -> str:
    default = _ELSEWHERE.get(name) or _shown(field.get_default(call_default_factory=True))
    return f"| `{name}` | {default} | {_values(field)} | {field.description} |"


def _shown(default: object) -> str:
    if default is None or default in ((), []):
        return "none"
    return f"`{str(default).lower() if isinstance(default, bool) else default}`"


def _values(field: FieldInfo) -> str:
    low = next((found.ge for found in field.metadata if hasattr(found, "ge")), None)
    high = next((found.le for found in field.metadata if hasattr(found, "le")), None)
    if low is not None:
        return f"{low:,} to {high:,}" if high is not None else f"{low:,} or more"
    return _kind(field.annotation)


def _kind(annotation: object) -> str:
    if get_origin(annotation) is Literal:
        return ", ".join(f"`{choice}`" for choice in get_args(annotation))
    if get_origin(annotation) in (Union, UnionType):
        return ", ".join(_kind(part) for part in get_args(annotation) if part is not NoneType)
    if get_origin(annotation) in (tuple, list):
        return f"list of {_kind(get_args(annotation)[0])}"
    return _NAMES.get(annotation, str(annotation)) if isinstance(annotation, type) else str(annotation)


def _tree(folder: Path, depth: int) -> Iterator[str]:
    for path in sorted(folder.iterdir(), key=lambda path: (path.is_dir(), path.name)):
        if path.is_dir() and any(path.glob("*.py")):
            yield _entry(f"{path.name}/", path / "__init__.py", depth)
            yield from _tree(path, depth + 1)
        elif path.suffix == ".py" and not path.stem.startswith("_"):
            yield _entry(path.name, path, depth)


def _entry(name: str, module: Path, depth: int) -> str:
    return f"{'  ' * depth}{name:{24 - 2 * depth}}{_about(module)}".rstrip()


def _about(module: Path) -> str:
    """The first sentence of a module's docstring."""
    text = ast.get_docstring(ast.parse(module.read_text(encoding="utf-8"))) if module.exists() else None
    first = _REFERENCES.sub("", " ".join((text or "").split("\n\n")[0].split()))
    return re.split(r"(?<=[a-z`'’»\")])[.;](?:\s|$)", first)[0].rstrip(".").replace("``", "`")


if __name__ == "__main__":
    for place in LISTS:
        place.write_text(filled(place), encoding="utf-8")
