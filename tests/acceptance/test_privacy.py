"""No word of anybody lies readable on disk, and what is taken back for good is gone from the bytes."""

from __future__ import annotations

import asyncio
import json
import logging
import shutil
import sqlite3
import unicodedata
from typing import TYPE_CHECKING

import pytest
from opening import NOW, opened

from omoide import Kind, Layer, Message, Past, Role
from omoide.errors import KeyMissing, KeyWrong, OmoideError, SealError, Tampered, UnknownScope
from omoide.stores.keys.keyring import MasterKey
from postgres import content_of, on_postgres, rows_of

if TYPE_CHECKING:
    from pathlib import Path

    from omoide import Omoide

USER, CHARACTER, SESSION = "달무리공주", "하늘다람쥐", "비밀다락방"
SENTENCES = (
    ("저는 복숭아솜사탕을 세상에서 제일 좋아해요", "코끼리마카롱도 드셔 보세요"),
    ("わたしは紫陽花電車が大好きです", "夕焼カステラもどうぞ"),
    ("I love my Quizzlewick clockwork hedgehog", "Brambleforth sounds lovely"),
)
WORDS = (
    *(
        "복숭아솜사탕",
        "코끼리마카롱",
        "紫陽花電車",
        "夕焼カステラ",
        "Quizzlewick",
        "hedgehog",
        "Brambleforth",
    ),
    *("달무리공주", "하늘다람쥐", "비밀다락방", "은방울할머니", "Gloomharbour", "ext-zanzibar-77", "별똥별"),
    *("귓속말천사", "grandmotherly", "marzipanic"),
)
SEALED = {
    "messages": "text_sealed",
    "memories": "body_sealed",
    "postings": "terms",
    "vectors": "vectors_sealed",
    "names": "name_sealed",
    "people": "external_sealed",
    "sessions": "external_sealed",
}


async def fill(omoide: Omoide, *, user: str = USER) -> None:
    """Say and write down every one of the words."""
    scope = omoide.scope(user=user, character=CHARACTER)
    for said, reply in SENTENCES:
        await scope.observe(user=said, reply=reply, session=SESSION)
    guest = Message(
        role=Role.USER,
        text="귓속말천사 이야기를 좋아해요",
        speaker="guest-ext-zanzibar-77",
        name="은방울할머니",
        external_id="ext-zanzibar-77",
        raw_date="별똥별 쏟아지던 밤",
        at=NOW,
    )
    await scope.observe(messages=[guest], session=SESSION)
    await scope.remember(
        "A marzipanic evening", place="Gloomharbour", external_id="ext-zanzibar-77", importance=9
    )
    past = Past(layer=Layer.HEARD, confidence=6, source="은방울할머니", heard_when="별똥별")
    await scope.remember("grandmotherly advice", kind=Kind.DIARY, past=past, keys=("Quizzlewick",))
    await scope.vectorise()


def readable(content: bytes) -> set[str]:
    """The words that can be read in these bytes, in any form in which a program may have written them."""
    found = set()
    for word in WORDS:
        for shape in {word, word.casefold(), unicodedata.normalize("NFD", word), json.dumps(word)[1:-1]}:
            if any(shape.encode(coding) in content for coding in ("utf-8", "utf-16-le", "utf-16-be")):
                found.add(word)
    return found


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}


def everything_sealed(folder: Path) -> dict[str, list[bytes]]:
    with rows_of(folder, "haru.db") as run:
        return {
            table: [sealed for (sealed,) in run(f"SELECT {column} FROM {table}") if sealed]
            for table, column in SEALED.items()
        }


def content(folder: Path) -> bytes:
    return content_of(folder, "haru.db")


@pytest.mark.sqlite
@pytest.mark.proves("P7")
async def test_no_word_is_readable_in_any_file_while_open_or_closed(tmp_path: Path) -> None:
    store = tmp_path / "store"
    async with opened(store) as omoide:
        await fill(omoide)
        assert (store / "haru.db-wal").stat().st_size > 0
        assert {name: readable(content) for name, content in files(store).items() if readable(content)} == {}
    assert {name: readable(content) for name, content in files(store).items() if readable(content)} == {}


async def test_the_search_for_words_in_bytes_would_find_them(tmp_path: Path) -> None:
    plain = tmp_path / "plain.db"
    connection = sqlite3.connect(plain)
    connection.execute("CREATE TABLE t (words TEXT)")
    connection.executemany("INSERT INTO t VALUES (?)", [(word,) for word in WORDS])
    connection.commit()
    connection.close()
    assert readable(plain.read_bytes()) == set(WORDS)


@pytest.mark.sqlite
@pytest.mark.proves("P7")
async def test_no_word_is_readable_in_a_backup_or_after_vacuum(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        await fill(omoide)
        source, copy = sqlite3.connect(tmp_path / "haru.db"), sqlite3.connect(tmp_path / "copy.db")
        source.backup(copy)
        source.close()
        copy.close()
        omoide.store.database.vacuum()
        assert readable((tmp_path / "copy.db").read_bytes()) == set()
        assert readable((tmp_path / "haru.db").read_bytes()) == set()


@pytest.mark.proves("P7")
async def test_names_and_places_are_sealed_and_blinded_and_never_stored_as_text(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        await fill(omoide)
    assert readable(content(tmp_path)) == set()


@pytest.mark.proves("P7")
async def test_the_same_words_of_two_scopes_have_no_blinded_term_in_common(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        await fill(omoide)
        await fill(omoide, user="other")
    with rows_of(tmp_path, "haru.db") as run:
        rows = run("SELECT scope_id, terms FROM postings")
    terms: dict[int, set[bytes]] = {}
    for scope, packed in rows:
        terms.setdefault(scope, set()).update(packed[at : at + 8] for at in range(0, len(packed), 9))
    first, second = terms.values()
    assert len(first) > 20
    assert not first & second


async def test_logs_and_errors_hold_no_word(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with opened(tmp_path) as omoide:
        await fill(omoide)
        scope = omoide.scope(user=USER, character=CHARACTER)
        recall = await scope.recall("복숭아솜사탕 Quizzlewick 紫陽花電車", session=SESSION)
        spoken = WORDS[:7]
        for part in (
            recall.timing_ms,
            recall.degraded,
            omoide,
            scope,
            *[found.why for found in recall.memories],
        ):
            assert not [word for word in spoken if word in repr(part)]
        messages = []
        memory = (await scope.memories())[0].id
        for failing in (
            scope.correct(memory, " "),
            scope.forget("no-such-id"),
            scope.restore(memory),
            scope.rewind("no-such-id"),
            scope.remember("복숭아솜사탕", importance=11),
            scope.remember("복숭아솜사탕", keys=("Quizzlewick\ud800",)),
            scope.remember("복숭아솜사탕", kind=Kind.DIARY),
        ):
            with pytest.raises(OmoideError) as caught:
                await failing
            messages.append(str(caught.value))
        await omoide.erase_user(USER)
    said = caplog.text + "\n".join(messages)
    assert [word for word in WORDS if word in said] == []


@pytest.mark.proves("P7")
async def test_forgotten_for_good_leaves_neither_words_nor_ciphertext(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        await fill(omoide)
        before = everything_sealed(tmp_path)
        scope = omoide.scope(user=USER, character=CHARACTER)
        await scope.forget(*[memory.id for memory in await scope.memories()])
        assert await scope.purge(now=True) == 6
        left = content(tmp_path)
        for table in ("messages", "memories", "postings", "vectors"):
            assert before[table]
            assert not [row for row in before[table] if row in left], table
    left = content(tmp_path)
    for table in ("messages", "memories", "postings", "vectors"):
        assert not [row for row in before[table] if row in left], table


async def test_purging_one_memory_leaves_the_others_readable(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        await fill(omoide)
        scope = omoide.scope(user=USER, character=CHARACTER)
        peach = next(memory for memory in await scope.memories() if "복숭아솜사탕" in memory.text)
        await scope.forget(peach.id)
        await scope.purge(now=True)
        assert len(await scope.memories()) == 5
        assert "hedgehog" in (await scope.recall("my clockwork hedgehog")).block
        assert "복숭아" not in (await scope.recall("복숭아솜사탕 좋아해?")).prompt


@pytest.mark.proves("P15")
async def test_reset_leaves_no_ciphertext_and_touches_no_other_scope(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        await fill(omoide)
        before = everything_sealed(tmp_path)
        other = omoide.scope(user=USER, character="another")
        await other.observe(user="I love walnut bread", reply="Yum", session="s")
        assert await omoide.scope(user=USER, character=CHARACTER).reset() == (6, 7)
        left = content(tmp_path)
        assert [table for table, rows in before.items() if any(row in left for row in rows)] == []
        assert "walnut" in (await other.recall("walnut bread")).block
        assert (await omoide.scope(user=USER, character=CHARACTER).recall("복숭아솜사탕")).block == ""


async def test_a_reset_scope_begins_anew(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        await fill(omoide)
        scope = omoide.scope(user=USER, character=CHARACTER)
        await scope.reset()
        await scope.observe(user="저는 호두파이를 좋아해요", reply="저도요", session=SESSION)
        assert len(await scope.memories()) == 1
        assert "호두파이" in (await scope.recall("호두파이 먹을래?")).block


@pytest.mark.proves("F57")
async def test_erasing_a_user_leaves_no_ciphertext_and_keeps_the_neighbour(tmp_path: Path) -> None:
    """The deletion of one user must not reach another."""
    async with opened(tmp_path) as omoide:
        await fill(omoide)
        before = everything_sealed(tmp_path)
        neighbour = omoide.scope(user="u2", character=CHARACTER)
        for number in range(5):
            await neighbour.observe(user=f"I love walnut bread number {number}", reply="Yum", session="s")
        await neighbour.vectorise()
        erased = await omoide.erase_user(USER)
        assert (erased.scopes, erased.memories, erased.messages) == (1, 6, 7)
        assert erased.key_destroyed
        assert erased.scrubbed is not on_postgres()  # a server clears its pages in its own time
        left = content(tmp_path)
        assert [table for table, rows in before.items() if any(row in left for row in rows)] == []
        assert len(await neighbour.memories()) == 5
        assert "walnut" in (await neighbour.recall("walnut bread")).block
        with pytest.raises(UnknownScope):
            await omoide.scope(user=USER, character=CHARACTER).memories()
        with pytest.raises(UnknownScope):
            await omoide.erase_user(USER)


async def test_erasing_a_user_while_vectors_are_made_leaves_no_row(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        await asyncio.gather(
            *[
                omoide.scope(user=USER, character=CHARACTER).observe(user=f"I love walnut bread {number}")
                for number in range(8)
            ]
        )
        await omoide.erase_user(USER)
    with rows_of(tmp_path, "haru.db") as run:
        for table in (*SEALED, "scopes", "evidence", "memory_scopes", "session_messages"):
            assert run(f"SELECT count(*) FROM {table}") == [(0,)], table


async def test_an_erased_user_may_come_back_as_a_stranger(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        await fill(omoide)
        await omoide.erase_user(USER)
        scope = omoide.scope(user=USER, character=CHARACTER)
        assert (await scope.recall("복숭아솜사탕")).block == ""
        await scope.observe(user="저는 호두파이를 좋아해요", reply="저도요", session=SESSION)
        assert [memory.evidence[0].quote for memory in await scope.memories()] == ["저는 호두파이를 좋아해요"]


@pytest.mark.sqlite
async def test_an_old_backup_does_not_open_for_an_erased_user(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        await fill(omoide)
        await fill(omoide, user="u2")
    shutil.copy(tmp_path / "haru.db", tmp_path / "old.db")
    async with opened(tmp_path) as omoide:
        await omoide.erase_user(USER)
    shutil.move(tmp_path / "old.db", tmp_path / "haru.db")
    async with opened(tmp_path) as omoide:
        gone = await omoide.scope(user=USER, character=CHARACTER).recall("복숭아솜사탕")
        assert (gone.block, gone.memories) == ("", ())
        assert gone.degraded
        with pytest.raises(KeyMissing):
            await omoide.scope(user=USER, character=CHARACTER).memories()
        assert [scope.user for scope in await omoide.scopes()] == ["u2"]
        assert "hedgehog" in (await omoide.scope(user="u2", character=CHARACTER).recall("hedgehog")).block
        erased = await omoide.erase_user(USER)
        assert (erased.scopes, erased.memories, erased.key_destroyed) == (1, 6, False)


def damage(folder: Path, table: str) -> None:
    """Flip one bit of what is sealed in the first row of a table."""
    column, row = SEALED[table], first_row(folder, table)
    with rows_of(folder, "haru.db") as run:
        [(sealed,)] = run(f"SELECT {column} FROM {table} WHERE id = ?", row)
        flipped = bytes([*sealed[:20], sealed[20] ^ 1, *sealed[21:]])
        run(f"UPDATE {table} SET {column} = ? WHERE id = ?", flipped, row)


def first_row(folder: Path, table: str) -> int:
    with rows_of(folder, "haru.db") as run:
        [(number,)] = run(f"SELECT min(id) FROM {table} WHERE {SEALED[table]} IS NOT NULL")
        return int(number)


@pytest.mark.proves("P17")
async def test_a_memory_whose_message_was_changed_on_disk_is_left_out_and_reported(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        await fill(omoide)
        scope = omoide.scope(user=USER, character=CHARACTER)
        await scope.observe(user="저는 복숭아잼도 좋아해요", reply="좋네요", session="s2")
    damage(tmp_path, "messages")
    async with opened(tmp_path) as omoide:
        scope = omoide.scope(user=USER, character=CHARACTER)
        recall = await scope.recall("복숭아 좋아해요?")
        assert "복숭아잼" in recall.block
        assert "복숭아솜사탕" not in recall.block
        assert all("복숭아솜사탕" not in found.memory.text for found in recall.memories)
        assert len(recall.degraded) == 1
        assert len(await scope.memories()) == 6
        row = omoide.store.scope(USER, CHARACTER)
        assert row is not None
        with omoide.store.read(row) as unit, pytest.raises(Tampered):
            unit.texts.open([first_row(tmp_path, "messages")])


@pytest.mark.proves("P17")
async def test_a_changed_body_is_left_out_and_reported(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        await fill(omoide)
    damage(tmp_path, "memories")
    async with opened(tmp_path) as omoide:
        scope = omoide.scope(user=USER, character=CHARACTER)
        recall = await scope.recall("a marzipanic evening")
        assert "marzipanic" not in recall.prompt
        assert recall.degraded
        assert "hedgehog" in (await scope.recall("clockwork hedgehog")).block


@pytest.mark.proves("P17")
async def test_changed_vectors_cost_the_meaning_and_not_the_recall(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        await fill(omoide)
    damage(tmp_path, "vectors")
    async with opened(tmp_path) as omoide:
        recall = await omoide.scope(user=USER, character=CHARACTER).recall("clockwork hedgehog")
        assert "hedgehog" in recall.block


async def test_sealed_words_moved_to_another_row_do_not_open(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        await fill(omoide)
    with rows_of(tmp_path, "haru.db") as run:
        run("UPDATE messages SET text_sealed = (SELECT text_sealed FROM messages WHERE id = 3)")
    async with opened(tmp_path) as omoide:
        recall = await omoide.scope(user=USER, character=CHARACTER).recall("복숭아솜사탕 좋아해요?")
        assert "紫陽花" not in recall.block
        assert recall.degraded


def _another_key(folder: Path) -> None:
    (folder / "master.key").unlink()
    MasterKey.create(folder / "master.key")


def _no_key(folder: Path) -> None:
    (folder / "master.key").unlink()


def keyring(folder: Path) -> Path:
    [file] = folder.glob("*.keyring")
    return file


def _no_keyring(folder: Path) -> None:
    keyring(folder).unlink()


def _cut_keyring(folder: Path) -> None:
    ring = keyring(folder)
    ring.write_bytes(ring.read_bytes()[:-40])


def _empty_keyring(folder: Path) -> None:
    keyring(folder).write_bytes(b"")


def _changed_keyring(folder: Path) -> None:
    ring = keyring(folder)
    content = bytearray(ring.read_bytes())
    content[len(content) // 2] ^= 1
    ring.write_bytes(bytes(content))


@pytest.mark.proves("F59")
@pytest.mark.parametrize(
    ("break_it", "error"),
    [
        (_another_key, KeyWrong),
        (_no_key, KeyMissing),
        (_no_keyring, KeyMissing),
        (_cut_keyring, Tampered),
        (_empty_keyring, Tampered),
        (_changed_keyring, SealError),
    ],
)
async def test_a_wrong_or_missing_key_is_told_at_opening_and_changes_nothing(
    tmp_path: Path, break_it: object, error: type[SealError]
) -> None:
    async with opened(tmp_path) as omoide:
        await fill(omoide)
    break_it(tmp_path)
    before = content(tmp_path)
    with pytest.raises(error):
        async with opened(tmp_path):
            pytest.fail("it opened")
    assert content(tmp_path) == before
