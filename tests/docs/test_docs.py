"""The documentation is true: its examples run, its lists are whole, its links lead somewhere."""

from __future__ import annotations

import ast
import asyncio
import contextlib
import re
import subprocess
import sys
from collections import Counter
from importlib.util import module_from_spec, spec_from_file_location
from inspect import iscoroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import omoide
from omoide import Omoide, Settings, errors
from omoide.importers import FORMATS
from omoide.testing import WordEmbedder

if TYPE_CHECKING:
    from types import ModuleType

HOME = Path(__file__).parent.parent.parent
PAGES = sorted([*HOME.glob("*.md"), *(HOME / "docs").glob("*.md")])
RUNNABLE = re.compile(
    r"<!-- runnable(?P<inside> in a scope)? -->\n```python\n(?P<code>.*?)```", re.DOTALL | re.MULTILINE
)
LINK = re.compile(r"\[[^\]\[]+\]\((?!https?://)(?P<target>[^)#\s]*)(?:#(?P<part>[^)\s]+))?\)")
COMMANDS = """
    demo, import, observe, recall, memories, show, remember, correct, pin, unpin, forget, restore, rewind,
    reset, erase, export, reindex, prune, doctor, config show, key export, key import,
    people list, people rename, people merge,
    chat, characters list, characters show, characters import, serve, worker
"""
CALLS = [name for name in vars(omoide.Scope) if not name.startswith("_") and name != "unknown"]
SOURCES = sorted((HOME / "src" / "omoide").rglob("*.py"))
SCHEMA = {"tables.py", "0001_first.py"}
"""A schema is one list, in the code as in the migration that makes it: it reads best whole."""


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def script(name: str) -> ModuleType:
    """A script of the docs folder as a module."""
    spec = spec_from_file_location(name, HOME / "docs" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def examples(*, inside: bool) -> list[Any]:
    found = [
        (page.name, number, match["code"])
        for page in PAGES
        for number, match in enumerate(RUNNABLE.finditer(text_of(page)), 1)
        if bool(match["inside"]) is inside
    ]
    return [pytest.param(code, id=f"{page}-{number}") for page, number, code in found]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("OMOIDE_EMBEDDER", "none")
    monkeypatch.setenv("OMOIDE_MASTER_KEY_FILE", str(tmp_path / "master.key"))
    return tmp_path


@pytest.mark.parametrize("code", examples(inside=False))
def test_whole_example_runs(code: str, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with contextlib.chdir(home):
        exec(compile(code, "example", "exec"), {"__name__": "__main__"})

    assert "Traceback" not in capsys.readouterr().out


@pytest.mark.parametrize("code", examples(inside=True))
def test_example_inside_a_scope_runs(code: str, home: Path) -> None:
    async def run() -> None:
        async with Omoide.open(home / "example.db", embedder=WordEmbedder()) as engine:
            haru = engine.scope(user="minjun", character="haru")
            await haru.observe(user="My sister lives in Busan.", reply="By the sea!", session="s1")
            whole = compile(code, "example", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
            running = eval(whole, {"omoide": engine, "haru": haru})
            if iscoroutine(running):
                await running

    asyncio.run(run())


def test_readme_has_a_program_that_runs() -> None:
    assert RUNNABLE.search(text_of(HOME / "README.md"))


def test_page_of_commands_equals_their_help() -> None:
    made = subprocess.run(
        [sys.executable, "-c", "import generate_cli; print(generate_cli.page())"],
        cwd=HOME / "docs",
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    ).stdout

    # Only words count: releases of the help's library differ in their blanks.
    assert text_of(HOME / "docs" / "cli.md").split() == made.split(), "run: python docs/generate_cli.py"


@pytest.mark.parametrize("command", [command.strip() for command in COMMANDS.split(",")])
def test_every_command_has_its_part(command: str) -> None:
    assert f"\n## omoide {command}\n" in text_of(HOME / "docs" / "cli.md")


def test_lists_that_the_code_knows_are_up_to_date() -> None:
    lists = script("generate_lists")

    for page in lists.LISTS:
        assert text_of(page) == lists.filled(page), "run: python docs/generate_lists.py"


def test_page_of_calls_over_http_equals_what_the_server_tells(home: Path) -> None:
    made = script("generate_http").page()

    assert text_of(HOME / "docs" / "http.md") == made, "run: python docs/generate_http.py"


@pytest.mark.parametrize("setting", Settings.model_fields)
def test_every_setting_is_described(setting: str) -> None:
    assert f"\n| `{setting}` |" in text_of(HOME / "docs" / "api.md")
    assert Settings.model_fields[setting].description


@pytest.mark.parametrize("name", omoide.__all__)
def test_every_public_name_is_described_and_there(name: str) -> None:
    assert getattr(omoide, name) is not None
    assert re.search(rf"`{name}\b", text_of(HOME / "docs" / "api.md"))


@pytest.mark.parametrize(
    "name", [name for name in vars(omoide.Scope) if name[0] != "_" and name != "unknown"]
)
def test_every_call_of_a_scope_is_described(name: str) -> None:
    assert re.search(rf"`{name}\(", text_of(HOME / "docs" / "api.md"))


def test_every_error_is_described() -> None:
    page = text_of(HOME / "docs" / "api.md")

    kinds = [value for value in vars(errors).values() if isinstance(value, type)]
    assert not [kind.__name__ for kind in kinds if f"`{kind.__name__}`" not in page]


def test_every_format_is_described() -> None:
    page = text_of(HOME / "docs" / "formats.md")

    assert not [name for name in FORMATS if f"\n| `{name}` |" not in page]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for match in LINK.finditer(text_of(page)):
        target = page.parent / match["target"] if match["target"] else page
        assert target.exists(), match[0]
        if match["part"]:
            assert match["part"] in anchors(target), match[0]


def anchors(page: Path) -> set[str]:
    """The names by which a page's headings can be linked to."""
    headings = re.findall(r"^#+ (.+)$", text_of(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_headings_of_a_page_differ() -> None:
    for page in PAGES:
        if page.name != "CHANGELOG.md":
            doubled = Counter(re.findall(r"^#+ .+$", text_of(page), re.MULTILINE))
            assert not [heading for heading, often in doubled.items() if often > 1], page.name


@pytest.mark.parametrize(
    "module",
    [path for path in SOURCES if path.name not in SCHEMA],
    ids=lambda path: str(path.relative_to(HOME / "src")),
)
def test_module_is_short_enough_to_be_one_idea(module: Path) -> None:
    assert len(text_of(module).splitlines()) < 400


@pytest.mark.parametrize("folder", ["", "src", "tests", "benchmarks", "docs", ".ci"])
def test_no_file_names_a_place_of_one_machine(folder: str) -> None:
    place = re.compile(r"(?<![\w./~])/(?:home|root|Users|work|mnt)/[a-z]")
    files = (HOME / folder).rglob("*") if folder else HOME.glob("*")
    named = [
        str(path.relative_to(HOME))
        for path in files
        if path.suffix in {".py", ".md", ".toml", ".txt", ".jsonl", ""}
        and path.is_file()
        and place.search(path.read_bytes().decode("utf-8", "replace"))
    ]

    assert not named
