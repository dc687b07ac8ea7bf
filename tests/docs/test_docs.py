"""The documentation is true: examples run, commands are there, lists are whole, links lead somewhere."""

from __future__ import annotations

import ast
import asyncio
import contextlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from importlib.util import module_from_spec, spec_from_file_location
from inspect import iscoroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

import omoide
from omoide import Omoide, Settings, errors
from omoide.importers import FORMATS
from omoide.testing import FakeModelServer, WordEmbedder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

HOME = Path(__file__).parent.parent.parent
PAGES = sorted([*HOME.glob("*.md"), *(HOME / "docs").glob("*.md")])
RUNNABLE = re.compile(
    r"<!-- runnable(?P<where> in a scope| at a server)? -->\n```(?P<kind>python|sh)\n(?P<code>.*?)```",
    re.DOTALL | re.MULTILINE,
)
BLOCK = re.compile(r"^ *```(?P<kind>\w*)\n(?P<code>.*?)^ *```", re.DOTALL | re.MULTILINE)
SERVER = "http://127.0.0.1:8765"
"""Where the pages have the server; at a test it is elsewhere."""

VARIABLE = re.compile(r"\bOMOIDE_[A-Z_]+\b")
NO_SETTINGS = {"OMOIDE_CONFIG", "OMOIDE_DEBUG", "OMOIDE_USER", "OMOIDE_CHARACTER"}
LINK = re.compile(r"\[[^\]\[]+\]\((?!https?://)(?P<target>[^)#\s]*)(?:#(?P<part>[^)\s]+))?\)")
COMMANDS = """
    demo, import, observe, recall, memories, search, show, remember, correct, pin, unpin, forget, restore,
    rewind, reset, erase, export, reindex, prune, doctor, config show, key export, key import,
    people list, people rename, people merge,
    chat, characters list, characters show, characters import, characters export, characters lint,
    serve, worker,
    discuss, jobs, candidates list, candidates confirm, candidates reject,
    relationship, plans, feelings, windows, models list, models set, models unset,
    prompts list, prompts set, prompts unset, api-key add, api-key list, api-key remove
"""
CALLS = [name for name in dir(omoide.Scope) if not name.startswith("_") and name != "unknown"]
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


def examples(where: str | None = None, *, kind: str = "python") -> list[Any]:
    found = [
        (page.name, number, match["code"])
        for page in PAGES
        for number, match in enumerate(RUNNABLE.finditer(text_of(page)), 1)
        if (match["where"], match["kind"]) == (where, kind)
    ]
    return [pytest.param(code, id=f"{page}-{number}") for page, number, code in found]


def blocks(kind: str) -> list[Any]:
    found = [
        (page.name, number, match["code"])
        for page in PAGES
        for number, match in enumerate(BLOCK.finditer(text_of(page)), 1)
        if match["kind"] == kind
    ]
    return [pytest.param(code, id=f"{page}-{number}") for page, number, code in found]


def commands() -> list[Any]:
    """Every line of a block that calls the command line, without what a shell does around it."""
    lines = {
        re.split(r"\s#\s|\s[|>]", line.strip().removeprefix("$ "))[0].strip()
        for page in PAGES
        if page.name != "cli.md"
        for match in BLOCK.finditer(text_of(page))
        if match["kind"] in ("", "sh")
        for line in match["code"].splitlines()
    }
    return sorted(line for line in lines if line.startswith("omoide "))


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("OMOIDE_EMBEDDER", "none")
    monkeypatch.setenv("OMOIDE_MASTER_KEY_FILE", str(tmp_path / "master.key"))
    return tmp_path


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of `omoide serve`, started as the pages start it, before a model that says hello."""
    folder = tmp_path_factory.mktemp("server")
    names = {"HOME": str(folder), "XDG_CONFIG_HOME": str(folder / "config"), "XDG_DATA_HOME": str(folder)}
    environment = {**os.environ, **names, "OMOIDE_EMBEDDER": "none", "OMOIDE_EXTRACTION": "off"}
    with FakeModelServer("Hello!") as upstream:
        command = ["serve", "--port", "0", "--json", "--upstream", upstream.url]
        process = subprocess.Popen(
            [sys.executable, "-m", "omoide.cli", *command],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        with process:
            assert process.stdout is not None
            yield json.loads(process.stdout.readline())["url"]
            process.terminate()


@pytest.mark.parametrize("code", examples())
def test_whole_example_runs(code: str, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with contextlib.chdir(home):
        exec(compile(code, "example", "exec"), {"__name__": "__main__"})

    assert "Traceback" not in capsys.readouterr().out


@pytest.mark.parametrize("code", examples(" at a server"))
def test_example_at_a_server_runs(code: str, server: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert SERVER in code
    exec(compile(code.replace(SERVER, server), "example", "exec"), {"__name__": "__main__"})

    assert "Hello!" in capsys.readouterr().out


@pytest.mark.skipif(shutil.which("curl") is None, reason="needs curl")
@pytest.mark.parametrize("code", examples(" at a server", kind="sh"))
def test_example_for_a_shell_runs(code: str, server: str) -> None:
    assert SERVER in code
    done = subprocess.run(
        ["sh", "-ec", code.replace(SERVER, server)], capture_output=True, text=True, check=True, timeout=30
    )

    assert "200 OK" in done.stdout
    assert "Hello!" in done.stdout


@pytest.mark.parametrize("command", commands())
def test_command_in_an_example_is_one(command: str) -> None:
    from typer.main import get_command

    from omoide.cli import app

    found: Any = get_command(app)
    words = shlex.split(command)[1:]
    while words and hasattr(found, "commands") and words[0] in found.commands:
        found = found.commands[words.pop(0)]
    if hasattr(found, "commands"):
        assert all(word.startswith("-") for word in words), words  # a group alone, with what it shows then
    options = {option for parameter in found.params for option in parameter.opts}
    assert {word.split("=")[0] for word in words if word.startswith("--")} <= options


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_variables_in_pages_are_settings(page: Path) -> None:
    known = {f"OMOIDE_{name.upper()}" for name in Settings.model_fields} | NO_SETTINGS
    assert {name for name in VARIABLE.findall(text_of(page)) if not name.endswith("_")} <= known


@pytest.mark.parametrize("code", blocks("toml"))
def test_settings_file_in_an_example_can_be_read(code: str) -> None:
    assert Settings.read(**tomllib.loads(code)).model_fields_set


@pytest.mark.parametrize("code", blocks("yaml"))
def test_yaml_in_an_example_can_be_read(code: str) -> None:
    assert isinstance(yaml.safe_load(code), dict | list)


@pytest.mark.parametrize("code", examples(" in a scope"))
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
