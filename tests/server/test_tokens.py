"""Signed tokens for browsers and games: one user and character, for minutes, and nothing besides."""

from __future__ import annotations

import base64
import json
import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import jwt
import pytest
from serving import serving

from omoide.errors import InvalidInput, TokenRefused
from omoide.server.access import Access, ApiKeys
from omoide.server.proxy.ours import holds_ours
from omoide.server.tokens import LONGEST, Tokens
from omoide.testing import FakeModelServer

if TYPE_CHECKING:
    from pathlib import Path

    import httpx2

NOW = datetime(2026, 6, 10, 3, tzinfo=UTC)
WHOSE = {"user": "민준", "character": "하루"}
SAID = {"user": "나는 보리차를 제일 좋아해", "reply": "나도!", "session": "첫날"}


class Clock:
    """A clock that tests set."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


def _keys(folder: Path) -> ApiKeys:
    return ApiKeys(folder / "keys.json")


async def _issued(client: httpx2.AsyncClient, key: str, **given: Any) -> str:
    answer = await client.post("/api/tokens", json={**WHOSE, **given}, headers={"x-api-key": key})
    assert answer.status_code == 201, answer.text
    return answer.json()["token"]


async def test_a_token_reaches_its_user_and_character_until_it_ends(tmp_path: Path) -> None:
    key = _keys(tmp_path).add(Access(label="game", issue=True))
    clock = Clock()
    async with serving(tmp_path, local=False, clock=clock) as (_, client):
        token = {"authorization": f"Bearer {await _issued(client, key, minutes=5)}"}
        assert (await client.post("/api/observe", params=WHOSE, json=SAID, headers=token)).status_code == 200
        other = {**WHOSE, "user": "유나"}, {**WHOSE, "character": "Wren"}, {"character": "하루"}
        for whose in other:
            answer = await client.post("/api/recall", params=whose, json={"message": "차?"}, headers=token)
            assert answer.status_code == 403
        clock.now = NOW + timedelta(minutes=5)
        answer = await client.post("/api/observe", params=WHOSE, json=SAID, headers=token)
        assert answer.status_code == 401
        assert "ended 0 seconds ago" in answer.text
        assert "POST /api/tokens" in answer.text


async def test_a_token_never_reaches_what_is_for_admins_or_the_server(tmp_path: Path) -> None:
    key = _keys(tmp_path).add(Access(label="game", issue=True, admin=True))
    async with serving(tmp_path, local=False) as (_, client):
        token = {"x-api-key": await _issued(client, key)}
        for method, path in (
            ("GET", "/api/scopes"),
            ("GET", "/api/keys"),
            ("POST", "/api/keys"),
            ("GET", "/api/doctor"),
            ("POST", "/api/erase"),
            ("GET", "/api/models"),
            ("GET", "/api/jobs"),
            ("GET", "/api/events"),
            ("POST", "/api/characters"),
            ("GET", "/api/characters/wren"),
            ("POST", "/api/tokens"),
            ("DELETE", "/api/tokens"),
            ("GET", "/metrics"),
            ("POST", "/api/reset?user=민준&character=하루"),
            ("POST", "/api/purge?user=민준&character=하루&now=true"),
            ("GET", "/api/export?user=민준&character=하루"),
            ("GET", "/v1/files"),
            ("POST", "/v1/embeddings"),
            ("GET", "/v1/models/..%2Ffiles"),
        ):
            body = {"user": "민준", "character": "하루"} if path == "/api/tokens" else None
            answer = await client.request(method, path, headers=token, json=body)
            assert answer.status_code in (403, 404, 422), (method, path, answer.status_code)
            assert answer.status_code == 403 or method == "POST", (method, path, answer.text)


@pytest.mark.parametrize("minutes", [0, 0.5, -1, LONGEST + 1, 1e9])
async def test_a_token_is_short_lived(tmp_path: Path, minutes: float) -> None:
    key = _keys(tmp_path).add(Access(label="game", issue=True))
    async with serving(tmp_path, local=False) as (omoide, client):
        answer = await client.post(
            "/api/tokens", json={**WHOSE, "minutes": minutes}, headers={"x-api-key": key}
        )
        assert answer.status_code == 422
        with pytest.raises(InvalidInput, match="minutes"):
            Tokens(omoide.store).issue(**WHOSE, minutes=minutes)


async def test_a_key_issues_tokens_for_whom_it_reaches_and_only_if_it_may(tmp_path: Path) -> None:
    keys = _keys(tmp_path)
    limited = keys.add(Access(label="limited", users=frozenset({"민준"}), issue=True))
    plain = keys.add(Access(label="plain"))
    async with serving(tmp_path, local=False) as (_, client):
        for key, user, status in ((limited, "민준", 201), (limited, "유나", 403), (plain, "민준", 403)):
            body = {"user": user, "character": "하루"}
            answer = await client.post("/api/tokens", json=body, headers={"x-api-key": key})
            assert answer.status_code == status, answer.text


async def test_old_tokens_end_when_the_signing_key_is_made_anew(tmp_path: Path) -> None:
    key = _keys(tmp_path).add(Access(label="boss", admin=True))
    async with serving(tmp_path, local=False) as (_, client):
        token = {"x-api-key": await _issued(client, key)}
        assert (await client.get("/api/characters", headers=token)).status_code == 200
        assert (await client.delete("/api/tokens", headers={"x-api-key": key})).status_code == 204
        assert (await client.get("/api/characters", headers=token)).status_code == 401
        fresh = {"x-api-key": await _issued(client, key)}
        assert (await client.get("/api/characters", headers=fresh)).status_code == 200


def _part(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


async def test_what_was_not_signed_here_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    async with (
        serving(tmp_path, clock=Clock()) as (omoide, client),
        serving(tmp_path / "other", clock=Clock()) as (stranger, _),
    ):
        tokens = Tokens(omoide.store)
        good = tokens.issue(**WHOSE).text
        claims = jwt.decode(good, options={"verify_signature": False})
        signing = tokens._key(create=False)
        acme, beta = omoide.beside("acme"), omoide.beside("beta")
        acme_key = Tokens(acme.store).issue(**WHOSE).text and Tokens(acme.store)._key(create=False)
        Tokens(beta.store).issue(**WHOSE)

        def signed(key: bytes = signing, algorithm: str = "HS256", tenant: str = "", **changed: Any) -> str:
            kept = {name: value for name, value in {**claims, **changed}.items() if value is not None}
            return jwt.encode(kept, key, algorithm=algorithm, headers={"typ": "omoide+jwt", "kid": tenant})

        head = {"typ": "omoide+jwt", "kid": ""}
        second = int(NOW.timestamp())
        wrong = {
            "unsigned": f"{_part({**head, 'alg': 'none'})}.{good.split('.')[1]}.",
            "stripped": good.rsplit(".", 1)[0] + ".",
            "forged": signed(key=b"x" * 32),
            "other words": ".".join(
                [good.split(".")[0], _part({**claims, "sub": "유나"}), good.split(".")[2]]
            ),
            "another algorithm": signed(algorithm="HS512", key=signing + bytes(32)),
            "another store": Tokens(stranger.store).issue(**WHOSE).text,
            "another store's name": signed(aud="someone"),
            "not ours": signed(iss="someone"),
            "not yet": signed(nbf=second + 3600, exp=second + 7200),
            "ended": signed(nbf=second - 7200, exp=second - 1),
            "for ever": signed(exp=second + 10**9),
            "no end": signed(exp=None),
            "no user": signed(sub=None),
            "no character": signed(chr=None),
            "character of a wrong kind": signed(chr=["하루"]),
            "another tenant's words": signed(tnt="acme"),
            "another tenant's key": signed(key=acme_key, tnt="acme"),
            "another tenant's name": signed(tenant="acme", tnt="acme"),
            "a tenant's key for another": signed(key=acme_key, tenant="beta", tnt="beta"),
            "a tenant that nobody knows": signed(tenant="nobody", tnt="nobody"),
            "a tenant of no name": signed(tenant="../x", tnt="../x"),
        }
        unused = good[-1].translate(str.maketrans("AEIMQUYcgkosw048", "BFJNRVZdhlptx159"))
        wrong["padded"] = f"{good}="
        for spelling in (
            f"{good}==",
            good[:-1] + unused,
            f"{good[:-5]}!{good[-5:]}",
            f"{good[:-5]}!!!!{good[-5:]}",
        ):
            with pytest.raises(TokenRefused, match="damaged"):
                tokens.read(spelling)
        assert (await client.get("/api/characters", headers={"x-api-key": good})).status_code == 200
        for what, token in wrong.items():
            for header in ({"x-api-key": token}, {"authorization": f"Bearer {token}"}):
                answer = await client.get("/api/characters", headers=header)
                assert answer.status_code == 401, (what, answer.text)
                proxied = await client.post("/v1/chat/completions", json={"model": "m"}, headers=header)
                assert proxied.status_code == 401, (what, proxied.text)
            assert "하루" not in answer.text
        with pytest.raises(TokenRefused, match="get a new one"):
            Tokens(beta.store).read(good)
        await acme.close()
        await beta.close()


async def test_a_token_for_one_whose_name_is_the_id_of_another_reaches_no_further(tmp_path: Path) -> None:
    for name, called in (("robin", "Rob"), ("rob", "Robert")):
        folder = tmp_path / "characters" / name
        folder.mkdir(parents=True)
        (folder / "profile.yaml").write_text(f"name: {called}\nlanguage: en\n", encoding="utf-8")
        (folder / "prompt.jinja").write_text("You are {{ name }}.", encoding="utf-8")
    key = _keys(tmp_path).add(Access(label="game", characters=frozenset({"robin"}), issue=True))
    async with serving(tmp_path, local=False, characters=tmp_path / "characters") as (omoide, client):
        token = await _issued(client, key, character="ROBIN")
        for given in (key, token):
            for name, status in (("robin", 200), ("Rob", 200), ("rob", 403), ("Robert", 403)):
                answer = await client.post(
                    "/api/observe",
                    params={"user": "민준", "character": name},
                    json=SAID,
                    headers={"x-api-key": given},
                )
                assert answer.status_code == status, (name, answer.text)
        assert [scope.character for scope in await omoide.scopes()] == ["Rob"]


async def test_clocks_of_replicas_may_differ_by_a_little(tmp_path: Path) -> None:
    clock = Clock()
    async with serving(tmp_path, clock=clock) as (omoide, _):
        tokens = Tokens(omoide.store)
        token = tokens.issue(**WHOSE).text
        clock.now = NOW - timedelta(seconds=50)
        assert tokens.read(token).users == frozenset({"민준"})
        clock.now = NOW - timedelta(hours=1)
        with pytest.raises(TokenRefused, match="clocks"):
            tokens.read(token)


@pytest.mark.parametrize("header", ["authorization", "x-api-key", "x-omoide-key"])
async def test_no_key_and_no_token_of_ours_goes_up(tmp_path: Path, header: str) -> None:
    key = _keys(tmp_path).add(Access(label="game", issue=True))
    with FakeModelServer("응!") as upstream:
        async with serving(tmp_path, local=False, upstream=upstream.url) as (_, client):
            for ours in (key, await _issued(client, key)):
                given = {header: f"Bearer {ours}" if header == "authorization" else ours}
                body = {"model": "m", "messages": [{"role": "user", "content": "안녕"}], "user": "민준"}
                whose = {"x-omoide-character": "%ED%95%98%EB%A3%A8"}
                answer = await client.post("/v1/chat/completions", json=body, headers={**given, **whose})
                assert answer.status_code == 200, answer.text
                assert ours not in repr(upstream.requests[-1].headers)


async def test_of_two_credentials_neither_goes_up_and_a_foreign_one_does(tmp_path: Path) -> None:
    keys = _keys(tmp_path)
    key, other = keys.add(Access(label="game", issue=True)), keys.add(Access(label="boss", admin=True))
    gone = keys.add(Access(label="gone"))
    keys.remove("gone")
    theirs = f"sk-{gone}x"
    body = {"model": "m", "messages": [{"role": "user", "content": "안녕"}], "user": "민준"}
    with FakeModelServer("응!") as upstream:
        async with serving(tmp_path, local=False, upstream=upstream.url) as (_, client):
            token = await _issued(client, key)
            packed = base64.b64encode(f"me:{other}".encode()).decode().rstrip("=")
            for used, second in (
                ({"authorization": f"Bearer {key}"}, {"x-omoide-key": other, "x-api-key": other}),
                ({"x-omoide-key": key}, {"authorization": f"bearer {other}", "api-key": token}),
                ({"x-omoide-key": key}, {"authorization": other, "cookie": f"a=b; k={token}"}),
                ({"x-omoide-key": key}, {"authorization": f"Bearer {gone}", "x-api-key": f"Token {other}"}),
                ({"authorization": f"Bearer {token}"}, {"x-api-key": other}),
                ({"x-omoide-key": key}, {"authorization": f"Basic {packed}"}),
                ({"x-omoide-key": key}, {"cookie": f"k={other.replace('_', '%5f')}", "x-k": f"[{token}]"}),
                ({"authorization": f"bearer {key}"}, {}),
            ):
                sent = {**used, **second, "x-omoide-character": "haru", "x-title": "promo_code 1.2.3"}
                answer = await client.post(
                    "/v1/chat/completions?a=%20b", json={**body, "key": theirs}, headers=sent
                )
                assert answer.status_code == 200, answer.text
                asked = upstream.requests[-1]
                assert not [one for one in (key, other, token, gone, packed) if one in repr(asked.headers)], (
                    second
                )
                assert asked.body["key"] == theirs
                assert asked.headers["x-title"] == "promo_code 1.2.3"
            foreign = {"x-omoide-key": key, "authorization": f"Bearer {theirs}", "x-api-key": "a.b.c"}
            await client.post("/v1/chat/completions", json=body, headers=foreign)
            assert upstream.requests[-1].headers["authorization"] == f"Bearer {theirs}"
            assert upstream.requests[-1].headers["x-api-key"] == "a.b.c"


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/chat/completions?key={}", "{{}}"),
        ("/v1/files/{}", ""),
        ("/v1/embeddings", '{{"input": ["a", ["{}"]]}}'),
        (
            "/v1/chat/completions",
            '{{"messages": [{{"role": "user", "content": "키:\\n{}"}}], "user": "민준"}}',
        ),
        ("/v1/chat/completions", '{{"extra": {{"auth": {{"apikey": "{}"}}}}}}'),
        ("/v1/audio/speech", '--x\r\ncontent-disposition: form-data; name="key"\r\n\r\n{}\r\n--x--'),
        ("/v1/audio/speech", "model=m&text=%EC%95%88{}&b=1"),
    ],
)
async def test_a_request_that_holds_ours_in_its_address_or_body_is_refused(
    tmp_path: Path, path: str, body: str
) -> None:
    key = _keys(tmp_path).add(Access(label="game", issue=True))
    with FakeModelServer("응!") as upstream:
        async with serving(tmp_path, local=False, upstream=upstream.url, key=key) as (omoide, client):
            for ours in (key, key.replace("_", "%5F", 1), await _issued(client, key)):
                answer = await client.post(path.format(ours), content=body.format(ours).encode())
                assert answer.status_code == 400, answer.text
                assert "header" in answer.json()["error"]["message"]
            assert upstream.requests == []
            assert await omoide.scopes() == []


_OURS = "omo_" + "aB3-_" * 8 + "xyz"


@pytest.mark.parametrize(
    "sent",
    [
        _OURS,
        f"a{_OURS}",
        rf"\n{_OURS}\n",
        _OURS.replace("o", "%6f"),
        _OURS.replace("_", "%255F"),
        _OURS.replace("m", r"\u006D"),
        _OURS.replace("m", r"\\u006d"),
        _OURS.encode("utf-16-le").decode("latin-1"),
        f"BASIC {base64.b64encode(f'{_OURS}:'.encode()).decode()}",
        f"x, Basic {base64.urlsafe_b64encode(f'me???:{_OURS}'.encode()).decode().rstrip('=')}, y",
    ],
)
def test_a_key_is_known_however_it_is_spelt(sent: str) -> None:
    assert holds_ours(sent.encode("latin-1"))


@pytest.mark.parametrize(
    "sent",
    [
        "",
        "omo_",
        "promo_code",
        "sk-omo_x1",
        f"sk-{_OURS}y",
        _OURS[:-1],
        "Basic omo_",
        "Basic a",
        "eyJ.eyJ.x",
        "%zz%6",
    ],
)
def test_what_only_begins_like_a_key_is_none(sent: str) -> None:
    assert not holds_ours(sent.encode())


def test_a_large_body_is_looked_through_in_no_time() -> None:
    began = time.perf_counter()
    for piece in (b"eyJ", b"omo_", b"a.", b"\\", b"%25", b"basic ", b"\\uac00", b"%EC%95%88", b"eyJ.a.b,"):
        assert not holds_ours(piece * (1_000_000 // len(piece)))
    assert time.perf_counter() - began < 60  # in quadratic time it would be many minutes
