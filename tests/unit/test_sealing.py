from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.errors import InvalidInput, Tampered
from omoide.stores.sealing import Blinder, Sealer, derive

KEY = bytes(range(32))
OTHER_KEY = bytes(range(1, 33))
ROW = b"0123456789abcdef"
SECRETS = ["", "비밀번호는 사과나무", "猫の名前はもち", "my cat is called Mochi 🐈‍⬛", "我养了一只猫"]
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=200)


@pytest.mark.proves("P7")
@given(plain=st.binary(max_size=400), row=st.binary(max_size=40))
def test_sealed_bytes_open_to_the_same_bytes(plain, row):
    sealer = Sealer(KEY)
    sealed = sealer.seal(plain, row=row)
    assert len(sealed) == len(plain) + 28
    assert sealer.open(sealed, row=row) == plain


@given(text=texts)
def test_sealed_text_opens_to_the_same_text(text):
    assert Sealer(KEY).open_text(Sealer(KEY).seal_text(text, row=ROW), row=ROW) == text


@pytest.mark.proves("P7")
@pytest.mark.parametrize("text", [text for text in SECRETS if text])
def test_sealed_text_does_not_hold_the_words(text):
    sealed = Sealer(KEY).seal_text(text, row=ROW)
    assert text.encode() not in sealed
    assert not any(word.encode() in sealed for word in text.split() if len(word.encode()) > 2)


def test_the_same_text_is_sealed_differently_each_time():
    assert len({Sealer(KEY).seal_text("안녕", row=ROW) for _ in range(100)}) == 100


@pytest.mark.proves("P7")
@pytest.mark.parametrize("text", SECRETS)
def test_any_flipped_bit_is_noticed(text):
    sealer = Sealer(KEY)
    sealed = sealer.seal_text(text, row=ROW)
    for bit in range(len(sealed) * 8):
        changed = bytearray(sealed)
        changed[bit // 8] ^= 1 << bit % 8
        with pytest.raises(Tampered):
            sealer.open_text(bytes(changed), row=ROW)


def test_bytes_that_are_cut_off_are_noticed():
    sealer = Sealer(KEY)
    sealed = sealer.seal_text("もち", row=ROW)
    for length in range(len(sealed)):
        with pytest.raises(Tampered):
            sealer.open(sealed[:length], row=ROW)


@pytest.mark.proves("P7")
def test_bytes_moved_to_another_row_do_not_open():
    sealer = Sealer(KEY)
    with pytest.raises(Tampered, match="moved from another row"):
        sealer.open(sealer.seal(b"plain", row=b"row 1"), row=b"row 2")


def test_another_key_does_not_open_and_the_error_shows_no_words():
    sealed = Sealer(KEY).seal_text("Mochi", row=ROW)
    with pytest.raises(Tampered) as caught:
        Sealer(OTHER_KEY).open_text(sealed, row=ROW)
    assert "Mochi" not in str(caught.value)
    assert ROW.hex() in str(caught.value)


def test_bytes_that_are_no_text_are_refused_as_text():
    with pytest.raises(Tampered, match="no text"):
        Sealer(KEY).open_text(Sealer(KEY).seal(b"\xff\xfe", row=ROW), row=ROW)


def test_a_lone_surrogate_is_refused_without_showing_the_text():
    with pytest.raises(InvalidInput, match="position 6 of 7") as caught:
        Sealer(KEY).seal_text("secret\ud83d", row=ROW)
    assert "secret" not in str(caught.value)
    assert caught.value.__context__ is None
    with pytest.raises(InvalidInput):
        Blinder(KEY).blind("\udc00")
    with pytest.raises(InvalidInput):
        Blinder(KEY).tag("\udc00", purpose="user")


@pytest.mark.parametrize("length", [0, 16, 31, 33])
def test_a_key_of_another_length_is_refused(length):
    for use in (Sealer, Blinder, lambda key: derive(key, "x")):
        with pytest.raises(InvalidInput, match="32 bytes"):
            use(bytes(length))


def test_derived_keys_depend_on_key_and_purpose_alone():
    keys = [derive(key, purpose) for key in (KEY, OTHER_KEY) for purpose in ("", "a", "b", "대화")]
    assert all(len(key) == 32 for key in keys)
    assert len({*keys, KEY, OTHER_KEY}) == len(keys) + 2
    # HKDF is a standard, so what it gives must never change between releases.
    assert derive(KEY, "a").hex() == "880a2b5c401ce264089ad8bcc57f5c2e06a5586675178b5e9d57cd5583c7720e"


def test_blinding_never_changes_between_releases():
    assert Blinder(KEY).blind("롤") == 5804088773100023188
    assert Blinder(KEY).tag("minjun", purpose="user").hex() == "6148798b94f2509ce22bb39c2c689aae"


@pytest.mark.proves("P7")
@given(term=texts)
def test_a_term_is_a_signed_number_of_64_bits_that_depends_on_the_key(term):
    number = Blinder(KEY).blind(term)
    assert -(2**63) <= number < 2**63
    assert number == Blinder(KEY).blind(term)
    assert number != Blinder(OTHER_KEY).blind(term)


@given(terms=st.lists(texts))
def test_many_terms_are_blinded_as_each_alone(terms):
    blinder = Blinder(KEY)
    together = blinder.blind_all(iter(terms))
    numbers = [together[start : start + 8] for start in range(0, len(together), 8)]
    assert [int.from_bytes(number, "big", signed=True) for number in numbers] == list(
        map(blinder.blind, terms)
    )


@given(value=texts, purpose=texts)
def test_a_tag_is_16_bytes_that_depend_on_the_key_and_the_purpose(value, purpose):
    tag = Blinder(KEY).tag(value, purpose=purpose)
    assert len(tag) == 16
    assert tag == Blinder(KEY).tag(value, purpose=purpose)
    assert tag != Blinder(OTHER_KEY).tag(value, purpose=purpose)
    assert tag != Blinder(KEY).tag(value, purpose=purpose + "x")
    assert tag != Blinder(KEY).tag(value + "x", purpose=purpose)


def test_purpose_and_value_do_not_run_into_each_other():
    assert Blinder(KEY).tag("bc", purpose="a") != Blinder(KEY).tag("c", purpose="ab")


def test_terms_and_tags_are_unrelated():
    number = Blinder(KEY).blind("minjun")
    assert number.to_bytes(8, "big", signed=True) not in Blinder(KEY).tag("minjun", purpose="")


def test_blinded_terms_are_spread_evenly():
    numbers = [Blinder(KEY).blind(f"term {index}") for index in range(4000)]
    assert len(set(numbers)) == 4000
    assert 1800 < sum(number < 0 for number in numbers) < 2200
    for bit in range(64):
        assert 1700 < sum(number >> bit & 1 for number in numbers) < 2300


def test_more_terms_than_are_remembered_blind_alike():
    blinder = Blinder(os.urandom(32))
    first = [blinder.blind(f"{index}") for index in range(5000)]
    assert [blinder.blind(f"{index}") for index in range(5000)] == first
