from __future__ import annotations

import base64
import json
import multiprocessing
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.errors import InvalidInput, KeyMissing, KeyWrong, SealError, StoreReadOnly, Tampered
from omoide.stores.keys.keyring import Keyring, MasterKey
from omoide.stores.sealing import Sealer

KEY = bytes(range(32))
TEXT = base64.b64encode(KEY).decode()
OWNERS = ["/user:minjun", "/character:haru", "tenant/user:민준", "/user:ハル", "/user:🐈"]
posix = pytest.mark.skipif(os.name == "nt", reason="Windows has no such rights")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "haru.keyring"


@pytest.fixture
def master():
    return MasterKey(KEY)


@pytest.fixture
def ring(path, master):
    return Keyring.open(path, master, store_id="store", create=True)


def reopened(path, master):
    return Keyring.open(path, master, store_id="store", create=False)


def wrapped(path):
    return set(json.loads(path.read_text())["body"]["keys"].values())


# The master key


@given(key=st.binary(min_size=32, max_size=32))
def test_an_exported_key_reads_back(key):
    master = MasterKey(key)
    assert MasterKey.parse(master.export()).export() == master.export()
    assert MasterKey.parse(base64.b64encode(key).decode()).fingerprint == master.fingerprint
    assert MasterKey.parse(base64.urlsafe_b64encode(key).decode()).fingerprint == master.fingerprint


def test_an_exported_key_is_found_among_notes_and_line_ends(master):
    assert MasterKey.parse(f"\ufeff# note\r\n\r\n  {master.export()}  \r\n").export() == master.export()


def test_every_cut_of_an_exported_key_is_refused_and_never_shown(master):
    text = master.export()
    for length in range(len(text)):
        with pytest.raises(KeyWrong, match="omoide key import") as caught:
            MasterKey.parse(text[:length])
        assert TEXT[:10] not in str(caught.value)


def test_every_changed_letter_of_an_exported_key_is_refused(master):
    text = master.export()
    for place in range(len(text)):
        changed = text[:place] + ("A" if text[place] != "A" else "B") + text[place + 1 :]
        if changed.lower() != text.lower() and text[place] != "=":
            with pytest.raises(KeyWrong):
                MasterKey.parse(changed)


@pytest.mark.parametrize(
    "text", ["", "  \n", "# only a note", "hunter2", "a b", "a b c d", "열쇠", TEXT[:-8], TEXT * 2]
)
def test_what_is_no_key_is_refused(text):
    with pytest.raises(KeyWrong):
        MasterKey.parse(text)


def test_a_key_does_not_show_in_its_repr(master):
    assert repr(master) == f"MasterKey(fingerprint={master.fingerprint!r})"
    assert TEXT not in repr(master)
    assert KEY.hex() not in repr(master)
    assert len(master.fingerprint) == 12


def test_the_environment_comes_before_the_command_and_that_before_the_file(tmp_path):
    file = tmp_path / "master.key"
    in_file = MasterKey.create(file)
    keys = {name: MasterKey(os.urandom(32)) for name in ("env", "command")}
    command = f'"{sys.executable}" -c "print(\'{keys["command"].export()}\')"'
    for env, given_command, expected in [
        (keys["env"].export(), command, keys["env"]),
        ("", command, keys["command"]),
        (None, command, keys["command"]),
        (" ", None, in_file),
        (None, "", in_file),
    ]:
        loaded = MasterKey.load(env=env, command=given_command, file=file)
        assert loaded.fingerprint == expected.fingerprint


def test_a_wrong_value_in_the_environment_does_not_fall_back_to_the_file(tmp_path):
    MasterKey.create(tmp_path / "master.key")
    with pytest.raises(KeyWrong, match="the environment"):
        MasterKey.load(env="nonsense", command=None, file=tmp_path / "master.key")


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("/no/such/program --password hunter2", "cannot be run"),
        ('program "hunter2', "cannot be run"),
        (f"{sys.executable} -c 'raise SystemExit(3)' hunter2", "code 3"),
        (f"{sys.executable} -c 'print()' hunter2", "printed nothing"),
        (f"{sys.executable} -c 'print(1)' hunter2", "no master key"),
        (f"{sys.executable} -c 'import time; time.sleep(60)' hunter2", "within 0.5 seconds"),
    ],
    ids=["absent", "unbalanced", "failing", "printing nothing", "printing no key", "slow"],
)
def test_a_command_that_gives_no_key_is_named_without_its_arguments(tmp_path, command, reason):
    with pytest.raises(SealError, match=reason) as caught:
        MasterKey.load(env=None, command=command, file=tmp_path / "none", time_limit=0.5)
    assert "hunter2" not in str(caught.value)


def test_no_shell_reads_the_command(tmp_path):
    with pytest.raises(SealError):
        MasterKey.load(env=None, command=f"echo x > {tmp_path / 'made'}", file=tmp_path / "none")
    assert not (tmp_path / "made").exists()


def test_a_missing_key_names_the_three_places(tmp_path):
    with pytest.raises(KeyMissing, match=r"environment.*command.*master\.key.*omoide key import"):
        MasterKey.load(env=None, command=None, file=tmp_path / "master.key")


def test_a_created_key_is_random_and_loads_again(tmp_path):
    made = [MasterKey.create(tmp_path / name) for name in ("a", "b")]
    assert made[0].fingerprint != made[1].fingerprint
    assert MasterKey.load(env=None, command=None, file=tmp_path / "a").export() == made[0].export()


def test_a_key_file_is_never_overwritten(tmp_path, master):
    file = tmp_path / "master.key"
    MasterKey.create(file)
    before = file.read_bytes()
    for write in (MasterKey.create, master.save):
        with pytest.raises(InvalidInput, match="already"):
            write(file)
    assert file.read_bytes() == before


def test_of_many_that_create_one_key_file_one_succeeds(tmp_path):
    def create(_):
        try:
            return MasterKey.create(tmp_path / "master.key")
        except InvalidInput:
            return None

    with ThreadPoolExecutor(8) as pool:
        made = [key for key in pool.map(create, range(8)) if key]
    assert len(made) == 1
    assert MasterKey.load(env=None, command=None, file=tmp_path / "master.key").export() == made[0].export()


@posix
def test_key_file_and_keyring_are_for_their_owner_alone(tmp_path, master):
    MasterKey.create(tmp_path / "new" / "master.key")
    Keyring.open(tmp_path / "other" / "keyring", master, store_id="s", create=True)
    for folder in ("new", "other"):
        assert (tmp_path / folder).stat().st_mode & 0o777 == 0o700
        for file in (tmp_path / folder).iterdir():
            assert file.stat().st_mode & 0o777 == 0o600


@posix
@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o660, 0o666])
def test_a_key_file_that_others_may_read_is_refused(tmp_path, mode):
    file = tmp_path / "master.key"
    MasterKey.create(file)
    file.chmod(mode)
    with pytest.raises(SealError, match=f"mode 0{mode:o}.*chmod 600"):
        MasterKey.load(env=None, command=None, file=file)


def test_a_truncated_key_file_is_refused(tmp_path):
    file = tmp_path / "master.key"
    MasterKey.create(file)
    whole = file.read_bytes()
    for length in range(0, len(whole) - 1, 7):
        file.write_bytes(whole[:length])
        with pytest.raises(KeyWrong, match=r"master\.key"):
            MasterKey.load(env=None, command=None, file=file)


# The keyring


@pytest.mark.proves("P7")
def test_every_owner_has_a_key_of_its_own_that_stays(ring, path, master):
    keys = {owner: ring.data_key(owner, create=True) for owner in OWNERS}
    assert len(set(keys.values())) == len(OWNERS)
    assert all(len(key) == 32 for key in keys.values())
    again = reopened(path, master)
    for owner, key in keys.items():
        assert ring.data_key(owner, create=False) == key
        assert again.data_key(owner, create=False) == key


@pytest.mark.proves("P7")
def test_the_file_shows_neither_owners_nor_keys(ring, path):
    keys = [ring.data_key(owner, create=True) for owner in OWNERS]
    content = path.read_bytes()
    for word in ("minjun", "haru", "user", "character", "민준", "ハル", json.dumps("민준")[1:-1]):
        assert word.encode() not in content.replace(b"haru.keyring", b"")
    for key in [*keys, KEY]:
        for shown in (key, key.hex().encode(), base64.b64encode(key)):
            assert shown not in content


def test_tags_of_two_keyrings_are_unrelated(tmp_path, master):
    tags = []
    for name in ("a", "b"):
        Keyring.open(tmp_path / name, master, store_id=name, create=True).data_key(
            "/user:minjun", create=True
        )
        tags += json.loads((tmp_path / name).read_text())["body"]["keys"]
    assert len(set(tags)) == 2


def test_a_missing_keyring_is_made_only_when_asked(path, master):
    with pytest.raises(KeyMissing, match="newest copy"):
        reopened(path, master)
    assert not path.exists()
    assert Keyring.open(path, master, store_id="store", create=True).epoch == 0
    assert path.exists()


def test_an_owner_without_a_key_is_an_error_unless_one_is_made(ring, path):
    before = path.read_bytes()
    with pytest.raises(KeyMissing, match="its owner was erased") as told:
        ring.data_key("/user:minjun", create=False)
    assert "minjun" not in str(told.value)
    with pytest.raises(InvalidInput):
        ring.data_key("", create=True)
    assert path.read_bytes() == before


def test_a_wrong_master_key_is_refused_and_changes_nothing(ring, path, master):
    key = ring.data_key("/user:minjun", create=True)
    before = path.read_bytes()
    other = MasterKey(bytes(32))
    with pytest.raises(KeyWrong, match=f"{master.fingerprint}.*{other.fingerprint}"):
        Keyring.open(path, other, store_id="store", create=True)
    assert path.read_bytes() == before
    assert reopened(path, master).data_key("/user:minjun", create=False) == key


def test_a_keyring_of_another_store_is_refused(ring, path, master):
    with pytest.raises(KeyWrong, match=r"'store'.*'elsewhere'"):
        Keyring.open(path, master, store_id="elsewhere", create=True)


def test_every_cut_of_a_keyring_is_refused(ring, path, master):
    ring.data_key("/user:minjun", create=True)
    whole = path.read_bytes()
    for length in range(len(whole.rstrip())):
        path.write_bytes(whole[:length])
        with pytest.raises(Tampered, match="newest copy"):
            reopened(path, master)


def test_every_changed_byte_of_a_keyring_is_refused(ring, path, master):
    ring.data_key("/user:minjun", create=True)
    whole = path.read_bytes()
    meant = json.loads(whole)
    for place in range(len(whole)):
        changed = bytearray(whole)
        changed[place] ^= 1 << place % 7
        path.write_bytes(changed)
        try:
            reopened(path, master)
        except (Tampered, KeyWrong):
            continue
        assert json.loads(bytes(changed)) == meant


def test_a_wrapped_key_moved_to_another_owner_is_refused(ring, path, master):
    for owner in OWNERS[:2]:
        ring.data_key(owner, create=True)
    whole = json.loads(path.read_text())
    keys = whole["body"]["keys"]
    first, second = keys
    keys[first], keys[second] = keys[second], keys[first]
    path.write_text(json.dumps(whole))
    with pytest.raises(Tampered):
        reopened(path, master)


def test_a_keyring_that_vanishes_is_an_error_and_not_made_anew(ring, path):
    ring.data_key("/user:minjun", create=True)
    path.unlink()
    for use in (
        lambda: ring.data_key("/user:minjun", create=False),
        lambda: ring.data_key("/user:sora", create=True),
        lambda: ring.forget("/user:minjun"),
        lambda: ring.epoch,
    ):
        with pytest.raises(KeyMissing):
            use()
    assert not path.exists()


@pytest.mark.proves("P7")
def test_an_erased_owner_is_gone_from_the_file(ring, path, master):
    kept = ring.data_key("/user:sora", create=True)
    others = wrapped(path)
    key = ring.data_key("/user:minjun", create=True)
    (erased,) = wrapped(path) - others
    sealed = Sealer(key).seal_text("비밀", row=b"row")

    assert ring.forget("/user:minjun")

    for file in path.parent.iterdir():
        assert erased.encode() not in file.read_bytes()
    assert ring.epoch == 1
    for keyring in (ring, reopened(path, master)):
        with pytest.raises(KeyMissing, match="erased"):
            keyring.data_key("/user:minjun", create=False)
        assert keyring.data_key("/user:sora", create=False) == kept
    fresh = ring.data_key("/user:minjun", create=True)
    assert fresh != key
    assert erased not in wrapped(path)
    with pytest.raises(Tampered):
        Sealer(fresh).open_text(sealed, row=b"row")


@posix
def test_erasure_overwrites_the_old_bytes_on_the_disk(ring, path):
    ring.data_key("/user:minjun", create=True)
    with path.open("rb") as old:
        ring.forget("/user:minjun")
        assert not old.read().strip(b"\0")


@posix
def test_erasure_leaves_a_hard_linked_backup_to_its_owner(ring, path, tmp_path):
    ring.data_key("/user:minjun", create=True)
    backup = tmp_path / "backup"
    backup.hardlink_to(path)
    before = backup.read_bytes()
    ring.forget("/user:minjun")
    assert backup.read_bytes() == before


def test_what_a_crash_left_half_written_is_gone_after_the_next_write(ring, path):
    left = path.with_name(f".{path.name}.tmp")
    left.write_text("half a key")
    ring.data_key("/user:minjun", create=True)
    assert not left.exists()


def test_forgetting_an_unknown_owner_changes_nothing(ring, path):
    ring.data_key("/user:minjun", create=True)
    before = path.read_bytes()
    assert not ring.forget("/user:nobody")
    assert ring.epoch == 0
    assert path.read_bytes() == before


def test_two_keyrings_on_one_file_see_each_other(ring, path, master):
    other = reopened(path, master)
    key = ring.data_key("/user:minjun", create=True)
    assert other.data_key("/user:minjun", create=False) == key
    assert other.data_key("/user:minjun", create=True) == key
    other.forget("/user:minjun")
    assert ring.epoch == 1
    with pytest.raises(KeyMissing):
        ring.data_key("/user:minjun", create=False)
    assert ring.data_key("/user:minjun", create=True) == other.data_key("/user:minjun", create=False) != key


def test_an_erasure_and_a_new_key_in_the_same_instant_are_seen(ring, path, master):
    other = reopened(path, master)
    for _ in range(30):
        key = ring.data_key("/user:minjun", create=True)
        assert other.data_key("/user:minjun", create=False) == key
        ring.forget("/user:minjun")
        assert ring.data_key("/user:minjun", create=True) != key
        assert other.data_key("/user:minjun", create=False) != key


def test_rotation_keeps_every_data_key(ring, path, master):
    keys = {owner: ring.data_key(owner, create=True) for owner in OWNERS}
    ring.forget(OWNERS[0])
    other, new = reopened(path, master), MasterKey(os.urandom(32))
    before = wrapped(path)

    ring.rotate(new)

    assert not before & wrapped(path)
    for keyring in (ring, reopened(path, new)):
        assert keyring.epoch == 1
        assert [keyring.data_key(owner, create=False) for owner in OWNERS[1:]] == list(keys.values())[1:]
        with pytest.raises(KeyMissing):
            keyring.data_key(OWNERS[0], create=False)
    for use in (lambda: reopened(path, master), lambda: other.data_key(OWNERS[1], create=False)):
        with pytest.raises(KeyWrong):
            use()
    ring.data_key("/user:sora", create=True)
    assert reopened(path, new).data_key("/user:sora", create=False)


@posix
@pytest.mark.skipif(os.name != "nt" and os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_a_clear_error(ring, path):
    path.parent.chmod(0o500)
    try:
        with pytest.raises(StoreReadOnly):
            ring.data_key("/user:minjun", create=True)
    finally:
        path.parent.chmod(0o700)


def test_a_keyring_reached_through_a_link_is_written_where_it_lies(ring, path, master, tmp_path):
    link = tmp_path / "link"
    try:
        link.symlink_to(path)
    except OSError:
        pytest.skip("this system lets us make no links")
    key = reopened(link, master).data_key("/user:minjun", create=True)
    assert link.is_symlink()
    assert ring.data_key("/user:minjun", create=False) == key


def test_threads_that_make_erase_and_read_keys_never_see_a_damaged_file(path, master):
    Keyring.open(path, master, store_id="store", create=True)
    stop = threading.Event()

    def read(_):
        keyring = reopened(path, master)
        while not stop.is_set():
            assert len(keyring.data_key("/user:sora", create=True)) == 32
            reopened(path, master)

    def write(name):
        keyring = reopened(path, master)
        for _ in range(25):
            keyring.data_key(name, create=True)
            assert keyring.forget(name)

    with ThreadPoolExecutor(4) as pool:
        readers = [pool.submit(read, n) for n in range(2)]
        writers = [pool.submit(write, name) for name in ("/user:a", "/user:b")]
        for writer in writers:
            writer.result()
        stop.set()
        for reader in readers:
            reader.result()
    assert reopened(path, master).epoch == 50


def test_a_rotation_while_other_threads_read_disturbs_none_of_them(ring, path):
    expected = {owner: ring.data_key(owner, create=True) for owner in OWNERS}
    stop = threading.Event()

    def read():
        while not stop.is_set():
            for owner, key in expected.items():
                assert ring.data_key(owner, create=False) == key

    with ThreadPoolExecutor(2) as pool:
        readers = [pool.submit(read) for _ in range(2)]
        for _ in range(20):
            ring.rotate(MasterKey(os.urandom(32)))
        stop.set()
        for reader in readers:
            reader.result()


def _make_key(path: str, gate: threading.Barrier, answers: multiprocessing.Queue) -> None:
    gate.wait(60)
    keyring = Keyring.open(Path(path), MasterKey(KEY), store_id="store", create=True)
    answers.put([keyring.data_key(owner, create=True) for owner in OWNERS])


def test_two_processes_that_make_the_same_keys_agree(path, master):
    context = multiprocessing.get_context("spawn")
    gate, answers = context.Barrier(2), context.Queue()
    processes = [context.Process(target=_make_key, args=(str(path), gate, answers)) for _ in range(2)]
    for process in processes:
        process.start()
    keys = [answers.get(timeout=60) for _ in processes]
    for process in processes:
        process.join(60)
        process.close()
    answers.close()
    answers.join_thread()
    assert keys[0] == keys[1]
    assert [reopened(path, master).data_key(owner, create=False) for owner in OWNERS] == keys[0]
