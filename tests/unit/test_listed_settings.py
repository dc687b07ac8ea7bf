"""Settings that are lists of text, as variables give them."""

from __future__ import annotations

import pytest

from omoide.config import Settings
from omoide.errors import InvalidInput


@pytest.mark.parametrize("name", ["trusted_peers", "allowed_hosts", "allowed_origins"])
@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("127.0.0.1", ("127.0.0.1",)),
        ("http://a.example, http://b.example,", ("http://a.example", "http://b.example")),
        ('["10.0.0.5", "::1"]', ("10.0.0.5", "::1")),
        ("[]", ()),
    ],
)
def test_a_list_is_written_between_commas_or_as_json(
    monkeypatch: pytest.MonkeyPatch, name: str, written: str, read: tuple[str, ...]
) -> None:
    monkeypatch.setenv(f"OMOIDE_{name.upper()}", written)
    assert getattr(Settings.read(), name) == read


@pytest.mark.parametrize(
    ("variable", "written"),
    [
        ("OMOIDE_TRUSTED_PEERS", "[10.0.0.5"),
        ("OMOIDE_TRUSTED_PEERS", "[7]"),
        ("OMOIDE_NEVER_KEEP", r"\d{3,4}"),
    ],
)
def test_a_list_in_another_form_is_told_of_in_a_line(
    monkeypatch: pytest.MonkeyPatch, variable: str, written: str
) -> None:
    monkeypatch.setenv(variable, written)
    with pytest.raises(InvalidInput, match="the settings are wrong: ") as told:
        Settings.read()
    assert variable.removeprefix("OMOIDE_").lower() in str(told.value).lower()
    assert "\n" not in str(told.value)
