"""What declines a proposal politely, and what takes another day in its place."""

from __future__ import annotations

import pytest

from omoide.domain.grounding.put_off import put_off


@pytest.mark.proves("F03")
@pytest.mark.parametrize(
    ("answer", "when", "expected"),
    [
        ("Saturday's tricky for me", "Saturday", True),
        ("I'm swamped, another time?", "Saturday", True),
        ("Saturday's tricky but Sunday works", "Saturday", True),
        ("Saturday's tricky but Sunday works", "Sunday", False),
        ("sounds great", "Saturday", False),
        ("yes! it's been a long week", "Saturday", False),
        ("ごめん、土曜はちょっと…", "土曜", True),
        ("先約があって", "土曜", True),
        ("土曜は無理だけど日曜なら行ける", "日曜", False),
        ("土曜は無理だけど日曜なら行ける", "土曜", True),
        ("うん、行こう", "土曜", False),
        ("ちょっと遅れるけど行く！", "土曜", False),
        ("토요일은 좀...", "토요일", True),
        ("그날 선약 있어ㅠ", "토요일", True),
        ("토요일은 힘든데 일요일은 괜찮아", "일요일", False),
        ("좋아 가자", "토요일", False),
        ("不太方便，改天吧", "周六", True),
        ("好啊", "周六", False),
    ],
)
def test_a_polite_no_declines_what_nothing_takes_the_place_of(answer: str, when: str, expected: bool) -> None:
    assert put_off("film on Saturday?", answer, when=when) is expected


@pytest.mark.parametrize(
    ("offer", "answer"), [("また今度続きやろう", "うん、また今度ね！"), ("another time?", "another time!")]
)
def test_the_proposal_said_again_declines_nothing(offer: str, answer: str) -> None:
    assert put_off(offer, answer) is False
