"""Tenants, keys and tokens on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import jwt

if TYPE_CHECKING:
    import pytest
    from command_line import CommandLine

WHOSE = ("--user", "민준", "--character", "하루")


def test_the_same_names_in_two_tenants_are_two_memories(
    omoide: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    omoide("--tenant", "acme", "remember", "likes barley tea", *WHOSE, "--new")
    monkeypatch.setenv("OMOIDE_TENANT", "beta")
    omoide("remember", "likes plum wine", *WHOSE, "--new")
    assert "plum" in omoide("memories", *WHOSE).out
    assert "barley" not in omoide("memories", *WHOSE).out
    assert "barley" in omoide("--tenant", "acme", "memories", *WHOSE).out  # the option wins
    monkeypatch.delenv("OMOIDE_TENANT")
    omoide("memories", *WHOSE, status=1)
    assert "tenant" in omoide("--tenant", "A B", "memories", *WHOSE, status=2).err


def test_a_key_is_made_for_a_tenant_and_shown_with_it(omoide: CommandLine) -> None:
    omoide("api-key", "add", "app", "--tenant", "acme", "--issue")
    omoide("api-key", "add", "app", "--tenant", "beta")
    omoide("api-key", "add", "app")
    rows = omoide("api-key", "list", "--json").json
    assert [(row["tenant"], row["issue"]) for row in rows] == [("", False), ("acme", True), ("beta", False)]
    omoide("api-key", "remove", "app", "--tenant", "acme")
    assert [row["tenant"] for row in omoide("api-key", "list", "--json").json] == ["", "beta"]
    omoide("api-key", "remove", "app", "--tenant", "acme", status=1)


def test_a_token_is_issued_and_all_of_them_ended(omoide: CommandLine) -> None:
    made = omoide("api-key", "token", *WHOSE, "--tenant", "acme", "--minutes", "5", "--json")
    claims = jwt.decode(made.json["token"], options={"verify_signature": False})
    assert (claims["sub"], claims["chr"], claims["tnt"]) == ("민준", "하루", "acme")
    assert claims["exp"] - claims["iat"] == 300
    assert "1440 minutes" in omoide("api-key", "token", *WHOSE, "--minutes", "1441", status=2).err
    assert omoide("api-key", "revoke-tokens", "--tenant", "acme").out == "all tokens have ended\n"


def test_the_master_key_is_rotated_and_what_to_destroy_is_told(omoide: CommandLine) -> None:
    omoide("remember", "likes barley tea", *WHOSE, "--new")
    before = omoide("key", "export").out
    told = omoide("key", "rotate")
    assert "destroy" in told.err
    assert "start its processes anew" in told.err
    assert omoide("key", "export").out != before
    assert "barley" in omoide("memories", *WHOSE).out
    taken = omoide("key", "rotate", "--json").json
    assert taken["new"] != taken["old"]
    assert taken["old"] in taken["left"]
    given = omoide.home / "given.key"
    omoide("key", "rotate", "--new", str(given))
    assert given.exists()
    assert "in use already" in omoide("key", "rotate", "--new", str(given), status=2).err
    assert "barley" in omoide("memories", *WHOSE).out


def test_there_is_nothing_to_rotate_without_a_store(omoide: CommandLine) -> None:
    omoide("key", "rotate", status=1)
